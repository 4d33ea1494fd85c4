//! From points to values: what clicks and drags set a control to.

use std::collections::BTreeSet;

use windesk_model::geometry::{Point, Rect};
use windesk_model::pack_format::living::{Axis, Control, PointMap, Rounding, Scale, Value};

/// The value that a point stands for; `None` where the map says nothing.
pub fn value_at(map: &PointMap, at: Point) -> Option<Value> {
    match map {
        PointMap::Regions { regions } => regions.iter().find(|r| r.rect.contains(at)).map(|r| r.value.clone()),
        PointMap::Linear { area, axis, scale } => area.contains(at).then(|| Value::Number(number_at(scale, along(*axis, at)))),
        PointMap::Stops { area, axis, stops } => {
            let position = along(*axis, at);
            let stop = stops.iter().rev().find(|stop| stop.from <= position);
            stop.filter(|_| area.contains(at)).map(|stop| stop.value.clone())
        }
        PointMap::Plane { area, x, y } => area.contains(at).then(|| Value::Pair([number_at(x, at.x), number_at(y, at.y)])),
    }
}

/// The boxes outside of which a map says nothing.
pub(super) fn areas(map: &PointMap) -> Vec<Rect> {
    match map {
        PointMap::Regions { regions } => regions.iter().map(|region| region.rect).collect(),
        PointMap::Linear { area, .. } | PointMap::Stops { area, .. } | PointMap::Plane { area, .. } => vec![*area],
    }
}

/// Every value that a click on the control, or a drag of it, can set. Of a plane, the values at its edges.
pub fn reachable(control: &Control) -> BTreeSet<Value> {
    let drag = control.drag_map.as_ref().map(|drag| &drag.release);
    control.click_map.iter().chain(drag).flat_map(values).collect()
}

fn values(map: &PointMap) -> BTreeSet<Value> {
    match map {
        PointMap::Regions { regions } => regions.iter().map(|region| region.value.clone()).collect(),
        PointMap::Stops { stops, .. } => stops.iter().map(|stop| stop.value.clone()).collect(),
        PointMap::Linear { area, axis, scale } => {
            let (first, end) = match axis {
                Axis::X => (area.x0(), area.x1()),
                Axis::Y => (area.y0(), area.y1()),
            };
            (first..end).map(|position| Value::Number(number_at(scale, position))).collect()
        }
        PointMap::Plane { area, .. } => area.corners().into_iter().filter_map(|corner| value_at(map, corner)).collect(),
    }
}

fn along(axis: Axis, at: Point) -> i32 {
    match axis {
        Axis::X => at.x,
        Axis::Y => at.y,
    }
}

/// The number at a position: within the scale's two ends, a whole number of steps from the first.
pub(super) fn number_at(scale: &Scale, position: i32) -> f64 {
    let share = f64::from(position - scale.from) / f64::from(scale.to - scale.from);
    let steps = share.clamp(0.0, 1.0) * (scale.last - scale.first).abs() / scale.step;
    let whole = match scale.rounding {
        Rounding::Nearest => (steps + 0.5).floor(),
        Rounding::Down => steps.floor(),
    };
    let most = ((scale.last - scale.first).abs() / scale.step + 0.5).floor();
    let way = if scale.last < scale.first { -scale.step } else { scale.step };
    scale.first + whole.min(most) * way
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(first: f64, last: f64, step: f64, rounding: Rounding) -> PointMap {
        let scale = Scale { from: 10, to: 110, first, last, step, rounding };
        PointMap::Linear { area: Rect::at(0, 0, 120, 20), axis: Axis::X, scale }
    }

    fn number(map: &PointMap, x: i32) -> Option<f64> {
        match value_at(map, Point { x, y: 5 })? {
            Value::Number(number) => Some(number),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn scales_are_even_and_end_at_their_ends() {
        let map = linear(0.0, 50.0, 1.0, Rounding::Nearest);
        assert_eq!([0, 10, 11, 12, 109, 110, 119].map(|x| number(&map, x)), [0.0, 0.0, 1.0, 1.0, 50.0, 50.0, 50.0].map(Some));
        assert_eq!(number(&map, 120), None);
        let down = linear(0.0, 50.0, 1.0, Rounding::Down);
        assert_eq!([11, 12, 109, 110].map(|x| number(&down, x)), [0.0, 1.0, 49.0, 50.0].map(Some));
        let falling = linear(1.0, -1.0, 0.5, Rounding::Nearest);
        assert_eq!([10, 60, 110].map(|x| number(&falling, x)), [1.0, 0.0, -1.0].map(Some));
    }
}
