//! HTTP for a validator: asks only where the policy lets it, and gives up on everything that has no end.
//!
//! | file | what it does |
//! | --- | --- |
//! | `client` | one request through redirects, refusals and second tries, to a response |
//! | `policy`, `place`, `address` | which URIs, hosts, ports and addresses may be asked |
//! | `names` | host names to addresses, each looked up once and looked at before a connection is made |
//! | `wire` | one request and its answer, from the network or from a recording |
//! | `body`, `packing` | what follows the headers, in windows, unpacked |
//! | `limits`, `pace`, `retry_after` | how far, how fast, and when again |
//! | `secrets` | headers for one origin only |
//! | `document` | one document or package by itself |
//! | `robots` | robots.txt, where the user wants it heeded |
//! | `ranged`, `spool` | a file on a server, read in stretches, or kept for the while |
//! | `web` | what a walk over a Source asks for |
//! | `recording` | what was answered, kept and given again |
//! | `problem` | why there is no answer |

mod address;
mod body;
mod client;
mod document;
mod limits;
mod names;
mod pace;
mod packing;
mod place;
mod policy;
mod problem;
mod ranged;
mod recording;
mod retry_after;
mod robots;
mod secrets;
mod spool;
mod web;
mod wire;

pub(crate) use self::{
    client::Client,
    document::{Had, ask},
    limits::Limits,
    policy::Policy,
    problem::{Kind, Problem},
    recording::Recordings,
    web::Web,
};
