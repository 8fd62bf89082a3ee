//! Shared by the programs: the measured documents, and reading them from disk.

pub mod building;
pub mod disk;
pub mod inputs;
pub mod oai_pages;
#[cfg(unix)]
pub mod packages;
pub mod passes;
pub mod sharing;
pub mod table;
