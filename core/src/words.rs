//! Guessing what a misspelt name was meant to be.

use alloc::{string::String, vec::Vec};

/// Insertions, deletions and substitutions of letters from one word to another, case aside.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.bytes().enumerate() {
        let mut corner = i;
        let mut left = i.saturating_add(1);
        for (to, cell) in b.bytes().zip(row.iter_mut().skip(1)) {
            let substituted = corner.saturating_add(usize::from(!from.eq_ignore_ascii_case(&to)));
            corner = *cell;
            left = substituted.min(cell.saturating_add(1)).min(left.saturating_add(1));
            *cell = left;
        }
    }
    row.last().copied().unwrap_or(a.len())
}

/// The name nearest to `word`, if it is near enough to be worth suggesting.
pub fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.map(|name| (distance(word, name), name)).min_by_key(|(distance, _)| *distance);
    near.filter(|(distance, name)| *distance <= 1_usize.max(name.len() / 3)).map(|(_, name)| name)
}

/// With `%41` read as `A`; what is not UTF-8 then stays as it was.
pub(crate) fn percent_decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    while let [first, after @ ..] = rest {
        let escaped = match after {
            [high, low, ..] if *first == b'%' => digit(*high).zip(digit(*low)),
            _ => None,
        };
        if let Some((high, low)) = escaped {
            bytes.push(high << 4 | low);
            rest = after.get(2..).unwrap_or(&[]);
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_single_letters() {
        assert_eq!(distance("changelist", "ChangeList"), 0);
        assert_eq!(distance("changelist", "chnagelist"), 2);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn only_near_names_are_suggested() {
        assert_eq!(nearest("mising-at", ["missing-at", "missing-up"].into_iter()), Some("missing-at"));
        assert_eq!(nearest("zzzzzzzz", ["missing-at"].into_iter()), None);
    }
}
