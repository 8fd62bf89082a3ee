//! What the programs share: the documents they measure by, and how those are read from disk.

pub mod disk;
pub mod inputs;
pub mod passes;
