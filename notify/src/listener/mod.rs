//! The listener: a subscriber, and when the copy of a Source is synchronized because of what it reports.
//!
//! 1. Pass each input to [`Listener::handle`], and perform its outputs as those of a [`Subscriber`]: values are durable before anything else
//!    of the same call is performed. If they cannot be stored, drop the outputs and call [`Listener::reload`].
//! 2. Then call [`Listener::poll`] until it returns [`Step::Wait`] or [`Step::End`].
//! 3. [`Step::Sync`] and [`Step::Apply`]: run on the copy, and pass the result on as [`Input::Ran`]. There is one run at a time.
//! 4. [`Step::Wait`]: pass on what happens, and [`Input::Tick`] at that moment.
//!
//! Only the values of the subscriber are stored. A process begins with a run on the copy, which replaces everything that the last one still
//! had to do.
//!
//! | file | contents |
//! | --- | --- |
//! | `runs` | when a run is due: quiet times, retries, polls, and notifications that are applied directly |
//! | `need` | the reasons for one run, and whether its result meets them |
//! | `watch` | whether there is anything left to listen to |
//! | `messages` | inputs, steps, options |

mod messages;
mod need;
mod runs;
mod watch;

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

pub use self::messages::{CopyOptions, Ending, Input, RunOutcome, RunResult, Step, Trigger};
use self::{runs::Runs, watch::Watch};
use crate::{
    moment::{Moment, Timestamp},
    state::{State, StateError},
    subscriber::{self, Options, Output, Phase, Subscriber},
};

/// The time until the next attempt if values could not be stored.
const PAUSE: Duration = Duration::from_secs(1);

/// Listens to Sources. See the [module](self) for its use.
#[derive(Debug, Clone)]
pub struct Listener {
    options: Options,
    subscriber: Subscriber,
    runs: Option<Runs>,
    watch: Watch,
    /// No work of the subscriber before this moment.
    pause: Option<Timestamp>,
}

impl Listener {
    /// Restores a listener from the stored values of its subscriber. Without options for a copy it only subscribes.
    ///
    /// # Errors
    ///
    /// If a value does not belong to a subscriber, or has a newer version.
    pub fn restore(options: Options, copy: Option<CopyOptions>, state: State) -> Result<Listener, StateError> {
        let subscriber = Subscriber::restore(options.clone(), state)?;
        let watch = Watch::new(&subscriber);
        Ok(Listener { options, subscriber, runs: copy.map(Runs::new), watch, pause: None })
    }

    /// Continues with these stored values, because those of the last call could not be stored: what could not be stored has not
    /// happened. Hubs send their requests again.
    ///
    /// # Errors
    ///
    /// As [`restore`](Listener::restore).
    pub fn reload(&mut self, now: Timestamp, state: State) -> Result<(), StateError> {
        self.subscriber = Subscriber::restore(self.options.clone(), state)?;
        self.pause = Some(now.after(PAUSE));
        Ok(())
    }

    /// The subscriber.
    pub fn subscriber(&self) -> &Subscriber {
        &self.subscriber
    }

    /// Processes one input. The outputs are those of the subscriber, without [`Output::Wait`].
    pub fn handle(&mut self, moment: &mut Moment<'_>, input: Input) -> Vec<Output> {
        let now = moment.now;
        let inputs = match input {
            Input::Follow { uris, rotate } => {
                self.watch.follow();
                self.runs.iter_mut().for_each(|runs| runs.start(now));
                self.follow(&uris, rotate)
            }
            Input::Stop { uris } => {
                self.watch.stop(now);
                let is_meant = |uri: &&str| uris.is_empty() || uris.iter().any(|named| named == uri);
                let ends = self.subscriber.sources().filter(is_meant);
                let ends = ends.map(|uri| subscriber::Input::Unfollow { uri: uri.to_string() });
                ends.chain([subscriber::Input::Tick]).collect()
            }
            Input::Request { id, request } => Vec::from([subscriber::Input::Request { id, request }]),
            Input::Answered { id, answer } => Vec::from([subscriber::Input::Answered { id, answer }]),
            Input::Failed { id, reason } => Vec::from([subscriber::Input::Failed { id, reason }]),
            Input::Ran { result } => {
                let is_news = self.runs.as_mut().is_some_and(|runs| runs.ran(now, result.as_ref()));
                let sets = self.subscriber.sets().into_iter().filter(|_| is_news);
                sets.map(|set| subscriber::Input::Pulled { set, is_news }).collect()
            }
            Input::Tick => Vec::from([subscriber::Input::Tick]),
        };
        let mut outputs = Vec::new();
        for input in inputs {
            let made = self.subscriber.handle(moment, input);
            outputs.extend(made.into_iter().filter(|output| !matches!(output, Output::Wait { .. })));
        }
        for output in &outputs {
            self.watch.note(output);
            self.runs.iter_mut().for_each(|runs| runs.note(now, output));
        }
        outputs
    }

    /// The next step.
    pub fn poll(&mut self, now: Timestamp) -> Step {
        if let Some(ending) = self.watch.ending(now, &self.subscriber) {
            return Step::End { why: ending };
        }
        if let Some(step) = self.runs.as_mut().and_then(|runs| runs.next(now)) {
            return step;
        }
        let due = self.subscriber.next().map(|due| self.pause.map_or(due, |pause| due.max(pause)));
        let others = [self.watch.latest(), self.runs.as_ref().and_then(Runs::due)];
        let until = others.into_iter().chain([due]).flatten().min();
        Step::Wait { until: until.map(|until| until.max(now)) }
    }

    /// The inputs by which exactly these Sources are followed.
    fn follow(&self, uris: &[String], rotate: bool) -> Vec<subscriber::Input> {
        let is_named = |uri: &&str| uris.iter().any(|named| named == uri);
        let over = self.subscriber.sources().filter(|uri| !is_named(uri));
        let over = over.map(|uri| subscriber::Input::Unfollow { uri: uri.to_string() });
        let is_live = |phase| !matches!(phase, Phase::Leaving | Phase::Gone);
        let live = self.subscriber.phases().filter(|(_, phase)| rotate && is_live(*phase));
        let rotated = live.map(|(channel, _)| subscriber::Input::Rotate { channel: channel.to_string() });
        let follow = uris.iter().map(|uri| subscriber::Input::Follow { uri: uri.clone() });
        over.chain(rotated).chain(follow).chain([subscriber::Input::Tick]).collect()
    }
}
