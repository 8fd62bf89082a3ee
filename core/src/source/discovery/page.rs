//! Finds the links with `rel="resourcesync"` in an HTML page.
//!
//! Finding a few tags needs no full HTML parser, and harvesters do not run scripts either.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use crate::span::{Place, Span};

/// An element that announces a Capability List.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    /// Its target as written; absent without `href`.
    pub href: Option<String>,
    /// The reason why it is ignored, if it is.
    pub problem: Option<&'static str>,
    /// The start tag.
    pub span: Span,
}

/// Maximum announcements used from one page.
const MOST: usize = 100;
/// Elements that do not start the body.
const HEAD: [&str; 11] =
    ["html", "head", "title", "meta", "link", "base", "style", "script", "noscript", "noframes", "template"];
/// Elements whose content is only text.
const TEXT: [&str; 8] = ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"];
/// Maximum bytes between `&` and `;` of a character reference.
const REFERENCE: usize = 12;

/// All announcements of a page, and its base URI, if it declares one.
pub fn announcements(page: &str) -> (Vec<Announcement>, Option<String>) {
    let (mut found, mut base) = (Vec::new(), None);
    let (mut in_body, mut in_noscript) = (false, false);
    // Number of open templates, whose content is not part of the page.
    let mut templates: usize = 0;
    // In XHTML, all names may have a prefix.
    let mut prefix = None;
    let mut place = Place { offset: 0, line: 1, column: 1 };
    let mut counted = 0;
    let mut at = 0;
    while let Some(start) = page.get(at..).and_then(|rest| rest.find('<')).map(|found| at.saturating_add(found)) {
        let rest = page.get(start..).unwrap_or("");
        if let Some(length) = comment(rest) {
            at = start.saturating_add(length);
            continue;
        }
        let Some(mut tag) = Tag::read(rest) else {
            at = start.saturating_add(1);
            continue;
        };
        at = start.saturating_add(tag.length);
        if prefix.is_none() {
            prefix = tag.name.strip_suffix("html").filter(|prefix| prefix.ends_with(':')).map(str::to_string);
        }
        if !tag.closes && TEXT.contains(&&*tag.name) {
            at = end_of(page, at, &tag.name);
        }
        if let Some(bare) = prefix.as_deref().and_then(|prefix| tag.name.strip_prefix(prefix)) {
            tag.name = bare.to_string();
        }
        if tag.name == "template" {
            templates = if tag.closes { templates.saturating_sub(1) } else { templates.saturating_add(1) };
        }
        if templates > 0 {
            continue;
        }
        if tag.name == "noscript" {
            in_noscript = !tag.closes;
        }
        // With scripting, the content of `noscript` is text and does not end the head.
        let begins_body = !tag.closes && !in_noscript && !HEAD.contains(&&*tag.name);
        in_body |= tag.name == "body" || tag.closes && tag.name == "head" || begins_body;
        if tag.closes {
            continue;
        }
        if tag.name == "base" && base.is_none() {
            base = tag.value("href").map(str::to_string);
        }
        let rel = tag.value("rel").unwrap_or("");
        if found.len() < MOST && rel.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case("resourcesync")) {
            place = place.after(page.get(counted..start).unwrap_or(""));
            counted = start;
            let end = place.after(page.get(start..start.saturating_add(tag.length)).unwrap_or(""));
            let href = tag.value("href").map(str::trim_ascii).filter(|href| !href.is_empty()).map(str::to_string);
            let problem = match (&*tag.name, in_body, &href) {
                ("link", _, None) => Some("no-href"),
                ("link", false, _) => None,
                ("link", true, _) => Some("outside-head"),
                _ => Some("not-a-link-element"),
            };
            found.push(Announcement { href, problem, span: Span::new(place, end) });
        }
    }
    (found, base)
}

