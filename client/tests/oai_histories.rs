//! Random histories of OAI-PMH repositories: the list shifts while it is read or breaks off, records come damaged, responses are cut,
//! servers fail, their clocks are ahead and are corrected, runs are killed. An independent model has each state that each record ever had.
//!
//! After each run:
//! - `complete`: each record is held in a state that it had at some moment since the harvest began. Excepted are records that vanished without a
//!   trace, unless the run compared them with the list, and lists from which records vanished while they were read: no count can
//!   tell, and the next comparison finds what is missing.
//! - Nothing became deleted that the repository had all the time.
//! - What an incomplete run received is not in a store that holds such runs, as that of the bridge.
//!
//! Once the repository is quiet, at most two harvests later everything is complete, and equal to the repository.
//!
//! `HISTORIES=n` checks n histories; `SEED=n` one of them, with its log.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

#[path = "model/random.rs"]
mod random;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
};

use random::Random;
use resourcesync_client::oai::{Config, Run, Sink, State, Storage, StoreOptions};
use resourcesync_oai::{
    harvest::{
        Action, Call, Ended, Event, Failure, Handled, Moment, Output, Plan, Proof, Purpose, Received, Reconcile,
        ResponseHead, Status,
    },
    stamp::{Granularity, Stamp},
};
use resourcesync_tests::oai::{Body, decoded};

/// Histories of a test run without `HISTORIES`.
const HISTORIES: u64 = 60;
/// Histories that failed once.
const FAILED: [u64; 3] = [92, 226, 1031];

#[test]
fn every_history_ends_complete_and_equal_and_is_never_called_complete_before() {
    if let Ok(seed) = env::var("SEED") {
        return History::new(seed.parse().unwrap(), true).check();
    }
    let count: u64 = env::var("HISTORIES").ok().map_or(HISTORIES, |text| text.parse().unwrap());
    let (mut complete, mut unproven, mut set_back, mut withheld) = (0, 0, 0, 0);
    for seed in FAILED.into_iter().chain(0..count) {
        let mut history = History::new(seed, false);
        history.check();
        complete += history.complete;
        unproven += history.unproven;
        set_back += history.set_back;
        withheld += history.withheld;
    }
    // The checks are not vacuous.
    assert!(complete > count, "{complete} complete runs in {count} histories");
    assert!(unproven > count / 20, "{unproven} lists without proof");
    assert!(set_back > count / 20, "{set_back} clocks that were set back");
    assert!(withheld > 0, "no run was held");
}

/// The state of a record: the version of its metadata, or `None` if it does not exist or was deleted.
type Version = Option<u64>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Policy {
    No,
    Transient,
    Persistent,
}

#[derive(Debug, Clone)]
struct Item {
    datestamp: i64,
    version: Version,
    set: &'static str,
    is_damaged: bool,
}

/// The last response of a list in several pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    EmptyToken,
    NoToken,
    /// If the page before is full, it has a token, which is answered with nothing.
    NoRecordsMatch,
    EmptyList,
}

struct History {
    random: Random,
    seed: u64,
    logs: bool,
    /// Milliseconds since 1970, of the server and of the harvester.
    now: u64,
    policy: Policy,
    granularity: Granularity,
    by_datestamp: bool,
    page: usize,
    /// Tokens have `completeListSize` and a position; otherwise the last record, so that no list shifts.
    has_sizes: bool,
    last: Last,
    /// Further tokens that are answered with nothing, in the middle of a list.
    broken: u64,
    /// Milliseconds by which `responseDate` is ahead.
    local: u64,
    /// Milliseconds by which the clock of the server is ahead, and datestamps with it.
    ahead: u64,
    formats: Vec<&'static str>,
    set: Option<&'static str>,
    /// Whole lists are refused, so that they are requested by windows.
    is_long: bool,
    items: BTreeMap<String, Item>,
    /// Each state of each item, with the moment at which it began.
    states: BTreeMap<String, Vec<(u64, Version)>>,
    /// When items last vanished without a trace.
    vanished: u64,
    is_quiet: bool,
    versions: u64,
    /// When the harvest began that the last run continued.
    began: u64,
    folder: tempfile::TempDir,
    /// The store holds incomplete runs.
    holds: bool,
    complete: u64,
    /// Milliseconds by which our clock is ahead.
    here: u64,
    /// Lists that ended without proof, and starts that were set back.
    unproven: u64,
    set_back: u64,
    /// Incomplete runs that were held.
    withheld: u64,
}

