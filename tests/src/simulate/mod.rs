//! Random runs of a Source, a hub and three Destinations in one process, with a virtual clock and a network that loses, delays and repeats.
//!
//! All of them are the machines of the libraries: `Publisher`, `Hub` with the ledger in memory, `Listener`, and `Survey` and `Chain` for the
//! copies. Processes are killed at any time, also between making their state durable and the effects of it. After the faults have
//! ended and the Source has changed once more, every copy must be equal to the Source; only Destinations that apply notifications directly poll without
//! a reason.
//!
//! | file | contents |
//! | --- | --- |
//! | `world` | the clock, the network, kills, and what must hold at the end |
//! | `source`, `hub`, `destination` | the parties |

// A seed that fails is a panic with a message.
#![allow(clippy::unwrap_used)]

mod destination;
mod hub;
mod random;
mod source;
mod world;

pub use self::world::{Numbers, run};

const SOURCE: &str = "https://source.example/";
const HUB: &str = "https://hub.example/";
const TOPIC: &str = "https://hub.example/t/changes";
const TOKEN: &str = "token";
/// Its SHA-256.
const TOKEN_SHA256: &str = "3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0";
