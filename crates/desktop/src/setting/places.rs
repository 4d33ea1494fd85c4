//! Places that a divider, or an edge of a crop frame, can be asked to have: the screen shows no values of these
//! controls, so that only what an eye can tell is asked for. Nothing is drawn.
//!
//! A place counts if the act lands on it, if what lies a little beside it (as far as a careful eye errs) sets the same
//! value, and if no other value of the control comes near it.

use std::collections::BTreeMap;

use windesk_engine::pack::Element;
use windesk_engine::pack::living::{DragReach, Living, act, elements_in};
use windesk_model::geometry::Rect;
use windesk_model::pack_format::living::{Axis, Control, ControlType, PointMap, Value};
use windesk_model::page_state::{PageState, WindowEvent};
use windesk_model::setting::Act;

/// Where a divider, or an edge of a crop frame, is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// As far to the left, or up, as it goes.
    First,
    /// As far to the right, or down, as it goes.
    Last,
    /// At so many parts of so many, from the left or the top, of both panes together or of the picture.
    Share([i32; 2]),
    /// Where the frame is as wide as high.
    Square,
    /// Where the frame measures this many parts of so many of what it does now, across the edge.
    Times([i32; 2]),
}

/// The shares that an eye can tell.
const SHARES: [[i32; 2]; 5] = [[1, 2], [1, 3], [2, 3], [1, 4], [3, 4]];

/// How far a careful eye errs: this share of a length, and at least so many px.
const EYE: ([i32; 2], i32) = ([1, 64], 4);

/// How far boxes of things that touch may lie apart, px: edges are rounded.
const TOUCH_PX: i32 = 2;

/// Edges of a box along an axis.
fn along(rect: Rect, axis: Axis) -> [i32; 2] {
    match axis {
        Axis::X => [rect.x0(), rect.x1()],
        Axis::Y => [rect.y0(), rect.y1()],
    }
}

fn across(axis: Axis) -> Axis {
    match axis {
        Axis::X => Axis::Y,
        Axis::Y => Axis::X,
    }
}

