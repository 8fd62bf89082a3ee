//! The store of a hub in PostgreSQL, which several processes may use at the same time.
//!
//! - Transactions that change anything but deliveries run one after the other: they hold an advisory lock.
//! - A subscription is sent to by the process that has claimed it. Results of a lost claim are not recorded.
//! - Rows are locked when they are read within a transaction, and subscriptions are written together before it ends.

mod claims;
mod connect;
mod copies;
mod operations;
mod rows;
mod store;
mod tables;
mod wake;

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use postgres::{Client, Row, Statement, types::ToSql};
use resourcesync_notify::hub::{Accepted, Subscription, TopicState};

pub(crate) use self::{
    connect::{Connector, Target},
    wake::{Wake, wake},
};
use self::{
    rows::{bytes, millis, signed},
    tables::{TABLES, VERSION},
};
use super::{LedgerError, StoreError, store::Transaction};

/// The oldest version of the server that is tested.
const SERVER: i32 = 140_000;
/// The first key of all advisory locks.
const LOCKS: &str = "1381219445";
/// Payloads kept in memory, because all subscribers of a topic read the same ones.
const CACHED: usize = 16;

/// The store of a hub in PostgreSQL.
pub struct PostgresLedger {
    connector: Connector,
    client: Client,
    statements: HashMap<&'static str, Statement>,
    /// The number of this process.
    process: i64,
    transaction: Option<Transaction>,
    /// Topics and locked subscriptions that were read in this transaction, and those that are not written yet.
    topics: HashMap<u64, TopicState>,
    subscriptions: HashMap<u64, Option<Subscription>>,
    changed: BTreeSet<u64>,
    recent: VecDeque<(u64, Arc<Accepted>)>,
    size: Option<(Instant, u64)>,
    /// Claimed subscriptions, and the end of each claim.
    claims: HashMap<u64, Instant>,
    /// How long a claim lasts.
    lasting: Duration,
    kept: Instant,
}

impl fmt::Debug for PostgresLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresLedger").field("store", &self.connector.url).finish_non_exhaustive()
    }
}

impl PostgresLedger {
    /// Opens a store for a hub, and creates its tables if necessary. A process that ends without closing it loses its claims
    /// after `lasting`.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or the store is not of this version.
    pub fn open(url: &str, lasting: Duration) -> Result<PostgresLedger, StoreError> {
        PostgresLedger::connect(url, lasting, false)
    }

    /// Opens a store that no hub may use meanwhile.
    pub(super) fn alone(url: &str) -> Result<PostgresLedger, StoreError> {
        PostgresLedger::connect(url, Duration::ZERO, true)
    }

    fn connect(url: &str, lasting: Duration, is_alone: bool) -> Result<PostgresLedger, StoreError> {
        let connector = Connector::new(url)?;
        let wrong = |why: String| StoreError::Format(url.to_owned(), why);
        let mut client = connector.connect().map_err(LedgerError::from)?;
        prepare(&mut client, &wrong)?;
        take(&mut client, is_alone, &wrong)?;
        let row = client.query_one("SELECT nextval('process')", &[]).map_err(LedgerError::from)?;
        let process = row.try_get(0).map_err(LedgerError::from)?;
        Ok(PostgresLedger {
            connector,
            client,
            statements: HashMap::new(),
            process,
            transaction: None,
            topics: HashMap::new(),
            subscriptions: HashMap::new(),
            changed: BTreeSet::new(),
            recent: VecDeque::new(),
            size: None,
            claims: HashMap::new(),
            lasting,
            kept: Instant::now(),
        })
    }

    /// How to open more connections.
    pub(crate) fn connector(&self) -> Connector {
        self.connector.clone()
    }

    /// Connects again, if the connection was lost.
    fn reconnect(&mut self) -> Result<(), LedgerError> {
        if self.client.is_closed() {
            self.statements.clear();
            self.client = self.connector.connect()?;
            take(&mut self.client, self.lasting.is_zero(), &|why| why).map_err(LedgerError::Unavailable)?;
        }
        Ok(())
    }

    /// Runs a statement, which is prepared once for each connection.
    fn query(&mut self, sql: &'static str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, LedgerError> {
        let statement = match self.statements.get(sql) {
            Some(statement) => statement.clone(),
            None => {
                let statement = self.client.prepare(sql)?;
                self.statements.insert(sql, statement.clone());
                statement
            }
        };
        Ok(self.client.query(&statement, values)?)
    }