const DAY: u64 = 86_400_000;

impl History {
    fn new(seed: u64, logs: bool) -> History {
        let mut random = Random::new(seed);
        let policy = [Policy::No, Policy::Transient, Policy::Persistent, Policy::Persistent][random.below(4) as usize];
        let last = [Last::EmptyToken, Last::NoToken, Last::NoRecordsMatch, Last::EmptyList];
        let mut history = History {
            seed,
            logs,
            now: 1_767_225_600_000,
            policy,
            granularity: if random.once_in(3) { Granularity::Day } else { Granularity::Second },
            by_datestamp: !random.once_in(3),
            page: 2 + random.below(3) as usize,
            has_sizes: !random.once_in(3),
            last: last[random.below(4) as usize],
            broken: 0,
            local: if random.once_in(3) { random.below(23 * DAY / 24) } else { 0 },
            // What vanished without a trace from the future of the server is compared only then.
            ahead: if policy == Policy::Persistent && random.once_in(2) { random.below(30 * DAY / 24) } else { 0 },
            here: if random.once_in(2) { 30 * DAY / 24 } else { 0 },
            formats: if random.once_in(3) { vec!["oai_dc", "x"] } else { vec!["oai_dc"] },
            set: random.once_in(3).then_some("a"),
            is_long: random.once_in(4),
            items: BTreeMap::new(),
            states: BTreeMap::new(),
            vanished: 0,
            is_quiet: false,
            versions: 0,
            began: 0,
            folder: tempfile::tempdir().unwrap(),
            holds: !(1..=2).contains(&(seed % 5)),
            complete: 0,
            unproven: 0,
            set_back: 0,
            withheld: 0,
            random,
        };
        for _ in 0..history.random.below(12) {
            history.now += history.random.below(40 * DAY);
            history.create();
        }
        history
    }

    fn log(&self, text: impl FnOnce() -> String) {
        if self.logs {
            eprintln!("{} {}", self.now / 1000, text());
        }
    }

    fn check(&mut self) {
        for _ in 0..3 + self.random.below(5) {
            self.now += self.random.below(4 * DAY);
            for _ in 0..self.random.below(4) {
                self.now += self.random.below(DAY / 8);
                self.change();
            }
            let reconcile = [Reconcile::Auto, Reconcile::Auto, Reconcile::Now, Reconcile::Never];
            let reconcile = reconcile[self.random.below(4) as usize];
            self.run(reconcile);
            if self.ahead > 0 && self.random.once_in(3) {
                self.correct_clock();
            }
        }
        self.is_quiet = true;
        self.items.values_mut().for_each(|item| item.is_damaged = false);
        let mut last = None;
        for _ in 0..2 {
            self.now += 2 * DAY;
            last = self.run(Reconcile::Now);
        }
        let proof = last.unwrap();
        assert_eq!(proof.status, Status::Complete, "SEED={}: {:?}", self.seed, proof.reasons);
        let held = self.held();
        for prefix in &self.formats {
            let wanted: BTreeMap<&String, Version> =
                self.items.iter().filter(|(_, item)| self.is_in(item)).map(|(id, item)| (id, item.version)).collect();
            let ids: BTreeSet<&String> = wanted.keys().copied().chain(held.keys().map(|(id, _)| id)).collect();
            for id in ids {
                let own = held.get(&(id.clone(), (*prefix).to_owned())).copied().flatten();
                let wanted = wanted.get(id).copied().flatten();
                assert_eq!(own, wanted, "SEED={}: {id} in {prefix} at the end", self.seed);
            }
        }
    }

    /// The clock of the server is corrected. If ours is ahead, too, the next harvest comes at once: one that comes when the new clock is past
    /// the start again could not tell.
    fn correct_clock(&mut self) {
        self.log(|| "the clock is corrected".into());
        self.ahead = 0;
        if self.here == 0 {
            self.now += self.random.below(2 * DAY);
        }
        for _ in 0..self.random.below(4) {
            self.change();
        }
        self.is_quiet = true;
        for _ in 0..2 {
            self.run(Reconcile::Never);
        }
        self.is_quiet = false;
    }

    fn is_in(&self, item: &Item) -> bool {
        self.set.is_none() || item.set.starts_with('a')
    }

