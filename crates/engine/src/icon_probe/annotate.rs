//! The truth about a probe, in the same records as scenes of windows.

use std::borrow::Cow;

use typed_index_collections::TiVec;

use windesk_model::Error;
use windesk_model::condition::Protocol;
use windesk_model::desktop::DesktopElement;
use windesk_model::geometry::Rect;
use windesk_model::instruction::{InstructionSource, UiType};
use windesk_model::key::scene_name;
use windesk_model::pack_format::State;
use windesk_model::record::{
    Annotation, CaptionRecord, DistractorRecord, ElementLayer, ElementRecord, IconRecord, Knobs, MaskRecord, ProbeKnobs,
    SCHEMA_VERSION, SceneLayout, SceneRecord, TargetKind, TargetRecord, TargetWording,
};

use super::assets::ProbeAssets;
use super::design::{ProbeCondition, ProbeStudy};
use super::plan::ProbePlan;
use crate::annotate::{click_point, mask_record, painted_record};
use crate::visibility::Spans;

/// The scene's record. `image` is its path in the dataset.
///
/// # Errors
/// If the plan names what the assets do not have.
pub fn probe_record(
    assets: &ProbeAssets,
    study: &ProbeStudy,
    condition: &ProbeCondition,
    plan: &ProbePlan,
    image: String,
) -> Result<SceneRecord<'static>, Error> {
    let id = format!("{}.{}", study.name, scene_name(&condition.name, plan.key.index, None));
    Ok(SceneRecord {
        schema_version: SCHEMA_VERSION,
        truth: annotate(assets, plan, &id)?,
        id,
        dataset: study.name.clone(),
        protocol: Protocol::Windesk,
        image,
        width: plan.canvas.width,
        height: plan.canvas.height,
        condition: condition.name.clone(),
        key: plan.key,
        split: None,
        sweep: study.sweep.clone(),
        knobs: Knobs {
            visible_ratio: [1.0, 1.0],
            windows: 0,
            distractor_rank: 1,
            distractors: plan.target.similar.len() as u32,
            distractor_similarity: None,
            distractor_layer: None,
            occluder: None,
            chrome: condition.chrome,
            theme: None,
            probe: Some(ProbeKnobs {
                library: condition.library.clone(),
                icons: plan.icons.len() as u32,
                gap_px: [plan.gap.x, plan.gap.y],
                contrast_min: f64::from(condition.contrast_min_milli) / 1000.0,
                labels: condition.labels,
                visit: condition.visit,
            }),
        },
        pair_id: format!("{}/{:06}", study.name, plan.key.index),
        session: None,
        wallpaper: plan.wallpaper.clone(),
        layout: SceneLayout::Icons(plan.layout),
        sequence: None,
    })
}

fn element_id(slot: usize) -> String {
    format!("probe.{slot}")
}

fn annotate(assets: &ProbeAssets, plan: &ProbePlan, scene_id: &str) -> Result<Annotation<'static>, Error> {
    let mut elements = Vec::with_capacity(plan.icons.len());
    for (slot, planned) in plan.icons.iter().enumerate() {
        let icon = &assets.set.icons[plan.find(assets, planned)?];
        let caption = planned.caption.as_ref().map(|text| {
            let (at, caption) = assets.renderer.icon_caption(text, super::render::caption_box(planned))?;
            Ok::<_, Error>(CaptionRecord { text: text.clone(), bbox: caption.bbox(at) })
        });
        let caption = caption.transpose()?;
        elements.push(ElementRecord {
            id: element_id(slot),
            layer: ElementLayer::Probe,
            window: None,
            element: Cow::Owned(format!("{}/{}", icon.library, icon.id)),
            role: Cow::Borrowed("icon"),
            name: Cow::Owned(icon.name.clone()),
            description: Cow::Borrowed(""),
            bbox: planned.bbox,
            visible_bbox: Some(planned.bbox),
            total_px: planned.solid_px,
            visible_px: planned.solid_px,
            interactive: true,
            state: Cow::Owned(State::new()),
            icon: Some(IconRecord {
                library: icon.library.clone(),
                category: icon.category.clone(),
                style: icon.style.clone(),
                synonyms: icon.synonyms.clone(),
                size_px: planned.size_px,
                tile: planned.tile,
                turn_deg: planned.turn_deg,
                opacity: f64::from(planned.opacity_percent) / 100.0,
                contrast: f64::from(planned.contrast_milli) / 1000.0,
                caption,
            }),
        });
    }
    // Nothing lies above a probe's taskbar.
    let whole = |e: &DesktopElement| painted_record(ElementLayer::Taskbar, e, Some(e.bbox), e.bbox.area());
    elements.extend(plan.chrome.taskbar_elements(plan.canvas).iter().map(whole));
    Ok(Annotation { windows: TiVec::new(), elements, targets: vec![target_record(assets, plan, scene_id)?], pointer: None })
}

