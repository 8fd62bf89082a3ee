//! Parse, validate and build every ResourceSync (ANSI/NISO Z39.99-2017) document.
#![no_std]

extern crate alloc;

pub mod limits;
pub mod span;
