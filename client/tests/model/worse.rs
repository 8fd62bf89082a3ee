//! A worse world: documents that are rewritten one by one while they are read, caches with earlier states, codings, other hosts, and
//! wrong clocks.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
};

use flate2::{Compression, write::GzEncoder};

use crate::random::Random;

/// Seconds of ten years, by which a wrong clock is ahead, or behind.
const TEN_YEARS: i64 = 10 * 365 * 86_400;

pub(crate) type Documents = BTreeMap<String, Vec<u8>>;

#[derive(Debug)]
pub(crate) struct Worse {
    random: Random,
    /// What was published before, with a right clock.
    earlier: Vec<Documents>,
    /// Documents that are still to be written.
    queue: Vec<(String, Option<Vec<u8>>)>,
    /// What caches have.
    cached: Documents,
    /// True if caches obey `no-cache`.
    obeys: bool,
    /// True if bodies are compressed for those who accept it, and files that are compressed are sent as if they were coded.
    pub(crate) codes: bool,
    /// One resource in so many is at another host in this run; 0 for none.
    moved: u64,
    /// How wrong the clock is.
    pub(crate) skew: i64,
    /// True if the clock was ever wrong.
    pub(crate) was_wrong: bool,
}

impl Worse {
    pub(crate) fn new(mut random: Random) -> Worse {
        Worse {
            earlier: Vec::new(),
            queue: Vec::new(),
            cached: Documents::new(),
            obeys: random.once_in(2),
            codes: random.once_in(3),
            moved: 0,
            skew: 0,
            was_wrong: false,
            random,
        }
    }

    /// Caches obey `no-cache`: without times in Change Lists, nothing else shows that one is old.
    pub(crate) fn obeying(self) -> Worse {
        Worse { obeys: true, ..self }
    }

    /// Before a run: some caches have one of the last states of their documents.
    pub(crate) fn begin_run(&mut self) {
        if self.random.once_in(2) {
            self.cached.clear();
        }
        // A list that is dated in the future does not show that another one is older.
        if !self.earlier.is_empty() && self.random.once_in(3) && !self.was_wrong {
            let back = 1 + self.random.below(3) as usize;
            let state = &self.earlier[self.earlier.len().saturating_sub(back)];
            let only = self.random.once_in(2).then(|| self.random.below(state.len() as u64) as usize);
            for (number, (uri, body)) in state.iter().enumerate() {
                if only.map_or_else(|| self.random.once_in(3), |only| only == number) {
                    self.cached.insert(uri.clone(), body.clone());
                }
            }
        }
        self.moved = if self.random.once_in(6) { 1 + self.random.below(5) } else { 0 };
    }

    /// Before documents are published: the clock may be wrong.
    pub(crate) fn set_clock(&mut self) {
        self.skew = match self.random.below(12) {
            0 => TEN_YEARS,
            1 => -TEN_YEARS,
            _ => 0,
        };
        if self.skew != 0 {
            self.was_wrong = true;
            self.cached.clear();
        }
    }

    /// Documents are published: what is served from now on, of which some may be written only later.
    pub(crate) fn publish(&mut self, before: Documents, now: Documents) -> Documents {
        if self.skew == 0 {
            self.earlier.push(now.clone());
        }
        self.queue.clear();
        if self.random.once_in(2) {
            return now;
        }
        let uris: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        for uri in uris.into_iter().filter(|uri| before.get(*uri) != now.get(*uri)) {
            let place = self.random.below(self.queue.len() as u64 + 1) as usize;
            self.queue.insert(place, (uri.clone(), now.get(uri).cloned()));
        }
        before
    }

    /// Before a response: some documents are written.
    pub(crate) fn write(&mut self, documents: &mut Documents) {
        for _ in 0..self.random.below(3) {
            let Some((uri, body)) = self.queue.pop() else { return };
            match body {
                Some(body) => documents.insert(uri, body),
                None => documents.remove(&uri),
            };
        }
    }

    /// What a cache has of a document.
    pub(crate) fn cached(&self, uri: &str, headers: &[(String, String)]) -> Option<&Vec<u8>> {
        let bypasses = headers.iter().any(|(name, value)| name == "cache-control" && value == "no-cache");
        self.cached.get(uri).filter(|_| !(self.obeys && bypasses))
    }

    /// The host that a resource has moved to, which is not allowed.
    pub(crate) fn moved(&mut self, name: &str) -> Option<String> {
        let is_moved = self.moved > 0 && self.random.once_in(self.moved);
        is_moved.then(|| format!("http://b.example/{name}"))
    }

    /// The body as it is sent, if that is not as it is.
    pub(crate) fn coded(&self, name: &str, body: &[u8], headers: &[(String, String)]) -> Option<Vec<u8>> {
        let accepts = headers.iter().any(|(name, value)| name == "accept-encoding" && value.contains("gzip"));
        let is_coded = self.codes && accepts && !name.ends_with(".gz");
        is_coded.then(|| gzip(body))
    }

    /// The last fault is over: everything is as the Source published it last.
    pub(crate) fn end(&mut self, documents: &mut Documents) {
        self.cached.clear();
        self.moved = 0;
        self.skew = 0;
        for (uri, body) in self.queue.drain(..) {
            match body {
                Some(body) => documents.insert(uri, body),
                None => documents.remove(&uri),
            };
        }
    }
}

pub(crate) fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}
