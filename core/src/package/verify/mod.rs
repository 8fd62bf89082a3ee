//! Verification of a package: its structure, its manifest, its members.

mod contents;
mod unpack;
mod verification;

pub use contents::{Contents, Member, MemberKind, State};
pub use unpack::Unpack;
pub use verification::{Fill, Step, Verification};
