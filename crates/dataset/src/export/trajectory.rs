//! Tasks as trajectories: AgentNet's records, AndroidControl's episodes, conversations of ms-swift.

use serde_json::{Value, json};

use windesk_model::task::StepLine;

use super::tasks::{ExportedClick, ExportedTask, TaskWriter};
use super::{Error, Exporting, Job};

/// Whose records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// The README of the dataset xlangai/AgentNet, section "Data Structure".
    Agentnet,
    /// The README of AndroidControl (github.com/google-research/google-research, folder `android_control`).
    AndroidControl,
    /// ms-swift's documentation, "Custom Dataset", section on grounding.
    MsSwift,
}

pub(super) struct Trajectories {
    name: String,
    layout: Layout,
    written: u64,
}

impl Trajectories {
    pub(super) fn new(dataset: &Exporting, layout: Layout) -> Self {
        Self { name: dataset.name.clone(), layout, written: 0 }
    }
}

/// A value of every step.
fn of_steps(task: &ExportedTask, value: impl Fn(&StepLine, &ExportedClick) -> Value) -> Vec<Value> {
    task.steps().map(|(step, click)| value(step, click)).collect()
}

/// A trajectory of AgentNet. What nobody observed or thought is empty; scores that nobody gave are left out.
fn agentnet(task: &ExportedTask) -> Value {
    let mut steps = of_steps(task, |step, click| {
        let share = |v: i32, side: u32| (f64::from(v) + 0.5) / f64::from(side);
        let [x, y] = [share(click.point.x, step.image_size[0]), share(click.point.y, step.image_size[1])];
        json!({
            "index": 0,
            "image": click.image,
            "bbox": click.bbox,
            "value": {
                "observation": "",
                "thought": "",
                "action": step.instruction,
                "code": format!("pyautogui.click(x={x:.4}, y={y:.4})"),
                "last_step_correct": true,
                "last_step_redundant": false,
                "reflection": "",
            },
        })
    });
    steps.iter_mut().enumerate().for_each(|(at, step)| step["index"] = at.into());
    json!({
        "task_id": task.line.id,
        "instruction": task.goal(),
        "task_completed": true,
        "natural_language_task": task.goal(),
        "actual_task": task.goal(),
        "traj": steps,
    })
}

/// An episode of AndroidControl.
fn android_control(number: u64, task: &ExportedTask) -> Value {
    json!({
        "episode_id": number,
        "task_id": task.line.id,
        "goal": task.goal(),
        "screenshots": of_steps(task, |_, click| click.image.as_str().into()),
        "screenshot_widths": of_steps(task, |step, _| step.image_size[0].into()),
        "screenshot_heights": of_steps(task, |step, _| step.image_size[1].into()),
        "actions": of_steps(task, |_, click| json!({"action_type": "click", "x": click.point.x, "y": click.point.y})),
        "step_instructions": of_steps(task, |step, _| step.instruction.as_str().into()),
        "bboxes": of_steps(task, |_, click| json!(click.bbox)),
    })
}

/// A conversation of ms-swift with a keyframe in every turn; the trainer puts words and numbers in.
fn ms_swift(task: &ExportedTask) -> Value {
    let mut messages = Vec::new();
    for at in 0..task.clicks.len() {
        let goal = if at == 0 { format!("Task: {}\n", task.goal()) } else { String::new() };
        messages.push(json!({"role": "user", "content": format!("<image>{goal}Locate the element for this step: <ref-object>")}));
        messages.push(json!({"role": "assistant", "content": "<bbox>"}));
    }
    json!({
        "id": task.line.id,
        "messages": messages,
        "images": of_steps(task, |_, click| click.image.as_str().into()),
        "objects": {
            "ref": of_steps(task, |step, _| step.instruction.as_str().into()),
            "bbox": of_steps(task, |_, click| json!(click.bbox)),
            "bbox_type": "real",
            "image_id": (0..task.clicks.len()).collect::<Vec<_>>(),
        },
    })
}

impl TaskWriter for Trajectories {
    fn task(&mut self, job: &mut Job, task: &ExportedTask) -> Result<(), Error> {
        let record = match self.layout {
            Layout::Agentnet => agentnet(task),
            Layout::AndroidControl => android_control(self.written, task),
            Layout::MsSwift => ms_swift(task),
        };
        self.written += 1;
        job.output.line(&format!("{}.jsonl", self.name), &record)
    }
}
