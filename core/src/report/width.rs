//! How many columns of a terminal a character takes: none, one or two.

/// Ranges of characters that take two columns: East Asian Wide and Fullwidth, with the gaps between them that are not assigned.
const WIDE: &[(u32, u32)] = &[
    (0x1100, 0x115f),
    (0x231a, 0x231b),
    (0x2329, 0x232a),
    (0x23e9, 0x23ec),
    (0x25fd, 0x25fe),
    (0x2614, 0x2615),
    (0x2648, 0x2653),
    (0x26a1, 0x26a1),
    (0x26aa, 0x26ab),
    (0x26bd, 0x26be),
    (0x26c4, 0x26c5),
    (0x2705, 0x2705),
    (0x270a, 0x270b),
    (0x274c, 0x274c),
    (0x2753, 0x2755),
    (0x2757, 0x2757),
    (0x2795, 0x2797),
    (0x2b1b, 0x2b1c),
    (0x2b50, 0x2b50),
    (0x2b55, 0x2b55),
    (0x2e80, 0x303e),
    (0x3041, 0x3247),
    (0x3250, 0x4dbf),
    (0x4e00, 0xa4cf),
    (0xa960, 0xa97f),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe10, 0xfe19),
    (0xfe30, 0xfe6f),
    (0xff01, 0xff60),
    (0xffe0, 0xffe6),
    (0x16fe0, 0x18dff),
    (0x1aff0, 0x1b2ff),
    (0x1f004, 0x1f004),
    (0x1f0cf, 0x1f0cf),
    (0x1f18e, 0x1f18e),
    (0x1f191, 0x1f19a),
    (0x1f200, 0x1f320),
    (0x1f32d, 0x1f335),
    (0x1f337, 0x1f37c),
    (0x1f37e, 0x1f393),
    (0x1f3a0, 0x1f3ca),
    (0x1f3cf, 0x1f3d3),
    (0x1f3e0, 0x1f3f0),
    (0x1f3f4, 0x1f3f4),
    (0x1f3f8, 0x1f43e),
    (0x1f440, 0x1f440),
    (0x1f442, 0x1f4fc),
    (0x1f4ff, 0x1f53d),
    (0x1f54b, 0x1f567),
    (0x1f595, 0x1f596),
    (0x1f5a4, 0x1f5a4),
    (0x1f5fb, 0x1f64f),
    (0x1f680, 0x1f6c5),
    (0x1f6cc, 0x1f6cc),
    (0x1f6d0, 0x1f6df),
    (0x1f6eb, 0x1f6ec),
    (0x1f6f4, 0x1f6fc),
    (0x1f7e0, 0x1f7f0),
    (0x1f90c, 0x1f93a),
    (0x1f93c, 0x1f945),
    (0x1f947, 0x1f9ff),
    (0x1fa70, 0x1faff),
    (0x20000, 0x3fffd),
];

/// Ranges of marks that take no column of their own, of the scripts that URIs and titles are most often written in.
const COMBINING: &[(u32, u32)] = &[
    (0x300, 0x36f),
    (0x483, 0x489),
    (0x591, 0x5bd),
    (0x5bf, 0x5bf),
    (0x5c1, 0x5c2),
    (0x5c4, 0x5c5),
    (0x610, 0x61a),
    (0x64b, 0x65f),
    (0x670, 0x670),
    (0x6d6, 0x6dc),
    (0x6df, 0x6e4),
    (0x6e7, 0x6e8),
    (0x6ea, 0x6ed),
    (0x900, 0x902),
    (0x93c, 0x93c),
    (0x941, 0x948),
    (0x94d, 0x94d),
    (0xe31, 0xe31),
    (0xe34, 0xe3a),
    (0xe47, 0xe4e),
    (0x1ab0, 0x1aff),
    (0x1dc0, 0x1dff),
    (0x20d0, 0x20f0),
    (0x302a, 0x302d),
    (0x3099, 0x309a),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
    (0xe0100, 0xe01ef),
];

/// Columns of one character.
pub(super) fn of(character: char) -> usize {
    let code = u32::from(character);
    if code < 0x300 {
        1
    } else if is_in(COMBINING, code) {
        0
    } else if is_in(WIDE, code) {
        2
    } else {
        1
    }
}

/// Columns of a text.
pub(super) fn of_text(text: &str) -> usize {
    text.chars().map(of).fold(0, usize::saturating_add)
}

/// Spaces that fill a text up to a width.
pub(super) fn padding(text: &str, width: usize) -> usize {
    width.saturating_sub(of_text(text))
}

fn is_in(ranges: &[(u32, u32)], code: u32) -> bool {
    let after = ranges.partition_point(|(_, last)| *last < code);
    ranges.get(after).is_some_and(|(first, _)| *first <= code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kanji_and_kana_take_two_columns_and_marks_none() {
        assert_eq!(of_text("abc"), 3);
        assert_eq!(of_text("学術リポジトリ、（全角）"), 24);
        assert_eq!(of_text("e\u{301}"), 1);
        assert_eq!(of_text("\u{304b}\u{3099}"), 2);
        assert_eq!(of_text("ｶﾞ …"), 4);
        assert_eq!(of_text("𠮷😀"), 4);
    }

    #[test]
    fn ranges_are_sorted_and_apart() {
        for ranges in [WIDE, COMBINING] {
            let mut last = 0;
            for (from, to) in ranges {
                assert!(last < *from && from <= to, "{from:x}");
                last = *to;
            }
        }
    }
}
