//! Compares two lists of resources.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

use super::{Pair, Pairs, pairs};
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
/// What counts as a difference is defined by [`is_same_version`].
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

/// True if two entries describe the same version of a resource.
///
/// Type, content coding and links must be equal, and also the length if both state it. Digests must be equal for every common algorithm;
/// without a common algorithm `lastmod` must be equal, and both or neither must state a length.
pub fn is_same_version(old: &Entry, new: &Entry) -> bool {
    let none = Attributes::default();
    let (a, b) = (attributes(old).unwrap_or(&none), attributes(new).unwrap_or(&none));
    if [Name::Type, Name::Encoding].iter().any(|name| text(a, *name) != text(b, *name)) {
        return false;
    }
    if old.links.len() != new.links.len() || !old.links.iter().zip(&new.links).all(|(a, b)| is_same_link(a, b)) {
        return false;
    }
    let length = |attributes: &Attributes| attributes.length().and_then(|field| field.value()).copied();
    let lengths = (length(a), length(b));
    if matches!(lengths, (Some(a), Some(b)) if a != b) {
        return false;
    }
    let hashes = (a.hash().map(Field::readable), b.hash().map(Field::readable));
    let mut common = false;
    if let (Some(first), Some(second)) = hashes {
        for hash in first.iter() {
            let Some(other) = second.get(&hash.algorithm) else { continue };
            if *hash.digest != *other {
                return false;
            }
            common = true;
        }
    }
    let lastmod = |entry: &Entry| entry.lastmod.first().and_then(|child| child.field.value()).map(Datetime::start);
    common || lengths.0 == lengths.1 && lastmod(old) == lastmod(new)
}

fn is_same_link(old: &Link, new: &Link) -> bool {
    Name::ALL.iter().all(|name| text(&old.attributes, *name) == text(&new.attributes, *name))
}

fn text(attributes: &Attributes, name: Name) -> Option<String> {
    attributes.get(name).map(|found| found.text().into_owned())
}

fn attributes(entry: &Entry) -> Option<&Attributes> {
    entry.first_md().map(|md| &md.attributes)
}

impl Difference {
    /// Its entry in a Change List, with the current metadata of the resource; without metadata for a deletion.
    pub fn change(&self, at: Datetime) -> Entry {
        let (change, entry) = match self {
            Difference::Created(entry) => (Change::Created, entry),
            Difference::Updated { new, .. } => (Change::Updated, new),
            Difference::Deleted(entry) => (Change::Deleted, entry),
        };
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
