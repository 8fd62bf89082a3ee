//! The two namespaces of the standard, and their spellings in deployed Sources.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::{
    model::{Namespace, RESOURCESYNC, SITEMAP, Space},
    xml::Start,
};

/// Maximum number of namespace names remembered as reported.
const MAX_STRANGE: usize = 16;

/// Maps the namespace names of one document.
#[derive(Debug, Default)]
pub(super) struct Spaces {
    /// The namespace of a root that has the name of a ResourceSync root but another namespace.
    root: Option<Box<str>>,
    reported: Vec<Box<str>>,
}

/// The meaning of a namespace name.
pub(super) struct Meaning {
    pub(super) space: Space,
    /// The correct name, if another was written.
    pub(super) meant: Option<&'static str>,
}

impl Spaces {
    /// Treats the namespace of the root as the Sitemap namespace.
    pub(super) fn adopt(&mut self, namespace: &str) {
        if namespace != SITEMAP {
            self.root = Some(namespace.into());
        }
    }

    pub(super) fn of(&self, namespace: &str) -> Meaning {
        match namespace {
            SITEMAP => Meaning { space: Space::Sitemap, meant: None },
            RESOURCESYNC => Meaning { space: Space::ResourceSync, meant: None },
            other => self.strange(other),
        }
    }

    /// The meaning of an element. Without a namespace it is identified by its name, since it is not foreign.
    pub(super) fn of_element(&self, namespace: &str, local: &str) -> Meaning {
        // Also where the root is in no namespace either.
        if namespace.is_empty() && matches!(local, "md" | "ln") {
            return Meaning { space: Space::ResourceSync, meant: Some(RESOURCESYNC) };
        }
        let meaning = self.of(namespace);
        if !namespace.is_empty() || meaning.space != Space::Foreign {
            return meaning;
        }
        match local {
            "url" | "sitemap" | "loc" | "lastmod" | "changefreq" | "priority" => {
                Meaning { space: Space::Sitemap, meant: Some(SITEMAP) }
            }
            _ => meaning,
        }
    }

    #[cold]
    fn strange(&self, namespace: &str) -> Meaning {
        if self.root.as_deref() == Some(namespace) {
            return Meaning { space: Space::Sitemap, meant: Some(SITEMAP) };
        }
        let core = core_of(namespace);
        let core = core.as_str();
        if ["sitemaps.org/schemas/sitemap/0.9", "google.com/schemas/sitemap/0.84", "google.com/schemas/sitemap/0.9"]
            .contains(&core)
        {
            Meaning { space: Space::Sitemap, meant: Some(SITEMAP) }
        } else if core == "openarchives.org/rs" || core.starts_with("openarchives.org/rs/") {
            Meaning { space: Space::ResourceSync, meant: Some(RESOURCESYNC) }
        } else {
            Meaning { space: Space::Foreign, meant: None }
        }
    }

    /// True for the first call with a name.
    pub(super) fn first(&mut self, namespace: &str) -> bool {
        let new = self.reported.len() < MAX_STRANGE && !self.reported.iter().any(|seen| **seen == *namespace);
        if new {
            self.reported.push(namespace.into());
        }
        new
    }
}

/// A namespace name without the parts that are often wrong: scheme, `www.`, case, trailing characters.
fn core_of(namespace: &str) -> String {
    let lower = namespace.trim().to_ascii_lowercase();
    let rest = lower.strip_prefix("http://").or_else(|| lower.strip_prefix("https://")).unwrap_or(&lower);
    rest.strip_prefix("www.").unwrap_or(rest).trim_end_matches(['/', '#']).into()
}

pub(super) fn strange_namespace(start: &Start<'_>, meant: &'static str) -> Namespace {
    Namespace { written: start.namespace.into(), meant, element: start.local.into(), span: start.span }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_understood_and_named() {
        let spaces = Spaces::default();
        for (name, space) in [
            ("https://www.sitemaps.org/schemas/sitemap/0.9/", Space::Sitemap),
            ("http://www.google.com/schemas/sitemap/0.84", Space::Sitemap),
            ("http://www.openarchives.org/rs/terms", Space::ResourceSync),
            ("http://www.openarchives.org/rs/terms/1.1/", Space::ResourceSync),
            ("http://www.openarchives.org/rss/", Space::Foreign),
            ("http://example.com/", Space::Foreign),
            ("", Space::Foreign),
        ] {
            let meaning = spaces.of(name);
            assert_eq!(meaning.space, space, "{name}");
            assert_eq!(meaning.meant.is_some(), space != Space::Foreign, "{name}");
        }
    }
}
