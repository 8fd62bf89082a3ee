//! `resourcesync build`, `dump` and `diff`: publish or package a folder or an inventory, and compare two.

mod diff;
mod dump;
mod line_output;
mod outcome;
mod report;
mod run;
mod sitemap;
mod summary;
mod watch;

pub(crate) use self::{
    diff::run as diff,
    dump::run as dump,
    outcome::print,
    report::{Reporter, Unchanged},
    run::run,
    summary::{Outcome, Summary},
};
