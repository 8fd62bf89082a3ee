//! Parse, validate and build every ResourceSync (ANSI/NISO Z39.99-2017) document.
#![no_std]

extern crate alloc;

pub mod diagnostic;
pub mod limits;
pub mod model;
pub mod rules;
pub mod span;
pub mod value;
