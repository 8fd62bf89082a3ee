//! Transcripts of harvests: what a repository answers, and what the machine makes of it. The format is described in `corpus/README.md`.

mod body;
mod case;
mod play;
mod repository;

pub use body::Body;
pub use case::{OaiCase, Response, cases};
pub use play::{play, play_killed};
pub use repository::{Item, Repository};
