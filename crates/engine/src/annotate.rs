//! The truth about a scene: boxes, visibility and masks of every element, from a [`Plan`] alone. No pixels are
//! composed, nothing is decided.

use std::borrow::Cow;

use image::{GrayImage, Luma};
use imageproc::distance_transform::{Norm, distance_transform};
use typed_index_collections::TiSlice;

use windesk_model::Error;
use windesk_model::desktop::DesktopElement;
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::{ElementIndex, PlacementIndex, WindowIndex};
use windesk_model::instruction::{InstructionSource, UiType, Wording};
use windesk_model::pack_format::State;
use windesk_model::plan::{NearestCompetitor, Plan, PlannedAbsent, PlannedEvidence, PlannedTarget};
use windesk_model::record::{
    Annotation, CompetitorRecord, DistractorRecord, ElementLayer, ElementRecord, EvidenceRecord, MaskRecord, PointerRecord,
    SceneRecord, TargetKind, TargetRecord, WindowRecord,
};
use windesk_model::task::TaskKind;

use crate::pack::{Element, IndexedPack, Pack, Shown, Window, resolve};
use crate::visibility::{Solid, Spans, StackVisibility, visible};

/// Annotates a plan. `scene_id` prefixes the targets' ids.
///
/// # Errors
/// If the plan names what the pack does not have, or a picture can't be read.
pub fn annotate<'a>(pack: &'a IndexedPack, plan: &Plan, scene_id: &str) -> Result<Annotation<'a>, Error> {
    let windows = resolve(pack, plan)?;
    let stack = stack_of(pack, plan, &windows)?;
    let own_spans: &TiSlice<PlacementIndex, Spans> = TiSlice::from_ref(&stack.own[..windows.len()]);
    let seen_spans: &TiSlice<PlacementIndex, Spans> = TiSlice::from_ref(&stack.layers[..windows.len()]);

    let (on_desktop, in_taskbar) = (plan.chrome.desktop_elements(plan.canvas), plan.chrome.taskbar_elements(plan.canvas));
    let in_windows: usize = windows.iter().map(|window| window.elements.len()).sum();
    let mut records = Vec::with_capacity(in_windows + on_desktop.len() + in_taskbar.len());
    for (position, window) in windows.iter_enumerated() {
        let origin = plan.placements[position].origin;
        let (own, seen) = (&own_spans[position], &seen_spans[position]);
        let prefix = id_in_scene(position, "");
        match window.as_captured() {
            Some(window) => {
                let elements = window.elements.iter();
                records.extend(elements.map(|element| element_record(position, &prefix, element, origin, own, seen)));
            }
            None => {
                let elements = window.elements.iter();
                let of_scene = |element| owned(element_record(position, &prefix, element, origin, own, seen));
                records.extend(elements.map(of_scene));
            }
        }
    }
    let mut note = |layer: ElementLayer, element: &DesktopElement, seen: &Spans| {
        let (visible_px, visible_bbox) = seen.within(element.bbox);
        records.push(painted_record(layer, element, visible_bbox, visible_px));
    };
    for element in &on_desktop {
        note(ElementLayer::Desktop, element, &stack.ground);
    }
    for element in &in_taskbar {
        note(ElementLayer::Taskbar, element, bar_of(plan, element, &stack.layers[windows.len()..]));
    }
    let window_records = windows
        .iter_enumerated()
        .map(|(position, window)| window_record(pack, plan, position, window, &own_spans[position], &seen_spans[position]))
        .collect();
    let mut targets = Vec::new();
    match &plan.absent {
        Some(absent) => targets.push(absent_record(pack, absent, format!("{scene_id}.t0"))?),
        None => {
            let shell = plan.step.as_ref().and_then(|step| step.shell.as_deref());
            let target = match shell {
                Some(id) => shell_record(plan, id, &in_taskbar, &stack.layers[windows.len()..])?,
                None => target_record(pack, plan, &plan.target, &windows[plan.target.placement], seen_spans)?,
            };
            // Later keyframes keep no band.
            let is_promised = plan.step.as_ref().is_none_or(|step| step.step == 0 && step.kind != TaskKind::Reveal);
            let record = TargetRecord { id: format!("{scene_id}.t0"), ..target };
            targets.push(if is_promised { promised(plan, record) } else { record });
        }
    }
    for (number, extra) in plan.extra_targets.iter().enumerate() {
        let target = target_record(pack, plan, extra, &windows[extra.placement], seen_spans)?;
        targets.push(TargetRecord { id: format!("{scene_id}.t{}", number + 1), ..target });
    }
    let pointer = plan.pointer.as_ref().map(|pointer| PointerRecord { bbox: pointer.bbox(), hotspot: pointer.hotspot });
    Ok(Annotation { windows: window_records, elements: records, targets, pointer })
}

