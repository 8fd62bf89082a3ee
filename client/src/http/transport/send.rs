//! Chooses between a recording and the network.

use std::sync::Arc;

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{
    super::{
        dns::Lookup,
        error::{Error, ErrorKind},
        policy::Policy,
        recording::{Key, Player, Recorder, Recordings},
    },
    Answer, Hop, Responder,
    live::Live,
};
use crate::cancel::Cancel;

/// The sources of responses.
#[derive(Debug)]
pub(in crate::http) struct Transport {
    /// Used instead of everything else.
    responder: Option<Responder>,
    /// `None` if only a recording is used.
    live: Option<Live>,
    /// Used first.
    player: Option<Arc<Player>>,
    /// Used if the server responds with 304.
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
        responder: Option<Responder>,
    ) -> Result<Transport, Error> {
        let live = if recordings.is_closed || responder.is_some() {
            None
        } else {
            Some(Live::new(policy, cancel.clone(), lookup)?)
        };
        let Recordings { player, earlier, recorder, .. } = recordings;
        Ok(Transport { responder, live, player, earlier, recorder, cancel: cancel.clone() })
    }

    /// The same with another policy; both share rates and connections.
    pub(in crate::http) fn with_policy(&self, policy: Arc<Policy>) -> Result<Transport, Error> {
        Ok(Transport {
            responder: self.responder.clone(),
            live: self.live.as_ref().map(|live| live.with_policy(policy)).transpose()?,
            player: self.player.clone(),
            earlier: self.earlier.clone(),
            recorder: self.recorder.clone(),
            cancel: self.cancel.clone(),
        })
    }

    /// True if requests are sent over the network.
    pub(in crate::http) fn is_online(&self) -> bool {
        self.live.is_some()
    }

    /// Sends the request once.
    pub(in crate::http) fn send(&self, hop: Hop<'_>) -> Result<Answer, Error> {
        if let Some(responder) = &self.responder {
            return responder.send(&hop);
        }
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

    /// Sends the request over the network, on the condition that the earlier recording is out of date.
    fn ask(&self, live: &Live, mut hop: Hop<'_>, key: &Key) -> Result<Answer, Error> {
        let validator = self.earlier.as_ref().and_then(|earlier| earlier.validator(key));
        let is_conditional = validator.is_some();
        hop.condition = hop.condition.or(validator);
        let answer = live.ask(&hop)?;
        if answer.status == 304 && is_conditional {
            // There is a validator only for responses that can be replayed.
            if let Some(outcome) = self.earlier.as_ref().and_then(|earlier| earlier.again(key)) {
                return outcome;
            }
        }
        Ok(answer)
    }
}
