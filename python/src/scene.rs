//! One sample: its picture, its record, its plan. Each is made when it is asked for.

use std::sync::{Arc, OnceLock};

use numpy::{IntoPyArray, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use windesk::engine::render::MAX_SIDE;
use windesk::model::geometry::Size;
use windesk::{Encoder, Error, Frame, ImageFormat, Result};

use crate::gate::detached;
use crate::maker::{Made, Truth};

/// A sample.
#[pyclass(frozen, module = "windesk._windesk")]
pub(crate) struct Scene {
    made: Arc<dyn Made>,
    /// Its place among the samples of its index.
    at: usize,
    truth: OnceLock<Truth>,
}

/// Checks a size that Python gave.
pub(crate) fn checked(size: Option<(u32, u32)>) -> Result<Option<Size>> {
    let fits = |side: u32| (1..=MAX_SIDE).contains(&side);
    match size {
        None => Ok(None),
        Some((width, height)) if fits(width) && fits(height) => Ok(Some(Size { width, height })),
        Some((width, height)) => {
            Err(Error::config("option `size`", format!("found {width}x{height}, expected sides of 1 to {MAX_SIDE} px")))
        }
    }
}

/// An array of height, width and three bytes, which takes over the memory of the picture.
pub(crate) fn array(py: Python<'_>, frame: Frame) -> PyResult<Bound<'_, PyArray3<u8>>> {
    let Frame { size, rgb } = frame;
    rgb.into_pyarray(py).reshape([size.height as usize, size.width as usize, 3])
}

/// A picture in the size that was asked for.
pub(crate) fn sized(frame: Frame, size: Option<Size>) -> Frame {
    match size {
        Some(size) => frame.resampled(size),
        None => frame,
    }
}

impl Scene {
    pub(crate) fn new(made: Arc<dyn Made>, at: usize) -> Self {
        Self { made, at, truth: OnceLock::new() }
    }

    /// What is known of it. Two threads that ask at once may both work it out; they find the same.
    fn truth(&self, py: Python<'_>) -> PyResult<&Truth> {
        if self.truth.get().is_none() {
            let truth = detached(py, || self.made.truth(self.at))?;
            let _ = self.truth.set(truth);
        }
        Ok(self.truth.get().expect("just set"))
    }
}

#[pymethods]
impl Scene {
    #[getter]
    fn id(&self) -> String {
        self.made.id(self.at)
    }

    /// The picture: uint8, height x width x 3, resampled if a size (width, height) is given.
    #[pyo3(signature = (size=None))]
    fn image<'py>(&self, py: Python<'py>, size: Option<(u32, u32)>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let frame = detached(py, || self.made.render(self.at, checked(size)?))?;
        array(py, frame)
    }

    /// The picture with boxes and masks.
    #[pyo3(signature = (size=None))]
    fn overlay<'py>(&self, py: Python<'py>, size: Option<(u32, u32)>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let frame = detached(py, || Ok(sized(self.made.overlay(self.at)?, checked(size)?)))?;
        array(py, frame)
    }

    /// The same as a PNG file.
    #[pyo3(signature = (size=None))]
    fn overlay_png<'py>(&self, py: Python<'py>, size: Option<(u32, u32)>) -> PyResult<Bound<'py, PyBytes>> {
        let png = detached(py, || Ok(ImageFormat::Png.encode(&sized(self.made.overlay(self.at)?, checked(size)?))))?;
        Ok(PyBytes::new(py, &png))
    }

    /// The picture's file: `png`, `jpeg` or `webp`. At full size it has the bytes that the command line writes.
    #[pyo3(signature = (format, size=None))]
    fn encoded<'py>(&self, py: Python<'py>, format: &str, size: Option<(u32, u32)>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = detached(py, || {
            let format = match format {
                "png" => ImageFormat::Png,
                "jpeg" => ImageFormat::Jpeg,
                "webp" => ImageFormat::Webp,
                other => return Err(Error::config("option `format`", format!("found {other}, expected png, jpeg or webp"))),
            };
            match checked(size)? {
                None => self.made.encode(self.at, format),
                size => Ok(format.encode(&self.made.render(self.at, size)?)),
            }
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The line of `scenes/*.jsonl`, with its line feed.
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.truth(py)?.line))
    }

    /// The line of `states/*.jsonl` about the control that is to be set, with its line feed; None where there is none.
    fn state_line<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        Ok(self.truth(py)?.state_line.as_ref().map(|line| PyBytes::new(py, line)))
    }

    /// Width, height and targets of the record, as JSON.
    fn targets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.truth(py)?.targets))
    }

    /// The step of a task that it is the keyframe of, as the plan has it, in JSON; None for a scene that stands alone.
    fn step<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.made.step(self.at).map(|step| PyBytes::new(py, &step))
    }

    /// The line of `tasks/*.jsonl` about the task that it is of, with its line feed; None for a scene that stands
    /// alone.
    fn task_line<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let line = detached(py, || self.made.task_line())?;
        Ok(line.map(|line| PyBytes::new(py, &line)))
    }

    /// The line of `plans/*.jsonl`, with its line feed.
    fn plan_line<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.made.plan_line(self.at))
    }
}
