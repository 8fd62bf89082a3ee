//! Validates many inputs in one run: files, folders, pipes, URLs, packages before the documents that may list them.

mod folder;
mod input;
mod kept;
mod read;
mod run;
mod run_large;
mod step;

pub(crate) use self::folder::documents;
pub use self::{
    input::{Location, NotSingle, steps},
    kept::LargeReport,
    run::{jobs, run},
    run_large::run_large,
    step::{Input, ReadFrom, Step},
};
