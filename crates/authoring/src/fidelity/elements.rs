//! Boxes and visible ratios of elements: what the engine says against what was on the screen.

use serde::Serialize;

use windesk_engine::pack::{Element, Pack};
use windesk_engine::visibility::{Solid, visible};
use windesk_model::Error;
use windesk_model::geometry::Rect;

use super::real::{RealDesktop, RealElement};

/// Boxes of a capture's elements, moved to the window's place, against those that were reported there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BoxReport {
    /// Elements that are in both.
    pub compared: usize,
    /// Those of them with the same box.
    pub equal: usize,
    /// Reported on the desktop, not in the capture.
    pub only_on_desktop: usize,
    /// In the capture, not reported on the desktop.
    pub only_in_capture: usize,
    /// Boxes that differ, at most twenty.
    pub differing: Vec<DifferingBox>,
}

/// A box that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DifferingBox {
    /// The window's id.
    pub window: String,
    /// Role and name.
    pub role: String,
    /// Its name.
    pub name: String,
    /// On the desktop.
    pub real: Rect,
    /// From the capture.
    pub made: Rect,
}

/// Visible ratios of elements that something covers in part, on the desktop or in its rebuilt scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct VisibilityReport {
    /// Elements with a ratio between 0 and 1.
    pub occluded: usize,
    /// Those of them whose ratio is the same to within 1 %.
    pub within_one_percent: usize,
    /// The largest difference of ratios.
    pub largest_difference: f64,
    /// The element that has it, as `<window>#<element>`.
    pub largest_at: Option<String>,
    /// Share of the screen's pixels that belong to the same window in both, 0..=1.
    pub same_owner: f64,
}

/// Boxes that a report names.
const MAX_DIFFERING: usize = 20;

/// Compares all windows of a desktop.
pub(super) fn compare(pack: &Pack, real: &RealDesktop) -> Result<(BoxReport, VisibilityReport), Error> {
    let placed = real.placements(pack)?;
    let pixels = placed
        .iter()
        .map(|p| pack.captured_pixels(p.window, pack.focus_of(p.window, p.active)))
        .collect::<Result<Vec<_>, _>>()?;
    let layers: Vec<Solid> = pixels.iter().zip(&placed).map(|(pixels, p)| Solid::Window(pixels.shape(), p.origin)).collect();
    let stack = visible(real.canvas, &layers);
    let (mut boxes, mut visibility) = (BoxReport::default(), VisibilityReport::default());
    let mut same = 0;
    for (position, (place, window)) in placed.iter().zip(&real.windows).enumerate() {
        let record = &pack.windows[place.window];
        let owner = position as u8 + 1;
        let seen = &stack.layers[position];
        same += seen.clipped(real.canvas.rect()).map(|(y, a, b)| owned(real, Rect::at(a, y, b - a, 1), owner)).sum::<u64>();
        let captured: Vec<(&Element, Rect)> =
            record.elements.iter().filter(|e| e.popup.is_none()).map(|e| (e, e.bbox.moved(place.origin))).collect();
        boxes.add(&window.window, &captured, &window.elements);
        for element in &record.elements {
            let total = pixels[position].shape().count_in(element.bbox);
            let bbox = element.bbox.moved(place.origin);
            let ratio = |count: u64| count as f64 / total.max(1) as f64;
            let (made, counted) = (ratio(seen.count_in(bbox)), ratio(owned(real, bbox, owner)));
            visibility.add(made, counted, || format!("{}#{}", record.id, element.id));
        }
    }
    same += stack.ground.clipped(real.canvas.rect()).map(|(y, a, b)| owned(real, Rect::at(a, y, b - a, 1), 0)).sum::<u64>();
    visibility.same_owner = same as f64 / real.canvas.rect().area() as f64;
    Ok((boxes, visibility))
}

/// How many pixels of a box belonged to a window on the real screen: counted one by one.
fn owned(real: &RealDesktop, bbox: Rect, owner: u8) -> u64 {
    let Some(part) = bbox.intersection(real.canvas.rect()) else { return 0 };
    let width = real.canvas.width as usize;
    let rows = part.y0() as usize..part.y1() as usize;
    rows.map(|y| {
        let row = &real.owners[y * width + part.x0() as usize..y * width + part.x1() as usize];
        row.iter().filter(|&&found| found == owner).count() as u64
    })
    .sum()
}

impl BoxReport {
    /// Pairs elements of the same role and name: those with equal boxes first, the others in order.
    fn add(&mut self, window: &str, captured: &[(&Element, Rect)], reported: &[RealElement]) {
        let mut free: Vec<bool> = vec![true; captured.len()];
        let same = |real: &RealElement, element: &Element| real.role == element.role && real.name == element.name;
        let mut left = Vec::new();
        for real in reported {
            match (0..captured.len()).find(|&at| free[at] && same(real, captured[at].0) && captured[at].1 == real.bbox) {
                Some(at) => {
                    free[at] = false;
                    self.compared += 1;
                    self.equal += 1;
                }
                None => left.push(real),
            }
        }
        for real in left {
            let Some(at) = (0..captured.len()).find(|&at| free[at] && same(real, captured[at].0)) else {
                self.only_on_desktop += 1;
                continue;
            };
            free[at] = false;
            self.compared += 1;
            if self.differing.len() < MAX_DIFFERING {
                let (role, name) = (real.role.clone(), real.name.clone());
                self.differing.push(DifferingBox {
                    window: window.to_owned(),
                    role,
                    name,
                    real: real.bbox,
                    made: captured[at].1,
                });
            }
        }
        self.only_in_capture += free.iter().filter(|free| **free).count();
    }
}

impl VisibilityReport {
    fn add(&mut self, made: f64, real: f64, name: impl FnOnce() -> String) {
        let partial = |ratio: f64| ratio > 0.0 && ratio < 1.0;
        if !partial(made) && !partial(real) {
            return;
        }
        let difference = (made - real).abs();
        self.occluded += 1;
        self.within_one_percent += usize::from(difference <= super::GOAL_RATIO);
        if difference > self.largest_difference {
            (self.largest_difference, self.largest_at) = (difference, Some(name()));
        }
    }
}
