//! Whether digests are of the same bytes.

use resourcesync::value::Hashes;

/// Compares digests of the same algorithms; `None` if there are none.
pub fn by_digest(listed: &Hashes, own: &Hashes) -> Option<bool> {
    let mut same = listed.iter().filter_map(|hash| Some(*own.get(&hash.algorithm)? == *hash.digest));
    let first = same.next()?;
    Some(first && same.all(|same| same))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MD5: &str = "md5:900150983cd24fb0d6963f7d28e17f72";
    const OTHER: &str = "md5:1584abdf8ebdc9802ac0c6a7402c03b6";
    const SHA1: &str = "sha-1:a9993e364706816aba3e25717850c26c9cd0d89d";

    #[test]
    fn several_digests_have_to_agree() {
        let read = |text: &str| Hashes::readable(text);
        let both = alloc::format!("{MD5} {SHA1}");
        assert_eq!(by_digest(&read(&both), &read(MD5)), Some(true));
        assert_eq!(by_digest(&read(MD5), &read(&alloc::format!("{OTHER} {SHA1}"))), Some(false));
        assert_eq!(by_digest(&read(&both), &read(&alloc::format!("{OTHER} {SHA1}"))), Some(false));
        assert_eq!(by_digest(&read(SHA1), &read(MD5)), None);
    }
}
