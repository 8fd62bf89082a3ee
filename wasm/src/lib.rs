//! The core for JavaScript: one thin translation for each verb. The package around it is in `js/`.
//!
//! It is built twice: with feature `whole`, and without for the small module, which only validates documents.

#[cfg(feature = "whole")]
pub mod batch;
#[cfg(feature = "whole")]
pub mod building;
#[cfg(feature = "whole")]
pub mod catalogue;
#[cfg(feature = "whole")]
pub mod contents;
#[cfg(feature = "whole")]
mod convert;
#[cfg(feature = "whole")]
pub mod crawler;
#[cfg(feature = "whole")]
pub mod differences;
mod fail;
#[cfg(feature = "whole")]
pub mod folder;
#[cfg(feature = "whole")]
pub mod hasher;
#[cfg(feature = "whole")]
pub mod notify;
pub mod options;
pub mod outcome;
#[cfg(feature = "whole")]
pub mod packing;
pub mod panic;
#[cfg(feature = "whole")]
mod plain;
mod progress;
#[cfg(feature = "whole")]
pub mod publishing;
#[cfg(feature = "whole")]
pub mod reading;
#[cfg(feature = "whole")]
pub mod rendering;
pub mod validation;
#[cfg(feature = "whole")]
pub mod verification;
