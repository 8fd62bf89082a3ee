//! Which entries link to which related resources, in memory.

use alloc::{
    borrow::ToOwned,
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use crate::listed_resource::ListedResource;

/// Links from entries to related resources. The empty URI stands for the lists: what they link to is listed itself.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// After the last settled run: resource and entry.
    before: BTreeSet<(String, String)>,
    /// Of this run, in the order in which they were noted first.
    now: BTreeMap<(String, String, u32), Row>,
    last: i64,
}

#[derive(Debug)]
struct Row {
    sequence: i64,
    exists: bool,
    resource: Option<ListedResource>,
}

impl Links {
    /// Begins a run.
    pub(super) fn begin(&mut self) {
        (self.now, self.last) = (BTreeMap::new(), 0);
    }

    /// Notes a link, in place of the same one of this document.
    pub(super) fn note(&mut self, uri: &str, entry: &str, document: u32, resource: Option<&ListedResource>) {
        self.put(uri, entry, document, true, resource);
    }

    fn put(&mut self, uri: &str, entry: &str, document: u32, exists: bool, resource: Option<&ListedResource>) {
        self.last = self.last.saturating_add(1);
        let row = Row { sequence: self.last, exists, resource: resource.cloned() };
        self.now.insert((uri.to_owned(), entry.to_owned(), document), row);
    }

    /// Notes that a resource is no longer listed, and its entry links to nothing.
    pub(super) fn end(&mut self, uri: &str) {
        let is_ended = |of: &str, entry: &str| entry == uri || (entry.is_empty() && of == uri);
        for ((of, entry, _), row) in &mut self.now {
            row.exists &= !is_ended(of, entry);
        }
        let ended: Vec<_> = self.before.iter().filter(|(of, entry)| is_ended(of, entry)).cloned().collect();
        for (of, entry) in ended {
            self.put(&of, &entry, 0, false, None);
        }
    }

    pub(super) fn forget(&mut self, document: Option<u32>) {
        self.now.retain(|(_, _, of), _| document.is_some_and(|document| document != *of));
    }

    /// True if a link of before counts, and this run has not ended it.
    fn is_left(&self, uri: &str, entry: &str) -> bool {
        self.before.contains(&(uri.to_owned(), entry.to_owned())) && !self.of(uri, entry).any(|row| !row.exists)
    }

    /// True if anything is known of links to a resource.
    pub(super) fn knows(&self, uri: &str) -> bool {
        self.of_uri(uri).next().is_some() || self.entries_before(uri).next().is_some()
    }

    /// Keeps the links to a resource, also if the run does not end.
    pub(super) fn keep(&mut self, uri: &str) {
        let entries = self.of_uri(uri).filter(|(entry, row)| row.exists && !entry.is_empty());
        let links: Vec<_> = entries.map(|(entry, _)| (uri.to_owned(), entry.to_owned())).collect();
        self.before.extend(links);
    }

    /// True if an entry links to a resource.
    pub(super) fn has_link(&self, uri: &str) -> bool {
        self.of_uri(uri).any(|(entry, row)| row.exists && !entry.is_empty())
            || self.entries_before(uri).any(|entry| !entry.is_empty() && self.is_left(uri, entry))
    }

    fn of(&self, uri: &str, entry: &str) -> impl Iterator<Item = &Row> {
        let from = |document| (uri.to_owned(), entry.to_owned(), document);
        self.now.range(from(0)..=from(u32::MAX)).map(|(_, row)| row)
    }

    fn of_uri(&self, uri: &str) -> impl Iterator<Item = (&str, &Row)> {
        let from = (uri.to_owned(), String::new(), 0);
        let all = self.now.range(from..).take_while(move |((of, _, _), _)| of == uri);
        all.map(|((_, entry, _), row)| (&**entry, row))
    }

    fn entries_before(&self, uri: &str) -> impl Iterator<Item = &str> {
        let all = self.before.range((uri.to_owned(), String::new())..).take_while(move |(of, _)| of == uri);
        all.map(|(_, entry)| &**entry)
    }

    pub(super) fn after(&self, after: i64, most: usize, compares_lists: bool) -> Vec<(i64, ListedResource)> {
        let is_listed =
            |uri: &str| self.of(uri, "").any(|row| row.exists) || (!compares_lists && self.is_left(uri, ""));
        let rows = self.now.iter().filter(|((uri, entry, _), row)| {
            row.sequence > after && row.exists && !entry.is_empty() && !is_listed(uri)
        });
        let mut rows: Vec<_> = rows.filter_map(|(_, row)| Some((row.sequence, row.resource.clone()?))).collect();
        rows.sort_by_key(|(sequence, _)| *sequence);
        rows.truncate(most);
        rows
    }

    pub(super) fn gone_after(&self, after: &str, most: usize, compares_lists: bool) -> Vec<String> {
        let was_related = |uri: &&String| compares_lists || self.entries_before(uri).any(|entry| !entry.is_empty());
        let is_related = |uri: &str| {
            self.of_uri(uri).any(|(_, row)| row.exists)
                || (!compares_lists && self.entries_before(uri).any(|entry| self.is_left(uri, entry)))
        };
        let ended = self.now.iter().filter(|((uri, entry, _), row)| !row.exists && !entry.is_empty() && **uri > *after);
        let uris: BTreeSet<&String> = ended.map(|((uri, _, _), _)| uri).collect();
        let uris = uris.into_iter().filter(was_related).filter(|uri| !is_related(uri));
        uris.take(most).cloned().collect()
    }

    /// Keeps what was noted for the runs after this one. What is listed need only be known of what entries link to, and of what is not stored.
    pub(super) fn settle(&mut self, compared_lists: bool, is_stored: &dyn Fn(&str) -> bool) {
        if compared_lists {
            self.before.clear();
        }
        for ((uri, entry, _), row) in &self.now {
            let link = (uri.clone(), entry.clone());
            if !row.exists {
                self.before.remove(&link);
            }
        }
        for ((uri, entry, _), _) in self.now.iter().filter(|(_, row)| row.exists) {
            self.before.insert((uri.clone(), entry.clone()));
        }
        let related: BTreeSet<String> =
            self.before.iter().filter(|(_, entry)| !entry.is_empty()).map(|(uri, _)| uri.clone()).collect();
        self.before.retain(|(uri, entry)| !entry.is_empty() || related.contains(uri) || !is_stored(uri));
    }
}
