//! Errors of the engine as exceptions of the package.

use pyo3::prelude::*;
use windesk::{Error, ErrorKind};

/// What the class of an exception is chosen by, in `windesk/_errors.py`.
fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::File => "file",
        ErrorKind::Configuration => "configuration",
        ErrorKind::Caller => "caller",
        ErrorKind::Limit => "limit",
        ErrorKind::Io => "io",
        ErrorKind::LostPicture => "lost_picture",
    }
}

/// The exception for an error, with the error's place, what was found, what was expected, and the hint.
pub(crate) fn raised(py: Python<'_>, error: Error) -> PyErr {
    let Error { kind, place, found, expected, hint } = error;
    let made = py
        .import("windesk._errors")
        .and_then(|module| module.call_method1("exception", (kind_name(kind), place, found, expected, hint)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
