//! Outcomes and summaries of documents in parcels.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};
use core::hash::Hasher;

use siphasher::sip::SipHasher13;

use super::{DocumentSummary, Event, InputOrigin, Options, Outcome, summary::LinkedNames};
use crate::{
    diagnostic::{Code, Severity},
    parcel::{Damaged, ParcelError, ParcelReader, ParcelWriter, Parcelled},
    report::{Checked, Excerpt},
    value::{Datetime, Parsed, Value},
};

/// Counted and kept, by code and severity.
type Counts = BTreeMap<(Code, Severity), (u64, u64)>;

impl Options {
    /// What the parcels of a run have in common: its options and its seed, which is not disclosed.
    pub(crate) fn run_in_parcels(&self) -> u64 {
        let mut hasher = SipHasher13::new_with_keys(self.seed, !self.seed);
        hasher.write(self.profile.as_str().as_bytes());
        hasher.write(serde_json::to_string(&self.for_report()).unwrap_or_default().as_bytes());
        hasher.finish()
    }
}

impl Outcome {
    /// Writes it as a parcel, from which another process with the same options and seed reads it. A document that was kept is not in it.
    pub fn to_parcel(&self, options: &Options) -> Vec<u8> {
        let mut parcel = ParcelWriter::new(options.run_in_parcels());
        parcel.number(0);
        self.put(&mut parcel);
        parcel.finish()
    }

    /// Reads it from a parcel.
    ///
    /// # Errors
    ///
    /// If the parcel is damaged, or was written by another version or with other options or another seed.
    pub fn from_parcel(parcel: &[u8], options: &Options) -> Result<Outcome, ParcelError> {
        let mut parcel = ParcelReader::open(parcel, options.run_in_parcels())?;
        if parcel.number()? != 0 {
            return Err(ParcelError::Damaged);
        }
        let outcome = Outcome::take(&mut parcel)?;
        parcel.finish()?;
        Ok(outcome)
    }

    fn put_alone(&self, parcel: &mut ParcelWriter) {
        let Outcome { origin, kind, entries, bytes, incomplete, foreign, checked, inside: _, summary, times } = self;
        let InputOrigin { name, uri, via } = origin;
        name.put(parcel);
        uri.put(parcel);
        parcel.json(via);
        kind.put(parcel);
        entries.put(parcel);
        bytes.put(parcel);
        incomplete.put(parcel);
        parcel.json(foreign);
        put_counts(&checked.groups, parcel);
        put_counts(&checked.suppressed, parcel);
        parcel.json(&checked.diagnostics);
        summary.put(parcel);
        parcel.json(times);
    }

    fn take_alone(parcel: &mut ParcelReader<'_>) -> Result<Outcome, Damaged> {
        let (name, uri) = Parcelled::take(parcel)?;
        let origin = InputOrigin { name, uri, via: parcel.json()? };
        let kind = Parcelled::take(parcel)?;
        let (entries, bytes) = Parcelled::take(parcel)?;
        let incomplete = Parcelled::take(parcel)?;
        let foreign = parcel.json()?;
        let checked =
            Checked { groups: take_counts(parcel)?, suppressed: take_counts(parcel)?, diagnostics: parcel.json()? };
        let summary = Parcelled::take(parcel)?;
        let times = parcel.json()?;
        Ok(Outcome { origin, kind, entries, bytes, incomplete, foreign, checked, inside: Vec::new(), summary, times })
    }
}

