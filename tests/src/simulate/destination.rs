//! A Destination: a listener, and a copy in memory.

use std::{collections::BTreeMap, time::Duration};

use resourcesync_notify::{
    listener::{CopyOptions, Listener, RunOutcome, RunResult},
    payload::Channel,
    state::State as Kept,
    subscriber::{Notice, Options},
};
use resourcesync_sync::{
    conclude::Outcome,
    destination::Settings,
    guard::MaxDelete,
    memory::{MemoryCopy, Response},
    report::Report,
};

use super::{
    SOURCE,
    random::Random,
    source::{Source, digests},
};

/// Longer than every run.
const NEVER: Duration = Duration::from_secs(1 << 30);

pub(super) struct Destination {
    pub(super) listener: Listener,
    options: (Options, CopyOptions),
    /// What the listener keeps.
    pub(super) kept: Kept,
    copy: MemoryCopy,
    /// Runs that read lists, and notifications that were applied.
    pub(super) runs: (u64, u64),
}

/// What the network of a run does wrong.
pub(super) struct Faults<'r> {
    pub(super) random: &'r mut Random,
    /// One request in so many fails; 0 for none.
    pub(super) loss: u64,
    pub(super) is_cached: bool,
}

impl Destination {
    /// One that applies notifications also polls: no list has shown that its copy is complete.
    pub(super) fn new(number: usize, direct: bool) -> Destination {
        let mut options = Options::new(&format!("https://destination{number}.example/rs/")).unwrap();
        options.channels = vec![Channel::ChangeNotification];
        options.lease = Duration::from_secs(86_400);
        let copy = CopyOptions { poll: if direct { CopyOptions::POLL } else { NEVER }, direct };
        Destination {
            listener: Listener::restore(options.clone(), Some(copy), Kept::new()).unwrap(),
            options: (options, copy),
            kept: Kept::new(),
            copy: MemoryCopy::new(SOURCE),
            runs: (0, 0),
        }
    }

    /// The process starts with what was durable.
    pub(super) fn restart(&mut self) {
        let (options, copy) = self.options.clone();
        self.listener = Listener::restore(options, Some(copy), self.kept.clone()).unwrap();
    }

    /// Reads lists.
    pub(super) fn sync(&mut self, source: &Source, faults: &mut Faults<'_>, now: i64) -> RunResult {
        self.runs.0 += 1;
        result_of(&self.copy.sync(settings(), now, &mut |uri, _| respond(source, faults, uri)))
    }

    /// Applies a notification; `None` if only lists show what to do.
    pub(super) fn apply(
        &mut self,
        source: &Source,
        faults: &mut Faults<'_>,
        notice: &Notice,
        now: i64,
    ) -> Option<RunResult> {
        let (set, entries) = (notice.capability_list.as_deref()?, notice.changes.entries());
        let mut respond = |uri: &str, _: &[(String, String)]| respond(source, faults, uri);
        let report = self.copy.apply(set, entries, settings(), now, &mut respond)?;
        self.runs.1 += 1;
        Some(result_of(&report))
    }

    /// The digests of the resources of the copy.
    pub(super) fn digests(&self) -> BTreeMap<String, String> {
        let bodies = self.copy.bodies.iter();
        bodies.map(|(uri, body)| (uri.clone(), digests(&String::from_utf8_lossy(body)).to_string())).collect()
    }
}

/// What a report says to a listener.
fn result_of(report: &Report) -> RunResult {
    let counts = report.counts;
    let is_in_step = report.run.outcome == Outcome::InStep;
    RunResult {
        outcome: if is_in_step { RunOutcome::InStep } else { RunOutcome::Incomplete },
        as_of: report.as_of.as_deref().and_then(|at| at.parse().ok()),
        changed: counts.created + counts.updated + counts.deleted,
        unfinished: counts.failed + counts.deferred + counts.conflicts + counts.left,
    }
}

fn settings() -> Settings {
    let max_delete = Some(MaxDelete::Percent(100));
    Settings { max_delete, max_listed: 1_000, settled: "yes".to_owned(), ..Settings::default() }
}

/// The response of the Source; `None` if the network fails.
fn respond(source: &Source, faults: &mut Faults<'_>, uri: &str) -> Option<Response> {
    if faults.random.once_in(faults.loss) {
        return None;
    }
    let document = source.document(uri, faults.is_cached).map(<[u8]>::to_vec);
    let resource = || source.resources.get(uri.trim_start_matches(SOURCE)).map(|body| body.as_bytes().to_vec());
    let body = document.or_else(resource);
    let status = if body.is_some() { 200 } else { 404 };
    Some(Response { status, body: body.unwrap_or_default(), ..Response::default() })
}
