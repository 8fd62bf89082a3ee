//! The loop of a listener: inputs come in, its state is made durable, effects follow, and then the next step.

use std::{
    collections::HashMap,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender},
    time::Duration,
};

use resourcesync_notify::{
    listener::{Input, Listener, RunResult, Step},
    moment::Moment,
    subscriber::Output,
};

use super::{
    consumer::{Consumer, Feed},
    copy::{Copy, Runner, result_of},
    exchanges::Exchanges,
    messages::{Clients, DriverEvent, End, Face, ListenError, Respond, Shown},
};
use crate::{
    cancel::Cancel,
    notify::{Subscriptions, now, random},
};

/// Maximum inputs whose effects are made durable together.
const TOGETHER: usize = 256;
/// Maximum bytes of events that wait for their consumer: hubs keep further notifications.
const WAITING: u64 = 1 << 30;
/// How often at least the clock is read, since it may be set.
const LONGEST: Duration = Duration::from_secs(600);

/// What a listener needs.
pub struct Setup {
    /// The listener, with the values in `store`.
    pub listener: Listener,
    /// Its state.
    pub store: Subscriptions,
    /// Creates its clients.
    pub clients: Clients,
    /// What its events are passed on to.
    pub consumer: Option<Consumer>,
    /// The copy, if the listener has options for one.
    pub copy: Option<Copy>,
    /// Ends everything that is under way.
    pub cancel: Cancel,
}

impl std::fmt::Debug for Setup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setup").field("store", &self.store).finish_non_exhaustive()
    }
}

struct Driver<'f> {
    listener: Listener,
    store: Subscriptions,
    exchanges: Exchanges,
    feed: Option<Feed>,
    runner: Option<Runner>,
    cancel: Cancel,
    happenings: Receiver<DriverEvent>,
    face: &'f mut dyn Face,
    /// Requests without a reply, by their numbers.
    responders: HashMap<u64, Respond>,
    requests: u64,
}

/// Drives a listener until it ends, or is stopped. `to` and `happenings` are the ends of one channel, on which the requests of hubs arrive,
/// too.
///
/// # Errors
///
/// If its state cannot be read, or there are no random numbers.
pub fn drive(
    setup: Setup,
    (to, happenings): (Sender<DriverEvent>, Receiver<DriverEvent>),
    face: &mut dyn Face,
    first: Input,
) -> Result<End, ListenError> {
    let Setup { listener, store, clients, consumer, copy, cancel } = setup;
    let mut driver = Driver {
        listener,
        store,
        exchanges: Exchanges::new(clients.clone(), to.clone()),
        feed: consumer.map(|consumer| Feed::start(consumer, &cancel, to.clone())),
        runner: copy.map(|copy| Runner::new(copy, clients, &cancel, to)),
        cancel,
        happenings,
        face,
        responders: HashMap::new(),
        requests: 0,
    };
    let end = driver.run(first);
    driver.stop();
    end
}

