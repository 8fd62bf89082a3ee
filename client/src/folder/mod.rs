//! Folders and files that are written whole or not at all, whatever else happens in them.

mod atomic_file;
mod error;
mod exchange;
mod generations;
mod lock;
mod staging;

pub use self::{
    atomic_file::{check, write},
    error::FolderError,
    generations::{Current, Generations, Next},
    lock::Lock,
    staging::{Target, There, look, root},
};
