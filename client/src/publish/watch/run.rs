//! Publishes a watched folder until it is cancelled.

use std::{
    fmt, fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use resourcesync::publish::{Due, Snapshot, State, Watch, WatchTimes};

use super::noticed::{Filter, News, Noticed, Paths, outermost};
use crate::{
    cancel::{Cancel, TICK},
    folder::Generations,
    publish::{Changes, Error, Event, Events, Options, Origin, Outcome, Warning, publish, publish_changes},
};

/// The time after which a folder is compared again, if its changes are noticed.
const HOUR: Duration = Duration::from_secs(3_600);

/// The same, if they are not.
const MINUTE: Duration = Duration::from_secs(60);

/// Milliseconds after which the face is asked again to do what it could not.
const AGAIN: u64 = 30_000;

/// How a folder is watched.
#[derive(Debug, Clone)]
pub struct WatchOptions {
    /// Changes are published when there were no further ones for this long.
    pub quiet: Duration,
    /// The shortest time from one publication to the next.
    pub every: Duration,
    /// The time after which the whole folder is compared again; by default an hour, or a minute if changes are not noticed.
    pub poll: Option<Duration>,
    /// When a snapshot is written; by default as in earlier runs.
    pub snapshot: Option<Snapshot>,
}

/// Follows a watch.
pub trait Watching {
    /// Receives the events of runs.
    fn event(&mut self, event: Event<'_>);

    /// A run ended. True if there is something left to do, for which [`Watching::again`] is called later.
    fn ended(&mut self, outcome: Result<Outcome, Error>) -> bool;

    /// Does what was left; true if there is still something left.
    fn again(&mut self) -> bool;
}

/// Publishes the folder of the options, and then what changes in it, until it is cancelled. A run that fails is tried again, except for the
/// first one.
///
/// # Errors
///
/// If the first run fails, or the resources are not the files of a folder.
pub fn watch(options: &Options, times: &WatchOptions, cancel: &Cancel, face: &mut dyn Watching) -> Result<(), Error> {
    let Origin::Folder(folder) = &options.resources.origin else { return Err("only a folder can be watched".into()) };
    let clock = Instant::now();
    let now = || milliseconds(clock.elapsed());
    let own = WatchTimes { quiet: milliseconds(times.quiet), every: milliseconds(times.every), poll: 0 };
    let (mut machine, mut paths, mut is_first) = (Watch::new(own, now()), Paths::new(), true);
    let mut noticed: Option<Noticed> = None;
    // When the face is asked again.
    let mut again: Option<u64> = None;
    loop {
        let due = machine.due(now());
        let outcome = match due {
            _ if cancel.is_cancelled() => return Ok(()),
            Due::At(at) => {
                if again.is_some_and(|at| at <= now()) {
                    again = face.again().then(|| now().saturating_add(AGAIN));
                }
                let time = Duration::from_millis(at.saturating_sub(now())).min(TICK);
                match noticed.as_ref().map(|noticed| noticed.wait(time)) {
                    Some(News { is_changed, is_lost }) => {
                        is_changed.then(|| machine.changed(now()));
                        let is_replaced = noticed.as_ref().is_some_and(|noticed| noticed.is_replaced(folder));
                        (is_lost || is_replaced).then(|| machine.lost(now()));
                    }
                    None => thread::sleep(time),
                }
                continue;
            }
            Due::Compare => {
                // Also watches folders that were moved here meanwhile, or the whole folder if it was.
                let begun = notice(folder, options);
                let poll = times.poll.unwrap_or(if begun.is_ok() { HOUR } else { MINUTE });
                if let (Err(why), true) = (&begun, is_first || noticed.is_some()) {
                    let warning = Warning::Unwatched { why: why.clone(), seconds: poll.as_secs() };
                    face.event(Event::Warning(&warning));
                }
                machine.compare_every(milliseconds(poll));
                noticed = begun.ok();
                machine.begin();
                paths.clear();
                publish(options, cancel, &mut |event| face.event(event))
            }
            Due::Publish => {
                machine.begin();
                paths.extend(noticed.as_ref().map(Noticed::take).unwrap_or_default());
                let events = Events::Folder(outermost(&paths));
                let changes = Changes { events, strict: false, snapshot: times.snapshot, wait: options.wait };
                let given = |_: Option<&State>| Ok(options.clone());
                publish_changes(&options.out, &changes, &given, cancel, &mut |event| face.event(event))
            }
        };
        match outcome {
            Err(error) if is_first => return Err(error),
            Err(_) if cancel.is_cancelled() => return Ok(()),
            Ok(_) => paths.clear(),
            Err(_) => {}
        }
        machine.end(due, outcome.is_ok(), now());
        again = face.ended(outcome).then(|| now().saturating_add(AGAIN));
        is_first = false;
    }
}

/// Begins to notice changes of the folder; an error is the reason why that is not possible.
fn notice(folder: &Path, options: &Options) -> Result<Noticed, String> {
    let failed = |error: &dyn fmt::Display| error.to_string();
    let folder = fs::canonicalize(folder).map_err(|error| failed(&error))?;
    let state = Generations::state_folder(&options.out).map_err(|error| failed(&error))?;
    // The published folder has the name of the one with its state, without the suffix.
    let own = vec![state.with_extension(""), state];
    let filter = Filter { folder, own, hidden: options.resources.files.hidden };
    Noticed::begin(filter).map_err(|error| failed(&error))
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
