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

impl Announcement {
    /// The reasons why one is ignored.
    pub(crate) const PROBLEMS: [&'static str; 3] = ["no-href", "outside-head", "not-a-link-element"];
}

/// Elements that do not start the body.
const HEAD: [&str; 11] =
    ["html", "head", "title", "meta", "link", "base", "style", "script", "noscript", "noframes", "template"];
/// Elements whose content is only text.
const TEXT: [&str; 8] = ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"];

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
        if rel.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case("resourcesync")) {
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

/// A value with its character references decoded.
fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let (character, length) = reference(after).unwrap_or(('&', 0));
        plain.push(character);
        rest = after.get(length..).unwrap_or("");
    }
    plain.push_str(rest);
    plain
}

/// The character of the reference at the beginning of a text, without its `&`, and the bytes it takes.
fn reference(text: &str) -> Option<(char, usize)> {
    if let Some(number) = text.strip_prefix('#') {
        let (digits, radix, marks) =
            number.strip_prefix(['x', 'X']).map_or((number, 10, 1_usize), |digits| (digits, 16, 2));
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let (digits, after) = digits.split_at_checked(end).filter(|(digits, _)| !digits.is_empty())?;
        // What is too large for a number is too large for a character.
        let code = u32::from_str_radix(digits, radix).unwrap_or(u32::MAX);
        let length = marks.saturating_add(end).saturating_add(usize::from(after.starts_with(';')));
        return Some((numbered(code), length));
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (name, after) = text.split_at_checked(end)?;
    if after.starts_with(';') {
        return Some((named(name)?, end.saturating_add(1)));
    }
    // In a value, these count without their semicolon only where nothing follows that could belong to a query.
    let character = named(name).filter(|_| BARE.contains(&name) || LATIN.contains(&name))?;
    (!after.starts_with('=')).then_some((character, end))
}

/// The character of a number, as HTML reads it.
fn numbered(code: u32) -> char {
    let code = match code {
        0 => 0xfffd,
        // Windows-1252, which old pages mean.
        0x80..=0x9f => u32::from(WINDOWS.get(code.saturating_sub(0x80) as usize).copied().unwrap_or(0xfffd)),
        code => code,
    };
    char::from_u32(code).unwrap_or('\u{fffd}')
}

fn named(name: &str) -> Option<char> {
    let other = || NAMES.iter().find(|(own, _)| *own == name).map(|(_, character)| *character);
    let latin = || char::from_u32(u32::try_from(LATIN.iter().position(|own| *own == name)?).ok()?.saturating_add(0xa0));
    other().or_else(latin)
}

/// The names of all characters below U+0100 that `LATIN` does not have. The other 1,900 names of HTML are not decoded: their
/// characters are not ASCII, so that the target is not a URI either way.
const NAMES: [(&str, char); 62] = [
    ("Tab", '\t'),
    ("NewLine", '\n'),
    ("excl", '!'),
    ("quot", '"'),
    ("QUOT", '"'),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("amp", '&'),
    ("AMP", '&'),
    ("apos", '\''),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("midast", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("lt", '<'),
    ("LT", '<'),
    ("equals", '='),
    ("gt", '>'),
    ("GT", '>'),
    ("quest", '?'),
    ("commat", '@'),
    ("lsqb", '['),
    ("lbrack", '['),
    ("bsol", '\\'),
    ("rsqb", ']'),
    ("rbrack", ']'),
    ("Hat", '^'),
    ("lowbar", '_'),
    ("UnderBar", '_'),
    ("grave", '`'),
    ("DiacriticalGrave", '`'),
    ("lcub", '{'),
    ("lbrace", '{'),
    ("verbar", '|'),
    ("vert", '|'),
    ("VerticalLine", '|'),
    ("rcub", '}'),
    ("rbrace", '}'),
    ("angst", '\u{c5}'),
    ("Cedilla", '\u{b8}'),
    ("centerdot", '\u{b7}'),
    ("CenterDot", '\u{b7}'),
    ("circledR", '\u{ae}'),
    ("COPY", '\u{a9}'),
    ("DiacriticalAcute", '\u{b4}'),
    ("die", '\u{a8}'),
    ("div", '\u{f7}'),
    ("Dot", '\u{a8}'),
    ("DoubleDot", '\u{a8}'),
    ("half", '\u{bd}'),
    ("NonBreakingSpace", '\u{a0}'),
    ("PlusMinus", '\u{b1}'),
    ("pm", '\u{b1}'),
    ("REG", '\u{ae}'),
    ("strns", '\u{af}'),
];

/// Names that count without a semicolon, besides those of Latin-1.
const BARE: [&str; 10] = ["quot", "QUOT", "amp", "AMP", "lt", "LT", "gt", "GT", "COPY", "REG"];

/// The characters of Latin-1 from U+00A0.
const LATIN: [&str; 96] = [
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf", "laquo", "not", "shy",
    "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro", "para", "middot", "cedil", "sup1", "ordm",
    "raquo", "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig",
    "Ccedil", "Egrave", "Eacute", "Ecirc", "Euml", "Igrave", "Iacute", "Icirc", "Iuml", "ETH", "Ntilde", "Ograve",
    "Oacute", "Ocirc", "Otilde", "Ouml", "times", "Oslash", "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN",
    "szlig", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil", "egrave", "eacute", "ecirc",
    "euml", "igrave", "iacute", "icirc", "iuml", "eth", "ntilde", "ograve", "oacute", "ocirc", "otilde", "ouml",
    "divide", "oslash", "ugrave", "uacute", "ucirc", "uuml", "yacute", "thorn", "yuml",
];

/// What HTML reads in the place of U+0080 to U+009F.
const WINDOWS: [u16; 32] = [
    0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d,
    0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,
    0x017e, 0x0178,
];

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
            ("&&;&#;&#x;&#xD800;&nbsp;é&#12345678901234;", "&&;&#;&#x;\u{fffd}\u{a0}é\u{fffd}"),
            ("a&period;xml&quest;b&equals;c&sol;&percnt;41", "a.xml?b=c/%41"),
            ("?a&copy=1&reg&ampb&amp=&lt&eacute&#x41z&nosuch;", "?a&copy=1\u{ae}&ampb&amp=<\u{e9}Az&nosuch;"),
            ("&periodx;&period", "&periodx;&period"),
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
