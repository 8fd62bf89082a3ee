//! What a run that publishes decides: what changed, what it writes, and what the next run needs to know.
//!
//! A run reads all resources as [`Record`]s, pairs them with those of the previous generation ([`pairs`]), compares each pair ([`compare`]),
//! counts the result and finds the changes ([`Update`]), and writes a complete new [`Generation`] with its [`State`]. The caller stores
//! files and sorts records; whoever does so, the next run of any face continues from the same state.
//!
//! A publication of stated changes costs what changed, not what is published: [`Batch`] reduces [`Event`]s to changes, [`ChangeDocuments`]
//! writes the Change Lists, and the [`Ledger`] records the publication as a [`Group`] of its log. A snapshot is a generation of the merged
//! ledger.

mod about;
mod change;
mod compare;
mod events;
mod file_record;
mod generation;
mod intake;
mod ledger;
mod membership;
mod mismatch;
mod names;
mod plan;
mod record;
mod remembered;
mod run_moment;
mod state;
mod update;

pub use about::{ABOUT, about_uri, write_about};
pub use change::Change;
pub use compare::{Compared, Pair, compare, pairs};
pub use events::{
    Batch, BatchCounts, ChangeDocuments, Due, Event, EventTimes, EventVerb, JOURNAL, Journal, LOG_BYTES, Net,
    SinceSnapshot, Snapshot, TAKEN, Unexpected, Watch, WatchTimes, Written,
};
pub use file_record::{FileDigest, FileRecord};
pub use generation::{ChangeLists, Generation};
pub use intake::{Intake, Rejected};
pub use ledger::{
    Block, BlockIndex, BlockIndexWriter, Found, Group, INDEX, LOG, Ledger, LogReader, OpenChanges, Overlay, Recovery,
    SetUpdate, merged, staged, staged_number,
};
pub use membership::Membership;
pub use mismatch::Mismatch;
pub use names::{check_set, prefix};
pub use plan::{Plan, options_text};
pub use record::Record;
pub use remembered::Remembered;
pub use run_moment::{MomentError, RunMoment, run_moment};
pub use state::{CHANGES, Dump, INVENTORY, Notified, STATE, Set, State};
pub use update::{Listed, Update};
