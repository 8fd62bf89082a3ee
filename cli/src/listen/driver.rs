//! One thread that drives the subscriber: inputs come in, its state is made durable, and effects follow.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

use resourcesync_client::notify::{Subscriptions, now, random};
use resourcesync_notify::{
    moment::{Moment, Timestamp},
    subscriber::{Input, Options, Output, Phase, Subscriber},
};
use resourcesync_server::listen::{CallbackServer, Happening, Responder};
use resourcesync_sync::report::Report;

use super::{
    ENDED,
    consumer::Consumer,
    copy::{Copies, Wanted},
    event::{self, Event, Printer},
    exchanges::Exchanges,
};
use crate::{
    error::{CliError, report_error, warn},
    status,
};

/// Maximum inputs whose effects are made durable together.
const TOGETHER: usize = 256;
/// Maximum bytes of events that wait for their consumer: hubs keep further notifications.
const WAITING: u64 = 1 << 30;
/// The pause after the state could not be written.
const PAUSE: Duration = Duration::from_secs(1);
/// How long `--stop` waits for the hubs.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often at least the clock is read, since it may be set.
const LONGEST: Duration = Duration::from_secs(600);

/// What happened elsewhere in the process.
pub(super) enum Happened {
    /// A hub sent a request, or a signal arrived.
    Server(Happening),
    /// A request to a Source or a hub ended.
    Exchanged(Input),
    /// The consumer processed the events up to this number.
    Consumed(i64),
    /// The consumer failed, and tries again.
    NotConsumed(String),
    /// A pull ended.
    Pulled {
        /// Why it was done.
        wanted: Wanted,
        /// Its result.
        result: Result<Box<Report>, String>,
    },
    /// A notification was applied without a pull.
    Applied(Box<Report>),
}

/// What the process is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To follow Sources.
    Follow,
    /// To end subscriptions.
    Stop,
}

pub(super) struct Driver {
    pub(super) subscriber: Subscriber,
    pub(super) options: Options,
    pub(super) store: Subscriptions,
    pub(super) exchanges: Exchanges,
    pub(super) consumer: Option<Consumer>,
    pub(super) copies: Option<Copies>,
    /// True if notifications are applied without a pull where possible.
    pub(super) is_direct: bool,
    pub(super) printer: Printer,
    pub(super) purpose: Purpose,
    pub(super) server: CallbackServer,
    pub(super) happenings: Receiver<Happened>,
}

/// What the driver knows besides the state of the subscriber.
#[derive(Default)]
struct Known {
    responders: HashMap<u64, Responder>,
    requests: u64,
    wake: Option<Timestamp>,
    phases: BTreeMap<String, Phase>,
    /// True once a subscription was active in this run.
    was_active: bool,
    /// Subscriptions that a hub denied.
    denied: BTreeSet<String>,
    /// True if the search for the channels of a Source found none.
    found_none: bool,
}

impl Driver {
    /// Runs until a signal arrives, or nothing is left to do. Returns the exit status.
    pub(super) fn run(mut self, inputs: Vec<Input>) -> Result<i32, CliError> {
        let mut known = Known::default();
        for channel in self.subscriber.channels() {
            known.was_active |= channel.phase == Phase::Active;
            known.phases.insert(channel.channel, channel.phase);
        }
        self.printer.print(&event::listening(self.server.address()));
        if let Some(copies) = &self.copies {
            // Whatever was accepted and not pulled when the last process ended.
            copies.want(Wanted::start());
        }
        self.process(inputs, &mut known)?;
        self.feed()?;
        let begun = Instant::now();
        loop {
            if let Some(status) = self.ending(&known) {
                return Ok(self.end(status));
            }
            let until_due = known.wake.map_or(LONGEST, |wake| wake.since(now())).min(LONGEST);
            let until_end = match self.purpose {
                Purpose::Follow => LONGEST,
                Purpose::Stop => PATIENCE.saturating_sub(begun.elapsed()),
            };
            if until_end.is_zero() {
                report_error("the hubs did not confirm the end of all subscriptions; they end with their leases");
                return Ok(self.end(status::UNSURE));
            }
            let first = match self.happenings.recv_timeout(until_due.min(until_end)) {
                Ok(happened) => Some(happened),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(self.end(status::UNSURE)),
            };
            let mut inputs = Vec::new();
            let more = std::iter::from_fn(|| self.happenings.try_recv().ok()).take(TOGETHER);
            let all: Vec<Happened> = first.into_iter().chain(more).collect();
            let is_full = self.consumer.is_some() && self.store.waiting() > WAITING;
            for happened in all {
                match happened {
                    Happened::Server(Happening::Stop) => return Ok(self.end(ENDED)),
                    Happened::Server(Happening::Arrived(arrival)) => {
                        let (request, responder) = arrival.take();
                        if is_full && request.method == "POST" {
                            responder.unavailable();
                            continue;
                        }
                        known.requests = known.requests.wrapping_add(1);
                        known.responders.insert(known.requests, responder);
                        inputs.push(Input::Request { id: known.requests, request });
                    }
                    Happened::Exchanged(input) => inputs.push(input),
                    Happened::Consumed(last) => {
                        self.store.done(last)?;
                        if let Some(consumer) = &mut self.consumer {
                            consumer.is_busy = false;
                        }
                    }
                    Happened::NotConsumed(why) => warn(&why, self.printer.lang()),
                    Happened::Pulled { wanted, result } => inputs.extend(self.pulled(&wanted, result)),
                    Happened::Applied(report) => self.printer.print(&event::applied(&report, now())),
                }
            }
            if self.exchanges.is_cancelled() {
                // A signal also ends requests, and that they failed says nothing about the Sources.
                return Ok(self.end(ENDED));
            }
            if known.wake.is_some_and(|wake| wake <= now()) {
                inputs.push(Input::Tick);
            }
            self.process(inputs, &mut known)?;
            self.feed()?;
        }
    }

