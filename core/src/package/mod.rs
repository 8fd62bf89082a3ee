//! Packages: the structure of the ZIP archive, its manifest against its members, fixity.
//!
//! There is no I/O: verification requests byte ranges and the caller supplies them, so files, browser objects and HTTP range requests all work.

mod archive;
mod bytes;
mod directory;
mod end;
mod extra;
mod listing;
mod local;
mod name;
mod name_collision;
mod name_similarity;
mod piece;
mod resource;
mod streamed;
mod structure;
mod unpack;
mod verified;
mod verify;
mod window;
mod work;

pub(crate) use archive::{Archive, ArchiveMember, What};
pub(crate) use bytes::{CENTRAL, DESCRIPTOR, END, END_64, LOCAL, LOCATOR, SENTINEL, SENTINEL_16};
pub(crate) use listing::Listing;
pub(crate) use name::fault as name_fault;
pub(crate) use name_similarity::collisions;
pub(crate) use name_similarity::key as near_key;
pub use piece::Piece;
pub(crate) use resource::Noted;
pub use resource::{MemberResource, Role};
pub(crate) use structure::Structure;
pub(crate) use unpack::{Fault, Unpacking};
pub(crate) use verified::Verified;
pub use verify::{Contents, Member, MemberKind, MemberState, ReadAt, Unpack, Verification, VerificationStep};
pub(crate) use work::plan;
pub use work::{MemberData, TakeMember, Work, Worked, Worker};
