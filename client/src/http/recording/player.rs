//! Replays a recording.

use std::{
    collections::HashMap,
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::STANDARD};

use resourcesync::diagnostic::Reason;

use super::{
    super::{
        body::Raw,
        error::{Error, ErrorKind},
        transport::{Answer, Empty, Headers},
    },
    Key,
    line::{End, FORMAT, Form, LINE, Line, VERSION},
};
use crate::system::reason;

/// One exchange.
#[derive(Debug, Clone)]
struct Exchange {
    key: Key,
    status: Option<u16>,
    headers: Headers,
    /// Offset of the lines with its body.
    windows: Vec<u64>,
    end: Option<End>,
    error: Option<Error>,
}

/// A recording that can be replayed.
#[derive(Debug)]
pub(in crate::http) struct Player {
    path: PathBuf,
    /// INVARIANT: every exchange is complete.
    exchanges: HashMap<Key, Exchange>,
    /// The end of the last complete line.
    pub(super) length: u64,
    /// The next free number.
    pub(super) next: u64,
}

impl Player {
    /// True if the file starts like a recording.
    pub(super) fn is_recording(path: &Path) -> bool {
        begin(path).is_ok()
    }

    /// Reads the positions of all exchanges; bodies stay in the file.
    pub(super) fn open(path: &Path) -> Result<Player, String> {
        let mut lines = begin(path)?;
        let mut open: HashMap<u64, Exchange> = HashMap::new();
        let mut player = Player { path: path.to_owned(), exchanges: HashMap::new(), length: lines.at, next: 0 };
        while let Some(found) = lines.next()? {
            let wrong = |why: &str| format!("line {}: {why}", found.number);
            let line: Line = serde_json::from_slice(&found.text).map_err(|error| wrong(&error.to_string()))?;
            player.next = player.next.max(line.id.saturating_add(1));
            if let Some(key) = line.key {
                let headers = Headers::new(line.headers);
                open.insert(
                    line.id,
                    Exchange { key, status: line.status, headers, windows: Vec::new(), end: None, error: None },
                );
            }
            let own = open.get_mut(&line.id).ok_or_else(|| wrong("its exchange did not begin, or has ended"))?;
            if line.body.is_some() {
                own.windows.push(found.at);
            }
            if let Some(failure) = &line.error {
                own.error = Some(failure.error().ok_or_else(|| wrong("no such kind of error"))?);
            }
            if line.end.is_some() {
                own.end = line.end;
                if let Some(own) = open.remove(&line.id) {
                    player.exchanges.insert(own.key.clone(), own);
                }
            }
            player.length = lines.at;
        }
        Ok(player)
    }

    /// Drops errors and unsuccessful responses, so that they are requested again.
    pub(super) fn only_good(mut self) -> Player {
        let is_good =
            |own: &Exchange| own.error.is_none() && own.status.is_some_and(|status| status < 500 && status != 429);
        self.exchanges.retain(|_, own| is_good(own));
        self
    }

    /// The recorded response to a request.
    pub(in crate::http) fn play(&self, key: &Key) -> Option<Result<Answer, Error>> {
        self.exchanges.get(key).map(|own| self.answer(own))
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
        let own = self.exchanges.get(key).filter(|_| key.is_whole())?;
        (own.status == Some(200) && own.end == Some(End::Whole)).then_some(own)
    }

    fn answer(&self, own: &Exchange) -> Result<Answer, Error> {
        let error = own.error.clone();
        let Some(status) = own.status else { return Err(error.unwrap_or_else(damaged)) };
        let raw: Box<dyn Raw> = if own.windows.is_empty() && error.is_none() {
            Box::new(Empty)
        } else {
            let file = File::open(&self.path).map_err(|error| Error::new(ErrorKind::Recording, reason(&error)))?;
            let windows = own.windows.clone().into_iter();
            Box::new(Played { file: BufReader::new(file), windows, held: Vec::new(), given: 0, error })
        };
        Ok(Answer { status, headers: own.headers.clone(), raw })
    }
}

/// The lines after the first one.
fn begin(path: &Path) -> Result<Lines, String> {
    let file = File::open(path).map_err(|error| reason(&error).to_string())?;
    let mut lines = Lines { file: BufReader::new(file), at: 0, number: 0 };
    let first = lines.next()?.ok_or("it is empty, or not a recording")?;
    let form: Form = serde_json::from_slice(&first.text).map_err(|_| "it is not a recording")?;
    if form.format != FORMAT || form.format_version != VERSION {
        return Err(format!("it is not a recording of version {VERSION}"));
    }
    Ok(lines)
}

fn damaged() -> Error {
    Error::new(ErrorKind::Recording, Reason::other("the recording is corrupted, or changed while being read"))
}

/// A body from a recording.
struct Played {
    file: BufReader<File>,
    windows: std::vec::IntoIter<u64>,
    /// The current window, and the number of bytes read from it.
    held: Vec<u8>,
    given: usize,
    /// The error after the last window, if there is one.
    error: Option<Error>,
}

impl Raw for Played {
    fn next(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        while self.given >= self.held.len() {
            let Some(at) = self.windows.next() else { return self.error.clone().map_or(Ok(0), Err) };
            self.file.seek(SeekFrom::Start(at)).map_err(|_| damaged())?;
            let mut text = Vec::new();
            self.file.by_ref().take(LINE).read_until(b'\n', &mut text).map_err(|_| damaged())?;
            let line: Line = serde_json::from_slice(&text).map_err(|_| damaged())?;
            self.held = STANDARD.decode(line.body.ok_or_else(damaged)?).map_err(|_| damaged())?;
            self.given = 0;
        }
        let left = self.held.get(self.given..).unwrap_or(&[]);
        let length = left.len().min(buffer.len());
        for (place, byte) in buffer.iter_mut().zip(left) {
            *place = *byte;
        }
        self.given = self.given.saturating_add(length);
        Ok(length)
    }
}

/// The complete lines of a file.
struct Lines {
    file: BufReader<File>,
    /// The position of the next one.
    at: u64,
    number: u64,
}

/// One line.
struct Found {
    text: Vec<u8>,
    at: u64,
    number: u64,
}

impl Lines {
    /// The next line; an incomplete line counts as the end.
    fn next(&mut self) -> Result<Option<Found>, String> {
        let mut text = Vec::new();
        self.file.by_ref().take(LINE).read_until(b'\n', &mut text).map_err(|error| reason(&error).to_string())?;
        self.number = self.number.saturating_add(1);
        if text.last() != Some(&b'\n') {
            return if text.len() as u64 >= LINE {
                Err(format!("line {}: it is too long", self.number))
            } else {
                Ok(None)
            };
        }
        let at = self.at;
        self.at = at.saturating_add(text.len() as u64);
        Ok(Some(Found { text, at, number: self.number }))
    }
}