    /// The first row of a statement, as a value.
    fn first<T>(
        &mut self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
        read: impl FnOnce(&Row) -> Result<T, LedgerError>,
    ) -> Result<Option<T>, LedgerError> {
        self.query(sql, values)?.first().map(read).transpose()
    }

    /// Forgets what was read in a transaction.
    fn forget(&mut self) {
        self.topics.clear();
        self.subscriptions.clear();
        self.changed.clear();
    }

    /// Writes the changed subscriptions.
    fn flush(&mut self) -> Result<(), LedgerError> {
        let changed = std::mem::take(&mut self.changed);
        let own: Vec<&Subscription> = changed.iter().filter_map(|id| self.subscriptions.get(id)?.as_ref()).collect();
        if own.is_empty() {
            return Ok(());
        }
        macro_rules! column {
            ($own:ident => $value:expr) => {
                own.iter().map(|$own| $value).collect::<Vec<_>>()
            };
        }
        let ids = column!(own => signed(own.id));
        let secrets = column!(own => bytes(own.secret.as_ref()));
        let leases = column!(own => own.lease_until.millis());
        let cursors = column!(own => signed(own.cursor));
        let failures = column!(own => i64::from(own.failures));
        let refusals = column!(own => i64::from(own.refusals));
        let since = column!(own => millis(own.failing_since));
        let retries = column!(own => millis(own.retry_at));
        let statuses = column!(own => own.last_status.map(i32::from));
        self.query(
            "UPDATE subscription AS own SET secret=new.secret, lease_until=new.lease_until, cursor=new.cursor,
                failures=new.failures, refusals=new.refusals, failing_since=new.failing_since, retry_at=new.retry_at,
                last_status=new.last_status
                FROM unnest($1::int8[], $2::bytea[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
                    $9::int4[]) AS new(id, secret, lease_until, cursor, failures, refusals, failing_since, retry_at, last_status)
                WHERE own.id=new.id",
            &[&ids, &secrets, &leases, &cursors, &failures, &refusals, &since, &retries, &statuses],
        )?;
        Ok(())
    }
}

/// Checks the server and the version of the tables, which are created if there are none.
fn prepare(client: &mut Client, wrong: &dyn Fn(String) -> StoreError) -> Result<(), StoreError> {
    let failed = |error: postgres::Error| StoreError::from(LedgerError::from(error));
    let number = client.query_one("SELECT current_setting('server_version_num')::int4", &[]).map_err(failed)?;
    let server: i32 = number.try_get(0).map_err(failed)?;
    if server < SERVER {
        return Err(wrong(format!("the server has version {}; 14 or later is required", server / 10_000)));
    }
    let mut setup = client.transaction().map_err(failed)?;
    // Two processes that start at the same time create the tables once.
    setup.batch_execute(&format!("SELECT pg_advisory_xact_lock({LOCKS}, 0)")).map_err(failed)?;
    let row = setup.query_one("SELECT to_regclass('resourcesync_hub.meta') IS NULL", &[]).map_err(failed)?;
    if row.try_get(0).map_err(failed)? {
        setup.batch_execute(TABLES).map_err(failed)?;
    }
    let row = setup.query_one("SELECT version FROM resourcesync_hub.meta", &[]).map_err(failed)?;
    let version: i32 = row.try_get(0).map_err(failed)?;
    if version != VERSION {
        return Err(wrong(format!(
            "it has version {version}, and this program supports {VERSION}; use a newer program"
        )));
    }
    setup.commit().map_err(failed)
}

/// Notes in the server that a process uses the store, or takes it alone.
fn take<E>(client: &mut Client, is_alone: bool, wrong: &dyn Fn(String) -> E) -> Result<(), E> {
    let sql = if is_alone {
        format!("SELECT pg_try_advisory_lock({LOCKS}, 1)")
    } else {
        format!("SELECT pg_try_advisory_lock_shared({LOCKS}, 1)")
    };
    let taken = client.query_one(&sql, &[]).and_then(|row| row.try_get::<_, bool>(0));
    match taken {
        Ok(true) => Ok(()),
        Ok(false) if is_alone => Err(wrong("it is used by a hub; stop all hubs that use it".to_owned())),
        Ok(false) => Err(wrong("it is being migrated; start the hub when that is done".to_owned())),
        Err(error) => Err(wrong(LedgerError::from(error).to_string())),
    }
}