/// What is visible of the bar or dock that an element belongs to, of all of them in order.
fn bar_of<'a>(plan: &Plan, element: &DesktopElement, bars: &'a [Spans]) -> &'a Spans {
    let at = plan.chrome.bars(plan.canvas).position(|bar| bar.covers(element.bbox));
    // What a strange plan places beyond its bar is seen where the two overlap.
    &bars[at.unwrap_or(0)]
}

/// What is visible of every window, then of bars and dock where there are any, and of the pointer, above all, likewise.
fn stack_of(pack: &Pack, plan: &Plan, windows: &TiSlice<PlacementIndex, Shown>) -> Result<StackVisibility, Error> {
    let shapes = plan
        .placements
        .iter()
        .zip(windows)
        .map(|(placement, window)| window.shape(pack, pack.focus_of(window.index(), placement.active)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut layers: Vec<Solid> =
        shapes.iter().zip(&plan.placements).map(|(shape, placement)| Solid::Window(shape, placement.origin)).collect();
    layers.extend(plan.chrome.bars(plan.canvas).map(Solid::Rect));
    let pointer = plan.pointer.as_ref().map(|pointer| pack.pointer_pixels(&pointer.icon, pointer.side_px)).transpose()?;
    layers.extend(pointer.iter().zip(&plan.pointer).map(|(pixels, planned)| Solid::Window(pixels.shape(), planned.origin)));
    Ok(visible(plan.canvas, &layers))
}

/// A scene's record as a line of JSON, with its line feed. Written here, as this crate is compiled with all
/// optimisations: a scene has hundreds of elements, and code that writes any record is compiled where it is called.
pub fn scene_line(scene: &SceneRecord) -> Vec<u8> {
    // About what an element takes, so that the line seldom moves while it grows.
    const ELEMENT_BYTES: usize = 288;
    let mut line = Vec::with_capacity(scene.truth.elements.len() * ELEMENT_BYTES);
    serde_json::to_writer(&mut line, scene).expect("plain data");
    line.push(b'\n');
    line
}

/// The visible pixels of every element, in the order of [`annotate`]'s; null for one that is off the screen.
///
/// # Errors
/// Those of [`annotate`].
pub fn element_masks(pack: &IndexedPack, plan: &Plan) -> Result<Vec<Option<MaskRecord>>, Error> {
    let windows = resolve(pack, plan)?;
    let stack = stack_of(pack, plan, &windows)?;
    let screen = plan.canvas.rect();
    let mut masks = Vec::new();
    for (position, window) in windows.iter_enumerated() {
        let origin = plan.placements[position].origin;
        let seen = &stack.layers[usize::from(position)];
        masks.extend(window.elements.iter().map(|e| mask_record(e.bbox.moved(origin), screen, seen)));
    }
    masks.extend(plan.chrome.desktop_elements(plan.canvas).iter().map(|e| mask_record(e.bbox, screen, &stack.ground)));
    let in_taskbar = plan.chrome.taskbar_elements(plan.canvas);
    let bars = &stack.layers[windows.len()..];
    masks.extend(in_taskbar.iter().map(|e| mask_record(e.bbox, screen, bar_of(plan, e, bars))));
    Ok(masks)
}

/// An element that the desktop or the taskbar draws itself, with what is visible of it.
pub(crate) fn painted_record(
    layer: ElementLayer,
    element: &DesktopElement,
    visible_bbox: Option<Rect>,
    visible_px: u64,
) -> ElementRecord<'static> {
    let prefix = if layer == ElementLayer::Desktop { "desktop" } else { "taskbar" };
    ElementRecord {
        id: format!("{prefix}.{}", element.id),
        layer,
        window: None,
        element: Cow::Owned(element.id.clone()),
        role: Cow::Borrowed(element.role),
        name: Cow::Owned(element.name.clone()),
        description: Cow::Borrowed(""),
        bbox: element.bbox,
        visible_bbox,
        total_px: element.bbox.area(),
        visible_px,
        interactive: element.role != "tool bar",
        state: Cow::Owned(State::new()),
        icon: None,
    }
}

/// `prefix` makes the window's ids unique in the scene.
fn element_record<'a>(
    position: PlacementIndex,
    prefix: &str,
    element: &'a Element,
    origin: Point,
    own: &Spans,
    seen: &Spans,
) -> ElementRecord<'a> {
    let bbox = element.bbox.moved(origin);
    let (visible_px, visible_bbox) = seen.within(bbox);
    let mut state = Cow::Borrowed(&element.state);
    // The one coordinate in a state: from the picture to the screen.
    if let Some(core) = state.get("core").and_then(|v| serde_json::from_value::<Rect>(v.clone()).ok()) {
        state.to_mut().insert("core", serde_json::to_value(core.moved(origin)).expect("plain data"));
    }
    ElementRecord {
        id: [prefix, &element.id].concat(),
        layer: ElementLayer::Window,
        window: Some(position),
        element: Cow::Borrowed(&element.id),
        role: Cow::Borrowed(&element.role),
        name: Cow::Borrowed(&element.name),
        description: Cow::Borrowed(&element.description),
        bbox,
        visible_bbox,
        total_px: own.count_in(bbox),
        visible_px,
        interactive: element.interactive,
        state,
        icon: None,
    }
}

