//! The bodies of responses, from short descriptions.

use serde::Deserialize;

/// The description of a body.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Body {
    /// `Identify`: elements that differ from the defaults; an empty one is omitted.
    pub identify: Option<std::collections::BTreeMap<String, String>>,
    /// `ListMetadataFormats`: prefixes.
    pub formats: Option<Vec<String>>,
    /// `ListSets`: specs.
    pub sets: Option<Vec<String>>,
    /// `ListRecords`: `ID [DATESTAMP] [SET…] [deleted]`, or an element as it is.
    pub records: Option<Vec<String>>,
    /// `ListIdentifiers`, likewise.
    pub identifiers: Option<Vec<String>>,
    /// `GetRecord`, likewise.
    pub record: Option<String>,
    /// OAI-PMH errors: `CODE [TEXT]`.
    pub errors: Option<Vec<String>>,
    /// The whole body, unchanged.
    pub text: Option<String>,
    /// The whole body, in hexadecimal.
    pub hex: Option<String>,
    /// The `resumptionToken`; empty at the end of a list.
    pub token: Option<String>,
    /// Its attributes, as XML.
    pub token_attributes: String,
    /// `responseDate`; `2026-01-01T00:00:00Z` by default.
    pub response_date: Option<String>,
    /// The metadata of records without their own.
    pub metadata: Option<String>,
    /// Replacements in the finished body; each must match.
    pub edit: Vec<(String, String)>,
    /// The body ends before the last occurrence of this.
    pub cut: Option<String>,
    /// `windows-1252`, `utf-16`, or bytes of the former in a page that says UTF-8 (`mixed`: for the character U+00E9).
    pub encoding: Option<String>,
    /// The body is compressed, and no header says so.
    pub gzip: bool,
}

const OAI: &str = "http://www.openarchives.org/OAI/2.0/";
const DC: &str = "<oai_dc:dc xmlns:oai_dc=\"http://www.openarchives.org/OAI/2.0/oai_dc/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>{id}</dc:title></oai_dc:dc>";

impl Body {
    /// The bytes.
    pub fn bytes(&self) -> Vec<u8> {
        if let Some(hex) = &self.hex {
            let digits: Vec<u8> =
                hex.bytes().map(|digit| (digit as char).to_digit(16).expect("a digit") as u8).collect();
            return digits.chunks(2).map(|pair| pair.iter().fold(0, |sum, digit| sum * 16 + digit)).collect();
        }
        let mut text = self.text();
        for (from, to) in &self.edit {
            assert!(text.contains(from.as_str()), "`{from}` is not in {text}");
            text = text.replace(from.as_str(), to);
        }
        if let Some(cut) = &self.cut {
            let at = text.rfind(cut.as_str());
            text.truncate(at.unwrap_or_else(|| panic!("`{cut}` is not in {text}")));
        }
        let bytes = match self.encoding.as_deref() {
            None => text.into_bytes(),
            Some("windows-1252") => {
                text.replace("UTF-8", "windows-1252").chars().map(|character| character as u8).collect()
            }
            Some("utf-16") => {
                let units = format!("\u{feff}{}", text.replace("UTF-8", "UTF-16"));
                units.encode_utf16().flat_map(u16::to_le_bytes).collect()
            }
            Some("mixed") => text
                .chars()
                .flat_map(|character| match character {
                    'é' => vec![0xE9],
                    other => other.to_string().into_bytes(),
                })
                .collect(),
            Some(other) => panic!("no encoding is called {other}"),
        };
        if self.gzip { gzip(&bytes) } else { bytes }
    }

