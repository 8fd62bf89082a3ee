//! The Destination of ResourceSync (Z39.99-2017 §5.2) without I/O, clock or threads: reads the lists of a Source, decides what to fetch,
//! verifies transfers, and decides what may be deleted.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`destination`] | one run, from the first document to the report |
//! | [`survey`] | reads the documents of a Source to find the listed resources |
//! | [`chain`] | follows the Change Lists of a Source since the last run |
//! | [`checkpoint`] | how far the changes of a set have been processed |
//! | [`change`] | a change as listed |
//! | [`listed_resource`], [`stored_state`] | a resource as listed, and as stored |
//! | [`decide`](mod@decide) | the action for one resource |
//! | [`transfer`] | a transfer of one resource, verified while its bytes arrive |
//! | [`dumps`] | reads the Resource Dumps of a Source for their packages |
//! | [`package`](mod@package) | a package that a dump lists, and what it may be used for |
//! | [`patch`] | a description of how a resource changed, in place of its bytes |
//! | [`origin`] | whether packages or single requests take less time |
//! | [`place`] | the file that a URI is stored in |
//! | [`documents`] | what a driver has to know of a machine that asks for documents |
//! | [`stream`] | the entries of Change Lists between two positions, each once |
//! | [`follower`] | the last change of each resource since a checkpoint, in memory |
//! | [`reduce`] | several changes of a resource to the last one |
//! | [`ledger`] | the interface to what a copy knows, and a ledger in memory |
//! | [`memory`] | a copy in memory, with its driver |
//! | [`pull`] | one run whose resources a program takes, with a ledger in memory |
//! | [`selection`] | which of the listed resources are copied |
//! | [`related`] | linked resources that are copied with a listed one |
//! | [`guard`] | whether deletions are allowed |
//! | [`conclude`](mod@conclude) | whether the copy is in step |
//! | [`audit`] | how a stored resource compares with its entry |
//! | [`record`] | what a run found and did, and its outcome |
//! | [`report`] | the report of a run |
//! | [`catalogue`] | the rules `SYN-nn`, with their texts |
//!
//! A driver sends the requests of [`Destination`] and [`Transfer`], and stores the ledger and the files.
#![no_std]
// Documents are hostile: every index and every sum on them is checked.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

extern crate alloc;

pub mod audit;
pub mod bits;
pub mod catalogue;
pub mod chain;
pub mod change;
pub mod checkpoint;
pub mod conclude;
pub mod decide;
pub mod destination;
pub mod digests;
pub mod documents;
pub mod dumps;
pub mod follower;
pub mod guard;
mod known;
pub mod ledger;
pub mod listed_resource;
pub mod memory;
pub mod origin;
pub mod package;
pub mod patch;
pub mod place;
pub mod pull;
pub mod record;
pub mod reduce;
pub mod related;
pub mod report;
pub mod selection;
pub mod stored_state;
pub mod stream;
pub mod survey;
pub mod transfer;

pub use self::{
    chain::Chain,
    change::Change,
    checkpoint::Checkpoint,
    conclude::conclude,
    decide::{Action, decide},
    destination::Destination,
    follower::Follower,
    listed_resource::ListedResource,
    place::{Layout, Map, Places},
    pull::Pull,
    record::Record,
    stored_state::{Local, StoredState},
    stream::Stream,
    survey::Survey,
    transfer::Transfer,
};
