//! Which resources a Change List has changed, and when: a list that was rewritten must still have what was processed, or later changes.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use resourcesync::value::to_hex;
use sha2::{Digest, Sha256};

/// Maximum resources of a list; an illegal longer one is compared with nothing.
const MOST: usize = 50_000;
/// Bytes of a resource and of a time, and hexadecimal digits of both and of a number.
const RESOURCE: usize = 4;
const TIME: usize = 5;
const DIGITS: usize = 2 * (RESOURCE + TIME + 1);
/// The time of a change that states none: no other one is later.
pub(super) const NEVER: u64 = (1 << (8 * TIME)) - 1;

/// The time of the last change of a resource, in seconds since 1970, and how many there are of this time: several changes of one second have one.
type Last = (u64, u8);

/// The last change of each resource in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Marks {
    last: BTreeMap<u32, Last>,
    /// All times, if they are known.
    times: BTreeSet<(u32, u64)>,
    /// True if a resource has several changes: later ones do not replace earlier ones.
    repeats: bool,
    is_full: bool,
}

impl Marks {
    /// Those of a list that is compared with nothing.
    pub(super) fn none() -> Marks {
        Marks { is_full: true, ..Marks::default() }
    }

    /// The resources in texts of marks.
    pub(super) fn resources<'a>(texts: impl Iterator<Item = &'a str>) -> BTreeSet<u32> {
        texts.filter_map(Marks::read).flat_map(|marks| marks.last.into_keys()).collect()
    }

    /// Those of these resources.
    pub(super) fn of(&self, resources: &BTreeSet<u32>) -> Marks {
        let last = self.last.iter().filter(|(resource, _)| resources.contains(resource));
        let times = self.times.iter().filter(|(resource, _)| resources.contains(resource));
        let (last, times) = (last.map(|(resource, last)| (*resource, *last)).collect(), times.copied().collect());
        Marks { last, times, ..*self }
    }

    /// Notes a change, with its time in seconds since 1970.
    pub(super) fn note(&mut self, uri: &str, time: Option<i64>) {
        if self.is_full {
            return;
        }
        let digest = Sha256::digest(uri.as_bytes());
        let resource = digest.iter().take(RESOURCE).fold(0, |sum, byte| (sum << 8) | u32::from(*byte));
        let seconds = time.map_or(NEVER, since_1970);
        self.repeats |= self.last.contains_key(&resource);
        self.times.insert((resource, seconds));
        let last = self.last.entry(resource).or_default();
        if last.0 < seconds {
            *last = (seconds, 0);
        }
        last.1 = last.1.saturating_add(u8::from(last.0 == seconds));
        self.is_full |= self.times.len() > MOST;
        if self.is_full {
            self.last.clear();
            self.times.clear();
        }
    }

    /// In a text, for a checkpoint; empty if the list is too long, or has no entries.
    pub(super) fn to_text(&self) -> String {
        let bytes = self.last.iter().flat_map(|(resource, (seconds, number))| {
            let [_, _, _, time @ ..] = seconds.to_be_bytes();
            resource.to_be_bytes().into_iter().chain(time).chain([*number])
        });
        to_hex(&bytes.collect::<Vec<u8>>())
    }

    /// Reads the text; `None` if nothing is known of the entries.
    pub(super) fn read(text: &str) -> Option<Marks> {
        let number = |digits: &[u8]| u64::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok();
        let mark = |digits: &[u8]| {
            let (resource, last) = digits.split_at_checked(2 * RESOURCE)?;
            let (time, count) = last.split_at_checked(2 * TIME)?;
            let last = (number(time)?, u8::try_from(number(count)?).ok()?);
            Some((u32::try_from(number(resource)?).ok()?, last))
        };
        let last: Option<BTreeMap<u32, Last>> = text.as_bytes().chunks(DIGITS).map(mark).collect();
        let last = last.filter(|last| !last.is_empty())?;
        let times = last.iter().map(|(resource, (time, _))| (*resource, *time)).collect();
        Some(Marks { last, times, ..Marks::default() })
    }

    /// The earliest change that is in a time, and neither there nor replaced by a later one of its resource in the others.
    pub(super) fn lost(&self, is_in: impl Fn(u64) -> bool, others: &[Marks]) -> Option<u64> {
        let keeps_all = others.iter().any(|other| other.repeats);
        let has = |resource: u32, last: Last| {
            let is_there = |other: &Marks| !keeps_all || other.times.contains(&(resource, last.0));
            others.iter().any(|other| other.last.get(&resource).is_some_and(|own| *own >= last) && is_there(other))
        };
        let lost = self.last.iter().filter(|(resource, last)| is_in(last.0) && !has(**resource, **last));
        lost.map(|(_, (time, _))| *time).min()
    }
}

/// A time as it is compared: there is none before 1970.
pub(super) fn since_1970(seconds: i64) -> u64 {
    u64::try_from(seconds).unwrap_or(0).min(NEVER)
}
