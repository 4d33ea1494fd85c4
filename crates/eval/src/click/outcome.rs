//! What one click did.

use std::collections::BTreeMap;

use serde::Serialize;

use windesk_model::record::ElementLayer;

use crate::exact;
use crate::geometry::{centre, diagonal, from_to, in_image, inside_closed, length, offset};
use crate::predictions::Prediction;
use crate::truth::{Dataset, NONE, Target};

/// How a target was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A click in the image.
    Answered,
    /// No line, or a line that says nothing.
    NoPrediction,
    /// An answer that can't be read.
    WrongFormat,
    /// A click outside of the image.
    OutOfImage,
    /// The model says that the target is not there.
    Refused,
}

impl Status {
    /// All.
    pub const ALL: [Self; 5] = [Self::Answered, Self::NoPrediction, Self::WrongFormat, Self::OutOfImage, Self::Refused];

    /// How an answer is to be taken: outside the image only if all points are that count, the first one or all.
    pub fn of(said: Option<&Prediction>, size: [u32; 2], first_only: bool) -> Self {
        match said {
            Some(Prediction::Points(points))
                if points.iter().take(if first_only { 1 } else { points.len() }).any(|&p| in_image(size, p)) =>
            {
                Self::Answered
            }
            Some(Prediction::Drag(ends)) if ends.iter().all(|&end| in_image(size, end)) => Self::Answered,
            Some(Prediction::Points(_) | Prediction::Drag(_)) => Self::OutOfImage,
            Some(Prediction::Refusal) => Self::Refused,
            Some(Prediction::WrongFormat) => Self::WrongFormat,
            Some(Prediction::Nothing) | None => Self::NoPrediction,
        }
    }

    /// Counts of answers by name, all names included.
    pub fn counts(all: impl Iterator<Item = Self>) -> BTreeMap<String, u64> {
        let mut counts: BTreeMap<String, u64> = Self::ALL.iter().map(|s| (s.name().to_owned(), 0)).collect();
        all.for_each(|status| *counts.entry(status.name().to_owned()).or_default() += 1);
        counts
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::NoPrediction => "no_prediction",
            Self::WrongFormat => "wrong_format",
            Self::OutOfImage => "out_of_image",
            Self::Refused => "refused",
        }
    }
}

/// What lies under a click, topmost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hit {
    /// A visible pixel of the target.
    Target,
    /// A control inside the target, such as a tab's close button.
    NestedControl,
    /// A similar distractor.
    Distractor,
    /// A window that covers the target.
    Occluder,
    /// Another element of the target's window.
    TargetWindowElement,
    /// The target's window where there is nothing to act on.
    TargetWindow,
    /// Any other window.
    OtherWindow,
    /// The taskbar.
    Taskbar,
    /// An icon on the desktop.
    DesktopIcon,
    /// A probe icon that is not the target.
    ProbeIcon,
    /// The wallpaper.
    Wallpaper,
}

impl Hit {
    /// All, in the order of reports.
    pub const ALL: [Self; 11] = [
        Self::Target,
        Self::NestedControl,
        Self::Distractor,
        Self::Occluder,
        Self::TargetWindowElement,
        Self::TargetWindow,
        Self::OtherWindow,
        Self::Taskbar,
        Self::DesktopIcon,
        Self::ProbeIcon,
        Self::Wallpaper,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Target => "target",
            Self::NestedControl => "nested_control",
            Self::Distractor => "distractor",
            Self::Occluder => "occluder",
            Self::TargetWindowElement => "target_window_element",
            Self::TargetWindow => "target_window",
            Self::OtherWindow => "other_window",
            Self::Taskbar => "taskbar",
            Self::DesktopIcon => "desktop_icon",
            Self::ProbeIcon => "probe_icon",
            Self::Wallpaper => "wallpaper",
        }
    }
}

/// What a model's answer about a target came to. Compact: there is one per target and model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How it was answered.
    pub status: Status,
    /// Whether the click is in the target's box (or outline), border included.
    pub click: bool,
    /// Whether it is on a visible pixel of the target; null without a mask.
    pub visible: Option<bool>,
    /// What it hit; null for sets without elements and unless there is a click.
    pub hit: Option<Hit>,
    /// The click in px. Meaningless unless answered.
    pub point: [f64; 2],
}

impl Outcome {
    /// For a target that no line answers.
    pub const MISSING: Self =
        Self { status: Status::NoPrediction, click: false, visible: Some(false), hit: None, point: [0.0; 2] };
}

