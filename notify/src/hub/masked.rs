//! Callbacks in logs.

use alloc::string::{String, ToString};

use resourcesync::value::to_hex;
use sha2::{Digest, Sha256};

use super::HostPort;

/// A callback for logs: its host, and a digest in place of the rest, which only subscribers may know.
pub fn masked(callback: &str) -> String {
    masked_at(&HostPort::of(callback).map(|found| found.to_string()).unwrap_or_default(), callback)
}

/// The same for a callback whose host is known.
pub(super) fn masked_at(host: &str, callback: &str) -> String {
    let digest = to_hex(Sha256::digest(callback.as_bytes()).get(..4).unwrap_or_default());
    [host, "#", &digest].concat()
}