/// The length of a comment, or of markup that HTML parses as one, at the start of a text.
fn comment(text: &str) -> Option<usize> {
    let after = |from: usize, end: &str| {
        let found = text.get(from..)?.find(end)?;
        Some(from.saturating_add(found).saturating_add(end.len()))
    };
    if text.starts_with("<!--") {
        // `<!-->` and `<!--->` are complete comments.
        let end = [after(2, "-->"), after(4, "--!>")].into_iter().flatten().min();
        return Some(end.unwrap_or(text.len()));
    }
    let is_bogus = text.starts_with("<!") || text.starts_with("<?");
    is_bogus.then(|| after(2, ">").unwrap_or(text.len()))
}

/// Just after the end tag of an element whose content is only text.
fn end_of(page: &str, from: usize, name: &str) -> usize {
    let mut at = from;
    while let Some(found) = page.get(at..).and_then(|rest| rest.find("</")) {
        at = at.saturating_add(found).saturating_add(2);
        let own = page.as_bytes().get(at..at.saturating_add(name.len()));
        if own.is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes())) {
            return at;
        }
    }
    page.len()
}

struct Tag {
    name: String,
    closes: bool,
    attributes: Vec<(String, String)>,
    /// Bytes from `<` to `>`.
    length: usize,
}

impl Tag {
    fn read(text: &str) -> Option<Tag> {
        let inside = text.strip_prefix('<')?;
        let closes = inside.starts_with('/');
        let inside = inside.strip_prefix('/').unwrap_or(inside);
        if !inside.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let end = inside.find(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/').unwrap_or(inside.len());
        let (name, mut rest) = inside.split_at_checked(end)?;
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
            if rest.is_empty() {
                break;
            }
            if let Some(after) = rest.strip_prefix('>') {
                rest = after;
                break;
            }
            let (name, value, after) = attribute(rest);
            attributes.push((name, value));
            rest = after;
        }
        Some(Tag { name: name.to_ascii_lowercase(), closes, attributes, length: text.len().saturating_sub(rest.len()) })
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| &**value)
    }
}

/// The attribute at the start of a non-empty text, and the rest.
fn attribute(text: &str) -> (String, String, &str) {
    let mut skip = text.chars().next().map_or(0, char::len_utf8);
    skip = skip.saturating_add(
        text.get(skip..)
            .and_then(|rest| rest.find(|c: char| c.is_ascii_whitespace() || "=>/".contains(c)))
            .unwrap_or(text.len().saturating_sub(skip)),
    );
    let (name, rest) = text.split_at_checked(skip).unwrap_or((text, ""));
    let name = name.to_ascii_lowercase();
    let after = rest.trim_ascii_start();
    let Some(value) = after.strip_prefix('=').map(str::trim_ascii_start) else { return (name, String::new(), rest) };
    for quote in ['"', '\''] {
        if let Some(inside) = value.strip_prefix(quote) {
            let (value, after) = inside.split_once(quote).unwrap_or((inside, ""));
            return (name, unescape(value), after);
        }
    }
    let end = value.find(|c: char| c.is_ascii_whitespace() || c == '>').unwrap_or(value.len());
    let (value, after) = value.split_at_checked(end).unwrap_or((value, ""));
    (name, unescape(value), after)
}

/// A value with its character references resolved, if they can occur in URIs; others stay unchanged.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let end = after.bytes().take(REFERENCE).position(|byte| byte == b';');
        let name = end.and_then(|end| after.get(..end));
        let character = name.and_then(character);
        plain.push(character.unwrap_or('&'));
        let length = name.filter(|_| character.is_some()).map_or(0, |name| name.len().saturating_add(1));
        rest = after.get(length..).unwrap_or("");
    }
    plain.push_str(rest);
    plain
}

