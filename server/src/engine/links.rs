//! The connections of the thread to the rest of the process.

use std::sync::{
    Arc,
    mpsc::{Receiver, Sender},
};

use tokio::runtime::Handle;

use super::{
    job::{Clock, Job},
    results::Results,
};
use crate::{
    observe::{Log, Metrics, Unconfirmed},
    reach::Reach,
};

/// The connections of the thread to the rest of the process.
pub(crate) struct Links {
    pub(crate) jobs: Receiver<Job>,
    pub(crate) sender: Sender<Job>,
    pub(crate) results: Arc<Results>,
    pub(crate) runtime: Handle,
    pub(crate) reach: Arc<Reach>,
    /// For fetches of topics, whose addresses are allowed separately.
    pub(crate) topics: Arc<Reach>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) unconfirmed: Arc<Unconfirmed>,
    pub(crate) log: Log,
    pub(crate) clock: Clock,
    /// Payloads are refused while the store has more bytes.
    pub(crate) store_bytes: u64,
}
