//! Reads a whole document into plain values.

use super::plain;
use crate::{
    limits::Limits,
    read::{self, ReadError},
};

/// Reads a whole document into plain values, including values that are not valid.
///
/// ```
/// use resourcesync::{api, limits::Limits, model::Kind};
///
/// let list = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
///   <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
///   <url><loc>http://example.com/1</loc><rs:md hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6" length="8"/></url>
/// </urlset>"#;
/// let document = api::read(list, &Limits::default())?;
/// assert_eq!((document.kind, document.entries[0].length), (Kind::ResourceList, Some(8)));
/// assert_eq!(document.entries[0].hashes.get("md5"), Some("1584abdf8ebdc9802ac0c6a7402c03b6"));
/// # Ok::<(), resourcesync::read::ReadError>(())
/// ```
///
/// # Errors
///
/// If the document cannot be read to its end.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<plain::Document, ReadError> {
    Ok(plain::Document::from(&read::document(bytes, limits, &mut ())?))
}
