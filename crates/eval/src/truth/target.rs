//! What is asked for, in few bytes: there may be a million targets. Their texts and lists lie with the dataset
//! ([`super::Dataset`]), each kind in one piece.

use windesk_model::geometry::Rect;

use super::mask::MaskOf;
use super::pool::Part;
use super::{FacetsOf, Name};
use crate::geometry::{Place, inside_closed, inside_open, place_in};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its id.
    pub(super) id: Part<u8>,
    /// Index of its scene.
    pub scene: u32,
    /// Which of its scene's targets it is, from 0.
    pub ordinal: u32,
    /// The words, of the dataset's instructions.
    pub instruction: Name,
    /// Where it is.
    pub(super) shape: Shape,
    /// Whether it is an extra target of its scene, which the condition does not promise: scored apart.
    pub further: bool,
    /// Whether a drag alone does what it asks for: no click is right, so that none is scored.
    pub only_dragged: bool,
    /// Visible pixels, where the dataset records them.
    pub(super) mask: Option<MaskOf>,
    /// Boxes of interactive elements inside it.
    pub(super) nested: Part<Rect>,
    /// Index of its window, or [`super::NONE`].
    pub window: u32,
    /// Index among the scene's elements, or [`super::NONE`] if nothing of it is visible.
    pub element: u32,
    /// Indices of similar distractors among the scene's elements.
    pub(super) distractors: Part<u32>,
    /// Targets that are the same element of the same window share this.
    pub cluster: u32,
    /// What to break down by.
    pub facets: FacetsOf,
    /// `visible_px / total_px`.
    pub(super) visible_ratio: Recorded,
    /// Visible share of its gradient energy.
    pub(super) visible_ink: Recorded,
    /// Cosine to the most similar distractor.
    pub(super) cosine: Recorded,
    /// Whether its window has the focus.
    pub active: Option<bool>,
}

impl Target {
    /// Full box in px, `[x0, y0, x1, y1]`; null if it is absent.
    pub fn bbox(&self) -> Option<[f64; 4]> {
        self.shape.bbox()
    }

    /// Whether it is in the image at all.
    pub fn is_there(&self) -> bool {
        !matches!(self.shape, Shape::Absent)
    }

    /// Corners in px of a target that is no box; its box is the one around them.
    fn outline(&self) -> Option<&[[f64; 2]]> {
        match &self.shape {
            Shape::Exact(exact) => exact.outline.as_deref(),
            _ => None,
        }
    }

    /// `visible_px / total_px`, where it is recorded.
    pub fn visible_ratio(&self) -> Option<f32> {
        self.visible_ratio.value()
    }

    /// Visible share of its gradient energy, where it is recorded.
    pub fn visible_ink(&self) -> Option<f32> {
        self.visible_ink.value()
    }

    /// Cosine to the most similar distractor, if there is one.
    pub fn cosine(&self) -> Option<f32> {
        self.cosine.value()
    }

    /// Whether the dataset records its visible pixels.
    pub fn has_mask(&self) -> bool {
        self.mask.is_some()
    }

    /// Whether a click is on it, border included.
    pub fn holds(&self, point: [f64; 2]) -> bool {
        let in_box = self.bbox().is_some_and(|bbox| inside_closed(bbox, point));
        in_box && self.outline().is_none_or(|corners| place_in(corners, point) != Place::Outside)
    }

    /// Whether a click is on it, and not on the border.
    pub fn holds_strictly(&self, point: [f64; 2]) -> bool {
        let in_box = self.bbox().is_some_and(|bbox| inside_open(bbox, point));
        in_box && self.outline().is_none_or(|corners| place_in(corners, point) == Place::Inside)
    }

    /// Whether a click can be right: it is there, and takes clicks.
    pub fn takes_clicks(&self) -> bool {
        self.is_there() && !self.only_dragged
    }

    /// Whether the shares over a whole dataset count it: a click can be right, and it is no further one.
    pub fn counts(&self) -> bool {
        self.takes_clicks() && !self.further
    }
}

/// Where a target is. Boxes of records are whole px; those of other sets may be anything, and are few.
#[derive(Clone, Debug, Default)]
pub(super) enum Shape {
    /// Nowhere.
    #[default]
    Absent,
    /// In a box of whole px.
    Box(Rect),
    /// In any other box, or in a polygon.
    Exact(Box<ExactShape>),
}

/// A box between px, or a polygon.
#[derive(Clone, Debug)]
pub(super) struct ExactShape {
    /// `[x0, y0, x1, y1]`, px.
    pub(super) bbox: [f64; 4],
    /// Corners of a polygon, which the box is around.
    pub(super) outline: Option<Box<[[f64; 2]]>>,
}

impl Shape {
    /// A box `[x0, y0, x1, y1]` in px, which need not be whole.
    pub(super) fn of_box(bbox: [f64; 4]) -> Self {
        let [x0, y0, x1, y1] = bbox.map(|v| v as i32);
        let whole = Rect::new(x0, y0, x1, y1);
        // Bits tell -0 from 0, which a report would show.
        match whole.filter(|&rect| <[i32; 4]>::from(rect).map(|v| f64::from(v).to_bits()) == bbox.map(f64::to_bits)) {
            Some(rect) => Self::Box(rect),
            None => Self::Exact(ExactShape { bbox, outline: None }.into()),
        }
    }

    /// The box, or the one around a polygon.
    pub(super) fn bbox(&self) -> Option<[f64; 4]> {
        match self {
            Self::Absent => None,
            Self::Box(rect) => Some(<[i32; 4]>::from(*rect).map(f64::from)),
            Self::Exact(exact) => Some(exact.bbox),
        }
    }
}

/// A number that not every dataset records.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorded(f32);

impl Recorded {
    /// Nothing is recorded.
    pub(super) const NOT: Self = Self(f32::NAN);

    /// A number, or none. JSON knows no NaN, which stands for none here.
    pub(super) fn new(value: Option<f64>) -> Self {
        value.map_or(Self::NOT, |value| Self(value as f32))
    }

    fn value(self) -> Option<f32> {
        (!self.0.is_nan()).then_some(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_keep_every_bit() {
        let shown = |bbox: [f64; 4]| {
            let shape = Shape::of_box(bbox);
            assert_eq!(shape.bbox().unwrap().map(f64::to_bits), bbox.map(f64::to_bits));
            matches!(shape, Shape::Box(_))
        };
        assert!(shown([0.0, -3.0, 40.0, 1.0]));
        for other in [[-0.0, 0.0, 1.0, 1.0], [0.5, 0.0, 1.0, 1.0], [0.0, 0.0, 1e9, 1.0], [0.0, 0.0, 1.0, f64::MAX]] {
            assert!(!shown(other), "{other:?}");
        }
    }

    #[test]
    fn a_target_is_small() {
        assert!(size_of::<Target>() <= 120, "{} bytes: a million of them lie in memory", size_of::<Target>());
    }

    #[test]
    fn what_is_not_recorded_is_none() {
        assert_eq!(Recorded::new(Some(0.25)).value(), Some(0.25));
        assert_eq!(Recorded::new(Some(f64::MAX)).value(), Some(f32::INFINITY));
        assert_eq!(Recorded::new(None).value(), None);
    }
}
