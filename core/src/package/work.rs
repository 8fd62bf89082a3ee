//! Reads, unpacks and hashes members, in units of work that can be processed in parallel.

use alloc::{sync::Arc, vec::Vec};
use core::ops::Range;

use super::{
    Archive,
    archive::ArchiveMember,
    unpack::{Fault, Unpacking},
};
use crate::fixity::{Algorithms, Digester};

/// Maximum compressed bytes in one unit, unless a single member is larger.
const PIECE: u64 = 1 << 20;
/// Maximum members in one unit.
const MANY: usize = 4096;

/// A unit of work: some consecutive members, or the whole file.
///
/// A [`Worker`] processes it; units may be processed in parallel and in any order.
#[derive(Debug, Clone)]
pub struct Work {
    archive: Arc<Archive>,
    wanted: Arc<Vec<Algorithms>>,
    /// A range of members in file order.
    places: Range<usize>,
    range: Range<u64>,
    /// Digests of the file itself.
    pub(crate) whole: Option<Algorithms>,
}

impl Work {
    /// The digests of the whole file.
    pub(crate) fn whole(size: u64, algorithms: Algorithms) -> Work {
        Work { archive: Arc::default(), wanted: Arc::default(), places: 0..0, range: 0..size, whole: Some(algorithms) }
    }

    /// The bytes to read for it.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }
}

/// The next unit of work from this position on, and the position after it. `take` selects the members to
/// read.
pub(crate) fn plan(
    archive: &Arc<Archive>,
    wanted: &Arc<Vec<Algorithms>>,
    from: usize,
    take: &mut dyn FnMut(u32, &ArchiveMember) -> bool,
) -> (Option<Work>, usize) {
    let order = archive.by_place();
    let mut place = from;
    let mut piece: Option<(usize, Range<u64>)> = None;
    while let Some(index) = order.get(place) {
        let Some(member) = archive.get(*index) else { break };
        let full = piece.as_ref().is_some_and(|(first, range)| {
            place.saturating_sub(*first) >= MANY || range.end.saturating_sub(range.start) >= PIECE
        });
        if full {
            break;
        }
        if !take(*index, member) {
            if piece.is_some() {
                break;
            }
            place = place.saturating_add(1);
            continue;
        }
        let data = member.data();
        match &mut piece {
            Some((_, range)) => range.end = data.end.max(range.end),
            None => piece = Some((place, data)),
        }
        place = place.saturating_add(1);
    }
    let work = piece.map(|(first, range)| Work {
        archive: archive.clone(),
        wanted: wanted.clone(),
        places: first..place,
        range,
        whole: None,
    });
    (work, place)
}

/// The result of a unit of work.
#[derive(Debug, Default)]
pub struct Worked {
    /// Members whose data does not match the archive.
    pub(crate) faults: Vec<(u32, Fault)>,
    /// Concatenated digests …
    pub(crate) digests: Vec<u8>,
    /// … of these members, with their length.
    pub(crate) digested: Vec<(u32, u32)>,
    /// Digests of the file itself.
    pub(crate) whole: Option<Vec<u8>>,
    /// Bytes unpacked.
    pub(crate) unpacked: u64,
}

/// What a [`Worker`] finds of a member while it reads it.
#[derive(Debug)]
pub enum MemberData<'b> {
    /// Its next bytes. They are verified only at its end.
    Bytes(&'b [u8]),
    /// Its end; true if its data matches the archive.
    End(bool),
}

/// Takes the data of members, each with its index, in the order of the file.
pub type TakeMember<'t> = dyn FnMut(u32, MemberData<'_>) + 't;

/// Processes one unit after the other, reusing its memory: one worker per thread.
#[derive(Debug)]
pub struct Worker {
    unpacking: Unpacking,
    digester: Digester,
    block: usize,
    work: Option<Work>,
    place: usize,
    at: u64,
    worked: Worked,
}

impl Worker {
    /// Sets the maximum number of bytes per request.
    pub fn new(block: usize) -> Worker {
        Worker {
            unpacking: Unpacking::new(),
            digester: Digester::default(),
            block: block.max(1),
            work: None,
            place: 0,
            at: 0,
            worked: Worked::default(),
        }
    }

    /// Starts a unit of work.
    pub fn begin(&mut self, work: Work) {
        self.begin_taking(work, &mut |_, _| {});
    }

