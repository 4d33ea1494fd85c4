//! Where on the screen, and at what size, targets are hit.

#![allow(clippy::disallowed_methods, reason = "bins of a report; nothing here decides geometry")]

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use super::Outcome;
use crate::geometry::centre;
use crate::stats::{Bootstrap, ClusterTally, Proportion};
use crate::truth::Dataset;

/// Columns and rows of the map.
pub(super) const MAP: [usize; 2] = [16, 9];

/// Click accuracy by the place of the target.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PlaceMap {
    /// Columns of equal width.
    pub columns: u64,
    /// Rows of equal height.
    pub rows: u64,
    /// Targets whose middle lies in a cell, row-major from the top left.
    pub n: Vec<u64>,
    /// Those that were hit.
    pub hits: Vec<u64>,
}

/// Click accuracy of targets of about a size.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SizeBin {
    /// Square root of the box's area, px: from this ..
    pub side_from_px: u64,
    /// .. to below this.
    pub side_to_px: u64,
    /// Share of hits.
    pub click: Proportion,
}

pub(super) fn place_map(dataset: &Dataset, targets: &[u32], outcomes: &[Outcome]) -> PlaceMap {
    let [columns, rows] = MAP;
    let (mut n, mut hits) = (vec![0; columns * rows], vec![0; columns * rows]);
    for &at in targets {
        let target = &dataset.targets[at as usize];
        let middle = centre(target.bbox().expect("only targets that are there"));
        let size = dataset.scene(target).size.map(f64::from);
        let cell = |axis: usize, cells: usize| ((middle[axis] / size[axis] * cells as f64).max(0.0) as usize).min(cells - 1);
        let place = cell(1, rows) * columns + cell(0, columns);
        n[place] += 1;
        hits[place] += u64::from(outcomes[at as usize].click);
    }
    PlaceMap { columns: columns as u64, rows: rows as u64, n, hits }
}

/// Bins whose limits double, from 8 px.
pub(super) fn size_bins(dataset: &Dataset, targets: &[u32], outcomes: &[Outcome], bootstrap: Bootstrap) -> Vec<SizeBin> {
    const LARGEST: usize = 9;
    let mut tallies = vec![(0_u64, ClusterTally::default()); LARGEST + 1];
    for &at in targets {
        let target = &dataset.targets[at as usize];
        let [x0, y0, x1, y1] = target.bbox().expect("only targets that are there");
        let side = ((x1 - x0) * (y1 - y0)).sqrt();
        let bin = ((side / 8.0).log2().floor() + 1.0).clamp(0.0, LARGEST as f64) as usize;
        tallies[bin].0 += 1;
        tallies[bin].1.add(target.cluster, outcomes[at as usize].click);
    }
    let limit = |bin: usize| if bin == 0 { 0 } else { 8 << (bin - 1) };
    let filled = tallies.into_iter().enumerate().filter(|(_, (n, _))| *n > 0);
    filled
        .map(|(bin, (_, tally))| SizeBin {
            side_from_px: limit(bin),
            side_to_px: limit(bin + 1),
            click: tally.proportion(bootstrap),
        })
        .collect()
}
