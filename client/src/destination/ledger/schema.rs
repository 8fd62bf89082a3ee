//! The tables of a ledger, and their versions.

use rusqlite::Connection;

use crate::destination::SyncError;

/// Identifies the file (`PRAGMA application_id`).
const APPLICATION: i64 = 0x5253_796e;
/// The version of the tables (`PRAGMA user_version`).
const VERSION: i64 = 3;

const TABLES: &str = "
    CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE resource(
        id INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE, path TEXT, hash TEXT, length INTEGER, lastmod TEXT, etag TEXT,
        modified TEXT, sha256 TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL, run INTEGER NOT NULL);
    CREATE TABLE placing(
        number INTEGER PRIMARY KEY, uri TEXT NOT NULL, path TEXT, hash TEXT, length INTEGER, lastmod TEXT, etag TEXT,
        modified TEXT, sha256 TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL, run INTEGER NOT NULL);
    CREATE TABLE debt(uri TEXT PRIMARY KEY, wanted TEXT NOT NULL, code TEXT NOT NULL, run INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE run(number INTEGER PRIMARY KEY, started TEXT NOT NULL, ended TEXT, outcome TEXT, counts TEXT);
";
/// What version 1 lacks: when resources were deleted, and their number and bytes, which a run without changes does not count.
const SINCE_1: &str = "
    CREATE TABLE gone(uri TEXT PRIMARY KEY, moment TEXT, run INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE total(id INTEGER PRIMARY KEY CHECK(id=1), resources INTEGER NOT NULL, bytes INTEGER NOT NULL);
    INSERT INTO total SELECT 1, count(*), coalesce(sum(size), 0) FROM resource;
    CREATE TRIGGER resource_added AFTER INSERT ON resource
        BEGIN UPDATE total SET resources=resources+1, bytes=bytes+new.size; END;
    CREATE TRIGGER resource_removed AFTER DELETE ON resource
        BEGIN UPDATE total SET resources=resources-1, bytes=bytes-old.size; END;
    CREATE TRIGGER resource_resized AFTER UPDATE OF size ON resource
        BEGIN UPDATE total SET bytes=bytes-old.size+new.size; END;
";
/// What version 2 lacks: the sets that list a resource, where there are several.
const SINCE_2: &str = "
    CREATE TABLE owner(uri TEXT NOT NULL, owner TEXT NOT NULL, PRIMARY KEY(uri, owner)) WITHOUT ROWID;
";
/// Moves of files that are done once they are recorded here: to another path, or to the trash. The file is known by its size and time. Those of files that
/// other programs have changed stay until a run has reported them.
const MOVES: &str = "
    CREATE TABLE IF NOT EXISTS moving(seq INTEGER PRIMARY KEY, uri TEXT NOT NULL, place TEXT NOT NULL, target TEXT, size INTEGER NOT NULL,
        mtime INTEGER NOT NULL, changed INTEGER NOT NULL, done INTEGER NOT NULL, run INTEGER NOT NULL);
";
/// The links of resources that the copy passes on, as JSON.
pub(super) const LINKS: &str =
    "CREATE TABLE IF NOT EXISTS links(uri TEXT PRIMARY KEY, links TEXT NOT NULL) WITHOUT ROWID";
/// Links from entries to related resources; the entry is empty for a resource that is listed itself. It is not noted of all that are listed.
const RELATED: &str = "
    CREATE TABLE IF NOT EXISTS related(uri TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY(uri, entry)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS related_entry ON related(entry) WHERE entry<>'';
";
/// The versions that are kept, and those that are to be: memento, digests as listed, and what is listed of it.
const VERSIONS: &str = "
    CREATE TABLE IF NOT EXISTS version(memento TEXT NOT NULL, hash TEXT NOT NULL, uri TEXT NOT NULL, lastmod TEXT, path TEXT NOT NULL,
        sha256 TEXT NOT NULL, size INTEGER NOT NULL, run INTEGER NOT NULL, PRIMARY KEY(memento, hash)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS version_due(seq INTEGER PRIMARY KEY, memento TEXT NOT NULL, hash TEXT NOT NULL, wanted TEXT NOT NULL,
        UNIQUE(memento, hash));
";
/// The plan of this run, which the next one rebuilds. `relating` has what changes in `related`: whether a link is there. `owning` has what changes in `owner`: whether a set lists a resource.
const PLAN: &str = "
    CREATE TEMP TABLE todo(seq INTEGER PRIMARY KEY, uri TEXT NOT NULL UNIQUE, document INTEGER NOT NULL, action TEXT NOT NULL,
        length INTEGER, wanted TEXT NOT NULL);
    CREATE TEMP TABLE change(document INTEGER NOT NULL, position INTEGER NOT NULL, uri TEXT NOT NULL, deleted INTEGER NOT NULL,
        moment INTEGER, datetime TEXT, wanted TEXT NOT NULL, PRIMARY KEY(document, position)) WITHOUT ROWID;
    CREATE TEMP TABLE chain(document INTEGER PRIMARY KEY, rank INTEGER NOT NULL, direction INTEGER NOT NULL, first INTEGER NOT NULL,
        owner TEXT NOT NULL);
    CREATE TEMP TABLE last(seq INTEGER PRIMARY KEY, uri TEXT NOT NULL, deleted INTEGER NOT NULL, asks INTEGER NOT NULL,
        document INTEGER NOT NULL, datetime TEXT, moment INTEGER, owner TEXT NOT NULL, wanted TEXT NOT NULL,
        steps INTEGER NOT NULL, UNIQUE(uri, owner));
    CREATE TEMP TABLE marked(id INTEGER PRIMARY KEY, moment TEXT);
    CREATE TEMP TABLE owning(uri TEXT NOT NULL, owner TEXT NOT NULL, document INTEGER NOT NULL, owns INTEGER NOT NULL,
        PRIMARY KEY(uri, owner)) WITHOUT ROWID;
    CREATE TEMP TABLE relating(seq INTEGER PRIMARY KEY, uri TEXT NOT NULL, entry TEXT NOT NULL, document INTEGER NOT NULL,
        links INTEGER NOT NULL, wanted TEXT, UNIQUE(uri, entry, document));
    CREATE INDEX relating_entry ON relating(entry) WHERE entry<>'';
";
/// Resources that were changed by notifications: the time of the last such change, whether it is a deletion, and the first run that did it.
pub(super) const UNCONFIRMED: &str = "CREATE TABLE IF NOT EXISTS unconfirmed(
    uri TEXT PRIMARY KEY, moment INTEGER NOT NULL, deleted INTEGER NOT NULL, since INTEGER NOT NULL, run INTEGER NOT NULL) WITHOUT ROWID";
/// `finished` has files that are only kept until their changes are acknowledged.
///
/// `known` is true if an earlier state of the resource was acknowledged. The rest describes a deleted resource; what others are is in
/// `resource`. Numbers are never used twice, so a late acknowledgement cannot remove a later change.
pub(super) const PENDING: &str = "
    CREATE TABLE pending(
        seq INTEGER PRIMARY KEY AUTOINCREMENT, uri TEXT NOT NULL, known INTEGER NOT NULL, path TEXT, moment TEXT, hash TEXT,
        length INTEGER, lastmod TEXT, sha256 TEXT, size INTEGER);
    CREATE TABLE finished(path TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE INDEX pending_uri ON pending(uri);
    INSERT INTO pending(uri, known) SELECT uri, 0 FROM resource ORDER BY id;
    CREATE TRIGGER pending_created AFTER INSERT ON resource BEGIN
        INSERT INTO pending(uri, known) VALUES(new.uri, coalesce((SELECT known FROM pending WHERE uri=new.uri), 0));
        DELETE FROM pending WHERE uri=new.uri AND seq<(SELECT max(seq) FROM pending);
    END;
    CREATE TRIGGER pending_updated AFTER UPDATE OF sha256, path ON resource
        WHEN new.sha256<>old.sha256 OR new.path IS NOT old.path BEGIN
        INSERT INTO pending(uri, known) VALUES(new.uri, coalesce((SELECT known FROM pending WHERE uri=new.uri), 1));
        DELETE FROM pending WHERE uri=new.uri AND seq<(SELECT max(seq) FROM pending);
    END;
    CREATE TRIGGER pending_deleted AFTER DELETE ON resource BEGIN
        INSERT INTO pending(uri, known, path, moment, hash, length, lastmod, sha256, size) VALUES(old.uri,
            coalesce((SELECT known FROM pending WHERE uri=old.uri), 1), old.path, (SELECT moment FROM gone WHERE uri=old.uri),
            old.hash, old.length, old.lastmod, old.sha256, old.size);
        DELETE FROM pending WHERE uri=old.uri AND seq<(SELECT max(seq) FROM pending);
    END;
";
/// The entries of the lists that differ from the ledger, or have to be looked at; and the originals that entries name, with the result once
/// they were compared.
pub(super) const LISTED: &str = "
    CREATE TEMP TABLE IF NOT EXISTS original(uri TEXT NOT NULL, document INTEGER NOT NULL, via TEXT NOT NULL, sign TEXT, cause TEXT,
        PRIMARY KEY(uri, via)) WITHOUT ROWID;
    CREATE TEMP TABLE IF NOT EXISTS listed(uri TEXT PRIMARY KEY, document INTEGER NOT NULL, id INTEGER, relation TEXT NOT NULL,
        wanted TEXT NOT NULL) WITHOUT ROWID;
";
/// `work` has the order of the files, and `problem` those that are not as they were.
pub(super) const COMPARED: &str = "
    CREATE TEMP TABLE work(seq INTEGER PRIMARY KEY, id INTEGER NOT NULL);
    CREATE TEMP TABLE problem(id INTEGER PRIMARY KEY, sign TEXT NOT NULL, cause TEXT);
    INSERT INTO work(id) SELECT id FROM resource ORDER BY size DESC, id;
";

/// True for a database without anything: the run that made it ended before its first transaction did.
pub(super) fn is_new(db: &Connection) -> rusqlite::Result<bool> {
    Ok(pragma(db, "application_id")? == 0 && pragma(db, "user_version")? == 0 && pragma(db, "schema_version")? == 0)
}

fn pragma(db: &Connection, name: &str) -> rusqlite::Result<i64> {
    db.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
}

/// Prepares a connection: makes the tables of a new ledger if `makes` is true, converts those of earlier versions, and refuses others.
pub(super) fn prepare(db: &Connection, makes: bool) -> Result<(), SyncError> {
    let (application, version) = (pragma(db, "application_id")?, pragma(db, "user_version")?);
    if makes && is_new(db)? {
        db.execute_batch(&format!(
            "BEGIN; {TABLES} {SINCE_1} {SINCE_2} PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; COMMIT"
        ))?;
    } else if application != APPLICATION {
        return Err(SyncError::State("it is not a ledger".to_owned()));
    } else if version == 1 && makes {
        db.execute_batch(&format!("BEGIN; {SINCE_1} {SINCE_2} PRAGMA user_version={VERSION}; COMMIT"))?;
    } else if version == 2 && makes {
        db.execute_batch(&format!("BEGIN; {SINCE_2} PRAGMA user_version={VERSION}; COMMIT"))?;
    } else if !(1..=VERSION).contains(&version) {
        return Err(SyncError::State(format!("it has version {version}; this program supports {VERSION}")));
    }
    db.execute_batch(PLAN)?;
    if makes {
        db.execute_batch(MOVES)?;
        db.execute_batch(LINKS)?;
        db.execute_batch(RELATED)?;
        db.execute_batch(VERSIONS)?;
    }
    if !makes && version < VERSION {
        // An earlier version that is only read.
        db.execute_batch(&SINCE_2.replace("CREATE TABLE", "CREATE TEMP TABLE"))?;
    }
    let lacks = |table| db.prepare("SELECT 1 FROM sqlite_master WHERE name=?1")?.exists([table]).map(|exists| !exists);
    if !makes && lacks("related")? {
        db.execute_batch("CREATE TEMP TABLE related(uri TEXT NOT NULL, entry TEXT NOT NULL)")?;
    }
    if !makes && lacks("moving")? {
        db.execute_batch(&MOVES.replace("TABLE IF NOT EXISTS", "TEMP TABLE"))?;
    }
    Ok(())
}