    /// Something happens in the repository.
    fn change(&mut self) {
        if self.is_quiet {
            return;
        }
        let names: Vec<String> = self.items.keys().cloned().collect();
        let id = names.get(self.random.below(names.len() as u64) as usize).cloned();
        match (self.random.below(8), id) {
            (0..=1, _) | (_, None) => self.create(),
            (2..=4, Some(id)) => {
                let version = self.next_version();
                let is_damaged = self.random.once_in(6);
                self.set_state(&id, version, is_damaged);
            }
            (5, Some(id)) => self.delete(&id),
            // Repaired, or damaged, without another datestamp.
            (6, Some(id)) => {
                let item = self.items.get_mut(&id).unwrap();
                item.is_damaged = !item.is_damaged && item.version.is_some();
            }
            (_, Some(id)) => {
                if self.policy == Policy::Transient && self.items[&id].version.is_none() {
                    self.log(|| format!("{id} is forgotten"));
                    self.items.remove(&id);
                    self.vanished = self.now;
                }
            }
        }
    }

    fn next_version(&mut self) -> Version {
        self.versions += 1;
        Some(self.versions)
    }

    fn create(&mut self) {
        let version = self.next_version();
        let id = format!("{}{}", ["m", "c", "t"][self.random.below(3) as usize], self.versions);
        let set = ["a", "a:x", "b"][self.random.below(3) as usize];
        self.items.insert(id.clone(), Item { datestamp: 0, version: None, set, is_damaged: false });
        let is_damaged = self.random.once_in(8);
        self.set_state(&id, version, is_damaged);
    }

    fn delete(&mut self, id: &str) {
        if self.policy == Policy::No {
            self.log(|| format!("{id} vanishes"));
            self.items.remove(id);
            self.vanished = self.now;
            self.states.entry(id.to_owned()).or_default().push((self.now, None));
        } else {
            self.set_state(id, None, false);
        }
    }

    fn set_state(&mut self, id: &str, version: Version, is_damaged: bool) {
        self.log(|| format!("{id} is {version:?}{}", if is_damaged { ", damaged" } else { "" }));
        let datestamp = self.clock();
        let item = self.items.get_mut(id).unwrap();
        (item.datestamp, item.version, item.is_damaged) = (datestamp, version, is_damaged);
        self.states.entry(id.to_owned()).or_default().push((self.now, version));
    }

    /// The time by our clock.
    fn moment(&self) -> Moment {
        Moment(self.now + self.here)
    }

    /// The time of the server, in seconds since 1970.
    fn clock(&self) -> i64 {
        i64::try_from((self.now + self.ahead) / 1000).unwrap()
    }

    /// The states of a record since a moment.
    fn states_since(&self, id: &str, since: u64) -> BTreeSet<Version> {
        let all = &self.states[id];
        let before = all.iter().rev().find(|(at, _)| *at <= since).and_then(|(_, version)| *version);
        all.iter().filter(|(at, _)| *at > since).map(|(_, version)| *version).chain([before]).collect()
    }

    /// What the store has: the version of each present record, `None` for a deleted one.
    fn held(&self) -> BTreeMap<(String, String), Version> {
        let store = self.folder.path().join("store");
        let mut held = BTreeMap::new();
        for entry in State::catalogue(&store).unwrap().into_iter().flatten() {
            let entry = entry.unwrap();
            let version = entry.status.is_active().then(|| {
                let text = fs::read_to_string(store.join(entry.location.unwrap())).unwrap();
                let text = text.split_once('>').unwrap().1;
                text.split_once('<').unwrap().0.parse().unwrap()
            });
            held.insert((entry.identifier, entry.prefix), version);
        }
        held
    }

