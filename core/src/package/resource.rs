//! The manifest entry of a bitstream, as a plain value for all language bindings.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use super::Archive;
use crate::{
    model::{AnyField, Attributes, Entry, Field},
    named_enum,
    value::{Hashes, Relation, Value},
};

named_enum! {
    /// The role of a bitstream for the resource of its entry.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    #[non_exhaustive]
    pub enum Role {
        /// The resource itself (`path` of its `rs:md`).
        Bitstream = "bitstream",
        /// A patch (`path` of a patch link).
        Patch = "patch",
    }
}

/// A resource of the manifest, with the metadata of its bitstream as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MemberResource {
    /// The `loc` of the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// The role of the bitstream.
    pub role: Role,
    /// Path of the bitstream in the package; absent if there is none, as for a deletion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// `created`, `updated` or `deleted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// When the change happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datetime: Option<String>,
    /// When the resource was last modified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lastmod: Option<String>,
    /// The media type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Content codings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Length of the bitstream in bytes; absent if the value is not a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Digests of the bitstream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

impl MemberResource {
    /// The digests that can be read.
    pub(crate) fn hashes(&self) -> Hashes {
        self.hash.as_deref().map(Hashes::readable).unwrap_or_default()
    }

    fn new(entry: &Entry, role: Role, attributes: Option<&Attributes>) -> MemberResource {
        let md = entry.first_md().map(|md| &md.attributes);
        let attribute = |name| attributes.and_then(|all| all.get(name)).map(|own| own.text().into_owned());
        MemberResource {
            uri: entry.loc.first().map(|loc| text(&loc.field)),
            role,
            path: attribute(crate::model::Name::Path),
            change: md.and_then(Attributes::change).map(text),
            datetime: md.and_then(Attributes::datetime).map(text),
            lastmod: entry.lastmod.first().map(|lastmod| text(&lastmod.field)),
            media_type: attribute(crate::model::Name::Type),
            encoding: attribute(crate::model::Name::Encoding),
            length: attributes.and_then(Attributes::length).and_then(Field::value).map(|length| length.0),
            hash: attribute(crate::model::Name::Hash),
        }
    }
}

fn text<T: Value>(field: &Field<T>) -> String {
    field.text().into_owned()
}

/// A resource and its member.
#[derive(Debug)]
pub(crate) struct Noted {
    pub(crate) member: Option<u32>,
    pub(crate) resource: MemberResource,
}

/// Adds the resources of an entry: its bitstream, and one more for each packaged patch.
pub(super) fn note(entry: &Entry, archive: &Archive, noted: &mut Vec<Noted>) {
    let mut add = |role, attributes: Option<&Attributes>| {
        let path = attributes.and_then(Attributes::path).and_then(Field::value);
        let member = path.and_then(|path| archive.find(path.member_name().as_bytes()));
        noted.push(Noted { member, resource: MemberResource::new(entry, role, attributes) });
    };
    add(Role::Bitstream, entry.first_md().map(|md| &md.attributes));
    for link in &entry.links {
        let relation = link.attributes.rel().and_then(Field::value);
        if relation.is_some_and(Relation::is_patch) && link.attributes.path().is_some() {
            add(Role::Patch, Some(&link.attributes));
        }
    }
}
