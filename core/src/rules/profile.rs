//! The table of kinds: the requirements of each kind of document (Z39.99-2017 Appendix A).

use crate::{
    diagnostic::Code,
    model::{Kind, Name, Shape},
};

/// Whether something is required, allowed or forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Its absence is this finding.
    Wanted(Code),
    /// Optional.
    May,
    /// Its presence is this finding.
    Unused(Code),
}

use Need::{May, Unused, Wanted};

/// The type of the entries of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// Resources, or their changes.
    Resources,
    /// Other documents.
    Documents,
    /// ZIP packages, with links to documents.
    Packages,
    /// The bitstreams in a package.
    Bitstreams,
}

/// Where a kind of document stands in the hierarchy of a Source (§5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// It describes the Source: Source Descriptions.
    Source,
    /// It describes a set of resources: Capability Lists.
    Set,
    /// It is a capability of a set.
    Capability,
}

/// How a document of a kind reaches its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// From its URI.
    Web,
    /// In the package that it lists.
    Package,
    /// Over a notification channel.
    Channel,
}

/// The requirements of one kind of document. Unlisted attributes have no rule of their own.
#[derive(Debug)]
pub struct KindProfile {
    /// The kind.
    pub kind: Kind,
    /// Its root element.
    pub shape: Shape,
    /// Its root `capability`.
    pub capability: &'static str,
    /// Its level in the hierarchy.
    pub level: Level,
    /// The kind of the target of its `up` link.
    pub parent: Option<Kind>,
    /// The kind of the index that a set needs for several documents of this kind.
    pub index: Option<Kind>,
    /// How it is delivered.
    pub delivery: Delivery,
    /// The type of its entries.
    pub lists: Listed,
    /// The kind of the manifests in the packages that it lists.
    pub manifest: Option<Kind>,
    /// True if its entries are changes of resources.
    pub lists_changes: bool,
    /// True if its entries, or the packages that it lists, are a snapshot of the resources.
    pub is_snapshot: bool,
    /// True if its interval can be closed by `until`, after which it must not change.
    pub can_close: bool,
    /// Reported when this kind was expected and the root element is another.
    pub expected_root: Option<Code>,
    /// Reported when this kind was expected and the capability is another.
    pub expected_capability: Option<Code>,
    /// Attributes of the root `rs:md`.
    pub root: &'static [(Name, Need)],
    /// Links of the root, by relation.
    pub links: &'static [(&'static str, Need)],
    /// `rs:md` of an entry.
    pub entry_md: Need,
    /// Attributes of the `rs:md` of an entry.
    pub entry: &'static [(Name, Need)],
    /// `lastmod` of an entry.
    pub lastmod: Need,
    /// `changefreq` of an entry.
    pub changefreq: Need,
    /// Duplicate `loc`.
    pub same_loc: Need,
    /// The attribute by which entries are sorted.
    pub order: Option<(Name, Code)>,
    /// True where entries may link to related resources (§14).
    pub related: bool,
}

/// The requirements of documents of unknown kind.
pub static COMMON: KindProfile = KindProfile { parent: None, ..ANY };

/// Entry attributes that have no use in lists of resources, packages and members.
const CHANGE_UNUSED: (Name, Need) = (Name::Change, Unused(Code::AT_22));
const DATETIME_UNUSED: (Name, Need) = (Name::Datetime, Unused(Code::AT_23));
const CAPABILITY_UNUSED: (Name, Need) = (Name::Capability, Unused(Code::AT_33));
const PATH_UNUSED: (Name, Need) = (Name::Path, Unused(Code::AT_15));

