//! Visits the attributes of a document with their paths.

use alloc::string::{String, ToString};

use crate::{
    diagnostic::Path,
    model::{Attributes, Document},
};

/// The position of an element, formatted only if something is repaired.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'a> {
    pub(super) root: &'a str,
    /// Element and number of the entry.
    pub(super) entry: Option<(&'static str, u64)>,
    /// The element with its prefix, and its number.
    pub(super) step: (&'static str, Option<u64>),
}

impl Spot<'_> {
    /// The path of the element, or of one of its attributes.
    pub(super) fn path(&self, attribute: Option<&str>) -> String {
        let (name, number) = self.step;
        let path = Path {
            root: self.root.to_string(),
            entry: self.entry,
            step: Some((name.to_string(), number)),
            attribute: attribute.map(String::from),
        };
        path.to_string()
    }

    pub(super) fn is_head(&self) -> bool {
        self.entry.is_none()
    }

    pub(super) fn is_md(&self) -> bool {
        self.step.0 == MD
    }
}

const MD: &str = "rs:md";
const LN: &str = "rs:ln";

/// Visits every `rs:md` and `rs:ln`, those of the root first.
pub(super) fn attributes(document: &mut Document, visit: &mut dyn FnMut(Spot<'_>, &mut Attributes)) {
    let Document { root, head, entries } = document;
    let root = &*root.local;
    for (number, md) in (1..).zip(&mut head.md) {
        visit(Spot { root, entry: None, step: (MD, Some(number)) }, &mut md.attributes);
    }
    for (number, link) in (1..).zip(&mut head.links) {
        visit(Spot { root, entry: None, step: (LN, Some(number)) }, &mut link.attributes);
    }
    for entry in entries {
        let at = Some((entry.element.as_str(), entry.number));
        for (number, md) in (1..).zip(&mut entry.md) {
            visit(Spot { root, entry: at, step: (MD, Some(number)) }, &mut md.attributes);
        }
        for (number, link) in (1..).zip(&mut entry.links) {
            visit(Spot { root, entry: at, step: (LN, Some(number)) }, &mut link.attributes);
        }
    }
}
