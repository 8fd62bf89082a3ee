//! Decompression of pushed bytes.

mod gunzip;

pub use gunzip::{Gunzip, GunzipError};
