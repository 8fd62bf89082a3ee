//! Recordings: responses kept in a file, and replayed from it.
//!
//! A file is an HTTP Archive (HAR 1.2), which browsers and proxies open. Concurrent exchanges are interleaved. Of several exchanges
//! with equal requests, the last complete one counts.

mod exchanges;
mod har;
mod key;
mod lines;
mod open;
mod player;
mod recorder;

pub use self::open::{RecordingError, Recordings};
pub(super) use self::{key::Key, player::Player, recorder::Recorder};
