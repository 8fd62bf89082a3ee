//! `Link` header fields (RFC 8288): folded, repeated, several links in one.

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
    /// What it is about, where that is said.
    anchor: Option<String>,
}

/// Links followed in the headers of one response.
const MOST: usize = 200;

/// All links in the `Link` fields of a response; those that say by their anchor that they are about something else are not its own.
pub fn header_links(response: &Response) -> Vec<HeaderLink> {
    let headers = response.headers.as_deref().unwrap_or_default();
    let fields = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("link"));
    let is_own = |link: &HeaderLink| {
        let about = link.anchor.as_deref().map(|anchor| resolve(&response.uri, anchor));
        about.is_none_or(|about| about.is_some_and(|about| key(&about) == key(&response.uri)))
    };
    fields.flat_map(|(_, value)| links(value)).filter(is_own).take(MOST).collect()
}

/// Where the links of a relation in the headers of a response lead.
pub fn header_targets(response: &Response, relation: &str) -> Vec<String> {
    let links = header_links(response).into_iter().filter(|link| link.rels.iter().any(|rel| rel == relation));
    links.filter_map(|link| resolve(&response.uri, &link.target)).collect()
}

fn links(value: &str) -> Vec<HeaderLink> {
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

/// Up to the comma that ends a link, and what follows it; commas in quotes end nothing.
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
            let _ = links(value);
        }
        assert_eq!(links("<a>; rel; rel=up").first().map(|link| link.rels.join(" ")).as_deref(), Some("up"));
    }
}
