//! Kinds of samples behind one door: whatever is a source of a dataset makes samples for Python too.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde::Serialize;
use serde_json::json;
use windesk::dataset::{SampleSource, image_path, sample_id, with_truth};
use windesk::engine::annotate::scene_line;
use windesk::engine::icon_probe::ProbePlan;
use windesk::model::geometry::Size;
use windesk::model::plan::PlannedStep;
use windesk::model::record::SceneRecord;
use windesk::model::setting::StateInstance;
use windesk::{Frame, ImageFormat, Plan, Result};

/// Indices whose plans are kept, so that the conditions or the keyframes of an index are planned once.
const KEPT: usize = 4;

/// Makes the samples of indices.
pub(crate) trait Maker: Send + Sync {
    /// Name of the dataset, and the names of its conditions in order.
    fn names(&self) -> (&str, &[String]);

    /// The samples of an index; none where all its draws were spent.
    ///
    /// # Errors
    /// If the pack is at fault.
    fn make(self: Arc<Self>, index: u64) -> Result<Option<Arc<dyn Made>>>;
}

/// The samples of an index: planned and verified. One per condition, or one per keyframe of a task; `at` is the place
/// among them.
pub(crate) trait Made: Send + Sync {
    /// How many there are.
    fn count(&self) -> usize;
    /// The line of `tasks/`; none for samples that stand alone.
    fn task_line(&self) -> Result<Option<Vec<u8>>>;
    /// The step of a task that a sample is the keyframe of, as JSON.
    fn step(&self, at: usize) -> Option<Vec<u8>>;
    /// The picture, in a size that was asked for or its own.
    fn render(&self, at: usize, size: Option<Size>) -> Result<Frame> {
        let size = size.unwrap_or_else(|| self.size(at));
        let mut frame = Frame { size, rgb: vec![0; size.width as usize * size.height as usize * 3] };
        self.render_into(at, size, &mut frame.rgb)?;
        Ok(frame)
    }
    /// The same into a place that is there already.
    fn render_into(&self, at: usize, size: Size, rgb: &mut [u8]) -> Result<()>;
    /// The picture with boxes and masks.
    fn overlay(&self, at: usize) -> Result<Frame>;
    /// The picture as the command line writes it.
    fn encode(&self, at: usize, format: ImageFormat) -> Result<Vec<u8>>;
    /// The record and the targets.
    fn truth(&self, at: usize) -> Result<Truth>;
    /// The plan as a line of `plans/`.
    fn plan_line(&self, at: usize) -> Vec<u8>;
    /// Size of the picture.
    fn size(&self, at: usize) -> Size;
    /// The sample's id.
    fn id(&self, at: usize) -> String;
}

/// What is known of a sample.
#[derive(Debug)]
pub(crate) struct Truth {
    /// The line of `scenes/`.
    pub(crate) line: Vec<u8>,
    /// The line of `states/`; none for a sample that asks for no control.
    pub(crate) state_line: Option<Vec<u8>>,
    /// Size and targets alone, as JSON: what most users need, in a hundredth of the time.
    pub(crate) targets: Vec<u8>,
}

/// What plans of all kinds of samples have.
pub(crate) trait Planned: Serialize + Send + Sync {
    /// Size of the picture.
    fn canvas(&self) -> Size;
    /// The step that the sample is the keyframe of; none for a sample that stands alone.
    fn step(&self) -> Option<&PlannedStep> {
        None
    }
}

impl Planned for Plan {
    fn canvas(&self) -> Size {
        self.canvas
    }

    fn step(&self) -> Option<&PlannedStep> {
        self.step.as_deref()
    }
}

impl Planned for ProbePlan {
    fn canvas(&self) -> Size {
        self.canvas
    }
}

/// An index with its plans.
type Kept<P> = (u64, Arc<Vec<P>>);

/// A source, with the plans that were made last.
pub(crate) struct Source<S: SampleSource> {
    source: S,
    dataset: String,
    conditions: Vec<String>,
    scenes_per_index: usize,
    kept: Mutex<VecDeque<Kept<S::Plan>>>,
}

/// The plans of an index of a source.
struct Samples<S: SampleSource> {
    source: Arc<Source<S>>,
    index: u64,
    plans: Arc<Vec<S::Plan>>,
}

