//! Packages in files, pipes and memory: random access, verification on several threads, unpacking of members.

mod bytes;
mod open;
mod pieces;
mod spool;
mod verify;

pub use self::{
    bytes::{Bytes, BytesError},
    open::{OpenPackage, Opened, Place, UnpackError, open},
    pieces::{verify_piece, verify_pieces},
    spool::{PipedInput, read as spool},
    verify::{InputOutcome, TakeMembers, Verified, verify_bytes, verify_path, verify_taking},
};
