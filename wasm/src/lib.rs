//! The core for JavaScript: one thin translation for each verb. The package around it is in `js/`.

pub mod building;
pub mod choice;
pub mod contents;
pub mod differences;
mod fail;
mod found;
mod given;
pub mod hasher;
pub mod outcome;
pub mod packing;
pub mod panic;
mod plain;
pub mod publishing;
pub mod reading;
pub mod rendering;
pub mod validation;
pub mod verification;
pub mod walking;
