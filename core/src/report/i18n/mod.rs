//! The texts of reports in English and Japanese.

pub(super) mod labels;
mod messages;
mod reasons;
mod terms;

pub use messages::{Lang, help, message};
pub(in crate::report) use reasons::reason;
