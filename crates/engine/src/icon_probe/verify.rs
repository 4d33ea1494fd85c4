//! The referee of probes: paints every icon of a plan into an owner map and recounts boxes, gaps, contrast and names.
//! It shares no counting code with the planner and none that composes with the renderer; what contrast is (WCAG) stands
//! once, in [`super::contrast`].

use windesk_model::Error;
use windesk_model::desktop::work_area;
use windesk_model::geometry::{Point, Rect};
use windesk_model::pack_format::ShellKind;

use super::assets::ProbeAssets;
use super::contrast::{luminance, ratio};
use super::design::{ProbeCondition, TargetPresence};
use super::plan::ProbePlan;
use crate::pack::normalised_name;

/// Owner of a pixel that no icon paints.
const NOBODY: u8 = 0;

/// Checks a plan against its condition; every broken rule is a line. Empty if all hold.
///
/// # Errors
/// If the plan names what the assets do not have.
pub fn verify_probe(assets: &ProbeAssets, condition: &ProbeCondition, plan: &ProbePlan) -> Result<Vec<String>, Error> {
    let mut broken = Vec::new();
    // Words are put together for broken rules only: millions of pixels hold.
    let mut expect = |holds: bool, rule: &dyn Fn() -> String| {
        if !holds {
            broken.push(rule());
        }
    };
    let screen = plan.canvas.rect();
    let width = screen.width();
    let mut owners = vec![NOBODY; screen.area() as usize];
    let ground = assets.ground(&plan.wallpaper, plan.canvas, plan.panel)?;
    let work = work_area(condition.canvas, condition.chrome, ShellKind::Taskbar);
    let icons = plan.icons.iter().map(|icon| plan.find(assets, icon)).collect::<Result<Vec<usize>, _>>()?;
    expect((condition.icons[0] as usize..=condition.icons[1] as usize).contains(&icons.len()), &|| {
        format!("{} icons, expected {:?}", icons.len(), condition.icons)
    });
    for (slot, (planned, &icon)) in plan.icons.iter().zip(&icons).enumerate() {
        let (own, name) = (slot as u8 + 1, || format!("icon {slot} `{}`", planned.icon));
        let sprite = assets.rasteriser.sprite(&assets.set, icon, planned.look());
        let origin = planned.origin();
        let (mut count, mut sides, mut ratios) = (0_u64, [i32::MAX, i32::MAX, i32::MIN, i32::MIN], Vec::new());
        for (at, &[r, g, b, alpha]) in sprite.rgba.iter().enumerate().filter(|(_, p)| p[3] > 0) {
            let (x, y) = (origin.x + at as i32 % sprite.side, origin.y + at as i32 / sprite.side);
            if !screen.contains(Point { x, y }) {
                expect(alpha < 128, &|| format!("{} reaches beyond the screen at {x},{y}", name()));
                continue;
            }
            let pixel = (y * width + x) as usize;
            expect(owners[pixel] == NOBODY, &|| {
                format!("{} paints over icon {} at {x},{y}", name(), i32::from(owners[pixel]) - 1)
            });
            owners[pixel] = own;
            if alpha >= 128 {
                count += 1;
                sides = [sides[0].min(x), sides[1].min(y), sides[2].max(x + 1), sides[3].max(y + 1)];
                let below = &ground.frame.rgb[pixel * 3..pixel * 3 + 3];
                let alpha = super::contrast::faded(alpha, planned.opacity_percent);
                let above = [over(below[0], r, alpha), over(below[1], g, alpha), over(below[2], b, alpha)];
                ratios.push(ratio(luminance(above), luminance([below[0], below[1], below[2]])));
            }
        }
        expect(sides == <[i32; 4]>::from(planned.bbox), &|| {
            format!("{}: planned box {:?}, counted {sides:?}", name(), planned.bbox)
        });
        expect(count == planned.solid_px, &|| format!("{}: planned {} solid pixels, counted {count}", name(), planned.solid_px));
        expect(work.covers(planned.bbox), &|| format!("{} at {:?} leaves the work area", name(), planned.bbox));
        let middle = ratios.len() / 2;
        let median = if ratios.is_empty() { 0 } else { *ratios.select_nth_unstable(middle).1 };
        expect(median == planned.contrast_milli, &|| {
            format!("{}: planned contrast {}, counted {median}", name(), planned.contrast_milli)
        });
        expect(median >= condition.contrast_min_milli, &|| {
            format!("{}: contrast {median} below {}", name(), condition.contrast_min_milli)
        });
        let [low, high] = condition.size_px;
        expect((low..=high).contains(&planned.size_px), &|| format!("{}: size {}", name(), planned.size_px));
    }
    for (slot, planned) in plan.icons.iter().enumerate() {
        for (other_slot, other) in plan.icons.iter().enumerate().skip(slot + 1) {
            let gap = apart(planned.bbox, other.bbox);
            // In shares of the gap that is asked for, as the response classes measure distances.
            let share = |px: i32, of: u32| if of == 0 { 1.0 } else { f64::from(px) / f64::from(of) };
            let (x, y) = (share(gap[0], condition.gap.x), share(gap[1], condition.gap.y));
            let far = x * x + y * y >= 1.0 - 1e-9 && !planned.bbox.touches(other.bbox);
            expect(far, &|| {
                format!("icons {slot} and {other_slot} are {gap:?} px apart, expected {}x{}", condition.gap.x, condition.gap.y)
            });
            let twins = assets.set.twins(icons[slot]).contains(&icons[other_slot]);
            let asked_for = twins && plan.target.similar.iter().any(|s| s.slot == other_slot) && plan.target.slot == Some(slot);
            expect(asked_for || !assets.set.clash(icons[slot], icons[other_slot]), &|| {
                format!("icons {slot} `{}` and {other_slot} `{}` can be taken for each other", planned.icon, other.icon)
            });
        }
    }
    for bar in plan.chrome.bars(plan.canvas) {
        expect(plan.icons.iter().all(|icon| !icon.bbox.touches(bar)), &|| "an icon overlaps the taskbar".to_owned());
    }
    broken.extend(instruction_rules(assets, condition, plan, &icons));
    Ok(broken)
}

