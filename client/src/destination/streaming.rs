//! Follows the Change Lists of a set as a stream, and finds the slices of a batch again.

use std::{
    io::{self, Read},
    sync::Arc,
};

use resourcesync::{
    api::ItemReader,
    diagnostic::{Reason, ReasonCode},
    limits::Limits,
    model::Item,
};
use resourcesync_sync::{
    documents::Documents,
    stream::{Advance, Slice, SliceReader, Stream},
};

use super::{
    SyncError,
    documents::{Reader, read},
};
use crate::{
    cancel::Cancel,
    http::{self, Attempts, Body, Client, Error, Request},
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;

/// A stream, which passes on nothing before its end.
struct Streaming(Stream);

impl Reader for Streaming {
    fn machine(&mut self) -> Option<&mut dyn Documents> {
        Some(&mut self.0)
    }

    fn take(&mut self, _: u64) -> Result<(), SyncError> {
        Ok(())
    }
}

/// Reads what is new since the position of a stream.
///
/// # Errors
///
/// None that the advance has not.
pub fn advance(client: &Arc<Client>, stream: Stream, cancel: &Cancel) -> Result<Advance, SyncError> {
    let mut streaming = Streaming(stream);
    read(client, cancel, None, &mut streaming)?;
    Ok(streaming.0.finish())
}

/// True if a document, read with these limits, has the entries of a slice; false if it has not, or does not exist.
///
/// # Errors
///
/// If it cannot be read now, so that nothing is known of its entries.
pub fn has_slice(client: &Arc<Client>, uri: &str, slice: &Slice, limits: &Limits) -> Result<bool, Reason> {
    let mut attempts = Attempts::new(client);
    loop {
        let response = http::fetch(client, &Request::get(uri), &mut attempts).map_err(|error| error.reason)?;
        match response.status {
            200 | 203 => {}
            404 | 410 => return Ok(false),
            status => return Err(http::status_reason(status)),
        }
        match is_there(response.body, slice, limits) {
            Err(Broken::Off(error)) if error.is_temporary() && attempts.again() => {}
            Err(Broken::Off(error)) => return Err(error.reason),
            Err(Broken::Document(code)) => return Err(Reason::new(ReasonCode::NotReadToEnd).arg("code", code)),
            Ok(is_there) => return Ok(is_there),
        }
    }
}

/// Why a document was not read to the end of a slice.
enum Broken {
    /// The response broke off.
    Off(Error),
    /// The document is damaged: the code.
    Document(String),
}

fn is_there(mut body: Body, slice: &Slice, limits: &Limits) -> Result<bool, Broken> {
    let (mut reading, mut found) = (ItemReader::new(limits), SliceReader::new(slice.clone()));
    let mut window = vec![0; WINDOW];
    let (mut has_begun, mut is_end) = (false, false);
    while !is_end && !found.is_over() {
        let length = match body.read(&mut window) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(|error| Broken::Off(Error::of(&error).cloned().unwrap_or_else(Error::interrupted)))?,
        };
        let mut take = |item: Item<'_>| {
            if let Item::Entry(entry) = item {
                found.take(entry);
            }
        };
        is_end = length == 0;
        let piece = window.get(..length).unwrap_or_default();
        // As when the slice was made, blanks before the document are skipped.
        let piece = if has_begun { piece } else { piece.trim_ascii_start() };
        has_begun |= !piece.is_empty();
        let read = if is_end { reading.finish(&mut take) } else { reading.push(piece, &mut take) };
        if let Err(fault) = read
            && !found.is_over()
        {
            return Err(Broken::Document(fault.code.to_string()));
        }
    }
    Ok(found.is_same())
}
