//! What an entry of a manifest says of a bitstream, as a value that crosses the faces.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use super::Archive;
use crate::{
    model::{AnyField, Attributes, Entry, Field},
    value::{Hashes, Relation, Value},
};

/// What a bitstream is to the resource of its entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// The resource itself, as the `path` of its `rs:md` says.
    Bitstream,
    /// What changed in it, as the `path` of a patch link says.
    Patch,
}

impl Role {
    /// As written in data.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Bitstream => "bitstream",
            Role::Patch => "patch",
        }
    }
}

/// A resource of the manifest, with what is said of the bitstream that is packaged for it, as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MemberResource {
    /// The `loc` of the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// What the bitstream is to the resource.
    pub role: Role,
    /// Where the bitstream lies in the package; absent where nothing is packaged, as for a deletion.
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
    /// Bytes of the bitstream; absent where what is written is no number.
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

/// A resource and the member it leads to.
#[derive(Debug)]
pub(crate) struct Noted {
    pub(crate) member: Option<u32>,
    pub(crate) resource: MemberResource,
}

/// Adds what an entry says: one resource, and one more for each packaged patch.
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