/// The table.
pub static PROFILES: &[KindProfile] = &[
    KindProfile {
        kind: Kind::SourceDescription,
        capability: "description",
        level: Level::Source,
        parent: None,
        lists: Listed::Documents,
        expected_root: Some(Code::SD_01),
        expected_capability: Some(Code::SD_02),
        root: &[
            (Name::At, Unused(Code::SD_10)),
            (Name::Completed, Unused(Code::SD_10)),
            (Name::From, Unused(Code::SD_10)),
            (Name::Until, Unused(Code::SD_10)),
        ],
        links: &[("up", Unused(Code::SD_11)), ("describedby", Wanted(Code::SD_03))],
        entry_md: Wanted(Code::SD_06),
        entry: &[
            (Name::Capability, Wanted(Code::SD_06)),
            (Name::At, Unused(Code::SD_15)),
            (Name::Completed, Unused(Code::SD_15)),
            (Name::From, Unused(Code::SD_15)),
            (Name::Until, Unused(Code::SD_15)),
            CHANGE_UNUSED,
            DATETIME_UNUSED,
            PATH_UNUSED,
        ],
        lastmod: Unused(Code::SD_09),
        changefreq: Unused(Code::GEN_17),
        same_loc: Unused(Code::SD_13),
        related: false,
        ..ANY
    },
    KindProfile {
        kind: Kind::SourceDescriptionIndex,
        shape: Shape::SitemapIndex,
        capability: "description",
        level: Level::Source,
        parent: None,
        lists: Listed::Documents,
        expected_capability: Some(Code::SDI_02),
        root: &[
            (Name::At, Unused(Code::SD_10)),
            (Name::Completed, Unused(Code::SD_10)),
            (Name::From, Unused(Code::SD_10)),
            (Name::Until, Unused(Code::SD_10)),
        ],
        links: &[("up", Unused(Code::SD_11)), ("index", Unused(Code::LK_09))],
        entry: &[
            (Name::At, Unused(Code::SD_15)),
            (Name::Completed, Unused(Code::SD_15)),
            (Name::From, Unused(Code::SD_15)),
            (Name::Until, Unused(Code::SD_15)),
            // The standard does not specify further attributes of such an entry.
            PATH_UNUSED,
        ],
        changefreq: Unused(Code::GEN_17),
        related: false,
        ..ANY
    },
    KindProfile {
        kind: Kind::CapabilityList,
        capability: "capabilitylist",
        level: Level::Set,
        parent: Some(Kind::SourceDescription),
        lists: Listed::Documents,
        expected_root: Some(Code::CAP_01),
        expected_capability: Some(Code::CAP_03),
        root: &[
            (Name::At, Unused(Code::CAP_14)),
            (Name::Completed, Unused(Code::CAP_14)),
            (Name::From, Unused(Code::CAP_14)),
            (Name::Until, Unused(Code::CAP_14)),
        ],
        links: &[("up", Wanted(Code::CAP_04)), ("describedby", Wanted(Code::CAP_05))],
        entry_md: Wanted(Code::CAP_08),
        entry: &[
            (Name::Capability, Wanted(Code::CAP_08)),
            (Name::At, Unused(Code::CAP_19)),
            (Name::Completed, Unused(Code::CAP_19)),
            (Name::From, Unused(Code::CAP_19)),
            (Name::Until, Unused(Code::CAP_19)),
            CHANGE_UNUSED,
            DATETIME_UNUSED,
            PATH_UNUSED,
        ],
        lastmod: Unused(Code::CAP_11),
        changefreq: Unused(Code::GEN_17),
        related: false,
        ..ANY
    },
    KindProfile {
        kind: Kind::ResourceList,
        capability: "resourcelist",
        index: Some(Kind::ResourceListIndex),
        is_snapshot: true,
        expected_root: Some(Code::RL_01),
        expected_capability: Some(Code::RL_02),
        root: &[(Name::At, Wanted(Code::RL_03)), (Name::From, Unused(Code::RL_05)), (Name::Until, Unused(Code::RL_05))],
        links: &[("up", Wanted(Code::RL_06))],
        entry: &[
            (Name::At, Unused(Code::RL_12)),
            (Name::Completed, Unused(Code::RL_12)),
            (Name::From, Unused(Code::RL_12)),
            (Name::Until, Unused(Code::RL_12)),
            CHANGE_UNUSED,
            DATETIME_UNUSED,
            CAPABILITY_UNUSED,
            PATH_UNUSED,
        ],
        same_loc: Unused(Code::RL_13),
        ..ANY
    },
    KindProfile {
        kind: Kind::ResourceListIndex,
        shape: Shape::SitemapIndex,
        capability: "resourcelist",
        lists: Listed::Documents,
        expected_root: Some(Code::RLI_01),
        expected_capability: Some(Code::RLI_02),
        root: &[
            (Name::At, Wanted(Code::RLI_03)),
            (Name::From, Unused(Code::RLI_05)),
            (Name::Until, Unused(Code::RLI_05)),
        ],
        links: &[("up", Wanted(Code::RLI_06)), ("index", Unused(Code::LK_09))],
        entry: &[
            (Name::From, Unused(Code::RLI_11)),
            (Name::Until, Unused(Code::RLI_11)),
            CHANGE_UNUSED,
            DATETIME_UNUSED,
            CAPABILITY_UNUSED,
            PATH_UNUSED,
        ],
        changefreq: Unused(Code::GEN_17),
        same_loc: Unused(Code::RLI_07),
        related: false,
        ..ANY
    },
    KindProfile {
        kind: Kind::ResourceDump,
        capability: "resourcedump",
        index: Some(Kind::ResourceDumpIndex),
        lists: Listed::Packages,
        manifest: Some(Kind::ResourceDumpManifest),
        is_snapshot: true,
        expected_root: Some(Code::RD_01),
        expected_capability: Some(Code::RD_02),
        root: &[(Name::At, Wanted(Code::RD_03)), (Name::From, Unused(Code::RD_05)), (Name::Until, Unused(Code::RD_05))],
        links: &[("up", Wanted(Code::RD_06))],
        entry: &[
            (Name::From, Unused(Code::RD_13)),
            (Name::Until, Unused(Code::RD_13)),
            CHANGE_UNUSED,
            DATETIME_UNUSED,
            CAPABILITY_UNUSED,
            PATH_UNUSED,
        ],
        changefreq: Unused(Code::GEN_17),
        related: false,
        ..ANY
    },
    KindProfile {
        kind: Kind::ResourceDumpIndex,
        shape: Shape::SitemapIndex,
        capability: "resourcedump",
        lists: Listed::Documents,
        expected_root: Some(Code::RDI_01),
        expected_capability: Some(Code::RDI_02),
        root: &[
            (Name::At, Wanted(Code::RDI_03)),
            (Name::From, Unused(Code::RDI_05)),
            (Name::Until, Unused(Code::RDI_05)),
        ],
        links: &[("up", Wanted(Code::RDI_06)), ("index", Unused(Code::LK_09))],
        entry: &[
            (Name::From, Unused(Code::RDI_10)),
            (Name::Until, Unused(Code::RDI_10)),
            CHANGE_UNUSED,
            DATETIME_UNUSED,
            CAPABILITY_UNUSED,
            PATH_UNUSED,
        ],
        changefreq: Unused(Code::GEN_17),
        same_loc: Unused(Code::RDI_07),
        related: false,
        ..ANY
    },
    KindProfile {
        kind: Kind::ResourceDumpManifest,
        capability: "resourcedump-manifest",
        delivery: Delivery::Package,
        lists: Listed::Bitstreams,
        is_snapshot: true,
        expected_capability: Some(Code::RDM_02),
        root: &[
            (Name::At, Wanted(Code::RDM_03)),
            (Name::From, Unused(Code::RDM_05)),
            (Name::Until, Unused(Code::RDM_05)),
        ],
        links: &[("up", Wanted(Code::RDM_06))],
        entry_md: Wanted(Code::RDM_09),
        entry: &[
            (Name::Path, Wanted(Code::RDM_10)),
            (Name::Type, Wanted(Code::RDM_12)),
            (Name::At, Unused(Code::RDM_11)),
            (Name::Completed, Unused(Code::RDM_11)),
            (Name::From, Unused(Code::RDM_11)),
            (Name::Until, Unused(Code::RDM_11)),
            CHANGE_UNUSED,
            DATETIME_UNUSED,
            CAPABILITY_UNUSED,
        ],
        ..ANY
    },
    KindProfile {
        kind: Kind::ChangeList,
        capability: "changelist",
        index: Some(Kind::ChangeListIndex),
        lists_changes: true,
        can_close: true,
        expected_root: Some(Code::CL_01),
        expected_capability: Some(Code::CL_02),
        root: &[
            (Name::From, Wanted(Code::CL_03)),
            (Name::At, Unused(Code::CL_05)),
            (Name::Completed, Unused(Code::CL_05)),
        ],
        links: &[("up", Wanted(Code::CL_06))],
        entry_md: Wanted(Code::CL_09),
        entry: &[
            (Name::Change, Wanted(Code::CL_10)),
            (Name::At, Unused(Code::CL_12)),
            (Name::Completed, Unused(Code::CL_12)),
            (Name::From, Unused(Code::CL_12)),
            (Name::Until, Unused(Code::CL_12)),
            CAPABILITY_UNUSED,
            PATH_UNUSED,
        ],
        order: Some((Name::Datetime, Code::CL_13)),
        ..ANY
    },
    KindProfile {
        kind: Kind::ChangeListIndex,
        shape: Shape::SitemapIndex,
        capability: "changelist",
        lists: Listed::Documents,
        can_close: true,
        expected_root: Some(Code::CLI_01),
        expected_capability: Some(Code::CLI_02),
        root: &[
            (Name::From, Wanted(Code::CLI_03)),
            (Name::At, Unused(Code::CLI_05)),
            (Name::Completed, Unused(Code::CLI_05)),
        ],
        links: &[("up", Wanted(Code::CLI_06)), ("index", Unused(Code::LK_09))],
        entry_md: Wanted(Code::CLI_10),
        entry: &[
            (Name::From, Wanted(Code::CLI_10)),
            (Name::At, Unused(Code::CLI_12)),
            (Name::Completed, Unused(Code::CLI_12)),
            CHANGE_UNUSED,
            DATETIME_UNUSED,
            CAPABILITY_UNUSED,
            PATH_UNUSED,
        ],
        changefreq: Unused(Code::GEN_17),
        same_loc: Unused(Code::CLI_07),
        order: Some((Name::From, Code::CLI_13)),
        related: false,
        ..ANY
    },
    KindProfile {
        kind: Kind::ChangeDump,
        capability: "changedump",
        index: Some(Kind::ChangeDumpIndex),
        lists: Listed::Packages,
        manifest: Some(Kind::ChangeDumpManifest),
        can_close: true,
        expected_root: Some(Code::CD_01),
        expected_capability: Some(Code::CD_02),
        root: &[
            (Name::From, Wanted(Code::CD_03)),
            (Name::At, Unused(Code::CD_05)),
            (Name::Completed, Unused(Code::CD_05)),
        ],
        links: &[("up", Wanted(Code::CD_06))],
        entry: &[
            (Name::From, Wanted(Code::CD_12)),
            (Name::At, Unused(Code::CD_13)),
            (Name::Completed, Unused(Code::CD_13)),
            CHANGE_UNUSED,
            DATETIME_UNUSED,
            CAPABILITY_UNUSED,
            PATH_UNUSED,
        ],
        changefreq: Unused(Code::GEN_17),
        order: Some((Name::From, Code::CD_14)),
        related: false,
        ..ANY
    },
    KindProfile {
        kind: Kind::ChangeDumpIndex,
        shape: Shape::SitemapIndex,
        capability: "changedump",
        lists: Listed::Documents,
        can_close: true,
        expected_root: Some(Code::CDI_01),
        expected_capability: Some(Code::CDI_02),
        root: &[
            (Name::From, Wanted(Code::CDI_03)),
            (Name::At, Unused(Code::CDI_05)),
            (Name::Completed, Unused(Code::CDI_05)),
        ],
        links: &[("up", Wanted(Code::CDI_06)), ("index", Unused(Code::LK_09))],
        entry_md: Wanted(Code::CDI_09),
        entry: &[
            (Name::From, Wanted(Code::CDI_09)),
            (Name::At, Unused(Code::CDI_10)),
            (Name::Completed, Unused(Code::CDI_10)),
            CHANGE_UNUSED,
            DATETIME_UNUSED,
            CAPABILITY_UNUSED,
            PATH_UNUSED,
        ],
        changefreq: Unused(Code::GEN_17),
        same_loc: Unused(Code::CDI_07),
        order: Some((Name::From, Code::CDI_11)),
        related: false,
        ..ANY
    },
    KindProfile {
        kind: Kind::ChangeDumpManifest,
        capability: "changedump-manifest",
        delivery: Delivery::Package,
        lists: Listed::Bitstreams,
        lists_changes: true,
        can_close: true,
        expected_capability: Some(Code::CDM_02),
        root: &[
            (Name::From, Wanted(Code::CDM_03)),
            (Name::At, Unused(Code::CDM_05)),
            (Name::Completed, Unused(Code::CDM_05)),
        ],
        links: &[("up", Wanted(Code::CDM_06))],
        entry_md: Wanted(Code::CDM_09),
        entry: &[
            (Name::Change, Wanted(Code::CDM_10)),
            // A deletion has neither, which `required` handles.
            (Name::Path, Wanted(Code::CDM_11)),
            (Name::Type, Wanted(Code::CDM_13)),
            (Name::At, Unused(Code::CDM_12)),
            (Name::Completed, Unused(Code::CDM_12)),
            (Name::From, Unused(Code::CDM_12)),
            (Name::Until, Unused(Code::CDM_12)),
            CAPABILITY_UNUSED,
        ],
        order: Some((Name::Datetime, Code::CDM_15)),
        ..ANY
    },
    KindProfile {
        kind: Kind::ChangeNotification,
        capability: "change-notification",
        delivery: Delivery::Channel,
        lists_changes: true,
        expected_capability: Some(Code::CN_02),
        root: &[
            (Name::From, Wanted(Code::CN_03)),
            (Name::Until, Wanted(Code::CN_04)),
            (Name::At, Unused(Code::CN_05)),
            (Name::Completed, Unused(Code::CN_05)),
        ],
        entry_md: Wanted(Code::CN_09),
        entry: &[
            (Name::Change, Wanted(Code::CN_09)),
            (Name::At, Unused(Code::CN_12)),
            (Name::Completed, Unused(Code::CN_12)),
            (Name::From, Unused(Code::CN_12)),
            (Name::Until, Unused(Code::CN_12)),
            CAPABILITY_UNUSED,
            PATH_UNUSED,
        ],
        changefreq: Unused(Code::GEN_17),
        order: Some((Name::Datetime, Code::CN_10)),
        ..ANY
    },
    KindProfile {
        kind: Kind::FrameworkNotification,
        capability: "framework-notification",
        parent: None,
        delivery: Delivery::Channel,
        lists: Listed::Documents,
        expected_capability: Some(Code::FN_02),
        root: &[(Name::At, Unused(Code::FN_04)), (Name::Completed, Unused(Code::FN_04))],
        entry_md: Wanted(Code::FN_08),
        entry: &[
            (Name::Change, Wanted(Code::FN_08)),
            (Name::Capability, Wanted(Code::FN_09)),
            (Name::At, Unused(Code::FN_12)),
            (Name::Completed, Unused(Code::FN_12)),
            (Name::Encoding, Unused(Code::FN_12)),
            (Name::From, Unused(Code::FN_12)),
            (Name::Hash, Unused(Code::FN_12)),
            (Name::Length, Unused(Code::FN_12)),
            (Name::Type, Unused(Code::FN_12)),
            (Name::Until, Unused(Code::FN_12)),
            PATH_UNUSED,
        ],
        lastmod: Unused(Code::FN_13),
        changefreq: Unused(Code::GEN_17),
        same_loc: Unused(Code::FN_16),
        related: false,
        ..ANY
    },
];

