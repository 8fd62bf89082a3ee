//! The store is compared with the ledger in memory: the same random inputs have the same outputs.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use libtest_mimic::Trial;
use resourcesync_notify::{
    exchange::{Answer, Body, Headers, Request},
    form::Form,
    hub::Credential,
    hub::{
        Exchange, Hub, Input, Ledger, MemoryLedger, Options, Order, Output, Position, Publisher, Retention, Secret,
        Sent, Target,
    },
    moment::{Moment, Timestamp},
    payload::Channel,
    signature::{Algorithm, sign},
};
use resourcesync_server::ledger::{PostgresLedger, SqliteLedger, Store, StoreError, Transaction};

use crate::{bench::payload, cluster::database, suite};

const CLAIMS: Duration = Duration::from_secs(90);

const TOPICS: [&str; 2] = ["https://hub.example/t/a", "https://hub.example/t/b"];

/// One hub of the comparison.
struct Side<L> {
    hub: Hub,
    ledger: L,
    /// Exchanges without an outcome.
    open: Vec<(Exchange, String)>,
    random: u8,
    /// Numbers of subscriptions and requests in the order of their first appearance, because the ledgers count differently.
    names: BTreeMap<(bool, u64), usize>,
}

fn options() -> Options {
    let mut options = Options::new("https://hub.example/").unwrap();
    for uri in TOPICS {
        options.add_topic(uri, Channel::ChangeNotification, vec!["own".to_owned()], true, false).unwrap();
    }
    options.publishers.push(Publisher { name: "own".to_owned(), credential: Credential::Hmac(Secret("s".into())) });
    options.retention = Retention { age: std::time::Duration::from_secs(40_000), bytes: 3_000 };
    options
}

impl<L: Ledger<Error: Debug>> Side<L> {
    fn new(ledger: L) -> Side<L> {
        let hub = Hub::new(options());
        Side { hub, ledger, open: Vec::new(), random: 0, names: BTreeMap::new() }
    }

    fn name(&mut self, is_nonce: bool, number: u64) -> u64 {
        let next = self.names.len();
        *self.names.entry((is_nonce, number)).or_insert(next) as u64
    }

    /// Processes an input, and returns the outputs with comparable numbers.
    fn handle(&mut self, now: Timestamp, input: Input) -> Vec<String> {
        let random = &mut self.random;
        let mut fill = |bytes: &mut [u8]| {
            for byte in bytes {
                *byte = *random;
                *random = random.wrapping_add(1);
            }
        };
        let outputs = self.hub.handle(&mut Moment { now, random: &mut fill }, input, &mut self.ledger).unwrap();
        let mut shown = Vec::new();
        for mut output in outputs {
            match &mut output {
                Output::Send { exchange, request } => {
                    let after = request.uri.split_once("hub.challenge=").map_or("", |(_, after)| after);
                    if *exchange != Exchange::Denial {
                        self.open.push((*exchange, after.split('&').next().unwrap().to_owned()));
                    }
                    match exchange {
                        Exchange::Verification { nonce, .. } => *nonce = self.name(true, *nonce),
                        Exchange::Delivery { subscription, .. } => *subscription = self.name(false, *subscription),
                        Exchange::Denial | Exchange::Topic { .. } => {}
                    }
                }
                Output::Ready { subscription, .. } => *subscription = self.name(false, *subscription),
                _ => {}
            }
            shown.push(serde_json::to_string(&output).unwrap());
        }
        shown
    }

    /// Subscriptions that may send, without those with a delivery in flight.
    fn due(&mut self, now: Timestamp) -> Vec<u64> {
        let mut found = Vec::new();
        for topic in self.ledger.topics().unwrap() {
            let mut after: Position = (0, 0);
            // Small pages, so that reading on after a page is tested.
            loop {
                let page = self.ledger.due(topic.id, now, after, 2).unwrap();
                let Some(last) = page.last() else { break };
                after = last.position;
                found.extend(page.iter().map(|due| due.position.1));
            }
        }
        let is_open = |id: &u64| {
            self.open
                .iter()
                .any(|(own, _)| matches!(own, Exchange::Delivery { subscription, .. } if subscription == id))
        };
        found.retain(|id| !is_open(id));
        found
    }
}