impl Driver<'_> {
    fn run(&mut self, first: Input) -> Result<End, ListenError> {
        let mut inputs = vec![first];
        loop {
            self.process(inputs)?;
            self.feed()?;
            let until = match self.advance() {
                Step::End { why } => return Ok(End::Over(why)),
                Step::Wait { until } => until,
                _ => None,
            };
            let wait = until.map_or(LONGEST, |until| until.since(now())).min(LONGEST);
            let first = match self.happenings.recv_timeout(wait) {
                Ok(event) => Some(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(End::Stopped),
            };
            let more = std::iter::from_fn(|| self.happenings.try_recv().ok()).take(TOGETHER);
            let all: Vec<DriverEvent> = first.into_iter().chain(more).collect();
            inputs = Vec::new();
            let is_over = all.iter().any(|event| matches!(event, DriverEvent::Stop));
            for event in all {
                if !is_over || matches!(event, DriverEvent::Consumed(_)) {
                    inputs.extend(self.input(event)?);
                }
            }
            if is_over {
                return Ok(End::Stopped);
            }
            if self.cancel.is_cancelled() {
                // A signal also ends requests, and their failure is not one of the Sources.
                return Ok(End::Stopped);
            }
            inputs.extend(until.filter(|until| *until <= now()).map(|_| Input::Tick));
        }
    }

    /// The input of the listener for an event, if it is one for the listener.
    fn input(&mut self, event: DriverEvent) -> Result<Option<Input>, ListenError> {
        match event {
            DriverEvent::Arrived(request, respond) => {
                if self.feed.is_some() && self.store.waiting() > WAITING && request.method == "POST" {
                    respond(None);
                    return Ok(None);
                }
                self.requests = self.requests.wrapping_add(1);
                self.responders.insert(self.requests, respond);
                return Ok(Some(Input::Request { id: self.requests, request }));
            }
            DriverEvent::Exchanged(input) => return Ok(Some(input)),
            DriverEvent::Consumed(last) => {
                self.store.done(last)?;
                self.feed.iter_mut().for_each(Feed::took);
            }
            DriverEvent::NotConsumed(why) => self.face.show(Shown::NotConsumed(&why), now()),
            DriverEvent::Synced { why, result } => {
                match &result {
                    Ok(report) => self.face.show(Shown::Synced(&why, report), now()),
                    Err(why) => self.face.show(Shown::Failed(why), now()),
                }
                return Ok(Some(Input::Ran { result: result.ok().map(|report| result_of(&report)) }));
            }
            DriverEvent::Applied(report) => {
                let result = report.as_deref().map(result_of);
                if let Some(report) = report.filter(|_| result.as_ref().is_some_and(RunResult::is_applied)) {
                    self.face.show(Shown::Applied(&report), now());
                }
                return Ok(Some(Input::Ran { result }));
            }
            DriverEvent::Stop => {}
        }
        Ok(None)
    }

    /// Processes inputs, makes the new state durable, and then lets it have effects.
    fn process(&mut self, inputs: Vec<Input>) -> Result<(), ListenError> {
        let (mut keeps, mut events, mut effects) = (Vec::new(), Vec::new(), Vec::new());
        for input in inputs {
            let at = now();
            let handled = Moment::with_random(at, random, |moment| self.listener.handle(moment, input));
            for output in handled.map_err(|_| ListenError::Random)? {
                if let Output::Keep(keep) = output {
                    keeps.push(keep);
                    continue;
                }
                events.extend(self.feed.as_ref().and_then(|_| self.face.event(&output, at)));
                effects.push((output, at));
            }
        }
        if let Err(error) = self.store.commit(&keeps, &events) {
            self.face.show(Shown::Failed(&error.to_string()), now());
            self.responders.drain().for_each(|(_, respond)| respond(None));
            return Ok(self.listener.reload(now(), self.store.state()?)?);
        }
        for (output, at) in effects {
            self.face.show(Shown::Output(&output), at);
            match output {
                Output::Send { id, request } => self.exchanges.send(id, request),
                Output::Reply { id, reply } => {
                    if let Some(respond) = self.responders.remove(&id) {
                        respond(Some(reply));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Starts the runs that are due; returns the step after them.
    fn advance(&mut self) -> Step {
        loop {
            match (self.listener.poll(now()), &mut self.runner) {
                (Step::Sync { why, is_retry }, Some(runner)) => runner.sync(why, is_retry),
                (Step::Apply(notice), Some(runner)) => runner.apply(*notice),
                (step, _) => return step,
            }
        }
    }

    /// Passes the next events on.
    fn feed(&mut self) -> Result<(), ListenError> {
        let Some(feed) = self.feed.as_mut().filter(|feed| !feed.is_busy()) else { return Ok(()) };
        let events = self.store.events(feed.together())?;
        if !events.is_empty() {
            feed.pass_on(events);
        }
        Ok(())
    }

    /// Stops in order: nothing more is accepted, and what is under way is ended. What was taken meanwhile is not passed on again.
    fn stop(mut self) {
        self.face.close();
        self.cancel.cancel();
        self.feed.take().into_iter().for_each(Feed::stop);
        self.runner.take().into_iter().for_each(Runner::stop);
        for event in self.happenings.try_iter() {
            if let DriverEvent::Consumed(last) = event
                && let Err(error) = self.store.done(last)
            {
                self.face.show(Shown::Failed(&error.to_string()), now());
            }
        }
    }
}
