//! The Change Lists of a set as a stream: which of their entries lie between two positions, exactly once.
//!
//! A position is a plain value that the program stores. [`Stream`] follows the lists from a position like a [`Chain`], and concludes with the
//! next one, which has the slices of the lists between the two. Another process reads these, now or after a restart: [`SliceReader`] finds
//! whether a list still begins with the entries that it had.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{
    diagnostic::{Arg, Reason},
    limits::Limits,
    model::Kind,
    report::Lang,
    value::Datetime,
};
use serde::{Deserialize, Serialize};

pub use crate::chain::{Slice, SliceReader};
use crate::{
    catalogue,
    chain::{Chain, Followed, State},
    checkpoint::{Checkpoint, Open, Seen},
    listed_resource::moment,
    survey::{Head, Step},
};

/// How far a set was read, and by which slices. It grows with the open lists and with the lists of one batch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Position {
    /// The state of the set, without what only saves requests.
    pub checkpoint: Checkpoint,
    /// The entries between the previous position and this one, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<Slice>,
    /// What was found missing, changed or unreadable there, with its code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What happens if the stream cannot be continued exactly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Treatment {
    /// It ends with an error.
    #[default]
    Fail,
    /// It continues, and the problem is part of the next position.
    Row,
    /// It continues. Only for what may be readable later.
    Skip,
}

/// Where a stream continues, and how.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StreamOptions {
    /// The position. The first one of a set has only its Capability List, or the URIs of its lists.
    pub position: Position,
    /// The checkpoint of the position with what saves requests, if the same process made it.
    #[serde(default)]
    pub known: Option<Checkpoint>,
    /// The clock, in seconds since 1970.
    pub now: i64,
    /// Changes that no list contains: `fail` or `row`.
    #[serde(default)]
    pub on_gap: Treatment,
    /// Lists that lack entries that were read: `fail`, or `row` to read them from the beginning.
    #[serde(default)]
    pub on_rewrite: Treatment,
    /// Documents that cannot be read, or are older than before. Nothing is concluded from them, and they are read again later.
    #[serde(default)]
    pub on_unreadable: Treatment,
    /// The number of lists after which a position is made, if more are new.
    pub most: usize,
    /// The number of entries after which it is made, too, at the end of a list.
    #[serde(default)]
    pub most_entries: Option<u64>,
}

impl StreamOptions {
    /// The number of the first slices that reach a limit.
    fn first(&self, slices: &[Slice]) -> usize {
        let most = self.most_entries.unwrap_or(u64::MAX);
        let mut entries: u64 = 0;
        let within = slices.iter().take_while(|slice| {
            let is_within = entries < most;
            entries = entries.saturating_add(slice.entries.saturating_sub(slice.from));
            is_within
        });
        within.count().max(1).min(self.most)
    }
}

/// Where a stream has arrived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Advance {
    /// The next position; `None` if nothing is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// Its checkpoint, or that of the same position, with what saves requests.
    pub known: Checkpoint,
    /// The error with which the stream ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// True if the lists after the position were left for the next call.
    pub has_more: bool,
    /// The Change Lists that were read.
    pub lists: Vec<String>,
}

/// Reads the Change Lists since a position; driven like a [`Chain`].
#[derive(Debug)]
pub struct Stream {
    chain: Chain,
    options: StreamOptions,
}

impl Stream {
    /// Begins at a position. The limits of documents are those with which the slices are read: what a limit cuts is another entry.
    pub fn new(options: StreamOptions, limits: &Limits) -> Stream {
        let before = options.known.clone().unwrap_or_else(|| options.position.checkpoint.clone());
        let mut chain = Chain::new(before, options.now, limits).entry_by_entry();
        if options.on_gap == Treatment::Row {
            chain = chain.crossing_gaps();
        }
        Stream { chain, options }
    }

    /// The next document to request.
    #[allow(clippy::should_implement_trait)] // it never ends by itself
    pub fn next(&mut self) -> Step {
        self.chain.next()
    }

