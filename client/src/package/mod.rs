//! Packages in files, pipes and memory: random access, verification on several threads, unpacking of members.

mod bytes;
mod open;
mod spool;
mod verify;

pub use self::{
    bytes::{Bytes, BytesError},
    open::{OpenPackage, Opened, Place, UnpackError, open},
    spool::{PipedInput, read as spool},
    verify::{InputOutcome, TakeMembers, Verified, verify_bytes, verify_path, verify_taking},
};
