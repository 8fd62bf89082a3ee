//! `resourcesync build`: publishes a folder or an inventory as a Source, and what changed when it is run again.

mod about;
mod by_set;
mod change;
mod compare;
mod diff;
mod digests;
mod dump;
mod entry;
mod files;
mod fill;
mod folder;
mod gather;
mod glob;
mod inventory;
mod listed;
mod names;
mod packages;
mod record;
mod rotate;
mod run;
mod say;
mod site;
mod source;
mod state;
mod types;

pub(crate) use self::{
    diff::run as diff,
    dump::run as dump,
    glob::Glob,
    rotate::Rotate,
    run::run,
    source::{base, check_set},
};
