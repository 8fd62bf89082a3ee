//! Compressed data as pushed bytes.

mod gunzip;

pub use gunzip::{Gunzip, GunzipError};
