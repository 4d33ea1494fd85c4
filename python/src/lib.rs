//! The extension module of the Python package: packs, sources of samples, samples and batches, nothing more. What users
//! see is written in Python (`windesk/`), which turns their arguments into plain ones and calls here.
//!
//! Every function that works lets go of the interpreter meanwhile, and none of them is under way when the process forks
//! ([`gate`]). Nothing here decides what a sample is: that is the library's, as for the command line.

mod answers;
mod batch;
mod errors;
mod gate;
mod maker;
mod packs;
mod scene;
mod sources;

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

/// Runs the command line and returns its exit code. `packs` are further places where a pack may be installed.
#[pyfunction]
fn run_command_line(py: Python<'_>, words: Vec<OsString>, packs: Vec<PathBuf>) -> u8 {
    py.detach(|| windesk::cli::run(words, packs))
}

#[pymodule]
fn _windesk(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("MAX_SAMPLES", windesk::dataset::MAX_SAMPLES)?;
    module.add("MAX_STEPS", windesk::desktop::task::MAX_STEPS)?;
    module.add("PRECISION_SWEEP", windesk::dataset::PRECISION_SWEEP)?;
    module.add("ENGINE_VERSION", windesk::model::plan::ENGINE_VERSION)?;
    module.add_class::<packs::OpenPack>()?;
    module.add_class::<sources::SceneSource>()?;
    module.add_class::<scene::Scene>()?;
    module.add_function(wrap_pyfunction!(packs::usual_picture_folder, module)?)?;
    module.add_function(wrap_pyfunction!(gate::before_fork, module)?)?;
    module.add_function(wrap_pyfunction!(gate::after_fork_in_parent, module)?)?;
    module.add_function(wrap_pyfunction!(gate::after_fork_in_child, module)?)?;
    module.add_function(wrap_pyfunction!(batch::batch, module)?)?;
    module.add_function(wrap_pyfunction!(answers::parse_answer, module)?)?;
    module.add_function(wrap_pyfunction!(answers::family, module)?)?;
    module.add_function(wrap_pyfunction!(answers::families, module)?)?;
    module.add_function(wrap_pyfunction!(answers::family_example, module)?)?;
    module.add_function(wrap_pyfunction!(run_command_line, module)?)?;
    Ok(())
}
