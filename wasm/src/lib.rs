//! The core for JavaScript: one thin wrapper per function. The package around it is in `js/`.
//!
//! It is built once for each module: with feature `whole`, with `validate` alone for the small module, which only validates documents, and
//! with `publish`, `notify`, `hub`, `sync` or `oai` alone for publishing to a folder, for notifications, for a hub, for following Change Lists,
//! and for harvesting OAI-PMH repositories.

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
#[cfg(any(feature = "whole", feature = "publish"))]
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
#[cfg(feature = "whole")]
pub mod merging;
#[cfg(feature = "notify")]
pub mod notify;
#[cfg(feature = "oai")]
pub mod oai;
#[cfg(any(feature = "whole", feature = "publish"))]
mod object;
#[cfg(any(feature = "validate", feature = "publish"))]
pub mod options;
#[cfg(feature = "validate")]
mod origin;
#[cfg(any(feature = "whole", feature = "publish"))]
mod outbox;
#[cfg(feature = "validate")]
pub mod outcome;
#[cfg(feature = "whole")]
pub mod packing;
pub mod panic;
#[cfg(any(feature = "whole", feature = "publish", feature = "notify"))]
mod plain;
#[cfg(feature = "validate")]
mod progress;
#[cfg(feature = "whole")]
pub mod publishing;
#[cfg(feature = "whole")]
pub mod reading;
#[cfg(feature = "publish")]
pub mod records;
#[cfg(feature = "whole")]
pub mod rendering;
#[cfg(feature = "whole")]
pub mod repairing;
#[cfg(feature = "sync")]
pub mod sync;
#[cfg(feature = "turns")]
mod turns;
#[cfg(feature = "validate")]
pub mod validation;
#[cfg(feature = "whole")]
pub mod verification;
