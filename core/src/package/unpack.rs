//! Unpacks one member from windows of its data: never more than its declared size, and checks that all data
//! was used.

use alloc::{vec, vec::Vec};

use super::{
    archive::{ArchiveMember, FLAG_DESCRIPTOR},
    streamed::Streamed,
};
use crate::{
    codec::{Inflate, Progress},
    diagnostic::{Code, Finding},
};

/// Decompressed bytes passed on at a time: small enough for the caches, large enough for the hashes.
const ROOM: usize = 64 << 10;

/// A problem of the data of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is longer than declared.
    TooLong,
    /// It is shorter than declared.
    TooShort(u64),
    /// It cannot be inflated.
    Damaged,
    /// It is truncated.
    EndsEarly,
    /// The number of bytes after the end of the stream.
    Trailing(u64),
    /// The checksum differs.
    Crc(u32),
    /// It contains a data descriptor for its first part, at which streaming readers would end it.
    EndsTwice,
}

impl Fault {
    /// The name in JSON.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Fault::TooLong | Fault::TooShort(_) => "size",
            Fault::Damaged | Fault::EndsEarly => "damaged",
            Fault::Trailing(_) => "trailing-data",
            Fault::Crc(_) => "crc-32",
            Fault::EndsTwice => "descriptor",
        }
    }

    /// As a finding about a member.
    pub(crate) fn finding(self, name: alloc::string::String, member: &ArchiveMember) -> Finding {
        let about = |code| Finding::new(code).arg("member", name);
        match self {
            Fault::TooLong => about(Code::ZIP_20).arg("declared", member.declared).arg("problem", "longer"),
            Fault::TooShort(actual) => {
                about(Code::ZIP_20).arg("declared", member.declared).arg("actual", actual).arg("problem", "shorter")
            }
            Fault::Damaged => about(Code::ZIP_21).arg("problem", "data"),
            Fault::EndsEarly => about(Code::ZIP_21).arg("problem", "truncated"),
            Fault::Trailing(bytes) => about(Code::ZIP_22).arg("bytes", bytes),
            Fault::EndsTwice => about(Code::ZIP_10).arg("problem", "early-descriptor"),
            Fault::Crc(actual) => about(Code::ZIP_23)
                .arg("declared", alloc::format!("{:08x}", member.crc))
                .arg("actual", alloc::format!("{actual:08x}")),
        }
    }
}

/// Unpacks one member after the other, reusing its memory.
#[derive(Debug)]
pub(crate) struct Unpacking {
    inflate: Inflate,
    room: Vec<u8>,
    deflated: bool,
    declared: u64,
    made: u64,
    crc: crc32fast::Hasher,
    declared_crc: u32,
    ended: bool,
    trailing: u64,
    fault: Option<Fault>,
    /// Present if only a data descriptor marks the end.
    streamed: Option<Streamed>,
}

impl Unpacking {
    pub(crate) fn new() -> Unpacking {
        Unpacking {
            inflate: Inflate::new(),
            room: vec![0; ROOM],
            deflated: false,
            declared: 0,
            made: 0,
            crc: crc32fast::Hasher::new(),
            declared_crc: 0,
            ended: false,
            trailing: 0,
            fault: None,
            streamed: None,
        }
    }

    /// Starts another member.
    pub(crate) fn begin(&mut self, member: &ArchiveMember) {
        self.deflated = member.method == 8;
        if self.deflated {
            self.inflate.reset();
        }
        self.declared = member.declared;
        self.declared_crc = member.crc;
        self.made = 0;
        self.crc.reset();
        self.ended = false;
        self.trailing = 0;
        self.fault = None;
        let is_streamed = !self.deflated && member.flags & FLAG_DESCRIPTOR != 0;
        self.streamed = is_streamed.then(Streamed::default);
    }

    /// Bytes unpacked so far.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// Unpacks more data and passes the output to `give`.
    pub(crate) fn feed(&mut self, bytes: &[u8], give: &mut dyn FnMut(&[u8])) {
        if self.fault.is_some() {
            return;
        }
        if self.deflated {
            return self.inflate(bytes, give);
        }
        let left = usize::try_from(self.declared.saturating_sub(self.made)).unwrap_or(usize::MAX);
        let own = bytes.get(..left.min(bytes.len())).unwrap_or(bytes);
        if own.len() < bytes.len() {
            self.fault = Some(Fault::TooLong);
        }
        self.made = self.made.saturating_add(own.len() as u64);
        self.crc.update(own);
        self.streamed.iter_mut().for_each(|streamed| streamed.feed(own));
        give(own);
    }

    fn inflate(&mut self, mut bytes: &[u8], give: &mut dyn FnMut(&[u8])) {
        loop {
            if self.ended {
                self.trailing = self.trailing.saturating_add(bytes.len() as u64);
                return;
            }
            // One byte more than declared is requested, which must not exist.
            let left = usize::try_from(self.declared.saturating_sub(self.made)).unwrap_or(usize::MAX);
            let length = left.clamp(1, ROOM);
            let room = self.room.get_mut(..length).unwrap_or_default();
            let (taken, made, progress) = self.inflate.run(bytes, room);
            if made > left {
                self.fault = Some(Fault::TooLong);
                return;
            }
            let out = room.get(..made).unwrap_or(&[]);
            self.made = self.made.saturating_add(made as u64);
            self.crc.update(out);
            give(out);
            bytes = bytes.get(taken..).unwrap_or(&[]);
            match progress {
                Progress::End => self.ended = true,
                Progress::Damaged => {
                    self.fault = Some(Fault::Damaged);
                    return;
                }
                // If the output buffer was not filled, the input is exhausted.
                Progress::More if made < length && (bytes.is_empty() || taken == 0) => return,
                Progress::More => {}
            }
        }
    }

    /// Checks the complete data.
    pub(crate) fn finish(&mut self) -> Option<Fault> {
        if self.fault.is_some() {
            return self.fault;
        }
        if self.deflated && !self.ended {
            // A stream that needs more input than declared is truncated, whatever its output.
            return Some(Fault::EndsEarly);
        }
        if self.made < self.declared {
            return Some(Fault::TooShort(self.made));
        }
        if self.trailing > 0 {
            return Some(Fault::Trailing(self.trailing));
        }
        let crc = self.crc.clone().finalize();
        if crc != self.declared_crc {
            return Some(Fault::Crc(crc));
        }
        self.streamed.as_ref().filter(|streamed| streamed.ends_early).map(|_| Fault::EndsTwice)
    }
}