/// The documents inside, such as the manifest of a package, have none inside.
impl Parcelled for Outcome {
    fn put(&self, parcel: &mut ParcelWriter) {
        self.put_alone(parcel);
        parcel.number(self.inside.len() as u64);
        self.inside.iter().for_each(|inside| inside.put_alone(parcel));
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Outcome, Damaged> {
        let mut outcome = Outcome::take_alone(parcel)?;
        for _ in 0..parcel.number()? {
            outcome.inside.push(Outcome::take_alone(parcel)?);
        }
        Ok(outcome)
    }
}

fn put_counts(counts: &Counts, parcel: &mut ParcelWriter) {
    parcel.number(counts.len() as u64);
    for ((code, severity), count) in counts {
        parcel.text(code.id());
        parcel.text(severity.as_str());
        count.put(parcel);
    }
}

fn take_counts(parcel: &mut ParcelReader<'_>) -> Result<Counts, Damaged> {
    let mut counts = BTreeMap::new();
    for _ in 0..parcel.number()? {
        let code = Code::find(parcel.text()?).ok_or(Damaged)?;
        let severity = Severity::find(parcel.text()?).ok_or(Damaged)?;
        counts.insert((code, severity), Parcelled::take(parcel)?);
    }
    Ok(counts)
}

impl Parcelled for Box<DocumentSummary> {
    fn put(&self, parcel: &mut ParcelWriter) {
        DocumentSummary::put(self, parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Box<DocumentSummary>, Damaged> {
        Ok(Box::new(Parcelled::take(parcel)?))
    }
}

impl Parcelled for DocumentSummary {
    fn put(&self, parcel: &mut ParcelWriter) {
        // Destructured so that a new field cannot be forgotten.
        let DocumentSummary {
            kind,
            root,
            head,
            links,
            members,
            forgotten,
            locs,
            events,
            metadata_links,
            generic,
            sample,
            entries,
            declared_bytes,
            newest,
            canonical,
            linked_files,
            complete,
            excerpts,
            document: _,
        } = self;
        kind.put(parcel);
        root.put(parcel);
        head.put(parcel);
        links.put(parcel);
        members.put(parcel);
        forgotten.put(parcel);
        parcel.words(locs.iter().copied());
        parcel.words(events.iter().map(|event| event.bits()));
        parcel.words_of_entries(metadata_links);
        parcel.words_of_entries(generic);
        sample.put(parcel);
        entries.put(parcel);
        declared_bytes.put(parcel);
        newest.as_ref().map(ToString::to_string).put(parcel);
        canonical.put(parcel);
        parcel.words(linked_files.documents.iter().copied());
        parcel.words(linked_files.topics.iter().copied());
        complete.put(parcel);
        excerpts.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<DocumentSummary, Damaged> {
        Ok(DocumentSummary {
            kind: Parcelled::take(parcel)?,
            root: Parcelled::take(parcel)?,
            head: Parcelled::take(parcel)?,
            links: Parcelled::take(parcel)?,
            members: Parcelled::take(parcel)?,
            forgotten: Parcelled::take(parcel)?,
            locs: parcel.words()?.collect(),
            events: parcel.words()?.map(Event::from_bits).collect(),
            metadata_links: parcel.words_of_entries()?,
            generic: parcel.words_of_entries()?,
            sample: Parcelled::take(parcel)?,
            entries: Parcelled::take(parcel)?,
            declared_bytes: Parcelled::take(parcel)?,
            newest: <Option<String> as Parcelled>::take(parcel)?.map(|text| moment(&text)).transpose()?,
            canonical: Parcelled::take(parcel)?,
            linked_files: LinkedNames { documents: parcel.words()?.collect(), topics: parcel.words()?.collect() },
            complete: Parcelled::take(parcel)?,
            excerpts: Parcelled::take(parcel)?,
            document: None,
        })
    }
}

fn moment(text: &str) -> Result<Datetime, Damaged> {
    match Datetime::read(text) {
        Parsed::Exact(moment) | Parsed::Lenient(moment) => Ok(moment),
        Parsed::Malformed => Err(Damaged),
    }
}

impl Parcelled for Excerpt {
    fn put(&self, parcel: &mut ParcelWriter) {
        let Excerpt { text, line, column, highlight, cut_left, cut_right } = self;
        text.put(parcel);
        line.put(parcel);
        column.put(parcel);
        highlight.put(parcel);
        cut_left.put(parcel);
        cut_right.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Excerpt, Damaged> {
        let text = Parcelled::take(parcel)?;
        let (line, column) = Parcelled::take(parcel)?;
        let highlight = Parcelled::take(parcel)?;
        let (cut_left, cut_right) = Parcelled::take(parcel)?;
        Ok(Excerpt { text, line, column, highlight, cut_left, cut_right })
    }
}