    /// The head of its response.
    pub fn answer(&mut self, head: Head) {
        self.chain.answer(head);
    }

    /// Bytes of its body.
    pub fn push(&mut self, bytes: &[u8]) {
        self.chain.push(bytes);
        // The entries themselves are read from the slices.
        drop(self.chain.events());
    }

    /// The end of its body.
    pub fn end(&mut self) {
        self.chain.end();
        drop(self.chain.events());
    }

    /// There is no response, or it broke off.
    pub fn failed(&mut self, reason: Reason) {
        self.chain.failed(reason);
    }

    /// The response broke off, and the same document is requested again.
    pub fn again(&mut self) {
        self.chain.again();
    }

    /// Ends reading early.
    pub fn stop(&mut self, reason: &Reason) {
        self.chain.stop(reason);
    }

    /// Where the stream has arrived.
    pub fn finish(self) -> Advance {
        let Stream { chain, options } = self;
        let followed = chain.finish();
        let is_list = |kind: Kind| kind == Kind::ChangeList;
        let read = followed.documents.iter().filter(|read| read.unread.is_none() && is_list(read.kind));
        let lists = read.map(|read| read.uri.clone()).collect();
        let before = &options.position.checkpoint;
        let treated = |trouble: &Trouble| match trouble {
            Trouble::Gap => options.on_gap,
            Trouble::Rewrite => options.on_rewrite,
            Trouble::Unreadable => options.on_unreadable,
        };
        let troubles = troubles(&followed, before);
        let failure = troubles.iter().find(|(trouble, _)| treated(trouble) == Treatment::Fail);
        let failure = failure.map(|(_, text)| text.clone());
        let is_skipped = troubles.iter().any(|(trouble, _)| treated(trouble) == Treatment::Skip);
        let texts: Vec<String> = troubles.into_iter().map(|(_, text)| text).collect();
        let problem = (!texts.is_empty()).then(|| texts.join("; "));
        let stays = Advance { position: None, known: before.clone(), failure: None, has_more: false, lists };
        let known = Checkpoint { hole: None, dumps: Vec::new(), ..followed.checkpoint.clone() };
        if failure.is_some() {
            return Advance { failure, ..stays };
        }
        if is_skipped && !followed.state.is_complete() {
            return stays;
        }
        let is_complete = followed.state.is_complete();
        let slices = if is_complete { followed.slices.clone() } else { Vec::new() };
        let checkpoint = if is_complete { stored(&known) } else { before.clone() };
        if let Some((checkpoint, slices)) = cut(before, &checkpoint, &followed, options.first(&followed.slices)) {
            let position = Position { checkpoint: checkpoint.clone(), slices, problem };
            return Advance { position: Some(position), known: checkpoint, has_more: true, ..stays };
        }
        let is_new = !slices.is_empty() || checkpoint != *before || problem != options.position.problem;
        let position = is_new.then_some(Position { checkpoint, slices, problem });
        let known = if is_complete { known } else { before.clone() };
        Advance { position, known, ..stays }
    }
}

enum Trouble {
    Gap,
    Rewrite,
    Unreadable,
}

