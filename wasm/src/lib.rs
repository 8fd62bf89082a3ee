//! The core for JavaScript: one thin translation for each verb. The package around it is in `js/`.
//!
//! It is built twice: with feature `whole`, and without for the small module, which only validates documents.

#[cfg(feature = "whole")]
pub mod beside;
#[cfg(feature = "whole")]
pub mod building;
pub mod choice;
#[cfg(feature = "whole")]
pub mod contents;
#[cfg(feature = "whole")]
pub mod differences;
mod fail;
mod found;
#[cfg(feature = "whole")]
mod given;
#[cfg(feature = "whole")]
pub mod hasher;
pub mod outcome;
#[cfg(feature = "whole")]
pub mod packing;
pub mod panic;
#[cfg(feature = "whole")]
mod plain;
#[cfg(feature = "whole")]
pub mod publishing;
#[cfg(feature = "whole")]
pub mod reading;
#[cfg(feature = "whole")]
pub mod rendering;
pub mod validation;
#[cfg(feature = "whole")]
pub mod verification;
#[cfg(feature = "whole")]
pub mod walking;
