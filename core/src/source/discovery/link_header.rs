//! `Link` header fields (RFC 8288): folded, repeated, several links in one; reading and writing them.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::resolve;
use crate::{source::Response, value::key};

/// One link of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderLink {
    /// As written, perhaps relative.
    pub target: String,
    /// Its relation types, in lower case.
    pub rels: Vec<String>,
    /// Its anchor, if it has one.
    anchor: Option<String>,
}

/// All links in the `Link` fields of a response, except those whose anchor is another resource.
pub fn header_links(response: &Response) -> Vec<HeaderLink> {
    let headers = response.headers.as_deref().unwrap_or_default();
    let fields = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("link"));
    links(fields.map(|(_, value)| value.as_str()), &response.uri).collect()
}

/// The links in the `Link` field values of a response from a URI, except those whose anchor is another resource.
///
/// ```
/// use resourcesync::source::discovery::links;
/// let values = [r#"</topic>; rel="self", <https://hub.example/>; rel=hub"#, "<x>; rel=hub; anchor=\"/other\""];
/// let found: Vec<_> = links(values, "https://example.com/topic").collect();
/// assert_eq!((found.len(), &*found[1].target, &*found[1].rels), (2, "https://hub.example/", &["hub".to_string()][..]));
/// ```
pub fn links<'a>(values: impl IntoIterator<Item = &'a str>, uri: &str) -> impl Iterator<Item = HeaderLink> {
    let is_own = move |link: &HeaderLink| {
        let about = link.anchor.as_deref().map(|anchor| resolve(uri, anchor));
        about.is_none_or(|about| about.is_some_and(|about| key(&about) == key(uri)))
    };
    values.into_iter().flat_map(of_value).filter(is_own)
}

/// The value of a `Link` field with these targets, each with its relation type.
///
/// ```
/// use resourcesync::source::discovery::write_links;
/// let value = write_links([("https://example.com/topic", "self"), ("https://hub.example/", "hub")]);
/// assert_eq!(value, r#"<https://example.com/topic>; rel="self", <https://hub.example/>; rel="hub""#);
/// ```
pub fn write_links<'a>(links: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    // A hub writes one for each delivery, with two or three links.
    let mut value = String::with_capacity(256);
    for (target, rel) in links {
        let comma = if value.is_empty() { "" } else { ", " };
        value.extend([comma, "<", target, ">; rel=\"", rel, "\""]);
    }
    value
}

/// The targets of the links with a relation in the headers of a response.
pub fn header_targets(response: &Response, relation: &str) -> Vec<String> {
    let links = header_links(response).into_iter().filter(|link| link.rels.iter().any(|rel| rel == relation));
    links.filter_map(|link| resolve(&response.uri, &link.target)).collect()
}

/// The links in one value.
fn of_value(value: &str) -> Vec<HeaderLink> {
    let mut found = Vec::new();
    let mut rest = value;
    while let Some((_, after)) = rest.split_once('<') {
        let Some((target, after)) = after.split_once('>') else { break };
        let (parameters, next) = split_at_comma(after);
        let rel = parameter(parameters, "rel").unwrap_or_default();
        let rels = rel.split_ascii_whitespace().map(str::to_ascii_lowercase).collect();
        let anchor = parameter(parameters, "anchor");
        found.push(HeaderLink { target: target.trim_ascii().to_string(), rels, anchor });
        rest = next;
    }
    found
}

/// Splits at the comma that ends a link, ignoring commas in quotes.
fn split_at_comma(text: &str) -> (&str, &str) {
    let (mut quoted, mut escaped) = (false, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => return text.split_at_checked(at).unwrap_or((text, "")),
            _ => {}
        }
    }
    (text, "")
}

/// The first parameter of this name, without its quotes.
fn parameter(parameters: &str, name: &str) -> Option<String> {
    let mut rest = parameters;
    loop {
        let (_, after) = rest.split_once(';')?;
        let end = after.find(['=', ';']).unwrap_or(after.len());
        let (own, value) = after.split_at_checked(end)?;
        let Some(value) = value.strip_prefix('=') else {
            rest = value;
            continue;
        };
        let value = value.trim_ascii_start();
        let (text, next) = match value.strip_prefix('"') {
            Some(inside) => unquote(inside),
            None => {
                let end = value.find(';').unwrap_or(value.len());
                let (text, next) = value.split_at_checked(end)?;
                (text.trim_ascii().to_string(), next)
            }
        };
        if own.trim_ascii().eq_ignore_ascii_case(name) {
            return Some(text);
        }
        rest = next;
    }
}

fn unquote(inside: &str) -> (String, &str) {
    let (mut text, mut escaped) = (String::new(), false);
    for (at, character) in inside.char_indices() {
        match character {
            _ if escaped => {
                escaped = false;
                text.push(character);
            }
            '\\' => escaped = true,
            '"' => return (text, inside.get(at.saturating_add(1)..).unwrap_or("")),
            _ => text.push(character),
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_links_with_commas_in_quotes_are_told_apart() {
        let value = r#"</a>; title="x, <y>; rel=up"; rel="self  Hub", <http://b.example/?a,b> ;REL=resourcesync,<c>"#;
        let headers = alloc::vec![("link".into(), value.into()), ("Date".into(), "<x>; rel=no".into())];
        let found = header_links(&Response { headers: Some(headers), ..Response::found("http://a.example/") });
        let all: Vec<(&str, Vec<&str>)> =
            found.iter().map(|link| (&*link.target, link.rels.iter().map(|rel| &**rel).collect())).collect();
        let expected: Vec<(&str, Vec<&str>)> = alloc::vec![
            ("/a", alloc::vec!["self", "hub"]),
            ("http://b.example/?a,b", alloc::vec!["resourcesync"]),
            ("c", alloc::vec![])
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn a_link_about_something_else_is_not_the_answers_own() {
        let value =
            r#"<a>; rel=hub; anchor="/other", <b>; rel=hub; anchor="", <c>; rel=hub; anchor="HTTP://A.example/x""#;
        let headers = alloc::vec![("Link".into(), value.into())];
        let response = Response { headers: Some(headers), ..Response::found("http://a.example/x") };
        assert_eq!(header_targets(&response, "hub"), ["http://a.example/b", "http://a.example/c"]);
    }

    #[test]
    fn broken_fields_end_where_they_break() {
        for value in ["<", "<a", "<a>;", "<a>; rel", "<a>; rel=\"x", "", ">;<"] {
            let _ = of_value(value);
        }
        assert_eq!(of_value("<a>; rel; rel=up").first().map(|link| link.rels.join(" ")).as_deref(), Some("up"));
    }
}