/// What lies about a divider, or an edge of a crop frame, as a screen shows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight<'e> {
    pub(super) axis: Axis,
    /// Middle of the handle along the axis, px of the page.
    at: i32,
    pub(super) parts: Parts<'e>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Parts<'e> {
    /// The panes before and after a divider.
    Panes([&'e Element; 2]),
    /// The frame, the picture that it lies on, and whether the edge is its right or lower one.
    Frame { frame: Rect, picture: Rect, is_end: bool },
}

impl<'e> Sight<'e> {
    /// What lies about a control; null if it is no such control, or if its panes or its picture are not known.
    pub(super) fn of(elements: &'e [Element], control: &Control) -> Option<Self> {
        let map = control.drag_map.as_ref()?;
        let (PointMap::Stops { axis, .. } | PointMap::Linear { axis, .. }) = map.release else { return None };
        let handle = elements.iter().find(|element| element.id == control.element)?.bbox;
        let [from, to] = along(handle, axis);
        let at = (from + to) / 2;
        let parts = match control.kind {
            ControlType::Splitter => Self::panes(elements, control, handle, axis)?,
            ControlType::CropHandle => Self::frame(elements, handle, axis)?,
            _ => return None,
        };
        Some(Self { axis, at, parts })
    }

    /// The boxes that touch a divider on both sides and are as high, or wide, as it.
    fn panes(elements: &'e [Element], control: &Control, handle: Rect, axis: Axis) -> Option<Parts<'e>> {
        let near = |one: i32, other: i32| (one - other).abs() <= TOUCH_PX;
        let ([from, to], beside) = (along(handle, axis), along(handle, across(axis)));
        let is_as_high = |e: &&Element| {
            let own = along(e.bbox, across(axis));
            e.id != control.element && near(own[0], beside[0]) && near(own[1], beside[1])
        };
        let mut fitting = elements.iter().filter(is_as_high);
        let before = fitting.clone().find(|e| near(along(e.bbox, axis)[1], from))?;
        let after = fitting.find(|e| near(along(e.bbox, axis)[0], to))?;
        Some(Parts::Panes([before, after]))
    }

    /// The frame whose edge has its middle where the handle is, and the picture around it.
    fn frame(elements: &'e [Element], handle: Rect, axis: Axis) -> Option<Parts<'e>> {
        let reach = handle.width().max(handle.height()).max(TOUCH_PX);
        let near = |one: i32, other: i32| 2 * (one - other).abs() <= reach;
        let middle = |rect: Rect, axis: Axis| along(rect, axis).iter().sum::<i32>() / 2;
        let at = middle(handle, axis);
        let is_on = |rect: Rect| near(middle(rect, across(axis)), middle(handle, across(axis)));
        let images = || elements.iter().filter(|e| e.role == "image").map(|e| e.bbox);
        let on_edge = |rect: &Rect| is_on(*rect) && along(*rect, axis).into_iter().any(|edge| near(edge, at));
        let frame = images().filter(on_edge).min_by_key(|rect| rect.area())?;
        let around = |rect: &Rect| *rect != frame && rect.area() > frame.area() && rect.intersection(frame) == Some(frame);
        let picture = images().filter(around).min_by_key(|rect| rect.area())?;
        let [start, end] = along(frame, axis);
        Some(Parts::Frame { frame, picture, is_end: (end - at).abs() < (start - at).abs() })
    }

    /// The length that shares are of.
    fn whole(&self) -> [i32; 2] {
        match self.parts {
            Parts::Panes([before, after]) => [along(before.bbox, self.axis)[0], along(after.bbox, self.axis)[1]],
            Parts::Frame { picture, .. } => along(picture, self.axis),
        }
    }

    /// How far a careful eye errs here, px.
    fn eye_px(&self) -> i32 {
        let [from, to] = self.whole();
        let ([share, of], least) = EYE;
        ((to - from) * share / of).max(least)
    }

    /// Where the handle's middle is when it has a place; null for the ends, which are where the control stops.
    fn px_of(&self, place: Place) -> Option<i32> {
        let [from, to] = self.whole();
        let edge = |frame: Rect, is_end: bool, length: i32| {
            let [start, end] = along(frame, self.axis);
            if is_end { start + length } else { end - length }
        };
        match (place, self.parts) {
            (Place::Share([share, of]), _) => Some(from + (to - from) * share / of),
            (Place::Square, Parts::Frame { frame, is_end, .. }) => {
                let [start, end] = along(frame, across(self.axis));
                Some(edge(frame, is_end, end - start))
            }
            (Place::Times([times, of]), Parts::Frame { frame, is_end, .. }) => {
                let [start, end] = along(frame, self.axis);
                Some(edge(frame, is_end, (end - start) * times / of))
            }
            _ => None,
        }
    }

    /// Places in the order in which they are asked for, if several fit a value.
    fn candidates(&self) -> Vec<Place> {
        let shares = SHARES.map(Place::Share);
        match self.parts {
            Parts::Panes(_) => [&[Place::First, Place::Last][..], &shares].concat(),
            Parts::Frame { .. } => {
                [&shares[..1], &[Place::Square, Place::Times([1, 2]), Place::Times([2, 1])], &shares[1..]].concat()
            }
        }
    }
}

/// What an act leads to: where it lets go for a value, and where the handle's middle is then.
struct Landing<'v> {
    value: &'v Value,
    /// From the first to behind the last place of release that sets it, px.
    release: [i32; 2],
    at: i32,
}

/// By value, the place that stands for it alone; values that no place fits are left out. `acts` set them.
pub(super) fn places(
    living: &Living,
    control: &Control,
    state: &PageState,
    elements: &[Element],
    reach: &DragReach,
    acts: &BTreeMap<Value, Act>,
) -> BTreeMap<Value, Place> {
    let Some(now) = Sight::of(elements, control) else { return BTreeMap::new() };
    let landing = |(value, done)| -> Option<Landing> {
        let &Act::Drag(points) = done else { return None };
        let after = act(living, state, &WindowEvent::Drag(points)).ok()?.state;
        let (_, elements) = elements_in(living, &after).ok()?;
        let at = Sight::of(&elements.raw, control)?.at;
        let set = reach.releases.iter().filter(|(_, set)| set == value).map(|(rect, _)| along(*rect, now.axis));
        let release = set.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])])?;
        Some(Landing { value, release, at })
    };
    let landings: Vec<Landing> = acts.iter().filter_map(landing).collect();
    let fitting = |landing: &Landing| {
        let place = now.candidates().into_iter().find(|&place| fits(&now, place, landing, &landings))?;
        Some((landing.value.clone(), place))
    };
    landings.iter().filter_map(fitting).collect()
}

