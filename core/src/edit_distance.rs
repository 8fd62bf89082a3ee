//! Edit distance, and suggestions for misspelt names.

use alloc::{format, string::String, vec::Vec};

/// The number of insertions, deletions and substitutions of letters from one word to another, ignoring case.
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

/// The name most similar to `word`, if it is similar enough to suggest.
pub fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.map(|name| (distance(word, name), name)).min_by_key(|(distance, _)| *distance);
    near.filter(|(distance, name)| *distance <= 1_usize.max(name.len() / 3)).map(|(_, name)| name)
}

/// The message about a name that does not exist, with the most similar one, or with all of them.
pub fn unknown<'a>(what: &str, word: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match nearest(word, names.iter().copied()) {
        Some(near) => format!("unknown {what} `{word}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{word}`; expected one of {}", names.join(", ")),
    }
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
