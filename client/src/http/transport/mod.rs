//! One request and its response: over the network, from a recording, or from the program itself.

mod answer;
mod hop;
mod live;
mod program;
mod send;

#[cfg(feature = "objects")]
pub(super) use self::live::plain_agent;
pub(super) use self::{
    answer::Answer,
    hop::{Empty, Hop},
    send::Transport,
};
pub use self::{
    answer::Headers,
    program::{Made, Responder},
};
