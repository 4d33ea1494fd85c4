//! What a question about a step says of the task and of the steps before.

use serde::Deserialize;

use windesk_model::Error;

use crate::asked::Asked;
use crate::exact;
use crate::parse::{Convention, Scale};
use crate::sequence::{Step, Task};

/// The words around goal and history; they stand in the place of the instruction in a family's prompt.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryPrompt {
    /// A step before, with `{number}`, `{instruction}` and `{point}`.
    step: String,
    /// A step before that was no click, with `{number}` and `{instruction}`.
    other: String,
    /// Instead of steps, for the first one.
    none: String,
    /// What is said where several pictures are sent, with `{count}`.
    pictures: String,
    /// The question with the next instruction.
    step_history: String,
    /// The question without it.
    goal_history: String,
}

impl HistoryPrompt {
    /// Reads a template; `place` is named in errors.
    ///
    /// # Errors
    /// If it is no template, or has no place for the goal, the steps or the instruction.
    pub fn read(place: &str, text: &str) -> Result<Self, Error> {
        let read: Self = toml::from_str(text).map_err(|e| Error::at(place, format!("{e}, expected the words of a history")))?;
        let has = [
            ("step", &read.step, "{instruction}"),
            ("step", &read.step, "{point}"),
            ("step_history", &read.step_history, "{goal}"),
            ("step_history", &read.step_history, "{steps}"),
            ("step_history", &read.step_history, "{instruction}"),
            ("goal_history", &read.goal_history, "{goal}"),
            ("goal_history", &read.goal_history, "{steps}"),
        ];
        if let Some((key, _, mark)) = has.into_iter().find(|(_, text, mark)| !text.contains(mark)) {
            return Err(Error::at(place, format!("`{key}` without {mark}, expected a place for it")));
        }
        Ok(read)
    }

    /// The template of a way of asking as one text, for the record; none for the way without history.
    pub fn described(&self, asked: Asked) -> Option<String> {
        let question = match asked {
            Asked::Step => return None,
            Asked::StepHistory => &self.step_history,
            Asked::GoalHistory => &self.goal_history,
        };
        let Self { step, other, none, pictures, .. } = self;
        Some(format!("[history] {}\n[step] {step}\n[other] {other}\n[none] {none}\n[pictures] {pictures}", question.trim_start()))
    }

    /// What stands in the place of the instruction when step `at` of a task is asked for and `pictures` are sent.
    pub(super) fn told(&self, task: &Task, at: usize, asked: Asked, coords: &Convention, pictures: usize) -> String {
        let step = &task.steps[at];
        let template = match asked {
            Asked::Step => return step.instruction.clone(),
            Asked::StepHistory => &self.step_history,
            Asked::GoalHistory => &self.goal_history,
        };
        let before = task.steps[..at].iter().enumerate().map(|(number, step)| self.line(number, step, coords));
        let before: Vec<String> = before.collect();
        let steps = if before.is_empty() { self.none.clone() } else { before.join("\n") };
        let pictures = if pictures > 1 { self.pictures.replace("{count}", &pictures.to_string()) } else { String::new() };
        let goal = task.goal.as_deref().unwrap_or_default();
        // All at once: braces in goals and instructions are their own.
        filled(
            template.trim_start(),
            &[("{goal}", goal), ("{steps}", &steps), ("{pictures}", &pictures), ("{instruction}", &step.instruction)],
        )
    }

    fn line(&self, number: usize, step: &Step, coords: &Convention) -> String {
        let number = (number + 1).to_string();
        let point = click_of(step).map(|point| told_point(point, step.size, coords));
        let template = if point.is_some() { &self.step } else { &self.other };
        let point = point.unwrap_or_default();
        filled(template, &[("{number}", &number), ("{instruction}", &step.instruction), ("{point}", &point)])
    }
}

/// Puts values in the places of their marks. What a value says is never taken for a mark.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let (mut text, mut rest) = (String::new(), template);
    loop {
        let next = values.iter().filter_map(|(mark, value)| Some((rest.find(mark)?, mark, value))).min_by_key(|(at, ..)| *at);
        let Some((at, mark, value)) = next else { return text + rest };
        text.push_str(&rest[..at]);
        text.push_str(value);
        rest = &rest[at + mark.len()..];
    }
}

/// The right click of a step, px: the recorded pixel's middle, or the middle of the box. `None` for a step that is no
/// click.
pub(super) fn click_of(step: &Step) -> Option<[f64; 2]> {
    let [x0, y0, x1, y1] = step.bbox?;
    let middle = [exact::middle(x0, x1), exact::middle(y0, y1)];
    Some(step.click_point.map_or(middle, |p| [f64::from(p.x) + 0.5, f64::from(p.y) + 0.5]))
}

/// A point in the numbers of a convention, as `(x, y)`, or `(y, x)` where the convention has them so.
pub(super) fn told_point(point: [f64; 2], size: [u32; 2], coords: &Convention) -> String {
    let sides = coords.scale.sides(size);
    let decimals = match coords.scale {
        Scale::Norm => 3,
        Scale::Percent => 1,
        Scale::Norm1000 | Scale::Px | Scale::ResizedBy(_) | Scale::ResizedTo(_) => 0,
    };
    let told = [0, 1].map(|axis| format!("{:.decimals$}", exact::scaled(point[axis], sides[axis], size[axis])));
    let [x, y] = told;
    if coords.y_first { format!("({y}, {x})") } else { format!("({x}, {y})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_never_taken_for_marks() {
        assert_eq!(filled("{a}-{b}-{a}", &[("{a}", "{b}"), ("{b}", "2")]), "{b}-2-{b}");
        assert_eq!(filled("no mark {c}", &[("{a}", "1")]), "no mark {c}");
    }

    #[test]
    fn points_are_told_as_the_family_answers() {
        let told = |name: &str| told_point([640.5, 360.5], [1280, 720], &name.parse().unwrap());
        assert_eq!(
            ["px", "norm", "percent", "norm1000", "gemini"].map(told),
            ["(640, 360)", "(0.500, 0.501)", "(50.0, 50.1)", "(500, 501)", "(501, 500)"]
        );
    }
}