    /// One run; `None` if it was killed.
    fn run(&mut self, reconcile: Reconcile) -> Option<Box<Proof>> {
        let store = self.folder.path().join("store");
        let before = if store.join("harvest.toml").exists() { self.held() } else { BTreeMap::new() };
        let config = Config {
            url: "http://a.example/oai".into(),
            prefixes: self.formats.iter().map(|own| (*own).to_owned()).collect(),
            all_formats: false,
            sets: self.set.iter().map(|own| (*own).to_owned()).collect(),
            store: Storage::Files,
            since: None,
            tombstones: false,
            contact: None,
        };
        let options = StoreOptions { tombstones: false, holds_incomplete: self.holds };
        let mut run = Run::open(&store, Some(&config), options).unwrap();
        let mut plan = Plan::new(config.url.as_str());
        plan.seed = self.random.next();
        plan.reconcile = reconcile;
        plan.max_wait = Some(1_000_000);
        run.prepare(&mut plan).unwrap();
        let started = self.moment();
        let mut harvest = run.harvest(plan, started).unwrap();
        let is_resumed = harvest.progress().is_some() || harvest.facts().is_some();
        if !is_resumed {
            self.began = self.now;
        }
        self.log(|| format!("run, {reconcile:?}{}", if is_resumed { ", resumed" } else { "" }));
        let killed_at = if !self.is_quiet && self.random.once_in(5) { self.random.below(25) } else { u64::MAX };
        for step in 0..5_000 {
            if step >= killed_at {
                self.log(|| "killed".into());
                drop(run);
                self.check_deletions(&before);
                return None;
            }
            match harvest.poll(self.moment()) {
                Output::Call(call) => {
                    let event = self.respond(&harvest, &call, &mut run);
                    let handled = harvest.handle(self.moment(), event);
                    run.settle(&handled).unwrap();
                }
                Output::Save(checkpoint) => run.save(&checkpoint).unwrap(),
                Output::Wait { until, .. } => self.now = until.0 - self.here,
                Output::Compare(scope) => {
                    let comparison = run.compare(&scope).unwrap();
                    self.log(|| format!("{scope:?}: {comparison:?}"));
                    let handled = harvest.handle(self.moment(), Event::Compared(comparison));
                    run.settle(&handled).unwrap();
                }
                Output::Owed => {
                    let owed = run.owed().unwrap();
                    self.log(|| format!("owed: {owed:?}"));
                    let handled = harvest.handle(self.moment(), Event::Owed(owed));
                    run.settle(&Handled { accepted: true, ..handled }).unwrap();
                }
                Output::Done(proof) => {
                    run.finish(&harvest, &proof).unwrap();
                    self.log(|| format!("{:?}: {:?}", proof.status, proof.reasons));
                    self.check_deletions(&before);
                    if self.holds && proof.status == Status::Incomplete {
                        self.withheld += 1;
                        assert_eq!(self.held(), before, "SEED={}: an incomplete run was merged", self.seed);
                    }
                    self.check_run(&proof);
                    return Some(proof);
                }
                other => panic!("{other:?}"),
            }
        }
        panic!("SEED={}: the run does not end", self.seed)
    }

    /// Nothing became deleted that was there all the time.
    fn check_deletions(&self, before: &BTreeMap<(String, String), Version>) {
        if !self.folder.path().join("store/catalogue.jsonl").exists() {
            return;
        }
        for ((id, prefix), version) in self.held() {
            let was = before.get(&(id.clone(), prefix.clone())).copied().flatten();
            if let (Some(was), None) = (was, version) {
                // It was deleted at some moment after the version that was held.
                let begun = self.states[&id].iter().position(|(_, own)| *own == Some(was)).unwrap();
                let is_stated = self.states[&id][begun..].iter().any(|(_, own)| own.is_none());
                assert!(is_stated, "SEED={}: {id} in {prefix} is deleted, and nothing says so", self.seed);
            }
        }
    }

    fn check_run(&mut self, proof: &Proof) {
        let ended = |ended: Ended| proof.sequences.iter().any(|own| own.ended == ended);
        self.unproven += u64::from(ended(Ended::Unproven));
        // No list is requested by windows then.
        let is_whole = self.is_quiet && !self.is_long;
        let is_part = proof.of(Purpose::Harvest).any(|own| own.task.until.is_some());
        self.set_back += u64::from(is_whole && is_part);
        if proof.status != Status::Complete {
            return;
        }
        self.complete += 1;
        if self.vanished > self.began {
            return;
        }
        let held = self.held();
        for prefix in &self.formats {
            let compared = proof.reconciled.iter().find(|own| {
                own.prefix == **prefix && matches!(own.action, Action::Nothing | Action::Delete | Action::LeftSet)
            });
            for id in self.states.keys() {
                let Some(set) = self.set_of(id) else { continue };
                if self.set.is_some() && !set.starts_with('a') {
                    continue;
                }
                let own = held.get(&(id.clone(), (*prefix).to_owned())).copied().flatten();
                let states = self.states_since(id, self.began);
                let is_gone = !self.items.contains_key(id) && states.iter().all(Option::is_none);
                if states.contains(&own) || (is_gone && compared.is_none()) {
                    continue;
                }
                panic!("SEED={}: complete, and {id} in {prefix} is held as {own:?}, not as {states:?}", self.seed);
            }
        }
    }

