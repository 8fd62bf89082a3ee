//! What a program states: the changes to publish.

use std::{path::PathBuf, time::Duration};

use resourcesync::{
    publish::{Event as Stated, Snapshot},
    value::Datetime,
};

use crate::publish::Inventory;

/// Changes to publish.
#[derive(Debug, Clone)]
pub struct Changes {
    /// The events.
    pub events: Events,
    /// Refuses events that do not fit what is published: a resource that is created but is there, or updated or deleted but is not.
    pub strict: bool,
    /// When a snapshot is written; by default as in earlier runs, or else once a day and before the open Change List is closed.
    pub snapshot: Option<Snapshot>,
    /// How long to wait for another run.
    pub wait: Duration,
}

/// Events, in the order in which they happened.
#[derive(Debug, Clone)]
pub enum Events {
    /// None.
    None,
    /// In memory.
    Stated(Vec<Stated>),
    /// In a file, whose format is recognized.
    File(Inventory),
    /// Paths below the folder of the options where something changed, with the time at which it was noticed: what is there is compared with
    /// what is published.
    Folder(Vec<(PathBuf, Datetime)>),
}