/// The visible pixels of every element, in the order of `annotate`'s.
///
/// # Errors
/// If the plan names what the assets do not have.
pub fn probe_masks(assets: &ProbeAssets, plan: &ProbePlan) -> Result<Vec<Option<MaskRecord>>, Error> {
    let screen = plan.canvas.rect();
    let mut masks = Vec::with_capacity(plan.icons.len());
    for planned in &plan.icons {
        let icon = plan.find(assets, planned)?;
        masks.push(mask_record(planned.bbox, screen, &solid_spans(assets, plan, planned, icon)));
    }
    // Nothing lies above a probe's taskbar.
    let whole = |bbox: Rect| MaskRecord {
        size: [bbox.height() as u32, bbox.width() as u32],
        origin: bbox.origin(),
        counts: vec![0, bbox.area() as u32],
    };
    masks.extend(plan.chrome.taskbar_elements(plan.canvas).iter().map(|e| Some(whole(e.bbox))));
    Ok(masks)
}

fn target_record(assets: &ProbeAssets, plan: &ProbePlan, scene_id: &str) -> Result<TargetRecord, Error> {
    let target = &plan.target;
    let shown = target.slot.map(|slot| (slot, &plan.icons[slot]));
    let solid = shown.map(|(_, icon)| plan.find(assets, icon).map(|at| solid_spans(assets, plan, icon, at))).transpose()?;
    let bbox = shown.map(|(_, icon)| icon.bbox);
    let seen = bbox.zip(solid.as_ref());
    let asked = assets.set.find(&target.library, &target.icon).map(|at| &assets.set.icons[at]);
    let template_object = if asked.is_some_and(|icon| icon.name == target.object) {
        TargetWording::Name
    } else if asked.is_some_and(|icon| icon.synonyms.contains(&target.object)) {
        TargetWording::Synonym
    } else {
        TargetWording::Style
    };
    Ok(TargetRecord {
        id: format!("{scene_id}.t0"),
        kind: if shown.is_some() { TargetKind::Present } else { TargetKind::Absent },
        element: shown.map(|(slot, _)| element_id(slot)),
        window: None,
        instruction: target.instruction.clone(),
        wording: template_object,
        wording_variant: 0,
        instruction_source: if asked.is_some_and(|icon| icon.named_by_person) {
            InstructionSource::Reviewed
        } else {
            InstructionSource::Accessibility
        },
        bbox,
        visible_bbox: bbox,
        total_px: shown.map_or(0, |(_, icon)| icon.solid_px),
        visible_px: shown.map_or(0, |(_, icon)| icon.solid_px),
        visible_ratio: if shown.is_some() { 1.0 } else { 0.0 },
        visible_ink: shown.map(|_| 1.0),
        click_point: seen.and_then(|(bbox, spans)| click_point(bbox, spans, &[])),
        drag: None,
        visible_mask: seen.and_then(|(bbox, spans)| mask_record(bbox, plan.canvas.rect(), spans)),
        nested: Vec::new(),
        ui_type: UiType::Icon,
        ambiguous: false,
        promised: true,
        distractors: target
            .similar
            .iter()
            .map(|s| DistractorRecord {
                window: None,
                element: element_id(s.slot),
                rank: s.rank,
                similarity: s.similarity,
                visible_ratio: 1.0,
            })
            .collect(),
        nearest_competitor: None,
        evidence: Vec::new(),
        prompt: Some(target.prompt.clone()),
    })
}

/// An icon's solid pixels as spans of the screen's rows.
fn solid_spans(assets: &ProbeAssets, plan: &ProbePlan, planned: &super::plan::PlannedIcon, icon: usize) -> Spans {
    let sprite = assets.rasteriser.sprite(&assets.set, icon, planned.look());
    let origin = planned.origin();
    let screen: Rect = plan.canvas.rect();
    let mut rows = vec![Vec::new(); plan.canvas.height as usize];
    for (dy, row) in sprite.rgba.chunks_exact(sprite.side as usize).enumerate() {
        let y = origin.y + dy as i32;
        if !(screen.y0()..screen.y1()).contains(&y) {
            continue;
        }
        let spans: &mut Vec<(i32, i32)> = &mut rows[y as usize];
        for (dx, _) in row.iter().enumerate().filter(|(_, p)| p[3] >= super::raster::SOLID_ALPHA) {
            let x = origin.x + dx as i32;
            match spans.last_mut() {
                Some(span) if span.1 == x => span.1 += 1,
                _ => spans.push((x, x + 1)),
            }
        }
    }
    Spans::from_rows(rows)
}
