//! `rel`: link relations.

use alloc::borrow::Cow;
use core::fmt;

use super::{Parsed, Uri, Value};

/// The relation of a patch link (Z39.99-2017 §14.4).
pub const PATCH: &str = "http://www.openarchives.org/rs/terms/patch";

/// The IANA registry of link relations as of October 2025 (RFC 9877 registered the newest name, `geofeed`), sorted. It grows; an
/// absent name may be new.
const REGISTRY: [&str; 134] = [
    "P3Pv1",
    "about",
    "acl",
    "alternate",
    "amphtml",
    "api-catalog",
    "appendix",
    "apple-touch-icon",
    "apple-touch-startup-image",
    "archives",
    "author",
    "blocked-by",
    "bookmark",
    "c2pa-manifest",
    "canonical",
    "chapter",
    "cite-as",
    "collection",
    "compression-dictionary",
    "contents",
    "convertedfrom",
    "copyright",
    "create-form",
    "current",
    "deprecation",
    "describedby",
    "describes",
    "disclosure",
    "dns-prefetch",
    "duplicate",
    "edit",
    "edit-form",
    "edit-media",
    "enclosure",
    "external",
    "first",
    "geofeed",
    "glossary",
    "help",
    "hosts",
    "hub",
    "ice-server",
    "icon",
    "index",
    "intervalAfter",
    "intervalBefore",
    "intervalContains",
    "intervalDisjoint",
    "intervalDuring",
    "intervalEquals",
    "intervalFinishedBy",
    "intervalFinishes",
    "intervalIn",
    "intervalMeets",
    "intervalMetBy",
    "intervalOverlappedBy",
    "intervalOverlaps",
    "intervalStartedBy",
    "intervalStarts",
    "item",
    "last",
    "latest-version",
    "license",
    "linkset",
    "lrdd",
    "manifest",
    "mask-icon",
    "me",
    "media-feed",
    "memento",
    "micropub",
    "modulepreload",
    "monitor",
    "monitor-group",
    "next",
    "next-archive",
    "nofollow",
    "noopener",
    "noreferrer",
    "opener",
    "openid2.local_id",
    "openid2.provider",
    "original",
    "payment",
    "pingback",
    "preconnect",
    "predecessor-version",
    "prefetch",
    "preload",
    "prerender",
    "prev",
    "prev-archive",
    "preview",
    "previous",
    "privacy-policy",
    "profile",
    "publication",
    "rdap-active",
    "rdap-bottom",
    "rdap-down",
    "rdap-top",
    "rdap-up",
    "related",
    "replies",
    "resourcesync",
    "restconf",
    "ruleinput",
    "search",
    "section",
    "self",
    "service",
    "service-desc",
    "service-doc",
    "service-meta",
    "sip-trunking-capability",
    "sponsored",
    "start",
    "status",
    "stylesheet",
    "subsection",
    "successor-version",
    "sunset",
    "tag",
    "terms-of-service",
    "timegate",
    "timemap",
    "type",
    "ugc",
    "up",
    "version-history",
    "via",
    "webmention",
    "working-copy",
    "working-copy-of",
];

/// Relations of deployed Sources for which the standard has another name.
const SLIPS: [(&str, &str); 8] = [
    ("content", "contents"),
    ("description", "describedby"),
    ("describedBy", "describedby"),
    ("described-by", "describedby"),
    ("mirror", "duplicate"),
    ("parent", "up"),
    ("patch", PATCH),
    ("sitemapindex", "index"),
];

/// One link relation: a registered name or a URI (Z39.99-2017 §7, RFC 8288).
///
/// INVARIANT: borrowed names are from the registry, as they are written there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Relation(Cow<'static, str>);

/// The single list of the standard's relations.
macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        impl Relation {
            $($(#[$doc])* pub const $name: Relation = Relation(Cow::Borrowed($text));)*
        }

        #[cfg(test)]
        const NAMED: &[Relation] = &[$(Relation::$name),*];
    };
}

constants! {
    /// The parent document.
    UP = "up";
    /// The index that lists the document.
    INDEX = "index";
    /// A description.
    DESCRIBEDBY = "describedby";
    /// The described resource.
    DESCRIBES = "describes";
    /// A profile that it conforms to.
    PROFILE = "profile";
    /// The same bitstream elsewhere.
    DUPLICATE = "duplicate";
    /// Another representation.
    ALTERNATE = "alternate";
    /// The resource of which it is a representation.
    CANONICAL = "canonical";
    /// A version.
    MEMENTO = "memento";
    /// The TimeGate, which negotiates versions.
    TIMEGATE = "timegate";
    /// A list of versions.
    TIMEMAP = "timemap";
    /// A collection of which it is a member.
    COLLECTION = "collection";
    /// The original location.
    VIA = "via";
    /// A copy of the manifest of a package.
    CONTENTS = "contents";
    /// The hub of a notification channel.
    HUB = "hub";
}

