//! Recordings: responses kept in a file, and replayed from it.
//!
//! A file has one JSON value per line. The first line names the format. Then each exchange has a line with its number, the request,
//! status and headers; lines with its number and a window of the body in base64; and a line with its number and how it ended.
//! Concurrent exchanges are interleaved. Of several exchanges with equal requests, the last complete one counts.

mod line;
mod open;
mod player;
mod recorder;

pub use self::open::{RecordingError, Recordings};
pub(super) use self::{line::Key, player::Player, recorder::Recorder};
