//! The layouts of the files of a copy.

use resourcesync::named_enum;
use serde::{Deserialize, Serialize};

named_enum! {
    /// The layout of file names.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Layout {
        /// Host and path of the URI.
        #[default]
        Uri = "uri",
        /// Host and path in lower-case ASCII.
        Portable = "portable",
        /// A digest of the URI.
        Hash = "hash",
    }
}
