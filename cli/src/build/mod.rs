//! `resourcesync build`: publishes a folder or an inventory as a Source, and what changed when it is run again.

mod about_page;
mod change;
mod compare;
mod diff;
mod digests;
mod dump;
mod entry;
mod files;
mod folder;
mod grouped;
mod inventory;
mod line_output;
mod metadata;
mod names;
mod packages;
mod publish;
mod record;
mod resource_list_input;
mod run;
mod source;
mod state;
mod types;
mod update;

pub(crate) use self::{diff::run as diff, dump::run as dump, run::run};
