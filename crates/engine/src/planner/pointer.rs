//! Decides where the mouse pointer is: at the open menu or tool tip if there is one, else somewhere in a share of
//! scenes. Its box never touches that of the target or of a promised distractor, so that it costs no draw.

use std::sync::Arc;

use windesk_model::Error;
use windesk_model::condition::PointerMode;
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::{PlacementIndex, TargetIndex};
use windesk_model::key::{Decision, SampleKey, Stream};
use windesk_model::pack_format::Pointer;
use windesk_model::plan::{PlannedPointer, Role};

use super::scene::{PlacedPointer, RuledScene, Scene};
use super::windesk::Windesk;

/// Slots of [`Decision::Pointer`].
const WHETHER: u64 = 0;
const WHERE: u64 = 1;
/// Of 1000 scenes without an open menu, so many show the pointer. In the others it is hidden, as while typing.
const SHOWN_PER_MILLE: u32 = 700;
/// Of 1000 of those, so many have it on the window with the focus.
const ON_FOCUS_PER_MILLE: u32 = 600;
/// Places that are tried; where none is free, there is no pointer.
const TRIES: usize = 24;
/// How near an open menu lies to the control that opened it, px.
const OPENER_GAP_PX: i32 = 2;

/// Puts the pointer into scenes that are planned together: at one place in all whose condition wants one. `targets` are
/// those of the scenes.
pub(super) fn place(scenes: &mut [RuledScene<Windesk>], key: SampleKey, targets: &[TargetIndex]) -> Result<(), Error> {
    let Some(planned) = choose(scenes, key, targets) else { return Ok(()) };
    let pixels = scenes[0].scene.pack.pointer_pixels(&planned.icon, planned.side_px)?;
    for scene in scenes.iter_mut().map(|ruled| &mut ruled.scene).filter(|scene| scene.condition.pointer == PointerMode::Session) {
        scene.pointer = Some(PlacedPointer { planned: planned.clone(), shape: Arc::clone(pixels.shape()) });
    }
    Ok(())
}

fn choose(scenes: &[RuledScene<Windesk>], key: SampleKey, targets: &[TargetIndex]) -> Option<PlannedPointer> {
    let first = &scenes[0].scene;
    let top = first.windows.last_key()?;
    let window = &first.pack.windows[first.windows[top].window];
    let pointer = first.pack.sessions[window.session].record.as_ref()?.pointer.as_ref()?;
    if !window.has_popup() && !key.stream(Decision::Pointer, WHETHER).chance(SHOWN_PER_MILLE) {
        return None;
    }
    let promised: Vec<Rect> =
        scenes.iter().zip(targets).flat_map(|(ruled, &target)| promised_boxes(&ruled.scene, target)).collect();
    let screen = first.condition.canvas.rect();
    let fits = |hotspot: Point| {
        let planned = at(pointer, hotspot);
        let bbox = planned.bbox();
        (screen.covers(bbox) && !promised.iter().any(|promised| promised.touches(bbox))).then_some(planned)
    };
    let mut stream = key.stream(Decision::Pointer, WHERE);
    if window.has_popup() {
        let in_reach = |hotspot: &Point| first.work().contains(*hotspot);
        return places_at_popup(first, top).iter().find_map(|boxes| {
            (0..TRIES).map(|_| point_in(boxes[stream.below(boxes.len())], &mut stream)).filter(in_reach).find_map(fits)
        });
    }
    let frame = first.frame(top).intersection(screen);
    (0..TRIES)
        .map(|_| {
            let on_focus = stream.chance(ON_FOCUS_PER_MILLE);
            point_in(frame.filter(|_| on_focus).unwrap_or(screen), &mut stream)
        })
        .find_map(fits)
}

fn at(pointer: &Pointer, hotspot: Point) -> PlannedPointer {
    PlannedPointer { icon: pointer.icon.clone(), origin: hotspot - pointer.hotspot, side_px: pointer.side_px, hotspot }
}

/// A point of a box, not at its very edge.
fn point_in(rect: Rect, stream: &mut Stream) -> Point {
    let mut part = |length: i32| (i64::from(length) * stream.between(150, 850) / 1000) as i32;
    Point { x: rect.x0() + part(rect.width()), y: rect.y0() + part(rect.height()) }
}

/// The boxes that the pointer must leave free: a scene's target, its promised distractors and what a reader must see.
fn promised_boxes(scene: &Scene, target: TargetIndex) -> Vec<Rect> {
    let index = scene.pack.index();
    let of = |position: PlacementIndex, target: TargetIndex| scene.bbox(position, index.targets[target].element);
    let own = scene.position(Role::Target).map(|position| of(position, target));
    let similar = scene.windows.iter_enumerated().filter_map(|(position, placed)| Some(of(position, placed.similar?.0)));
    own.into_iter().chain(similar).chain(scene.guarded_boxes()).collect()
}

/// Where a pointer may be while the popup of this window is open, likeliest first, each a list with at least one box:
/// elements of the popup, the control that it hangs at, a place above it, where a pointer calls a tool tip up.
fn places_at_popup(scene: &Scene, top: PlacementIndex) -> Vec<Vec<Rect>> {
    let placed = &scene.windows[top];
    let window = &scene.pack.windows[placed.window];
    let Some(&popup) = window.popups.last() else { return Vec::new() };
    let last = window.popups.len() - 1;
    let near = Rect::at(
        popup.x0() - OPENER_GAP_PX,
        popup.y0() - OPENER_GAP_PX,
        popup.width() + 2 * OPENER_GAP_PX,
        popup.height() + 2 * OPENER_GAP_PX,
    );
    let boxes = |wanted: &dyn Fn(&crate::pack::Element) -> bool| -> Vec<Rect> {
        let elements = window.elements.iter().filter(|element| element.interactive && wanted(element));
        elements.map(|element| element.bbox.moved(placed.origin)).collect()
    };
    let inside = boxes(&|element| element.popup == Some(last));
    let openers = boxes(&|element| element.popup.is_none() && element.bbox.touches(near) && !popup.covers(element.bbox));
    let above = Rect::at(popup.x0(), popup.y0() - popup.height(), popup.width(), popup.height()).moved(placed.origin);
    [inside, openers, vec![above]].into_iter().filter(|boxes| !boxes.is_empty()).collect()
}
