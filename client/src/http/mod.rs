//! HTTP within a policy: requests only what it allows, with a limit on everything that could be endless.
//!
//! [`Client::fetch`] sends a request once; [`fetch`] retries it if that may succeed, within the [`Attempts`] of its caller.
//!
//! | file | what it does |
//! | --- | --- |
//! | `request` | what is requested, and what a server answers |
//! | `client` | one request through redirects to a response, without retries |
//! | `retry` | retries, for callers that want them |
//! | `policy`, `url` | which URIs, hosts, ports and addresses are allowed |
//! | `dns` | host names to addresses: each is looked up once, and checked before a connection is made |
//! | `transport` | one request and its response, over the network or from a recording |
//! | `body`, `content_encoding` | the body, decoded |
//! | `limits`, `rate_limit` | bounds on time, bytes and requests |
//! | `credentials` | headers for one origin only |
//! | `input` | one document or package |
//! | `robots` | robots.txt, if the policy honours it |
//! | `ranged` | random access to a file on a server, by range requests or a temporary copy |
//! | `recording` | responses recorded and replayed |
//! | `error` | why there is no response |

mod backoff;
mod body;
mod client;
mod content_encoding;
mod credentials;
mod dns;
mod error;
mod input;
mod limits;
mod per_host;
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
    input::{FetchedInput, fetch_input, open_package, status_reason, with_status_name},
    limits::Limits,
    per_host::per_host,
    policy::{HostError, Policy, ProxyError},
    ranged::{Found, open, open_ranges},
    recording::{RecordingError, Recordings},
    request::{AcceptEncoding, Condition, Method, Redirects, Request, RequestHeaders, Response},
    retry::{Attempts, fetch},
    transport::{Headers, Made, Responder},
};
pub use resourcesync_notify::exchange::USER_AGENT;
