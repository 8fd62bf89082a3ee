//! Pulls into a folder, one at a time, after a quiet time in which further reasons are merged. With `--direct`, notifications in order are
//! applied instead, until there is a reason for a pull.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use resourcesync::value::{Datetime, Uri};
use resourcesync_client::{
    Cancel,
    destination::{self, Options},
    http::{Client, Recordings},
};
use resourcesync_notify::{
    interval::Interval,
    payload::Channel,
    subscriber::{Notice, Why},
};
use resourcesync_sync::{
    conclude::Outcome,
    guard::MaxDelete,
    report::{DocumentStatus, Report},
};

use super::driver::Happened;
use crate::{
    arguments::{Listen, Servers},
    error::CliError,
    settings::{self, Http},
    sync::{limits, selection},
};

/// A pull begins this long after the last reason for it, but at most this long after the first.
const QUIET: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(30));
/// When to try again after a pull that did not reach the announced changes: a cache may be in between.
const AGAIN: [Duration; 3] = [Duration::from_secs(5), Duration::from_secs(30), Duration::from_secs(120)];
/// How long to wait for another run on the folder.
const LOCKED: Duration = Duration::from_secs(3_600);
/// Items in the report of a run.
const LISTED: usize = 100;

/// The reasons for a pull.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    /// Words for the reasons.
    pub(super) why: BTreeSet<&'static str>,
    /// The datetime of the last announced change.
    until: Option<Datetime>,
    /// True for a pull that does not wait for a quiet time.
    is_urgent: bool,
    /// Earlier attempts.
    attempts: usize,
    /// The notification, if it may be applied without a pull.
    direct: Option<Box<Direct>>,
}

/// A notification that may be applied without a pull.
#[derive(Debug, Clone)]
struct Direct {
    topic: String,
    set: String,
    interval: Interval,
    document: String,
}

impl Wanted {
    fn because(why: &'static str) -> Wanted {
        Wanted { why: BTreeSet::from([why]), ..Wanted::default() }
    }

    /// The process starts.
    pub(super) fn start() -> Wanted {
        Wanted { is_urgent: true, ..Wanted::because("start") }
    }

    /// A notification arrived.
    pub(super) fn notified(notice: &Notice) -> Wanted {
        let changes = notice.payload.changes();
        let moments = changes.iter().filter_map(|change| change.datetime.as_deref()?.parse::<Datetime>().ok());
        Wanted { until: moments.max_by_key(Datetime::start), ..Wanted::because("notified") }
    }

    /// The same, to be applied without a pull if possible.
    pub(super) fn direct(notice: &Notice) -> Wanted {
        let (set, interval) = (notice.capability_list.clone(), notice.payload.interval().cloned());
        let is_of_resources = notice.payload.channel() == Channel::ChangeNotification;
        let direct = set.zip(interval).filter(|_| is_of_resources).map(|(set, interval)| {
            let (topic, document) = (notice.topic.clone(), notice.payload.text().to_owned());
            Box::new(Direct { topic, set, interval, document })
        });
        Wanted { direct, ..Wanted::notified(notice) }
    }

    /// The subscriber requests it.
    pub(super) fn pull(why: Why) -> Wanted {
        Wanted::because(match why {
            Why::Subscribed => "subscribed",
            Why::Gap => "gap",
            Why::Invalid => "invalid",
            _ => "safety",
        })
    }

    /// Documents of the Source changed.
    pub(super) fn reread() -> Wanted {
        Wanted::because("reread")
    }

    /// True if no notification is a reason.
    pub(super) fn is_poll(&self) -> bool {
        self.why.iter().all(|why| *why == "safety")
    }

    fn merge(&mut self, other: Wanted) {
        self.why.extend(other.why);
        let later = |one: &Datetime, other: &Datetime| one.start() < other.start();
        if let Some(until) = other.until
            && self.until.as_ref().is_none_or(|own| later(own, &until))
        {
            self.until = Some(until);
        }
        self.is_urgent |= other.is_urgent;
        self.attempts = 0;
    }

    /// True if a run has everything that is wanted.
    fn is_met(&self, report: &Report) -> bool {
        if report.run.outcome != Outcome::InStep {
            return false;
        }
        let as_of = report.as_of.as_deref().and_then(|at| at.parse::<Datetime>().ok());
        self.until.as_ref().zip(as_of).is_none_or(|(until, as_of)| until.start() <= as_of.start())
    }
}

/// The thread that keeps the folder in step.
pub(super) struct Copies {
    wanted: Sender<Wanted>,
    thread: Option<JoinHandle<()>>,
}

impl Copies {
    pub(super) fn start(arguments: &Listen, folder: &Path, cancel: &Cancel, to: Sender<Happened>) -> Copies {
        let (sender, wanted) = mpsc::channel();
        let (core, http) = limits(&arguments.limit, arguments.terminal.language.for_people());
        let mut worker = Worker {
            uri: arguments.uris.first().map(ToString::to_string).unwrap_or_default(),
            folder: folder.to_owned(),
            servers: arguments.servers.clone(),
            http,
            options: Options {
                max_delete: arguments.max_delete.or(Some(MaxDelete::Auto)).filter(|_| !arguments.no_delete),
                require_hash: arguments.require_hash,
                state: arguments.state.clone(),
                selection: selection(&arguments.selected),
                trash: arguments.trash,
                wait: LOCKED,
                max_listed: LISTED,
                limits: core,
                ..Options::default()
            },
            poll: arguments.poll,
            applied: BTreeMap::new(),
            is_met: false,
            cancel: cancel.clone(),
            wanted,
            to,
        };
        let thread = thread::Builder::new().name("copy".to_owned()).spawn(move || worker.run()).ok();
        Copies { wanted: sender, thread }
    }

