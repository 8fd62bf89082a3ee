//! Byte-wise predicates on text.

/// True if `fits` holds for all bytes. It should be branch-free (`&` and `|`), so that it is vectorized, which is five
/// times as fast.
#[inline(always)] // otherwise `fits` is called for each byte
pub(crate) fn all(bytes: &[u8], fits: impl Fn(u8) -> bool) -> bool {
    // The last chunk overlaps the previous one, so that there is no remainder.
    if let Some(last) = bytes.last_chunk::<16>() {
        let (pieces, rest) = bytes.as_chunks::<16>();
        return pieces.iter().all(|piece| whole(piece, &fits)) && (rest.is_empty() || whole(last, &fits));
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        return whole(first, &fits) & whole(last, &fits);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return whole(first, &fits) & whole(last, &fits);
    }
    bytes.iter().all(|byte| fits(*byte))
}

/// The index of a byte, of which it is known that it is near if it is there: a search in words of eight bytes, which begins at once.
#[inline]
pub(crate) fn find_near(bytes: &[u8], wanted: u8) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        // The lowest byte that is 0 is the lowest with bit 7 set; above it there may be more.
        let other = u64::from_le_bytes(*word) ^ ONES.wrapping_mul(wanted.into());
        let zeros = other.wrapping_sub(ONES) & !other & (ONES << 7);
        if zeros != 0 {
            return Some(number.wrapping_mul(8).wrapping_add(zeros.trailing_zeros() as usize / 8));
        }
    }
    let index = rest.iter().position(|byte| *byte == wanted)?;
    Some(words.len().wrapping_mul(8).wrapping_add(index))
}

/// What follows a prefix, if that is there. A prefix of some words is compared here, which takes less time than to call a function.
#[inline(always)] // as above
pub(crate) fn after<'t>(text: &'t [u8], prefix: &[u8]) -> Option<&'t [u8]> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    let is_same = if let (Some(one), Some(other)) = (start.last_chunk::<16>(), prefix.last_chunk::<16>()) {
        one == other
            && start.as_chunks::<16>().0.iter().zip(prefix.as_chunks::<16>().0).all(|(one, other)| one == other)
    } else if let (Some(one), Some(other)) = (start.last_chunk::<8>(), prefix.last_chunk::<8>()) {
        one == other && start.first_chunk::<8>() == prefix.first_chunk::<8>()
    } else {
        start.iter().zip(prefix).all(|(one, other)| one == other)
    };
    is_same.then_some(rest)
}

/// True if `fits` holds for these bytes; see `all`.
#[inline(always)] // as above
pub(crate) fn whole<const N: usize>(piece: &[u8; N], fits: &impl Fn(u8) -> bool) -> bool {
    piece.iter().fold(true, |all, byte| all & fits(*byte))
}

#[cfg(test)]
mod tests {
    use super::{after, all, find_near};

    #[test]
    fn one_byte_that_does_not_fit_is_found_wherever_it_stands() {
        for length in 0..70 {
            let mut bytes = alloc::vec![b'a'; length];
            assert!(all(&bytes, |byte| byte == b'a'), "{length}");
            assert_eq!(find_near(&bytes, b'b'), None);
            for at in 0..length {
                bytes[at] = b'b';
                assert!(!all(&bytes, |byte| byte == b'a'), "{at} of {length}");
                assert_eq!(find_near(&bytes, b'b'), Some(at));
                bytes[at] = b'a';
            }
        }
    }

    #[test]
    fn a_prefix_is_the_same_in_every_byte() {
        for length in 0..70 {
            let prefix = alloc::vec![b'a'; length];
            let text = [&prefix[..], b"rest"].concat();
            assert_eq!(after(&text, &prefix), Some(&b"rest"[..]));
            assert_eq!(after(&text[..length], &prefix), Some(&b""[..]));
            for place in 0..length {
                let mut other = text.clone();
                other[place] = b'b';
                assert_eq!(after(&other, &prefix), None);
                assert_eq!(after(&text[..place], &prefix), None);
            }
        }
    }
}
