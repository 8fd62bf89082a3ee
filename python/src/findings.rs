//! The findings of a report, without parsing them.

use std::ops::Range;

use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::PyBytes,
};

/// The JSON of a report, split into its findings and the rest.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct Findings {
    json: Py<PyBytes>,
    /// The array of findings.
    array: Range<usize>,
    /// Each finding.
    places: Vec<Range<usize>>,
}

#[pymethods]
impl Findings {
    /// Locates the findings. Raises `ValueError` if there is no array of them; nothing else is checked.
    #[new]
    fn new(json: Bound<'_, PyBytes>) -> PyResult<Findings> {
        let mut scanner = Scanner { text: json.as_bytes(), at: 0 };
        let (array, places) = scanner.findings().ok_or_else(|| PyValueError::new_err("not a report"))?;
        Ok(Findings { json: json.unbind(), array, places })
    }

    /// The report with an empty array of findings.
    fn rest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let text = self.json.as_bytes(py);
        let part = |range: Range<usize>| text.get(range).unwrap_or_default();
        PyBytes::new(py, &[part(0..self.array.start), b"[]", part(self.array.end..text.len())].concat())
    }

    fn __len__(&self) -> usize {
        self.places.len()
    }

    /// The JSON of a finding.
    fn __getitem__<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        let text = self.places.get(index).and_then(|place| self.json.as_bytes(py).get(place.clone()));
        text.map(|text| PyBytes::new(py, text)).ok_or_else(|| PyIndexError::new_err("no such finding"))
    }
}

/// Finds the ends of JSON values. It does not check them.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    /// The array `diagnostics` of an object, and its elements; `None` if the object has no or several such arrays.
    fn findings(&mut self) -> Option<(Range<usize>, Vec<Range<usize>>)> {
        let mut found = None;
        self.expect(b'{')?;
        loop {
            let key = self.value()?;
            self.expect(b':')?;
            if self.text.get(key)? == b"\"diagnostics\"" {
                if found.is_some() {
                    return None;
                }
                found = Some(self.elements()?);
            } else {
                self.value()?;
            }
            if self.next()? == b'}' {
                return found;
            }
        }
    }

    /// An array, and its elements.
    fn elements(&mut self) -> Option<(Range<usize>, Vec<Range<usize>>)> {
        self.expect(b'[')?;
        let (start, mut places) = (self.at.checked_sub(1)?, Vec::new());
        self.blank();
        if self.text.get(self.at)? == &b']' {
            self.next()?;
            return Some((start..self.at, places));
        }
        loop {
            places.push(self.value()?);
            if self.next()? == b']' {
                return Some((start..self.at, places));
            }
        }
    }

    /// The next value.
    fn value(&mut self) -> Option<Range<usize>> {
        self.blank();
        let (start, mut depth) = (self.at, 0_usize);
        loop {
            match *self.text.get(self.at)? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth = depth.checked_add(1)?;
                    self.at = self.at.checked_add(1)?;
                }
                b'}' | b']' if depth > 0 => {
                    depth = depth.checked_sub(1)?;
                    self.at = self.at.checked_add(1)?;
                }
                b',' | b'}' | b']' | b':' if depth == 0 => break,
                _ => self.at = self.at.checked_add(1)?,
            }
        }
        (self.at > start).then_some(start..self.at)
    }

    /// Skips a string.
    fn string(&mut self) -> Option<()> {
        loop {
            self.at = self.at.checked_add(1)?;
            match *self.text.get(self.at)? {
                b'\\' => self.at = self.at.checked_add(1)?,
                b'"' => break,
                _ => {}
            }
        }
        self.at = self.at.checked_add(1)?;
        Some(())
    }

    fn blank(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at = self.at.saturating_add(1);
        }
    }

    /// The next byte that is not blank.
    fn next(&mut self) -> Option<u8> {
        self.blank();
        let byte = self.text.get(self.at).copied();
        self.at = self.at.saturating_add(1);
        byte
    }

    fn expect(&mut self, wanted: u8) -> Option<()> {
        (self.next()? == wanted).then_some(())
    }
}