/// Numbers from a fixed sequence.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most
    }
}

/// An input that both sides get, with their own numbers.
enum Step {
    Both(Input),
    Turn(usize),
    Outcome(usize, u16),
    Order(usize, fn(u64) -> Order),
}

fn step(numbers: &mut Numbers, published: &mut i64) -> Step {
    let form = |mode: &str, topic: &str, callback: String| {
        let body = Form::write([
            ("hub.mode", mode),
            ("hub.topic", topic),
            ("hub.callback", &callback),
            ("hub.lease_seconds", "90000"),
        ]);
        let headers = Headers::default().with("Content-Type", "application/x-www-form-urlencoded");
        Request {
            method: "POST".to_owned(),
            path: "/".to_owned(),
            query: Vec::new(),
            headers,
            body: Body::Whole(body.into_bytes()),
        }
    };
    let topic = TOPICS[numbers.below(2)];
    let callback = format!("https://c{}.example/{}", numbers.below(3), numbers.below(3));
    let request = |request| Step::Both(Input::Request { id: 0, client: callback.clone(), request });
    match numbers.below(20) {
        0..=2 => request(form("subscribe", topic, callback.clone())),
        3 => request(form("unsubscribe", topic, callback.clone())),
        4..=6 => {
            *published += i64::from(numbers.below(5) != 0);
            let body = payload(*published).into_bytes();
            let headers = Headers::default()
                .with("Content-Type", "application/xml")
                .with("Link", format!("<{topic}>; rel=\"self\", <https://hub.example/>; rel=\"hub\""))
                .with("X-Hub-Signature", sign(Algorithm::Sha256, b"s", &body));
            request(Request {
                method: "POST".to_owned(),
                path: "/".to_owned(),
                query: Vec::new(),
                headers,
                body: Body::Whole(body),
            })
        }
        7..=11 => Step::Turn(numbers.below(8)),
        12..=16 => Step::Outcome(numbers.below(8), [200, 200, 200, 500, 410, 422, 0][numbers.below(7)]),
        17 => Step::Both(Input::Tick),
        18 => Step::Order(numbers.below(8), |id| Order::Replay { target: Target::Subscription(id), from: 1 }),
        _ => Step::Both(Input::Order {
            id: 0,
            order: match numbers.below(8) {
                0 => Order::Pause { topic: Some(topic.to_owned()) },
                1..=4 => Order::Resume { topic: None },
                5 | 6 => Order::Allow { host: "c1.example:443".to_owned() },
                _ => Order::Deny { target: Target::Host("c1.example:443".to_owned()), reason: String::new() },
            },
        }),
    }
}

fn perform<L: Ledger<Error: Debug>>(side: &mut Side<L>, now: Timestamp, step: &Step) -> Vec<String> {
    match step {
        Step::Both(input) => side.handle(now, input.clone()),
        Step::Turn(at) => {
            let due = side.due(now);
            match due.get(at % due.len().max(1)).copied() {
                Some(subscription) => side.handle(now, Input::Turn { subscription }),
                None => Vec::new(),
            }
        }
        Step::Outcome(at, status) => {
            if side.open.is_empty() {
                return Vec::new();
            }
            let (exchange, challenge) = side.open.remove(at % side.open.len());
            let headers = Headers::default();
            let input = match *status {
                0 => Input::Failed { exchange, reason: "timeout".to_owned(), sent: Sent::Maybe },
                status => {
                    Input::Answered { exchange, answer: Answer { status, headers, body: challenge.into_bytes() } }
                }
            };
            side.handle(now, input)
        }
        Step::Order(at, order) => {
            let found = side.ledger.subscriptions(None, None, 0, 100).unwrap();
            match found.get(*at) {
                Some(own) => side.handle(now, Input::Order { id: 0, order: order(own.id) }),
                None => Vec::new(),
            }
        }
    }
}