/// Whether a place stands for what an act leads to, and for nothing else.
fn fits(now: &Sight, place: Place, landing: &Landing, all: &[Landing]) -> bool {
    let ([from, to], [first, end]) = (now.whole(), landing.release);
    match place {
        // What is let go beyond the panes still sets it: the control stops there.
        Place::First => first <= from && landing.at < end && all.iter().all(|other| other.at >= landing.at),
        Place::Last => to <= end && landing.at >= first && all.iter().all(|other| other.at <= landing.at),
        _ => {
            let Some(px) = now.px_of(place) else { return false };
            let eye = now.eye_px();
            let others = all.iter().filter(|other| other.value != landing.value).map(|other| other.at).chain([now.at]);
            let is_near = |at: i32| (at - px).abs() <= eye;
            is_near(landing.at)
                && first <= px - eye
                && px + eye < end
                && { others }.all(|at| (at - px).abs() > 2 * eye)
                && (from..to).contains(&px)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(id: &str, role: &str, bbox: [i32; 4]) -> Element {
        let [x0, y0, x1, y1] = bbox;
        Element {
            id: id.to_owned(),
            parent: None,
            role: role.to_owned(),
            name: id.to_owned(),
            description: String::new(),
            bbox: Rect::new(x0, y0, x1, y1).unwrap(),
            interactive: false,
            popup: None,
            state: Default::default(),
        }
    }

    fn control(kind: &str, axis: &str) -> Control {
        serde_json::from_value(serde_json::json!({
            "id": "c", "element": "handle", "type": kind, "values": {"kind": "range", "min": 0, "max": 9, "step": 1}, "value": 4,
            "drag_map": {"handle": null, "keeps_distance": true,
                "release": {"kind": "stops", "area": [0, 0, 1000, 1000], "axis": axis, "stops": []}}
        }))
        .unwrap()
    }

    fn landings<'v>(values: &'v [Value], at: &[i32], cuts: &[i32]) -> Vec<Landing<'v>> {
        let of = |n: usize| Landing { value: &values[n], release: [cuts[n], cuts[n + 1]], at: at[n] };
        (0..values.len()).map(of).collect()
    }

    #[test]
    fn a_divider_is_asked_for_where_the_eye_finds_it() {
        let elements = [
            element("left", "label", [100, 50, 140, 90]),
            element("handle", "split pane", [140, 50, 150, 90]),
            element("right", "label", [150, 50, 500, 90]),
            element("other", "label", [150, 10, 500, 40]),
        ];
        let now = Sight::of(&elements, &control("splitter", "x")).unwrap();
        assert_eq!((now.whole(), now.at, now.eye_px()), ([100, 500], 145, 6));
        let values: Vec<Value> = (0..5).map(|n| Value::Number(f64::from(n))).collect();
        // A third lies at 233, a half at 300, two thirds at 366.
        let all = landings(&values, &[120, 230, 300, 352, 480], &[0, 200, 260, 330, 380, 900]);
        let found = |n: usize| now.candidates().into_iter().find(|&place| fits(&now, place, &all[n], &all));
        let expected = [Some(Place::First), Some(Place::Share([1, 3])), Some(Place::Share([1, 2])), None, Some(Place::Last)];
        assert_eq!([0, 1, 2, 3, 4].map(found), expected);
        // Where two values lie near the middle, neither is asked for.
        let all = landings(&values[..3], &[120, 296, 308], &[0, 290, 303, 900]);
        let found = |n: usize| now.candidates().into_iter().find(|&place| fits(&now, place, &all[n], &all));
        assert_eq!([1, 2].map(found), [None, Some(Place::Last)]);
    }

    #[test]
    fn a_frame_is_asked_for_by_its_picture_and_its_shape() {
        let elements = [
            element("picture", "image", [0, 0, 360, 216]),
            element("frame", "image", [40, 20, 280, 140]),
            element("handle", "slider", [278, 78, 283, 83]),
        ];
        let now = Sight::of(&elements, &control("crop_handle", "x")).unwrap();
        assert!(matches!(now.parts, Parts::Frame { is_end: true, .. }));
        let px = [Place::Share([1, 3]), Place::Square, Place::Times([1, 2]), Place::Times([2, 1])].map(|place| now.px_of(place));
        assert_eq!(px, [Some(120), Some(160), Some(160), Some(520)]);
        assert_eq!(now.px_of(Place::First), None);
        let values: Vec<Value> = (0..2).map(|n| Value::Number(f64::from(n))).collect();
        let all = landings(&values, &[120, 160], &[100, 140, 180]);
        let found = |n: usize| now.candidates().into_iter().find(|&place| fits(&now, place, &all[n], &all));
        assert_eq!([0, 1].map(found), [Some(Place::Share([1, 3])), Some(Place::Square)]);
        // A picture that shows no frame of its own has no edge to speak of.
        assert!(Sight::of(&elements[..1], &control("crop_handle", "x")).is_none());
    }
}
