//! Which of the listed resources are copied.

use alloc::{string::String, vec::Vec};

use resourcesync::{
    glob::Glob,
    value::{key, percent_decoded},
};
use serde::Serialize;

use crate::listed_resource::ListedResource;

/// Which of the listed resources are copied. Others are neither fetched nor deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Selection {
    /// Patterns for URIs or their paths, one of which has to match; all match if there is none.
    pub include: Vec<String>,
    /// Patterns for URIs or their paths, none of which may match.
    pub exclude: Vec<String>,
    /// Media types, such as `text/plain` or `image/*`.
    pub types: Vec<String>,
    /// Collections that a resource has to belong to.
    pub collections: Vec<String>,
    /// The greatest listed length.
    pub max_length: Option<u64>,
}

/// A [`Selection`], prepared to be asked.
#[derive(Debug)]
pub struct Selector {
    include: Vec<(bool, Glob)>,
    exclude: Vec<(bool, Glob)>,
    types: Vec<String>,
    collections: Vec<String>,
    max_length: Option<u64>,
}

impl Selector {
    /// Prepares a selection.
    pub fn new(selection: &Selection) -> Selector {
        let globs = |list: &[String]| list.iter().map(|text| (text.contains("://"), Glob::new(text))).collect();
        Selector {
            include: globs(&selection.include),
            exclude: globs(&selection.exclude),
            types: selection.types.iter().map(|name| name.to_ascii_lowercase()).collect(),
            collections: selection.collections.iter().map(|uri| key(uri)).collect(),
            max_length: selection.max_length,
        }
    }

    /// True if a resource is to be copied, by its URI alone: a deleted one is listed without anything else.
    pub fn selects_uri(&self, resource: &ListedResource) -> bool {
        (self.include.is_empty() || matches_any(&self.include, resource)) && !matches_any(&self.exclude, resource)
    }

    /// True if a stored resource is to be kept in step, by what is known of it: not its type or its collections.
    pub fn selects_stored(&self, resource: &ListedResource) -> bool {
        self.selects_uri(resource) && !self.is_too_long(resource)
    }

    /// True if a related resource is to be copied. It is selected with the entry that links to it, unless it is excluded or too long.
    pub fn selects_related(&self, resource: &ListedResource) -> bool {
        !matches_any(&self.exclude, resource) && !self.is_too_long(resource)
    }

    /// True if a resource is to be copied. What is not listed of it keeps it from being selected by that.
    pub fn selects(&self, resource: &ListedResource) -> bool {
        self.selects_stored(resource) && self.has_type(resource) && self.has_collection(resource)
    }

    /// True if a resource that the copy may hold is to be kept in step. An entry need not repeat the type or the collections of one that is held.
    pub fn selects_listed(&self, resource: &ListedResource, is_held: bool) -> bool {
        let facets = &resource.facets;
        self.selects(resource)
            || is_held
                && self.selects_stored(resource)
                && (facets.media_type.is_none() || self.has_type(resource))
                && (facets.collections.is_empty() || self.has_collection(resource))
    }

    fn has_type(&self, resource: &ListedResource) -> bool {
        let media_type = resource.facets.media_type.as_deref();
        self.types.is_empty() || self.types.iter().any(|name| is_of_type(media_type, name))
    }

    fn has_collection(&self, resource: &ListedResource) -> bool {
        let mut collections = resource.facets.collections.iter();
        self.collections.is_empty() || collections.any(|uri| self.collections.contains(&key(uri)))
    }

    fn is_too_long(&self, resource: &ListedResource) -> bool {
        self.max_length.is_some_and(|most| resource.length.is_some_and(|length| length > most))
    }
}

/// True if one of the patterns matches the URI of a resource or its path, as they are listed or with the characters that their escapes stand for.
fn matches_any(patterns: &[(bool, Glob)], resource: &ListedResource) -> bool {
    patterns.iter().any(|(is_whole, glob)| {
        let listed = if *is_whole { &*resource.uri } else { path(&resource.uri) };
        glob.matches(listed) || listed.contains('%') && glob.matches(&percent_decoded(listed))
    })
}

/// The path of a URI, without its first slash and its query.
fn path(uri: &str) -> &str {
    let below = uri.split_once("://").map_or(uri, |(_, rest)| rest).split_once('/').map_or("", |(_, path)| path);
    below.split('?').next().unwrap_or_default()
}

