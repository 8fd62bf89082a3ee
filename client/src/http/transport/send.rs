//! Chooses who answers: a recording, or the server.

use std::sync::Arc;

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{
    super::{
        body::Raw,
        dns::Lookup,
        error::{Error, ErrorKind},
        policy::Policy,
        recording::{Key, Player, Recorder, Recordings},
        request::Method,
        url::Url,
    },
    Answer,
    live::Live,
};
use crate::cancel::Cancel;

/// One request: no redirect is followed, nothing is tried again.
#[derive(Debug)]
pub(in crate::http) struct Hop<'a> {
    pub(in crate::http) method: Method,
    pub(in crate::http) target: &'a Url,
    /// The caller's header fields.
    pub(in crate::http) headers: Vec<(String, String)>,
    /// The content codings that are accepted.
    pub(in crate::http) accept: &'a str,
    /// The range that is requested, as its header field has it.
    pub(in crate::http) range: Option<String>,
    pub(in crate::http) if_range: Option<&'a str>,
    /// Name and value of the header field.
    pub(in crate::http) condition: Option<(String, String)>,
    /// Sent with a POST.
    pub(in crate::http) body: &'a [u8],
}

/// The way to the answers.
#[derive(Debug)]
pub(in crate::http) struct Transport {
    /// Nothing where only a recording may answer.
    live: Option<Live>,
    /// What answers first.
    player: Option<Arc<Player>>,
    /// What answers where the server says that nothing changed.
    earlier: Option<Arc<Player>>,
    recorder: Option<Arc<Recorder>>,
    cancel: Cancel,
}

impl Transport {
    pub(in crate::http) fn new(
        policy: Arc<Policy>,
        recordings: Recordings,
        cancel: &Cancel,
        lookup: Option<Lookup>,
    ) -> Result<Transport, Error> {
        let live = if recordings.is_closed { None } else { Some(Live::new(policy, cancel.clone(), lookup)?) };
        let Recordings { player, earlier, recorder, .. } = recordings;
        Ok(Transport { live, player, earlier, recorder, cancel: cancel.clone() })
    }

    /// True if servers are asked.
    pub(in crate::http) fn is_online(&self) -> bool {
        self.live.is_some()
    }

    /// Sends the request once.
    pub(in crate::http) fn send(&self, hop: Hop<'_>) -> Result<Answer, Error> {
        let key = Key::of(&hop);
        if let Some(outcome) = self.player.as_ref().and_then(|player| player.play(&key)) {
            return outcome;
        }
        let Some(live) = &self.live else {
            let reason = Reason::new(ReasonCode::NotRecorded).arg("uri", &hop.target.uri);
            return Err(Error::new(ErrorKind::NotRecorded, reason));
        };
        let outcome = self.ask(live, hop, &key);
        match &self.recorder {
            Some(recorder) => recorder.record(&key, outcome, &self.cancel),
            None => outcome,
        }
    }

    /// Asks the server, and takes what an earlier recording has where the server says that it still holds.
    fn ask(&self, live: &Live, mut hop: Hop<'_>, key: &Key) -> Result<Answer, Error> {
        let validator = self.earlier.as_ref().and_then(|earlier| earlier.validator(key));
        let is_conditional = validator.is_some();
        hop.condition = hop.condition.or(validator);
        let answer = live.ask(&hop)?;
        if answer.status == 304 && is_conditional {
            // Only what can be played has a validator.
            if let Some(outcome) = self.earlier.as_ref().and_then(|earlier| earlier.again(key)) {
                return outcome;
            }
        }
        Ok(answer)
    }
}

/// No body at all.
pub(in crate::http) struct Empty;

impl Raw for Empty {
    fn next(&mut self, _: &mut [u8]) -> Result<usize, Error> {
        Ok(0)
    }
}
