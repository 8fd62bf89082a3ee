//! Making documents: mending those that were read.

pub mod repair;
