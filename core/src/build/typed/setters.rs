//! Setters shared by several kinds of entries, links and heads.

use alloc::{boxed::Box, vec::Vec};

use crate::{
    model::{AttributeValue, Element, Entry, Inside, Md, Space},
    span::Span,
};

/// Sets an attribute of an entry's `rs:md`.
pub(super) fn set(entry: &mut Entry, value: AttributeValue) {
    set_in(&mut entry.md, value);
}

pub(super) fn set_in(list: &mut Vec<Md>, value: AttributeValue) {
    if list.is_empty() {
        list.push(Md::default());
    }
    list.iter_mut().take(1).for_each(|md| md.attributes.set(value.clone()));
}

/// An element of another vocabulary; its name is determined when the XML is read.
pub(super) fn element(xml: &str, inside: Inside) -> Element {
    let none: Box<str> = "".into();
    Element {
        space: Space::Foreign,
        prefix: none.clone(),
        local: none.clone(),
        namespace: none,
        inside,
        span: Span::default(),
        xml: Some(xml.into()),
    }
}

/// Methods of an entry, `self.0` being one.
macro_rules! entry_aspect {
    (lastmod) => {
        /// When it was last modified.
        #[must_use]
        pub fn lastmod(mut self, moment: Datetime) -> Self {
            self.0.lastmod = Vec::from([Child::new(moment)]);
            self
        }
    };
    (changefreq) => {
        /// How often it is likely to change.
        #[must_use]
        pub fn changefreq(mut self, frequency: Changefreq) -> Self {
            self.0.changefreq = Vec::from([Child::new(frequency)]);
            self
        }
    };
    (priority) => {
        /// Its `priority` among the resources of the site, as defined by the Sitemap protocol.
        #[must_use]
        pub fn priority(mut self, priority: SitemapPriority) -> Self {
            self.0.priority = Vec::from([Child::new(priority)]);
            self
        }
    };
    (hash) => {
        /// Digests of its bitstream.
        #[must_use]
        pub fn hash(mut self, hashes: Hashes) -> Self {
            set(&mut self.0, AttributeValue::Hash(Field::new(hashes)));
            self
        }
    };
    (length) => {
        /// Length of its bitstream in bytes.
        #[must_use]
        pub fn length(mut self, bytes: u64) -> Self {
            set(&mut self.0, AttributeValue::Length(Field::new(Length(bytes))));
            self
        }
    };
    (media_type) => {
        /// Media type of its bitstream.
        #[must_use]
        pub fn media_type(mut self, media_type: MediaType) -> Self {
            set(&mut self.0, AttributeValue::Type(Field::new(media_type)));
            self
        }
    };
    (encoding) => {
        /// Content codings of its bitstream.
        #[must_use]
        pub fn encoding(mut self, coding: Coding) -> Self {
            set(&mut self.0, AttributeValue::Encoding(Field::new(coding)));
            self
        }
    };
    (datetime) => {
        /// When the change happened.
        #[must_use]
        pub fn at(mut self, moment: Datetime) -> Self {
            set(&mut self.0, AttributeValue::Datetime(Field::new(moment)));
            self
        }
    };
    (snapshot) => {
        /// When the snapshot was started.
        #[must_use]
        pub fn at(mut self, moment: Datetime) -> Self {
            set(&mut self.0, AttributeValue::At(Field::new(moment)));
            self
        }

        /// When the snapshot was finished.
        #[must_use]
        pub fn completed(mut self, moment: Datetime) -> Self {
            set(&mut self.0, AttributeValue::Completed(Field::new(moment)));
            self
        }
    };
    (until) => {
        /// The end of the interval.
        #[must_use]
        pub fn until(mut self, moment: Datetime) -> Self {
            set(&mut self.0, AttributeValue::Until(Field::new(moment)));
            self
        }
    };
    (contents) => {
        /// The URI of a copy of the package's manifest.
        #[must_use]
        pub fn contents(mut self, manifest: Uri) -> Self {
            let mut contents = Link::new(Relation::CONTENTS, manifest);
            contents.attributes.set(AttributeValue::Type(Field::new(MediaType::xml())));
            self.0.links.push(contents);
            self
        }
    };
    (describedby) => {
        /// The description of the set of resources.
        #[must_use]
        pub fn describedby(mut self, description: Uri) -> Self {
            self.0.links.push(Link::new(Relation::DESCRIBEDBY, description));
            self
        }
    };
    (index) => {
        /// The index that lists the document.
        #[must_use]
        pub fn index(mut self, index: Uri) -> Self {
            self.0.links.push(Link::new(Relation::INDEX, index));
            self
        }
    };
    (related) => {
        /// Adds a related resource.
        #[must_use]
        pub fn related(mut self, related: RelatedLink) -> Self {
            self.0.links.push(related.into());
            self
        }
    };
    (foreign) => {
        /// Adds an element of another vocabulary, as XML that declares its namespaces itself.
        #[must_use]
        pub fn foreign(mut self, xml: &str) -> Self {
            self.0.others.push(element(xml, Inside::Entry));
            self
        }
    };
}
pub(super) use entry_aspect;

/// Methods of a head, `self.0` being one.
macro_rules! head_aspect {
    (completed) => {
        /// When the snapshot was finished.
        #[must_use]
        pub fn completed(mut self, moment: Datetime) -> Self {
            set_in(&mut self.0.md, AttributeValue::Completed(Field::new(moment)));
            self
        }
    };
    (from) => {
        /// The beginning of the interval.
        #[must_use]
        pub fn from(mut self, moment: Datetime) -> Self {
            set_in(&mut self.0.md, AttributeValue::From(Field::new(moment)));
            self
        }
    };
    (until) => {
        /// The end of the interval; nothing is added after it.
        #[must_use]
        pub fn until(mut self, moment: Datetime) -> Self {
            set_in(&mut self.0.md, AttributeValue::Until(Field::new(moment)));
            self
        }
    };
    (up) => {
        /// The parent document (`up`).
        #[must_use]
        pub fn up(mut self, up: Uri) -> Self {
            self.0.links.push(Link::new(Relation::UP, up));
            self
        }
    };
    (index) => {
        /// The index that lists it.
        #[must_use]
        pub fn index(mut self, index: Uri) -> Self {
            self.0.links.push(Link::new(Relation::INDEX, index));
            self
        }
    };
    (describedby) => {
        /// The description of the Source.
        #[must_use]
        pub fn describedby(mut self, description: Uri) -> Self {
            self.0.links.push(Link::new(Relation::DESCRIBEDBY, description));
            self
        }
    };
}
pub(super) use head_aspect;
