//! Codes, the catalogue of requirements, and findings with positions and named arguments.

mod catalogue;
mod finding;
mod level;
mod reason;
#[cfg(feature = "std")]
mod system;

pub use catalogue::{Code, Requirement};
pub use finding::{Arg, EntryRef, Finding, Path, RelatedSpan, Sink};
pub use level::{Level, Severity};
pub use reason::{Reason, ReasonCode};
