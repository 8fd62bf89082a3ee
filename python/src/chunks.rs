//! Chunks of bytes from any Python iterable.

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyIterator},
};

/// Reads chunks from an iterable of bytes, bytearrays or memoryviews.
pub(crate) struct Chunks<'py> {
    pieces: Bound<'py, PyIterator>,
}

impl<'py> Chunks<'py> {
    pub(crate) fn new(pieces: &Bound<'py, PyAny>) -> PyResult<Chunks<'py>> {
        Ok(Chunks { pieces: pieces.try_iter()? })
    }
}

impl<'py> Iterator for Chunks<'py> {
    type Item = PyResult<Bound<'py, PyBytes>>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.pieces.next()?.and_then(|piece| bytes(&piece)))
    }
}

/// The bytes of a bytes-like object. Text and lists of numbers are rejected, although Python could convert the latter.
pub(crate) fn bytes<'py>(piece: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = piece.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let builtins = piece.py().import("builtins")?;
    if piece.is_instance(&builtins.getattr("bytearray")?)? || piece.is_instance(&builtins.getattr("memoryview")?)? {
        return Ok(builtins.getattr("bytes")?.call1((piece,))?.cast_into()?);
    }
    Err(PyTypeError::new_err(format!("pieces have to be bytes, not {}", piece.get_type().name()?)))
}
