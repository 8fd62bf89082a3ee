//! Parse, validate and build every ResourceSync (ANSI/NISO Z39.99-2017) document.
#![no_std]

extern crate alloc;

pub mod api;
mod bytes;
pub mod diagnostic;
pub mod limits;
pub mod model;
mod package;
pub mod read;
pub mod report;
pub mod rules;
pub mod span;
pub mod value;
pub mod words;
pub mod write;
pub mod xml;
