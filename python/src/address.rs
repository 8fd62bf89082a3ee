//! Which addresses are public.

use std::net::IpAddr;

use pyo3::prelude::*;
use resourcesync::value;

/// The name of the special-purpose range of an address; `None` if the address is public.
#[pyfunction]
pub(crate) fn not_public(address: &str) -> PyResult<Option<&'static str>> {
    Ok(value::not_public(address.parse::<IpAddr>()?))
}
