//! Repairs of documents: only unambiguous ones.
//!
//! [`repair_text`] changes nothing else in the text; [`repair_document`] works on the model. Anything ambiguous is left as it is:
//! validate the result to see what remains.
//!
//! ```
//! use resourcesync::{limits::Limits, repair};
//! let list = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
//!   <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
//!   <rs:md capability="ResourceList" at="2013-01-03T09:00:00Z"/>
//! </urlset>"#;
//! let repaired = repair::repair_text(list, &repair::RepairOptions::default(), &Limits::default())?;
//! assert_eq!(repaired.text, list.replace("ResourceList", "resourcelist"));
//! assert_eq!(repaired.repairs[0].path, "/urlset/rs:md[1]/@capability");
//! # Ok::<(), repair::RepairError>(())
//! ```

mod datetime;
mod heads;
mod log;
mod markup;
mod namespaces;
mod options;
mod order;
mod patch;
mod prefixes;
mod relations;
mod spelling;
mod text;
mod uris;
mod walk;

pub use datetime::zone;
pub use log::{Repair, RepairKind};
pub use options::RepairOptions;
pub use text::{RepairError, Repaired, repair_text};

use alloc::vec::Vec;

use self::log::Log;
use crate::model::Document;

/// Repairs a document in memory and returns the repairs in the order of the document.
///
/// It is idempotent, and leaves a document without findings unchanged.
pub fn repair_document(document: &mut Document, options: &RepairOptions) -> Vec<Repair> {
    repairs(document, options).finish()
}

fn repairs(document: &mut Document, options: &RepairOptions) -> Log {
    let mut log = Log::default();
    namespaces::repair(document, &mut log);
    heads::repair(document, &mut log);
    prefixes::repair(document, &mut log);
    spelling::repair(document, options, &mut log);
    // Entries are compared by datetimes that have been repaired.
    order::repair(document, &mut log);
    log
}
