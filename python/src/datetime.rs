//! Converts datetimes to Python, with their original text.

use pyo3::{
    prelude::*,
    sync::PyOnceLock,
    types::{PyDelta, PyType, PyTzInfo},
};
use resourcesync::{
    model::{AnyField, Field},
    value::{self, Precision},
};

static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static UTC: PyOnceLock<Py<PyTzInfo>> = PyOnceLock::new();

/// The datetime of a field, as `resourcesync.Datetime`; `None` if it is not one, or has a year that Python does not
/// support.
pub(crate) fn datetime<'py>(
    py: Python<'py>,
    field: Option<&Field<value::Datetime>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some((field, datetime)) = field.and_then(|field| Some((field, field.value()?))) else { return Ok(None) };
    let ((year, month, day), (hour, minute, second)) = (datetime.ymd(), datetime.hms());
    if year == 0 {
        return Ok(None);
    }
    let class = CLASS.import(py, "resourcesync._values", "Datetime")?;
    if field.loose().is_none() && datetime.precision() == Precision::Second && datetime.is_complete_utc() {
        // Usually the text is the one that Python would format, and need not be stored.
        return class.call1((year, month, day, hour, minute, second, 0, utc(py)?)).map(Some);
    }
    // Python has microseconds; `raw` keeps all digits.
    let microsecond = datetime.nanosecond() / 1000;
    let zone = zone(py, datetime.offset_minutes().unwrap_or(0))?;
    let precision = precision(datetime.precision());
    Ok(Some(
        class.call_method1(
            "_read",
            (year, month, day, hour, minute, second, microsecond, zone, field.text(), precision),
        )?,
    ))
}

/// Parses a text as leniently as in a document; `None` if it is not a datetime.
#[pyfunction]
pub(crate) fn parse_datetime<'py>(py: Python<'py>, text: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    datetime(py, Some(&Field::read(text, resourcesync::span::Span::default())))
}

fn zone(py: Python<'_>, minutes: i16) -> PyResult<Bound<'_, PyTzInfo>> {
    if minutes != 0 {
        return PyTzInfo::fixed_offset(py, PyDelta::new(py, 0, i32::from(minutes).saturating_mul(60), 0, true)?);
    }
    utc(py).cloned()
}

fn utc(py: Python<'_>) -> PyResult<&Bound<'_, PyTzInfo>> {
    UTC.get_or_try_init(py, || PyTzInfo::utc(py).map(|utc| utc.to_owned().unbind())).map(|utc| utc.bind(py))
}

fn precision(precision: Precision) -> &'static str {
    match precision {
        Precision::Year => "year",
        Precision::Month => "month",
        Precision::Day => "day",
        Precision::Minute => "minute",
        Precision::Second => "second",
        Precision::Fraction => "fraction",
    }
}
