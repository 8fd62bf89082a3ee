//! The strict pass over an archive: exactly one interpretation, or a finding.

use alloc::{boxed::Box, vec::Vec};

use super::{
    archive::{Archive, ArchiveMember, FLAG_DESCRIPTOR, shown},
    bytes::{CENTRAL, is_signed},
    directory::{self, Faults, Header},
    end::{self, End, TAIL},
    local::{self, Names},
    name, name_collision,
    name_similarity::key,
    window::{Need, Window},
};
use crate::{
    diagnostic::{Code, Finding, Sink},
    limits::Limits,
};

/// Bytes requested at a time if headers are close together.
const BLOCK: usize = 256 << 10;
/// Bytes requested if the next header is far away.
const HOP: usize = 1 << 10;

/// The state of the pass over an archive.
#[derive(Debug)]
pub(crate) struct Structure {
    size: u64,
    limits: Limits,
    window: Window,
    step: Step,
    end: End,
    /// Bytes before the archive.
    base: u64,
    /// Offset of the directory.
    directory: u64,
    archive: Archive,
    /// Whether a wrong position of the directory has been reported.
    misplaced: bool,
    /// False once something prevented a complete check.
    complete: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    End,
    /// There is no end record; the first bytes show other formats.
    Head,
    /// Offset of the directory: derived from its end and length, or as declared.
    Start {
        second: bool,
    },
    Directory {
        at: u64,
    },
    Names,
    /// The member at this position in the file, the end of the previous one, and the fields of its local
    /// header.
    Local {
        place: usize,
        at: u64,
        seen: Option<Seen>,
    },
    Done,
}

/// The fields of a local header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    /// Bytes before the data.
    lead: usize,
    difference: Option<&'static str>,
}

impl Structure {
    /// Creates the pass for a file of this length.
    pub(crate) fn new(size: u64, limits: &Limits) -> Structure {
        Structure {
            size,
            limits: limits.clone(),
            window: Window::default(),
            step: Step::End,
            end: End::default(),
            base: 0,
            directory: 0,
            archive: Archive::default(),
            misplaced: false,
            complete: true,
        }
    }

    /// Continues as far as the available bytes allow, and returns what is needed next.
    pub(crate) fn advance(&mut self, sink: &mut dyn Sink) -> Result<(), Need> {
        while self.step != Step::Done {
            match self.step {
                Step::End => self.end(sink)?,
                Step::Head => self.head(sink)?,
                Step::Start { second } => self.start(second, sink)?,
                Step::Directory { at } => self.directory(at, sink)?,
                Step::Names => self.names(sink),
                Step::Local { place, at, seen } => self.local(place, at, seen, sink)?,
                Step::Done => {}
            }
        }
        Ok(())
    }

    /// Supplies requested bytes.
    pub(crate) fn give(&mut self, offset: u64, bytes: &[u8]) {
        self.window.fill(offset, bytes);
    }

    /// The members, and whether the whole archive was checked.
    pub(crate) fn finish(mut self) -> (Archive, bool) {
        self.window.drop_bytes();
        (self.archive, self.complete)
    }

    /// Handles a file that is not a readable archive.
    fn give_up(&mut self, problem: &'static str, sink: &mut dyn Sink) {
        sink.found(Finding::new(Code::PKG_08).arg("problem", problem));
        self.complete = false;
        self.step = Step::Done;
    }

    fn end(&mut self, sink: &mut dyn Sink) -> Result<(), Need> {
        if self.size == 0 {
            self.give_up("empty", sink);
            return Ok(());
        }
        let length = usize::try_from(self.size).unwrap_or(TAIL).min(TAIL);
        let start = self.size.saturating_sub(length as u64);
        let tail = self.window.get(start, length, 0)?;
        match end::read(tail, start, sink) {
            Some(end) => {
                self.end = end;
                self.step = Step::Start { second: false };
            }
            None => self.step = Step::Head,
        }
        Ok(())
    }

