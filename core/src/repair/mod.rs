//! Mends a document that was read: every repair whose result is certain, and no other.
//!
//! [`mend`] works on text and changes nothing but what it mends; [`document`] works on the model. What is not certain is left
//! as it is: validating the result says what remains.
//!
//! ```
//! use resourcesync::{limits::Limits, repair};
//! let list = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
//!   <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
//!   <rs:md capability="ResourceList" at="2013-01-03T09:00:00Z"/>
//! </urlset>"#;
//! let mended = repair::mend(list, &repair::Options::default(), &Limits::default())?;
//! assert_eq!(mended.text, list.replace("ResourceList", "resourcelist"));
//! assert_eq!(mended.repairs[0].path, "/urlset/rs:md[1]/@capability");
//! # Ok::<(), repair::NotMended>(())
//! ```

mod datetime;
mod heads;
mod log;
mod mend;
mod namespaces;
mod order;
mod patch;
mod prefixes;
mod relations;
mod spelling;
mod uris;
mod walk;

pub use log::{Idea, Repair};
pub use mend::{Mended, NotMended, mend};

use alloc::vec::Vec;

use self::log::Log;
use crate::model::Document;

/// What the document itself does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Minutes east of UTC meant by datetimes without a zone; without it they are left as they are.
    pub zone: Option<i16>,
}

/// Mends a document in memory and says what was done, in the order of the document.
///
/// Mending twice is mending once, and a document without findings is left as it is.
pub fn document(document: &mut Document, options: &Options) -> Vec<Repair> {
    repair(document, options).finish()
}

fn repair(document: &mut Document, options: &Options) -> Log {
    let mut log = Log::default();
    namespaces::mend(document, &mut log);
    heads::mend(document, &mut log);
    prefixes::mend(document, &mut log);
    spelling::mend(document, options, &mut log);
    // Entries are compared by datetimes that have been mended.
    order::mend(document, &mut log);
    log
}
