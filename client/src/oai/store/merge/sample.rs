//! An evenly spread sample of identifiers.

/// An evenly spread sample.
pub(super) struct Sample {
    wanted: usize,
    every: u64,
    seen: u64,
    taken: Vec<String>,
}

impl Sample {
    pub(super) fn new(wanted: usize) -> Sample {
        Sample { wanted: wanted.max(1), every: 1, seen: 0, taken: Vec::new() }
    }

    pub(super) fn push(&mut self, identifier: &str) {
        if self.seen.is_multiple_of(self.every) {
            self.taken.push(identifier.to_owned());
        }
        self.seen = self.seen.saturating_add(1);
        if self.taken.len() >= self.wanted.saturating_mul(2) {
            let mut at = 0_usize;
            self.taken.retain(|_| {
                at = at.wrapping_add(1);
                at % 2 == 1
            });
            self.every = self.every.saturating_mul(2);
        }
    }

    pub(super) fn finish(self) -> Vec<String> {
        let (count, wanted) = (self.taken.len(), self.wanted);
        if count <= wanted {
            return self.taken;
        }
        let is_taken = |at: usize| (at * wanted / count) != ((at + 1) * wanted / count);
        self.taken.into_iter().enumerate().filter(|(at, _)| is_taken(*at)).map(|(_, own)| own).collect()
    }
}
