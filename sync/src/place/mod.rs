//! The path of a URI below the folder of the copy: a function of the URI only, distinct for different URIs.
//!
//! | layout | path |
//! | --- | --- |
//! | `uri` | host, then one folder for each segment of the path, readable |
//! | `portable` | the same, with a name that is the same on every file system |
//! | `hash` | `ab/cd/` and the SHA-256 of the URI |
//!
//! `^` occurs in no URI, so names that contain it cannot collide with others.

mod layout;
mod map;
mod places;
mod segment;

pub use self::{
    layout::Layout,
    map::Map,
    places::{Places, aside},
    segment::folded,
};