impl<S: SampleSource> Source<S> {
    /// Asks once for what is the same of all samples.
    pub(crate) fn new(source: S) -> Self {
        let facts = source.facts();
        let dataset = facts.name.to_owned();
        let conditions = facts.conditions.iter().map(|name| (*name).to_owned()).collect();
        drop(facts);
        let scenes_per_index = source.scenes_per_index();
        Self { source, dataset, conditions, scenes_per_index, kept: Mutex::default() }
    }
}

impl<S> Maker for Source<S>
where
    S: SampleSource + Send + 'static,
    S::Plan: Planned,
{
    fn names(&self) -> (&str, &[String]) {
        (&self.dataset, &self.conditions)
    }

    fn make(self: Arc<Self>, index: u64) -> Result<Option<Arc<dyn Made>>> {
        let kept = self.kept.lock().expect("no panic while held").iter().find(|(of, _)| *of == index).cloned();
        let plans = match kept {
            Some((_, plans)) => plans,
            None => {
                let Some(plans) = self.source.outcome(index)?.plans else { return Ok(None) };
                Arc::new(plans)
            }
        };
        if plans.len() > 1 {
            let mut kept = self.kept.lock().expect("no panic while held");
            kept.retain(|(of, _)| *of != index);
            kept.push_front((index, Arc::clone(&plans)));
            kept.truncate(KEPT);
        }
        Ok(Some(Arc::new(Samples { source: self, index, plans })))
    }
}

impl<S> Samples<S>
where
    S: SampleSource,
    S::Plan: Planned,
{
    fn record(&self, at: usize) -> Result<SceneRecord<'_>> {
        Ok(self.with_state(at)?.0)
    }

    fn with_state(&self, at: usize) -> Result<(SceneRecord<'_>, Option<StateInstance>)> {
        let image = image_path(&self.id_of(at), self.index, self.source.scenes_per_index, ImageFormat::Png);
        self.source.source.with_state(at, &self.plans[at], image)
    }

    fn id_of(&self, at: usize) -> String {
        let plan = &self.plans[at];
        match plan.step() {
            Some(_) => self.source.source.scene_id(at, self.index, plan),
            None => sample_id(&self.source.dataset, &self.source.conditions[at], self.index),
        }
    }
}

fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("plain data");
    line.push(b'\n');
    line
}

impl<S> Made for Samples<S>
where
    S: SampleSource + Send,
    S::Plan: Planned,
{
    fn count(&self) -> usize {
        self.plans.len()
    }

    fn task_line(&self) -> Result<Option<Vec<u8>>> {
        let records = (0..self.plans.len()).map(|at| self.record(at)).collect::<Result<Vec<_>>>()?;
        Ok(self.source.source.task(&self.plans, &records).as_ref().map(line))
    }

    fn step(&self, at: usize) -> Option<Vec<u8>> {
        self.plans[at].step().map(|step| serde_json::to_vec(step).expect("plain data"))
    }

    fn render_into(&self, at: usize, size: Size, rgb: &mut [u8]) -> Result<()> {
        self.source.source.render_into(&self.plans[at], size, rgb)
    }

    fn overlay(&self, at: usize) -> Result<Frame> {
        let (record, state) = self.with_state(at)?;
        Ok(with_truth(self.render(at, None)?, &record.truth, state.as_ref()))
    }

    fn encode(&self, at: usize, format: ImageFormat) -> Result<Vec<u8>> {
        self.source.source.encode(&self.plans[at], format.into())
    }

    fn truth(&self, at: usize) -> Result<Truth> {
        let (record, state) = self.with_state(at)?;
        let targets = json!({ "width": record.width, "height": record.height, "targets": record.truth.targets });
        Ok(Truth { line: scene_line(&record), state_line: state.as_ref().map(line), targets: targets.to_string().into_bytes() })
    }

    fn plan_line(&self, at: usize) -> Vec<u8> {
        line(&self.plans[at])
    }

    fn size(&self, at: usize) -> Size {
        self.plans[at].canvas()
    }

    fn id(&self, at: usize) -> String {
        self.id_of(at)
    }
}
