//! Validates many inputs in one run: files, folders, pipes, URLs, packages before the documents that may list them.

mod folder;
mod input;
mod read;
mod run;

pub use self::{
    input::{From, Input, Named, Step, steps},
    run::{jobs, run},
};