    /// Without an end record it is a truncated archive, or none.
    fn head(&mut self, sink: &mut dyn Sink) -> Result<(), Need> {
        let head = usize::try_from(self.size).unwrap_or(4).min(4);
        let begins = self.window.get(0, head, 0)?;
        let is_half = b"PK\x03\x04".starts_with(begins);
        self.give_up(if is_half { "truncated" } else { "not-a-zip" }, sink);
        Ok(())
    }

    /// Finds the directory where it ends at the end record, or where it is declared to begin.
    fn start(&mut self, second: bool, sink: &mut dyn Sink) -> Result<(), Need> {
        let End { directory_end, declared_bytes, declared_start, declared_members, .. } = self.end;
        let at = if second { Some(declared_start) } else { directory_end.checked_sub(declared_bytes) };
        let at = at.filter(|at| *at <= directory_end);
        let is_there = match at {
            Some(at) if at == directory_end => declared_members == 0 && (second || declared_bytes == 0),
            Some(at) => {
                let room = self.bytes_until(at, directory_end);
                is_signed(self.window.get(at, room.min(4), room.saturating_sub(4).min(BLOCK))?, 0, CENTRAL)
            }
            None => false,
        };
        match (is_there, second) {
            (false, false) => self.step = Step::Start { second: true },
            (false, true) => self.give_up("directory", sink),
            (true, _) => {
                let at = at.unwrap_or(directory_end);
                self.misplaced = second || declared_start > at;
                if self.misplaced {
                    sink.found(
                        Finding::new(Code::ZIP_27)
                            .arg("declared", declared_bytes)
                            .arg("actual", directory_end.saturating_sub(at)),
                    );
                }
                self.base = if second { 0 } else { at.saturating_sub(declared_start) };
                self.directory = at;
                self.archive.reserve(directory_end.saturating_sub(at));
                self.step = Step::Directory { at };
            }
        }
        Ok(())
    }

