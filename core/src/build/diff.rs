//! Compares two lists of resources.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

use super::{
    Aspect, Pair, Pairs,
    aspects::{aspects, attributes, is_same_version},
    pairs,
};
use crate::{
    model::{AnyField, AttributeValue, Attributes, Child, Entry, EntryElement, Field, Link, Md, Name},
    value::{Change, Datetime, Relation},
};

/// A resource that differs between two lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Only in the new list.
    Created(Box<Entry>),
    /// In both lists, and different.
    Updated {
        /// The entry of the old list.
        old: Box<Entry>,
        /// The entry of the new list.
        new: Box<Entry>,
    },
    /// Only in the old list.
    Deleted(Box<Entry>),
}

/// A list is not sorted by URI, or contains a URI twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfOrder {
    /// The first URI that is not greater than its predecessor.
    pub uri: String,
    /// `old` or `new`.
    pub list: &'static str,
}

impl fmt::Display for OutOfOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` of the {} list does not come after the one before it: sort by URI, bytewise",
            self.uri, self.list
        )
    }
}

impl core::error::Error for OutOfOrder {}

/// Compares two lists of resources, both sorted bytewise by URI, in one pass and constant memory.
///
/// What counts as a difference is defined by [`aspects`](super::aspects).
///
/// ```
/// use resourcesync::build::{Difference, Resource, diff};
///
/// let resource = |path: &str, length| -> Result<_, Box<dyn std::error::Error>> {
///     Ok(Resource::new(format!("http://example.com/{path}").parse()?).length(length).into())
/// };
/// let old = [resource("1", 5)?, resource("2", 5)?];
/// let new = [resource("2", 6)?, resource("3", 5)?];
/// let found = diff(old, new).collect::<Result<Vec<_>, _>>()?;
/// assert!(matches!(&found[..], [Difference::Deleted(_), Difference::Updated { .. }, Difference::Created(_)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn diff<O, N>(old: O, new: N) -> Diff<O::IntoIter, N::IntoIter>
where
    O: IntoIterator<Item = Entry>,
    N: IntoIterator<Item = Entry>,
{
    let (old, new) = (Sorted::new(old.into_iter(), "old"), Sorted::new(new.into_iter(), "new"));
    Diff { pairs: pairs(old, new, |old, new| key(old).cmp(&key(new))) }
}

/// An iterator over the differences between two lists; created by [`diff`].
#[derive(Debug)]
pub struct Diff<O: Iterator<Item = Entry>, N: Iterator<Item = Entry>> {
    pairs: Pairs<Entry, OutOfOrder, Sorted<O>, Sorted<N>>,
}

impl<O: Iterator<Item = Entry>, N: Iterator<Item = Entry>> Iterator for Diff<O, N> {
    type Item = Result<Difference, OutOfOrder>;

    fn next(&mut self) -> Option<Self::Item> {
        self.pairs.find_map(|pair| match pair {
            Ok(Pair::Both { old, new }) if is_same_version(&old, &new) => None,
            Ok(Pair::Both { old, new }) => Some(Ok(Difference::Updated { old: Box::new(old), new: Box::new(new) })),
            Ok(Pair::Gone(old)) => Some(Ok(Difference::Deleted(Box::new(old)))),
            Ok(Pair::New(new)) => Some(Ok(Difference::Created(Box::new(new)))),
            Err(out) => Some(Err(out)),
        })
    }
}

/// A list whose order is checked.
#[derive(Debug)]
struct Sorted<I> {
    list: I,
    last: Option<String>,
    name: &'static str,
}

impl<I> Sorted<I> {
    fn new(list: I, name: &'static str) -> Sorted<I> {
        Sorted { list, last: None, name }
    }
}

impl<I: Iterator<Item = Entry>> Iterator for Sorted<I> {
    type Item = Result<Entry, OutOfOrder>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.list.next()?;
        let uri = key(&entry);
        if self.last.as_ref().is_some_and(|last| *last >= uri) {
            return Some(Err(OutOfOrder { uri, list: self.name }));
        }
        self.last = Some(uri);
        Some(Ok(entry))
    }
}

fn key(entry: &Entry) -> String {
    entry.loc.first().map(|loc| loc.field.text().into_owned()).unwrap_or_default()
}

impl Difference {
    /// Its entry in a Change List, with the current metadata of the resource; without metadata for a deletion.
    pub fn change(&self, at: Datetime) -> Entry {
        let change = self.verb();
        let (Difference::Created(entry) | Difference::Updated { new: entry, .. } | Difference::Deleted(entry)) = self;
        let mut own = Attributes::default();
        own.set(AttributeValue::Change(Field::new(change)));
        own.set(AttributeValue::Datetime(Field::new(at)));
        let mut listed = Entry { element: EntryElement::Url, loc: entry.loc.clone(), ..Entry::default() };
        if change != Change::Deleted {
            let described = [Name::Hash, Name::Length, Name::Type, Name::Encoding];
            let values = described.into_iter().filter_map(|name| attributes(entry)?.get(name));
            values.for_each(|attribute| own.push(attribute.clone()));
            listed = Entry {
                lastmod: entry.lastmod.clone(),
                changefreq: entry.changefreq.clone(),
                priority: entry.priority.clone(),
                links: entry.links.iter().filter(|link| is_for_all(link)).cloned().collect(),
                others: entry.others.clone(),
                ..listed
            };
        }
        listed.md = Vec::from([Md { attributes: own, ..Md::default() }]);
        listed
    }

    /// What happened to the resource.
    pub fn verb(&self) -> Change {
        match self {
            Difference::Created(_) => Change::Created,
            Difference::Updated { .. } => Change::Updated,
            Difference::Deleted(_) => Change::Deleted,
        }
    }

    /// The entries of the old and of the new list.
    pub fn entries(&self) -> (Option<&Entry>, Option<&Entry>) {
        match self {
            Difference::Created(new) => (None, Some(new)),
            Difference::Updated { old, new } => (Some(old), Some(new)),
            Difference::Deleted(old) => (Some(old), None),
        }
    }

    /// In what both versions differ; nothing if there is only one.
    pub fn aspects(&self) -> Vec<Aspect> {
        match self {
            Difference::Updated { old, new } => aspects(old, new),
            Difference::Created(_) | Difference::Deleted(_) => Vec::new(),
        }
    }

    /// The URI it is about.
    pub fn uri(&self) -> String {
        match self {
            Difference::Created(entry) | Difference::Deleted(entry) | Difference::Updated { new: entry, .. } => {
                key(entry)
            }
        }
    }

    /// When the resource was last modified, if the new list states it.
    pub fn lastmod(&self) -> Option<&Datetime> {
        match self {
            Difference::Created(new) | Difference::Updated { new, .. } => {
                new.lastmod.first().and_then(|child: &Child<Datetime>| child.field.value())
            }
            Difference::Deleted(_) => None,
        }
    }
}

/// A patch applies to one version only.
fn is_for_all(link: &Link) -> bool {
    !link.attributes.rel().and_then(|rel| rel.value()).is_some_and(Relation::is_patch)
}
