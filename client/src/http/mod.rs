//! HTTP for a validator: asks only where the policy lets it, and gives up on everything that has no end.
//!
//! | file | what it does |
//! | --- | --- |
//! | `client` | one request through redirects, refusals and second tries, to a response |
//! | `policy`, `url`, `address` | which URIs, hosts, ports and addresses may be asked |
//! | `dns` | host names to addresses, each looked up once and looked at before a connection is made |
//! | `transport` | one request and its answer, from the network or from a recording |
//! | `body`, `content_encoding` | what follows the headers, in windows, unpacked |
//! | `limits`, `rate_limit`, `retry_after` | how far, how fast, and when again |
//! | `credentials` | headers for one origin only |
//! | `input` | one document or package by itself |
//! | `robots` | robots.txt, where the user wants it heeded |
//! | `ranged` | a file on a server, read with range requests, or kept in a temporary file |
//! | `recording` | what was answered, kept and given again |
//! | `error` | why there is no answer |

mod address;
mod body;
mod client;
mod content_encoding;
mod credentials;
mod dns;
mod error;
mod input;
mod limits;
mod policy;
mod ranged;
mod rate_limit;
mod recording;
mod retry_after;
mod robots;
mod transport;
mod url;

pub use self::{
    body::Body,
    client::{Client, ClientOptions, Notice, OnNotice, Packed, Request, Response},
    credentials::{CredentialError, Credentials},
    error::{Kind, Problem},
    input::{Had, ask},
    limits::Limits,
    policy::{Policy, ProxyError},
    ranged::{Found, open},
    recording::{RecordingError, Recordings},
    transport::{Headers, Method},
};
