//! The paths and URIs of the documents of a set.

use alloc::{format, string::String, vec::Vec};

use super::{Settings, files::Listed};
use crate::{
    build::{BuildOptions, CapabilityEntry, PublishError},
    diagnostic::Code,
    value::{BitstreamPath, Capability, Datetime, PATH, Uri, percent_encoded_but},
};

/// The well-known path of the Source Description (Z39.99-2017 §6.3.2).
pub(super) const DESCRIPTION: &str = ".well-known/resourcesync";

/// The values shared by the whole publication.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) base: Uri,
    pub(super) at: Datetime,
    pub(super) settings: Settings,
}

impl Frame {
    /// The URI of a path below the base.
    pub(super) fn uri(&self, path: &str) -> Result<Uri, PublishError> {
        let text = format!("{}{}", self.base, percent_encoded_but(path, PATH));
        text.parse().map_err(|_| PublishError::Misuse("the base URI and the name of a set do not form a URI"))
    }
}

/// A set of resources being published.
#[derive(Debug)]
pub(super) struct SetLayout {
    /// The base and the folder of the set.
    uri: Uri,
    /// The folder of the set, with a slash, or nothing.
    folder: String,
    suffix: String,
    pub(super) options: BuildOptions,
    pub(super) up: Uri,
    pub(super) at: Datetime,
    pub(super) describedby: Option<Uri>,
    pub(super) capabilities: Vec<CapabilityEntry>,
    pub(super) announced: Vec<CapabilityEntry>,
}

impl SetLayout {
    pub(super) fn new(frame: &Frame, name: &str, describedby: Option<Uri>) -> Result<SetLayout, PublishError> {
        let unsafe_name = BitstreamPath::problem(&format!("/{name}")).is_some() || name.starts_with('.');
        if !name.is_empty() && unsafe_name {
            return Err(PublishError::Misuse(
                "the name of a set must be a relative path that does not begin with a dot",
            ));
        }
        let folder = if name.is_empty() { String::new() } else { format!("{name}/") };
        // Changes that all have the same datetime deserve an info, but do not prevent publication.
        let mut options = frame.settings.options.clone();
        options.selection = options.selection.without(Code::ADV_03);
        let suffix = frame.settings.suffix.clone();
        Ok(SetLayout {
            uri: frame.uri(&folder)?,
            up: frame.uri(&format!("{folder}capabilitylist{suffix}"))?,
            folder,
            suffix,
            options,
            at: frame.at.clone(),
            describedby,
            capabilities: Vec::new(),
            announced: Vec::new(),
        })
    }

    /// The path of a document.
    pub(super) fn path(&self, stem: &str) -> String {
        self.file(&format!("{stem}{}", self.suffix))
    }

    /// The URI of a document.
    pub(super) fn uri(&self, stem: &str) -> Uri {
        self.file_uri(&format!("{stem}{}", self.suffix))
    }

    /// The path of a file.
    pub(super) fn file(&self, name: &str) -> String {
        format!("{}{name}", self.folder)
    }

    /// The URI of a file, whose name needs no encoding.
    pub(super) fn file_uri(&self, name: &str) -> Uri {
        // Appending letters, digits, dots and hyphens to a URI that ends with a slash gives a URI.
        format!("{}{name}", self.uri).parse().unwrap_or_else(|_| self.uri.clone())
    }

    /// A document of the set, and the index that lists it.
    pub(super) fn listed(&self, capability: Capability, stem: &str, index: Option<&str>) -> Listed {
        Listed { capability, uri: self.uri(stem), index: index.map(|index| self.uri(index)) }
    }

    pub(super) fn add(&mut self, capability: Capability, stem: &str) {
        self.capabilities.push(CapabilityEntry::new(capability, self.uri(stem)));
    }
}
