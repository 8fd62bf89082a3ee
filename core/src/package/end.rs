//! The end of the archive: the end record, its ZIP64 form, and the bytes around them.

// Offsets of fields in a complete record: sums of two small numbers.
#![allow(clippy::arithmetic_side_effects)]

use alloc::vec::Vec;

use super::bytes::{END, END_64, LOCATOR, SENTINEL, SENTINEL_16, is_signed, u16_at, u32_at, u64_at};
use crate::diagnostic::{Code, Finding, Severity, Sink};

/// Bytes of an end record without its comment.
const END_BYTES: usize = 22;
/// Bytes of the locator.
const LOCATOR_BYTES: usize = 20;
/// Bytes of a ZIP64 end record without extensible data.
const END_64_BYTES: usize = 56;
/// Bytes at the end of the file that contain the records, with the longest comment.
pub(super) const TAIL: usize = END_BYTES + LOCATOR_BYTES + END_64_BYTES + 0xffff;

/// The contents of the end records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct End {
    /// The offset at which the central directory must end.
    pub(super) directory_end: u64,
    /// The declared size of the central directory.
    pub(super) declared_bytes: u64,
    /// Its declared offset.
    pub(super) declared_start: u64,
    /// The declared number of members.
    pub(super) declared_members: u64,
    /// True if the file can be interpreted as several archives.
    pub(super) several: bool,
}

/// Reads the end records in the last bytes of the file, which begin at `start`. `None` if there are none.
pub(super) fn read(tail: &[u8], start: u64, sink: &mut dyn Sink) -> Option<End> {
    let places: Vec<usize> = memchr::memmem::find_iter(tail, &END).filter(|at| at + END_BYTES <= tail.len()).collect();
    let (at, several) = choose(tail, start, &places, sink)?;
    let plain = Plain::read(tail, at);
    let end = zip64(tail, start, at, plain, sink).unwrap_or_else(|| plain.end(start.saturating_add(at as u64)));
    let disks = plain.disks.map(|disk| if disk == SENTINEL_16 { 0 } else { disk });
    if disks != [0, 0] || plain.here != plain.members {
        sink.found(Finding::new(Code::ZIP_25));
    }
    Some(End { several, ..end })
}

/// Chooses the end record among all positions with its signature, and whether another choice is possible.
fn choose(tail: &[u8], start: u64, places: &[usize], sink: &mut dyn Sink) -> Option<(usize, bool)> {
    let after = |at: usize| tail.len() - at - END_BYTES;
    let comment = |at: usize| usize::from(u16_at(tail, at + 20));
    let last = *places.last()?;
    let fits = |at: &usize| comment(*at) == after(*at);
    let fitting = places.iter().filter(|at| fits(at)).count();
    let chosen = places.iter().copied().rev().find(|at| fits(at)).unwrap_or(last);
    // A reader that scans backwards finds the last; one that checks the comment length finds one that fits.
    let several = fitting > 1 || chosen != last;
    if several {
        sink.found(Finding::new(Code::ZIP_03).arg("offset", start.saturating_add(chosen as u64)));
    }
    if fitting == 0 {
        let (comment, after) = (comment(chosen), after(chosen));
        if comment > after {
            let finding = Finding::new(Code::ZIP_04).arg("declared", comment).arg("actual", after);
            sink.found(finding);
        } else {
            let extra = tail.get(chosen + END_BYTES + comment..).unwrap_or(&[]);
            let finding = Finding::new(Code::ZIP_02).arg("bytes", extra.len());
            // Padding with zeros to full blocks, as tapes and libarchive do, is unambiguous.
            let padding = extra.iter().all(|byte| *byte == 0);
            sink.found(if padding { finding.lowered(Severity::Warning) } else { finding });
        }
    }
    Some((chosen, several))
}

/// The end record.
#[derive(Debug, Clone, Copy)]
struct Plain {
    disks: [u16; 2],
    here: u16,
    members: u16,
    bytes: u32,
    offset: u32,
}

impl Plain {
    fn read(tail: &[u8], at: usize) -> Plain {
        Plain {
            disks: [u16_at(tail, at + 4), u16_at(tail, at + 6)],
            here: u16_at(tail, at + 8),
            members: u16_at(tail, at + 10),
            bytes: u32_at(tail, at + 12),
            offset: u32_at(tail, at + 16),
        }
    }

    fn end(self, directory_end: u64) -> End {
        End {
            directory_end,
            declared_bytes: self.bytes.into(),
            declared_start: self.offset.into(),
            declared_members: self.members.into(),
            several: false,
        }
    }

    fn has_sentinel(self) -> bool {
        self.bytes == SENTINEL || self.offset == SENTINEL || self.disks.contains(&SENTINEL_16)
    }
}

/// The ZIP64 end record, if there is a locator for one before the end record.
fn zip64(tail: &[u8], start: u64, end_at: usize, plain: Plain, sink: &mut dyn Sink) -> Option<End> {
    let mut fault = |problem: &'static str| sink.found(Finding::new(Code::ZIP_05).arg("problem", problem));
    let locator = end_at.checked_sub(LOCATOR_BYTES).filter(|at| is_signed(tail, *at, LOCATOR));
    let Some(locator) = locator else {
        if plain.has_sentinel() {
            fault("no-locator");
        }
        return None;
    };
    let plain_fits = u64::from(plain.offset).saturating_add(plain.bytes.into()) == start.saturating_add(end_at as u64);
    let Some(at) = locator.checked_sub(END_64_BYTES).filter(|at| is_signed(tail, *at, END_64)) else {
        // If the directory ends with a name such as `PK\6\7…`, one reader sees a name and another a locator.
        fault(if plain_fits { "locator-in-directory" } else { "no-record" });
        return None;
    };
    let record = start.saturating_add(at as u64);
    let end = End {
        directory_end: record,
        declared_bytes: u64_at(tail, at + 40),
        declared_start: u64_at(tail, at + 48),
        declared_members: u64_at(tail, at + 32),
        several: false,
    };
    let base = end.declared_start.checked_add(end.declared_bytes).and_then(|claimed| record.checked_sub(claimed));
    if u64_at(tail, at + 4) != (END_64_BYTES - 12) as u64 {
        fault("record-size");
    }
    if base.is_none_or(|base| u64_at(tail, locator + 8).checked_add(base) != Some(record)) {
        fault("locator-offset");
    }
    let agrees = [
        plain.bytes == SENTINEL || u64::from(plain.bytes) == end.declared_bytes,
        plain.offset == SENTINEL || u64::from(plain.offset) == end.declared_start,
        plain.members == SENTINEL_16 || u64::from(plain.members) == end.declared_members,
    ];
    if agrees.contains(&false) {
        fault("fields-differ");
    }
    let one_disk = u32_at(tail, locator + 4) == 0
        && u32_at(tail, locator + 16) <= 1
        && u32_at(tail, at + 16) == 0
        && u32_at(tail, at + 20) == 0;
    if !one_disk || u64_at(tail, at + 24) != end.declared_members {
        sink.found(Finding::new(Code::ZIP_25));
    }
    Some(end)
}
