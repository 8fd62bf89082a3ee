//! What the programs share: the documents they measure by, and how those are read from disk.

pub mod building;
pub mod disk;
pub mod inputs;
#[cfg(unix)]
pub mod packages;
pub mod passes;
pub mod table;
