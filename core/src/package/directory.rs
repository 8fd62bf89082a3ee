//! The central directory: one header for each member.

// All positions are in a record of at most 200 KiB.
#![allow(clippy::arithmetic_side_effects)]

use super::{
    archive::{ArchiveMember, FLAG_UTF8, What, member},
    bytes::{SENTINEL, u16_at, u32_at},
    extra::{self, Extra},
};
use crate::diagnostic::{Code, Finding, Sink};

/// Bytes of a header without name, extra fields and comment.
pub(super) const HEADER_BYTES: usize = 46;
/// The volume label attribute of DOS and similar systems.
const DOS_LABEL: u32 = 0x08;
/// Their attribute of a folder.
const DOS_FOLDER: u32 = 0x10;
/// The highest format version that is supported; it introduced ZIP64.
const NEWEST: u8 = 45;

/// A central directory header.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header<'a> {
    bytes: &'a [u8],
}

impl<'a> Header<'a> {
    /// The length of the header that starts with these bytes.
    pub(super) fn length(fixed: &[u8]) -> usize {
        let parts = [28, 30, 32].map(|at| usize::from(u16_at(fixed, at)));
        HEADER_BYTES + parts.iter().sum::<usize>()
    }

    /// All bytes of a header.
    pub(super) fn new(bytes: &'a [u8]) -> Header<'a> {
        Header { bytes }
    }

    pub(super) fn name(&self) -> &'a [u8] {
        let length = usize::from(u16_at(self.bytes, 28));
        self.bytes.get(HEADER_BYTES..HEADER_BYTES + length).unwrap_or(&[])
    }

