//! MedSPOT's annotation files, one per program (github.com/Tajamul21/MedSPOT). Boxes are x, y, width and height in
//! percent of the image, rounded outwards by less than a billionth of a pixel.

use serde_json::json;

use super::tasks::{ExportedTask, TaskWriter};
use super::{Error, Job};

pub(super) struct Medspot;

impl TaskWriter for Medspot {
    fn task(&mut self, job: &mut Job, task: &ExportedTask) -> Result<(), Error> {
        let steps = task.steps().enumerate().map(|(at, (step, click))| {
            json!({
                "step_id": at + 1,
                "image_path": click.image,
                "instruction": step.instruction,
                "actions": [{
                    "type": "click",
                    "target": step.instruction,
                    "bbox": percent(click.bbox, step.image_size),
                }],
            })
        });
        let record = json!({"id": task.line.id, "task_overview": task.goal(), "steps": steps.collect::<Vec<_>>()});
        let name = file_name(&task.line.application);
        job.output.list_under("tasks", &format!("Annotations/{name}_Annotation.json"), &record)
    }
}

/// A program's name as a part of the name of a file.
fn file_name(application: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.+ ".contains(c) { c } else { '_' };
    let name: String = application.chars().map(plain).collect();
    // Neither hidden nor a way out of the folder.
    if name.is_empty() || name.starts_with('.') { format!("_{name}") } else { name }
}

/// `[x, y, width, height]` in percent.
fn percent([x0, y0, x1, y1]: [i32; 4], [width, height]: [u32; 2]) -> [f64; 4] {
    let ([x, w], [y, h]) = (span([x0, x1], width), span([y0, y1], height));
    [x, y, w, h]
}

/// Floats that a border is moved outwards by. Readers compute pixels of it (`x / 100 * side`, `(x + w) / 100 * side`),
/// and most quotients are no floats: with six roundings, none of them by more than half of the last digit, a click on
/// the border would be a hit in one arithmetic and a miss in another.
const OUTWARDS: i64 = 8;

/// Beginning and length in percent of a side.
fn span([first, end]: [i32; 2], side: u32) -> [f64; 2] {
    let share = |px: i32| f64::from(px) * 100.0 / f64::from(side);
    let begin = stepped(share(first), -OUTWARDS);
    [begin, stepped(share(end), OUTWARDS) - begin]
}

/// The float `n` places above a positive one; 0 stays.
fn stepped(value: f64, n: i64) -> f64 {
    if value == 0.0 { value } else { f64::from_bits(value.to_bits().saturating_add_signed(n)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula of the released scripts.
    fn px([x, y, w, h]: [f64; 4], [width, height]: [u32; 2]) -> [f64; 4] {
        let (width, height) = (f64::from(width), f64::from(height));
        [x / 100.0 * width, y / 100.0 * height, (x + w) / 100.0 * width, (y + h) / 100.0 * height]
    }

    #[test]
    fn the_scripts_get_boxes_with_the_borders_and_no_more() {
        for size in [[2560, 1440], [1366, 768], [1600, 900], [1680, 1050], [3840, 2160], [1179, 2556]] {
            let [width, height] = size.map(|side| side as i32);
            for first in 0..width - 1 {
                let bbox = [first, first % (height - 1), (first + 1 + first % 97).min(width), height];
                let (found, exact) = (px(percent(bbox, size), size), bbox.map(f64::from));
                let outwards = [exact[0] - found[0], exact[1] - found[1], found[2] - exact[2], found[3] - exact[3]];
                assert!(outwards.iter().all(|by| (0.0..1e-9).contains(by)), "{bbox:?} of {size:?}: {found:?}");
            }
        }
    }

    #[test]
    fn names_stay_in_their_folder() {
        assert_eq!(["org.gnome.Files", "../a/b", "", "C++ x"].map(file_name), ["org.gnome.Files", "_.._a_b", "_", "C++ x"]);
    }
}
