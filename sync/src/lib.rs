//! The Destination of ResourceSync (Z39.99-2017 §5.2) without I/O, clock or threads: what a Source lists, what is to be fetched, whether what
//! was fetched is what is listed, and what may be deleted.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`survey`] | reads the documents of a Source to the resources that are listed |
//! | [`wanted`], [`held`] | a resource as listed, and as held |
//! | [`decide`](mod@decide) | what to do about one resource |
//! | [`transfer`] | one resource on its way, verified while its bytes arrive |
//! | [`place`] | the file that a URI is stored in |
//! | [`guard`] | whether deletions may be done |
//! | [`conclude`](mod@conclude) | whether the copy is in step |
//! | [`report`] | what a run reports |
//! | [`catalogue`] | the rules `SYN-nn`, with their texts |
//!
//! A driver does the rest: it sends the requests that [`survey::Survey`] and [`transfer::Transfer`] name, keeps the ledger and the files.
#![no_std]
// Documents are hostile: every index and every sum on them is checked.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

extern crate alloc;

pub mod catalogue;
pub mod conclude;
pub mod decide;
pub mod guard;
pub mod held;
pub mod place;
pub mod report;
pub mod survey;
pub mod transfer;
pub mod wanted;

pub use self::{
    conclude::conclude,
    decide::{Action, decide},
    held::{Held, Local},
    place::{Layout, Map, Places},
    survey::Survey,
    transfer::Transfer,
    wanted::Wanted,
};