/// True if a media type is the named one, whatever its parameters, or of the named group.
pub(crate) fn is_of_type(media_type: Option<&str>, name: &str) -> bool {
    let Some(media_type) = media_type else { return false };
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match name.strip_suffix("/*") {
        Some(group) => essence.split('/').next() == Some(group),
        None => essence == name,
    }
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, format, vec};

    use super::*;
    use crate::listed_resource::Facets;

    fn resource(uri: &str) -> ListedResource {
        ListedResource { uri: format!("https://example.com/{uri}"), ..ListedResource::default() }
    }

    #[test]
    fn patterns_match_paths_or_whole_uris() {
        let list = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let selector = Selector::new(&Selection {
            include: list(&["theses/**", "https://example.com/a?b"]),
            exclude: list(&["*.tmp"]),
            ..Selection::default()
        });
        for (uri, is_selected) in [
            ("theses/1/2.pdf", true),
            ("theses/1/2.tmp", false),
            ("other/theses/1", false),
            ("a?b", true),
            ("a?c", false),
        ] {
            assert_eq!(selector.selects(&resource(uri)), is_selected, "{uri}");
        }
        assert!(Selector::new(&Selection::default()).selects(&resource("x")));
    }

    #[test]
    fn patterns_match_escapes_and_what_they_stand_for() {
        let theses = "%E8%AB%96%E6%96%87";
        for (pattern, uri, is_selected) in [
            ("論文/**", "%E8%AB%96%E6%96%87/1.pdf", true),
            ("%E8%AB%96%E6%96%87/**", "%E8%AB%96%E6%96%87/1.pdf", true),
            ("https://example.com/論文/?.pdf", "%E8%AB%96%E6%96%87/1.pdf", true),
            ("my files/*", "my%20files/a", true),
            ("my files/*", "my%20files%2Fa/b", false),
            ("*ÿ*", "%FF", false),
            ("100%", "100%", true),
        ] {
            let include = vec![pattern.to_owned()];
            let selector = Selector::new(&Selection { include, ..Selection::default() });
            assert_eq!(selector.selects(&resource(uri)), is_selected, "{pattern} {uri}");
        }
        let exclude = vec!["論文/**".to_owned()];
        let selector = Selector::new(&Selection { exclude, ..Selection::default() });
        assert!(!selector.selects(&resource(&format!("{theses}/1.pdf"))));
    }

    #[test]
    fn types_collections_and_lengths_select_by_what_is_listed() {
        let selector = Selector::new(&Selection {
            types: vec!["text/Plain".to_owned(), "image/*".to_owned()],
            collections: vec!["https://example.com/c".to_owned()],
            max_length: Some(10),
            ..Selection::default()
        });
        let listed = |media_type: Option<&str>, collections: &[&str]| ListedResource {
            facets: Facets {
                media_type: media_type.map(ToOwned::to_owned),
                collections: collections.iter().map(|uri| (*uri).to_owned()).collect(),
            },
            length: Some(10),
            ..resource("a")
        };
        let (plain, own) = (Some("text/plain; charset=utf-8"), ["https://EXAMPLE.com/c"]);
        let right = listed(plain, &own);
        assert!(selector.selects(&right));
        assert!(selector.selects(&ListedResource { length: None, ..listed(Some("image/png"), &own) }));
        assert!(!selector.selects(&listed(Some("imagery/png"), &own)));
        assert!(!selector.selects(&listed(None, &own)));
        assert!(!selector.selects(&listed(plain, &[])));
        assert!(!selector.selects(&ListedResource { length: Some(11), ..right }));
        // Of what is held, an entry may state less.
        for (listed, is_selected) in [
            (listed(None, &own), true),
            (listed(plain, &[]), true),
            (listed(None, &[]), true),
            (listed(Some("imagery/png"), &own), false),
            (listed(plain, &["https://example.com/d"]), false),
            (ListedResource { length: Some(11), ..listed(None, &own) }, false),
        ] {
            assert_eq!(selector.selects_listed(&listed, true), is_selected, "{listed:?}");
            assert!(!selector.selects_listed(&listed, false), "{listed:?}");
        }
    }

    #[test]
    fn a_related_resource_is_selected_unless_it_is_excluded_or_too_long() {
        let selector = Selector::new(&Selection {
            include: vec!["theses/**".to_owned()],
            exclude: vec!["*.tmp".to_owned()],
            types: vec!["text/plain".to_owned()],
            max_length: Some(10),
            ..Selection::default()
        });
        assert!(selector.selects_related(&resource("m.xml")));
        assert!(!selector.selects_related(&resource("m.tmp")));
        assert!(!selector.selects_related(&ListedResource { length: Some(11), ..resource("m.xml") }));
    }
}
