//! Packages on a real machine: their bytes wherever they are, their verification on several threads, their members unpacked.

mod bytes;
mod open;
mod spool;
mod verify;

pub use self::{
    bytes::{Bytes, Failure},
    open::{Failed, Opened, open},
    spool::Sorting,
    verify::{Done, Verified, verify_bytes, verify_path},
};