/// No requirements: the rest of each row.
const ANY: KindProfile = KindProfile {
    kind: Kind::Unknown,
    shape: Shape::UrlSet,
    capability: "",
    level: Level::Capability,
    parent: Some(Kind::CapabilityList),
    index: None,
    delivery: Delivery::Web,
    lists: Listed::Resources,
    manifest: None,
    lists_changes: false,
    is_snapshot: false,
    can_close: false,
    expected_root: None,
    expected_capability: None,
    root: &[],
    links: &[],
    entry_md: May,
    entry: &[],
    lastmod: May,
    changefreq: May,
    same_loc: May,
    order: None,
    related: true,
};

impl KindProfile {
    /// The row of a kind, or that of unknown kinds.
    pub fn of(kind: Kind) -> &'static KindProfile {
        PROFILES.iter().find(|profile| profile.kind == kind).unwrap_or(&COMMON)
    }

    /// True if its entries refer to other documents.
    pub fn lists_documents(&self) -> bool {
        matches!(self.lists, Listed::Documents | Listed::Packages)
    }

    /// True for the manifests of packages.
    pub fn is_manifest(&self) -> bool {
        self.lists == Listed::Bitstreams
    }

    /// True for dumps, which list packages.
    pub fn is_dump(&self) -> bool {
        self.lists == Listed::Packages
    }

    /// True for documents that describe the Source or a set of resources.
    pub fn is_above_capabilities(&self) -> bool {
        self.level != Level::Capability
    }

    /// True if its entries may link to patches (§14.6). Of notifications the standard does not specify it.
    pub fn has_patches(&self) -> bool {
        self.lists_changes && self.delivery != Delivery::Channel
    }

    /// The requirement for an attribute of the root `rs:md`.
    pub fn root_need(&self, name: Name) -> Need {
        need(self.root, name)
    }

    /// The requirement for an attribute of an entry's `rs:md`.
    pub fn entry_need(&self, name: Name) -> Need {
        need(self.entry, name)
    }

    /// The requirement for a link of the root.
    pub fn link_need(&self, relation: &str) -> Need {
        self.links.iter().find(|(listed, _)| *listed == relation).map_or(May, |(_, need)| *need)
    }
}

