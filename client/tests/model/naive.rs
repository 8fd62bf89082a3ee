//! A second writer of documents, made of strings, so that an error of the builders is not taken for the truth.

use std::{collections::BTreeMap, fmt::Write as _};

use crate::{
    random::Random,
    source::{Changed, HOST, Source, digests},
};

const HEAD: &str =
    r#"xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/""#;

/// How changes are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// One open list of everything.
    Single,
    /// One open list that forgets what is old.
    Window(i64),
    /// Closed lists and an open one, with an index. `moves`: the open list is always at one URI.
    Index { moves: bool },
    /// Closed lists and an open one; the Capability List names only the last of them.
    Chain,
    /// Only closed lists, with an index.
    Closed,
}

/// How the documents are written.
#[derive(Debug, Clone)]
pub(crate) struct Naive {
    /// Of a Source of two sets: the set, whose documents have names of their own.
    set: Option<u64>,
    style: Style,
    pub(crate) datetimes: bool,
    pub(crate) digests: bool,
    lengths: bool,
    lastmods: bool,
    newest_first: bool,
    overlap: i64,
    keep: usize,
    claims: bool,
    list_index: bool,
    begun: Option<i64>,
    /// The ends of closed lists.
    ends: Vec<i64>,
    list: BTreeMap<String, Vec<u8>>,
    /// What was published last.
    documents: BTreeMap<String, Vec<u8>>,
}

impl Naive {
    pub(crate) fn new(random: &mut Random, set: Option<u64>) -> Naive {
        let style = match random.below(6) {
            0 => Style::Single,
            1 => Style::Window(100 + random.below(2_000) as i64),
            2 => Style::Index { moves: true },
            3 => Style::Index { moves: false },
            4 => Style::Chain,
            _ => Style::Closed,
        };
        Naive {
            set,
            style,
            datetimes: !random.once_in(4),
            digests: !random.once_in(3),
            lengths: random.once_in(2),
            lastmods: random.once_in(2),
            newest_first: random.once_in(5),
            overlap: if random.once_in(3) { random.below(200) as i64 } else { 0 },
            keep: 1 + random.below(4) as usize,
            claims: random.once_in(2),
            list_index: random.once_in(3),
            begun: None,
            ends: Vec::new(),
            list: BTreeMap::new(),
            documents: BTreeMap::new(),
        }
    }

    /// Lists that keep all changes, with times and digests: of a Source that is restored, others may begin after what was lost, and bytes
    /// that were never announced be taken for others.
    pub(crate) fn keeping_all(self) -> Naive {
        let style = match self.style {
            Style::Window(_) | Style::Chain => Style::Single,
            style => style,
        };
        Naive { style, datetimes: true, digests: true, overlap: 0, keep: usize::MAX, ..self }
    }

    /// Two sets. Some resources are in both, and leave and join one of them.
    pub(crate) fn two(random: &mut Random) -> [Naive; 2] {
        let mut two = [Naive::new(random, Some(0)), Naive::new(random, Some(1))];
        let has_digests = two.iter().all(|set| set.digests);
        two.iter_mut().for_each(|set| set.digests = has_digests);
        two
    }

    /// Publishes two sets, or at most times that are not the last only one of them.
    pub(crate) fn publish_two(two: &mut [Naive; 2], source: &mut Source, with_list: bool) {
        let only = if with_list { 2 } else { source.random.below(4) };
        let mut documents = BTreeMap::new();
        for (number, set) in (0..).zip(two.iter_mut()) {
            if only > 1 || only == number || set.documents.is_empty() {
                set.publish(source, with_list);
            }
            documents.extend(set.documents.clone());
        }
        let entries = two.each_ref().map(|set| entry(&set.uri("cap.xml"), "capabilitylist"));
        documents
            .insert(format!("{HOST}.well-known/resourcesync"), urlset("<rs:md capability=\"description\"/>", &entries));
        source.documents = documents;
    }

    /// True if a change is one of what it lists.
    fn concerns(&self, source: &Source, change: &Changed) -> bool {
        let Some(set) = self.set else { return true };
        change.only.map_or_else(|| source.lists(set, &change.name, change.time), |only| only == set)
    }

    /// The URI of a document.
    fn uri(&self, name: &str) -> String {
        match self.set {
            None => format!("{HOST}{name}"),
            Some(set) => format!("{HOST}{set}/{name}"),
        }
    }

