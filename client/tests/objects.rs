//! Copies in object stores: the same suite for a folder, a store of a program, the store in memory of the library, and a server
//! (`RESOURCESYNC_STORE=s3://BUCKET/PREFIX`, with the environment variables of that store; `scripts/stores`).

// Helpers of tests, too.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

#[path = "objects/library.rs"]
mod library;
#[path = "objects/machines.rs"]
mod machines;
#[path = "model/random.rs"]
mod random;
mod source;

use std::{
    collections::BTreeMap,
    env,
    fs::{self, File},
    io::{self, Read, Write},
    path::Path,
    process,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use object_store::{PutPayload, multipart::MultipartStore as _, path::Path as Key};
use resourcesync::{fixity::Digester, value::Algorithm};
use resourcesync_client::{
    destination::{
        AuditOptions, AuditOutcome, Beginning, CopiedResource, CopyStore, Keep, Latest, Options, StoredBytes,
        SyncError, audit_with, kept_at,
    },
    objects::{self, Objects},
};
use resourcesync_sync::{conclude::Outcome, guard::MaxDelete, report::Report};

use library::{memory, other_tags, own};
use source::{Place, Source, client, run_with, tree};

/// More than one part of an upload.
const LARGE: usize = (16 << 20) + 5;

/// Bodies by the ends of their paths.
type Bodies = BTreeMap<String, Vec<u8>>;

/// A place for the bytes of a copy.
trait Subject {
    fn keep(&self, place: &Place) -> Keep;
    fn holds(&self, place: &Place) -> Bodies;
    /// Removes what is stored of a resource, or stores other bytes of the same length.
    fn damage(&self, place: &Place, name: &str, removes: bool);
    /// True if other bytes of the same length are seen without reading them.
    fn has_versions(&self) -> bool {
        true
    }
}

fn last(path: &str) -> String {
    path.rsplit('/').next().unwrap().to_owned()
}

struct Folder;

impl Subject for Folder {
    fn keep(&self, _: &Place) -> Keep {
        Keep::Folder
    }

    fn holds(&self, place: &Place) -> Bodies {
        tree(&place.copy()).into_iter().map(|(name, body)| (last(&name), body)).collect()
    }

    fn damage(&self, place: &Place, name: &str, removes: bool) {
        let (file, body) = tree(&place.copy()).into_iter().find(|(file, _)| last(file) == name).unwrap();
        let file = place.copy().join(file);
        if removes { fs::remove_file(file).unwrap() } else { fs::write(file, vec![b'!'; body.len()]).unwrap() }
    }
}

/// A store of a program.
#[derive(Clone, Default)]
struct Program(Arc<Mutex<Bodies>>);

impl CopyStore for Program {
    fn look(&mut self, path: &str) -> io::Result<Option<StoredBytes>> {
        let held = self.0.lock().unwrap().get(path).map(Vec::len);
        Ok(held.map(|length| StoredBytes { length: length as u64, version: None }))
    }

    fn put(&mut self, resource: &CopiedResource, mut bytes: File) -> io::Result<Option<String>> {
        let mut body = Vec::new();
        bytes.read_to_end(&mut body)?;
        self.0.lock().unwrap().insert(resource.path.clone(), body);
        Ok(None)
    }

    fn open(&mut self, path: &str) -> io::Result<Box<dyn Read + Send>> {
        let body = self.0.lock().unwrap().get(path).cloned().ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(io::Cursor::new(body)))
    }

    fn remove(&mut self, _: &str, path: &str) -> io::Result<()> {
        self.0.lock().unwrap().remove(path);
        Ok(())
    }
}

impl Subject for Program {
    fn keep(&self, _: &Place) -> Keep {
        Keep::store(self.clone())
    }

    fn holds(&self, _: &Place) -> Bodies {
        self.0.lock().unwrap().iter().map(|(path, body)| (last(path), body.clone())).collect()
    }

    fn damage(&self, _: &Place, name: &str, removes: bool) {
        let mut bodies = self.0.lock().unwrap();
        let path = bodies.keys().find(|path| last(path) == name).unwrap().clone();
        if removes {
            bodies.remove(&path);
        } else {
            bodies.get_mut(&path).unwrap().fill(b'!');
        }
    }

