//! Replays a recording.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::Path,
};

use resourcesync::diagnostic::Reason;

use super::{
    super::{
        body::Raw,
        error::{Error, ErrorKind},
        transport::{Answer, Empty},
    },
    Key,
    exchanges::{Exchange, Exchanges},
    har,
    key::End,
    lines,
};
use crate::system::reason;

/// A recording that can be replayed.
#[derive(Debug)]
pub(in crate::http) struct Player {
    exchanges: Exchanges,
    /// True if the file ends too early.
    pub(super) is_cut: bool,
}

impl Player {
    /// True if the file begins like a recording of this program.
    pub(super) fn is_own(path: &Path) -> bool {
        let mut start = Vec::new();
        let read = File::open(path).and_then(|file| file.take(har::OWN.len() as u64).read_to_end(&mut start));
        read.is_ok() && (start == har::OWN.as_bytes() || start.starts_with(lines::START))
    }

    /// Reads a file in either format.
    pub(super) fn open(path: &Path) -> Result<Player, String> {
        let refused = |error: &std::io::Error| reason(error).to_string();
        let mut file = BufReader::new(File::open(path).map_err(|error| refused(&error))?);
        let mut exchanges = Exchanges::new().map_err(|error| refused(&error))?;
        let is_lines = file.fill_buf().map_err(|error| refused(&error))?.starts_with(lines::START);
        let is_cut = if is_lines { lines::read(file, &mut exchanges) } else { har::read(file, &mut exchanges) }?;
        exchanges.bodies.flush().map_err(|error| refused(&error))?;
        Ok(Player { exchanges, is_cut })
    }

    /// Drops errors and unsuccessful responses, so that they are requested again.
    pub(super) fn only_good(mut self) -> Player {
        let is_good =
            |own: &Exchange| own.error.is_none() && own.status.is_some_and(|status| status < 500 && status != 429);
        self.exchanges.ended.retain(|_, own| is_good(own));
        self
    }

    /// All exchanges, with the length of the body if there is more after it.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Key, Result<Answer, Error>, Option<u64>)> {
        self.exchanges.ended.iter().map(|(key, own)| {
            let length = own.body.iter().map(|part| part.end.saturating_sub(part.start)).sum();
            (key, self.answer(own), (own.end == End::Enough).then_some(length))
        })
    }

    /// The recorded response to a request.
    pub(in crate::http) fn play(&self, key: &Key) -> Option<Result<Answer, Error>> {
        self.exchanges.ended.get(key).map(|own| self.answer(own))
    }

    /// The recorded successful response to a request.
    pub(in crate::http) fn again(&self, key: &Key) -> Option<Result<Answer, Error>> {
        self.good(key).map(|own| self.answer(own))
    }

    /// The header field for a conditional request.
    pub(in crate::http) fn validator(&self, key: &Key) -> Option<(String, String)> {
        let headers = &self.good(key)?.headers;
        let etag = headers.first("etag").map(|etag| ("if-none-match".to_owned(), etag.to_owned()));
        etag.or_else(|| Some(("if-modified-since".to_owned(), headers.first("last-modified")?.to_owned())))
    }

    fn good(&self, key: &Key) -> Option<&Exchange> {
        let own = self.exchanges.ended.get(key).filter(|_| key.is_whole())?;
        (own.status == Some(200) && own.end == End::Whole).then_some(own)
    }

    fn answer(&self, own: &Exchange) -> Result<Answer, Error> {
        let error = own.error.clone();
        let Some(status) = own.status else { return Err(error.unwrap_or_else(damaged)) };
        let raw: Box<dyn Raw> = if own.body.is_empty() && error.is_none() {
            Box::new(Empty)
        } else {
            let file = self.exchanges.bodies.reopen();
            let file = file.map_err(|error| Error::new(ErrorKind::Recording, reason(&error)))?;
            Box::new(Played { file, parts: own.body.clone().into_iter(), part: 0..0, error })
        };
        Ok(Answer { status, headers: own.headers.clone(), raw })
    }
}

fn damaged() -> Error {
    Error::new(ErrorKind::Recording, Reason::other("the recording is corrupted"))
}

/// A body from a recording.
struct Played {
    file: File,
    parts: std::vec::IntoIter<Range<u64>>,
    /// What is left of the current part.
    part: Range<u64>,
    /// The error after the last part, if there is one.
    error: Option<Error>,
}

impl Raw for Played {
    fn next(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        while self.part.is_empty() {
            let Some(part) = self.parts.next() else { return self.error.clone().map_or(Ok(0), Err) };
            self.part = part;
            self.file.seek(SeekFrom::Start(self.part.start)).map_err(|_| damaged())?;
        }
        let left = usize::try_from(self.part.end.saturating_sub(self.part.start)).unwrap_or(usize::MAX);
        let length = left.min(buffer.len());
        let wanted = buffer.get_mut(..length).unwrap_or_default();
        self.file.read_exact(wanted).map_err(|_| damaged())?;
        self.part.start = self.part.start.saturating_add(length as u64);
        Ok(length)
    }
}
