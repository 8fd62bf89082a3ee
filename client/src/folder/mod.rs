//! Folders and files that are written whole or not at all, whatever happens meanwhile.

mod atomic_file;
mod error;
mod exchange;
mod generations;
mod lock;
mod staging;

pub use self::{
    atomic_file::{check_writable, is_temporary, write_atomic},
    error::FolderError,
    generations::{Current, Generations, Next},
    lock::Lock,
    staging::{Existing, StagedFolder, existing, open_folder},
};
