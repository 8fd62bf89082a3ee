//! The outcomes of fetches in parcels.

use alloc::{sync::Arc, vec::Vec};

use super::{FetchOutcome, Readers, response_reader::Ending};
use crate::{
    parcel::{Damaged, ParcelError, ParcelReader, ParcelWriter, Parcelled},
    rules::KnownPackage,
    source::{Content, FetchedResource, discovery::Announcement},
    value::Algorithm,
};

impl Readers {
    /// Writes an outcome as a parcel, for the process that runs the crawler: about 16 bytes for each entry of
    /// a list, and 9 for each of its links to metadata.
    pub fn to_parcel(&self, outcome: &FetchOutcome) -> Vec<u8> {
        let FetchOutcome { id, ending, led } = outcome;
        let mut parcel = ParcelWriter::new(self.run());
        id.put(&mut parcel);
        led.put(&mut parcel);
        match ending {
            Ending::Error(error) => {
                parcel.number(0);
                parcel.json(error);
            }
            Ending::Interrupted(outcome) => {
                parcel.number(1);
                outcome.put(&mut parcel);
            }
            Ending::Fetched(response, content, outcome) => {
                parcel.number(2);
                parcel.json(response);
                content.put(&mut parcel);
                outcome.put(&mut parcel);
            }
        }
        parcel.finish()
    }

    /// Reads an outcome from a parcel that readers of the same crawl wrote.
    ///
    /// # Errors
    ///
    /// If the parcel is damaged, or was written by another version or for a crawl with other options or another seed.
    pub fn from_parcel(&self, parcel: &[u8]) -> Result<FetchOutcome, ParcelError> {
        let mut parcel = ParcelReader::open(parcel, self.run())?;
        let (id, led) = Parcelled::take(&mut parcel)?;
        let ending = match parcel.number()? {
            0 => Ending::Error(parcel.json()?),
            1 => Ending::Interrupted(Parcelled::take(&mut parcel)?),
            2 => {
                let response = parcel.json()?;
                let (content, outcome) = Parcelled::take(&mut parcel)?;
                Ending::Fetched(response, content, outcome)
            }
            _ => return Err(ParcelError::Damaged),
        };
        parcel.finish()?;
        Ok(FetchOutcome { id, ending, led })
    }
}

impl Parcelled for Content {
    fn put(&self, parcel: &mut ParcelWriter) {
        match self {
            Content::Document(summary) => {
                parcel.number(0);
                summary.put(parcel);
            }
            Content::Page(found) => {
                parcel.number(1);
                found.put(parcel);
            }
            Content::Robots(sitemaps) => {
                parcel.number(2);
                sitemaps.put(parcel);
            }
            Content::Topic(summary, length) => {
                parcel.number(3);
                summary.put(parcel);
                length.put(parcel);
            }
            Content::Package(package, summary) => {
                parcel.number(4);
                KnownPackage::put(package, parcel);
                summary.put(parcel);
            }
            Content::Resource(FetchedResource { length, digests }) => {
                parcel.number(5);
                length.put(parcel);
                digests.put(parcel);
            }
            Content::Foreign(kind) => {
                parcel.number(6);
                kind.put(parcel);
            }
        }
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Content, Damaged> {
        Ok(match parcel.number()? {
            0 => Content::Document(Parcelled::take(parcel)?),
            1 => Content::Page(Parcelled::take(parcel)?),
            2 => Content::Robots(Parcelled::take(parcel)?),
            3 => Content::Topic(Parcelled::take(parcel)?, Parcelled::take(parcel)?),
            4 => Content::Package(Arc::new(Parcelled::take(parcel)?), Parcelled::take(parcel)?),
            5 => {
                let (length, digests) = Parcelled::take(parcel)?;
                Content::Resource(FetchedResource { length, digests })
            }
            6 => Content::Foreign(Parcelled::take(parcel)?),
            _ => return Err(Damaged),
        })
    }
}

impl Parcelled for Announcement {
    fn put(&self, parcel: &mut ParcelWriter) {
        let Announcement { href, problem, span } = self;
        href.put(parcel);
        let problem = Announcement::PROBLEMS.iter().position(|own| Some(*own) == *problem);
        problem.map(|at| at as u64).put(parcel);
        span.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<Announcement, Damaged> {
        let (href, problem): (_, Option<u64>) = Parcelled::take(parcel)?;
        let own = |at: u64| Announcement::PROBLEMS.get(usize::try_from(at).ok()?).copied();
        let problem = problem.map(|at| own(at).ok_or(Damaged)).transpose()?;
        Ok(Announcement { href, problem, span: Parcelled::take(parcel)? })
    }
}

impl Parcelled for KnownPackage {
    fn put(&self, parcel: &mut ParcelWriter) {
        let KnownPackage { name, manifest, head, length, is_zip, digests, canonical } = self;
        name.put(parcel);
        manifest.put(parcel);
        head.put(parcel);
        length.put(parcel);
        is_zip.put(parcel);
        digests.put(parcel);
        canonical.put(parcel);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<KnownPackage, Damaged> {
        let (name, manifest) = Parcelled::take(parcel)?;
        let head = Parcelled::take(parcel)?;
        let (length, is_zip) = Parcelled::take(parcel)?;
        let (digests, canonical) = Parcelled::take(parcel)?;
        Ok(KnownPackage { name, manifest, head, length, is_zip, digests, canonical })
    }
}

impl Parcelled for (Algorithm, Vec<u8>) {
    fn put(&self, parcel: &mut ParcelWriter) {
        parcel.text(self.0.as_str());
        parcel.bytes(&self.1);
    }

    fn take(parcel: &mut ParcelReader<'_>) -> Result<(Algorithm, Vec<u8>), Damaged> {
        let name = parcel.text()?;
        let known = Algorithm::KNOWN.into_iter().find(|known| known.as_str() == name);
        Ok((known.ok_or(Damaged)?, parcel.bytes()?.to_vec()))
    }
}
