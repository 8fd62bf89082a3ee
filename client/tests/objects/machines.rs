//! Runs of several machines on one object store: what is said to be in step is in the store, whatever was killed, lost or restored before.

use std::{
    collections::BTreeMap,
    env, fs, io,
    path::Path,
    sync::{Arc, Mutex, atomic::AtomicI64},
    time::Duration,
};

use object_store::{ObjectStoreExt as _, PutPayload, memory::InMemory, path::Path as Key};
use resourcesync_client::destination::{AuditOptions, AuditOutcome, Keep, Options, SyncError, audit_with};
use resourcesync_sync::{conclude::Outcome, guard::MaxDelete, report::Report};

use crate::{
    Failing, Subject,
    library::{Library, memory},
    random::Random,
    source::{Place, Source, client, run_with},
};

/// Histories of a test run without `HISTORIES`.
const HISTORIES: u64 = 12;

/// How a run is made.
#[derive(Debug, Clone, Copy, Default)]
struct How {
    saves_state: bool,
    rebuild: bool,
    dry_run: bool,
    /// The call of the store at which it is killed.
    killed_at: Option<i64>,
    /// True if that call was done.
    after: bool,
}

const SAVING: How = How { saves_state: true, rebuild: false, dry_run: false, killed_at: None, after: false };

/// A Source, and a place for its copy.
struct World {
    source: Source,
    store: Library<InMemory>,
    listed: BTreeMap<String, Vec<u8>>,
}

impl World {
    fn new() -> World {
        World { source: Source::new(), store: memory("p"), listed: BTreeMap::new() }
    }

    fn put(&mut self, name: &str, body: &str) {
        self.source.put(&format!("/{name}"), body);
        self.listed.insert(name.to_owned(), body.as_bytes().to_vec());
    }

    fn remove(&mut self, name: &str) {
        if self.listed.remove(name).is_some() {
            self.source.remove(&format!("/{name}"));
        }
    }

    /// The key of a resource.
    fn key(&self, name: &str) -> Key {
        Key::parse(format!("p/{}/{name}", self.source.host().replace(':', "^"))).unwrap()
    }

    /// Another program stores an object.
    fn write(&self, name: &str, body: &'static str) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(self.store.0.put(&self.key(name), PutPayload::from_static(body.as_bytes()))).unwrap();
    }

    fn keep(&self, machine: &Place, how: How) -> Keep {
        let left = Arc::new(AtomicI64::new(how.killed_at.unwrap_or(i64::MAX)));
        let inner = self.store.objects(machine);
        Keep::named("s3://bucket/p", Failing { inner, left, after: how.after, is_killed: true })
    }

    fn run(&self, machine: &Place, how: How) -> Result<Report, SyncError> {
        let (keep, saves_state) = (self.keep(machine, how), how.saves_state);
        let options = Options { keep, saves_state, ..Options::default() }.with(|run| {
            run.max_delete = Some(MaxDelete::Percent(100));
            run.placing.rebuild = how.rebuild;
            run.placing.trash = Some(Duration::from_secs(3_600));
            run.dry_run = how.dry_run;
        });
        let report = run_with(&self.source.start(), &machine.copy(), &options);
        if how.killed_at.is_some() {
            self.let_time_pass();
        }
        report
    }

    /// The lease of a run that was killed is over.
    fn let_time_pass(&self) {
        let Some(text) = self.store.all().remove(".resourcesync/lease") else { return };
        let mut lease: serde_json::Value = serde_json::from_slice(&text).unwrap();
        lease["until"] = 0.into();
        let (key, lease) = (Key::from("p/.resourcesync/lease"), PutPayload::from(lease.to_string().into_bytes()));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(self.store.0.put(&key, lease)).unwrap();
    }

    /// What is in the store of what is listed.
    fn stored(&self, machine: &Place) -> BTreeMap<String, Vec<u8>> {
        let mut stored = self.store.holds(machine);
        stored.retain(|name, _| self.listed.contains_key(name));
        stored
    }

