//! How to subscribe.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, time::Duration};

use resourcesync::value::Uri;

use crate::{payload::Channel, rules::LEASE};

/// How to subscribe.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    pub(super) callback: String,
    /// The kinds of channels to subscribe to.
    pub channels: Vec<Channel>,
    /// The lease to request.
    pub lease: Duration,
    /// Subscribes with every hub of a topic, not only with one.
    pub all_hubs: bool,
    /// Sends secrets to hubs without TLS too.
    pub allow_http: bool,
    /// Takes signatures by SHA-1 too.
    pub allow_sha1: bool,
    /// Answers 202 to a delivery that is not signed as it should be, and drops it. Otherwise the answer is 403, and the hub tries again.
    pub drop_unsigned: bool,
    /// Bytes of a notification.
    pub body_bytes: usize,
}

impl Options {
    /// With a URI that the callbacks of all channels are below.
    ///
    /// # Errors
    ///
    /// If it is not an http or https URI that ends with a slash.
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

/// A URI that no callbacks can be below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallbackError(String);

impl fmt::Display for CallbackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "callback: `{}` is not an http or https URI that ends with a slash", self.0)
    }
}

impl core::error::Error for CallbackError {}
