//! A case file: lines of `key: value`, a line `---`, and the bytes of the input.

use std::{fs, path::Path};

/// The end of the lines and the start of the input.
const END: &[u8] = b"\n---\n";

/// The parts of a case file.
#[derive(Debug, Clone)]
pub(crate) struct CaseFile {
    /// The lines, in order.
    pub(crate) fields: Vec<(String, String)>,
    /// What follows them.
    pub(crate) body: Vec<u8>,
}

impl CaseFile {
    /// The file at `path`.
    pub(crate) fn load(path: &Path) -> CaseFile {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        CaseFile::parse(&bytes).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()))
    }

    fn parse(bytes: &[u8]) -> Result<CaseFile, String> {
        let end = bytes.windows(END.len()).position(|window| window == END).ok_or("the line `---` is missing")?;
        let text = std::str::from_utf8(&bytes[..end]).map_err(|error| error.to_string())?;
        let field = |line: &str| {
            let (key, value) = line.split_once(": ").ok_or_else(|| format!("`{line}` is no `key: value`"))?;
            Ok((String::from(key), String::from(value)))
        };
        let fields = text.split('\n').map(field).collect::<Result<_, String>>()?;
        Ok(CaseFile { fields, body: bytes[end + END.len()..].to_vec() })
    }

    /// The file as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            self.fields.iter().flat_map(|(key, value)| format!("{key}: {value}\n").into_bytes()).collect();
        bytes.extend_from_slice(&END[1..]);
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// The value of a key that occurs at most once.
    pub(crate) fn get(&self, key: &'static str) -> Option<&str> {
        let mut values = self.all(key);
        let value = values.next();
        assert!(values.next().is_none(), "`{key}` is there twice");
        value
    }

    /// The values of a key that may occur more than once.
    pub(crate) fn all(&self, key: &'static str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |(own, _)| own == key).map(|(_, value)| value.as_str())
    }

    /// Fails on a key that has no meaning.
    pub(crate) fn allow(&self, keys: &[&str]) {
        for (key, _) in &self.fields {
            assert!(keys.contains(&key.as_str()), "no case has a `{key}`");
        }
    }
}