    /// Starts a unit of work, whose members are passed on while they are read.
    pub fn begin_taking(&mut self, work: Work, take: &mut TakeMember<'_>) {
        self.place = work.places.start;
        self.at = work.range.start;
        self.worked = Worked::default();
        if let Some(algorithms) = work.whole {
            self.digester = Digester::of(algorithms);
        }
        self.work = Some(work);
        self.begin_member();
        // Members without data are done before anything is read.
        self.take(&[], take);
    }

    /// The bytes needed next; `None` when the work is done.
    pub fn wants(&self) -> Option<Range<u64>> {
        let range = &self.work.as_ref()?.range;
        let end = self.at.saturating_add(self.block as u64).min(range.end);
        (self.at < end).then_some(self.at..end)
    }

    /// Supplies the requested bytes, which must be complete.
    pub fn give(&mut self, bytes: &[u8]) {
        self.give_taking(bytes, &mut |_, _| {});
    }

    /// The same, for members that are passed on.
    pub fn give_taking(&mut self, bytes: &[u8], take: &mut TakeMember<'_>) {
        if self.work.as_ref().is_some_and(|work| work.whole.is_some()) {
            self.digester.push(bytes);
            self.at = self.at.saturating_add(bytes.len() as u64);
        } else {
            self.take(bytes, take);
        }
    }

    /// Returns the result.
    pub fn finish(&mut self) -> Worked {
        let is_whole = self.work.take().is_some_and(|work| work.whole.is_some());
        let mut worked = core::mem::take(&mut self.worked);
        if is_whole {
            let mut digests = Vec::new();
            core::mem::take(&mut self.digester).finish_into(&mut digests);
            worked.whole = Some(digests);
        }
        worked
    }

    fn member(&self) -> Option<(u32, Range<u64>)> {
        let work = self.work.as_ref()?;
        let index = *work.archive.by_place().get(self.place).filter(|_| work.places.contains(&self.place))?;
        work.archive.get(index).map(|member| (index, member.data()))
    }

    fn begin_member(&mut self) {
        let Some((index, _)) = self.member() else { return };
        let Some(work) = &self.work else { return };
        if let Some(member) = work.archive.get(index) {
            self.unpacking.begin(member);
        }
        self.digester = Digester::of(work.wanted.get(index as usize).copied().unwrap_or_default());
    }

    /// Processes bytes in file order, and skips bytes between the data of members.
    fn take(&mut self, mut bytes: &[u8], take: &mut TakeMember<'_>) {
        while let Some((index, data)) = self.member() {
            if self.at < data.start {
                bytes = self.step(bytes, data.start).1;
            }
            if self.at < data.start {
                break;
            }
            let (own, rest) = self.step(bytes, data.end);
            bytes = rest;
            if !own.is_empty() {
                let digester = &mut self.digester;
                self.unpacking.feed(own, &mut |unpacked| {
                    digester.push(unpacked);
                    take(index, MemberData::Bytes(unpacked));
                });
            }
            if self.at < data.end {
                break;
            }
            let is_sound = self.end_member(index);
            take(index, MemberData::End(is_sound));
        }
        self.at = self.at.saturating_add(bytes.len() as u64);
    }

    /// Removes the bytes before `end`.
    fn step<'b>(&mut self, bytes: &'b [u8], end: u64) -> (&'b [u8], &'b [u8]) {
        let wanted = usize::try_from(end.saturating_sub(self.at)).unwrap_or(usize::MAX).min(bytes.len());
        self.at = self.at.saturating_add(wanted as u64);
        bytes.split_at_checked(wanted).unwrap_or((bytes, &[]))
    }

    /// Ends a member; true if its data matches the archive.
    fn end_member(&mut self, index: u32) -> bool {
        let worked = &mut self.worked;
        worked.unpacked = worked.unpacked.saturating_add(self.unpacking.made());
        let fault = self.unpacking.finish();
        match fault {
            Some(fault) => worked.faults.push((index, fault)),
            None => {
                let before = worked.digests.len();
                core::mem::take(&mut self.digester).finish_into(&mut worked.digests);
                if worked.digests.len() > before {
                    worked.digested.push((index, (worked.digests.len().saturating_sub(before)) as u32));
                }
            }
        }
        self.place = self.place.saturating_add(1);
        self.begin_member();
        fault.is_none()
    }
}
