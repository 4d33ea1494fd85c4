//! What can be wrong with what a user hands in.

use std::fmt::Display;
use std::path::Path;

/// A file or an option that can't be used: where, what was found and expected, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {problem}{}", hint.as_ref().map(|h| format!("\nhint: {h}")).unwrap_or_default())]
pub struct EvalError {
    /// File (with line where there is one) or option.
    pub place: String,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl EvalError {
    /// Something is wrong at a place.
    pub fn new(place: impl Display, problem: impl Display) -> Self {
        Self { place: place.to_string(), problem: problem.to_string(), hint: None }
    }

    /// Something is wrong with a file.
    pub fn file(path: &Path, problem: impl Display) -> Self {
        Self::new(path.display(), problem)
    }

    /// Something is wrong with a line of a file; `line` counts from 1.
    pub fn line(path: &Path, line: u64, problem: impl Display) -> Self {
        Self::new(format_args!("{}:{line}", path.display()), problem)
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
