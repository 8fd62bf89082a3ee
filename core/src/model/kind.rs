//! The kinds of documents, determined by root element and capability.

use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Document, Head, Root, Shape};
use crate::{
    diagnostic::Arg,
    edit_distance::unknown,
    value::{Capability, Parsed, Value},
};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $title:literal, $ja:literal;)*) => {
        /// The kind of an input.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[non_exhaustive]
        pub enum Kind { $($(#[$doc])* $name,)* }

        impl Kind {
            /// All kinds.
            pub const ALL: &'static [Kind] = &[$(Kind::$name),*];

            /// The name in reports and on the command line.
            pub fn as_str(self) -> &'static str {
                match self { $(Kind::$name => $text),* }
            }

            /// The name in the standard.
            pub fn title(self) -> &'static str {
                match self { $(Kind::$name => $title),* }
            }

            /// The Japanese name.
            pub fn title_ja(self) -> &'static str {
                match self { $(Kind::$name => $ja),* }
            }
        }
    };
}

kinds! {
    /// Lists the Capability Lists of a Source.
    SourceDescription = "source-description", "Source Description", "ソース記述";
    /// Groups Source Descriptions.
    SourceDescriptionIndex = "source-description-index", "Source Description Index", "ソース記述インデックス";
    /// Lists the capabilities of one set of resources.
    CapabilityList = "capability-list", "Capability List", "機能リスト";
    /// Lists resources at a moment.
    ResourceList = "resource-list", "Resource List", "リソースリスト";
    /// Groups Resource Lists.
    ResourceListIndex = "resource-list-index", "Resource List Index", "リソースリストインデックス";
    /// Lists packages of bitstreams.
    ResourceDump = "resource-dump", "Resource Dump", "リソースダンプ";
    /// Groups Resource Dumps.
    ResourceDumpIndex = "resource-dump-index", "Resource Dump Index", "リソースダンプインデックス";
    /// Lists the bitstreams of a package.
    ResourceDumpManifest = "resource-dump-manifest", "Resource Dump Manifest", "リソースダンプマニフェスト";
    /// Lists changes of an interval.
    ChangeList = "change-list", "Change List", "変更リスト";
    /// Groups Change Lists.
    ChangeListIndex = "change-list-index", "Change List Index", "変更リストインデックス";
    /// Lists packages of changed bitstreams.
    ChangeDump = "change-dump", "Change Dump", "変更ダンプ";
    /// Groups Change Dumps.
    ChangeDumpIndex = "change-dump-index", "Change Dump Index", "変更ダンプインデックス";
    /// Lists the changed bitstreams of a package.
    ChangeDumpManifest = "change-dump-manifest", "Change Dump Manifest", "変更ダンプマニフェスト";
    /// Announces changes of resources.
    ChangeNotification = "change-notification", "Change Notification", "変更通知";
    /// Announces changes of ResourceSync documents.
    FrameworkNotification = "framework-notification", "Framework Notification", "フレームワーク通知";
    /// A sitemap without ResourceSync elements.
    Sitemap = "sitemap", "sitemap", "サイトマップ";
    /// A ZIP package.
    Package = "package", "package", "パッケージ";
    /// An HTML page.
    Html = "html", "web page", "Web ページ";
    /// A `robots.txt`.
    Robots = "robots", "robots.txt", "robots.txt";
    /// A topic URI of a notification channel.
    Topic = "topic", "topic", "トピック";
    /// A response of an OAI-PMH repository.
    OaiResponse = "oai-response", "OAI-PMH response", "OAI-PMH の応答";
    /// Anything else.
    #[default]
    Unknown = "unknown", "document of unknown kind", "種類不明の文書";
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
        // A newer version may define further kinds.
        Ok(Kind::find(&String::deserialize(deserializer)?).unwrap_or_default())
    }
}

impl From<Kind> for Arg {
    fn from(kind: Kind) -> Arg {
        Arg::Text(kind.as_str().into())
    }
}

impl Kind {
    /// The kind of this name.
    pub fn find(name: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }

