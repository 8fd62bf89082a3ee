//! The handling of start tags.

use alloc::vec::Vec;

use super::{
    attributes,
    capture::Capture,
    namespace::strange_namespace,
    parts::{At, Of, Parts, Step, Text},
};
use crate::{
    model::SITEMAP,
    model::{Attribute, Attributes, Element, EntryElement, Inside, Link, Md, Root, Shape, Space},
    xml::Start,
};

/// Maximum attribute lists kept for the next entry; few entries have more links.
const SPARE: usize = 8;

/// The prefix of the ResourceSync namespace in the standard and in nearly all documents.
const USUAL_PREFIX: &str = "rs";

impl Parts {
    /// The root element.
    pub(super) fn start_root(&mut self, start: &Start<'_>) -> Step {
        let shape = match start.local {
            "urlset" => Some(Shape::UrlSet),
            "sitemapindex" => Some(Shape::SitemapIndex),
            _ => None,
        };
        self.root = Root {
            local: start.local.into(),
            namespace: start.namespace.into(),
            shape,
            span: start.span,
            attributes: self.attributes(start),
        };
        self.announces = start.declarations().any(|declared| {
            declared.prefix == USUAL_PREFIX || self.spaces.of(&declared.uri).space == Space::ResourceSync
        });
        self.at = At::Root;
        if shape.is_none() {
            // Not a known root: continue only to check well-formedness.
            self.skipped = 1;
        } else if start.namespace != SITEMAP {
            self.spaces.adopt(start.namespace);
            self.spaces.first(start.namespace);
            self.namespace = Some(strange_namespace(start, SITEMAP));
            self.root_namespace = true;
        }
        Step::Root
    }

    /// Any element below the root.
    pub(super) fn start_part(&mut self, start: &Start<'_>, space: Space) {
        match (self.at, space, start.local) {
            (At::Root, Space::Sitemap, "url" | "sitemap") => {
                self.entries = self.entries.saturating_add(1);
                self.clear_entry();
                self.entry.element = if start.local == "url" { EntryElement::Url } else { EntryElement::Sitemap };
                self.entry.number = self.entries;
                self.entry.span = start.span;
                self.entry.attributes = self.attributes(start);
                self.at = At::Entry;
            }
            (At::Root | At::Entry, Space::ResourceSync, "md") => {
                let attributes = Attributes::reusing(self.spare.pop().unwrap_or_default());
                let md = Md { attributes, span: start.span, content: None };
                let of = self.of(self.entry.md.len());
                // Moved to its place while it is still empty.
                let md = match of {
                    Of::Entry => pushed(&mut self.entry.md, md),
                    Of::Root | Of::Beyond => {
                        self.md = md;
                        Some(&mut self.md)
                    }
                };
                if let Some(md) = md {
                    attributes::read(&mut md.attributes, &self.spaces, start);
                }
                self.at = At::Md(of);
            }
            (At::Root | At::Entry, Space::ResourceSync, "ln") => {
                let attributes = Attributes::reusing(self.spare.pop().unwrap_or_default());
                let link = Link { attributes, span: start.span, content: None };
                let of = self.of(self.entry.links.len());
                let link = match of {
                    Of::Entry => pushed(&mut self.entry.links, link),
                    Of::Root | Of::Beyond => {
                        self.link = link;
                        Some(&mut self.link)
                    }
                };
                if let Some(link) = link {
                    attributes::read(&mut link.attributes, &self.spaces, start);
                }
                self.at = At::Link(of);
            }
            (At::Entry, Space::Sitemap, local) => match Text::find(local) {
                Some(text) => {
                    self.gathering.begin(start.span);
                    self.at = At::Text(text);
                }
                None => self.start_other(start, space),
            },
            _ => self.start_other(start, space),
        }
    }

    /// The owner of a new `rs:md` or `rs:ln`, given the number of those in the entry.
    fn of(&self, entry_has: usize) -> Of {
        match self.at {
            At::Entry if entry_has <= self.limits.links as usize => Of::Entry,
            At::Entry => Of::Beyond,
            _ => Of::Root,
        }
    }

    fn clear_entry(&mut self) {
        let md = self.entry.md.drain(..).map(|md| md.attributes);
        let all = md.chain(self.entry.links.drain(..).map(|link| link.attributes));
        self.spare.extend(all.take(SPARE.saturating_sub(self.spare.len())).map(Attributes::emptied));
        self.entry.clear();
    }

    fn start_other(&mut self, start: &Start<'_>, space: Space) {
        self.skipped = 1;
        self.extensions.begin(self.in_entry());
        self.extensions.start(start);
        if self.note_content(start.span) {
            return;
        }
        let inside = match self.at {
            At::Entry => Inside::Entry,
            At::Text(text) => Inside::Text(text.as_str()),
            _ => Inside::Root,
        };
        // A foreign element may be next to a value but not inside it.
        if space != Space::Foreign || self.keep || matches!(inside, Inside::Text(_)) {
            self.other = Some(Element {
                space,
                prefix: start.prefix.into(),
                local: start.local.into(),
                namespace: start.namespace.into(),
                inside,
                span: start.span,
                xml: None,
            });
        }
        if self.keep {
            let mut capture = Capture::new(self.limits.extension_bytes as usize);
            capture.start(start);
            self.capture = Some(capture);
        }
    }

    /// The attributes of the root or an entry, for which the standard defines none.
    fn attributes(&self, start: &Start<'_>) -> Vec<Attribute> {
        start.attributes().map(|attribute| attributes::foreign(&attribute)).collect()
    }
}

/// Adds an element and returns a reference to it.
fn pushed<T>(list: &mut Vec<T>, item: T) -> Option<&mut T> {
    list.push(item);
    list.last_mut()
}
