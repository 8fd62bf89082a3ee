//! An object as a blocking reader.

use std::{
    io::{self, Read},
    sync::Arc,
};

use futures_util::{TryStreamExt as _, stream::BoxStream};
use object_store::Error;
use tokio::runtime::Runtime;

use super::error::failed;

/// The bytes of an object, as they arrive.
pub(super) struct Reader<B> {
    stream: BoxStream<'static, Result<B, Error>>,
    runtime: Arc<Runtime>,
    chunk: io::Cursor<Vec<u8>>,
}

impl<B> Reader<B> {
    pub(super) fn new(stream: BoxStream<'static, Result<B, Error>>, runtime: Arc<Runtime>) -> Reader<B> {
        Reader { stream, runtime, chunk: io::Cursor::default() }
    }
}

impl<B: AsRef<[u8]>> Read for Reader<B> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.chunk.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            match self.runtime.block_on(self.stream.try_next()).map_err(failed)? {
                Some(bytes) => self.chunk = io::Cursor::new(bytes.as_ref().to_vec()),
                None => return Ok(0),
            }
        }
    }
}
