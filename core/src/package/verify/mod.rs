//! Verification of a package: its structure, its manifest, its members.

mod contents;
mod unpack;
mod verification;

pub use contents::{Contents, Member, MemberKind, MemberState};
pub use unpack::{ReadAt, Unpack};
pub use verification::{Verification, VerificationStep};
