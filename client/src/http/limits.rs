//! Limits on the resources that a server can consume: defaults, and the reason of each.

use std::time::Duration;

/// A year: longer than any useful wait, and representable by every clock.
const YEAR: u64 = 31_536_000;

resourcesync::limits! {
    /// Limits on the resources that a server can consume. The names end with their units.
    pub struct Limits {
        /// Seconds to look up a name, and again to connect and negotiate TLS. An address that
        /// drops packets would block for minutes otherwise.
        http_connect_seconds: u64 = 10, YEAR;
        /// Seconds from the request to the end of the headers. Servers that write lists on request may need several.
        http_headers_seconds: u64 = 30, YEAR;
        /// Seconds without a byte: a stalled connection is not reported by the network.
        http_idle_seconds: u64 = 60, YEAR;
        /// Seconds from the first step to the last byte of one response. Bounds responses that never end before their body
        /// begins, such as one header after the other.
        http_total_seconds: u64 = 900, YEAR;
        /// Bytes per second that a body must have, on average over half of http_idle_seconds. A byte per minute would
        /// satisfy http_idle_seconds for ever.
        http_bytes_per_second: u64 = 1_024;
        /// Bytes of all headers of a response, which are kept in memory.
        http_header_bytes: u64 = 65_536, 1 << 30;
        /// Header fields of one response, which are also searched one by one. Servers send ten to thirty; the HTTP library parses no more
        /// than 128.
        http_header_fields: u64 = 100, 128;
        /// Bytes of a body, both encoded and decoded: a small encoded body may decode to any size. Leaves room for large
        /// packages; documents have a lower limit, document_bytes.
        http_body_bytes: u64 = 17_179_869_184;
        /// Redirects of one request: one to HTTPS and one to another host are usual, a loop has no end.
        http_redirects: u64 = 5, 100;
        /// Further attempts after a temporary failure. More would prolong each outage for the server.
        http_retries: u64 = 2, 100;
        /// Seconds that a server may request to wait; beyond that a later run is better than a waiting one.
        http_retry_after_seconds: u64 = 300, YEAR;
        /// Requests at a time, to all hosts: a client that opens more is easily taken for an attack.
        http_connections: u64 = 4, 1_000;
        /// Requests per second to one host, so that a crawl does not slow a repository down; 0 for no limit.
        http_requests_per_second: u64 = 10, 1_000_000;
    }
}

impl Limits {
    pub(super) fn seconds(&self, name: &str) -> Duration {
        Duration::from_secs(self.get(name).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_set_as_far_as_it_fits() {
        let mut limits = Limits::default();
        assert!(limits.set("http_redirects", 100) && !limits.set("http_redirects", 101));
        assert!(limits.set("http_header_fields", 128) && !limits.set("http_header_fields", 129));
        assert_eq!((limits.http_redirects, limits.http_header_fields), (100, 128));
    }
}
