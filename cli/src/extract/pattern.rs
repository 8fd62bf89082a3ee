//! The patterns of `--uri`.

/// True if the pattern matches the whole text; `*` matches any text, including none.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    // Without a star there is only the first part, which must be the whole text.
    let Some(last) = parts.pop() else { return rest.is_empty() };
    let mut rest = rest;
    for part in parts {
        // The first match is the best one, since it leaves the most text for the following parts.
        match rest.find(part) {
            Some(at) => rest = rest.get(at.saturating_add(part.len())..).unwrap_or(""),
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_any_text_and_all_else_for_itself() {
        let uri = "https://example.com/res/1.pdf?a=*&b=?";
        for pattern in ["*", uri, "https://example.com/*", "*.pdf?*", "*res*", "**", "https:*/res/*b=?", "*?"] {
            assert!(fits(pattern, uri), "{pattern}");
        }
        for pattern in ["", "https://example.com/", "*.pdf", "http:*", "*res*res*", "https://example?com/*", "*= "] {
            assert!(!fits(pattern, uri), "{pattern}");
        }
        assert!(fits("", "") && fits("a*a", "aa") && !fits("a*a", "a"));
    }
}
