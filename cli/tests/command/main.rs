//! Runs the built command on files, as a user would.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod bench;
#[cfg(target_os = "linux")]
mod bounds;
mod build;
mod dumps;
#[cfg(unix)]
mod event_histories;
mod extract;
mod fix;
mod folders;
mod follow;
#[cfg(unix)]
mod histories;
mod http;
mod hub;
mod inputs;
#[cfg(target_os = "linux")]
mod interrupt;
mod inventories;
mod killed;
mod list;
mod listen;
mod merge;
mod notify;
mod oai;
mod options;
mod others;
mod outputs;
mod publishing;
mod readme;
mod serve;
mod settings;
mod sitemap;
mod stated;
mod status;
mod sync;
#[cfg(target_os = "linux")]
mod watch;
mod words;
