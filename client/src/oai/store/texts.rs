//! The metadata of records in a store of lines, in the order of the catalogue.

use std::{
    borrow::Cow,
    cmp::Ordering,
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    sync::Arc,
};

use flate2::bufread::MultiGzDecoder;
use resourcesync::value::to_hex;
use resourcesync_oai::page::{Markup, Name, Scope};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{super::HarvestError, catalogue::Entry};

/// Reads the metadata of records. The lines of a run are in the order of the catalogue, so each file is read once.
pub struct Texts {
    folder: PathBuf,
    files: BTreeMap<String, Lines>,
}

/// The lines of a run.
struct Lines {
    path: PathBuf,
    file: BufReader<MultiGzDecoder<BufReader<File>>>,
    line: Vec<u8>,
}

/// What is read of a line.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    identifier: Cow<'a, str>,
    #[serde(borrow, default)]
    prefix: Cow<'a, str>,
    #[serde(borrow, default)]
    metadata: Cow<'a, str>,
    #[serde(default)]
    scope: BTreeMap<String, String>,
    lang: Option<String>,
    space: Option<String>,
}

impl Texts {
    /// Of a store.
    pub fn new(folder: &Path) -> Texts {
        Texts { folder: folder.to_owned(), files: BTreeMap::new() }
    }

    /// The standalone metadata of a record, which comes after those that were read before.
    ///
    /// # Errors
    ///
    /// If they are missing, or are not those of the catalogue.
    pub fn read(&mut self, entry: &Entry) -> Result<Vec<u8>, HarvestError> {
        let Some(location) = &entry.location else { return Err(HarvestError::Changed(self.folder.clone())) };
        if !self.files.contains_key(location) {
            self.files.insert(location.clone(), Lines::open(self.folder.join(location))?);
        }
        let lines = self.files.get_mut(location).ok_or_else(|| HarvestError::Changed(self.folder.clone()))?;
        lines.find(entry)
    }
}

impl Lines {
    fn open(path: PathBuf) -> Result<Lines, HarvestError> {
        let file = File::open(&path).map_err(|error| HarvestError::read(&path, error))?;
        let file = MultiGzDecoder::new(BufReader::with_capacity(128 << 10, file));
        Ok(Lines { path, file: BufReader::with_capacity(128 << 10, file), line: Vec::new() })
    }

    fn find(&mut self, entry: &Entry) -> Result<Vec<u8>, HarvestError> {
        let malformed = |path: &Path, why: String| HarvestError::Malformed { path: path.to_owned(), why };
        let missing = format!("it has no line of {} ({})", entry.identifier, entry.prefix);
        loop {
            self.line.clear();
            let length = self.file.read_until(b'\n', &mut self.line);
            if length.map_err(|error| HarvestError::read(&self.path, error))? == 0 {
                return Err(malformed(&self.path, missing));
            }
            let line: Line<'_> =
                serde_json::from_slice(&self.line).map_err(|error| malformed(&self.path, error.to_string()))?;
            match (&*line.identifier, &*line.prefix).cmp(&entry.key()) {
                Ordering::Less => continue,
                Ordering::Greater => return Err(malformed(&self.path, missing)),
                Ordering::Equal => {}
            }
            let declared = line.scope.iter().map(|(prefix, uri)| (prefix.as_str(), uri.as_str()));
            let markup = Markup {
                raw: line.metadata.as_bytes().into(),
                scope: Arc::new(Scope::new(declared)),
                root: Name::default(),
                lang: line.lang,
                space: line.space,
            };
            let text = markup.standalone().into_owned();
            // Lines of an earlier version lack `xml:lang` and `xml:space` of elements around the metadata.
            return match entry.sha256.as_ref().is_none_or(|listed| *listed == to_hex(&Sha256::digest(&text))) {
                true => Ok(text),
                false => {
                    let why =
                        format!("{} ({}) does not have the digest of the catalogue", entry.identifier, entry.prefix);
                    Err(malformed(&self.path, why))
                }
            };
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};
    use resourcesync_oai::page::{PageReader, Piece};

    use super::*;
    use crate::oai::Line as Written;

    const PAGE: &str = "<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\" xmlns:p=\"urn:p\"><responseDate>2026-01-01T00:00:00Z</responseDate>\
        <request verb=\"ListRecords\">http://a.example/oai</request><ListRecords xml:lang=\"ja\" xml:space=\"preserve\">\
        <record><header><identifier>a</identifier><datestamp>2025-01-01</datestamp></header><metadata><p:a>1 &lt; 2</p:a></metadata></record>\
        <record><header><identifier>b</identifier><datestamp>2025-01-01</datestamp></header><metadata><b xmlns=\"urn:b\">b</b></metadata></record>\
        </ListRecords></OAI-PMH>";

    fn entry(identifier: &str, text: &[u8]) -> Entry {
        let digest = to_hex(&Sha256::digest(text));
        let json = format!(
            "{{\"identifier\":\"{identifier}\",\"prefix\":\"p\",\"sha256\":\"{digest}\",\"location\":\"records-000001.jsonl.gz\",\"run\":1}}"
        );
        serde_json::from_str(&json).unwrap()
    }

    #[test]
    fn metadata_that_were_stored_as_a_line_are_the_document_whose_digest_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let mut reader = PageReader::new(&resourcesync_oai::limits::Limits::default());
        reader.push(PAGE.as_bytes());
        reader.finish();
        let file = File::create(folder.path().join("records-000001.jsonl.gz")).unwrap();
        let (mut out, mut known) = (GzEncoder::new(file, Compression::default()), Vec::new());
        while let Some(piece) = reader.next() {
            if let Piece::Record(record) = piece {
                let text = record.metadata.as_ref().unwrap().standalone().into_owned();
                let mut line = Vec::new();
                Written::record(&record, "p", None).of_run(1).write(&mut line).unwrap();
                out.write_all(&line).unwrap();
                known.push((record.header.identifier.clone(), text));
            }
        }
        out.finish().unwrap();
        assert_eq!(known.len(), 2);
        assert_eq!(known[0].1, b"<p:a xmlns:p=\"urn:p\" xml:lang=\"ja\" xml:space=\"preserve\">1 &lt; 2</p:a>");
        let mut texts = Texts::new(folder.path());
        for (identifier, text) in &known {
            assert_eq!(texts.read(&entry(identifier, text)).unwrap(), *text);
        }
        // What is passed over, is missing, or has another digest.
        assert_eq!(Texts::new(folder.path()).read(&entry("b", &known[1].1)).unwrap(), known[1].1);
        let read = |entry: &Entry| Texts::new(folder.path()).read(entry).unwrap_err().to_string();
        assert!(read(&entry("aa", b"")).contains("no line of aa"));
        assert!(read(&entry("c", b"")).contains("no line of c"));
        assert!(read(&entry("a", b"other")).contains("digest"));
        assert!(read(&Entry { location: Some("other.gz".into()), ..entry("a", b"") }).contains("could not be read"));
    }
}
