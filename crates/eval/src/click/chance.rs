//! What clicks anywhere in the image would hit: the floor under every score.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use windesk_model::geometry::{Point, Rect};

use super::breakdown::has_masks;
use crate::truth::{Dataset, Mask, Target};

/// The accuracy to expect of clicks that fall anywhere in the image with the same chance: the mean share of the image
/// that targets take.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Chance {
    /// The condition; null for all of them.
    pub condition: Option<String>,
    /// Share of the image in the target's box, in 0..=1.
    pub click: f64,
    /// Share of the image that is a visible pixel of the target, in 0..=1; null without masks.
    pub visible: Option<f64>,
}

/// Shares of the image, summed over targets.
#[derive(Clone, Copy, Default)]
struct Sum {
    click: f64,
    visible: f64,
    n: u32,
}

/// Over everything, then by condition.
pub(super) fn chances(dataset: &Dataset, targets: &[u32]) -> Vec<Chance> {
    let masks = has_masks(dataset);
    let mut sums = vec![Sum::default(); dataset.conditions.len()];
    for &at in targets {
        let target = &dataset.targets[at as usize];
        let scene = dataset.scene(target);
        let condition = dataset.conditions.iter().position(|c| *c == scene.condition).expect("every scene's condition is listed");
        let sum = &mut sums[condition];
        sum.click += share_of_box(target, scene.size);
        sum.visible += share_of_mask(dataset, target, scene.size);
        sum.n += 1;
    }
    let all =
        sums.iter().fold(Sum::default(), |a, b| Sum { click: a.click + b.click, visible: a.visible + b.visible, n: a.n + b.n });
    let chance = |condition: Option<String>, sum: &Sum| {
        let mean = |total: f64| total / f64::from(sum.n.max(1));
        Chance { condition, click: mean(sum.click), visible: masks.then(|| mean(sum.visible)) }
    };
    let several = dataset.conditions.len() > 1;
    let by_condition = dataset.conditions.iter().zip(&sums).filter(|_| several);
    std::iter::once(chance(None, &all))
        .chain(by_condition.map(|(name, sum)| chance(Some(dataset.names.text(*name).to_owned()), sum)))
        .collect()
}

fn share_of_box(target: &Target, size: [u32; 2]) -> f64 {
    let [x0, y0, x1, y1] = target.bbox().expect("only targets that are there");
    let [width, height] = size.map(f64::from);
    let side = |from: f64, to: f64, most: f64| (to.min(most) - from.max(0.0)).max(0.0);
    side(x0, x1, width) * side(y0, y1, height) / (width * height)
}

fn share_of_mask(dataset: &Dataset, target: &Target, [width, height]: [u32; 2]) -> f64 {
    let Some(mask) = dataset.mask(target) else { return 0.0 };
    let nested = dataset.nested(target);
    let seen_nested = nested.iter().enumerate().map(|(at, rect)| seen_in(mask, *rect, &nested[..at])).sum::<u64>();
    (mask.visible_px() - seen_nested) as f64 / (f64::from(width) * f64::from(height))
}

/// Visible pixels in a box that are in none of those before it.
fn seen_in(mask: Mask<'_>, rect: Rect, before: &[Rect]) -> u64 {
    // No further than the mask: boxes of nested elements come from files.
    let Some([x0, y0, x1, y1]) = mask.extent().and_then(|all| all.intersection(rect)).map(<[i32; 4]>::from) else { return 0 };
    let pixels = (y0..y1).flat_map(|y| (x0..x1).map(move |x| Point { x, y }));
    pixels.filter(|p| mask.shows(p.x, p.y) && !before.iter().any(|b| b.contains(*p))).count() as u64
}
