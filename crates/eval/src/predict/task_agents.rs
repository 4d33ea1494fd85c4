//! Baselines over tasks: those of single targets, and one that looks at what just changed.

use std::collections::HashMap;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use windesk_files::compressed::{is_compressed, readable};
use windesk_files::{MAX_LINE_BYTES, Root, read_line};
use windesk_model::Error;

use super::agents::{JITTER_PX, SceneLine, guess};
use super::changed::changed_place;
use super::history::click_of;
use super::questions::{asked_steps, check_goals};
use super::{Agent, OutputFile, Recorded, ocr};
use crate::asked::Asked;
use crate::decode::decoded;
use crate::sequence::{Step, Task, Tasks};
use crate::truth::Manifest;

/// Answers the first `limit` steps of the tasks that count and that the file does not answer yet, and calls `tick`
/// after each; gives their number. Baselines that compare words look at the step's instruction, or at the goal where
/// that alone is told. The same seed gives the same answers.
///
/// # Errors
/// If a keyframe or the scenes can't be read or the file can't be written, a task has no goal where that is told, or
/// the agent needs scenes and the tasks name none.
pub fn predict_tasks_by_agent(
    tasks: &Tasks,
    agent: Agent,
    asked: Asked,
    seed: u64,
    limit: usize,
    file: &mut OutputFile,
    tick: impl Fn(),
) -> Result<u64, Error> {
    agent.check_without_states()?;
    check_goals(tasks, asked)?;
    let all = asked_steps(tasks);
    let is_open = |&(_, (task, step)): &(usize, (usize, usize))| !file.answers(&tasks.tasks[task].id, Some(step as u32));
    let open: Vec<(usize, (usize, usize))> = all.iter().copied().enumerate().filter(is_open).take(limit).collect();
    let run = Run { tasks, asked, seed };
    // What is slow is done for as many tasks at once as there are cores, and written in order.
    let of_tasks: Vec<&[(usize, (usize, usize))]> = open.chunk_by(|a, b| a.1.0 == b.1.0).collect();
    let guesses = if agent.needs_scenes_of_tasks() { run.by_scenes(agent, &open)? } else { HashMap::new() };
    for group in of_tasks.chunks(rayon::current_num_threads()) {
        let answered = group.par_iter().with_max_len(1).map(|steps| run.answers(agent, steps, &guesses));
        let answered = answered.collect::<Result<Vec<_>, Error>>()?;
        for (steps, points) in group.iter().zip(answered) {
            for (&(_, (task, step)), point) in steps.iter().zip(points) {
                let id = tasks.tasks[task].id.clone();
                file.write(&Recorded { id, step: Some(step as u32), point: Some(point), ..Recorded::default() })?;
                tick();
            }
        }
    }
    Ok(open.len() as u64)
}

struct Run<'a> {
    tasks: &'a Tasks,
    asked: Asked,
    seed: u64,
}

impl Run<'_> {
    /// What a baseline that compares words looks at.
    fn words<'t>(&self, task: &'t Task, step: &'t Step) -> &'t str {
        if self.asked == Asked::GoalHistory { task.goal.as_deref().unwrap_or_default() } else { &step.instruction }
    }

    /// Answers to open steps of one task, each with its number among all questions.
    fn answers(
        &self,
        agent: Agent,
        steps: &[(usize, (usize, usize))],
        guesses: &HashMap<usize, [f64; 2]>,
    ) -> Result<Vec<[f64; 2]>, Error> {
        let answer = |&(question, (task, at)): &(usize, (usize, usize))| {
            let task = &self.tasks.tasks[task];
            let step = &task.steps[at];
            let middle = step.size.map(|side| f64::from(side) / 2.0);
            // A stream per question, so that a resumed run answers as an uninterrupted one.
            let mut stream = ChaCha8Rng::seed_from_u64(self.seed);
            stream.set_stream(question as u64);
            let mut anywhere = || step.size.map(|side| f64::from(stream.random_range(0..side)) + 0.5);
            Ok(match agent {
                Agent::Random => anywhere(),
                Agent::Center => middle,
                Agent::Oracle => click_of(step).unwrap_or(middle),
                Agent::OracleJitter => {
                    let clicked = click_of(step).unwrap_or(middle);
                    clicked.map(|v| v + f64::from(stream.random_range(-JITTER_PX..=JITTER_PX)))
                }
                Agent::Ocr => {
                    let words = ocr::words_on(self.tasks.picture(step)?)?;
                    ocr::best_place(&words, self.words(task, step)).unwrap_or(middle)
                }
                Agent::WhatChanged => self.changed(task, at)?.unwrap_or_else(anywhere),
                Agent::ControlCenter | Agent::ControlRandom | Agent::Linear => unreachable!("refused before"),
                Agent::Topmost | Agent::Active | Agent::Largest => guesses.get(&question).copied().unwrap_or(middle),
            })
        };
        steps.iter().map(answer).collect()
    }

    /// What changed since the keyframe before; nothing for the first one.
    fn changed(&self, task: &Task, at: usize) -> Result<Option<[f64; 2]>, Error> {
        let Some(before) = at.checked_sub(1) else { return Ok(None) };
        let keyframe = |at: usize| Ok::<_, Error>(decoded(self.tasks.picture(&task.steps[at])?)?.into_rgb8());
        Ok(changed_place(&keyframe(before)?, &keyframe(at)?))
    }

    /// Guesses by the records of the scenes that the steps name, by question.
    fn by_scenes(&self, agent: Agent, open: &[(usize, (usize, usize))]) -> Result<HashMap<usize, [f64; 2]>, Error> {
        let mut wanted: HashMap<&str, Vec<(usize, &Task, &Step)>> = HashMap::new();
        for &(question, (task, at)) in open {
            let task = &self.tasks.tasks[task];
            let step = &task.steps[at];
            let scene = step.scene.as_deref().ok_or_else(|| {
                let problem = format!("needs scenes with windows and elements: {}, step {at} names no scene", task.id);
                Error::config(format!("option `agent` {}", agent.name()), problem)
            })?;
            wanted.entry(scene).or_default().push((question, task, step));
        }
        let mut guesses = HashMap::new();
        each_scene(&self.tasks.root, |scene| {
            for (question, task, step) in wanted.remove(&*scene.id).unwrap_or_default() {
                if let Some(point) = guess(agent, &scene, self.words(task, step)) {
                    guesses.insert(question, point);
                }
            }
        })?;
        let missing = wanted.keys().min().map(|scene| {
            let found = format!("found no scene {scene} in scenes/, expected those that the tasks name");
            Error::path(self.tasks.root.folder(), found)
        });
        missing.map_or(Ok(guesses), Err)
    }
}

/// Hands every scene of a dataset folder to `each`.
fn each_scene(root: &Root, mut each: impl FnMut(SceneLine)) -> Result<(), Error> {
    let manifest = Manifest::of_folder(root.folder(), "scenes")?;
    let mut line = Vec::new();
    for (part, path) in manifest.files(root.folder(), "scenes").into_iter().enumerate() {
        let name = path.strip_prefix(root.folder()).unwrap_or(&path);
        let mut reader = readable(root.open(name)?, is_compressed(&path));
        for number in 1.. {
            line.clear();
            if read_line(&mut reader, &mut line, MAX_LINE_BYTES).map_err(|e| Error::line(&path, number, e))? == 0 {
                manifest.check_lines(part, "scenes", &path, number - 1)?;
                break;
            }
            let scene = serde_json::from_slice(&line);
            each(scene.map_err(|e| Error::line(&path, number, format!("{e}, expected a scene record")))?);
        }
    }
    Ok(())
}
