//! A Destination: a subscriber, and a copy that the machines of `sync` bring up to date.

use std::collections::BTreeMap;

use resourcesync::{diagnostic::Reason, limits::Limits, value::Datetime};
use resourcesync_notify::{
    payload::Channel,
    state::State as Kept,
    subscriber::{Options, Subscriber},
};
use resourcesync_sync::{
    Chain, Change, Checkpoint, Survey, Wanted,
    chain::{self, Followed, Order, State},
    checkpoint::Seen,
    survey::{self, Head, Remembered, Step},
};

use super::{SOURCE, random::Random, source::Source};

pub(super) struct Destination {
    pub(super) subscriber: Subscriber,
    pub(super) options: Options,
    /// What the subscriber keeps.
    pub(super) kept: Kept,
    /// The digests of the resources of the copy, durable with the checkpoint.
    pub(super) copy: BTreeMap<String, String>,
    checkpoint: Checkpoint,
    /// The last announced change, until a pull has reached it.
    pub(super) until: Option<Datetime>,
    /// When the next pull is due.
    pub(super) pull_at: Option<i64>,
    pub(super) attempts: usize,
    pub(super) pulls: u64,
}

/// What a pull of the network does wrong.
pub(super) struct Faults<'r> {
    pub(super) random: &'r mut Random,
    /// One request in so many fails; 0 for none.
    pub(super) loss: u64,
    pub(super) is_cached: bool,
}

impl Destination {
    pub(super) fn new(number: usize) -> Destination {
        let mut options = Options::new(&format!("https://destination{number}.example/rs/")).unwrap();
        options.channels = vec![Channel::ChangeNotification];
        options.lease = std::time::Duration::from_secs(86_400);
        Destination {
            subscriber: Subscriber::new(options.clone()),
            options,
            kept: Kept::new(),
            copy: BTreeMap::new(),
            checkpoint: Checkpoint::default(),
            until: None,
            pull_at: None,
            attempts: 0,
            pulls: 0,
        }
    }

    /// Pulls; true if the copy has everything that was announced.
    pub(super) fn pull(&mut self, source: &Source, faults: &mut Faults<'_>, now: i64) -> bool {
        self.pulls += 1;
        let is_done = match self.by_changes(source, faults, now) {
            Some(is_done) => is_done,
            None => self.by_lists(source, faults, now),
        };
        let start = |text: &str| text.parse::<Datetime>().ok().map(|moment| moment.start());
        let as_of = self.checkpoint.as_of.as_deref().and_then(start);
        let is_met = self.until.as_ref().is_none_or(|until| as_of.is_some_and(|as_of| until.start() <= as_of));
        if is_done && is_met {
            self.until = None;
        }
        is_done && is_met
    }

    /// True if the Change Lists led from the last state to now; `None` if the Resource Lists are needed.
    fn by_changes(&mut self, source: &Source, faults: &mut Faults<'_>, now: i64) -> Option<bool> {
        if !self.checkpoint.is_usable() {
            return None;
        }
        let (followed, changes) = follow(Chain::new(self.checkpoint.clone(), now, &Limits::default()), source, faults);
        let is_complete = followed.state.is_complete() && followed.unreadable_entries == 0;
        if is_complete {
            apply(&mut self.copy, &followed, changes);
            self.checkpoint = followed.checkpoint.clone();
        }
        // A document that could not be read is tried again instead of reading everything.
        (is_complete || !matches!(followed.state, State::Gap | State::Absent)).then_some(is_complete)
    }