    /// Processes inputs, makes the new state durable, and then lets it have effects.
    fn process(&mut self, inputs: Vec<Input>, known: &mut Known) -> Result<(), CliError> {
        let (mut keeps, mut events, mut effects) = (Vec::new(), Vec::new(), Vec::new());
        let mut has_failed = false;
        for input in inputs {
            let mut fill = |bytes: &mut [u8]| has_failed |= random(bytes).is_err();
            known.wake = None;
            for output in self.subscriber.handle(&mut Moment { now: now(), random: &mut fill }, input) {
                match output {
                    Output::Keep(keep) => keeps.push(keep),
                    Output::Wait { until } => known.wake = Some(until),
                    other => {
                        let event = Event::of(&other, now(), self.consumer.is_some());
                        if let Some(event) = event.as_ref().filter(|event| self.consumer.is_some() && event.is_durable)
                        {
                            events.push(event.line());
                        }
                        effects.push((other, event));
                    }
                }
            }
        }
        if has_failed {
            return Err("there are no random numbers".into());
        }
        if let Err(error) = self.store.commit(&keeps, &events) {
            report_error(&error.to_string());
            for responder in known.responders.drain().map(|(_, responder)| responder) {
                responder.unavailable();
            }
            // What could not be recorded has not happened; hubs send their requests again.
            self.subscriber = Subscriber::restore(self.options.clone(), self.store.state()?)
                .map_err(|error| CliError::new(error.to_string()))?;
            known.wake = Some(now().after(PAUSE));
            return Ok(());
        }
        for (output, event) in effects {
            if let Some(event) = &event {
                self.printer.print(event);
            }
            self.perform(output, known);
        }
        Ok(())
    }

    fn perform(&mut self, output: Output, known: &mut Known) {
        match output {
            Output::Reply { id, reply } => {
                if let Some(responder) = known.responders.remove(&id) {
                    responder.reply(reply);
                }
            }
            Output::Send { id, request } => self.exchanges.send(id, request),
            Output::Changed(change) => {
                known.was_active |= change.phase == Phase::Active;
                known.phases.insert(change.channel, change.phase);
            }
            Output::Found(found) => {
                known.found_none |= found.code == "HUB-04";
                known.denied.extend(found.channel.filter(|_| found.code == "HUB-03"));
            }
            Output::Notified(notice) if self.is_direct => self.want(|| Wanted::direct(&notice)),
            Output::Notified(notice) => self.want(|| Wanted::notified(&notice)),
            Output::Pull(pull) => self.want(|| Wanted::pull(pull.why)),
            Output::Reread(_) => self.want(Wanted::reread),
            _ => {}
        }
    }

    fn want(&self, wanted: impl FnOnce() -> Wanted) {
        if let Some(copies) = &self.copies {
            copies.want(wanted());
        }
    }

    /// Tells the subscriber whether a pull found changes that no hub announced.
    fn pulled(&mut self, wanted: &Wanted, result: Result<Box<Report>, String>) -> Vec<Input> {
        let report = match result {
            Ok(report) => report,
            Err(why) => {
                report_error(&why);
                return Vec::new();
            }
        };
        self.printer.print(&event::pulled(wanted, &report, now()));
        let counts = &report.counts;
        let is_news =
            wanted.is_poll() && [counts.created, counts.updated, counts.deleted].iter().any(|count| *count > 0);
        self.subscriber.sets().into_iter().filter(|_| is_news).map(|set| Input::Pulled { set, is_news }).collect()
    }

    /// Passes the next events on.
    fn feed(&mut self) -> Result<(), CliError> {
        let Some(consumer) = self.consumer.as_mut().filter(|consumer| !consumer.is_busy) else { return Ok(()) };
        let events = self.store.events(consumer.together)?;
        if !events.is_empty() {
            consumer.pass_on(events);
        }
        Ok(())
    }

    /// The exit status, if there is nothing to listen to.
    fn ending(&self, known: &Known) -> Option<i32> {
        let mut live = known.phases.iter().filter(|(_, phase)| **phase != Phase::Gone).peekable();
        match self.purpose {
            Purpose::Stop => (!live.any(|(_, phase)| *phase == Phase::Leaving)).then_some(ENDED),
            Purpose::Follow if live.peek().is_none() => known.found_none.then_some(status::UNSURE),
            Purpose::Follow => {
                let is_denied = live.all(|(channel, _)| known.denied.contains(channel));
                (is_denied && !known.was_active).then_some(status::FOUND)
            }
        }
    }

    /// Stops in order: nothing more is accepted, and what is under way is ended.
    fn end(self, status: i32) -> i32 {
        self.server.close();
        let Driver { exchanges, consumer, copies, .. } = self;
        exchanges.cancel();
        if let Some(consumer) = consumer {
            consumer.stop();
        }
        if let Some(copies) = copies {
            copies.stop();
        }
        status
    }
}
