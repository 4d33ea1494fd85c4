//! Many pictures at once: threads fill one array.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use numpy::{IntoPyArray, PyArray4, PyArrayMethods};
use pyo3::prelude::*;
use windesk::model::geometry::Size;
use windesk::{Error, Result};

use crate::gate::detached;
use crate::maker::{Made, Maker};
use crate::scene::{Scene, checked};
use crate::sources::SceneSource;

/// How often the calling thread looks whether somebody pressed Ctrl-C.
const WATCH: Duration = Duration::from_millis(50);

/// How long the calling thread sleeps before it looks whether the work is done.
const PAUSE: Duration = Duration::from_micros(500);

/// What is asked for: index and condition.
type Asked = (u64, usize);
type Batch<'py> = (Bound<'py, PyArray4<u8>>, Vec<Scene>);

/// What the workers of a batch share.
struct Job<'a> {
    maker: &'a Arc<dyn Maker>,
    asked: &'a [Asked],
    size: Size,
    /// Whether that is the first sample's own, which all must have.
    is_own_size: bool,
    next: AtomicUsize,
    stop: AtomicBool,
    /// The samples in order, as far as they are there.
    made: Mutex<Vec<Option<Arc<dyn Made>>>>,
    failure: Mutex<Option<Error>>,
}

impl Job<'_> {
    fn work(&self, slots: &Mutex<Vec<Option<&mut [u8]>>>) {
        while !self.stop.load(Relaxed) {
            let at = self.next.fetch_add(1, Relaxed);
            if at >= self.asked.len() {
                return;
            }
            let slot = slots.lock().expect("no panic while held")[at].take().expect("each is taken once");
            match self.make(at, slot) {
                Ok(made) => self.made.lock().expect("no panic while held")[at] = Some(made),
                Err(error) => {
                    self.stop.store(true, Relaxed);
                    self.failure.lock().expect("no panic while held").get_or_insert(error);
                }
            }
        }
    }

    fn make(&self, at: usize, slot: &mut [u8]) -> Result<Arc<dyn Made>> {
        let (index, condition) = self.asked[at];
        let made = Arc::clone(self.maker).make(index)?.ok_or_else(|| hole(index))?;
        let own = made.size(condition);
        if self.is_own_size && own != self.size {
            let [first, other] = [self.size, own].map(|size| format!("{}x{}", size.width, size.height));
            let found = format!("found pictures of {first} and {other}, expected one size for all of a batch");
            return Err(Error::config("option `size`", found));
        }
        made.render_into(condition, self.size, slot)?;
        Ok(made)
    }
}

fn hole(index: u64) -> Error {
    Error::caller(format_args!("index {index}"), "found no sample, as all its draws were rejected, expected another index")
}

/// Pictures of samples as one array (uint8, samples x height x width x 3), and the samples.
#[pyfunction]
pub(crate) fn batch<'py>(
    py: Python<'py>,
    source: &SceneSource,
    asked: Vec<Asked>,
    size: Option<(u32, u32)>,
    threads: usize,
) -> PyResult<Batch<'py>> {
    let maker = Arc::clone(&source.0);
    let (rgb, size, made, interrupt) = detached(py, || fill(&maker, &asked, size, threads))?;
    if let Some(interrupt) = interrupt {
        return Err(interrupt);
    }
    let shape = [asked.len(), size.height as usize, size.width as usize, 3];
    let scenes = made.into_iter().zip(&asked).map(|(made, &(_, condition))| Scene::new(made, condition)).collect();
    Ok((rgb.into_pyarray(py).reshape(shape)?, scenes))
}

type Filled = (Vec<u8>, Size, Vec<Arc<dyn Made>>, Option<PyErr>);

fn fill(maker: &Arc<dyn Maker>, asked: &[Asked], size: Option<(u32, u32)>, threads: usize) -> Result<Filled> {
    let asked_size = checked(size)?;
    let size = match asked_size {
        Some(size) => size,
        None => match asked.first() {
            Some(&(index, condition)) => Arc::clone(maker).make(index)?.ok_or_else(|| hole(index))?.size(condition),
            None => Size { width: 0, height: 0 },
        },
    };
    let bytes = size.width as usize * size.height as usize * 3;
    let mut rgb = vec![0; bytes * asked.len()];
    let slots = Mutex::new(rgb.chunks_exact_mut(bytes.max(1)).map(Some).collect::<Vec<_>>());
    let job = Job {
        maker,
        asked,
        size,
        is_own_size: asked_size.is_none(),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        made: Mutex::new(vec![None; asked.len()]),
        failure: Mutex::default(),
    };
    let mut interrupt = None;
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.clamp(1, asked.len().max(1))).map(|_| scope.spawn(|| job.work(&slots))).collect();
        let mut waited = Duration::ZERO;
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(PAUSE);
            waited += PAUSE;
            if waited >= WATCH && interrupt.is_none() {
                waited = Duration::ZERO;
                interrupt = Python::attach(|py| py.check_signals().err());
                job.stop.fetch_or(interrupt.is_some(), Relaxed);
            }
        }
    });
    drop(slots);
    if let Some(error) = job.failure.into_inner().expect("no panic while held") {
        return Err(error);
    }
    let made = job.made.into_inner().expect("no panic while held");
    Ok((rgb, size, made.into_iter().flatten().collect(), interrupt))
}