    fn has_versions(&self) -> bool {
        false
    }
}

fn with(source: &Source, place: &Place, keep: Keep, full: bool) -> Result<Report, SyncError> {
    let options = Options { keep, ..Options::default() }.with(|run| {
        run.reading.full = full;
        run.max_delete = Some(MaxDelete::Percent(100));
    });
    run_with(&source.start(), &place.copy(), &options)
}

fn listed(list: &[(&str, &[u8])]) -> Bodies {
    list.iter().map(|(name, body)| ((*name).to_owned(), body.to_vec())).collect()
}

fn large() -> Vec<u8> {
    (0..LARGE).map(|at| (at / 7) as u8).collect()
}

/// What every place does.
fn suite(name: &str, subject: &dyn Subject) {
    let (place, source) = (Place::new(&format!("objects-{name}")), Source::new());
    let sync = |full| with(&source, &place, subject.keep(&place), full).unwrap();
    let big = large();
    source.put("/a", "first");
    source.put("/b%20%25?x=1/2", "b");
    source.put("/large", big.clone());
    source.publish();
    let report = sync(false);
    assert_eq!((report.run.outcome, report.counts.created), (Outcome::InStep, 3), "{name} {report:?}");
    assert_eq!(subject.holds(&place), listed(&[("a", b"first"), ("b %25^3Fx=1^2F2", b"b"), ("large", &big)]), "{name}");
    assert_eq!(sync(false).counts.unchanged, 3, "{name}");
    let audit = |keep: Keep| {
        let options = AuditOptions { keep, ..AuditOptions::default() };
        let client = client(&source.start());
        audit_with(&place.copy(), Some(&client), &options, &Default::default(), &mut |_| {}).unwrap().outcome
    };
    assert_eq!(audit(subject.keep(&place)), AuditOutcome::Equal, "{name}");
    // Replaced, removed, and new.
    source.put("/a", "second");
    source.remove("/b%20%25?x=1/2");
    source.put("/c", "third");
    source.publish();
    let report = sync(false);
    let counts = report.counts;
    assert_eq!(
        (report.run.outcome, counts.created, counts.updated, counts.deleted),
        (Outcome::InStep, 1, 1, 1),
        "{name}"
    );
    let expected = listed(&[("a", b"second"), ("c", b"third"), ("large", &big)]);
    assert_eq!(subject.holds(&place), expected, "{name}");
    // What is missing or has other bytes is found, and fetched again.
    subject.damage(&place, "a", true);
    assert_eq!(audit(subject.keep(&place)), AuditOutcome::Different, "{name}");
    assert_eq!(sync(true).run.outcome, Outcome::InStep, "{name}");
    assert_eq!(subject.holds(&place), expected, "{name}");
    for damaged in ["c", "large"] {
        subject.damage(&place, damaged, false);
        assert_eq!(audit(subject.keep(&place)), AuditOutcome::Different, "{name}");
        let report = sync(true);
        assert_eq!(report.counts.updated, u64::from(subject.has_versions()), "{name}");
        let tells = report.diagnostics.iter().any(|finding| finding.code == "SYN-10");
        assert_eq!(tells, subject.has_versions(), "{name} {report:?}");
        assert_eq!(subject.holds(&place) == expected, subject.has_versions(), "{name}");
    }
    // What is intact is not fetched again.
    assert_eq!(sync(true).counts.unchanged, 3, "{name}");
}

#[test]
fn every_place_passes_the_suite() {
    suite("folder", &Folder);
    suite("program", &Program::default());
    suite("memory", &memory("prefix/of/it"));
    suite("root", &memory(""));
    suite("other ETags", &other_tags());
}

