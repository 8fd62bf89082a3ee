//! HTTP for a validator: asks only where the policy lets it, and gives up on everything that has no end.
//!
//! | file | what it does |
//! | --- | --- |
//! | `request` | what is requested, and what a server answers |
//! | `client` | one request through redirects to a response; nothing is tried again |
//! | `retry` | another try where that may help, for those who want it |
//! | `policy`, `url` | which URIs, hosts, ports and addresses may be asked |
//! | `dns` | host names to addresses, each looked up once and looked at before a connection is made |
//! | `transport` | one request and its answer, from the network or from a recording |
//! | `body`, `content_encoding` | what follows the headers, in windows, unpacked |
//! | `limits`, `rate_limit` | how far, and how fast |
//! | `credentials` | headers for one origin only |
//! | `input` | one document or package by itself |
//! | `robots` | robots.txt, where the user wants it honoured |
//! | `ranged` | a file on a server, read with range requests, or kept in a temporary file |
//! | `recording` | what was answered, kept and given again |
//! | `error` | why there is no answer |

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
mod request;
mod retry;
mod robots;
mod transport;
mod url;

pub use self::{
    body::Body,
    client::{Client, ClientOptions, Notice, OnNotice},
    credentials::{Credentials, HeaderError},
    error::{Error, ErrorKind, Received},
    input::{FetchedInput, fetch_input},
    limits::Limits,
    policy::{Policy, ProxyError},
    ranged::{Found, open},
    recording::{RecordingError, Recordings},
    request::{AcceptEncoding, Condition, Method, Redirects, Request, RequestHeaders, Response},
    retry::{Attempts, fetch},
    transport::Headers,
};
