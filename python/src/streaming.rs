//! A validation that returns findings as they are found.

use std::collections::HashMap;

use pyo3::{exceptions::PyRuntimeError, prelude::*, types::PyBytes};
use resourcesync::{
    api::{self, InputOrigin, Run},
    report::Diagnostic,
};

use crate::{error::misuse, options::Options, validate::json};

/// Validates chunks and returns findings, then the report.
#[pyclass(module = "resourcesync._core")]
pub(crate) struct Validation {
    options: api::Options,
    inner: Option<api::Validation<'static>>,
    /// The number of returned findings.
    given: usize,
}

#[pymethods]
impl Validation {
    #[new]
    #[pyo3(signature = (options, name, uri=None))]
    fn new(options: &Options, name: String, uri: Option<String>) -> Validation {
        let options = options.inner.clone();
        let source = InputOrigin { uri, ..InputOrigin::named(name) };
        let inner = api::Validation::new(options.clone(), source);
        Validation { options, inner: Some(inner), given: 0 }
    }

    /// Reads a chunk; returns findings, each as JSON.
    fn push(&mut self, py: Python<'_>, piece: &[u8]) -> PyResult<Vec<String>> {
        let Validation { inner, given, .. } = self;
        let validation = inner.as_mut().ok_or_else(|| misuse("this validation is finished".to_owned()))?;
        py.detach(|| {
            validation.push(piece);
            let all = validation.diagnostics();
            let fresh = all.get(*given..).unwrap_or(&[]);
            *given = all.len();
            write(fresh)
        })
    }

    /// False once more bytes cannot change the result.
    fn wants_more(&self) -> bool {
        self.inner.as_ref().is_some_and(api::Validation::wants_more)
    }

    /// The number of entries read so far.
    fn entries(&self) -> u64 {
        self.inner.as_ref().map_or(0, api::Validation::entries)
    }

    /// Ends the input; returns the remaining findings, and the report.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<(Vec<String>, Bound<'py, PyBytes>)> {
        let validation = self.inner.take().ok_or_else(|| misuse("this validation is finished".to_owned()))?;
        // The report has another order, so returned findings are identified by their content.
        let mut seen: HashMap<String, usize> = HashMap::new();
        for diagnostic in write(validation.diagnostics().get(..self.given).unwrap_or(&[]))? {
            *seen.entry(diagnostic).or_default() += 1;
        }
        let mut run = Run::new(&self.options);
        run.add(validation.finish());
        let report = run.finish();
        let is_fresh = |diagnostic: &String| match seen.get_mut(diagnostic) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        let rest = write(&report.diagnostics)?.into_iter().filter(is_fresh).collect();
        Ok((rest, json(py, &report)))
    }
}

fn write(diagnostics: &[Diagnostic]) -> PyResult<Vec<String>> {
    let write = |diagnostic| serde_json::to_string(diagnostic);
    diagnostics.iter().map(write).collect::<Result<_, _>>().map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
