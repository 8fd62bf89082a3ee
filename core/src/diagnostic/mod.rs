//! What can be found, and findings: codes, the catalogue of requirements, places, named arguments.

mod catalogue;
mod finding;
mod level;
mod reason;

pub use catalogue::{Code, Requirement};
pub use finding::{Arg, EntryRef, Finding, Path, RelatedSpan, Sink};
pub use level::{Level, Severity};
pub use reason::{Reason, ReasonCode};
