//! Writes to standard output, or to the file of `--output` in its place.

use std::{
    cell::RefCell,
    fs::File,
    io::{self, BufWriter, Seek, Write},
    path::{Path, PathBuf},
    rc::Rc,
};

use anstream::AutoStream;

use resourcesync_client::{folder, reason};

use super::file::{check, check_inputs};
use crate::error::CliError;

thread_local! {
    /// What is written in place of standard output, until the run has ended.
    static REDIRECTED: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

/// A file that keeps the output of a run.
#[derive(Clone)]
struct Kept {
    file: Rc<File>,
    /// The path that it gets at the end; `None` if it gets none.
    to: Option<PathBuf>,
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self.file).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.file).flush()
    }
}

/// Standard output, or what is written in its place.
pub(crate) fn open() -> Box<dyn Write> {
    match REDIRECTED.with_borrow(Clone::clone) {
        Some(kept) => Box::new(kept),
        None => Box::new(io::stdout().lock()),
    }
}

/// True if the output goes to a file of `--output`.
pub(crate) fn is_redirected() -> bool {
    REDIRECTED.with_borrow(Option::is_some)
}

/// What becomes of output that was set aside.
pub(crate) enum Aside {
    /// It gets a name of its own, `FILE.part`.
    Part(PathBuf),
    /// There is none.
    Nothing,
}

/// Leaves the file of `--output` as it is, since what was written is only a part of what belongs there. `None` without a file, and for a
/// pipe or device, which has no content to lose and gets it all the same.
pub(crate) fn set_aside() -> Option<Aside> {
    REDIRECTED.with_borrow_mut(|redirected| {
        let kept = redirected.as_mut()?;
        let to = kept.to.take_if(|to| !to.exists() || to.is_file())?;
        if kept.file.metadata().is_ok_and(|meta| meta.len() == 0) {
            return Some(Aside::Nothing);
        }
        let mut name = to.file_name()?.to_owned();
        name.push(".part");
        let part = to.with_file_name(name);
        kept.to = Some(part.clone());
        Some(Aside::Part(part))
    })
}

/// Runs a subcommand that writes to this file instead of standard output. The file is replaced atomically at the end, unless
/// the run ends with an error; it must not be one of the inputs.
pub(crate) fn redirected(
    file: Option<&Path>,
    inputs: &[PathBuf],
    run: impl FnOnce() -> Result<i32, CliError>,
) -> Result<i32, CliError> {
    let Some(file) = file.filter(|file| *file != Path::new("-")) else { return run() };
    check_inputs(file, inputs)?;
    check(file)?;
    let failed = |file: &Path, error: io::Error| format!("{} could not be written: {}", file.display(), reason(&error));
    let kept = Rc::new(tempfile::tempfile().map_err(|error| failed(file, error))?);
    REDIRECTED.set(Some(Kept { file: Rc::clone(&kept), to: Some(file.to_owned()) }));
    let result = run();
    let to = REDIRECTED.take().and_then(|kept| kept.to);
    let status = result?;
    if let Some(to) = to {
        let written = (&*kept)
            .rewind()
            .and_then(|()| folder::write_atomic_with(&to, &mut |out| io::copy(&mut &*kept, out).map(drop)));
        written.map_err(|error| failed(&to, error))?;
    }
    Ok(status)
}

/// The result of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Everything was written.
    Whole,
    /// The reader closed the pipe, as `head` does, which is not an error.
    Part,
}

/// Writes the whole text, with colours that also work in old consoles.
pub(crate) fn write(text: &str, color: bool) -> Result<Taken, CliError> {
    let outcome = match (color, is_redirected()) {
        (true, false) => put(AutoStream::always(io::stdout().lock()), text),
        _ => put(open(), text),
    };
    match outcome {
        Ok(()) => Ok(Taken::Whole),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Taken::Part),
        Err(error) => Err(format!("standard output could not be written: {}", reason(&error)).into()),
    }
}

/// Writes piece by piece, with colours that also work in old consoles.
pub(crate) fn stream(fill: &dyn Fn(&mut dyn Write) -> io::Result<()>, color: bool) -> Result<(), CliError> {
    let stdout = io::stdout().lock();
    let stdout: Box<dyn Write> = if color { Box::new(AutoStream::always(stdout)) } else { Box::new(stdout) };
    let mut out = BufWriter::new(stdout);
    match fill(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output could not be written: {}", reason(&error)).into())
        }
        _ => Ok(()),
    }
}

fn put(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}
