//! Baselines that look at no picture: upper and lower ends, and audits for shortcuts. A dataset on which `topmost`,
//! `active` or `largest` score well gives its targets away.

use std::io::{Read, Seek, SeekFrom};

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use serde::Deserialize;

use windesk_files::compressed::{is_compressed, readable};
use windesk_files::{MAX_LINE_BYTES, read_line};
use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::words::words_of;

use super::words::telling_words;
use super::{OutputFile, Recorded, ocr};
use crate::truth::{Dataset, Kind, Scene, Target};

/// A baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// The recorded click point; refuses absent targets.
    Oracle,
    /// The recorded click point moved by up to 16 px along each axis.
    OracleJitter,
    /// A random point of the image.
    Random,
    /// The centre of the image.
    Center,
    /// In the topmost window, the centre of the element whose name fits the instruction best.
    Topmost,
    /// The same in the active window.
    Active,
    /// The same in the window with the most visible pixels.
    Largest,
    /// The words on the screen, as Tesseract reads them, that fit the instruction best.
    Ocr,
    /// For tasks: the middle of the largest region that changed since the keyframe before; a random point at first.
    WhatChanged,
    /// For states: the centre of the control.
    ControlCenter,
    /// For states: a random point of the control.
    ControlRandom,
    /// For states: where a value would be if all values lay evenly along the longer side of the control.
    Linear,
}

/// How far `oracle-jitter` moves, px.
pub(super) const JITTER_PX: i32 = 16;

impl Agent {
    /// Its name, also as a model's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Oracle => "oracle",
            Self::OracleJitter => "oracle-jitter",
            Self::Random => "random",
            Self::Center => "center",
            Self::Topmost => "topmost",
            Self::Active => "active",
            Self::Largest => "largest",
            Self::Ocr => "ocr",
            Self::WhatChanged => "what-changed",
            Self::ControlCenter => "control-center",
            Self::ControlRandom => "control-random",
            Self::Linear => "linear",
        }
    }

    /// Whether it looks at a control whose state is to be set.
    pub(super) fn is_of_states(self) -> bool {
        matches!(self, Self::ControlCenter | Self::ControlRandom | Self::Linear)
    }

    /// # Errors
    /// If it looks at controls.
    pub(super) fn check_without_states(self) -> Result<(), Error> {
        if self.is_of_states() {
            let problem = "needs state instances, found a dataset without any";
            let error = Error::config(format!("option `agent` {}", self.name()), problem);
            return Err(error.with_hint("`windesk states` makes datasets of them"));
        }
        Ok(())
    }

    fn needs_scenes(self) -> bool {
        !matches!(self, Self::Random | Self::Center | Self::Ocr)
    }

    /// Whether it reads the records of scenes when tasks are asked for: these say themselves what the oracle clicks.
    pub(super) fn needs_scenes_of_tasks(self) -> bool {
        matches!(self, Self::Topmost | Self::Active | Self::Largest)
    }
}

/// The part of a scene's line that baselines look at.
#[derive(Debug, Deserialize)]
pub(super) struct SceneLine {
    #[serde(default)]
    pub(super) id: String,
    windows: Vec<WindowLine>,
    elements: Vec<ElementLine>,
    targets: Vec<TargetLine>,
}

#[derive(Debug, Deserialize)]
struct WindowLine {
    index: u32,
    z: u32,
    rect: Rect,
    active: bool,
    visible_px: u64,
}

#[derive(Debug, Deserialize)]
struct ElementLine {
    window: Option<u32>,
    name: String,
    interactive: bool,
    visible_bbox: Option<Rect>,
}

#[derive(Debug, Deserialize)]
struct TargetLine {
    id: String,
    click_point: Option<Point>,
}

/// Answers the first `limit` of the targets that the file does not answer yet, and calls `tick` after each; gives their
/// number. The same seed gives the same answers.
///
/// # Errors
/// If the dataset can't be read again or the file can't be written, or the agent needs scenes and the dataset has none.
pub fn predict_by_agent(
    dataset: &Dataset,
    agent: Agent,
    seed: u64,
    limit: usize,
    file: &mut OutputFile,
    tick: impl Fn(),
) -> Result<u64, Error> {
    agent.check_without_states()?;
    if agent.needs_scenes() && dataset.kind == Kind::Boxes {
        let problem = "needs scenes with windows and elements, expected a dataset of windesk";
        return Err(Error::config(format!("option `agent` {}", agent.name()), problem));
    }
    if agent == Agent::WhatChanged {
        let problem = "needs tasks, whose keyframes follow one another, found a dataset without any";
        return Err(Error::config(format!("option `agent` {}", agent.name()), problem));
    }
    let open = dataset.targets.iter().enumerate().filter(|(_, t)| !file.answers(dataset.id(t), None));
    let open: Vec<(usize, &Target)> = open.take(limit).collect();
    let mut settle = |target: &Target, point: Option<[f64; 2]>| {
        let refusal = point.is_none().then_some(true);
        tick();
        file.write(&Recorded { id: dataset.id(target).to_owned(), point, refusal, ..Recorded::default() })
    };
    if agent == Agent::Ocr {
        by_reading(dataset, &open, settle)?;
    } else {
        let mut held: Option<(u32, SceneLine)> = None;
        for &(at, target) in &open {
            let scene = dataset.scene(target);
            if agent.needs_scenes() && held.as_ref().is_none_or(|(number, _)| *number != target.scene) {
                held = Some((target.scene, record_of(dataset, scene)?));
            }
            // A stream per target, so that a resumed run answers as an uninterrupted one.
            let mut stream = ChaCha8Rng::seed_from_u64(seed);
            stream.set_stream(at as u64);
            settle(target, answer(agent, dataset, held.as_ref().map(|(_, record)| record), target, &mut stream))?;
        }
    }
    Ok(open.len() as u64)
}

