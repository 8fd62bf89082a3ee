//! Links to related resources (Z39.99-2017 §14).

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
    /// Any relation; those of the standard have their own methods below.
    pub fn new(relation: Relation, href: Uri) -> RelatedLink {
        RelatedLink(Link::new(relation, href))
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

    /// A patch from the previous version (§14.4).
    pub fn patch(href: Uri, media_type: MediaType) -> RelatedLink {
        RelatedLink::new(Relation::patch(), href).media_type(media_type)
    }

    /// A description of the resource (§14.5).
    pub fn describedby(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::DESCRIBEDBY, href)
    }

    /// The resource described by this one (§14.5).
    pub fn describes(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::DESCRIBES, href)
    }

    /// A profile that the resource conforms to (§14.5).
    pub fn profile(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::PROFILE, href)
    }

    /// A version of the resource at a point in time (§14.6).
    pub fn memento(href: Uri, modified: Datetime) -> RelatedLink {
        RelatedLink::new(Relation::MEMENTO, href).modified(modified)
    }

    /// The TimeGate of the resource, which negotiates versions (§14.6).
    pub fn timegate(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::TIMEGATE, href)
    }

    /// A list of the versions of the resource (§14.6).
    pub fn timemap(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::TIMEMAP, href)
    }

    /// A collection of which the resource is a member (§14.7).
    pub fn collection(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::COLLECTION, href)
    }

    /// The original location of the resource (§14.8).
    pub fn via(href: Uri) -> RelatedLink {
        RelatedLink::new(Relation::VIA, href)
    }

    /// The priority among links of its relation; lower is better.
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

    /// Length of the linked bitstream in bytes.
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