/// The character of a reference, without `&` and `;`.
fn character(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        let named = [("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\''), ("amp", '&')];
        return named.into_iter().find(|(own, _)| *own == name).map(|(_, character)| character);
    };
    let (digits, radix) = number.strip_prefix(['x', 'X']).map_or((number, 10), |digits| (digits, 16));
    char::from_u32(u32::from_str_radix(digits, radix).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(page: &str) -> Vec<(Option<String>, Option<&'static str>)> {
        announcements(page).0.into_iter().map(|one| (one.href, one.problem)).collect()
    }

    #[test]
    fn a_link_in_the_head_counts() {
        let page = "<!DOCTYPE html><html>\n<HEAD><title><link rel=resourcesync></title><!-- <link rel=resourcesync> -->\
            <LINK REL='x ResourceSync' href=\"http://a.example/?a&amp;b\"/></head><body>x";
        assert_eq!(problems(page), [(Some("http://a.example/?a&b".into()), None)]);
        assert_eq!(
            announcements(page).0.first().map(|one| (one.span.start.line, one.span.start.column)),
            Some((2, 77))
        );
    }

    #[test]
    fn what_stands_elsewhere_is_seen_and_named() {
        let page =
            "<title>t</title><link rel=resourcesync><p><link rel=resourcesync href=/c><a rel=resourcesync href=/d>";
        let expected = [
            (None, Some("no-href")),
            (Some("/c".into()), Some("outside-head")),
            (Some("/d".into()), Some("not-a-link-element")),
        ];
        assert_eq!(problems(page), expected);
    }

    #[test]
    fn a_head_goes_on_after_what_scripts_and_templates_hold() {
        let found = |before: &str| problems(&alloc::format!("{before}<link rel=resourcesync href=/c>"));
        let counts = [(Some("/c".into()), None)];
        for before in [
            "<template><div></div><template><link rel=resourcesync></template><p></template>",
            "<noscript><img src=x></noscript>",
            "<noframes><p></noframes>",
        ] {
            assert_eq!(found(before), counts, "{before}");
        }
        for before in ["<noscript></noscript><img>", "<template></template><p>", "<noscript><body></noscript>"] {
            assert_eq!(found(before), [(Some("/c".into()), Some("outside-head"))], "{before}");
        }
    }

    #[test]
    fn what_is_only_text_announces_nothing() {
        for name in TEXT {
            assert_eq!(problems(&alloc::format!("<{name}><link rel=resourcesync href=/c></{name}>")), [], "{name}");
        }
        let page = "<h:html><h:head><link rel=resourcesync href=/c /><h:link rel=resourcesync href=/d /></h:head>";
        assert_eq!(problems(page).last(), Some(&(Some("/d".into()), None)));
    }

    #[test]
    fn comments_end_where_html_ends_them() {
        let link = "<link rel=resourcesync href=/c>";
        for open in ["<!-->", "<!--->", "<!----!>", "<!-- -- -->", "<!x>", "<?x>"] {
            assert_eq!(problems(&alloc::format!("{open}{link}")).len(), 1, "{open}");
        }
        for open in ["<!--", "<!-- -- ", "<!x ", "<?x "] {
            assert_eq!(problems(&alloc::format!("{open}{link}")), [], "{open}");
        }
    }

    #[test]
    fn references_in_values_are_read() {
        let expected = [
            ("&#x2F;c&#46;xml?a&amp;b", "/c.xml?a&b"),
            ("&amp;lt;&#X41;&apos;", "&lt;A'"),
            ("&&;&#;&#x;&#xD800;&nbsp;é&#12345678901234;", "&&;&#;&#x;&#xD800;&nbsp;é&#12345678901234;"),
        ];
        for (text, plain) in expected {
            assert_eq!(unescape(text), plain);
        }
    }

    #[test]
    fn broken_pages_end() {
        for page in ["<", "<a", "<a b", "<a b=", "<a b='", "<!--", "<script>", "</", "<a =\">", "<é", "<a é"] {
            let _ = announcements(page);
        }
        assert_eq!(announcements("<base href='/x/'><base href='/y/'>").1.as_deref(), Some("/x/"));
    }
}