    fn bytes_until(&self, at: u64, end: u64) -> usize {
        usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX)
    }

    fn directory(&mut self, mut at: u64, sink: &mut dyn Sink) -> Result<(), Need> {
        let end = self.end.directory_end;
        loop {
            self.step = Step::Directory { at };
            let room = self.bytes_until(at, end);
            if room == 0 {
                break;
            }
            if self.archive.len() as u64 >= self.limits.members {
                sink.found(Finding::new(Code::LIM_13).arg("limit", self.limits.members));
                self.complete = false;
                self.step = Step::Done;
                return Ok(());
            }
            let fixed = room.min(directory::HEADER_BYTES);
            let header = self.window.get(at, fixed, room.saturating_sub(fixed).min(BLOCK))?;
            let length = Header::length(header);
            if !is_signed(header, 0, CENTRAL) || length > room {
                if !self.misplaced {
                    let actual = at.saturating_sub(self.directory);
                    sink.found(
                        Finding::new(Code::ZIP_27).arg("declared", self.end.declared_bytes).arg("actual", actual),
                    );
                }
                self.complete = false;
                break;
            }
            let bytes = self.window.get(at, length, room.saturating_sub(length).min(BLOCK))?;
            let header = Header::new(bytes);
            let mut faults = Faults { name: header.name(), sink };
            let (mut member, unicode) = header.read(self.base, &mut faults);
            let encoding = header.encoding_problem(unicode);
            if let Some(problem) = encoding {
                faults.report(Code::ZIP_15, &[("problem", problem)]);
            }
            let effective = unicode.filter(|_| encoding.is_none()).map_or(header.name(), str::as_bytes);
            check_name(effective, &self.limits, sink);
            let index = self.archive.len() as u32;
            let is_other = |unicode: &&str| encoding.is_none() && unicode.as_bytes() != header.name();
            let own: Option<Box<str>> = unicode
                .filter(is_other)
                .filter(|name| name.len() <= self.limits.member_name_bytes as usize)
                .map(Into::into);
            // A name that exceeds a limit is not stored, and its member is not read, to bound memory.
            let kept = header
                .name()
                .get(..self.limits.member_name_bytes as usize)
                .filter(|kept| kept.len() < header.name().len());
            member.blocked |= kept.is_some();
            member.misnamed |= encoding.is_some() || kept.is_some();
            if !self.archive.push(member, kept.unwrap_or(header.name())) {
                self.give_up("directory", sink);
                return Ok(());
            }
            if let Some(name) = own {
                self.archive.unicode.insert(index, name);
            }
            at = at.saturating_add(length as u64);
        }
        let (declared, actual) = (self.end.declared_members, self.archive.len() as u64);
        // 0xFFFF may be a placeholder for a ZIP64 count, or the count itself.
        if declared != actual && self.complete {
            sink.found(Finding::new(Code::ZIP_24).arg("declared", declared).arg("actual", actual));
        }
        self.step = Step::Names;
        Ok(())
    }

    /// Sorts the members and compares their names.
    fn names(&mut self, sink: &mut dyn Sink) {
        let count = self.archive.len() as u32;
        let mut by_name: Vec<u32> = (0..count).collect();
        by_name.sort_unstable_by(|a, b| self.archive.name(*a).cmp(self.archive.name(*b)).then(a.cmp(b)));
        self.archive.by_name = by_name;
        let keyed = |index: u32| core::str::from_utf8(self.archive.name(index)).ok().map(|name| (key(name), index));
        let mut by_key: Vec<(u64, u32)> = (0..count).filter_map(keyed).collect();
        by_key.sort_unstable();
        self.archive.by_key = by_key;
        let mut by_place: Vec<u32> = (0..count).collect();
        by_place.sort_by_key(|index| self.archive.get(*index).map(|member| member.header));
        self.archive.by_place = by_place;
        name_collision::all(&self.archive, self.limits.member_name_bytes as usize, sink);
        let first =
            self.archive.by_place.first().and_then(|index| self.archive.get(*index)).map(|member| member.header);
        let before = first.unwrap_or(self.directory).min(self.directory);
        // A second archive has been reported already.
        if (self.base > 0 || before > 0) && !self.end.several {
            sink.found(Finding::new(Code::ZIP_01).arg("bytes", before));
        }
        self.step = Step::Local { place: 0, at: before, seen: None };
    }

    /// Compares local headers, and checks that members are contiguous.
    fn local(
        &mut self,
        mut place: usize,
        mut at: u64,
        mut seen: Option<Seen>,
        sink: &mut dyn Sink,
    ) -> Result<(), Need> {
        while let Some(&index) = self.archive.by_place.get(place) {
            self.step = Step::Local { place, at, seen };
            let Some(member) = self.archive.get(index).cloned() else { break };
            // Header and descriptor may be far apart; the header is kept while the descriptor is fetched.
            let header = match seen {
                Some(header) => header,
                None => self.header(index, &member)?,
            };
            self.step = Step::Local { place, at, seen: Some(header) };
            let next = self.archive.by_place.get(place.saturating_add(1)).and_then(|next| self.archive.get(*next));
            let next = next.map_or(self.directory, |next| next.header.min(self.directory));
            let looked = self.tile(index, &member, header, at, next, sink)?;
            if let Some(own) = self.archive.members.get_mut(index as usize) {
                own.lead = looked.lead;
                own.blocked |= looked.blocked;
            }
            at = at.max(looked.end);
            place = place.saturating_add(1);
            seen = None;
        }
        self.step = Step::Done;
        if at < self.directory {
            sink.found(Finding::new(Code::ZIP_08).arg("bytes", self.directory.saturating_sub(at)).arg("offset", at));
        }
        Ok(())
    }

    /// Compares the local header with the directory.
    fn header(&self, index: u32, member: &ArchiveMember) -> Result<Seen, Need> {
        let room = self.bytes_until(member.header, self.directory);
        if room < local::HEADER_BYTES {
            return Ok(Seen { lead: 0, difference: Some("signature") });
        }
        let ahead = |used: usize| room.saturating_sub(used).min(if member.packed < BLOCK as u64 { BLOCK } else { HOP });
        let fixed = self.window.get(member.header, local::HEADER_BYTES, ahead(local::HEADER_BYTES))?;
        let lead = local::length(fixed).min(room);
        let header = self.window.get(member.header, lead, ahead(lead))?;
        let cut = member.blocked && self.archive.raw_name(index).len() >= self.limits.member_name_bytes as usize;
        let names = Names { raw: self.archive.raw_name(index), read: self.archive.name(index), cut };
        let difference = local::difference(header, names, member);
        // Sizes that the directory does not have cannot be compared.
        let unknown = |field: &&str| member.blocked && matches!(*field, "sizes" | "zip64");
        Ok(Seen { lead, difference: difference.filter(|field| !unknown(field)) })
    }

    /// Checks that header, data and descriptor of the member exactly fill the range from `at` to `next`.
    fn tile(
        &self,
        index: u32,
        member: &ArchiveMember,
        header: Seen,
        at: u64,
        next: u64,
        sink: &mut dyn Sink,
    ) -> Result<Looked, Need> {
        let data_end = member.header.saturating_add(header.lead as u64).saturating_add(member.packed);
        let overlaps = member.header < at || data_end > next;
        let gap = next.saturating_sub(data_end);
        // All requests for bytes precede all reports, so that a second call reports nothing twice.
        let lacks_signature = header.difference == Some("signature");
        let descriptor = if member.flags & FLAG_DESCRIPTOR != 0 && !overlaps && !lacks_signature {
            let length = usize::try_from(gap).unwrap_or(usize::MAX).min(local::DESCRIPTOR_BYTES);
            let beyond = self.bytes_until(data_end, self.directory).saturating_sub(length).min(HOP);
            Some(local::descriptor(self.window.get(data_end, length, beyond)?, gap, member))
        } else {
            None
        };
        let mut report = |finding: Finding| sink.found(finding.arg("member", self.archive.shown(index)));
        if let Some(field) = header.difference {
            report(Finding::new(Code::ZIP_09).arg("field", field));
        }
        if overlaps && !lacks_signature {
            report(Finding::new(Code::ZIP_07).arg("offset", member.header));
        }
        if descriptor == Some(None) {
            report(Finding::new(Code::ZIP_10).arg("problem", "no-descriptor"));
        }
        if member.header > at {
            sink.found(Finding::new(Code::ZIP_08).arg("bytes", member.header.saturating_sub(at)).arg("offset", at));
        }
        // A wrong descriptor is reported; its bytes are not also hidden data.
        let end = match descriptor {
            Some(Some(length)) => data_end.saturating_add(length as u64),
            Some(None) if gap <= local::DESCRIPTOR_BYTES as u64 => next,
            _ if lacks_signature => next,
            _ => data_end,
        };
        Ok(Looked { lead: header.lead as u32, blocked: overlaps || lacks_signature, end: end.min(self.directory) })
    }
}

/// The result of reading a local header.
struct Looked {
    lead: u32,
    blocked: bool,
    /// The end of the member, including its descriptor.
    end: u64,
}

fn check_name(name: &[u8], limits: &Limits, sink: &mut dyn Sink) {
    if let Some((limit_name, limit)) = name::beyond(name, limits) {
        sink.found(Finding::new(Code::LIM_16).arg("member", shown(name)).arg("name", limit_name).arg("limit", limit));
    }
    let fault = name::fault(&alloc::string::String::from_utf8_lossy(name));
    if let Some((code, problem)) = fault {
        sink.found(Finding::new(code).arg("member", shown(name)).arg("problem", problem));
    }
}
