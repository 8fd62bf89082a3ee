//! The options of validation, in the spelling of the command line.

use pyo3::{exceptions::PyValueError, prelude::*};
use resourcesync::{
    api::{self, LimitNames, OptionWords, PlanFilter},
    build::BuildOptions,
    diagnostic::Severity,
};

use crate::error::misuse;

/// Parses the options of a run; every error message names the invalid word.
#[pyclass(frozen, module = "resourcesync._core")]
pub(crate) struct Options {
    pub(crate) inner: api::Options,
    /// The lowest severity that builders reject.
    pub(crate) fail_on: Severity,
}

/// Which inputs and changes are wanted, as JSON. The words of an error have no place in JSON that the user did not write.
pub(crate) fn filter_of(text: &str) -> PyResult<PlanFilter> {
    let made = serde_json::from_str::<serde_json::Value>(text).and_then(serde_json::from_value);
    made.map_err(|error| misuse(error.to_string()))
}

impl Options {
    /// The options of a run that several processes share.
    pub(crate) fn with_seed(&self, seed: u64) -> api::Options {
        let mut inner = self.inner.clone();
        inner.seed = seed;
        inner
    }

    /// The options of builders.
    pub(crate) fn of_builders(&self) -> BuildOptions {
        let mut own = BuildOptions::from(&self.inner);
        own.fail_on = self.fail_on;
        own
    }
}

#[pymethods]
impl Options {
    #[new]
    #[pyo3(signature = (*, expect=None, profile=None, select=Vec::new(), ignore=Vec::new(), severity=Vec::new(),
        limits=Vec::new(), max_per_rule=None, fixity=true, fail_on="error"))]
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
        fail_on: &str,
    ) -> PyResult<Options> {
        let wrong = || PyValueError::new_err(format!("fail_on: `{fail_on}` is not error, warning or info"));
        let fail_on = Severity::find(fail_on).ok_or_else(wrong)?;
        let limit_names = LimitNames::Snake;
        let no_fixity = !fixity;
        let words =
            OptionWords { expect, profile, select, ignore, severity, limits, limit_names, max_per_rule, no_fixity };
        let mut inner = words.options().map_err(PyValueError::new_err)?;
        inner.seed = resourcesync_client::seed();
        Ok(Options { inner, fail_on })
    }
}