    /// Requests a pull.
    pub(super) fn want(&self, wanted: Wanted) {
        let _ = self.wanted.send(wanted);
    }

    /// Ends the thread; its run was cancelled.
    pub(super) fn stop(self) {
        let Copies { wanted, thread } = self;
        drop(wanted);
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

struct Worker {
    uri: String,
    folder: PathBuf,
    servers: Servers,
    http: Http,
    options: Options,
    poll: Duration,
    cancel: Cancel,
    wanted: Receiver<Wanted>,
    to: Sender<Happened>,
    /// The end of the last notification of each topic.
    applied: BTreeMap<String, Datetime>,
    /// True if the last pull had everything that was wanted.
    is_met: bool,
}

impl Worker {
    fn run(&mut self) {
        // The next pull, when it is due at the earliest, and at the latest.
        let mut next: Option<(Wanted, Instant, Instant)> = None;
        let mut polled = Instant::now();
        loop {
            let now = Instant::now();
            let poll_in = self.poll.saturating_sub(now.duration_since(polled));
            let wait = match &next {
                Some((_, due, latest)) => (*due).min(*latest).saturating_duration_since(now).min(poll_in),
                None => poll_in,
            };
            match self.wanted.recv_timeout(wait) {
                Ok(mut wanted) => {
                    if let Some(report) = self.apply(&mut wanted, next.is_some()) {
                        if self.to.send(Happened::Applied(report)).is_err() {
                            return;
                        }
                        continue;
                    }
                    if self.cancel.is_cancelled() {
                        return;
                    }
                    let now = Instant::now();
                    let due = if wanted.is_urgent { now } else { after(now, QUIET.0) };
                    let latest = after(now, QUIET.1);
                    next = Some(match next.take() {
                        // A retry is replaced by the new reason.
                        Some((mut own, _, since)) => {
                            own.merge(wanted);
                            (own, due, since.min(latest))
                        }
                        None => (wanted, due, latest),
                    });
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if polled.elapsed() >= self.poll && next.is_none() {
                next = Some((Wanted::pull(Why::Safety), Instant::now(), Instant::now()));
            }
            let now = Instant::now();
            let Some((wanted, ..)) = next.take_if(|(_, due, latest)| (*due).min(*latest) <= now) else { continue };
            polled = now;
            let result = self.pull(&wanted);
            if self.cancel.is_cancelled() {
                return;
            }
            let is_met =
                matches!(&result, Ok(report) if wanted.is_met(report) || report.run.outcome == Outcome::Refused);
            self.is_met = matches!(&result, Ok(report) if wanted.is_met(report));
            if let Some(wait) = AGAIN.get(wanted.attempts).filter(|_| !is_met) {
                let at = after(Instant::now(), *wait);
                next = Some((Wanted { attempts: wanted.attempts.saturating_add(1), ..wanted.clone() }, at, at));
            }
            let result = result.map(Box::new).map_err(|error| error.to_string());
            if self.to.send(Happened::Pulled { wanted, result }).is_err() {
                return;
            }
        }
    }

    /// Applies a notification without a pull, if it continues what is in the copy. A pull has to follow unless this has a result.
    fn apply(&mut self, wanted: &mut Wanted, is_pending: bool) -> Option<Box<Report>> {
        let direct = wanted.direct.take()?;
        let Direct { topic, set, interval, document } = *direct;
        let before = self.applied.insert(topic, interval.until);
        let continues = before.is_some_and(|before| before.start() == interval.from.start());
        if !continues || is_pending || !self.is_met {
            return None;
        }
        let client = self.client(&self.servers).ok()?;
        let (options, cancel) = (&self.options, &self.cancel);
        let document = document.as_bytes();
        let report = destination::apply(&self.uri, &set, document, &self.folder, &client, options, cancel, &mut |_| ())
            .ok()??;
        let counts = &report.counts;
        let failed = [counts.failed, counts.deferred, counts.conflicts, counts.left];
        let is_done = report.run.outcome == Outcome::Incomplete && failed.iter().all(|count| *count == 0);
        is_done.then(|| Box::new(report))
    }

    /// A client resolves each name once, so that each run has its own.
    fn client(&self, servers: &Servers) -> Result<Arc<Client>, CliError> {
        let (urls, ratio) = ([self.uri.clone()], self.options.limits.inflate_ratio);
        settings::client_with(servers, Recordings::default(), &self.http, ratio, &urls, &self.cancel)
    }

    fn pull(&self, wanted: &Wanted) -> Result<Report, CliError> {
        let mut servers = self.servers.clone();
        if wanted.attempts > 0
            && let Some(origin) = self.uri.parse::<Uri>().ok().as_ref().and_then(origin)
        {
            servers.header.push(format!("{origin}=Cache-Control:no-cache"));
        }
        let client = self.client(&servers)?;
        Ok(destination::sync(&self.uri, &self.folder, &client, &self.options, &self.cancel, &mut |_| ())?)
    }
}

fn after(now: Instant, wait: Duration) -> Instant {
    now.checked_add(wait).unwrap_or(now)
}

/// The origin of a URI.
fn origin(uri: &Uri) -> Option<String> {
    let text = uri.as_str();
    let start = text.find("://")?.checked_add(3)?;
    let end = text.get(start..)?.find(['/', '?', '#']).map_or(text.len(), |at| start.saturating_add(at));
    text.get(..end).map(str::to_owned)
}

/// True if a document could not be read.
pub(super) fn is_unread(report: &Report) -> bool {
    report.documents.iter().any(|document| document.status == DocumentStatus::Unread)
}