#[test]
fn a_server_passes_the_suite() {
    let Ok(uri) = env::var("RESOURCESYNC_STORE") else { return };
    struct Server(String);
    impl Subject for Server {
        fn keep(&self, place: &Place) -> Keep {
            Keep::named(&self.0, self.open(place))
        }
        fn holds(&self, place: &Place) -> Bodies {
            let (place, mut objects) = (place.copy(), self.open(place));
            let ledger = rusqlite::Connection::open(place.join(".resourcesync/state.sqlite")).unwrap();
            let mut statement = ledger.prepare("SELECT uri FROM resource").unwrap();
            let uris: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
            let places = resourcesync_sync::Places::new(resourcesync_sync::Layout::Uri, "http://x/");
            let body = |uri: &String| {
                let (path, mut body) = (places.of(uri).unwrap(), Vec::new());
                objects.open(&path).unwrap().read_to_end(&mut body).unwrap();
                (last(&path), body)
            };
            uris.iter().map(body).collect()
        }
        fn damage(&self, place: &Place, name: &str, removes: bool) {
            let mut objects = self.open(place);
            let ledger = rusqlite::Connection::open(place.copy().join(".resourcesync/state.sqlite")).unwrap();
            let text = |sql: &str, name: &str| ledger.query_row(sql, [name], |row| row.get::<_, String>(0)).unwrap();
            let uri = text("SELECT uri FROM resource WHERE uri LIKE '%/' || ?1", name);
            // As others do it, who know nothing of runs.
            let runs = text("SELECT value FROM meta WHERE key=?1", "runs-on-store");
            objects.begin(&everything(runs.split(' ').next_back().unwrap())).unwrap();
            let places = resourcesync_sync::Places::new(resourcesync_sync::Layout::Uri, "http://x/");
            let path = places.of(&uri).unwrap();
            match removes {
                true => objects.remove(&uri, &path).unwrap(),
                false => {
                    let length = objects.look(&path).unwrap().unwrap().length;
                    put(&mut objects, place, &path, &vec![b'!'; length as usize], None).unwrap();
                }
            }
            objects.end().unwrap();
        }
    }
    impl Server {
        fn open(&self, place: &Place) -> Objects {
            objects::open(&self.0, &own(place), &client("http://127.0.0.1/")).unwrap()
        }
    }
    let server = Server(format!("{uri}/{}", process::id()));
    suite("server", &server);
    // The state of one machine is that of the next one.
    let source = Source::new();
    source.put("/a", "a");
    source.publish();
    let below = Server(format!("{}/states", server.0));
    for (name, unchanged) in [("objects-server-one", 0), ("objects-server-next", 1)] {
        let place = Place::new(name);
        let options = Options { keep: below.keep(&place), saves_state: true, ..Options::default() };
        let report = run_with(&source.start(), &place.copy(), &options).unwrap();
        assert!(report.is_saved() && report.run.outcome == Outcome::InStep, "{report:?}");
        assert_eq!(report.counts.unchanged, unchanged);
    }
    // One run at a time, and nothing left of uploads that were not completed.
    let place = Place::new("objects-server-lease");
    fs::create_dir_all(own(&place)).unwrap();
    let (mut one, mut other) = (server.open(&place), server.open(&place));
    one.begin(&everything("one")).unwrap();
    assert_eq!(other.begin(&everything("other")).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    assert!(put(&mut one, &place, "large", &large(), Some(b"verified")).is_err());
    assert_eq!(one.look("large").unwrap(), None);
    one.end().unwrap();
    other.begin(&everything("other")).unwrap();
    other.end().unwrap();
}

/// A run that begins whatever others did.
fn everything(run: &str) -> Beginning<'_> {
    Beginning { run, known: &[], takes_over: true }
}

/// Stores bytes, as those with the digest of `verified`, or their own.
fn put(objects: &mut dyn CopyStore, place: &Place, path: &str, body: &[u8], verified: Option<&[u8]>) -> io::Result<()> {
    let file = place.0.join("body");
    File::create(&file)?.write_all(body)?;
    let mut digester = Digester::new([Algorithm::Sha256]);
    digester.push(verified.unwrap_or(body));
    let (hashes, length) = (digester.finish(), body.len() as u64);
    let resource = CopiedResource { uri: String::new(), path: path.to_owned(), length, hashes, lastmod: None };
    objects.put(&resource, File::open(file)?).map(drop)
}

