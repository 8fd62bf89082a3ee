//! The core for JavaScript: one thin wrapper per function. The package around it is in `js/`.
//!
//! It is built once for each module: with feature `whole`, with `validate` alone for the small module, which only validates documents, and
//! with `notify`, `hub` or `sync` alone for notifications, for a hub, and for following Change Lists.

#[cfg(feature = "whole")]
pub mod batch;
#[cfg(feature = "whole")]
pub mod building;
#[cfg(feature = "whole")]
pub mod catalogue;
#[cfg(feature = "whole")]
pub mod comparison;
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
#[cfg(feature = "hub")]
pub mod hub;
#[cfg(feature = "notify")]
pub mod notify;
#[cfg(feature = "whole")]
mod object;
#[cfg(feature = "validate")]
pub mod options;
#[cfg(feature = "validate")]
pub mod outcome;
#[cfg(feature = "whole")]
pub mod packing;
pub mod panic;
#[cfg(any(feature = "whole", feature = "notify"))]
mod plain;
#[cfg(feature = "validate")]
mod progress;
#[cfg(feature = "whole")]
pub mod publishing;
#[cfg(feature = "whole")]
pub mod reading;
#[cfg(feature = "whole")]
pub mod rendering;
#[cfg(feature = "whole")]
pub mod repairing;
#[cfg(feature = "sync")]
pub mod sync;
#[cfg(feature = "turns")]
mod turns;
#[cfg(feature = "whole")]
pub mod update;
#[cfg(feature = "validate")]
pub mod validation;
#[cfg(feature = "whole")]
pub mod verification;
