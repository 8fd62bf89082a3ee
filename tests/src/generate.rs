//! Inputs that are not committed: large documents, described by a number, and packages, described by a name.

use serde::Deserialize;

/// A generated input.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "kind")]
pub(crate) enum Generate {
    /// With this many entries.
    Entries {
        /// The number.
        count: u64,
    },
    /// Of exactly this many bytes, by a comment before the end tag.
    Bytes {
        /// The number.
        count: usize,
    },
    /// A package, of those in `package.rs`.
    Package {
        /// Which.
        name: String,
    },
}

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-01-01T00:00:00Z"/>
"#;
const TAIL: &str = "</urlset>\n";

impl Generate {
    /// The bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut text = String::from(HEAD);
        match self {
            Generate::Package { name } => return crate::package::package(name),
            Generate::Entries { count } => {
                for number in 1..=*count {
                    text.push_str(&format!("  <url><loc>http://example.com/res/{number}</loc></url>\n"));
                }
            }
            Generate::Bytes { count } => {
                let frame = text.len() + "<!---->\n".len() + TAIL.len();
                text.push_str("<!--");
                text.extend(std::iter::repeat_n('x', count - frame));
                text.push_str("-->\n");
            }
        }
        text.push_str(TAIL);
        text.into_bytes()
    }
}
