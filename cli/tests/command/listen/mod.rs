//! `listen`: processes on 127.0.0.1 that subscribe, are notified, killed and stopped.

mod bench;
mod copy;
mod direct;
mod events;
mod protocol;
mod watched;
