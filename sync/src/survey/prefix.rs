//! Whether a second reading of a document begins with the entries of the first.

/// The entries of a document, from its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Prefix {
    entries: u64,
    hash: u64,
}

impl Prefix {
    const NONE: Prefix = Prefix { entries: 0, hash: 0xcbf2_9ce4_8422_2325 };

    /// FNV-1a over the URIs.
    fn add(&mut self, uri: &str) {
        self.entries = self.entries.saturating_add(1);
        for byte in uri.bytes().chain([0]) {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// A reading, compared with one that was cut off before it.
#[derive(Debug)]
pub(super) struct Compared {
    own: Prefix,
    before: Option<Prefix>,
    /// Entries of the earlier reading are not in this one.
    differs: bool,
}

impl Compared {
    pub(super) fn with(before: Option<Prefix>) -> Compared {
        Compared { own: Prefix::NONE, before, differs: false }
    }

    pub(super) fn add(&mut self, uri: &str) {
        self.own.add(uri);
        if let Some(before) = self.before.take_if(|before| before.entries == self.own.entries) {
            self.differs |= before != self.own;
        }
    }

    /// What the next reading begins with, if this one is cut off.
    pub(super) fn cut(self) -> Prefix {
        // What differed once is never equal.
        let never = Prefix { entries: u64::MAX, ..Prefix::NONE };
        if self.differs { never } else { self.before.unwrap_or(self.own) }
    }

    /// True if the complete document lacks entries that an earlier reading had.
    pub(super) fn differs(&self) -> bool {
        self.differs || self.before.is_some_and(|before| before.entries > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(uris: &[&str], before: Option<Prefix>) -> Compared {
        let mut compared = Compared::with(before);
        uris.iter().for_each(|uri| compared.add(uri));
        compared
    }

    #[test]
    fn a_second_reading_has_the_entries_of_the_first_or_differs() {
        let cut = || Some(read(&["a", "b"], None).cut());
        assert!(!read(&["a", "b"], None).differs());
        assert!(!read(&["a", "b"], cut()).differs());
        assert!(!read(&["a", "b", "c"], cut()).differs());
        for other in [&["a"][..], &[], &["b", "a"], &["a", "c", "b"], &["ab", ""]] {
            assert!(read(other, cut()).differs(), "{other:?}");
        }
        // Cut off again, also earlier than before.
        assert!(read(&["a", "b"], Some(read(&["c", "b", "a"], cut()).cut())).differs());
        assert!(read(&["a", "c"], Some(read(&["a"], cut()).cut())).differs());
        assert!(!read(&["a"], Some(read(&[], None).cut())).differs());
    }
}
