//! x
use pyo3::prelude::*;
#[pymodule]
fn _windesk(_m: &Bound<'_, PyModule>) -> PyResult<()> { Ok(()) }
