//! One request and its response: over the network, or from a recording.

mod answer;
mod live;
mod send;

pub use self::answer::Headers;
pub(super) use self::{
    answer::Answer,
    send::{Empty, Hop, Transport},
};
