//! What other processes found of the pieces of a package.

use alloc::{collections::BTreeMap, vec::Vec};

use sha2::{Digest as _, Sha256};

use super::state::Found;
use crate::{
    fixity::Algorithms,
    package::{Archive, Fault, Piece, What, Worked},
    parcel::{Damaged, ParcelError, ParcelReader, ParcelWriter, Parcelled},
};

/// Identifies a version of an archive with its manifest: what one process found of its members holds for another that sees the same.
type Identity = [u8; 32];

/// The members of pieces that other processes read.
#[derive(Debug, Default)]
pub(super) struct Delivered {
    /// How many pieces the package was divided into.
    of: u64,
    pieces: BTreeMap<u64, (Identity, Worked)>,
    /// The members that are not read again, in the order of the file.
    taken: Vec<u32>,
}

impl Delivered {
    /// Adds what was found of a piece.
    pub(super) fn add(&mut self, parcel: &[u8], run: u64) -> Result<(), ParcelError> {
        let mut parcel = ParcelReader::open(parcel, run)?;
        let (number, of) = Parcelled::take(&mut parcel)?;
        let (identity, worked) = Parcelled::take(&mut parcel)?;
        parcel.finish()?;
        // The same number is another part of the package in another division.
        if self.pieces.is_empty() || self.of == of {
            self.of = of;
            self.pieces.insert(number, (identity, worked));
        }
        Ok(())
    }

    /// Drops what was found of another state of the package.
    pub(super) fn keep(&mut self, archive: &Archive, wanted: &[Algorithms], size: u64, version: &str) {
        if !self.pieces.is_empty() {
            let own = identity(archive, wanted, size, version);
            self.pieces.retain(|_, (identity, _)| *identity == own);
        }
    }

    /// True if the member whose header begins at `offset` was read.
    pub(super) fn take(&mut self, index: u32, offset: u64, size: u64) -> bool {
        let is_taken = self.pieces.contains_key(&Piece::number_at(offset, size, self.of));
        self.taken.extend(is_taken.then_some(index));
        is_taken
    }

    /// What was found of the members that were taken.
    pub(super) fn finish(&mut self) -> Vec<Worked> {
        let mut taken = core::mem::take(&mut self.taken);
        taken.sort_unstable();
        let is_taken = |index: &u32| taken.binary_search(index).is_ok();
        let pieces = core::mem::take(&mut self.pieces).into_values();
        pieces
            .map(|(_, worked)| {
                let Worked { mut faults, digests, digested, .. } = worked;
                faults.retain(|(index, _)| is_taken(index));
                let mut own = Worked { faults, ..Worked::default() };
                let mut rest = digests.as_slice();
                for (index, length) in digested {
                    let (digest, after) = rest.split_at_checked(length as usize).unwrap_or((rest, &[]));
                    rest = after;
                    if is_taken(&index) {
                        own.digests.extend_from_slice(digest);
                        own.digested.push((index, length));
                    }
                }
                own
            })
            .collect()
    }
}

/// What was found of the members of a piece, as a parcel of this run.
pub(super) fn parcel(piece: Piece, found: &Found, size: u64, version: &str, run: u64) -> Vec<u8> {
    let mut parcel = ParcelWriter::new(run);
    (piece.number, piece.of).put(&mut parcel);
    identity(&found.archive, &found.wanted, size, version).put(&mut parcel);
    found.worked.put(&mut parcel);
    parcel.finish()
}

/// The identity of an archive, and of the digests that its manifest lists.
fn identity(archive: &Archive, wanted: &[Algorithms], size: u64, version: &str) -> Identity {
    let mut hash = Sha256::new();
    hash.update(size.to_le_bytes());
    hash.update((version.len() as u64).to_le_bytes());
    hash.update(version);
    for (index, member) in archive.iter() {
        let what = match member.what {
            What::File => 0,
            What::Directory => 1,
            What::Special => 2,
        };
        for number in
            [member.header, member.data().start, member.packed, member.declared, archive.name(index).len() as u64]
        {
            hash.update(number.to_le_bytes());
        }
        hash.update(member.crc.to_le_bytes());
        hash.update(member.method.to_le_bytes());
        let set = wanted.get(index as usize).copied().unwrap_or_default();
        hash.update([what, member.blocked.into(), set.bits()]);
        hash.update(archive.name(index));
    }
    hash.finalize().into()
}

impl Parcelled for Worked {
    fn put(&self, parcel: &mut ParcelWriter) {
        let Worked { faults, digests, digested, whole: _, unpacked: _ } = self;
        faults.put(parcel);
        parcel.bytes(digests);
        digested.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Worked, Damaged> {
        let faults = Parcelled::take(parcel)?;
        let digests = parcel.bytes()?.to_vec();
        Ok(Worked { faults, digests, digested: Parcelled::take(parcel)?, ..Worked::default() })
    }
}

impl Parcelled for Fault {
    fn put(&self, parcel: &mut ParcelWriter) {
        let (kind, number): (u64, u64) = match *self {
            Fault::TooLong => (0, 0),
            Fault::TooShort(made) => (1, made),
            Fault::Damaged => (2, 0),
            Fault::EndsEarly => (3, 0),
            Fault::Trailing(bytes) => (4, bytes),
            Fault::Crc(crc) => (5, crc.into()),
            Fault::EndsTwice => (6, 0),
        };
        (kind, number).put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Fault, Damaged> {
        let (kind, number): (u64, u64) = Parcelled::take(parcel)?;
        Ok(match kind {
            0 => Fault::TooLong,
            1 => Fault::TooShort(number),
            2 => Fault::Damaged,
            3 => Fault::EndsEarly,
            4 => Fault::Trailing(number),
            5 => Fault::Crc(number.try_into().map_err(|_| Damaged)?),
            6 => Fault::EndsTwice,
            _ => return Err(Damaged),
        })
    }
}
