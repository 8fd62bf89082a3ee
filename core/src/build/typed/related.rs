//! Links to related resources (Z39.99-2017 §14).

use super::setters::link;
use crate::{
    model::{AttributeValue, Field, Link},
    value::{BitstreamPath, Coding, Datetime, Hashes, Length, MediaType, Pri, Relation, Uri},
};

/// A link from a resource to a related one.
///
/// ```
/// use resourcesync::{build::{RelatedLink, Resource, ResourceList}, value::{Pri, Uri}};
///
/// let uri = |path: &str| format!("http://example.com/{path}").parse::<Uri>();
/// let page = Resource::new(uri("1")?)
///     .related(RelatedLink::alternate(uri("1.pdf")?, "application/pdf".parse()?).length(8876))
///     .related(RelatedLink::duplicate(uri("mirror/1")?).pri("1".parse()?))
///     .related(RelatedLink::describedby(uri("1.xml")?).media_type("application/xml".parse()?));
/// let list = ResourceList::new(uri("capabilitylist.xml")?, "2024-05-01T00:00:00Z".parse()?).with([page])?;
/// assert!(list.contains(r#"<rs:ln rel="duplicate" href="http://example.com/mirror/1" pri="1"/>"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedLink(Link);

impl RelatedLink {
    /// Any relation; those of the standard have names of their own below.
    pub fn new(relation: Relation, href: Uri) -> RelatedLink {
        RelatedLink(link(relation, href))
    }

    /// The same bitstream elsewhere (§14.2).
    pub fn duplicate(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::DUPLICATE, href)
    }

    /// Another representation of the resource (§14.3).
    pub fn alternate(href: Uri, media_type: MediaType) -> RelatedLink {
        RelatedLink::new(Relation::ALTERNATE, href).media_type(media_type)
    }

    /// The resource of which this one is a representation (§14.3).
    pub fn canonical(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::CANONICAL, href)
    }

    /// The difference from the previous version (§14.4).
    pub fn patch(href: Uri, media_type: MediaType) -> RelatedLink {
        RelatedLink::new(Relation::patch(), href).media_type(media_type)
    }

    /// What describes the resource (§14.5).
    pub fn describedby(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::DESCRIBEDBY, href)
    }

    /// What the resource describes (§14.5).
    pub fn describes(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::DESCRIBES, href)
    }

    /// A form that the resource keeps to (§14.5).
    pub fn profile(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::PROFILE, href)
    }

    /// A version of the resource, of a moment (§14.6).
    pub fn memento(href: Uri, modified: Datetime) -> RelatedLink {
        RelatedLink::new(Relation::MEMENTO, href).modified(modified)
    }

    /// Where versions of the resource are negotiated (§14.6).
    pub fn timegate(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::TIMEGATE, href)
    }

    /// A list of the versions of the resource (§14.6).
    pub fn timemap(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::TIMEMAP, href)
    }

    /// What the resource is part of (§14.7).
    pub fn collection(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::COLLECTION, href)
    }

    /// Where the resource came from (§14.8).
    pub fn via(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::VIA, href)
    }

    /// How much it is preferred among links of its relation; low is better.
    #[must_use]
    pub fn pri(self, pri: Pri) -> RelatedLink {
        self.set(AttributeValue::Pri(Field::new(pri)))
    }

    /// When the linked resource was last modified.
    #[must_use]
    pub fn modified(self, moment: Datetime) -> RelatedLink {
        self.set(AttributeValue::Modified(Field::new(moment)))
    }

    /// Digests of the linked bitstream.
    #[must_use]
    pub fn hash(self, hashes: Hashes) -> RelatedLink {
        self.set(AttributeValue::Hash(Field::new(hashes)))
    }

    /// Bytes of the linked bitstream.
    #[must_use]
    pub fn length(self, bytes: u64) -> RelatedLink {
        self.set(AttributeValue::Length(Field::new(Length(bytes))))
    }

    /// Media type of the linked bitstream.
    #[must_use]
    pub fn media_type(self, media_type: MediaType) -> RelatedLink {
        self.set(AttributeValue::Type(Field::new(media_type)))
    }

    /// Content codings of the linked bitstream.
    #[must_use]
    pub fn encoding(self, coding: Coding) -> RelatedLink {
        self.set(AttributeValue::Encoding(Field::new(coding)))
    }

    /// Path of the linked bitstream in the package, for a patch in a Change Dump Manifest.
    #[must_use]
    pub fn path(self, path: BitstreamPath) -> RelatedLink {
        self.set(AttributeValue::Path(Field::new(path)))
    }

    fn set(mut self, value: AttributeValue) -> RelatedLink {
        self.0.attributes.set(value);
        self
    }
}

impl From<RelatedLink> for Link {
    fn from(related: RelatedLink) -> Link {
        related.0
    }
}
