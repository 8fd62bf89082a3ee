//! Related resources: what an entry links to, no list contains, and a copy fetches with the resource of the entry (§14.3, 14.5).

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{
    api::plain::Link,
    value::{Hashes, key},
};
use serde::{Deserialize, Serialize};

use crate::{
    listed_resource::{Facets, ListedResource, is_http, known},
    selection::is_of_type,
};

/// Which related resources are fetched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Related {
    /// Metadata (`describedby`).
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub metadata: bool,
    /// Other representations (`alternate`) with these media types, such as `text/plain` or `image/*`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternates: Vec<String>,
}

impl Related {
    /// True if none are fetched.
    pub fn is_empty(&self) -> bool {
        !self.metadata && self.alternates.is_empty()
    }

    /// Adds a media type of other representations, or returns what is expected.
    ///
    /// # Errors
    ///
    /// If it is not a media type.
    pub fn add_alternates(&mut self, name: &str) -> Result<(), String> {
        let is_name = |part: &str| !part.is_empty() && !part.contains(|own: char| own.is_whitespace() || own == ';');
        match name.split_once('/') {
            Some((group, kind)) if is_name(group) && is_name(kind) && !kind.contains('/') => {
                self.alternates.push(name.to_ascii_lowercase());
                Ok(())
            }
            _ => Err("expected a media type, such as text/plain or image/*".to_owned()),
        }
    }

    /// The related resources of an entry that are fetched, as its links describe them; each once.
    pub fn of(&self, entry: &ListedResource) -> Vec<ListedResource> {
        let mut list: Vec<ListedResource> = Vec::new();
        if self.is_empty() {
            return list;
        }
        for related in entry.links.iter().filter(|link| self.has(link)).filter_map(resource) {
            if related.uri != entry.uri && list.iter().all(|other| other.uri != related.uri) {
                list.push(related);
            }
        }
        list
    }

    fn has(&self, link: &Link) -> bool {
        let is = |name: &str| link.rel.as_deref().is_some_and(|rel| rel.eq_ignore_ascii_case(name));
        let is_wanted = |name: &String| is_of_type(link.media_type.as_deref(), name);
        (self.metadata && is("describedby")) || (is("alternate") && self.alternates.iter().any(is_wanted))
    }
}

/// The resource that a link describes; `None` if it cannot be requested over HTTP.
fn resource(link: &Link) -> Option<ListedResource> {
    let loc = link.href.as_deref().filter(|href| is_http(href))?;
    let hashes: Vec<String> = link.hashes.iter().map(|(name, digest)| alloc::format!("{name}:{digest}")).collect();
    let hashes = known(&Hashes::readable(&hashes.join(" ")));
    Some(ListedResource {
        uri: key(loc),
        loc: loc.to_owned(),
        lastmod: link.modified.clone(),
        hash: hashes.iter().next().is_some().then(|| hashes.to_string()),
        length: link.length,
        encoding: link.encoding.as_deref().map(str::to_ascii_lowercase),
        facets: Facets { media_type: link.media_type.clone(), collections: Vec::new() },
        is_related: true,
        ..ListedResource::default()
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    const MD5: &str = "1584abdf8ebdc9802ac0c6a7402c03b6";

    fn link(rel: &str, href: &str, media_type: Option<&str>) -> Link {
        Link {
            rel: Some(rel.to_owned()),
            href: Some(href.to_owned()),
            media_type: media_type.map(ToOwned::to_owned),
            ..Link::default()
        }
    }

    fn entry(links: Vec<Link>) -> ListedResource {
        let uri = "http://a.example/r".to_owned();
        ListedResource { loc: uri.clone(), uri, links, ..ListedResource::default() }
    }

    fn uris(related: &Related, links: Vec<Link>) -> Vec<String> {
        related.of(&entry(links)).into_iter().map(|resource| resource.uri).collect()
    }

    #[test]
    fn metadata_and_representations_of_these_types_are_fetched_and_nothing_else() {
        let links = vec![
            link("describedby", "http://a.example/m.xml", Some("application/xml")),
            link("alternate", "http://a.example/r.txt", Some("text/plain; charset=utf-8")),
            link("alternate", "http://a.example/r.html", Some("text/html")),
            link("alternate", "http://a.example/untyped", None),
            link("memento", "http://a.example/old", Some("text/plain")),
            link("profile", "http://a.example/profile", None),
        ];
        let mut related = Related::default();
        assert_eq!(uris(&related, links.clone()), vec![""; 0]);
        related.metadata = true;
        assert_eq!(uris(&related, links.clone()), ["http://a.example/m.xml"]);
        related.add_alternates("Text/Plain").unwrap();
        assert_eq!(uris(&related, links.clone()), ["http://a.example/m.xml", "http://a.example/r.txt"]);
        related = Related { metadata: false, alternates: vec!["text/*".to_owned()] };
        assert_eq!(uris(&related, links), ["http://a.example/r.txt", "http://a.example/r.html"]);
    }

    #[test]
    fn a_link_to_the_entry_itself_a_second_one_and_other_schemes_are_passed_over() {
        let related = Related { metadata: true, alternates: Vec::new() };
        let links = vec![
            link("describedby", "http://A.example:80/r#part", None),
            link("describedby", "http://a.example/m", None),
            link("describedby", "http://a.example/m#other", None),
            link("describedby", "ftp://a.example/m", None),
            Link { rel: Some("describedby".to_owned()), ..Link::default() },
        ];
        assert_eq!(uris(&related, links), ["http://a.example/m"]);
    }

    #[test]
    fn what_the_link_states_is_what_is_listed_of_the_resource() {
        let related = Related { metadata: true, alternates: Vec::new() };
        let link = Link {
            modified: Some("2024-01-01T00:00:00Z".to_owned()),
            length: Some(5),
            encoding: Some("GZIP".to_owned()),
            hashes: [("md5", MD5), ("crc32", "00")].into_iter().collect(),
            ..link("describedby", "http://a.example/m", Some("text/xml"))
        };
        let [resource] = &*related.of(&entry(vec![link])) else { panic!("one resource") };
        assert_eq!(resource.hash.as_deref(), Some(&*alloc::format!("md5:{MD5}")));
        assert_eq!((resource.length, resource.lastmod.as_deref()), (Some(5), Some("2024-01-01T00:00:00Z")));
        assert_eq!((resource.encoding.as_deref(), resource.is_related), (Some("gzip"), true));
    }

    #[test]
    fn a_media_type_has_two_parts() {
        for (name, is_type) in [
            ("text/plain", true),
            ("image/*", true),
            ("text", false),
            ("a/b/c", false),
            ("a/b;c=d", false),
            ("/b", false),
        ] {
            assert_eq!(Related::default().add_alternates(name).is_ok(), is_type, "{name}");
        }
    }
}
