//! `resourcesync build`, `dump` and `diff`: publish or package a folder or an inventory, and compare two.

mod diff;
mod dump;
mod line_output;
mod report;
mod run;
mod summary;

pub(crate) use self::{diff::run as diff, dump::run as dump, run::run};
