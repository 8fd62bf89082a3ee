//! The closed vocabularies: capabilities, types of change, change frequencies.

use alloc::boxed::Box;
use core::fmt;

use super::{Parsed, Value};
use crate::edit_distance::distance;

/// The capability of a document, or of the document that an entry refers to (Z39.99-2017 §7).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// `description`
    Description,
    /// `capabilitylist`
    CapabilityList,
    /// `resourcelist`
    ResourceList,
    /// `resourcedump`
    ResourceDump,
    /// `changelist`
    ChangeList,
    /// `changedump`
    ChangeDump,
    /// `resourcedump-manifest`
    ResourceDumpManifest,
    /// `changedump-manifest`
    ChangeDumpManifest,
    /// `change-notification`
    ChangeNotification,
    /// `framework-notification`
    FrameworkNotification,
    /// `resourcelist-archive`, of the archive specification
    ResourceListArchive,
    /// `resourcedump-archive`, of the archive specification
    ResourceDumpArchive,
    /// `changelist-archive`, of the archive specification
    ChangeListArchive,
    /// `changedump-archive`, of the archive specification
    ChangeDumpArchive,
    /// Any other word.
    Other(Box<str>),
}

use Capability as C;

const CAPABILITIES: [(&str, Capability); 14] = [
    ("description", C::Description),
    ("capabilitylist", C::CapabilityList),
    ("resourcelist", C::ResourceList),
    ("resourcedump", C::ResourceDump),
    ("changelist", C::ChangeList),
    ("changedump", C::ChangeDump),
    ("resourcedump-manifest", C::ResourceDumpManifest),
    ("changedump-manifest", C::ChangeDumpManifest),
    ("change-notification", C::ChangeNotification),
    ("framework-notification", C::FrameworkNotification),
    ("resourcelist-archive", C::ResourceListArchive),
    ("resourcedump-archive", C::ResourceDumpArchive),
    ("changelist-archive", C::ChangeListArchive),
    ("changedump-archive", C::ChangeDumpArchive),
];

/// Words of old drafts and of deployed Sources whose meaning is certain.
const ALIASES: [(&str, Capability); 8] = [
    ("resourcesync", C::Description),
    ("capability", C::CapabilityList),
    ("capabilitylistindex", C::CapabilityList),
    ("resourcelistindex", C::ResourceList),
    ("resourcedumpindex", C::ResourceDump),
    ("changelistindex", C::ChangeList),
    ("changedumpindex", C::ChangeDump),
    ("changelist-notification", C::ChangeNotification),
];

/// How a misspelt capability is related to a known one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slip {
    /// Equal except for case or surrounding spaces.
    Case(Capability),
    /// A word of an old draft or a deployed Source.
    Alias(Capability),
    /// Similar letters; the meaning is a guess.
    Near(Capability),
}

impl Capability {
    /// The words of all known capabilities.
    pub fn words() -> impl Iterator<Item = &'static str> {
        CAPABILITIES.iter().map(|(word, _)| *word)
    }

    /// The word in a document.
    pub fn as_str(&self) -> &str {
        match self {
            C::Other(word) => word,
            known => CAPABILITIES.iter().find(|(_, capability)| capability == known).map_or("", |(word, _)| word),
        }
    }

    fn exact(text: &str) -> Option<Capability> {
        CAPABILITIES.iter().find(|(word, _)| *word == text).map(|(_, capability)| capability.clone())
    }

    /// The capability that an unknown word may mean.
    pub fn slip(text: &str) -> Option<Slip> {
        if Capability::exact(text).is_some() {
            return None;
        }
        let trimmed = text.trim();
        let same = |word: &str| word.eq_ignore_ascii_case(trimmed);
        if let Some((_, capability)) = CAPABILITIES.iter().find(|(word, _)| same(word)) {
            return Some(Slip::Case(capability.clone()));
        }
        if let Some((_, capability)) = ALIASES.iter().find(|(word, _)| same(word)) {
            return Some(Slip::Alias(capability.clone()));
        }
        let near = |word: &str| trimmed.len() <= 64 && distance(word, trimmed) <= 2;
        CAPABILITIES.iter().find(|(word, _)| near(word)).map(|(_, capability)| Slip::Near(capability.clone()))
    }
}

impl Value for Capability {
    fn read(text: &str) -> Parsed<Capability> {
        if let Some(capability) = Capability::exact(text) {
            return Parsed::Exact(capability);
        }
        match Capability::slip(text) {
            Some(Slip::Case(capability) | Slip::Alias(capability)) => Parsed::Lenient(capability),
            _ if text.trim().is_empty() => Parsed::Malformed,
            _ => Parsed::Exact(C::Other(text.into())),
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $type:ident { $($(#[$word_doc:meta])* $name:ident = $text:literal $(| $alias:literal)*;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type { $($(#[$word_doc])* $name),* }

        impl $type {
            /// All words, in the order of the standard.
            pub const ALL: &'static [$type] = &[$($type::$name),*];

            /// The word in a document.
            pub fn as_str(self) -> &'static str {
                match self { $($type::$name => $text),* }
            }
        }

        impl Value for $type {
            fn read(text: &str) -> Parsed<$type> {
                match text { $($text => return Parsed::Exact($type::$name),)* _ => {} }
                let same = |word: &str| word.eq_ignore_ascii_case(text.trim());
                $(if same($text) $(|| same($alias))* { return Parsed::Lenient($type::$name); })*
                Parsed::Malformed
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// The type of change of a resource (Z39.99-2017 §7). Aliases are words of deployed Sources.
    Change {
        /// It was created.
        Created = "created" | "create" | "new" | "added";
        /// It was modified.
        Updated = "updated" | "update" | "modified" | "changed";
        /// It was deleted.
        Deleted = "deleted" | "delete" | "removed";
    }
}

words! {
    /// How often a resource is likely to change (Sitemap protocol, Z39.99-2017 §7).
    Changefreq {
        /// On each access.
        Always = "always";
        /// Every hour.
        Hourly = "hourly";
        /// Every day.
        Daily = "daily";
        /// Every week.
        Weekly = "weekly";
        /// Every month.
        Monthly = "monthly";
        /// Every year.
        Yearly = "yearly";
        /// It is archived.
        Never = "never";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_an_old_draft_is_understood_and_named() {
        assert_eq!(Capability::read("changelistindex"), Parsed::Lenient(C::ChangeList));
        assert_eq!(Capability::slip("changelistindex"), Some(Slip::Alias(C::ChangeList)));
        assert_eq!(Capability::slip("ResourceList"), Some(Slip::Case(C::ResourceList)));
        assert_eq!(Capability::slip("resourcelst"), Some(Slip::Near(C::ResourceList)));
        assert_eq!(Capability::slip("resourcelist"), None);
        assert_eq!(Capability::read("resourcelst"), Parsed::Exact(C::Other("resourcelst".into())));
        assert_eq!(Capability::read(" "), Parsed::Malformed);
    }

    #[test]
    fn words_are_exact() {
        assert_eq!(Change::read("updated"), Parsed::Exact(Change::Updated));
        assert_eq!(Change::read("Updated"), Parsed::Lenient(Change::Updated));
        assert_eq!(Change::read("delete"), Parsed::Lenient(Change::Deleted));
        assert_eq!(Change::read("moved"), Parsed::Malformed);
        assert_eq!(Changefreq::read("DAILY"), Parsed::Lenient(Changefreq::Daily));
    }
}
