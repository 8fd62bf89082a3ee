//! Which resources a Change List has changed, and when: a list that was rewritten must still have what was processed, or later changes.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use resourcesync::value::to_hex;
use sha2::{Digest, Sha256};

/// Maximum resources of a list; an illegal longer one is compared with nothing.
const MOST: usize = 50_000;
/// Bytes of a resource and of a time, and hexadecimal digits of both.
const RESOURCE: usize = 4;
const TIME: usize = 5;
const DIGITS: usize = 2 * (RESOURCE + TIME);
/// The time of a change that states none: no other one is later.
pub(super) const NEVER: u64 = (1 << (8 * TIME)) - 1;

/// The last change of each resource in a list, in seconds since 1970.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Marks {
    times: BTreeMap<u32, u64>,
    is_full: bool,
}

impl Marks {
    /// Notes a change, with its time in seconds since 1970.
    pub(super) fn note(&mut self, uri: &str, time: Option<i64>) {
        let digest = Sha256::digest(uri.as_bytes());
        let resource = digest.iter().take(RESOURCE).fold(0, |sum, byte| (sum << 8) | u32::from(*byte));
        let seconds = time.map_or(NEVER, since_1970);
        let last = self.times.entry(resource).or_default();
        *last = seconds.max(*last);
        self.is_full |= self.times.len() > MOST;
        if self.is_full {
            self.times.clear();
        }
    }

    /// In a text, for a checkpoint; empty if the list is too long, or has no entries.
    pub(super) fn to_text(&self) -> String {
        let bytes = self.times.iter().flat_map(|(resource, seconds)| {
            let [_, _, _, time @ ..] = seconds.to_be_bytes();
            resource.to_be_bytes().into_iter().chain(time)
        });
        to_hex(&bytes.collect::<Vec<u8>>())
    }

    /// Reads the text; `None` if nothing is known of the entries.
    pub(super) fn read(text: &str) -> Option<Marks> {
        let number = |digits: &[u8]| u64::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok();
        let mark = |digits: &[u8]| {
            let (resource, time) = digits.split_at_checked(2 * RESOURCE)?;
            Some((u32::try_from(number(resource)?).ok()?, number(time)?))
        };
        let times: Option<BTreeMap<u32, u64>> = text.as_bytes().chunks(DIGITS).map(mark).collect();
        times.filter(|times| !times.is_empty()).map(|times| Marks { times, is_full: false })
    }

    /// The earliest change that is in a time, and neither there nor followed by a later one of its resource in the others.
    pub(super) fn lost(&self, is_in: impl Fn(u64) -> bool, others: &[Marks]) -> Option<u64> {
        let has = |resource: &u32, time: u64| {
            others.iter().any(|other| other.times.get(resource).is_some_and(|own| *own >= time))
        };
        let lost = self.times.iter().filter(|(resource, time)| is_in(**time) && !has(resource, **time));
        lost.map(|(_, time)| *time).min()
    }
}

/// A time as it is compared: there is none before 1970.
pub(super) fn since_1970(seconds: i64) -> u64 {
    u64::try_from(seconds).unwrap_or(0).min(NEVER)
}
