//! Records responses as they are read.

use std::{
    fmt,
    fs::File,
    io::{self, BufWriter, Write},
    sync::{Arc, Mutex, PoisonError},
};

use resourcesync::diagnostic::Reason;

use super::{
    super::{
        body::Raw,
        error::{Error, ErrorKind},
        transport::Answer,
    },
    Key,
    line::{BytesError, End, Form, Line},
};
use crate::cancel::Cancel;
use crate::system::reason;
use base64::{Engine, engine::general_purpose::STANDARD};

/// Headers that are not recorded, since they may contain credentials.
const PRIVATE: &[&str] =
    &["set-cookie", "set-cookie2", "authentication-info", "proxy-authenticate", "proxy-authentication-info"];

/// A recording being written.
pub(in crate::http) struct Recorder {
    out: Mutex<Out>,
}

struct Out {
    file: BufWriter<File>,
    next: u64,
}

impl Recorder {
    /// Starts a recording in an empty file.
    pub(super) fn new(mut file: File) -> io::Result<Recorder> {
        line_to(&mut file, &Form::new())?;
        Ok(Recorder::after(file, 0))
    }

    /// Continues a recording with this number.
    pub(super) fn after(file: File, next: u64) -> Recorder {
        Recorder { out: Mutex::new(Out { file: BufWriter::new(file), next }) }
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
        let mut line = Line { key: Some(key.clone()), ..Line::default() };
        match &outcome {
            Ok(answer) => {
                line.status = Some(answer.status);
                let kept = answer.headers.iter().filter(|(name, _)| !PRIVATE.contains(name));
                line.headers = kept.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            }
            Err(error) => {
                line.end = Some(End::Failed);
                line.error = Some(BytesError::of(error));
            }
        }
        let id = {
            let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            let id = out.next;
            out.next = id.saturating_add(1);
            id
        };
        line.id = id;
        self.write(&line)?;
        let answer = outcome?;
        let raw =
            Box::new(Taped { recorder: self.clone(), id, raw: answer.raw, cancel: cancel.clone(), is_over: false });
        Ok(Answer { raw, ..answer })
    }

    fn write(&self, line: &Line) -> Result<(), Error> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let mut written = line_to(&mut out.file, line);
        if line.end.is_some() {
            // A complete exchange is kept even if the run is killed later.
            written = written.and_then(|()| out.file.flush());
        }
        written.map_err(|error| {
            Error::new(
                ErrorKind::Recording,
                Reason::other(format!("the recording could not be written: {}", reason(&error))),
            )
        })
    }
}

fn line_to(out: &mut dyn Write, line: &impl serde::Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    out.write_all(&text)
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}

/// A body that is recorded as it is read.
struct Taped {
    recorder: Arc<Recorder>,
    id: u64,
    raw: Box<dyn Raw>,
    cancel: Cancel,
    is_over: bool,
}

impl Taped {
    fn end(&mut self, end: End, error: Option<&Error>) -> Result<(), Error> {
        self.is_over = true;
        self.recorder.write(&Line { id: self.id, end: Some(end), error: error.map(BytesError::of), ..Line::default() })
    }
}

impl Raw for Taped {
    fn next(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        if self.is_over {
            return Ok(0);
        }
        match self.raw.next(buffer) {
            Ok(0) => self.end(End::Whole, None).map(|()| 0),
            Ok(length) => {
                let body = STANDARD.encode(buffer.get(..length).unwrap_or(&[]));
                self.recorder.write(&Line { id: self.id, body: Some(body), ..Line::default() })?;
                Ok(length)
            }
            Err(error) => {
                if error.kind == ErrorKind::Interrupted {
                    // An exchange without an end does not count.
                    self.is_over = true;
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
        if !self.is_over && !self.cancel.is_cancelled() {
            // If it cannot be written, the next write fails too.
            let _ = self.end(End::Enough, None);
        }
    }
}