#[test]
fn what_is_not_verified_never_becomes_an_object() {
    let (place, library) = (Place::new("objects-verified"), memory("p"));
    fs::create_dir_all(own(&place)).unwrap();
    let mut objects = library.objects(&place);
    assert!(put(&mut objects, &place, "a", b"a", None).is_err(), "no run has begun");
    objects.begin(&everything("one")).unwrap();
    let big = large();
    put(&mut objects, &place, "a", b"a", None).unwrap();
    for body in [&b"other"[..], &big] {
        let error = put(&mut objects, &place, "a", body, Some(b"verified")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert_eq!(library.holds(&place), listed(&[("a", b"a")]));
    }
    put(&mut objects, &place, "a", &big, None).unwrap();
    assert_eq!(library.holds(&place), listed(&[("a", &big)]));
    assert_eq!(objects.look("none").unwrap(), None);
    assert!(objects.open("none").is_err());
}

#[test]
fn uploads_that_a_killed_run_left_are_aborted_by_the_next() {
    let (place, source, library) = (Place::new("objects-uploads"), Source::new(), memory("p"));
    source.put("/a", "a");
    source.publish();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let key = Key::from("p/127.0.0.1/large");
    let id = runtime.block_on(library.0.create_multipart(&key)).unwrap();
    let part = |number| runtime.block_on(library.0.put_part(&key, &id, number, PutPayload::from_static(b"part")));
    part(0).unwrap();
    fs::create_dir_all(own(&place)).unwrap();
    let noted = own(&place).join("uploads.jsonl");
    fs::write(&noted, format!("{}\n[\"cut", serde_json::to_string(&(key.as_ref(), &id)).unwrap())).unwrap();
    assert_eq!(with(&source, &place, library.keep(&place), false).unwrap().run.outcome, Outcome::InStep);
    assert!(part(1).is_err() && !noted.exists());
}

#[test]
fn deleted_objects_are_in_the_trash_until_the_next_run_in_step() {
    let (place, source, library) = (Place::new("objects-trash"), Source::new(), memory("p"));
    source.put("/a", "a");
    source.put("/b", "b");
    source.publish();
    with(&source, &place, library.keep(&place), false).unwrap();
    source.remove("/b");
    source.publish();
    assert_eq!(with(&source, &place, library.keep(&place), false).unwrap().counts.deleted, 1);
    let trash = || library.all().into_iter().filter(|(key, _)| key.contains("/trash/")).collect::<Vec<_>>();
    assert!(matches!(&*trash(), [(key, body)] if key.ends_with("/b") && body == b"b"), "{:?}", trash());
    source.put("/a", "new");
    source.publish();
    assert_eq!(with(&source, &place, library.keep(&place), false).unwrap().run.outcome, Outcome::InStep);
    assert_eq!(trash(), []);
}

#[test]
fn what_others_wrote_is_in_the_trash_before_it_is_replaced() {
    let (place, source, library) = (Place::new("objects-foreign"), Source::new(), memory("p"));
    source.put("/a", "a");
    source.publish();
    with(&source, &place, library.keep(&place), false).unwrap();
    library.damage(&place, "a", false);
    with(&source, &place, library.keep(&place), true).unwrap();
    let trash = || library.all().into_iter().filter(|(key, _)| key.contains("/trash/")).collect::<Vec<_>>();
    assert!(matches!(&*trash(), [(key, body)] if key.ends_with("/a") && body == b"!"), "{:?}", trash());
    assert_eq!(library.holds(&place), listed(&[("a", b"a")]));
}

#[test]
fn two_runs_never_work_on_one_place_and_the_first_run_fixes_it() {
    let (place, other, source, library) =
        (Place::new("objects-lease"), Place::new("objects-lease-other"), Source::new(), memory("p"));
    source.put("/a", "a");
    source.publish();
    let mut first = library.objects(&place);
    first.begin(&everything("first")).unwrap();
    assert_eq!(with(&source, &other, library.keep(&other), false).unwrap().run.outcome, Outcome::Locked);
    first.end().unwrap();
    assert_eq!(with(&source, &place, library.keep(&place), false).unwrap().run.outcome, Outcome::InStep);
    assert_eq!(kept_at(&place.copy(), None).unwrap().as_deref(), Some("s3://bucket/prefix"));
    for keep in [Keep::Folder, Keep::named("s3://bucket/other", library.objects(&place))] {
        let refused = with(&source, &place, keep, false);
        assert!(matches!(refused, Err(SyncError::OtherStore { .. })), "{refused:?}");
    }
}

/// A store that fails at one of its calls, before or after it has done what is asked for.
struct Failing {
    inner: Objects,
    left: Arc<AtomicI64>,
    after: bool,
    /// It is not there any more after that, as the process is not.
    is_killed: bool,
}

impl Failing {
    fn call<T>(&mut self, call: impl FnOnce(&mut Objects) -> io::Result<T>) -> io::Result<T> {
        let left = self.left.fetch_sub(1, Ordering::Relaxed);
        if self.is_killed && left < 0 {
            return Err(io::Error::other("killed"));
        }
        let fails = left == 0;
        let done = if fails && !self.after { Err(io::Error::other("failed")) } else { call(&mut self.inner) };
        if fails { Err(io::Error::other("failed")) } else { done }
    }
}

impl CopyStore for Failing {
    fn begin(&mut self, run: &Beginning<'_>) -> io::Result<Latest> {
        match self.is_killed {
            true => self.call(|inner| inner.begin(run)),
            false => self.inner.begin(run),
        }
    }

    fn latest(&mut self, known: &[String]) -> io::Result<Latest> {
        self.inner.latest(known)
    }

    fn last_trash(&mut self) -> io::Result<u64> {
        self.call(CopyStore::last_trash)
    }

    fn load_state(&mut self, run: &str, into: &mut File) -> io::Result<()> {
        self.call(|inner| inner.load_state(run, into))
    }

    fn save_state(&mut self, state: File) -> io::Result<()> {
        self.call(|inner| inner.save_state(state))
    }

    fn finish(&mut self, name: &str) -> io::Result<()> {
        self.call(|inner| inner.finish(name))
    }

    fn end(&mut self) -> io::Result<()> {
        match self.is_killed {
            true => self.call(CopyStore::end),
            false => self.inner.end(),
        }
    }

    fn look(&mut self, path: &str) -> io::Result<Option<StoredBytes>> {
        self.call(|inner| inner.look(path))
    }

    fn set_aside(&mut self, path: &str, run: u64) -> io::Result<()> {
        self.call(|inner| inner.set_aside(path, run))
    }

    fn put(&mut self, resource: &CopiedResource, bytes: File) -> io::Result<Option<String>> {
        self.call(|inner| inner.put(resource, bytes))
    }

    fn open(&mut self, path: &str) -> io::Result<Box<dyn Read + Send>> {
        self.call(|inner| inner.open(path))
    }

    fn remove(&mut self, uri: &str, path: &str) -> io::Result<()> {
        self.call(|inner| inner.remove(uri, path))
    }

    fn trash(&mut self, uri: &str, path: &str, run: u64) -> io::Result<()> {
        self.call(|inner| inner.trash(uri, path, run))
    }

    fn empty_trash(&mut self, before: u64, keep: Option<std::time::Duration>) -> io::Result<()> {
        self.call(|inner| inner.empty_trash(before, keep))
    }
}

#[test]
fn a_store_that_refuses_any_call_leaves_a_copy_that_the_next_run_completes() {
    for (after, calls) in (0..15).flat_map(|calls| [(false, calls), (true, calls)]) {
        let name = format!("objects-failing-{after}-{calls}");
        let (place, source, library) = (Place::new(&name), Source::new(), memory("p"));
        for path in ["/a", "/b", "/c"] {
            source.put(path, path);
        }
        source.publish();
        let left = Arc::new(AtomicI64::new(calls));
        let failing = || Failing { inner: library.objects(&place), left: left.clone(), after, is_killed: false };
        let keep = || Keep::named("s3://b/p", failing());
        let _ = with(&source, &place, keep(), false);
        source.put("/a", "new");
        source.remove("/b");
        source.publish();
        let _ = with(&source, &place, keep(), false);
        left.store(-1, Ordering::Relaxed);
        for _ in 0..2 {
            let report = with(&source, &place, keep(), true).unwrap();
            assert_eq!(report.run.outcome, Outcome::InStep, "{name} {report:?}");
        }
        assert_eq!(library.holds(&place), listed(&[("a", b"new"), ("c", b"/c")]), "{name}");
    }
}

#[test]
fn other_uris_are_refused() {
    let client = client("http://127.0.0.1/");
    for uri in ["s3:bucket", "s3://", "ftp://a.example/b", "/folder", "s3://bucket/p?key=secret", "s3://user@bucket/p"]
    {
        let error = objects::open(uri, Path::new("."), &client).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{uri}");
    }
}
