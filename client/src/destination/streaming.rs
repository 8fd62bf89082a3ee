//! Follows the Change Lists of a set as a stream, and finds the slices of a batch again.

use std::{io::Read, sync::Arc};

use resourcesync::{api::ItemReader, limits::Limits, model::Item};
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
    http::{self, Attempts, Client, FetchedInput},
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

/// True if a document has the entries of a slice; false also if it cannot be read.
pub fn has_slice(client: &Arc<Client>, uri: &str, slice: &Slice) -> bool {
    let Ok(FetchedInput::Document(mut body)) = http::fetch_input(client, uri, &mut Attempts::new(client)) else {
        return false;
    };
    let (mut reading, mut found) = (ItemReader::new(&Limits::default()), SliceReader::new(slice.clone()));
    let mut take = |item: Item<'_>| {
        if let Item::Entry(entry) = item {
            found.take(entry);
        }
    };
    let mut window = vec![0; WINDOW];
    loop {
        let pushed = match body.read(&mut window) {
            Ok(0) => {
                let _ = reading.finish(&mut take);
                break;
            }
            Ok(length) => reading.push(window.get(..length).unwrap_or_default(), &mut take),
            Err(_) => break,
        };
        if pushed.is_err() {
            break;
        }
    }
    found.is_same()
}
