//! Writes records to an output, page by page: incomplete pages are discarded.

use std::io::{self, Read, Seek, SeekFrom, Write};

use resourcesync_oai::{
    harvest::{Call, Handled, Purpose},
    page::Piece,
};
use tempfile::SpooledTempFile;

use super::{HarvestError, Sink};

/// Bytes of a page kept in memory; larger pages go to an anonymous temporary file.
const HELD: usize = 8 << 20;
/// Bytes copied at a time.
const WINDOW: usize = 64 << 10;

/// Writes the items of a page once the page is confirmed.
pub struct Pages<'o, W> {
    out: &'o mut dyn Write,
    /// Writes one piece, if applicable.
    write: W,
    page: SpooledTempFile,
    is_empty: bool,
    /// Pieces written so far, and their maximum.
    written: u64,
    most: u64,
    of_page: u64,
    is_closed: bool,
}

impl<'o, W> Pages<'o, W>
where
    W: FnMut(&Call, &Piece, Option<&'static str>, &mut dyn Write) -> io::Result<bool>,
{
    /// Formats each piece with `write` and writes it to `out`; `write` returns whether there was any output.
    pub fn new(out: &'o mut dyn Write, most: Option<u64>, write: W) -> Pages<'o, W> {
        Pages {
            out,
            write,
            page: SpooledTempFile::new(HELD),
            is_empty: true,
            written: 0,
            most: most.unwrap_or(u64::MAX),
            of_page: 0,
            is_closed: false,
        }
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.page.seek(SeekFrom::Start(0))?;
        let mut window = vec![0; WINDOW];
        loop {
            let length = self.page.read(&mut window)?;
            if length == 0 {
                return self.out.flush();
            }
            self.out.write_all(window.get(..length).unwrap_or_default())?;
        }
    }
}

impl<W> Sink for Pages<'_, W>
where
    W: FnMut(&Call, &Piece, Option<&'static str>, &mut dyn Write) -> io::Result<bool>,
{
    fn piece(&mut self, call: &Call, piece: Piece, transcoded: Option<&'static str>) -> Result<(), HarvestError> {
        let is_wanted = call.purpose == Purpose::Harvest || call.purpose == Purpose::Identify;
        if !is_wanted || self.written.saturating_add(self.of_page) >= self.most {
            return Ok(());
        }
        if (self.write)(call, &piece, transcoded, &mut self.page).map_err(HarvestError::Output)? {
            self.of_page = self.of_page.saturating_add(1);
            self.is_empty = false;
        }
        Ok(())
    }

    fn settle(&mut self, handled: &Handled) -> Result<(), HarvestError> {
        if handled.accepted && !self.is_empty {
            self.written = self.written.saturating_add(self.of_page);
            match self.pass_on() {
                // The reader closed the pipe, as `head` does, which is not an error.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.is_closed = true,
                other => other.map_err(HarvestError::Output)?,
            }
        }
        if !self.is_empty {
            self.page.set_len(0).map_err(HarvestError::Output)?;
            self.page.seek(SeekFrom::Start(0)).map_err(HarvestError::Output)?;
        }
        (self.is_empty, self.of_page) = (true, 0);
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.is_closed
    }
}
