//! Limits on the resources that a server can consume: defaults, and the reason of each.

use std::time::Duration;

/// The single list of limits: names, defaults, and access by name.
macro_rules! limits {
    ($($(#[doc = $why:literal])+ $name:ident = $default:literal, $greatest:expr;)+) => {
        /// Limits on the resources that a server can consume. The names end with their units.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Limits {
            $($(#[doc = $why])+ pub $name: u64,)+
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($name: $default,)+ }
            }
        }

        impl Limits {
            /// The names of all limits, as configuration and messages write them.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            /// Sets a limit by its name. False if there is no such limit, or the value does not fit it.
            #[must_use]
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($name) if value <= $greatest => self.$name = value,)+
                    _ => return false,
                }
                true
            }

            /// The value of a limit by its name.
            pub fn get(&self, name: &str) -> Option<u64> {
                match name {
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

/// A year: longer than any useful wait, and representable by every clock.
const YEAR: u64 = 31_536_000;

limits! {
    /// Seconds to look up a name, and again to connect and negotiate TLS. An address that
    /// drops packets would block for minutes otherwise.
    http_connect_seconds = 10, YEAR;
    /// Seconds from the request to the end of the headers. Servers that write lists on request may need several.
    http_headers_seconds = 30, YEAR;
    /// Seconds without a byte: a stalled connection is not reported by the network.
    http_idle_seconds = 60, YEAR;
    /// Seconds from the first step to the last byte of one response. Bounds responses that never end before their body
    /// begins, such as one header after the other.
    http_total_seconds = 900, YEAR;
    /// Bytes per second that a body must have, on average over half of http_idle_seconds. A byte per minute would
    /// satisfy http_idle_seconds for ever.
    http_bytes_per_second = 1_024, u64::MAX;
    /// Bytes of all headers of a response, which are kept in memory.
    http_header_bytes = 65_536, 1 << 30;
    /// Bytes of a body, both encoded and decoded: a small encoded body may decode to any size. Leaves room for large
    /// packages; documents have a lower limit, document_bytes.
    http_body_bytes = 17_179_869_184, u64::MAX;
    /// Redirects of one request: one to HTTPS and one to another host are usual, a loop has no end.
    http_redirects = 5, 100;
    /// Further attempts after a temporary failure. More would prolong each outage for the server.
    http_retries = 2, 100;
    /// Seconds that a server may request to wait; beyond that a later run is better than a waiting one.
    http_retry_after_seconds = 300, YEAR;
    /// Requests at a time, to all hosts: a client that opens more is easily taken for an attack.
    http_connections = 4, 1_000;
    /// Requests per second to one host, so that a crawl does not slow a repository down; 0 for no limit.
    http_requests_per_second = 10, 1_000_000;
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
    fn every_limit_is_set_by_its_name_as_far_as_it_fits() {
        let mut limits = Limits::default();
        for name in Limits::NAMES {
            assert!(limits.set(name, 7));
            assert_eq!(limits.get(name), Some(7));
        }
        assert!(!limits.set("http_redirects", 101));
        assert!(!limits.set("depth", 1));
    }
}
