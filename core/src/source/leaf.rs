//! A list or package that a plan returns instead of reading it.

use alloc::string::String;

use crate::{diagnostic::Reason, model::Kind, report::Times};

/// A list or package, or what could not be fetched.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) uri: String,
    pub(crate) kind: Kind,
    pub(crate) set: Option<String>,
    pub(crate) parent: Option<String>,
    pub(crate) length: Option<u64>,
    pub(crate) hash: Option<String>,
    pub(crate) media_type: Option<String>,
    pub(crate) times: Times,
    pub(crate) problem: Option<Reason>,
}

impl Leaf {
    /// True for documents that list resources, not documents.
    pub(crate) fn is_leaf(kind: Kind) -> bool {
        matches!(kind, Kind::ResourceList | Kind::ChangeList | Kind::ResourceDumpManifest | Kind::ChangeDumpManifest)
    }

    /// What all entries of a document lead to, if that lists resources: of a dump the manifests in its packages.
    pub(crate) fn listed_by(kind: Kind) -> Option<Kind> {
        match kind {
            Kind::ResourceListIndex => Some(Kind::ResourceList),
            Kind::ChangeListIndex => Some(Kind::ChangeList),
            Kind::ResourceDump => Some(Kind::ResourceDumpManifest),
            Kind::ChangeDump => Some(Kind::ChangeDumpManifest),
            _ => None,
        }
    }
}
