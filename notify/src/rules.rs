//! The constants of the specifications that this crate implements, each with its section.
//!
//! `W` is the W3C Recommendation WebSub of 23 January 2018, `CN` Change Notification 1.0.1, `FN` Framework Notification 1.0.1. A new
//! version of a specification requires changes to this file.

use core::time::Duration;

/// Media type of payloads and topics (CN and FN §4.1, §4.3).
pub const PAYLOAD_TYPE: &str = "application/xml";
/// Media type of subscription requests (W §5.1, CN §4.2).
pub const FORM_TYPE: &str = "application/x-www-form-urlencoded";
/// The header that carries a signature (W §7).
pub const SIGNATURE_HEADER: &str = "X-Hub-Signature";

/// The only status for an accepted payload (CN §4.1, FN §4.1).
pub const ACCEPTED_PAYLOAD: u16 = 200;
/// The status of a subscription request that the hub will verify (W §5.1.2, CN §4.2).
pub const ACCEPTED_REQUEST: u16 = 202;
/// Statuses of a hub that has moved (W §5.1.3).
pub const HUB_MOVED: [u16; 2] = [307, 308];
/// Statuses of a topic that has moved (W §4).
pub const TOPIC_MOVED: [u16; 4] = [301, 302, 307, 308];
/// The maximum number of redirects in one request. The specifications define none.
pub const REDIRECTS: u8 = 5;

/// The length of a secret is below this number of bytes (W §5.1).
pub const SECRET_BYTES: usize = 200;
/// The requested lease, also assumed if a hub does not state one (W §8.2: "10 days is a good default").
pub const LEASE: Duration = Duration::from_secs(864_000);
/// The shortest lease a hub should grant (FN §4.2; CN excludes the value itself).
pub const SHORTEST_LEASE: Duration = Duration::from_secs(300);
/// The longest lease a hub should grant (FN §4.2).
pub const LONGEST_LEASE: Duration = Duration::from_secs(2_678_400);

/// The maximum number of entries in a document (Sitemap protocol, Z39.99-2017 §7); more changes are split into
/// several payloads (CN §3).
pub const PAYLOAD_ENTRIES: u64 = resourcesync::limits::STANDARD_ENTRIES;
