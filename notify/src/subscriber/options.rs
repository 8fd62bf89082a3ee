//! Options of a subscriber.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, time::Duration};

use resourcesync::value::Uri;

use crate::{payload::Channel, rules::LEASE};

/// Options of a subscriber.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    pub(super) callback: String,
    /// The kinds of channels to subscribe to.
    pub channels: Vec<Channel>,
    /// The lease to request.
    pub lease: Duration,
    /// Subscribes at every hub of a topic instead of only one.
    pub all_hubs: bool,
    /// Also sends secrets to hubs without TLS.
    pub allow_http: bool,
    /// Also accepts SHA-1 signatures.
    pub allow_sha1: bool,
    /// Responds with 202 to a delivery without a valid signature, and drops it. Otherwise the response is 403, and the hub retries.
    pub drop_unsigned: bool,
    /// The maximum size of a notification in bytes.
    pub body_bytes: usize,
}

impl Options {
    /// Sets the base URI of the callbacks of all channels.
    ///
    /// # Errors
    ///
    /// If the URI is not an http or https URI that ends with a slash.
    pub fn new(callback: &str) -> Result<Options, CallbackError> {
        let is_base = |uri: &Uri| uri.is_http() && callback.ends_with('/') && !callback.contains(['?', '#']);
        match callback.parse::<Uri>() {
            Ok(uri) if is_base(&uri) => Ok(Options {
                callback: callback.to_string(),
                channels: Channel::ALL.to_vec(),
                lease: LEASE,
                all_hubs: false,
                allow_http: false,
                allow_sha1: false,
                drop_unsigned: false,
                body_bytes: 8 << 20,
            }),
            _ => Err(CallbackError(callback.to_string())),
        }
    }
}

/// A URI that cannot be the base of callbacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackError(String);

impl fmt::Display for CallbackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "callback: `{}` is not an http or https URI that ends with a slash", self.0)
    }
}

impl core::error::Error for CallbackError {}
