//! Chooses who answers: a recording, or the server.

use std::sync::Arc;

use super::{
    super::{
        body::Raw,
        dns::Lookup,
        error::{Kind, Problem},
        policy::Policy,
        recording::{Key, Player, Recorder, Recordings},
        url::Target,
    },
    Answer,
    live::Live,
};
use crate::Cancel;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// For the whole.
    Get,
    /// For the headers.
    Head,
}

impl Method {
    pub(in crate::http) fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
        }
    }
}

/// One request: no redirect is followed, nothing is tried again.
#[derive(Debug)]
pub(in crate::http) struct Hop<'a> {
    pub(in crate::http) method: Method,
    pub(in crate::http) target: &'a Target,
    /// What is sent beside what every request says.
    pub(in crate::http) headers: Vec<(String, String)>,
    /// How the server may pack what it sends.
    pub(in crate::http) accepts: &'a str,
    /// The stretch that is asked for, as a header says it.
    pub(in crate::http) range: Option<String>,
}

/// An answer, and whether it was waited for.
pub(in crate::http) struct Sent {
    pub(in crate::http) outcome: Result<Answer, Problem>,
    /// False for what came out of a recording.
    pub(in crate::http) is_live: bool,
}

/// The way to the answers.
#[derive(Debug)]
pub(in crate::http) struct Wire {
    /// Nothing where only a recording may answer.
    live: Option<Live>,
    /// What answers first.
    player: Option<Arc<Player>>,
    /// What answers where the server says that nothing changed.
    earlier: Option<Arc<Player>>,
    recorder: Option<Arc<Recorder>>,
    cancel: Cancel,
}

impl Wire {
    pub(in crate::http) fn new(
        policy: Arc<Policy>,
        recordings: Recordings,
        cancel: &Cancel,
        lookup: Option<Lookup>,
    ) -> Result<Wire, Problem> {
        let live = if recordings.is_closed { None } else { Some(Live::new(policy, cancel.clone(), lookup)?) };
        let Recordings { player, earlier, recorder, .. } = recordings;
        Ok(Wire { live, player, earlier, recorder, cancel: cancel.clone() })
    }

    /// Asks.
    pub(in crate::http) fn send(&self, hop: Hop<'_>) -> Sent {
        let key = Key::new(hop.method.as_str(), &hop.target.uri, hop.range.as_deref(), hop.accepts);
        if let Some(outcome) = self.player.as_ref().and_then(|player| player.play(&key)) {
            return Sent { outcome, is_live: false };
        }
        let Some(live) = &self.live else {
            let words = format!("it is not in the recording: `{}`", hop.target.uri);
            return Sent { outcome: Err(Problem::new(Kind::NotRecorded, words)), is_live: false };
        };
        let outcome = self.ask(live, hop, &key);
        let outcome = match &self.recorder {
            Some(recorder) => recorder.record(&key, outcome, &self.cancel),
            None => outcome,
        };
        Sent { outcome, is_live: true }
    }

    /// Asks the server, and takes what an earlier recording has where the server says that it still holds.
    fn ask(&self, live: &Live, mut hop: Hop<'_>, key: &Key) -> Result<Answer, Problem> {
        let validator = self.earlier.as_ref().and_then(|earlier| earlier.validator(key));
        let is_conditional = validator.is_some();
        hop.headers.extend(validator);
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
    fn next(&mut self, _: &mut [u8]) -> Result<usize, Problem> {
        Ok(0)
    }
}