    pub(crate) fn publish(&mut self, source: &mut Source, with_list: bool) {
        // Without `datetime`, or where it is the same, nothing else shows the order.
        let reversed = self.newest_first && self.datetimes && source.clock().moments == 1;
        let now = source.now;
        let begun = *self.begun.get_or_insert(now - source.random.below(500) as i64);
        if with_list || self.list.is_empty() {
            self.list = self.resource_list(source);
        }
        let mut documents = self.list.clone();
        let rotates = source.random.once_in(2) || self.style == Style::Closed;
        if rotates && !matches!(self.style, Style::Single | Style::Window(_)) {
            self.ends.push(now);
        }
        let name = |number: usize| self.uri(&format!("changes-{number}.xml"));
        let mut lists: Vec<(String, i64, Option<i64>)> = Vec::new();
        match self.style {
            Style::Single => lists.push((self.uri("changes.xml"), begun, None)),
            Style::Window(length) => lists.push((self.uri("changes.xml"), begun.max(now - length), None)),
            Style::Index { .. } | Style::Chain | Style::Closed => {
                let mut from = begun;
                for (number, end) in self.ends.iter().enumerate() {
                    lists.push((name(number), (from - self.overlap).max(begun), Some(*end)));
                    from = *end;
                }
                let extra = self.ends.len().saturating_sub(self.keep);
                lists.drain(..extra);
                let is_moved = self.style == Style::Index { moves: true };
                let open = if is_moved { self.uri("changes.xml") } else { name(self.ends.len()) };
                if self.style != Style::Closed {
                    lists.push((open, (from - self.overlap).max(begun), None));
                }
            }
        }
        let has_index = matches!(self.style, Style::Index { .. } | Style::Closed);
        let index = self.uri("changes-index.xml");
        for (uri, from, until) in &lists {
            // All changes since the time that is written.
            let since = source.clock().first(*from);
            let within = |change: &&Changed| {
                change.time >= since && until.is_none_or(|until| change.time <= until) && self.concerns(source, change)
            };
            let mut entries: Vec<String> =
                source.changes.iter().filter(within).map(|change| self.change(source, change)).collect();
            if reversed {
                entries.reverse();
            }
            let until = until.map(|until| format!(" until=\"{}\"", source.written(until))).unwrap_or_default();
            let link = if has_index { format!("<rs:ln rel=\"index\" href=\"{index}\"/>") } else { String::new() };
            let head = format!("<rs:md capability=\"changelist\" from=\"{}\"{until}/>", source.written(*from));
            documents.insert(uri.clone(), urlset(&format!("{link}{head}"), &entries));
        }
        let named = if has_index {
            let entries: String = lists
                .iter()
                .map(|(uri, from, until)| {
                    let until = until.map(|until| format!(" until=\"{}\"", source.written(until))).unwrap_or_default();
                    let claim = if self.claims {
                        format!("<rs:md from=\"{}\"{until}/>", source.written(*from))
                    } else {
                        String::new()
                    };
                    format!("<sitemap><loc>{uri}</loc>{claim}</sitemap>")
                })
                .collect();
            let head = format!("<rs:md capability=\"changelist\" from=\"{}\"/>", source.written(begun));
            documents
                .insert(index.clone(), format!("<sitemapindex {HEAD}>{head}{entries}</sitemapindex>").into_bytes());
            Some(index)
        } else {
            lists.last().map(|(uri, ..)| uri.clone())
        };
        let mut capabilities = vec![entry(&self.uri("list.xml"), "resourcelist")];
        capabilities.extend(named.map(|uri| entry(&uri, "changelist")));
        documents.insert(self.uri("cap.xml"), urlset("<rs:md capability=\"capabilitylist\"/>", &capabilities));
        let description = [entry(&self.uri("cap.xml"), "capabilitylist")];
        documents.insert(
            format!("{HOST}.well-known/resourcesync"),
            urlset("<rs:md capability=\"description\"/>", &description),
        );
        source.documents.clone_from(&documents);
        self.documents = documents;
    }

    fn resource_list(&self, source: &Source) -> BTreeMap<String, Vec<u8>> {
        let entries: Vec<String> = source
            .resources
            .iter()
            .filter(|(name, _)| self.set.is_none_or(|set| source.lists(set, name, source.now)))
            .map(|(name, (body, since))| self.entry(source, name, body, *since, ""))
            .collect();
        let head = format!("<rs:md capability=\"resourcelist\" at=\"{}\"/>", source.written(source.now));
        let mut documents = BTreeMap::new();
        if !self.list_index {
            documents.insert(self.uri("list.xml"), urlset(&head, &entries));
            return documents;
        }
        let mut members = String::new();
        for (number, part) in entries.chunks(entries.len().div_ceil(2).max(1)).enumerate() {
            let uri = self.uri(&format!("list-{number}.xml"));
            let _ = write!(members, "<sitemap><loc>{uri}</loc></sitemap>");
            documents.insert(uri, urlset(&head, part));
        }
        let index = format!("<sitemapindex {HEAD}>{head}{members}</sitemapindex>");
        documents.insert(self.uri("list.xml"), index.into_bytes());
        documents
    }

    fn change(&self, source: &Source, change: &Changed) -> String {
        let at = if self.datetimes { format!(" datetime=\"{}\"", source.written(change.time)) } else { String::new() };
        match &change.body {
            None => format!("<url><loc>{HOST}{}</loc><rs:md change=\"deleted\"{at}/></url>", change.name),
            Some(body) => {
                let verb = if change.was { "updated" } else { "created" };
                self.entry(source, &change.name, body, change.time, &format!(" change=\"{verb}\"{at}"))
            }
        }
    }

    fn entry(&self, source: &Source, name: &str, body: &[u8], since: i64, attributes: &str) -> String {
        // Without a digest, a time shows nothing where much happens in a second.
        let lastmod =
            if self.lastmods { format!("<lastmod>{}</lastmod>", source.written(since)) } else { String::new() };
        let hash = if self.digests { format!(" hash=\"{}\"", digests(body)) } else { String::new() };
        let length = if self.lengths { format!(" length=\"{}\"", body.len()) } else { String::new() };
        format!("<url><loc>{HOST}{name}</loc>{lastmod}<rs:md{attributes}{hash}{length}/></url>")
    }
}

fn entry(uri: &str, capability: &str) -> String {
    format!("<url><loc>{uri}</loc><rs:md capability=\"{capability}\"/></url>")
}

fn urlset(head: &str, entries: &[String]) -> Vec<u8> {
    format!("<urlset {HEAD}>{head}{}</urlset>", entries.concat()).into_bytes()
}