    /// The set of an item that still exists; of others nothing is known.
    fn set_of(&self, id: &str) -> Option<&'static str> {
        self.items.get(id).map(|item| item.set)
    }

    /// The response to a request, after a while in which anything may happen.
    fn respond(&mut self, harvest: &resourcesync_oai::harvest::Harvest, call: &Call, run: &mut Run) -> Event {
        self.now += 1_000 + self.random.below(30_000);
        while self.random.once_in(6) {
            self.change();
        }
        let failed = |received| Event::Failed {
            why: Failure::Connection,
            reason: resourcesync::diagnostic::Reason::other("x"),
            received,
        };
        let fault = if self.is_quiet { 99 } else { self.random.below(40) };
        let (status, retry_after) = match fault {
            0 => return failed(Received::Nothing),
            1 => (503, Some("30")),
            2 => (500, None),
            _ => (200, None),
        };
        let query = call.url.split_once('?').unwrap().1.to_owned();
        self.log(|| format!("{query}: {status}"));
        let argument = |name: &str| {
            let pair = query.split('&').find_map(|pair| pair.split_once('=').filter(|(own, _)| *own == name));
            pair.map(|(_, value)| decoded(value)).unwrap_or_default()
        };
        let is_nothing = !argument("resumptionToken").is_empty() && self.breaks_off(fault);
        let is_whole = ["from", "until", "resumptionToken"].iter().all(|name| argument(name).is_empty());
        let (status, mut bytes) = match status {
            200 if self.is_long && is_whole && query.contains("verb=List") && query.contains("Prefix=") => {
                (413, Vec::new())
            }
            200 => (200, self.body(&argument, is_nothing).bytes()),
            other => (other, Vec::new()),
        };
        let length = bytes.len() as u64;
        let is_cut = fault == 3;
        if is_cut {
            bytes.truncate(self.random.below(length) as usize);
        }
        let retry_after = retry_after.map(str::to_owned);
        let head = ResponseHead { status, retry_after, date: Some(self.date()), ..ResponseHead::default() };
        let mut answer = harvest.answer(self.moment(), head);
        answer.push(&bytes);
        let is_lost = is_cut && self.random.once_in(2);
        if !is_lost {
            answer.finish();
        }
        while let Some(piece) = answer.next() {
            let transcoded = answer.transcoded();
            run.piece(call, piece, transcoded).unwrap();
        }
        if is_lost { failed(Received::Part) } else { Event::Answered(answer.into_answered()) }
    }

    /// Whether a token is answered with nothing, once or several times.
    fn breaks_off(&mut self, fault: u64) -> bool {
        if self.is_quiet {
            self.broken = 0;
        } else if matches!(fault, 4..=6) {
            self.broken = 1 + self.random.below(3);
        }
        let is_broken = self.broken > 0;
        self.broken = self.broken.saturating_sub(1);
        is_broken
    }

    /// `Date`
    fn date(&self) -> String {
        let text = Stamp::from_unix(self.clock(), Granularity::Second).to_string();
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        let month = months[text[5..7].parse::<usize>().unwrap() - 1];
        format!("Thu, {} {month} {} {} GMT", &text[8..10], &text[..4], &text[11..19])
    }

    fn body(&self, argument: &impl Fn(&str) -> String, is_nothing: bool) -> Body {
        let local = self.clock() + i64::try_from(self.local / 1000).unwrap();
        let response_date = Some(Stamp::from_unix(local, Granularity::Second).to_string());
        let error = |code: &str| Body { errors: Some(vec![code.to_owned()]), ..Body::default() };
        let body = match argument("verb").as_str() {
            "Identify" => {
                let policy = match self.policy {
                    Policy::No => "no",
                    Policy::Transient => "transient",
                    Policy::Persistent => "persistent",
                };
                let earliest = Stamp::from_unix(1_767_225_600, self.granularity).to_string();
                let own = [
                    ("deletedRecord", policy),
                    ("granularity", self.granularity.as_str()),
                    ("earliestDatestamp", &earliest),
                ];
                let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
                Body { identify: Some(own.into()), ..Body::default() }
            }
            "ListMetadataFormats" => {
                Body { formats: Some(self.formats.iter().map(|own| (*own).to_owned()).collect()), ..Body::default() }
            }
            "ListSets" => Body { sets: Some(vec!["a".into(), "a:x".into(), "b".into()]), ..Body::default() },
            "GetRecord" => match self.items.get(&argument("identifier")) {
                Some(item) => Body { record: Some(self.record(&argument("identifier"), item)), ..Body::default() },
                None => error("idDoesNotExist"),
            },
            verb => {
                let listed = if is_nothing { None } else { self.list(verb == "ListRecords", argument) };
                let is_empty = self.last == Last::EmptyList && !argument("resumptionToken").is_empty();
                listed.unwrap_or_else(|| match (is_empty, verb) {
                    (true, "ListRecords") => Body { records: Some(Vec::new()), ..Body::default() },
                    (true, _) => Body { identifiers: Some(Vec::new()), ..Body::default() },
                    (false, _) => error("noRecordsMatch"),
                })
            }
        };
        Body { response_date, ..body }
    }

    fn list(&self, is_records: bool, argument: &impl Fn(&str) -> String) -> Option<Body> {
        let token = argument("resumptionToken");
        let mut parts = token.split('!').map(str::to_owned);
        let [prefix, from, until, set] = match token.as_str() {
            "" => ["metadataPrefix", "from", "until", "set"].map(argument),
            _ => [(); 4].map(|()| parts.next().unwrap_or_default()),
        };
        let position = parts.next().filter(|at| !at.is_empty());
        let from = Stamp::read(&from).map_or(i64::MIN, Stamp::unix);
        let until = Stamp::read(&until).map_or(i64::MAX, Stamp::last_second);
        let is_listed = |item: &Item| {
            let stamp = Stamp::from_unix(item.datestamp, self.granularity);
            stamp.unix() >= from && stamp.unix() <= until && (set.is_empty() || item.set.starts_with(&set))
        };
        let mut all: Vec<_> = self.items.iter().filter(|(_, item)| is_listed(item)).collect();
        if self.by_datestamp {
            all.sort_by_key(|(id, item)| (item.datestamp, (*id).clone()));
        }
        let key =
            |(id, item): &(&String, &Item)| format!("{:020}/{id}", if self.by_datestamp { item.datestamp } else { 0 });
        let at = match &position {
            None => 0,
            Some(position) if self.has_sizes => position.parse().unwrap(),
            Some(position) => all.iter().take_while(|own| key(own) <= *position).count(),
        };
        if all.is_empty() || (at > 0 && at >= all.len()) {
            return None;
        }
        let page = all.iter().skip(at).take(self.page);
        let listed = page.map(|(id, item)| if is_records { self.record(id, item) } else { self.header(id, item) });
        let listed = listed.collect();
        let next = at + self.page;
        let last = if self.is_quiet { Last::EmptyToken } else { self.last };
        let has_more = match last {
            Last::EmptyToken | Last::NoToken => next < all.len(),
            Last::NoRecordsMatch | Last::EmptyList => next <= all.len(),
        };
        let token = match has_more {
            true => {
                let own = |name: &str, at: usize| match token.is_empty() {
                    true => argument(name),
                    false => token.split('!').nth(at).unwrap_or_default().to_owned(),
                };
                let position = if self.has_sizes { next.to_string() } else { key(&all[next - 1]) };
                Some(format!("{prefix}!{}!{}!{set}!{position}", own("from", 1), own("until", 2)))
            }
            false if at > 0 && last == Last::EmptyToken => Some(String::new()),
            false => None,
        };
        let size = self.has_sizes.then(|| format!("completeListSize=\"{}\"", all.len()));
        let token_attributes = size.unwrap_or_default();
        let (records, identifiers) = if is_records { (Some(listed), None) } else { (None, Some(listed)) };
        Some(Body { records, identifiers, token, token_attributes, ..Body::default() })
    }

    fn header(&self, id: &str, item: &Item) -> String {
        let stamp = Stamp::from_unix(item.datestamp, self.granularity);
        let status = if item.version.is_none() { " status=\"deleted\"" } else { "" };
        format!(
            "<header{status}><identifier>{id}</identifier><datestamp>{stamp}</datestamp><setSpec>{}</setSpec></header>",
            item.set
        )
    }

    fn record(&self, id: &str, item: &Item) -> String {
        let damage = if item.is_damaged { "\u{b}" } else { "" };
        let metadata = item.version.map_or(String::new(), |version| {
            format!("<metadata><d xmlns=\"http://a.example/\">{version}{damage}</d></metadata>")
        });
        format!("<record>{}{metadata}</record>", self.header(id, item))
    }
}
