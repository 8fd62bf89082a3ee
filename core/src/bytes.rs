//! Byte-wise predicates on text.

/// True if `fits` holds for all bytes. It should be branch-free (`&` and `|`), so that it is vectorized, which is five
/// times as fast.
#[inline(always)] // otherwise `fits` is called for each byte
pub(crate) fn all(bytes: &[u8], fits: impl Fn(u8) -> bool) -> bool {
    // The last chunk overlaps the previous one, so that there is no remainder.
    if let Some(last) = bytes.last_chunk::<16>() {
        return bytes.as_chunks().0.iter().all(|piece: &[u8; 16]| whole(piece, &fits)) && whole(last, &fits);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        return whole(first, &fits) & whole(last, &fits);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return whole(first, &fits) & whole(last, &fits);
    }
    bytes.iter().all(|byte| fits(*byte))
}

#[inline(always)]
fn whole<const N: usize>(piece: &[u8; N], fits: &impl Fn(u8) -> bool) -> bool {
    piece.iter().fold(true, |all, byte| all & fits(*byte))
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn one_byte_that_does_not_fit_is_found_wherever_it_stands() {
        for length in 0..70 {
            let mut bytes = alloc::vec![b'a'; length];
            assert!(all(&bytes, |byte| byte == b'a'), "{length}");
            for at in 0..length {
                bytes[at] = b'b';
                assert!(!all(&bytes, |byte| byte == b'a'), "{at} of {length}");
                bytes[at] = b'a';
            }
        }
    }
}
