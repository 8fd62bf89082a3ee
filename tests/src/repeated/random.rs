//! Choices that are the same in every run, and damage by them.

/// SplitMix64: the same documents in every run.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below another.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(super) fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Changes, removes, repeats or moves some bytes.
pub fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    match random.below(6) {
        0 => bytes.insert(at, random.of(b"<>&\"' \n\r\t\0/=]x1\x7f\xc3")),
        1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        2 if random.one_in(4) => bytes.truncate(at),
        3 => drop(bytes.drain(at..(at + random.below(12)).min(bytes.len()))),
        4 if at < bytes.len() => bytes[at] = random.of(b"0123456789abcdefxyzZ<>&;:#%"),
        _ => {
            let from = random.below(bytes.len() + 1);
            let part = bytes[from..(from + random.below(200)).min(bytes.len())].to_vec();
            bytes.splice(at..at, part);
        }
    }
}
