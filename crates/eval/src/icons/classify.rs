//! Algorithm 1: correct, biased, misleading, confusion.

use windesk_model::Error;
use windesk_model::record::ElementLayer;

use crate::exact;
use crate::geometry::{RealBox, inside_open, length, offset, squared_diagonal};
use crate::truth::{Dataset, Kind, Target};

/// Class of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Strictly inside the target's box.
    Correct,
    /// Near the target.
    Biased,
    /// Near another icon.
    Misleading,
    /// Near nothing.
    Confusion,
    /// Neither right nor biased, where other boxes are not known.
    Other,
    /// No point in the image.
    Invalid,
}

impl Class {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Correct => "correct",
            Self::Biased => "biased",
            Self::Misleading => "misleading",
            Self::Confusion => "confusion",
            Self::Other => "other",
            Self::Invalid => "invalid",
        }
    }
}

/// What distances are measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The sides of the image have length 1, as in the paper's prompt.
    Norm,
    /// Pixels.
    Px,
    /// The diagonal of the image has length 1.
    Diagonal,
}

/// In which order the rules apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Correct, near the target, near another icon, else confusion.
    Published,
    /// As published, but a point strictly inside another icon is misleading, however near the target is.
    InsideDistractorFirst,
    /// The nearest box decides between biased and misleading.
    Nearest,
}

/// Options of the classification.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IconOptions {
    /// Distances below this are near. The paper does not say; 0.05 is the smallest of its Table 1.
    pub tau: f64,
    /// What tau is measured in.
    pub unit: Unit,
    /// Order of the rules.
    pub variant: Variant,
}

impl Default for IconOptions {
    fn default() -> Self {
        Self { tau: 0.05, unit: Unit::Norm, variant: Variant::Published }
    }
}

impl IconOptions {
    /// Squares of the px that make a unit along each axis of an image.
    fn squared_units(self, size: [u32; 2]) -> [u64; 2] {
        match self.unit {
            Unit::Norm => size.map(|side| u64::from(side) * u64::from(side)),
            Unit::Px => [1, 1],
            Unit::Diagonal => [squared_diagonal(size); 2],
        }
    }
}

/// Classifies a point against the target's box and all others. Distances run to the nearest point of a box and are 0 on
/// its border, so that a click on the target's border is biased.
pub fn classify(point: [f64; 2], target: RealBox, others: &[RealBox], size: [u32; 2], options: IconOptions) -> Class {
    let units = options.squared_units(size);
    let near = |bbox: RealBox| exact::nearer(offset(bbox, point), units, options.tau);
    let distance = |bbox: RealBox| length(offset(bbox, point), units.map(|unit| (unit as f64).sqrt()));
    if inside_open(target, point) {
        return Class::Correct;
    }
    match options.variant {
        Variant::InsideDistractorFirst if others.iter().any(|&b| inside_open(b, point)) => Class::Misleading,
        Variant::Nearest if others.iter().any(|&b| near(b) && distance(b) < distance(target)) => Class::Misleading,
        _ if near(target) => Class::Biased,
        _ if others.iter().any(|&b| near(b)) => Class::Misleading,
        _ => Class::Confusion,
    }
}

/// Whether two boxes are nearer than twice tau.
pub(super) fn overlap(a: RealBox, b: RealBox, size: [u32; 2], options: IconOptions) -> bool {
    let along = |axis: usize| (a[axis] - b[axis + 2]).max(b[axis] - a[axis + 2]).max(0.0);
    exact::nearer([along(0), along(1)], options.squared_units(size), 2.0 * options.tau)
}

/// The boxes of what else could be meant: the other probes, or the other icons of the desktop; where the target is an
/// element of a window, every other element that a click can hit, except those around the target.
pub(super) fn other_boxes(dataset: &Dataset, target: &Target) -> Vec<RealBox> {
    let elements = &dataset.scene(target).elements;
    let layer = elements.get(target.element as usize).map(|e| e.layer);
    let bbox = target.bbox().unwrap_or_default();
    let counts = |b: RealBox, other: ElementLayer| match layer {
        Some(layer @ (ElementLayer::Probe | ElementLayer::Desktop)) => other == layer,
        _ => !(b[0] <= bbox[0] && b[1] <= bbox[1] && b[2] >= bbox[2] && b[3] >= bbox[3]),
    };
    let all = elements.iter().enumerate().filter(|(at, _)| *at as u32 != target.element);
    all.map(|(_, e)| (<[i32; 4]>::from(e.visible).map(f64::from), e.layer))
        .filter(|&(b, l)| counts(b, l))
        .map(|(b, _)| b)
        .collect()
}

/// The class of every target that counts, in the dataset's order; `None` for absent and further ones. A point is null
/// where a model gave none in the image. Sets with one box per image know of no others: there misleading and confusion
/// are one class.
///
/// # Errors
/// If tau is not a positive number.
pub fn classes_of(dataset: &Dataset, points: &[Option<[f64; 2]>], options: IconOptions) -> Result<Vec<Option<Class>>, Error> {
    if !(options.tau > 0.0 && options.tau.is_finite()) {
        return Err(Error::config(format!("option `tau` {}", options.tau), "expected a number above 0"));
    }
    let class = |(target, point): (&Target, &Option<[f64; 2]>)| {
        let bbox = target.bbox().filter(|_| target.counts())?;
        let Some(point) = *point else { return Some(Class::Invalid) };
        let size = dataset.scene(target).size;
        Some(match (classify(point, bbox, &other_boxes(dataset, target), size, options), dataset.kind) {
            (Class::Misleading | Class::Confusion, Kind::Boxes) => Class::Other,
            (class, _) => class,
        })
    };
    Ok(dataset.targets.iter().zip(points).map(class).collect())
}
