//! The pieces into which a package is divided, so that several processes verify it.

use serde::{Deserialize, Serialize};

/// The most pieces of a package, whatever its listed length.
const MOST: u64 = 4096;

/// One of several equal pieces of a package. A member belongs to the piece in which its header begins, so each is in exactly one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Its number, from 0.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

impl Piece {
    /// The whole package.
    pub const WHOLE: Piece = Piece { number: 0, of: 1 };

    /// The pieces of a package of `size` bytes that have about `bytes` bytes each; at most 4096.
    pub fn of_size(size: u64, bytes: u64) -> impl Iterator<Item = Piece> {
        let of = size.div_ceil(bytes.max(1)).clamp(1, MOST);
        (0..of).map(move |number| Piece { number, of })
    }

    /// True if a member whose header begins at `offset` belongs to this piece of a package of `size` bytes.
    pub(crate) fn has(self, offset: u64, size: u64) -> bool {
        Piece::number_at(offset, size, self.of) == self.number
    }

    /// The number of the piece, of so many, to which a member belongs whose header begins at `offset`.
    pub(crate) fn number_at(offset: u64, size: u64, of: u64) -> u64 {
        let place = u128::from(offset).saturating_mul(of.into()).checked_div(size.into()).unwrap_or_default();
        // A header beyond the end belongs to the last piece.
        u64::try_from(place).unwrap_or(u64::MAX).min(of.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn every_offset_is_in_exactly_one_piece() {
        for size in [0, 1, 7, 1000, u64::MAX] {
            for of in [1, 2, 3, 7, u64::MAX] {
                for offset in [0, 1, size / 3, size / 2, size.saturating_sub(1), size, u64::MAX] {
                    let of = u64::min(of, 50);
                    let own = (0..of).filter(|number| Piece { number: *number, of }.has(offset, size)).count();
                    assert_eq!(own, 1, "{offset} of {size} in {of}");
                }
            }
        }
    }

    #[test]
    fn pieces_have_about_the_wanted_bytes() {
        assert_eq!(Piece::of_size(0, 10).collect::<Vec<_>>(), [Piece::WHOLE]);
        assert_eq!(Piece::of_size(10, 10).count(), 1);
        assert_eq!(Piece::of_size(11, 10).last(), Some(Piece { number: 1, of: 2 }));
        assert_eq!(Piece::of_size(5, 0).count(), 5);
        assert_eq!(Piece::of_size(u64::MAX, 1).count(), 4096);
    }
}