    fn text(&self) -> String {
        if let Some(text) = &self.text {
            return text.clone();
        }
        let items = |name: &str, items: &[String], item: &dyn Fn(&str) -> String| {
            let items: String = items.iter().map(|own| item(own)).collect();
            format!("<{name}>{items}{}</{name}>", self.token_element())
        };
        let (verb, answer) = if let Some(identify) = &self.identify {
            ("Identify", format!("<Identify>{}</Identify>", elements(identify)))
        } else if let Some(formats) = &self.formats {
            let format = |prefix: &str| {
                format!(
                    "<metadataFormat><metadataPrefix>{prefix}</metadataPrefix><schema>http://a.example/{prefix}.xsd</schema><metadataNamespace>http://a.example/{prefix}/</metadataNamespace></metadataFormat>"
                )
            };
            ("ListMetadataFormats", items("ListMetadataFormats", formats, &format))
        } else if let Some(sets) = &self.sets {
            let set = |spec: &str| format!("<set><setSpec>{spec}</setSpec><setName>Set {spec}</setName></set>");
            ("ListSets", items("ListSets", sets, &set))
        } else if let Some(records) = &self.records {
            ("ListRecords", items("ListRecords", records, &|words| self.record(words)))
        } else if let Some(headers) = &self.identifiers {
            ("ListIdentifiers", items("ListIdentifiers", headers, &header))
        } else if let Some(record) = &self.record {
            ("GetRecord", format!("<GetRecord>{}</GetRecord>", self.record(record)))
        } else {
            let errors = self.errors.iter().flatten().map(|error| {
                let (code, text) = error.split_once(' ').unwrap_or((error, ""));
                format!("<error code=\"{code}\">{text}</error>")
            });
            ("", errors.collect())
        };
        let date = self.response_date.as_deref().unwrap_or("2026-01-01T00:00:00Z");
        let verb = if verb.is_empty() { String::new() } else { format!(" verb=\"{verb}\"") };
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OAI-PMH xmlns=\"{OAI}\"><responseDate>{date}</responseDate><request{verb}>http://a.example/oai</request>{answer}</OAI-PMH>\n"
        )
    }

    fn record(&self, words: &str) -> String {
        if words.starts_with('<') {
            return words.to_owned();
        }
        let id = words.split(' ').next().unwrap_or_default();
        let metadata = match (words.ends_with(" deleted"), &self.metadata) {
            (true, _) => String::new(),
            (false, own) => {
                format!("<metadata>{}</metadata>", own.as_deref().unwrap_or(DC).replace("{id}", id))
            }
        };
        format!("<record>{}{metadata}</record>\n", header(words))
    }

    fn token_element(&self) -> String {
        let space = if self.token_attributes.is_empty() { "" } else { " " };
        let escaped = |token: &String| token.replace('&', "&amp;").replace('<', "&lt;");
        self.token.as_ref().map_or(String::new(), |token| {
            format!("<resumptionToken{space}{}>{}</resumptionToken>", self.token_attributes, escaped(token))
        })
    }
}

/// `ID [DATESTAMP] [SET…] [deleted]` as a header.
pub(super) fn header(words: &str) -> String {
    if words.starts_with('<') {
        return words.to_owned();
    }
    let mut words: Vec<&str> = words.split(' ').collect();
    let status = if words.last() == Some(&"deleted") { " status=\"deleted\"" } else { "" };
    words.retain(|word| *word != "deleted");
    let (date, sets) = match words.get(1) {
        Some(date) if date.starts_with(|first: char| first.is_ascii_digit()) => (*date, words.get(2..)),
        _ => ("2025-06-01", words.get(1..)),
    };
    let sets: String = sets.unwrap_or_default().iter().map(|set| format!("<setSpec>{set}</setSpec>")).collect();
    format!(
        "<header{status}><identifier>{}</identifier><datestamp>{date}</datestamp>{sets}</header>",
        words.first().unwrap_or(&"")
    )
}

fn elements(differences: &std::collections::BTreeMap<String, String>) -> String {
    let usual = [
        ("repositoryName", "Example"),
        ("baseURL", "http://a.example/oai"),
        ("protocolVersion", "2.0"),
        ("adminEmail", "admin@a.example"),
        ("earliestDatestamp", "2020-01-01"),
        ("deletedRecord", "persistent"),
        ("granularity", "YYYY-MM-DD"),
        ("compression", ""),
    ];
    let own = |name: &str, value: &str| differences.get(name).cloned().unwrap_or_else(|| value.to_owned());
    let all = usual.iter().map(|(name, value)| (name, own(name, value)));
    all.filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!("<{name}>{value}</{name}>")).collect()
}

/// Stored blocks, which readers must support, without a compressor.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let blocks: Vec<&[u8]> = bytes.chunks(0xFFFF).collect();
    for (at, block) in blocks.iter().enumerate() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        packed.push(u8::from(at + 1 == blocks.len()));
        packed.extend(length.to_le_bytes());
        packed.extend((!length).to_le_bytes());
        packed.extend(*block);
    }
    packed.extend(crc32fast::hash(bytes).to_le_bytes());
    packed.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    packed
}