    /// True if the Resource Lists, and the changes since, were read completely.
    fn by_lists(&mut self, source: &Source, faults: &mut Faults<'_>, now: i64) -> bool {
        let mut survey = Survey::new(SOURCE, Remembered::default(), false, now, &Limits::default());
        let mut listed: Vec<(u32, Wanted)> = Vec::new();
        while let Step::Read(request) = survey.next() {
            match fetch(source, faults, &request.uri) {
                None => survey.failed(Reason::other("no response")),
                Some((head, body)) => {
                    survey.answer(head);
                    survey.push(&body);
                    survey.end();
                }
            }
            for event in survey.events() {
                match event {
                    survey::Event::Listed(document, wanted) => listed.push((document, wanted)),
                    survey::Event::Dropped(document) => listed.retain(|(own, _)| *own != document),
                    survey::Event::Restarted => listed.clear(),
                    survey::Event::Counts(_) => {}
                }
            }
        }
        let found = survey.finish();
        let [set] = found.sets.as_slice() else { return false };
        if !found.lists_complete || found.mixed.is_some() || found.unreadable_entries > 0 {
            return false;
        }
        let checkpoint = Checkpoint {
            set: set.uri.clone(),
            as_of: set.at.clone(),
            sources: set.changes.clone(),
            seen: Seen::default(),
            consulted: now,
            ..Checkpoint::default()
        };
        let chain = Chain::new(checkpoint, now, &Limits::default()).after_baseline();
        let (followed, changes) = follow(chain, source, faults);
        if !followed.state.is_complete() {
            return false;
        }
        let start = |text: Option<&str>| text.and_then(|text| text.parse::<Datetime>().ok()).map(|at| at.start());
        if start(followed.checkpoint.as_of.as_deref()) < start(self.checkpoint.as_of.as_deref()) {
            return false;
        }
        self.copy = listed.into_iter().map(|(_, wanted)| (wanted.uri.clone(), wanted.hashes().to_string())).collect();
        apply(&mut self.copy, &followed, changes);
        self.checkpoint = followed.checkpoint;
        true
    }
}

/// A document of the Source; `None` if the network fails.
fn fetch(source: &Source, faults: &mut Faults<'_>, uri: &str) -> Option<(Head, Vec<u8>)> {
    if faults.random.once_in(faults.loss) {
        return None;
    }
    let body = source.document(uri, faults.is_cached);
    let status = if body.is_some() { 200 } else { 404 };
    Some((Head { uri: uri.to_owned(), status, headers: Vec::new() }, body.unwrap_or_default().to_vec()))
}

fn follow(mut chain: Chain, source: &Source, faults: &mut Faults<'_>) -> (Followed, Vec<(u32, Change)>) {
    let mut changes: Vec<(u32, Change)> = Vec::new();
    while let Step::Read(request) = chain.next() {
        match fetch(source, faults, &request.uri) {
            None => chain.failed(Reason::other("no response")),
            Some((head, body)) => {
                chain.answer(head);
                chain.push(&body);
                chain.end();
            }
        }
        for event in chain.events() {
            match event {
                chain::Event::Changed(document, change) => changes.push((document, change)),
                chain::Event::Dropped(document) => changes.retain(|(own, _)| *own != document),
                chain::Event::Counts(_) => {}
            }
        }
    }
    (chain.finish(), changes)
}

/// Applies the last change of each resource.
fn apply(copy: &mut BTreeMap<String, String>, followed: &Followed, changes: Vec<(u32, Change)>) {
    for part in &followed.order {
        let mut own: Vec<&Change> = changes
            .iter()
            .filter(|(document, change)| *document == part.document && change.position >= part.from)
            .map(|(_, change)| change)
            .collect();
        match part.order {
            Order::Forward => own.sort_by_key(|change| change.position),
            Order::Reverse => own.sort_by_key(|change| std::cmp::Reverse(change.position)),
            Order::None => own.sort_by_key(|change| (change.nanoseconds(), change.position)),
        }
        for change in own {
            let Some(wanted) = &change.wanted else { continue };
            match change.is_deleted {
                true => drop(copy.remove(&wanted.uri)),
                false => drop(copy.insert(wanted.uri.clone(), wanted.hashes().to_string())),
            }
        }
    }
}
