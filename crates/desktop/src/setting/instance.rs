//! From a plan to the line that is asked and scored.

use windesk_engine::icon_probe::contrast_within;
use windesk_engine::pack::{Pack, Shown, resolve};
use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::pack_format::living::{ControlType, Domain, Value};
use windesk_model::plan::Plan;
use windesk_model::record::SceneRecord;
use windesk_model::setting::{
    Act, ClickToState, Component, Difficulty, DragToState, PlannedSetting, StateInstance, StateRegion, bbox_of, platform_name,
};

use super::facts::{Facts, facts, screen_from_page};
use super::hint::{hint, told};
use super::names::{Asked, named};
use super::numbers::shows_value;
use super::words::locate_words;

/// The instance of a plan that asks for a control; `scene` is the record of its scene. Null if the plan asks for none.
///
/// # Errors
/// If the plan names what the pack does not have, or asks for what its page does not show.
pub fn instance(pack: &Pack, plan: &Plan, scene: &SceneRecord) -> Result<Option<StateInstance>, Error> {
    let Some(setting) = &plan.setting else { return Ok(None) };
    let place = || format!("plan {}/{}", plan.condition, plan.key.index);
    let hidden = || Error::file(place(), format!("control `{}`", setting.control), "one that shows and can be so set");
    let known = facts(pack, plan)?.ok_or_else(hidden)?;
    let goal = known.goals.get(&setting.target).ok_or_else(hidden)?;
    let shown = &resolve(pack, plan)?[plan.target.placement];
    let living = pack.living(shown.index())?;
    let control = living.page.control(&setting.control).ok_or_else(hidden)?;
    let component = Component::of(control.kind).ok_or_else(hidden)?;
    let place = known.places.get(&setting.target).copied();
    let asked = Asked { living: &living, shown, control, current: &known.current, target: &setting.target, place };
    let by = screen_from_page(plan, shown);
    let on_screen = |rect: Rect| bbox_of(rect.moved(by));
    let json = |value: &Value| serde_json::to_value(value).expect("plain data");
    let named = named(&asked).ok();
    let name = named.as_ref().map(|named| named.name.clone()).unwrap_or_default();
    let locate = named.map(|named| locate_words(control.kind, &named));
    // Of what shows no values, a value says nothing.
    let current = (!matches!(control.kind, ControlType::Splitter | ControlType::CropHandle)).then(|| told(&known.current));
    let hint = hint(setting.hint, component, &name, current.as_deref(), known.control.moved(by), plan.canvas);
    let target = scene.truth.targets.first();
    Ok(Some(StateInstance {
        id: target.map(|target| target.id.clone()).unwrap_or_default(),
        image: Some(scene.image.clone()),
        image_size: [scene.width, scene.height],
        instruction: plan.target.instruction.clone(),
        locate_instruction: locate,
        platform: Some(platform_name(shown.platform).to_owned()),
        component: Some(component.name.to_owned()),
        family: Some(component.family),
        control_bbox: on_screen(known.control),
        core_bbox: on_screen(known.core),
        target_core_bbox: on_screen(goal.core),
        current_state: json(&known.current),
        target_state: json(&setting.target),
        click_to_state: (!known.reach.clicks.is_empty()).then(|| regions(&known.reach.clicks, by)),
        drag_to_state: known.reach.drag.as_ref().map(|drag| DragToState {
            handle: on_screen(drag.handle),
            held_at: drag.held_at.map(|held| <[i32; 2]>::from(held + by).map(f64::from)),
            release: regions(&drag.releases, by),
        }),
        act: Some(match goal.act {
            Act::Click(at) => Act::Click(at + by),
            Act::Drag(points) => Act::Drag(points.map(|at| at + by)),
        }),
        difficulty: Some(difficulty(pack, plan, &asked, &known, setting, shown)?),
        hint,
        window: Some(shown.id.clone()),
        control: Some(setting.control.clone()),
        application: Some(pack.program_of(shown.index()).record.name.clone()),
        voice: Some(setting.voice),
        scene: Some(scene.id.clone()),
        condition: Some(scene.condition.clone()),
        session: scene.session.clone(),
        split: scene.split.clone(),
        key: Some(scene.key),
    }))
}

fn regions(boxes: &[(Rect, Value)], by: Point) -> ClickToState {
    let region = |(rect, value): &(Rect, Value)| StateRegion {
        bbox: bbox_of(rect.moved(by)),
        state: serde_json::to_value(value).expect("plain data"),
    };
    ClickToState::Regions { regions: boxes.iter().map(region).collect(), half_open: true }
}

fn difficulty(
    pack: &Pack,
    plan: &Plan,
    asked: &Asked,
    known: &Facts,
    setting: &PlannedSetting,
    shown: &Shown,
) -> Result<Difficulty, Error> {
    let placement = &plan.placements[plan.target.placement];
    let focus = pack.focus_of(shown.index(), placement.active);
    // Facts are px of the page, pixels those of the picture that is shown.
    let rgba = shown.rgba_in(pack, focus, known.control.moved(-shown.at()))?;
    let core = known.goals[&setting.target].core;
    let component = Component::of(asked.control.kind);
    let like = asked.living.page.controls.iter().filter(|other| {
        other.id != asked.control.id && Component::of(other.kind) == component && shown.element_index(&other.element).is_some()
    });
    Ok(Difficulty {
        target_core_px: [core.width() as u32, core.height() as u32],
        steps: steps(&asked.control.values, &known.current, &setting.target),
        like_controls: like.count() as u32,
        value_shown: shows_value(asked),
        contrast: f64::from(contrast_within(&rgba)) / 1000.0,
    })
}

/// How many steps two values lie apart.
fn steps(domain: &Domain, one: &Value, other: &Value) -> u32 {
    match (domain, one, other) {
        (Domain::Range { step, .. }, Value::Number(one), Value::Number(other)) => ((one - other).abs() / step).round() as u32,
        (Domain::Choices { values }, one, other) => {
            let at = |value: &Value| values.iter().position(|known| known == value);
            match (at(one), at(other)) {
                (Some(one), Some(other)) => one.abs_diff(other) as u32,
                _ => 1,
            }
        }
        (_, Value::List(one), Value::List(other)) => {
            let moved = one
                .iter()
                .enumerate()
                .filter_map(|(at, item)| other.iter().position(|same| same == item).map(|to| at.abs_diff(to) as u32));
            moved.max().unwrap_or(1)
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_steps_of_the_domain() {
        let range = Domain::Range { min: 0.0, max: 50.0, step: 5.0 };
        assert_eq!(steps(&range, &Value::Number(10.0), &Value::Number(35.0)), 5);
        let list = |items: [&str; 3]| Value::List(items.map(str::to_owned).to_vec());
        let order = Domain::Order { items: ["a", "b", "c"].map(str::to_owned).to_vec() };
        assert_eq!(steps(&order, &list(["a", "b", "c"]), &list(["b", "c", "a"])), 2);
    }
}