    /// True for XML without a capability that the standard defines: plain sitemaps and documents of unknown kind.
    pub fn is_plain(self) -> bool {
        matches!(self, Kind::Sitemap | Kind::Unknown)
    }

    /// The kind of a document that this word names: one of the kinds, or a capability of the standard such as `resourcelist`.
    ///
    /// ```
    /// use resourcesync::model::Kind;
    ///
    /// assert_eq!(Kind::parse("resource-list"), Ok(Kind::ResourceList));
    /// assert_eq!(Kind::parse("resourcelist"), Ok(Kind::ResourceList));
    /// assert_eq!(Kind::parse("resource-lists").unwrap_err(), "unknown kind `resource-lists`; did you mean `resource-list`?");
    /// ```
    ///
    /// # Errors
    ///
    /// A message with the most similar kind or with all kinds, if the word is none of them.
    pub fn parse(word: &str) -> Result<Kind, String> {
        Kind::of_document(word).ok_or_else(|| unknown("kind", word, Kind::documents().map(Kind::as_str)))
    }

    /// The kind of documents with this name or capability, if there is one.
    pub fn of_document(word: &str) -> Option<Kind> {
        let by_capability = || match Capability::read(word) {
            Parsed::Exact(capability) => Some(Kind::from_parts(Shape::UrlSet, &capability)),
            _ => None,
        };
        let by_name = Kind::documents().find(|kind| kind.as_str() == word);
        by_name.or_else(|| by_capability().filter(|kind| *kind != Kind::Unknown))
    }

    /// The kinds of documents, as opposed to those of other inputs.
    pub fn documents() -> impl Iterator<Item = Kind> {
        let others = [Kind::Package, Kind::Html, Kind::Robots, Kind::Topic, Kind::OaiResponse, Kind::Unknown];
        Kind::ALL.iter().copied().filter(move |kind| !others.contains(kind))
    }

    /// The kind of a document with this root element and capability.
    pub fn from_parts(shape: Shape, capability: &Capability) -> Kind {
        use Capability as C;
        match (shape, capability) {
            (Shape::UrlSet, C::Description) => Kind::SourceDescription,
            (Shape::SitemapIndex, C::Description) => Kind::SourceDescriptionIndex,
            (_, C::CapabilityList) => Kind::CapabilityList,
            (Shape::UrlSet, C::ResourceList) => Kind::ResourceList,
            (Shape::SitemapIndex, C::ResourceList) => Kind::ResourceListIndex,
            (Shape::UrlSet, C::ResourceDump) => Kind::ResourceDump,
            (Shape::SitemapIndex, C::ResourceDump) => Kind::ResourceDumpIndex,
            (Shape::UrlSet, C::ChangeList) => Kind::ChangeList,
            (Shape::SitemapIndex, C::ChangeList) => Kind::ChangeListIndex,
            (Shape::UrlSet, C::ChangeDump) => Kind::ChangeDump,
            (Shape::SitemapIndex, C::ChangeDump) => Kind::ChangeDumpIndex,
            // Manifests and notifications have no index form (GEN-07); their kind is that of their capability.
            (_, C::ResourceDumpManifest) => Kind::ResourceDumpManifest,
            (_, C::ChangeDumpManifest) => Kind::ChangeDumpManifest,
            (_, C::ChangeNotification) => Kind::ChangeNotification,
            (_, C::FrameworkNotification) => Kind::FrameworkNotification,
            _ => Kind::Unknown,
        }
    }

    pub(crate) fn of(root: &Root, head: &Head) -> Kind {
        let Some(shape) = root.shape else { return Kind::Unknown };
        let Some(md) = head.md.first() else { return Kind::Sitemap };
        match md.attributes.capability().and_then(|capability| capability.value()) {
            Some(capability) => Kind::from_parts(shape, capability),
            None => Kind::Unknown,
        }
    }
}

impl Document {
    /// The kind of this document.
    pub fn kind(&self) -> Kind {
        Kind::of(&self.root, &self.head)
    }
}
