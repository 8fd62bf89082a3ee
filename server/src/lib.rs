//! The WebSub hub as a process, and the server of a subscriber's callbacks.
//!
//! The state machine of `resourcesync-notify` decides everything; this crate provides sockets, a clock, random bytes, a durable store,
//! and the order in which deliveries are sent.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`settings`] | reads the table `hub` of the configuration |
//! | [`hub`] | runs a hub until it is stopped |
//! | [`listen`] | the server of the callbacks of a subscriber |
//! | [`ledger`] | the store, in SQLite or PostgreSQL |
//! | [`admin`] | the client of the administration |
//! | `engine` | the thread that owns the store: commits inputs in groups, and releases outputs afterwards |
//! | `schedule` | which subscription sends next, so that a slow callback delays no other |
//! | `reach` | exchanges with callbacks: addresses are checked, and connections made to the checked address |
//! | `accept` | requests of clients, within limits |
//! | [`tls`] | the certificate and the key of the hub |
//! | `budget` | memory for bodies, by who sends them |
//! | `host` | every request names its host exactly once |
//! | `framing` | rejects headers whose lines proxies split differently |
//! | `reply` | replies as text |
//! | `observe` | metrics and logs |
//! | `signals` | signals that stop the process or reload its settings |
//! | `systemd` | tells systemd what the hub does |

mod accept;
pub mod admin;
mod budget;
mod engine;
mod framing;
mod host;
pub mod hub;
pub mod ledger;
pub mod listen;
mod observe;
mod reach;
mod reply;
mod schedule;
pub mod settings;
mod signals;
mod systemd;
pub mod tls;
