//! What servers answered, kept in a file and given again.
//!
//! The file has a JSON value a line. The first line names the form. Then, for each exchange, a line with its number, what was asked, status and
//! headers; lines with its number and a window of the body in base64; and a line with its number that says how it ended. Exchanges
//! that were under way at the same time are mixed. Where something was asked more than once, the last whole exchange counts.

mod line;
mod open;
mod player;
mod recorder;

pub use self::open::{RecordingError, Recordings};
pub(super) use self::{line::Key, player::Player, recorder::Recorder};
