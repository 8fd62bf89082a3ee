//! Validates many inputs in one run: files, folders, pipes, URLs, packages before the documents that may list them.

mod folder;
mod input;
mod kept;
mod read;
mod run;

pub(crate) use self::folder::documents;
pub use self::{
    input::{Input, Location, NotSingle, ReadFrom, Step, steps},
    kept::{LargeReport, run_large},
    run::{jobs, run},
};