/// What the words must satisfy: they fit the target and no other icon; an absent target fits none.
fn instruction_rules(assets: &ProbeAssets, condition: &ProbeCondition, plan: &ProbePlan, icons: &[usize]) -> Vec<String> {
    let target = &plan.target;
    let mut broken = Vec::new();
    let asked = assets.set.find(&target.library, &target.icon);
    let object = normalised_name(&target.object);
    let fits = |icon: usize| {
        let record = &assets.set.icons[icon];
        let styled = [", in a single colour", ", in several colours"].iter().position(|style| target.object.ends_with(style));
        match styled {
            Some(style) => {
                record.one_colour == (style == 0)
                    && object.starts_with(&normalised_name(&record.name))
                    && asked.is_some_and(|a| assets.set.icons[a].name == record.name)
            }
            None => record.names().any(|name| normalised_name(name) == object),
        }
    };
    let fitting: Vec<usize> = (0..icons.len()).filter(|&slot| fits(icons[slot])).collect();
    match (condition.target, target.slot) {
        (TargetPresence::Present, Some(slot)) => {
            if fitting != [slot] {
                broken.push(format!("`{}` fits the icons {fitting:?}, expected the target {slot} alone", target.object));
            }
            if icons.get(slot).copied() != asked {
                broken.push(format!("icon {slot} is not the target `{}`", target.icon));
            }
        }
        (TargetPresence::Absent, None) => {
            let near = asked.is_some_and(|asked| icons.iter().any(|&icon| assets.set.clash(asked, icon)));
            if !fitting.is_empty() || near {
                broken.push(format!("`{}` is absent and yet icons {fitting:?} fit or can be taken for it", target.object));
            }
            if !target.prompt.refusal_allowed {
                broken.push("the target is absent and the prompt allows no refusal".to_owned());
            }
        }
        (expected, slot) => broken.push(format!("target in slot {slot:?}, expected {expected:?}")),
    }
    broken
}

/// A channel of an icon's pixel over that of the ground, with an opacity of `alpha` in 255, rounded to the nearest.
fn over(below: u8, above: u8, alpha: u8) -> u8 {
    let [below, above, alpha] = [below, above, alpha].map(u32::from);
    ((above * alpha + below * (255 - alpha) + 127) / 255) as u8
}

/// Horizontal and vertical gap between two boxes, px.
fn apart(a: Rect, b: Rect) -> [i32; 2] {
    [(b.x0() - a.x1()).max(a.x0() - b.x1()).max(0), (b.y0() - a.y1()).max(a.y0() - b.y1()).max(0)]
}