    fn extra(&self) -> &'a [u8] {
        let start = HEADER_BYTES + usize::from(u16_at(self.bytes, 28));
        self.bytes.get(start..start + usize::from(u16_at(self.bytes, 30))).unwrap_or(&[])
    }

    fn flags(&self) -> u16 {
        u16_at(self.bytes, 8)
    }

    /// The member, and its Unicode name from an extra field, if any.
    pub(super) fn read(&self, base: u64, faults: &mut Faults<'_>) -> (ArchiveMember, Option<&'a str>) {
        let bytes = self.bytes;
        let extra = Extra::read(self.extra());
        if extra.broken || extra.repeated {
            faults.report(Code::ZIP_28, &[("problem", if extra.broken { "extra-broken" } else { "extra-repeated" })]);
        }
        let plain = [u32_at(bytes, 24), u32_at(bytes, 20), u32_at(bytes, 42)];
        let (large, problem) = extra::central(plain, u16_at(bytes, 34), extra.zip64);
        let mut own = member(large.header.saturating_add(base), large.packed, large.declared);
        (own.method, own.flags, own.crc) = (u16_at(bytes, 10), self.flags(), u32_at(bytes, 16));
        if let Some(problem) = problem {
            faults.report(Code::ZIP_06, &[("problem", problem)]);
            // The value could really be 4 GiB minus one byte; other missing values cannot be reconstructed.
            own.blocked = plain.contains(&SENTINEL);
        }
        if large.disk != 0 {
            faults.report(Code::ZIP_25, &[]);
            own.blocked = true;
        }
        self.kind(&mut own, extra.file_type(), faults);
        self.way_of_packing(&mut own, faults);
        self.date(faults);
        let unicode = extra.unicode_path.and_then(|field| match extra::unicode_path(field, self.name()) {
            Ok(unicode) => Some(unicode),
            Err(problem) => {
                own.misnamed = true;
                faults.report(Code::ZIP_15, &[("problem", problem)]);
                None
            }
        });
        (own, unicode)
    }

    /// Regular file or folder, by name and by the attributes of the system that wrote it, `repeated` in an extra field or not.
    fn kind(&self, own: &mut ArchiveMember, repeated: u32, faults: &mut Faults<'_>) {
        let is_folder = self.name().ends_with(b"/");
        own.what = if is_folder { What::Directory } else { What::File };
        let (attributes, made_on) = (u32_at(self.bytes, 38), u16_at(self.bytes, 4) >> 8);
        let upper = attributes >> 16 & extra::TYPE;
        // Unix and macOS store the mode in the upper half. Other systems define no file type there, but readers create
        // links and devices from it whatever the declared system is.
        let mode = if matches!(made_on, 3 | 19) { upper } else { 0 };
        let special = |mode: u32| match mode {
            0o120_000 => "symlink",
            0o020_000 | 0o060_000 => "device-file",
            // `zip -` stores data from a pipe with the file type of a pipe.
            0o010_000 if own.declared == 0 => "fifo",
            0o140_000 => "socket",
            _ => "",
        };
        let special = [upper, repeated].into_iter().map(special).find(|word| !word.is_empty()).unwrap_or_default();
        let modes = [mode, repeated];
        let says_folder = modes.contains(&extra::FOLDER) || attributes & DOS_FOLDER != 0;
        let says_otherwise = if is_folder { modes.contains(&extra::FILE) } else { says_folder };
        if !special.is_empty() {
            own.what = What::Special;
            faults.report(Code::ZIP_18, &[("problem", special)]);
        } else if attributes & DOS_LABEL != 0 {
            // Info-ZIP silently skips such a member.
            own.what = What::Special;
            faults.report(Code::ZIP_18, &[("problem", "volume-label")]);
        } else if says_otherwise {
            faults.report(Code::ZIP_19, &[("problem", "type-differs")]);
        }
        // Java deflates the empty data of a folder to two bytes.
        let nothing = own.declared == 0 && (own.packed == 0 || own.packed == 2 && own.method == 8);
        if own.what == What::Directory && !nothing {
            faults.report(Code::ZIP_19, &[("problem", "directory-data")]);
        }
    }

    fn way_of_packing(&self, own: &mut ArchiveMember, faults: &mut Faults<'_>) {
        const PATCHED: u16 = 1 << 5;
        if own.is_encrypted() {
            faults.report(Code::ZIP_12, &[]);
            own.blocked = true;
        } else if !matches!(own.method, 0 | 8) || own.flags & PATCHED != 0 {
            let words = if own.flags & PATCHED == 0 { method_name(own.method) } else { "patched data" };
            faults.report_number(Code::ZIP_11, "method", own.method.into(), words);
            own.blocked = true;
        } else if (u16_at(self.bytes, 6) & 0xff) as u8 > NEWEST {
            faults.report_number(Code::ZIP_29, "version", (u16_at(self.bytes, 6) & 0xff).into(), "");
        }
    }

    fn date(&self, faults: &mut Faults<'_>) {
        // Years count from 1980; 2100 is the only representable year that is divisible by four and has no 29
        // February.
        const YEAR_2100: u16 = 120;
        let (time, date) = (u16_at(self.bytes, 12), u16_at(self.bytes, 14));
        let (day, month) = (date & 31, date >> 5 & 15);
        let (seconds, minutes, hours) = (time & 31, time >> 5 & 63, time >> 11);
        let days = match month {
            2 if (date >> 9).is_multiple_of(4) && date >> 9 != YEAR_2100 => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let sound =
            (1..=days).contains(&day) && (1..=12).contains(&month) && seconds < 30 && minutes < 60 && hours < 24;
        // Many tools write zero for an unknown time.
        if !sound && (time, date) != (0, 0) {
            faults.report(Code::ZIP_26, &[]);
        }
    }

    /// The encoding of the name; `None` if readers would disagree.
    pub(super) fn encoding_problem(&self, unicode: Option<&str>) -> Option<&'static str> {
        let name = self.name();
        let marked = self.flags() & FLAG_UTF8 != 0;
        if name.is_ascii() {
            return unicode.filter(|unicode| unicode.as_bytes() != name).map(|_| "unicode-path");
        }
        match (marked, core::str::from_utf8(name), unicode) {
            (true, Err(_), _) => Some("not-utf-8"),
            (true, Ok(name), Some(unicode)) if name != unicode => Some("unicode-path"),
            (true, Ok(_), _) | (false, _, Some(_)) => None,
            (false, _, None) => Some("unmarked"),
        }
    }
}

/// Reports what is wrong with one member.
pub(super) struct Faults<'a> {
    pub(super) name: &'a [u8],
    pub(super) sink: &'a mut dyn Sink,
}

impl Faults<'_> {
    pub(super) fn report(&mut self, code: Code, args: &[(&'static str, &str)]) {
        let mut finding = Finding::new(code).arg("member", super::archive::shown(self.name));
        for (name, value) in args {
            finding = finding.arg(name, *value);
        }
        self.sink.found(finding);
    }

    fn report_number(&mut self, code: Code, name: &'static str, value: u64, words: &'static str) {
        let finding = Finding::new(code).arg("member", super::archive::shown(self.name)).arg(name, value);
        self.sink.found(if words.is_empty() { finding } else { finding.arg("name", words) });
    }
}

fn method_name(method: u16) -> &'static str {
    match method {
        1 => "shrunk",
        2..=5 => "reduced",
        6 => "imploded",
        9 => "Deflate64",
        12 => "bzip2",
        14 => "LZMA",
        18 => "TERSE",
        19 => "LZ77",
        20 | 93 => "Zstandard",
        94 => "MP3",
        95 => "xz",
        96 => "JPEG",
        97 => "WavPack",
        98 => "PPMd",
        _ => "unknown",
    }
}
