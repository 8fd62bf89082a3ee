//! Media types of files by file extension.

use std::{collections::BTreeMap, fs, path::Path};

use crate::system::reason;
use resourcesync::value::{MediaType, Parsed, Value};

use super::Error;

/// Media types by file extension.
#[derive(Debug, Clone, Default)]
pub(crate) struct Types {
    /// Configured types, by extension in lower case without dot.
    own: BTreeMap<String, String>,
}

impl Types {
    /// Reads a map of lines `extension type`, the reverse order of the `mime.types` of web servers.
    pub(crate) fn read(file: &Path) -> Result<Types, Error> {
        let name = file.display();
        let text = fs::read_to_string(file).map_err(|error| format!("{name} could not be read: {}", reason(&error)))?;
        let mut own = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let (one, other) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let (endings, media_type) = if one.contains('/') { (other, one) } else { (one, other.trim()) };
            if endings.trim().is_empty() || !matches!(MediaType::read(media_type), Parsed::Exact(_)) {
                let expected = "an extension and its media type, such as `tif image/tiff`";
                return Err(format!("{name}:{number}: `{line}` is not {expected}").into());
            }
            for ending in endings.split_whitespace() {
                own.insert(ending.trim_start_matches('.').to_ascii_lowercase(), media_type.to_owned());
            }
        }
        Ok(Types { own })
    }

    /// The media type of a file with this name, if its extension is configured or has a registered one.
    pub(crate) fn of(&self, path: &Path) -> Option<String> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        if let Some(own) = self.own.get(&ending) {
            return Some(own.clone());
        }
        let guess = mime_guess::from_ext(&ending).first_raw()?;
        match MediaType::read(guess) {
            Parsed::Exact(known) if known.is_registered() => Some(guess.to_owned()),
            _ => None,
        }
    }
}

/// The registered media type of a file of this name, by its extension.
pub fn media_type(path: &Path) -> Option<String> {
    Types::default().of(path)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn endings_have_registered_types_or_none() {
        let types = Types::default();
        assert_eq!(types.of(Path::new("a.PDF")).as_deref(), Some("application/pdf"));
        assert_eq!(types.of(Path::new("a.tif")).as_deref(), Some("image/tiff"));
        assert_eq!(types.of(Path::new("a.tar")), None, "application/x-tar is not registered");
        assert_eq!(types.of(Path::new("README")), None);
    }

    #[test]
    fn a_map_is_read_in_both_orders_and_complains_with_its_line() {
        let file = std::env::temp_dir().join(format!("resourcesync-types-{}", std::process::id()));
        fs::write(&file, "# own\n.foo text/plain\nimage/x-own own1 own2 # two\n").unwrap();
        let types = Types::read(&file).unwrap();
        assert_eq!(types.of(Path::new("x.own2")).as_deref(), Some("image/x-own"));
        assert_eq!(types.of(Path::new("x.FOO")).as_deref(), Some("text/plain"));
        fs::write(&file, "pdf\n").unwrap();
        assert!(Types::read(&file).unwrap_err().to_string().contains(":1: `pdf` is not an extension"));
        fs::remove_file(&file).unwrap();
    }
}
