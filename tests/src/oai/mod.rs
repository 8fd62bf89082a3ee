//! Transcripts of harvests: the responses of a repository, and the resulting events of the state machine. The format is described in
//! `corpus/README.md`.

mod body;
mod case;
mod check;
mod play;
mod provider;
mod repository;
mod shared;
mod shared_check;

pub use body::Body;
pub use case::{OaiCase, Response, cases};
pub use check::{CheckCase, CheckVariant, Checked, check_cases, checked, findings};
pub use play::{play, play_killed};
pub use provider::{Edit, Profile, Provider, Scripted};
pub use repository::{Item, Repository, decoded};
pub use shared::shared;
pub use shared_check::shared_checks;
