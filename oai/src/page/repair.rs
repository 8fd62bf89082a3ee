//! Repairs a damaged record within the limits set by the user.

use alloc::{
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};

use encoding_rs::WINDOWS_1252;
use memchr::memmem;
use resourcesync::{
    span::Place,
    xml::{Detail, FaultArg, FaultKind},
};
use serde::{Deserialize, Serialize};

use super::{Change, Damage, Damaged, Origin, PageReader, Piece, Repaired};

/// The permitted repairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Repair {
    /// None: damaged records are stored unchanged.
    None,
    /// Characters not allowed in XML, and bytes that are not UTF-8.
    Characters,
    /// In addition, an XML declaration inside a record, and well-known prefixes without declaration.
    All,
}

impl Repair {
    /// Names and values.
    pub const ALL: [(&'static str, Repair); 3] =
        [("none", Repair::None), ("characters", Repair::Characters), ("all", Repair::All)];
}

/// The maximum number of repairs of one record; each removes one fault.
const MOST: usize = 200;

/// Prefixes with a well-known namespace.
pub(crate) const KNOWN_PREFIXES: [(&str, &str); 20] = [
    ("dc", "http://purl.org/dc/elements/1.1/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("dcmitype", "http://purl.org/dc/dcmitype/"),
    ("dcndl", "http://ndl.go.jp/dcndl/terms/"),
    ("datacite", "https://schema.datacite.org/meta/kernel-4/"),
    ("etdms", "http://www.ndltd.org/standards/metadata/etdms/1.0/"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("jpcoar", "https://github.com/JPCOAR/schema/blob/master/2.0/"),
    ("marc", "http://www.loc.gov/MARC21/slim"),
    ("mets", "http://www.loc.gov/METS/"),
    ("mods", "http://www.loc.gov/mods/v3"),
    ("oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc/"),
    ("oaire", "http://namespace.openaire.eu/schema/oaire/"),
    ("premis", "http://www.loc.gov/premis/v3"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("rioxxterms", "http://www.rioxx.net/schema/v2.0/rioxxterms/"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("xlink", "http://www.w3.org/1999/xlink"),
    ("xsi", "http://www.w3.org/2001/XMLSchema-instance"),
];

impl Damaged {
    /// The repaired record, if the intended content is clear, with its changes. The raw bytes are not changed.
    pub fn repair(&self, repair: Repair) -> Option<Repaired> {
        let origin = self.origin.as_ref()?;
        if repair == Repair::None || !matches!(self.why, Damage::Fault(_)) {
            return None;
        }
        let mut text = Text::new(&self.raw);
        let mut why = self.why.clone();
        for _ in 0..MOST {
            let Damage::Fault(fault) = &why else { return None };
            let FaultKind::NotWellFormed(detail) = fault.kind else { return None };
            let at = match text.changes.is_empty() {
                true => fault.span.start.offset.saturating_sub(self.span.start.offset),
                false => fault.span.start.offset,
            };
            let at = usize::try_from(at).ok()?;
            match detail {
                Detail::InvalidUtf8 => text.decode()?,
                Detail::IllegalCharacter => text.remove_character(at)?,
                Detail::BadCharacterReference => text.remove_reference(at)?,
                Detail::LateDeclaration if repair == Repair::All => text.remove_declaration(at)?,
                Detail::UndeclaredPrefix if repair == Repair::All => {
                    let prefix = fault.args.iter().find_map(|(name, arg)| match arg {
                        FaultArg::Text(prefix) if *name == "prefix" => Some(prefix.clone()),
                        _ => None,
                    })?;
                    text.declare(&prefix, &origin.prefix)?;
                }
                _ => return None,
            }
            match read(origin, &text.bytes)? {
                Piece::Record(record) => return Some(Repaired { record, changes: text.changes }),
                Piece::Damaged(damaged) => why = damaged.why,
                _ => return None,
            }
        }
        None
    }
}

/// Reads a standalone record.
fn read(origin: &Arc<Origin>, bytes: &[u8]) -> Option<Piece> {
    let mut reader = PageReader::inside(origin, Place { offset: 0, line: 1, column: 1 });
    reader.push(bytes);
    // Reading can be resumed only if something follows.
    let colon = if origin.prefix.is_empty() { "" } else { ":" };
    reader.push(format!("</{}{colon}{}>", origin.prefix, origin.verb.as_str()).as_bytes());
    reader.finish();
    core::iter::from_fn(|| reader.next()).find(|piece| matches!(piece, Piece::Record(_) | Piece::Damaged(_)))
}

/// A record under repair.
struct Text {
    bytes: Vec<u8>,
    changes: Vec<Change>,
    /// Bytes added minus bytes removed before a position, to map changes to positions in the damaged record.
    shifts: Vec<(usize, i64)>,
}

impl Text {
    fn new(raw: &[u8]) -> Text {
        Text { bytes: raw.to_vec(), changes: Vec::new(), shifts: Vec::new() }
    }

    /// Replaces bytes.
    fn replace(&mut self, at: usize, length: usize, now: &str, was: String) -> Option<()> {
        let end = at.checked_add(length)?;
        self.bytes.get(at..end)?;
        let shift: i64 = self.shifts.iter().filter(|(place, _)| *place <= at).map(|(_, shift)| shift).sum();
        let offset = i64::try_from(at).ok()?.saturating_sub(shift);
        self.changes.push(Change { offset: u64::try_from(offset).unwrap_or(0), was, now: now.into() });
        let grown = i64::try_from(now.len()).ok()?.saturating_sub(i64::try_from(length).ok()?);
        let added = usize::try_from(grown.unsigned_abs()).ok()?;
        for (place, _) in &mut self.shifts {
            if *place > at {
                *place = if grown < 0 { place.saturating_sub(added) } else { place.saturating_add(added) };
            }
        }
        self.shifts.push((at, grown));
        self.bytes.splice(at..end, now.bytes());
        Some(())
    }

    fn remove_character(&mut self, at: usize) -> Option<()> {
        let rest = core::str::from_utf8(self.bytes.get(at..)?.get(..4.min(self.bytes.len().checked_sub(at)?))?);
        let character = match rest {
            Ok(text) => text.chars().next()?,
            Err(error) => {
                core::str::from_utf8(self.bytes.get(at..at.checked_add(error.valid_up_to())?)?).ok()?.chars().next()?
            }
        };
        self.replace(at, character.len_utf8(), "", format!("U+{:04X}", u32::from(character)))
    }

    fn remove_reference(&mut self, at: usize) -> Option<()> {
        let rest = self.bytes.get(at..)?;
        let end = rest.iter().take(20).position(|byte| *byte == b';')?;
        let was = core::str::from_utf8(rest.get(..=end)?).ok()?;
        let was = was.starts_with("&#").then(|| was.to_string())?;
        self.replace(at, was.len(), "", was)
    }

    fn remove_declaration(&mut self, at: usize) -> Option<()> {
        let rest = self.bytes.get(at..)?;
        let end = memmem::find(rest, b"?>")?.checked_add(2)?;
        let was = core::str::from_utf8(rest.get(..end)?).ok()?;
        let was = was.starts_with("<?xml").then(|| was.to_string())?;
        self.replace(at, was.len(), "", was)
    }

    /// Declares a prefix in the tag of the record.
    fn declare(&mut self, prefix: &str, own: &str) -> Option<()> {
        let (_, uri) = KNOWN_PREFIXES.iter().find(|(known, _)| *known == prefix)?;
        let colon = if own.is_empty() { "" } else { ":" };
        let tag = format!("<{own}{colon}record");
        if !self.bytes.starts_with(tag.as_bytes()) {
            return None;
        }
        self.replace(tag.len(), 0, &format!(" xmlns:{prefix}=\"{uri}\""), String::new())
    }

    /// Decodes invalid UTF-8 as windows-1252 if that is plausible everywhere, otherwise as replacement
    /// characters.
    fn decode(&mut self) -> Option<()> {
        let mut wrong: Vec<(usize, u8)> = Vec::new();
        let mut at = 0;
        while let Err(error) = core::str::from_utf8(self.bytes.get(at..)?) {
            at = at.checked_add(error.valid_up_to())?;
            let length = error.error_len().unwrap_or(self.bytes.len().saturating_sub(at)).max(1);
            for _ in 0..length {
                wrong.push((at, *self.bytes.get(at)?));
                at = at.checked_add(1)?;
            }
        }
        // Bytes that the encoding does not use indicate a different encoding.
        let is_plausible = wrong.iter().all(|(_, byte)| !matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D));
        for (at, byte) in wrong.into_iter().rev() {
            let now = match is_plausible {
                true => WINDOWS_1252.decode_without_bom_handling(&[byte]).0.into_owned(),
                false => "\u{FFFD}".into(),
            };
            self.replace(at, 1, &now, format!("{byte:02X}"))?;
        }
        self.changes.sort_by_key(|change| change.offset);
        Some(())
    }
}
