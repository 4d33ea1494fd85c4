//! How models write coordinates: reading their answers, and what a family is asked and expects.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use windesk::eval::geometry::in_image;
use windesk::eval::parse::{Convention, FAMILIES, parse};
use windesk::{Error, Result, shipped};

use crate::errors::raised;

fn convention(name: &str) -> Result<Convention> {
    name.parse().map_err(|error: windesk::eval::parse::ConventionError| {
        Error::config(format!("option `convention` {name}"), error.problem)
    })
}

/// Reads an answer, as JSON: `point` in px of the image (null where there is none), whether it is `inside`, all
/// `points`, and the `reason` why there is none.
#[pyfunction]
pub(crate) fn parse_answer<'py>(
    py: Python<'py>,
    text: &str,
    convention_name: &str,
    size: (u32, u32),
) -> PyResult<Bound<'py, PyBytes>> {
    let convention = convention(convention_name).map_err(|error| raised(py, error))?;
    let size = [size.0, size.1];
    let read = match py.detach(|| parse(text, &convention, size)) {
        Ok(answer) => {
            let point = answer.points[0];
            let mut read = serde_json::to_value(&answer).expect("plain data");
            read["point"] = json!(point);
            read["inside"] = json!(in_image(size, point));
            read["reason"] = json!(null);
            read
        }
        Err(reason) => json!({ "point": null, "points": [], "inside": false, "reason": reason.name() }),
    };
    Ok(PyBytes::new(py, read.to_string().as_bytes()))
}

/// What a family of models is asked about an image of this size, and in which numbers it answers, as JSON.
#[pyfunction]
pub(crate) fn family<'py>(py: Python<'py>, name: &str, instruction: &str, size: (u32, u32)) -> PyResult<Bound<'py, PyBytes>> {
    let size = [size.0, size.1];
    let prompt = shipped::family_prompt(name).map_err(|error| raised(py, error))?;
    let coords = &prompt.coords;
    let told = json!({
        "system": prompt.system_message(size),
        "user": prompt.user_message(instruction, size),
        "convention": coords.name(),
        // What the sides of the image are in the family's numbers.
        "sides": coords.scale.sides(size),
        "y_first": coords.y_first,
    });
    Ok(PyBytes::new(py, told.to_string().as_bytes()))
}

/// Names of the families that have a prompt.
#[pyfunction]
pub(crate) fn families() -> Vec<&'static str> {
    shipped::FAMILY_PROMPTS.iter().map(|(name, _)| *name).collect()
}

/// What a family of models writes, as an example.
#[pyfunction]
pub(crate) fn family_example(name: &str) -> Option<&'static str> {
    FAMILIES.iter().find(|family| family.name == name).map(|family| family.example)
}