/// How far a click is from a target's box, and from its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// To the nearest point of the box, px.
    pub box_px: f64,
    /// To the middle of the box, px.
    pub centre_px: f64,
    /// To the nearest point of the box along each axis, px.
    to_box: [f64; 2],
    size: [u32; 2],
    /// The image's diagonal, px.
    pub diagonal_px: f64,
}

impl Scored {
    /// Of a click.
    pub fn of(bbox: [f64; 4], point: [f64; 2], size: [u32; 2]) -> Self {
        let (to_box, middle) = (offset(bbox, point), centre(bbox));
        Self {
            box_px: length(to_box, [1.0, 1.0]),
            centre_px: length(from_to(middle, point), [1.0, 1.0]),
            diagonal_px: diagonal(size),
            to_box,
            size,
        }
    }

    /// To the nearest point of the box, with both axes of the image as 1.
    pub fn box_norm(&self) -> f64 {
        length(self.to_box, self.size.map(f64::from))
    }

    /// Whether the nearest point of the box is nearer than `limit`, with both axes of the image as 1.
    pub fn nearer_than(&self, limit: f64) -> bool {
        exact::nearer(self.to_box, self.size.map(|side| u64::from(side) * u64::from(side)), limit)
    }
}

/// Scores an answer: the first of several points counts.
pub fn score(dataset: &Dataset, target: &Target, said: &Prediction) -> Outcome {
    let missed = |status| Outcome { status, visible: target.has_mask().then_some(false), ..Outcome::MISSING };
    let point = match said {
        Prediction::Points(points) => points[0],
        Prediction::Refusal => return missed(Status::Refused),
        Prediction::Nothing => return missed(Status::NoPrediction),
        // Nothing is dragged where a click is asked for.
        Prediction::WrongFormat | Prediction::Drag(_) => return missed(Status::WrongFormat),
    };
    let scene = dataset.scene(target);
    let click = target.holds(point);
    if !in_image(scene.size, point) {
        // A box may reach beyond the image; a click there is no click on the screen.
        return Outcome { point, ..missed(Status::OutOfImage) };
    }
    let [x, y] = [0, 1].map(|axis| (point[axis].floor() as i32).min(scene.size[axis] as i32 - 1));
    let hit = (!scene.windows.is_empty() || !scene.elements.is_empty()).then(|| what_is_at(dataset, target, x, y));
    let visible = target.has_mask().then(|| hit == Some(Hit::Target));
    Outcome { status: Status::Answered, click, visible, hit, point }
}

/// What the pixel belongs to. Windows are taken as their frames and popups: of their rounded corners the record keeps
/// no trace.
fn what_is_at(dataset: &Dataset, target: &Target, x: i32, y: i32) -> Hit {
    let scene = dataset.scene(target);
    let pixel = windesk_model::geometry::Point { x, y };
    if dataset.mask(target).is_some_and(|mask| mask.shows(x, y)) {
        let nested = dataset.nested(target).iter().any(|n| n.contains(pixel));
        return if nested { Hit::NestedControl } else { Hit::Target };
    }
    let under = |layer: ElementLayer| scene.elements.iter().any(|e| e.layer == layer && e.visible.contains(pixel));
    if under(ElementLayer::Taskbar) {
        return Hit::Taskbar;
    }
    let owner = scene
        .windows
        .iter()
        .enumerate()
        .filter(|(_, w)| w.rect.contains(pixel) || w.popups.iter().any(|p| p.contains(pixel)))
        .max_by_key(|(_, w)| w.z);
    let Some((at, window)) = owner else {
        return if under(ElementLayer::Probe) {
            Hit::ProbeIcon
        } else if under(ElementLayer::Desktop) {
            Hit::DesktopIcon
        } else {
            Hit::Wallpaper
        };
    };
    // Whichever window lies over the target's box there, a click on it is a click on what hides the target.
    let covers_target = target.bbox().is_some_and(|b| inside_closed(b, [f64::from(x) + 0.5, f64::from(y) + 0.5]));
    let of_owner = |e: &crate::truth::ElementBox| e.window == at as u32 && e.visible.contains(pixel);
    if dataset.distractors(target).iter().any(|&d| of_owner(&scene.elements[d as usize])) {
        Hit::Distractor
    } else if window.occluder || at as u32 != target.window && covers_target {
        Hit::Occluder
    } else if target.window != NONE && at as u32 == target.window {
        let other = scene.elements.iter().enumerate().any(|(i, e)| i as u32 != target.element && of_owner(e));
        if other { Hit::TargetWindowElement } else { Hit::TargetWindow }
    } else {
        Hit::OtherWindow
    }
}