    fn in_step(&self, machine: &Place, how: How) {
        let report = self.run(machine, how).unwrap();
        assert_eq!(report.run.outcome, Outcome::InStep, "{report:?}");
        assert_eq!(self.stored(machine), self.listed);
    }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[test]
fn a_machine_goes_on_from_the_state_that_another_one_has_saved() {
    let mut world = World::new();
    let [one, other, third] = ["one", "other", "third"].map(|name| Place::new(&format!("machines-{name}")));
    world.put("a", "first");
    world.put("b", "b");
    world.source.publish();
    world.in_step(&one, SAVING);
    // A new machine, without anything.
    let report = world.run(&other, SAVING).unwrap();
    assert_eq!((report.run.outcome, report.counts.unchanged), (Outcome::InStep, 2), "{report:?}");
    world.put("a", "second");
    world.source.publish();
    world.in_step(&other, SAVING);
    // The state of the first one is of the past: also where the Source is as it was then.
    world.put("a", "first");
    world.source.publish();
    assert!(matches!(world.run(&one, How { dry_run: true, ..SAVING }), Err(SyncError::StateSaved)));
    let audit = |place: &Place| {
        let options = AuditOptions { keep: world.keep(place, SAVING), ..AuditOptions::default() };
        let client = client(&world.source.start());
        audit_with(&place.copy(), Some(&client), &options, &Default::default(), &mut |_| {})
    };
    assert!(matches!(audit(&one), Err(SyncError::StateSaved)));
    let report = world.run(&one, SAVING).unwrap();
    assert_eq!((report.run.outcome, report.counts.updated), (Outcome::InStep, 1), "{report:?}");
    assert_eq!(world.stored(&one), world.listed);
    assert_eq!(audit(&one).unwrap().outcome, AuditOutcome::Equal);
    // One state is kept.
    let states = world.store.all().into_keys().filter(|key| key.contains("/states/")).count();
    assert_eq!(states, 1);
    world.in_step(&third, SAVING);
}

#[test]
fn a_run_whose_state_is_not_saved_keeps_other_machines_out_until_everything_is_compared() {
    let mut world = World::new();
    let [one, other] = ["alone", "kept-out"].map(|name| Place::new(&format!("machines-{name}")));
    world.put("a", "first");
    world.source.publish();
    world.in_step(&one, SAVING);
    world.in_step(&other, SAVING);
    world.put("a", "second");
    world.source.publish();
    world.in_step(&one, How::default());
    world.put("a", "first");
    world.source.publish();
    for how in [SAVING, How { dry_run: true, ..SAVING }] {
        assert!(matches!(world.run(&other, how), Err(SyncError::StateElsewhere)));
    }
    world.in_step(&other, How { rebuild: true, ..SAVING });
    world.in_step(&one, SAVING);
}

#[test]
fn a_backup_of_the_folder_that_was_made_during_a_run_is_older_than_its_end() {
    let mut world = World::new();
    let [one, backup] = ["during", "during-backup"].map(|name| Place::new(&format!("machines-{name}")));
    world.put("a", "first");
    world.source.publish();
    let saved = Mutex::new(0);
    let (from, to) = (one.copy(), backup.copy());
    world.source.script(move |asked| {
        let mut saved = saved.lock().unwrap();
        if asked.path == "/a" && *saved == 0 {
            *saved += 1;
            copy_folder(&from, &to).unwrap();
        }
        None
    });
    world.in_step(&one, How::default());
    fs::remove_dir_all(one.copy()).unwrap();
    copy_folder(&backup.copy(), &one.copy()).unwrap();
    assert!(matches!(world.run(&one, SAVING), Err(SyncError::StateElsewhere)));
    world.in_step(&one, How { rebuild: true, ..SAVING });
}

#[test]
fn a_saved_state_that_others_removed_is_saved_again() {
    let mut world = World::new();
    let [one, other] = ["removed", "removed-other"].map(|name| Place::new(&format!("machines-{name}")));
    world.put("a", "first");
    world.source.publish();
    world.in_step(&one, SAVING);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let state = world.store.all().into_keys().find(|key| key.contains("/states/")).unwrap();
    runtime.block_on(world.store.0.delete(&Key::from(format!("p/{state}")))).unwrap();
    assert!(matches!(world.run(&other, SAVING), Err(SyncError::StateElsewhere)));
    world.in_step(&one, SAVING);
    world.in_step(&other, SAVING);
}

#[test]
fn a_state_of_another_source_does_not_take_the_place_of_this_one() {
    let (mut world, mut second) = (World::new(), World::new());
    let [one, other] = ["source", "source-other"].map(|name| Place::new(&format!("machines-{name}")));
    world.put("a", "first");
    world.source.publish();
    world.in_step(&one, SAVING);
    second.store = Library(world.store.0.clone(), world.store.1.clone());
    second.put("b", "second");
    second.source.publish();
    second.in_step(&other, How { rebuild: true, ..SAVING });
    assert!(matches!(world.run(&one, SAVING), Err(SyncError::OtherSource { .. })));
    world.in_step(&one, How { rebuild: true, ..SAVING });
}

#[test]
fn what_others_store_in_the_place_of_what_a_killed_run_was_storing_is_kept() {
    for (killed_at, after, is_update) in
        (0..16).flat_map(|at| [(at, false, false), (at, true, false), (at, true, true)])
    {
        let place = Place::new("machines-taken");
        let mut world = World::new();
        if is_update {
            world.put("a", "first");
            world.source.publish();
            world.in_step(&place, How::default());
        }
        world.put("a", "listed");
        world.source.publish();
        let _ = world.run(&place, How { killed_at: Some(killed_at), after, ..How::default() });
        world.write("a", "of others");
        let report = world.run(&place, How::default()).unwrap();
        let kept = world.store.all().into_values().any(|body| body == b"of others");
        assert!(kept, "{killed_at} {after} {is_update} {:?} {report:?}", world.store.all().keys());
    }
}

#[test]
fn the_trash_of_runs_before_a_lost_state_is_kept() {
    let [one, other] = ["trash", "trash-other"].map(|name| Place::new(&format!("machines-{name}")));
    let mut world = World::new();
    world.put("a", "listed");
    world.source.publish();
    world.in_step(&one, How::default());
    let bodies = ["of others, first", "of others, second", "of others, third"];
    for (machine, body) in [&one, &one, &other].into_iter().zip(bodies) {
        world.write("a", body);
        world.in_step(machine, How { rebuild: true, ..How::default() });
    }
    let all: Vec<Vec<u8>> = world.store.all().into_values().collect();
    assert!(bodies.iter().all(|body| all.contains(&body.as_bytes().to_vec())), "{:?}", world.store.all().keys());
}

#[test]
fn a_store_without_the_objects_of_the_copy_is_not_in_step() {
    let place = Place::new("machines-emptied");
    let mut world = World::new();
    world.put("a", "first");
    world.source.publish();
    world.in_step(&place, SAVING);
    world.store = memory("p");
    assert!(matches!(world.run(&place, SAVING), Err(SyncError::NoFiles)));
    world.in_step(&place, How { rebuild: true, ..SAVING });
}

#[test]
fn a_state_that_could_not_be_saved_is_in_the_report() {
    let place = Place::new("machines-not-saved");
    let mut said = 0;
    for killed_at in 0..16 {
        let _ = fs::remove_dir_all(place.copy());
        let mut world = World::new();
        world.put("a", "first");
        world.source.publish();
        let Ok(report) = world.run(&place, How { killed_at: Some(killed_at), ..SAVING }) else { continue };
        let is_saved = report.is_saved();
        let states = world.store.all().into_keys().filter(|key| key.contains("/states/")).count();
        assert!(report.run.outcome != Outcome::InStep || is_saved == (states == 1), "{report:?}");
        said += u32::from(report.run.outcome == Outcome::InStep && !is_saved);
    }
    assert_ne!(said, 0, "some call saves the state");
}

#[test]
fn a_state_that_needs_files_of_its_folder_is_not_saved() {
    let mut world = World::new();
    let place = Place::new("machines-history");
    world.put("a", "first");
    world.source.publish();
    world.in_step(&place, How::default());
    let ledger = rusqlite::Connection::open(place.copy().join(".resourcesync/state.sqlite")).unwrap();
    ledger.execute("INSERT INTO version VALUES('m', 'h', 'u', NULL, 'p', 's', 1, 1)", []).unwrap();
    let report = world.run(&place, SAVING).unwrap();
    let said: Vec<_> = report.diagnostics.iter().map(|finding| &*finding.message).collect();
    assert_eq!(said, ["the state was not saved in the store: the versions of the history are on this machine"]);
}

#[test]
fn random_histories_of_several_machines_claim_nothing_that_is_not_in_the_store() {
    if let Ok(seed) = env::var("SEED") {
        return history(seed.parse().unwrap(), true);
    }
    let count: u64 = env::var("HISTORIES").ok().map_or(HISTORIES, |text| text.parse().unwrap());
    (0..count).for_each(|seed| history(seed, false));
}

fn history(seed: u64, is_logged: bool) {
    let (mut random, mut world) = (Random::new(seed), World::new());
    let machines = ["a", "b", "c"].map(|name| Place::new(&format!("machines-{seed}-{name}")));
    let backups = ["a", "b", "c"].map(|name| Place::new(&format!("machines-{seed}-backup-{name}")));
    world.put("a", "0");
    world.source.publish();
    let mut was_rebuilt = false;
    for step in 0..14 {
        for _ in 0..random.below(3) {
            let name = ["a", "b", "c", "d"][random.below(4) as usize];
            match random.once_in(4) {
                true => world.remove(name),
                // Bodies return.
                false => world.put(name, &random.below(3).to_string()),
            }
        }
        world.source.publish();
        let at = random.below(3) as usize;
        let (machine, backup) = (&machines[at], &backups[at]);
        match random.below(8) {
            0 => drop(fs::remove_dir_all(machine.copy())),
            1 if machine.copy().exists() => {
                let _ = fs::remove_dir_all(backup.copy());
                copy_folder(&machine.copy(), &backup.copy()).unwrap();
            }
            2 if backup.copy().exists() => {
                let _ = fs::remove_dir_all(machine.copy());
                copy_folder(&backup.copy(), &machine.copy()).unwrap();
            }
            _ => {}
        }
        let how = How {
            saves_state: !random.once_in(3),
            rebuild: random.once_in(12),
            dry_run: false,
            killed_at: random.once_in(3).then(|| random.below(16) as i64),
            after: random.once_in(2),
        };
        let mut reports = vec![world.run(machine, how)];
        if matches!(reports[0], Err(SyncError::StateElsewhere)) && random.once_in(2) {
            reports.push(world.run(machine, How { rebuild: true, ..how }));
        }
        // A run that compares everything leaves alone what no state knows.
        was_rebuilt |= how.rebuild || reports.len() > 1;
        for report in reports {
            if is_logged {
                let said = report.as_ref().map(|report| (report.run.outcome, report.counts, &report.diagnostics));
                eprintln!("{step} machine {at} {how:?}: {said:?}");
            }
            let Ok(report) = report else { continue };
            if report.run.outcome != Outcome::InStep {
                continue;
            }
            assert_eq!(world.stored(machine), world.listed, "seed {seed}, step {step}: {report:?}");
            assert!(was_rebuilt || world.store.holds(machine).len() == world.listed.len(), "seed {seed}, step {step}");
            let is_saved = report.is_saved();
            if how.saves_state && is_saved && how.killed_at.is_none() {
                // Every machine can go on from it.
                let new = Place::new(&format!("machines-{seed}-new"));
                world.in_step(&new, SAVING);
            }
        }
    }
    // Whatever was, comparing everything leads to the Source.
    let rebuilt = How { rebuild: true, ..SAVING };
    let report = world.run(&machines[0], rebuilt).unwrap();
    let rebuilt = if report.run.outcome == Outcome::InStep { report } else { world.run(&machines[0], SAVING).unwrap() };
    assert_eq!(rebuilt.run.outcome, Outcome::InStep, "seed {seed}: {rebuilt:?}");
    assert_eq!(world.stored(&machines[0]), world.listed, "seed {seed}");
    world.in_step(&machines[1], SAVING);
}