fn need(list: &[(Name, Need)], name: Name) -> Need {
    list.iter().find(|(listed, _)| *listed == name).map_or(May, |(_, need)| *need)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Capability, Parsed, Value};

    #[test]
    fn indexes_and_no_others_are_a_sitemapindex() {
        for profile in PROFILES {
            let index = profile.kind.as_str().ends_with("-index");
            assert_eq!(profile.shape == Shape::SitemapIndex, index, "{}", profile.kind.as_str());
        }
    }

    #[test]
    fn root_element_and_capability_determine_the_kind() {
        for profile in PROFILES {
            let Parsed::Exact(capability) = Capability::read(profile.capability) else {
                panic!("{}", profile.capability)
            };
            assert_eq!(Kind::from_parts(profile.shape, &capability), profile.kind);
        }
    }

    #[test]
    fn an_index_has_the_capability_of_what_it_lists() {
        for (profile, index) in PROFILES.iter().filter_map(|profile| Some((profile, KindProfile::of(profile.index?)))) {
            assert_eq!((index.shape, index.capability), (Shape::SitemapIndex, profile.capability));
        }
    }

    #[test]
    fn only_dumps_have_packages_with_manifests() {
        for profile in PROFILES {
            assert_eq!(profile.is_dump(), profile.manifest.is_some(), "{}", profile.kind);
            assert!(profile.manifest.is_none_or(|kind| KindProfile::of(kind).is_manifest()), "{}", profile.kind);
        }
    }
}
