//! Responses that the program makes itself, for Sources in memory.

use std::{fmt, sync::Arc};

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{
    super::{
        body::Raw,
        error::{Error, ErrorKind},
    },
    Answer, Headers, Hop,
};

/// A response made by a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Made {
    /// The status.
    pub status: u16,
    /// The header fields.
    pub headers: Vec<(String, String)>,
    /// The body, or the part of it after which the connection ends.
    pub body: Vec<u8>,
    /// True if the connection ends within the body.
    pub is_cut: bool,
}

/// Responds to requests: its URI, and its header fields with names in lower case; `None` if there is no connection.
#[derive(Clone)]
pub struct Responder(Arc<Respond>);

type Respond = dyn Fn(&str, &[(String, String)]) -> Option<Made> + Send + Sync;

impl Responder {
    /// Responds with what a function returns, which is called from several threads.
    pub fn new(respond: impl Fn(&str, &[(String, String)]) -> Option<Made> + Send + Sync + 'static) -> Responder {
        Responder(Arc::new(respond))
    }

    pub(super) fn send(&self, hop: &Hop<'_>) -> Result<Answer, Error> {
        let headers: Vec<_> = hop.headers.iter().cloned().chain(hop.condition.clone()).collect();
        let Some(made) = (self.0)(&hop.target.uri, &headers) else {
            return Err(Error::new(ErrorKind::Connection, Reason::new(ReasonCode::ConnectionClosed)));
        };
        let headers = made.headers.into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect();
        let raw = Box::new(Bytes { bytes: made.body, at: 0, is_cut: made.is_cut });
        Ok(Answer { status: made.status, headers: Headers::new(headers), raw })
    }
}

impl fmt::Debug for Responder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Responder")
    }
}

/// A body in memory.
struct Bytes {
    bytes: Vec<u8>,
    at: usize,
    is_cut: bool,
}

impl Raw for Bytes {
    fn next(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.is_empty() && self.is_cut {
            return Err(Error::new(ErrorKind::Cut, Reason::new(ReasonCode::ConnectionClosed)));
        }
        let length = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        self.at = self.at.saturating_add(length);
        Ok(length)
    }
}
