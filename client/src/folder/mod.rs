//! Folders and files that are written atomically.

mod atomic_file;
mod carry;
mod enter;
mod error;
mod exchange;
mod generations;
mod identity;
mod lock;
mod private_folder;
mod staging;

#[cfg(not(target_os = "linux"))]
pub(crate) use self::exchange::sync;
pub(crate) use self::exchange::{probe as can_exchange, swap};
pub use self::{
    atomic_file::{Fill, check_writable, is_temporary, write_atomic, write_atomic_with},
    carry::files_below,
    error::FolderError,
    generations::{Current, Generations, Next, is_state_folder},
    identity::{input_of, is_of_other_user, is_same_file},
    lock::Lock,
    private_folder::is_reserved,
    staging::{Existing, StagedFolder, existing, open_file, open_folder},
};
pub(crate) use self::{
    carry::{is_mounted, same_access},
    generations::{HARVEST, remove as remove_generation},
};
