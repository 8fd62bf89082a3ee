//! The folder of a copy, and how files get into it and out of it. A run that is killed leaves either the old or the new file at each place,
//! and a ledger that knows which.
//!
//! | file | what it does |
//! | --- | --- |
//! | `writing` | the folder in a run |
//! | `placing`, `group` | groups of verified files to their places, durably |
//! | `history` | verified versions to the history |
//! | `room` | what is in the way of a file |
//! | `removal` | what is deleted, to the trash |
//! | `recovery` | what a killed run has begun, to its end |
//! | `relayout` | all files to what another layout makes of their URIs |
//! | `files`, `copies`, `staging`, `look` | the folder, reached by handles only |
//! | `store` | bytes in a place of the program, instead of the folder |

mod copies;
mod files;
mod group;
mod history;
mod look;
mod placing;
mod recovery;
mod relayout;
mod removal;
mod room;
mod staging;
mod store;
mod writing;

pub use self::store::{Beginning, CopiedResource, CopyStore, Keep, Latest, StoredBytes};
pub(super) use self::{
    copies::{Copies, OWN},
    files::Files,
    look::{Look, look_at, nanoseconds, open_file},
    recovery::remove_finished,
    removal::GROUP,
    staging::{Part, Staging, private_folder},
    store::holding,
    writing::{Folder, PlacingOptions},
};
