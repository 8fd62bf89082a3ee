//! Writes an archive byte by byte, with any field wrong.

/// A member to write.
#[derive(Debug, Clone)]
pub struct Raw {
    /// The name.
    pub name: Vec<u8>,
    /// The data as stored in the archive.
    pub data: Vec<u8>,
    /// 0 stored, 8 deflated.
    pub method: u16,
    /// General purpose flags.
    pub flags: u16,
    /// Checksum.
    pub crc: u32,
    /// Unpacked size.
    pub size: u32,
    /// Version needed.
    pub version: u16,
    /// Time and date of DOS.
    pub moment: [u16; 2],
    /// External attributes.
    pub attributes: u32,
    /// Extra fields of the directory.
    pub extra: Vec<u8>,
    /// Extra fields of the local header.
    pub local_extra: Vec<u8>,
    /// Bytes after the data, such as a descriptor.
    pub descriptor: Vec<u8>,
    /// Further bytes that belong to no member.
    pub gap: Vec<u8>,
    /// True to omit it from the directory.
    pub hidden: bool,
}

/// A regular file of Unix.
pub(super) const FILE: u32 = 0o100_644 << 16;
/// A folder of Unix.
pub(super) const FOLDER: u32 = 0o040_755 << 16;
/// Bit 3 of the flags: a descriptor follows.
pub(super) const STREAMED: u16 = 8;
/// Bit 11 of the flags: names are UTF-8.
pub(super) const UTF8: u16 = 1 << 11;

impl Raw {
    /// A stored file.
    pub fn stored(name: &str, data: &[u8]) -> Raw {
        Raw {
            name: name.into(),
            data: data.into(),
            method: 0,
            flags: if name.is_ascii() { 0 } else { UTF8 },
            crc: crc32fast::hash(data),
            size: data.len() as u32,
            version: 20,
            moment: [0x6000, 0x5881],
            attributes: FILE,
            extra: Vec::new(),
            local_extra: Vec::new(),
            descriptor: Vec::new(),
            gap: Vec::new(),
            hidden: false,
        }
    }

    /// A deflated file.
    pub fn deflated(name: &str, data: &[u8]) -> Raw {
        Raw { method: 8, data: miniz_oxide::deflate::compress_to_vec(data, 6), ..Raw::stored(name, data) }
    }

    pub(super) fn folder(name: &str) -> Raw {
        Raw { attributes: FOLDER, ..Raw::stored(name, b"") }
    }

    pub(super) fn streamed(mut self, signed: bool, wide: bool) -> Raw {
        let (packed, size) = (self.data.len() as u64, u64::from(self.size));
        let number =
            |value: u64| if wide { value.to_le_bytes().to_vec() } else { (value as u32).to_le_bytes().to_vec() };
        self.descriptor = if signed { b"PK\x07\x08".to_vec() } else { Vec::new() };
        self.descriptor.extend(self.crc.to_le_bytes());
        self.descriptor.extend(number(packed));
        self.descriptor.extend(number(size));
        self.flags |= STREAMED;
        self
    }
}

/// An archive and the offsets of its records.
#[derive(Debug, Clone)]
pub struct Zip {
    /// The whole archive.
    pub bytes: Vec<u8>,
    /// Local headers.
    pub local: Vec<usize>,
    /// Headers of the directory.
    pub central: Vec<usize>,
    /// The end record.
    pub end: usize,
}

impl Zip {
    /// Writes an archive.
    pub fn build(members: &[Raw]) -> Zip {
        let (mut bytes, mut local, mut directory) = (Vec::new(), Vec::new(), Vec::new());
        let mut places = Vec::new();
        for member in members {
            let offset = bytes.len() as u32;
            local.push(bytes.len());
            let streamed = !member.descriptor.is_empty();
            let sizes =
                [member.crc, member.data.len() as u32, member.size].map(|value| if streamed { 0 } else { value });
            bytes.extend(b"PK\x03\x04");
            for value in [member.version, member.flags, member.method, member.moment[0], member.moment[1]] {
                bytes.extend(value.to_le_bytes());
            }
            sizes.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
            bytes.extend((member.name.len() as u16).to_le_bytes());
            bytes.extend((member.local_extra.len() as u16).to_le_bytes());
            for part in [&member.name, &member.local_extra, &member.data, &member.descriptor, &member.gap] {
                bytes.extend(part);
            }
            if member.hidden {
                continue;
            }
            places.push(directory.len());
            directory.extend(b"PK\x01\x02");
            let made_by = 3 << 8 | 20;
            for value in [made_by, member.version, member.flags, member.method, member.moment[0], member.moment[1]] {
                directory.extend(u16::to_le_bytes(value));
            }
            for value in [member.crc, member.data.len() as u32, member.size] {
                directory.extend(value.to_le_bytes());
            }
            for value in [member.name.len() as u16, member.extra.len() as u16, 0, 0, 0] {
                directory.extend(value.to_le_bytes());
            }
            directory.extend(member.attributes.to_le_bytes());
            directory.extend(offset.to_le_bytes());
            directory.extend(&member.name);
            directory.extend(&member.extra);
        }
        let start = bytes.len();
        let central: Vec<usize> = places.into_iter().map(|place| start + place).collect();
        bytes.extend(&directory);
        let end = bytes.len();
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        bytes.extend((central.len() as u16).to_le_bytes());
        bytes.extend((central.len() as u16).to_le_bytes());
        bytes.extend((directory.len() as u32).to_le_bytes());
        bytes.extend((start as u32).to_le_bytes());
        bytes.extend([0, 0]);
        Zip { bytes, local, central, end }
    }

    pub(super) fn put(&mut self, at: usize, value: &[u8]) {
        self.bytes[at..at + value.len()].copy_from_slice(value);
    }

    pub(super) fn word(&mut self, at: usize, value: u16) {
        self.put(at, &value.to_le_bytes());
    }

    pub(super) fn long(&mut self, at: usize, value: u32) {
        self.put(at, &value.to_le_bytes());
    }

    pub(super) fn long_at(&self, at: usize) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|byte| self.bytes[at + byte]))
    }

    /// Sets a field in both the local and the central header of the first member.
    pub(super) fn both(&mut self, member: usize, local: usize, central: usize, value: &[u8]) {
        let (one, other) = (self.local[member] + local, self.central[member] + central);
        self.put(one, value);
        self.put(other, value);
    }

    pub(super) fn comment(&mut self, comment: &[u8]) {
        self.word(self.end + 20, comment.len() as u16);
        self.bytes.extend(comment);
    }

    /// Puts ZIP64 records between directory and end record.
    pub(super) fn zip64(&mut self) {
        let (bytes, start) = (self.long_at(self.end + 12), self.long_at(self.end + 16));
        let count = self.central.len() as u64;
        let mut records = b"PK\x06\x06".to_vec();
        records.extend(44_u64.to_le_bytes());
        records.extend([45, 3, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for value in [count, count, bytes.into(), start.into()] {
            records.extend(value.to_le_bytes());
        }
        records.extend(b"PK\x06\x07\0\0\0\0");
        records.extend((self.end as u64).to_le_bytes());
        records.extend(1_u32.to_le_bytes());
        let length = records.len();
        self.bytes.splice(self.end..self.end, records);
        self.end += length;
        self.put(self.end + 8, &[0xff; 12]);
    }
}
