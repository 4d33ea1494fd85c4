//! Calls into the engine, and the moments when the process may be forked.
//!
//! A fork copies locks as they are, but no thread that would open them. So a fork waits until no call is under way, and
//! a call that begins meanwhile waits for the fork (`windesk/__init__.py` registers both ends with the interpreter).
//! Both counters change only while the interpreter is held, so neither can change between the last look and the fork.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use pyo3::prelude::*;
use windesk::Result;

use crate::errors::raised;

/// Calls under way.
static RUNNING: AtomicUsize = AtomicUsize::new(0);
/// Forks that are about to happen: several threads may fork at once.
static FORKS: AtomicUsize = AtomicUsize::new(0);

/// How long one side waits before it looks again.
const WAIT: Duration = Duration::from_millis(1);

/// Ends a call, whatever happened in it.
struct Running;

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, SeqCst);
    }
}

/// Does work without holding the interpreter, so that other threads of Python go on.
///
/// # Errors
/// Those of the work; or what a signal raised while this waited for a fork.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    while FORKS.load(SeqCst) > 0 {
        py.detach(|| std::thread::sleep(WAIT));
        py.check_signals()?;
    }
    RUNNING.fetch_add(1, SeqCst);
    let _running = Running;
    py.detach(work).map_err(|error| raised(py, error))
}

/// Lets no new call begin and waits for those under way.
#[pyfunction]
pub(crate) fn before_fork(py: Python<'_>) {
    FORKS.fetch_add(1, SeqCst);
    while RUNNING.load(SeqCst) > 0 {
        py.detach(|| std::thread::sleep(WAIT));
    }
}

/// Lets calls begin again in the parent.
#[pyfunction]
pub(crate) fn after_fork_in_parent() {
    FORKS.fetch_sub(1, SeqCst);
}

/// Lets calls begin again in the child, where no other thread is left that could fork.
#[pyfunction]
pub(crate) fn after_fork_in_child() {
    FORKS.store(0, SeqCst);
}