/// What keeps the stream from being continued exactly, each with its code.
fn troubles(followed: &Followed, before: &Checkpoint) -> Vec<(Trouble, String)> {
    let has_begun = before.as_of.is_some() || !before.open.is_empty();
    let unread = followed.documents.iter().find_map(|read| Some((read, read.unread.as_ref()?)));
    let unread = || match unread {
        Some((read, reason)) => unreadable(&read.uri, reason),
        None => unreadable(&before.set, &Reason::other("reading ended early")),
    };
    let gap = |after: Option<String>, before: Option<String>| {
        let text = |time: Option<String>| time.unwrap_or_else(|| "?".to_string());
        coded("SYN-25", [("after", text(after)), ("before", text(before))])
    };
    match followed.state {
        State::Unread => return Vec::from([(Trouble::Unreadable, unread())]),
        State::Older => {
            let (uri, at, seen) = followed.older.first().cloned().unwrap_or_default();
            return Vec::from([(Trouble::Unreadable, coded("SYN-02", [("uri", uri), ("at", at), ("seen", seen)]))]);
        }
        State::Absent if has_begun => return Vec::from([(Trouble::Gap, gap(before.as_of.clone(), None))]),
        State::Absent => return Vec::new(),
        _ => {}
    }
    let missing = match &followed.gap {
        Some(found) => {
            let after = found.after.clone().or_else(|| before.as_of.clone());
            Some(gap(after, found.before.clone()))
        }
        // A list that is named and missing.
        None => followed.documents.iter().any(|read| read.unread.is_some()).then(unread),
    };
    let rewritten = followed.rewritten.first().map(|uri| coded("SYN-26", [("uri", uri.clone())]));
    let missing = missing.map(|text| (Trouble::Gap, text));
    missing.into_iter().chain(rewritten.map(|text| (Trouble::Rewrite, text))).collect()
}

/// The error of a document that cannot be read now.
pub fn unreadable(uri: &str, reason: &Reason) -> String {
    coded("SYN-16", [("uri", uri.to_string()), ("reason", reason.to_string())])
}

/// A message with its code, in English.
fn coded<const N: usize>(code: &str, args: [(&str, String); N]) -> String {
    let args = args.map(|(name, value)| (name.to_string(), Arg::from(value.as_str())));
    let message = catalogue::find(code).map(|row| row.message(&args.into_iter().collect(), Lang::En));
    format!("[{code}] {}", message.unwrap_or_default())
}

/// The error of a slice that no list has any more.
pub fn lost(slice: &Slice) -> String {
    let (from, to) = (slice.from.saturating_add(1).to_string(), slice.entries.to_string());
    coded("SYN-27", [("uri", slice.uri.clone()), ("from", from), ("to", to)])
}

/// A checkpoint without what only saves requests, so that it is the same as long as nothing changes.
fn stored(known: &Checkpoint) -> Checkpoint {
    let open = known.open.iter().map(|open| Open { etag: None, modified: None, ..open.clone() }).collect();
    Checkpoint { documents: Vec::new(), consulted: 0, open, ..known.clone() }
}

/// A position after some of the lists: the first ones, if they are closed and the others end later.
fn cut(before: &Checkpoint, after: &Checkpoint, followed: &Followed, most: usize) -> Option<(Checkpoint, Vec<Slice>)> {
    let slices = &followed.slices;
    if slices.len() <= most {
        return None;
    }
    let end = |slice: &Slice| slice.until.as_deref().and_then(moment);
    let start = |end: &Datetime| end.start();
    let first: Vec<Slice> = slices.iter().take(most).cloned().collect();
    let rest = slices.get(most..).unwrap_or_default();
    let ends: Option<Vec<(Datetime, &str)>> =
        first.iter().map(|slice| end(slice).zip(slice.until.as_deref())).collect();
    let (last, text) = ends?.into_iter().max_by_key(|(end, _)| start(end))?;
    let continued = |slices: &[Slice]| slices.iter().filter(|slice| slice.from > 0).count();
    let is_later = |slice: &Slice| slice.from == 0 && end(slice).is_none_or(|end| start(&end) > start(&last));
    if !rest.iter().all(is_later) || continued(&first) < before.open.iter().filter(|open| open.entries > 0).count() {
        return None;
    }
    let seen = Seen { until: Some(text.to_string()), from: before.seen.from.clone() };
    let closed = followed.closed(before, Some(text), rest);
    let checkpoint = Checkpoint { as_of: Some(text.to_string()), open: Vec::new(), closed, seen, ..after.clone() };
    Some((checkpoint, first))
}

#[cfg(test)]
mod tests;
