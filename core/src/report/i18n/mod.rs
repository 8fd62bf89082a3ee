//! The texts of reports in English and Japanese.

pub(super) mod labels;
mod lang;
mod messages;
mod reasons;
mod terms;

pub use labels::role;
pub use lang::Lang;
#[cfg(feature = "texts")]
pub(in crate::report) use messages::title;
pub use messages::{fill, fill_with, help, message};
pub(crate) use reasons::for_report;
pub(in crate::report) use reasons::of_report;
pub use reasons::reason;
pub(in crate::report) use terms::term;
