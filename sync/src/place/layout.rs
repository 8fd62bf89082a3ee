//! The layouts of the files of a copy.

use serde::{Deserialize, Serialize};

/// The layout of file names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Host and path of the URI.
    #[default]
    Uri,
    /// Host and path in lower-case ASCII.
    Portable,
    /// A digest of the URI.
    Hash,
}

impl Layout {
    /// All layouts.
    pub const ALL: [Layout; 3] = [Layout::Uri, Layout::Portable, Layout::Hash];

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Layout::Uri => "uri",
            Layout::Portable => "portable",
            Layout::Hash => "hash",
        }
    }

    /// The layout of this name.
    pub fn find(name: &str) -> Option<Layout> {
        Layout::ALL.into_iter().find(|layout| layout.as_str() == name)
    }
}