/// Tesseract reads as many pictures at once as there are cores; answers come in the order of the targets.
fn by_reading(
    dataset: &Dataset,
    open: &[(usize, &Target)],
    mut settle: impl FnMut(&Target, Option<[f64; 2]>) -> Result<(), Error>,
) -> Result<(), Error> {
    let of_scenes: Vec<&[(usize, &Target)]> = open.chunk_by(|a, b| a.1.scene == b.1.scene).collect();
    for group in of_scenes.chunks(rayon::current_num_threads()) {
        let read = group.par_iter().with_max_len(1).map(|targets| ocr::words_on(dataset.picture(dataset.scene(targets[0].1))?));
        let read: Vec<Result<Vec<ocr::Word>, Error>> = read.collect();
        for (targets, words) in group.iter().zip(read) {
            let words = words?;
            for (_, target) in *targets {
                let middle = dataset.scene(target).size.map(|side| f64::from(side) / 2.0);
                settle(target, Some(ocr::best_place(&words, dataset.instruction(target)).unwrap_or(middle)))?;
            }
        }
    }
    Ok(())
}

/// Reads a scene's line again.
fn record_of(dataset: &Dataset, scene: &Scene) -> Result<SceneLine, Error> {
    let (file, offset) = scene.source;
    let path = &dataset.files.paths[file as usize];
    let failed = |e: std::io::Error| Error::path(path, e);
    let mut file = dataset.files.open(file as usize)?;
    let compressed = is_compressed(path);
    if !compressed {
        file.seek(SeekFrom::Start(offset)).map_err(failed)?;
    }
    let mut reader = readable(file, compressed);
    if compressed {
        // Such a file can't be entered in the middle; a part of a dataset is small.
        std::io::copy(&mut reader.by_ref().take(offset), &mut std::io::sink()).map_err(failed)?;
    }
    let mut line = Vec::new();
    read_line(&mut reader, &mut line, MAX_LINE_BYTES).map_err(failed)?;
    serde_json::from_slice(&line).map_err(|e| Error::path(path, format!("{e}, expected a scene record at byte {offset}")))
}

/// The click, or `None` for a refusal.
fn answer(
    agent: Agent,
    dataset: &Dataset,
    record: Option<&SceneLine>,
    target: &Target,
    stream: &mut ChaCha8Rng,
) -> Option<[f64; 2]> {
    let [width, height] = dataset.scene(target).size;
    let middle = [f64::from(width) / 2.0, f64::from(height) / 2.0];
    let clicked = || {
        let recorded = record?.targets.iter().find(|t| t.id == dataset.id(target))?;
        recorded.click_point.map(|p| [f64::from(p.x) + 0.5, f64::from(p.y) + 0.5])
    };
    match agent {
        Agent::Oracle => clicked(),
        Agent::OracleJitter => clicked().map(|p| p.map(|v| v + f64::from(stream.random_range(-JITTER_PX..=JITTER_PX)))),
        Agent::Random => Some([width, height].map(|side| f64::from(stream.random_range(0..side)) + 0.5)),
        Agent::Center | Agent::Ocr | Agent::WhatChanged => Some(middle),
        Agent::ControlCenter | Agent::ControlRandom | Agent::Linear => unreachable!("refused before"),
        Agent::Topmost | Agent::Active | Agent::Largest => {
            Some(record.and_then(|record| guess(agent, record, dataset.instruction(target))).unwrap_or(middle))
        }
    }
}

/// In the window that an audit prefers: the middle of the element whose name fits the words best, or of the window.
/// `None` if there is no window, or if the agent looks at none.
pub(super) fn guess(agent: Agent, record: &SceneLine, words: &str) -> Option<[f64; 2]> {
    let rank = |w: &WindowLine| match agent {
        Agent::Topmost => Some(u64::from(w.z)),
        Agent::Active => Some(u64::from(w.active) << 32 | u64::from(w.z)),
        Agent::Largest => Some(w.visible_px),
        _ => None,
    };
    let (_, window) = record.windows.iter().filter_map(|w| Some((rank(w)?, w))).max_by_key(|(rank, _)| *rank)?;
    Some(best_named(record, window.index, words).unwrap_or_else(|| centre(<[i32; 4]>::from(window.rect))))
}

fn centre([x0, y0, x1, y1]: [i32; 4]) -> [f64; 2] {
    [f64::from(x0 + x1) / 2.0, f64::from(y0 + y1) / 2.0]
}

/// The middle of the visible element of a window whose name fits the instruction best; `None` if no name shares a word
/// with it.
fn best_named(record: &SceneLine, window: u32, instruction: &str) -> Option<[f64; 2]> {
    let asked = telling_words(instruction);
    let fit = |name: &str| {
        let named: Vec<String> = words_of(name).collect();
        let shared = named.iter().filter(|w| asked.contains(w)).count();
        // Of names that share as many words the one with the fewest others fits best.
        (shared > 0).then_some((shared, std::cmp::Reverse(named.len())))
    };
    let elements = record.elements.iter().filter(|e| e.window == Some(window) && e.interactive);
    let best = elements.filter_map(|e| Some((fit(&e.name)?, e.visible_bbox?))).max_by_key(|(fit, _)| *fit)?;
    Some(centre(best.1.into()))
}
