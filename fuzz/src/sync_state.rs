//! The state file of a copy: any content is read or rejected, and whatever it names, nothing outside of the copy is touched.

use std::{env, fs, path::PathBuf, process, sync::Arc, thread};

use resourcesync_client::{
    Cancel,
    destination::{Options, Republished, audit, inventory, source, sync},
    http::{Client, ClientOptions, Policy},
};
use resourcesync_sync::{Layout, Map};
use rusqlite::Connection;

/// Where nothing listens.
const START: &str = "http://127.0.0.1:9/";

/// The data is a state file.
pub fn sync_state(data: &[u8]) {
    let folder = Folder::new("state");
    let (copy, own) = (folder.0.join("copy"), folder.0.join("copy/.resourcesync"));
    fs::create_dir_all(&own).expect("a folder can be made");
    fs::write(own.join("state.sqlite"), data).expect("a file can be written");
    fs::write(copy.join("file"), "a file").expect("a file can be written");
    fs::write(folder.0.join("canary"), "alive").expect("a file can be written");
    let _ = source(&copy, None);
    let _ = inventory(&copy, None, &Republished::default(), &mut |_| Ok(()));
    for quick in [true, false] {
        let _ = audit(&copy, None, quick, &Cancel::default());
    }
    let mut options = Options::default().with(|run| run.dry_run = true);
    for start in source(&copy, None).ok().flatten().into_iter().filter(|start| start == START) {
        let _ = sync(&start, &copy, &client(), &options, &Cancel::default(), &mut |_| {});
        options.settings.dry_run = false;
        let _ = sync(&start, &copy, &client(), &options, &Cancel::default(), &mut |_| {});
    }
    assert_eq!(fs::read(folder.0.join("canary")).ok().as_deref(), Some(&b"alive"[..]));
    assert_eq!(fs::read_dir(&folder.0).map_or(0, Iterator::count), 2);
}

/// State files of small copies.
pub(crate) fn states() -> Vec<Vec<u8>> {
    let map = Map::new("http://127.0.0.1:9/files/", "data");
    let mut states = Vec::new();
    for (layout, rows) in Layout::ALL.into_iter().flat_map(|layout| [(layout, 0), (layout, 5)]) {
        let folder = Folder::new("seed");
        let maps = map.clone().into_iter().filter(|_| rows > 0).collect();
        let options = Options::default().with(|run| {
            run.placing.layout = Some(layout);
            run.placing.maps = maps;
        });
        let report = sync(START, &folder.0, &client(), &options, &Cancel::default(), &mut |_| {});
        report.expect("a run that reads nothing makes a state");
        let path = folder.0.join(".resourcesync/state.sqlite");
        let state = Connection::open(&path).expect("the state can be opened");
        for row in 0..rows {
            let sql = "INSERT INTO resource(uri, path, sha256, size, mtime, run) VALUES(?1, ?2, 'ab', 6, ?3, 1)";
            let path = (row % 2 == 0).then(|| ["file", "../canary", "/canary"][row / 2]);
            state.execute(sql, (format!("{START}{row}"), path, row as u64)).expect("a row can be added");
        }
        let debt = "INSERT INTO debt(uri, wanted, code, run) VALUES('x', '{\"uri\":\"x\",\"loc\":\"x\"}', 'INP-05', 1)";
        state.execute_batch(debt).expect("a row can be added");
        state.execute_batch("PRAGMA journal_mode=DELETE; PRAGMA page_size=512; VACUUM").expect("it can be rewritten");
        drop(state);
        states.push(fs::read(path).expect("the state can be read"));
    }
    states
}

fn client() -> Arc<Client> {
    let mut policy = Policy::default();
    policy.start(START).expect("a start");
    (policy.limits.http_retries, policy.limits.http_requests_per_second) = (0, 0);
    Arc::new(Client::new(policy, ClientOptions::default()).expect("a client"))
}

/// A folder of this thread, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("resourcesync-fuzz-{name}-{}-{:?}", process::id(), thread::current().id());
        let path = env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