/// A record of an element that was composed for this scene.
fn owned(record: ElementRecord<'_>) -> ElementRecord<'static> {
    let text = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
    ElementRecord {
        id: record.id,
        layer: record.layer,
        window: record.window,
        element: text(record.element),
        role: text(record.role),
        name: text(record.name),
        description: text(record.description),
        bbox: record.bbox,
        visible_bbox: record.visible_bbox,
        total_px: record.total_px,
        visible_px: record.visible_px,
        interactive: record.interactive,
        state: Cow::Owned(record.state.into_owned()),
        icon: record.icon,
    }
}

fn window_record(pack: &Pack, plan: &Plan, position: PlacementIndex, window: &Shown, own: &Spans, seen: &Spans) -> WindowRecord {
    let placement = &plan.placements[position];
    let program = &pack.program_of(window.index()).record;
    WindowRecord {
        index: position,
        window: window.id.clone(),
        app: program.name.clone(),
        category: program.category,
        title: window.title.clone(),
        role: placement.role,
        z: position,
        rect: window.frame.moved(placement.origin),
        popup_rects: window.popups.iter().map(|p| p.moved(placement.origin)).collect(),
        parent_window: placement.parent,
        active: placement.active,
        theme: window.theme.clone(),
        dark: window.dark,
        scale: window.scale,
        platform: window.platform,
        total_px: own.count(),
        visible_px: seen.count(),
        state: placement.state.clone(),
    }
}

/// A target without an id, of which nothing is promised.
fn target_record(
    pack: &IndexedPack,
    plan: &Plan,
    target: &PlannedTarget,
    record: &Shown,
    layers: &TiSlice<PlacementIndex, Spans>,
) -> Result<TargetRecord, Error> {
    let placement = &plan.placements[target.placement];
    let seen = &layers[target.placement];
    let element = find_element(plan, record, &target.element)?;
    let bbox = record.elements[element].bbox.moved(placement.origin);
    let (visible_px, visible_bbox) = seen.within(bbox);
    let nested: Vec<Rect> = record.nested(element).map(|inner| record.elements[inner].bbox.moved(placement.origin)).collect();
    Ok(TargetRecord {
        id: String::new(),
        kind: TargetKind::Present,
        element: Some(id_in_scene(target.placement, &target.element)),
        window: Some(target.placement),
        instruction: target.instruction.clone(),
        wording: target.wording.into(),
        wording_variant: target.variant,
        instruction_source: target.instruction_source,
        bbox: Some(bbox),
        visible_bbox,
        total_px: target.total_px,
        visible_px,
        visible_ratio: visible_px as f64 / target.total_px.max(1) as f64,
        visible_ink: target.visible_ink,
        click_point: click_point(bbox, seen, &nested),
        drag: None,
        visible_mask: mask_record(bbox, plan.canvas.rect(), seen),
        nested,
        ui_type: ui_type_of(pack, record, element),
        ambiguous: target.ambiguous,
        promised: false,
        distractors: Vec::new(),
        nearest_competitor: None,
        evidence: target.evidence.iter().map(|part| evidence_record(part, layers)).collect(),
        prompt: None,
    })
}

/// A part by which a reader knows a target, as the scene shows it.
fn evidence_record(part: &PlannedEvidence, layers: &TiSlice<PlacementIndex, Spans>) -> EvidenceRecord {
    EvidenceRecord {
        kind: part.kind,
        window: part.placement,
        bbox: part.bbox,
        visible_ratio: layers[part.placement].count_in(part.bbox) as f64 / part.total_px.max(1) as f64,
        required: part.required,
    }
}

/// An element of bar or dock that is to be clicked.
fn shell_record(plan: &Plan, id: &str, elements: &[DesktopElement], bars: &[Spans]) -> Result<TargetRecord, Error> {
    let element = elements.iter().find(|e| e.id == id).ok_or_else(|| {
        let place = format!("plan {}/{}", plan.condition, plan.key.index);
        Error::file(place, format!("element `{id}`"), "an element of the shell")
    })?;
    let (bbox, seen) = (element.bbox, bar_of(plan, element, bars));
    let (visible_px, visible_bbox) = seen.within(bbox);
    Ok(TargetRecord {
        id: String::new(),
        kind: TargetKind::Present,
        element: Some(format!("taskbar.{id}")),
        window: None,
        instruction: plan.step.as_ref().map(|step| step.instruction.clone()).unwrap_or_default(),
        wording: Wording::InContext.into(),
        wording_variant: 0,
        instruction_source: InstructionSource::Accessibility,
        bbox: Some(bbox),
        visible_bbox,
        total_px: bbox.area(),
        visible_px,
        visible_ratio: visible_px as f64 / bbox.area() as f64,
        visible_ink: None,
        click_point: click_point(bbox, seen, &[]),
        drag: None,
        visible_mask: mask_record(bbox, plan.canvas.rect(), seen),
        nested: Vec::new(),
        ui_type: UiType::Icon,
        ambiguous: false,
        promised: false,
        distractors: Vec::new(),
        nearest_competitor: None,
        evidence: Vec::new(),
        prompt: None,
    })
}

/// What of a plan's window is visible, and the layers of bar and dock are not looked at.
///
/// # Errors
/// Those of [`annotate`].
pub fn seen_of_windows(pack: &Pack, plan: &Plan) -> Result<Vec<Spans>, Error> {
    let windows = resolve(pack, plan)?;
    let mut layers = stack_of(pack, plan, &windows)?.layers;
    layers.truncate(windows.len());
    Ok(layers)
}

/// How many pixels of a box on the screen a plan's window covers, off-screen ones included, and how many of them are
/// visible.
///
/// # Errors
/// Those of [`annotate`].
pub fn counted_in(pack: &Pack, plan: &Plan, placement: PlacementIndex, bbox: Rect) -> Result<(u64, u64), Error> {
    let stack = stack_of(pack, plan, &resolve(pack, plan)?)?;
    let at = usize::from(placement);
    Ok((stack.own[at].count_in(bbox), stack.layers[at].count_in(bbox)))
}

/// Where a click on a plan's target goes, if any of it shows.
///
/// # Errors
/// Those of [`annotate`].
pub fn click_point_in(pack: &IndexedPack, plan: &Plan) -> Result<Option<Point>, Error> {
    let windows = resolve(pack, plan)?;
    let stack = stack_of(pack, plan, &windows)?;
    let seen: &TiSlice<PlacementIndex, Spans> = TiSlice::from_ref(&stack.layers[..windows.len()]);
    Ok(target_record(pack, plan, &plan.target, &windows[plan.target.placement], seen)?.click_point)
}

/// Adds what is known of the promised target alone.
fn promised(plan: &Plan, target: TargetRecord) -> TargetRecord {
    let distractors = plan.distractors.iter().map(|d| DistractorRecord {
        window: Some(d.placement),
        element: id_in_scene(d.placement, &d.element),
        rank: d.rank,
        similarity: d.similarity,
        visible_ratio: d.visible_px as f64 / d.total_px.max(1) as f64,
    });
    TargetRecord {
        promised: true,
        distractors: distractors.collect(),
        nearest_competitor: plan.nearest_competitor.as_ref().map(competitor),
        ..target
    }
}

/// What is asked for and not there.
fn absent_record(pack: &IndexedPack, absent: &PlannedAbsent, id: String) -> Result<TargetRecord, Error> {
    let unknown = || Error::file(&id, format!("`{}#{}`", absent.window, absent.element), "an element of the pack");
    let window = pack.window_index(&absent.window).ok_or_else(unknown)?;
    let element = pack.windows[window].element_index(&absent.element).ok_or_else(unknown)?;
    Ok(TargetRecord {
        kind: TargetKind::Absent,
        element: None,
        window: None,
        instruction: absent.instruction.clone(),
        wording: absent.wording.into(),
        wording_variant: absent.variant,
        instruction_source: absent.instruction_source,
        bbox: None,
        visible_bbox: None,
        total_px: 0,
        visible_px: 0,
        visible_ratio: 0.0,
        visible_ink: None,
        click_point: None,
        drag: None,
        visible_mask: None,
        nested: Vec::new(),
        ui_type: ui_type(pack, window, element),
        ambiguous: false,
        promised: true,
        distractors: Vec::new(),
        nearest_competitor: absent.nearest_competitor.as_ref().map(competitor),
        evidence: Vec::new(),
        prompt: None,
        id,
    })
}

fn competitor(nearest: &NearestCompetitor) -> CompetitorRecord {
    CompetitorRecord { element: id_in_scene(nearest.placement, &nearest.element), similarity: nearest.similarity }
}

fn id_in_scene(placement: PlacementIndex, element: &str) -> String {
    format!("w{placement}.{element}")
}

fn find_element(plan: &Plan, window: &Window, element: &str) -> Result<ElementIndex, Error> {
    window.element_index(element).ok_or_else(|| {
        let place = format!("plan {}/{}", plan.condition, plan.key.index);
        Error::file(&place, format!("element `{element}`"), format!("an element of `{}`", window.id))
    })
}

/// The same for an element of a window as it is shown: the element is known by its id.
fn ui_type_of(pack: &IndexedPack, window: &Shown, element: ElementIndex) -> UiType {
    let captured = pack.windows[window.index()].element_index(&window.elements[element].id);
    captured.map_or(UiType::Text, |element| ui_type(pack, window.index(), element))
}

fn ui_type(pack: &IndexedPack, window: WindowIndex, element: ElementIndex) -> UiType {
    let index = pack.index();
    index.target_at(window, element).map_or(UiType::Text, |target| index.targets[target].ui_type)
}

/// The mask of the visible pixels of `bbox`, or `None` if it lies off the screen.
pub(crate) fn mask_record(bbox: Rect, screen: Rect, seen: &Spans) -> Option<MaskRecord> {
    let part = bbox.intersection(screen)?;
    let offset = |x: i32, y: i32| ((y - part.y0()) * part.width() + x - part.x0()) as u32;
    let (mut counts, mut at) = (Vec::new(), 0);
    for (y, a, b) in seen.clipped(part) {
        let (start, end) = (offset(a, y), offset(b - 1, y) + 1);
        if start == at && !counts.is_empty() {
            *counts.last_mut().expect("not empty") += end - start;
        } else {
            counts.extend([start - at, end - start]);
        }
        at = end;
    }
    let all = part.area() as u32;
    if at < all {
        counts.push(all - at);
    }
    Some(MaskRecord { size: [part.height() as u32, part.width() as u32], origin: part.origin(), counts })
}

/// The visible pixel that is farthest (by the larger of the two axes) from whatever is not the target: the mask's edge
/// and nested controls. Of several, the one nearest to the middle of the box.
pub(crate) fn click_point(bbox: Rect, seen: &Spans, nested: &[Rect]) -> Option<Point> {
    // One hidden pixel all around, so that the box's own border counts as an edge.
    let (width, height) = (bbox.width() as u32 + 2, bbox.height() as u32 + 2);
    let mut hidden = GrayImage::from_pixel(width, height, Luma([255]));
    let pixels: &mut [u8] = &mut hidden;
    let mut fill = |x: i32, y: i32, length: i32, value: u8| {
        let start = (y - bbox.y0() + 1) as usize * width as usize + (x - bbox.x0() + 1) as usize;
        pixels[start..start + length as usize].fill(value);
    };
    for (y, a, b) in seen.clipped(bbox) {
        fill(a, y, b - a, 0);
    }
    for inner in nested.iter().filter_map(|inner| inner.intersection(bbox)) {
        (inner.y0()..inner.y1()).for_each(|y| fill(inner.x0(), y, inner.width(), 255));
    }
    let depth = distance_transform(&hidden, Norm::LInf);
    let middle = bbox.centre();
    depth
        .enumerate_pixels()
        .filter(|(_, _, depth)| depth[0] > 0)
        .map(|(x, y, depth)| (depth[0], Point { x: x as i32 - 1 + bbox.x0(), y: y as i32 - 1 + bbox.y0() }))
        .max_by_key(|&(depth, p)| {
            let off = p - middle;
            (depth, std::cmp::Reverse(i64::from(off.x).pow(2) + i64::from(off.y).pow(2)))
        })
        .map(|(_, p)| p)
}
