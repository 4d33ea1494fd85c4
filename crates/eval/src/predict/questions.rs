//! What is asked about a dataset: its targets, or the steps of its tasks.

use windesk_files::{Picture, PictureKind};
use windesk_model::Error;

use super::Prompt;
use super::history::HistoryPrompt;
use super::run::{Message, Questions};
use crate::asked::Asked;
use crate::sequence::{Step, Task, Tasks};
use crate::truth::Dataset;

/// The targets of a dataset, each by its instruction.
#[derive(Clone, Copy, Debug)]
pub struct TargetQuestions<'a> {
    /// What is asked about.
    pub dataset: &'a Dataset,
    /// How.
    pub prompt: &'a Prompt,
}

fn read(picture: Picture) -> Result<(PictureKind, Vec<u8>), Error> {
    let kind = picture.head.kind;
    Ok((kind, picture.bytes()?))
}

impl Questions for TargetQuestions<'_> {
    fn count(&self) -> usize {
        self.dataset.targets.len()
    }

    fn name(&self, question: usize) -> (&str, Option<u32>) {
        (self.dataset.id(&self.dataset.targets[question]), None)
    }

    fn message(&self, question: usize) -> Result<Message, Error> {
        let Self { dataset, prompt } = self;
        let target = &dataset.targets[question];
        let scene = dataset.scene(target);
        let size = scene.size;
        let (user, system) = (prompt.user_message(dataset.instruction(target), size), prompt.system_message(size));
        Ok(Message { pictures: vec![read(dataset.picture(scene)?)?], size, system, user })
    }
}

/// The steps of tasks that are clicks, each with its keyframe.
#[derive(Clone, Debug)]
pub struct StepQuestions<'a> {
    tasks: &'a Tasks,
    prompt: &'a Prompt,
    history: &'a HistoryPrompt,
    asked: Asked,
    history_images: usize,
    /// Task and step of every question.
    steps: Vec<(usize, usize)>,
}

/// Task and step of everything that is asked for: of the steps that count.
pub(super) fn asked_steps(tasks: &Tasks) -> Vec<(usize, usize)> {
    let of_task = |(number, task): (usize, &Task)| {
        let counting = task.steps.iter().enumerate().filter(|(_, step)| step.bbox.is_some());
        counting.map(|(at, _)| (number, at)).collect::<Vec<_>>()
    };
    tasks.tasks.iter().enumerate().flat_map(of_task).collect()
}

/// Refuses tasks that can't be asked for in a way.
///
/// # Errors
/// If goals are told and a task has none.
pub(super) fn check_goals(tasks: &Tasks, asked: Asked) -> Result<(), Error> {
    let without = tasks.tasks.iter().find(|task| task.goal.as_deref().unwrap_or_default().trim().is_empty());
    match without.filter(|_| asked.has_history()) {
        Some(task) => {
            let problem = format!("{asked}: task {} has no goal (`task_overview`), which is told in this way", task.id);
            Err(Error::config("option `asked`", problem).with_hint("option `asked` step needs no goals"))
        }
        None => Ok(()),
    }
}

impl<'a> StepQuestions<'a> {
    /// All of them. `history_images` keyframes of earlier steps are sent at most, where the way of asking has a
    /// history.
    ///
    /// # Errors
    /// If goals are told and a task has none.
    pub fn new(
        tasks: &'a Tasks,
        prompt: &'a Prompt,
        history: &'a HistoryPrompt,
        asked: Asked,
        history_images: u32,
    ) -> Result<Self, Error> {
        check_goals(tasks, asked)?;
        let history_images = if asked.has_history() { history_images as usize } else { 0 };
        Ok(Self { tasks, prompt, history, asked, history_images, steps: asked_steps(tasks) })
    }
}

impl Questions for StepQuestions<'_> {
    fn count(&self) -> usize {
        self.steps.len()
    }

    fn name(&self, question: usize) -> (&str, Option<u32>) {
        let (task, step) = self.steps[question];
        (&self.tasks.tasks[task].id, Some(step as u32))
    }

    fn message(&self, question: usize) -> Result<Message, Error> {
        let (number, at) = self.steps[question];
        let task = &self.tasks.tasks[number];
        let shown: &[Step] = &task.steps[at - at.min(self.history_images)..=at];
        let pictures = shown.iter().map(|step| read(self.tasks.picture(step)?)).collect::<Result<Vec<_>, _>>()?;
        let size = task.steps[at].size;
        let instruction = self.history.told(task, at, self.asked, &self.prompt.coords, pictures.len());
        let (user, system) = (self.prompt.user_message(&instruction, size), self.prompt.system_message(size));
        Ok(Message { pictures, size, system, user })
    }
}
