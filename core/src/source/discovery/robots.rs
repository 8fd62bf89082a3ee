//! `robots.txt`: the `Sitemap:` lines in it.

use alloc::{string::String, vec::Vec};

/// The targets of all `Sitemap:` lines, in order.
pub fn sitemaps(text: &str) -> Vec<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let target = |line: &str| {
        let line = line.split('#').next().unwrap_or("").trim_ascii();
        let (name, value) = line.split_once(':')?;
        let value = value.trim_ascii();
        (name.trim_ascii().eq_ignore_ascii_case("sitemap") && !value.is_empty()).then(|| value.into())
    };
    text.split(['\n', '\r']).filter_map(target).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sitemap_lines_count_wherever_they_stand() {
        let text = "\u{feff}User-agent: *\r\nDisallow: /x\r\nsitemap : http://a.example/1 # one\n\nSITEMAP:http://a.example/2\nSitemap:\n";
        assert_eq!(sitemaps(text), ["http://a.example/1", "http://a.example/2"]);
    }
}
