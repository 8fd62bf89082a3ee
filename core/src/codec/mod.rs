//! Decompression of pushed bytes.

mod gunzip;
mod inflate;

pub use gunzip::{Gunzip, GunzipError};
pub(crate) use inflate::{Inflate, Progress};
