//! Decodes content codings (Content-Encoding), up to a ratio.

use resourcesync::{
    api::{Gunzip, GunzipError},
    diagnostic::{Reason, ReasonCode},
};

use super::error::{Error, ErrorKind};

/// The content coding of a body.
#[derive(Debug)]
pub(super) enum Coding {
    Identity,
    Gzip(Box<Gunzip>),
}

impl Coding {
    /// Creates a decoder from the values of Content-Encoding; `ratio` is the maximum of decoded bytes per
    /// encoded byte.
    pub(super) fn of<'a>(encodings: impl Iterator<Item = &'a str>, ratio: u32) -> Result<Coding, Error> {
        let codings = encodings.flat_map(|value| value.split(',')).map(|coding| coding.trim().to_ascii_lowercase());
        let codings: Vec<String> = codings.filter(|coding| !coding.is_empty() && coding != "identity").collect();
        match codings.as_slice() {
            [] => Ok(Coding::Identity),
            [one] if one == "gzip" || one == "x-gzip" => Ok(Coding::Gzip(Box::new(Gunzip::new(ratio)))),
            more => Err(Error::new(
                ErrorKind::ContentEncoding,
                Reason::new(ReasonCode::ContentEncoding).arg("coding", more.join(", ")),
            )),
        }
    }

    /// Decodes bytes and passes them to `give`.
    pub(super) fn push(&mut self, bytes: &[u8], give: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        match self {
            Coding::Identity => {
                give(bytes);
                Ok(())
            }
            Coding::Gzip(gunzip) => gunzip.push(bytes, give).map_err(damaged),
        }
    }

    /// Ends the input.
    pub(super) fn finish(&mut self, give: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        match self {
            Coding::Identity => Ok(()),
            Coding::Gzip(gunzip) => gunzip.finish(give).map_err(damaged),
        }
    }
}

fn damaged(problem: GunzipError) -> Error {
    match problem {
        GunzipError::Ratio => {
            Error::new(ErrorKind::Limit, Reason::new(ReasonCode::BodyRatio).arg("limit", "inflate_ratio"))
        }
        other => {
            Error::new(ErrorKind::ContentEncoding, Reason::new(ReasonCode::InvalidGzip).arg("problem", other.as_str()))
        }
    }
}
