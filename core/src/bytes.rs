//! Byte-wise predicates on text.

/// True if all bytes fit. `fits` should have no branch, that is use `&` and `|`: then it becomes a few vector instructions,
/// which is five times as fast as one byte after another.
#[inline(always)] // or `fits` would be called for each byte
pub(crate) fn all(bytes: &[u8], fits: impl Fn(u8) -> bool) -> bool {
    // The last piece overlaps the one before it, so that nothing is left over.
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
