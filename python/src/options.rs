//! The options of validation, in the spelling of the command line.

use pyo3::{exceptions::PyValueError, prelude::*};
use resourcesync::api::{self, LimitNames, OptionWords};

/// Parses the options of a run; every error message names the invalid word.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct Options {
    pub(crate) inner: api::Options,
}

#[pymethods]
impl Options {
    #[new]
    #[pyo3(signature = (*, expect=None, profile=None, select=Vec::new(), ignore=Vec::new(), severity=Vec::new(),
        limits=Vec::new(), max_per_rule=None, fixity=true))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        expect: Option<String>,
        profile: Option<String>,
        select: Vec<String>,
        ignore: Vec<String>,
        severity: Vec<(String, String)>,
        limits: Vec<(String, u64)>,
        max_per_rule: Option<u64>,
        fixity: bool,
    ) -> PyResult<Options> {
        let limit_names = LimitNames::Snake;
        let no_fixity = !fixity;
        let words =
            OptionWords { expect, profile, select, ignore, severity, limits, limit_names, max_per_rule, no_fixity };
        let mut inner = words.options().map_err(PyValueError::new_err)?;
        inner.seed = resourcesync_client::seed();
        Ok(Options { inner })
    }
}