impl Relation {
    /// The relation of a patch link.
    pub fn patch() -> Relation {
        Relation(Cow::Owned(PATCH.into()))
    }

    fn named(text: &str) -> Relation {
        Relation(registered(text).map_or_else(|| Cow::Owned(text.into()), Cow::Borrowed))
    }

    /// The text in a document.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True for this relation, exactly.
    pub fn is(&self, name: &str) -> bool {
        *self.0 == *name
    }

    /// True for the patch relation of the standard.
    pub fn is_patch(&self) -> bool {
        self.is(PATCH)
    }

    /// True if the relation is a URI, which needs no registration.
    pub fn is_uri(&self) -> bool {
        self.0.contains(':')
    }

    /// True if the name is in our snapshot of the IANA registry.
    pub fn is_registered(&self) -> bool {
        // Names are compared without regard to case (RFC 8288 §2.1.1), and a few are registered with capital letters.
        let is_name = |text: &str| REGISTRY.iter().any(|name| name.eq_ignore_ascii_case(text));
        matches!(self.0, Cow::Borrowed(_)) || is_name(&self.0)
    }

    /// The relation that may have been meant by this one.
    pub fn suggestion(&self) -> Option<&'static str> {
        SLIPS.iter().find(|(slip, _)| self.is(slip)).map(|(_, meant)| *meant)
    }
}

/// The most common relations of entries, looked up before the whole registry, which takes five times as long.
const COMMON: [&str; 12] = [
    "describedby",
    "canonical",
    "collection",
    "duplicate",
    "alternate",
    "via",
    "up",
    "describes",
    "memento",
    "timegate",
    "contents",
    "index",
];

fn registered(text: &str) -> Option<&'static str> {
    let common = COMMON.iter().find(|common| **common == text);
    let exact = || REGISTRY.binary_search(&text).ok().and_then(|at| REGISTRY.get(at));
    common.or_else(exact).copied()
}

fn is_name(text: &str) -> bool {
    let first = text.as_bytes().first().is_some_and(u8::is_ascii_lowercase);
    first && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte))
}

impl Value for Relation {
    fn read(text: &str) -> Parsed<Relation> {
        if let Some(registered) = registered(text) {
            return Parsed::Exact(Relation(Cow::Borrowed(registered)));
        }
        if is_name(text) || (text.contains(':') && Uri::problem(text).is_none()) {
            return Parsed::Exact(Relation(Cow::Owned(text.into())));
        }
        let lower = text.trim().to_ascii_lowercase();
        if is_name(&lower) { Parsed::Lenient(Relation::named(&lower)) } else { Parsed::Malformed }
    }

    fn spelling(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relation_is_one_name_or_one_uri() {
        for text in [
            "up",
            "describedby",
            PATCH,
            "https://example.com/rel/x",
            "tag:example.com,2024:x",
            "intervalAfter",
            "P3Pv1",
            "p3pv1",
            "x-own",
        ] {
            assert!(matches!(Relation::read(text), Parsed::Exact(_)), "{text}");
        }
        assert_eq!(Relation::read("Up"), Parsed::Lenient(Relation::named("up")));
        for text in ["", "up index", "日本", "1up", "http://exa mple.com/"] {
            assert_eq!(Relation::read(text), Parsed::Malformed, "{text}");
        }
    }

    #[test]
    fn the_registry_is_sorted() {
        assert!(REGISTRY.is_sorted());
        assert!(REGISTRY.iter().all(|name| !name.is_empty()));
        assert!(COMMON.iter().all(|name| REGISTRY.contains(name)));
        assert!(
            NAMED.iter().all(|relation| Relation::named(relation.as_str()) == *relation && relation.is_registered())
        );
        for name in REGISTRY {
            for spelling in [name, &name.to_ascii_lowercase()] {
                let relation = Relation::read(spelling);
                assert!(matches!(&relation, Parsed::Exact(one) if one.is_registered()), "{spelling}");
            }
        }
        assert!(!Relation::named("patch").is_registered());
        assert_eq!(Relation::named("content").suggestion(), Some("contents"));
    }
}