/// Compares a store with the model.
fn compare<S: Store<Error: Debug>>(seeds: u64, steps: usize, open: impl Fn(u64) -> S) {
    let mut delivered = 0;
    for seed in 0..seeds {
        let mut model = Side::new(MemoryLedger::default());
        let mut store = Side::new(open(seed));
        store.ledger.begin(Transaction::Changes).unwrap();
        let (mut numbers, mut published, mut now) = (Numbers(seed), 0, Timestamp::from_seconds(1_800_000_000));
        for at in 0..steps {
            now = now.after(std::time::Duration::from_secs([0, 1, 5, 60][numbers.below(4)]));
            let step = step(&mut numbers, &mut published);
            let (expected, found) = (perform(&mut model, now, &step), perform(&mut store, now, &step));
            assert_eq!(found, expected, "seed {seed}, step {at}");
            let retries = (model.ledger.next_retry(now).unwrap(), store.ledger.next_retry(now).unwrap());
            assert_eq!(retries.0, retries.1, "seed {seed}, step {at}");
            delivered += found.iter().filter(|output| output.contains("\"delivered\"")).count();
            if at % 100 == 99 {
                // A restart loses nothing.
                store.ledger.commit().unwrap();
                drop(store.ledger);
                store.ledger = open(seed);
                store.ledger.begin(Transaction::Changes).unwrap();
            }
        }
        let letters = store.ledger.dead_letters(1_000_000).unwrap();
        assert_eq!(letters.len(), model.ledger.dead_letters().len());
    }
    assert!(delivered > 10 * seeds as usize, "{delivered}");
}

/// Opens a store that was closed just now. A process that another test starts has its lock for a moment.
fn opened(path: &std::path::Path) -> SqliteLedger {
    let started = std::time::Instant::now();
    loop {
        match SqliteLedger::open(path) {
            Err(StoreError::Locked(_)) if started.elapsed() < CLAIMS => std::thread::yield_now(),
            opened => return opened.unwrap(),
        }
    }
}

pub(crate) fn sqlite_behaves_like_the_model() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hub-model");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    compare(8, 1_500, |seed| opened(&folder.join(format!("{seed}.sqlite"))));
    let _ = std::fs::remove_dir_all(&folder);
}

pub(crate) fn postgres_behaves_like_the_model() {
    let databases = [database(), database()];
    compare(2, 1_500, |seed| PostgresLedger::open(&databases[seed as usize], CLAIMS).unwrap());
}

/// A test for each case of the suite and each ledger.
pub(crate) fn suite() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (name, case) in suite::cases::<MemoryLedger>() {
        trials.push(trial("memory", name, move || case(&mut MemoryLedger::default())));
    }
    for (name, case) in suite::cases::<SqliteLedger>().into_iter().chain(suite::stores::cases()) {
        trials.push(trial("sqlite", name, move || in_sqlite(case)));
    }
    for (name, case) in suite::cases::<PostgresLedger>().into_iter().chain(suite::stores::cases()) {
        trials.push(trial("postgres", name, move || in_postgres(case)));
    }
    trials
}

fn trial(engine: &str, name: &str, case: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(format!("ledger::{engine}::{name}"), move || {
        case();
        Ok(())
    })
}

/// Each case has a transaction, which is rolled back.
fn in_transaction<S: Store<Error: Debug>>(mut store: S, case: fn(&mut S)) {
    store.begin(Transaction::Changes).unwrap();
    case(&mut store);
    store.roll_back();
}

fn in_sqlite(case: fn(&mut SqliteLedger)) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::SeqCst);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hub-suite-{number}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    in_transaction(SqliteLedger::open(&folder.join("hub.sqlite")).unwrap(), case);
    let _ = std::fs::remove_dir_all(&folder);
}

fn in_postgres(case: fn(&mut PostgresLedger)) {
    // The transactions of cases run one after the other, so one database is enough.
    static DATABASE: OnceLock<String> = OnceLock::new();
    in_transaction(PostgresLedger::open(DATABASE.get_or_init(database), CLAIMS).unwrap(), case);
}
