//! Kinds of samples behind one door: whatever is a source of a dataset makes samples for Python too.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::json;
use windesk::dataset::{SampleSource, image_path, sample_id, scene_line};
use windesk::engine::render::paint_overlay;
use windesk::model::geometry::Size;
use windesk::model::record::SceneRecord;
use windesk::{Frame, ImageFormat, Result};

/// Indices whose plans are kept, so that the conditions of an index are planned once.
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

/// The samples of an index, one per condition: planned and verified.
pub(crate) trait Made: Send + Sync {
    /// The picture, in a size that was asked for or its own.
    fn render(&self, condition: usize, size: Option<Size>) -> Result<Frame> {
        let size = size.unwrap_or_else(|| self.size(condition));
        let mut frame = Frame { size, rgb: vec![0; size.width as usize * size.height as usize * 3] };
        self.render_into(condition, size, &mut frame.rgb)?;
        Ok(frame)
    }
    /// The same into a place that is there already.
    fn render_into(&self, condition: usize, size: Size, rgb: &mut [u8]) -> Result<()>;
    /// The picture with boxes and masks.
    fn overlay(&self, condition: usize) -> Result<Frame>;
    /// The picture as the command line writes it.
    fn encode(&self, condition: usize, format: ImageFormat) -> Result<Vec<u8>>;
    /// The record and the targets.
    fn truth(&self, condition: usize) -> Result<Truth>;
    /// The plan as a line of `plans/`.
    fn plan_line(&self, condition: usize) -> Vec<u8>;
    /// Size of the picture.
    fn size(&self, condition: usize) -> Size;
    /// The sample's id.
    fn id(&self, condition: usize) -> String;
}

/// What is known of a sample.
#[derive(Debug)]
pub(crate) struct Truth {
    /// The line of `scenes/`.
    pub(crate) line: Vec<u8>,
    /// Size and targets alone, as JSON: what most users need, in a hundredth of the time.
    pub(crate) targets: Vec<u8>,
}

/// An index with its plans.
type Kept<P> = (u64, Arc<Vec<P>>);

/// A source, with the plans that were made last.
pub(crate) struct Source<S: SampleSource> {
    source: S,
    dataset: String,
    conditions: Vec<String>,
    canvas: fn(&S::Plan) -> Size,
    kept: Mutex<VecDeque<Kept<S::Plan>>>,
}

/// The plans of an index of a source.
struct Samples<S: SampleSource> {
    source: Arc<Source<S>>,
    index: u64,
    plans: Arc<Vec<S::Plan>>,
}

impl<S: SampleSource> Source<S> {
    /// `canvas` tells the size of a plan's picture.
    pub(crate) fn new(source: S, canvas: fn(&S::Plan) -> Size) -> Self {
        let facts = source.facts();
        let dataset = facts.name.to_owned();
        let conditions = facts.conditions.iter().map(|name| (*name).to_owned()).collect();
        drop(facts);
        Self { source, dataset, conditions, canvas, kept: Mutex::default() }
    }
}

impl<S> Maker for Source<S>
where
    S: SampleSource + Send + 'static,
    S::Plan: Send + Sync,
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

impl<S: SampleSource> Samples<S> {
    fn record(&self, condition: usize) -> Result<SceneRecord<'_>> {
        let source = &self.source.source;
        let image = image_path(&self.id_of(condition), self.index, source.scenes_per_index(), ImageFormat::Png);
        source.record(condition, &self.plans[condition], image)
    }

    fn id_of(&self, condition: usize) -> String {
        sample_id(&self.source.dataset, &self.source.conditions[condition], self.index)
    }
}

impl<S> Made for Samples<S>
where
    S: SampleSource + Send,
    S::Plan: Send + Sync,
{
    fn render_into(&self, condition: usize, size: Size, rgb: &mut [u8]) -> Result<()> {
        self.source.source.render_into(&self.plans[condition], size, rgb)
    }

    fn overlay(&self, condition: usize) -> Result<Frame> {
        Ok(paint_overlay(self.render(condition, None)?, &self.record(condition)?.truth))
    }

    fn encode(&self, condition: usize, format: ImageFormat) -> Result<Vec<u8>> {
        self.source.source.encode(&self.plans[condition], format.into())
    }

    fn truth(&self, condition: usize) -> Result<Truth> {
        let record = self.record(condition)?;
        let targets = json!({ "width": record.width, "height": record.height, "targets": record.truth.targets });
        Ok(Truth { line: scene_line(&record), targets: targets.to_string().into_bytes() })
    }

    fn plan_line(&self, condition: usize) -> Vec<u8> {
        let mut line = serde_json::to_vec(&self.plans[condition]).expect("plain data");
        line.push(b'\n');
        line
    }

    fn size(&self, condition: usize) -> Size {
        (self.source.canvas)(&self.plans[condition])
    }

    fn id(&self, condition: usize) -> String {
        self.id_of(condition)
    }
}
