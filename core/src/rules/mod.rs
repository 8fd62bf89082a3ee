//! Every requirement of the standard: the table of kinds, the rules, the Checker.
//!
//! A rule is a file in the folder of what it looks at, listed in the `mod.rs` there.

mod all;
mod check_context;
mod checker;
mod depends;
mod dispatch;
mod document_state;
mod entry_shape;
mod first_seen;
mod package_context;
mod prelude;
mod profile;
mod rule;
mod silent_shapes;
mod table;

mod advice;
mod document;
mod entry;
mod input;
mod link;
mod package;
mod search_engine;
mod source;
mod time;
mod value;
mod zip;

pub use all::ALL;
pub use check_context::{Check, CheckContext, timed};
pub use checker::{Checker, DocumentContext};
pub use depends::Depends;
pub use document_state::{DocumentState, Earlier, PathStep};
pub use entry_shape::EntryShape;
pub use first_seen::FirstSeen;
pub use package_context::{FoundMember, KnownPackage, KnownPackages, PackageMembers};
pub use profile::{COMMON, Delivery, KindProfile, Level, Listed, Need, PROFILES};
pub use rule::Rule;
pub(crate) use rule::rule;
#[cfg(feature = "texts")]
pub use rule::{Explanation, Texts};
