//! Sequences: tasks of ordered steps that stop at the first miss (MedSPOT).

use std::borrow::Cow;

mod failure;
mod medspot;
mod published;
mod read;
mod report;
mod scores;
mod tasks;

pub use crate::asked::Asked;
pub use failure::{Failure, failure_of};
pub use published::{SCRIPTS, Script};
pub use read::read_tasks;
pub use report::{PositionRow, SequenceModel, SequenceReport, StepKindRow, StratumRow, sequence_model, sequence_report};
pub use scores::{SequenceScores, StepOutcome, step_outcomes};
pub use tasks::{OTHER_ACTIONS, Step, Task, TaskOptions, Tasks};

use super::exact;
use super::geometry::{grown, in_image, inside_closed};
use super::predictions::Prediction;

/// What becomes of a point outside the image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// It hits nothing: on a real screen nobody can click there.
    #[default]
    Missed,
    /// It is moved to the nearest border of the image.
    Clamped,
    /// It is judged like any other: boxes and patches may reach beyond the image.
    Judged,
}

/// The square around a point that may touch the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Patch {
    /// Half its side, px.
    Px(f64),
    /// Half its side as a share of the image's shorter side.
    ShorterSide(f64),
}

impl Default for Patch {
    fn default() -> Self {
        Self::Px(0.0)
    }
}

/// How a step is hit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HitRule {
    /// What becomes of points outside the image.
    pub outside: Outside,
    /// What may touch the box besides the point.
    pub patch: Patch,
    /// Whether only the first of several points counts.
    pub first_only: bool,
    /// Whether the other places of a step count where a click is as good.
    pub also_valid: bool,
}

impl HitRule {
    /// What counts of an answer with several points.
    fn counted(self, said: Option<&Prediction>) -> Option<Cow<'_, Prediction>> {
        Some(match said? {
            Prediction::Points(points) if self.first_only => Cow::Owned(Prediction::Points(vec![points[0]])),
            other => Cow::Borrowed(other),
        })
    }

    /// The points that are judged, as they are judged.
    fn judged(self, size: [u32; 2], said: Option<&Prediction>) -> Vec<[f64; 2]> {
        let said = self.counted(said);
        let Some(Prediction::Points(counted)) = said.as_deref() else { return Vec::new() };
        let clamped = |p: [f64; 2]| [0, 1].map(|axis| p[axis].clamp(0.0, f64::from(size[axis])));
        match self.outside {
            Outside::Missed => counted.iter().copied().filter(|&p| in_image(size, p)).collect(),
            Outside::Clamped => counted.iter().copied().map(clamped).collect(),
            Outside::Judged => counted.to_vec(),
        }
    }

    /// Whether any of the candidates hits the box, border included.
    pub fn hits(self, bbox: [f64; 4], size: [u32; 2], said: Option<&Prediction>) -> bool {
        let half = match self.patch {
            Patch::Px(px) => px,
            Patch::ShorterSide(share) => exact::scaled(share, size[0].min(size[1]), 1),
        };
        let accepted = grown(bbox, half);
        self.judged(size, said).iter().any(|&p| inside_closed(accepted, p))
    }
}
