//! Records responses as they are read.

use std::{
    fmt,
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    sync::{Arc, Mutex, PoisonError},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use resourcesync::diagnostic::Reason;
use resourcesync_notify::moment::Timestamp;

use super::{
    super::{
        body::Raw,
        error::{Error, ErrorKind},
        transport::Answer,
    },
    Key,
    har::{self, Exchanged, FINISH, Head},
    key::{End, RecordedError},
};
use crate::{cancel::Cancel, system::reason};

/// Headers that are not recorded, since they may contain credentials.
const PRIVATE: &[&str] = &[
    "authentication-info",
    "authorization",
    "proxy-authenticate",
    "proxy-authentication-info",
    "set-cookie",
    "set-cookie2",
    "www-authenticate",
];
/// Bytes of a body that are kept for one entry; the rest of a longer one is in further entries.
const PART: usize = 1 << 20;

/// A recording being written. The file is complete after each entry.
pub(in crate::http) struct Recorder {
    out: Mutex<Out>,
}

struct Out {
    file: File,
    /// Where the next entry begins, over the end of the file.
    at: u64,
    has_entries: bool,
    /// The number of the next exchange.
    next: u64,
}

impl Recorder {
    /// Starts a recording in an empty file.
    pub(super) fn new(mut file: File) -> io::Result<Recorder> {
        let start = har::start();
        file.write_all(format!("{start}{FINISH}").as_bytes())?;
        Ok(Recorder { out: Mutex::new(Out { file, at: start.len() as u64, has_entries: false, next: 0 }) })
    }

    /// Records a response; its body is recorded as it is read.
    pub(in crate::http) fn record(
        self: &Arc<Recorder>,
        key: &Key,
        outcome: Result<Answer, Error>,
        cancel: &Cancel,
    ) -> Result<Answer, Error> {
        if matches!(&outcome, Err(error) if error.kind == ErrorKind::Interrupted) {
            return outcome;
        }
        let id = {
            let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            let id = out.next;
            out.next = id.saturating_add(1);
            id
        };
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let received = Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
        let mut exchanged = Exchanged { id, key: key.clone(), end: None, error: None };
        let mut head = Head { status: None, headers: Vec::new(), received, taken: 0 };
        let answer = match outcome {
            Ok(answer) => answer,
            Err(error) => {
                exchanged.end = Some(End::Failed);
                exchanged.error = Some(RecordedError::of(&error));
                self.write(&exchanged, &head, &[])?;
                return Err(error);
            }
        };
        head.status = Some(answer.status);
        let kept = answer.headers.iter().filter(|(name, _)| !PRIVATE.contains(name));
        head.headers = kept.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let raw = Box::new(Taped {
            recorder: self.clone(),
            exchanged,
            head,
            begun: Instant::now(),
            part: Vec::new(),
            raw: answer.raw,
            cancel: cancel.clone(),
        });
        Ok(Answer { raw, ..answer })
    }

    /// Copies an exchange, whose body has more after this length if it is known.
    pub(super) fn copy(
        self: &Arc<Recorder>,
        key: &Key,
        outcome: Result<Answer, Error>,
        most: Option<u64>,
    ) -> Result<(), Error> {
        let mut raw = self.record(key, outcome, &Cancel::default())?.raw;
        let (mut buffer, mut left) = (vec![0; 64 << 10], most.unwrap_or(u64::MAX));
        while left > 0 {
            match raw.next(&mut buffer)? {
                0 => break,
                length => left = left.saturating_sub(length as u64),
            }
        }
        Ok(())
    }

    /// Adds an entry. What was complete stays so if the run is killed later.
    fn write(&self, exchanged: &Exchanged, head: &Head, body: &[u8]) -> Result<(), Error> {
        let entry = har::entry(exchanged, head, body);
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let separator = if out.has_entries { ",\n" } else { "\n" };
        let at = out.at;
        let text = format!("{separator}{entry}{FINISH}");
        let written = out.file.seek(SeekFrom::Start(at)).and_then(|_| out.file.write_all(text.as_bytes()));
        written.map_err(|error| {
            let words = format!("the recording could not be written: {}", reason(&error));
            Error::new(ErrorKind::Recording, Reason::other(words))
        })?;
        out.has_entries = true;
        out.at = at.saturating_add(text.len().saturating_sub(FINISH.len()) as u64);
        Ok(())
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}

/// A body that is recorded as it is read.
struct Taped {
    recorder: Arc<Recorder>,
    exchanged: Exchanged,
    head: Head,
    begun: Instant,
    /// What was read since the last entry.
    part: Vec<u8>,
    raw: Box<dyn Raw>,
    cancel: Cancel,
}

impl Taped {
    fn is_over(&self) -> bool {
        self.exchanged.end.is_some()
    }

    fn write(&mut self) -> Result<(), Error> {
        self.head.taken = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let part = std::mem::take(&mut self.part);
        self.recorder.write(&self.exchanged, &self.head, &part)
    }

    fn end(&mut self, end: End, error: Option<&Error>) -> Result<(), Error> {
        self.exchanged.end = Some(end);
        self.exchanged.error = error.map(RecordedError::of);
        self.write()
    }
}

impl Raw for Taped {
    fn next(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        if self.is_over() {
            return Ok(0);
        }
        match self.raw.next(buffer) {
            Ok(0) => self.end(End::Whole, None).map(|()| 0),
            Ok(length) => {
                self.part.extend_from_slice(buffer.get(..length).unwrap_or(&[]));
                if self.part.len() >= PART {
                    self.write()?;
                }
                Ok(length)
            }
            Err(error) => {
                if error.kind == ErrorKind::Interrupted {
                    // An exchange without an end does not count.
                    self.exchanged.end = Some(End::Failed);
                } else {
                    self.end(End::Failed, Some(&error))?;
                }
                Err(error)
            }
        }
    }
}

impl Drop for Taped {
    fn drop(&mut self) {
        if !self.is_over() && !self.cancel.is_cancelled() {
            // If it cannot be written, the next write fails too.
            let _ = self.end(End::Enough, None);
        }
    }
}
