//! Keyed randomness: every decision of a sample has a stream of its own. The only random numbers of the engine.
//!
//! A stream depends on nothing but the sample's key, the [`Decision`] and a slot, so that a retry or a new decision
//! never moves anybody else's numbers, and the condition, the pack's order and the number of threads play no part.

use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a sample is made from, besides the pack and the condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SampleKey {
    /// The run's seed.
    pub seed: u64,
    /// The sample's number in the run, from 0.
    pub index: u64,
    /// Which try at this index, from 0.
    pub draw: u32,
}

/// What a scene is called within its dataset: `<condition>-<index>`, and `-<step>` behind it for the keyframe of a
/// step. With the dataset's name and a dot before it, it is the scene's id.
pub fn scene_name(condition: &str, index: u64, step: Option<u64>) -> String {
    let step = step.map(|step| format!("-{step}")).unwrap_or_default();
    format!("{condition}-{index:06}{step}")
}

/// What is being decided. Numbers are for ever: a new decision takes a new one, a retired one stays unused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Decision {
    /// Which category, program, capture and element is the target; slot = stage.
    Target = 1,
    /// Which of the wordings of the target.
    Wording = 2,
    /// Which wallpaper.
    Wallpaper = 3,
    /// How many windows.
    WindowCount = 4,
    /// Which layout governs the background windows.
    Layout = 5,
    /// Where the target's window lies.
    TargetPlace = 6,
    /// How many target pixels stay visible, and in which geometry.
    Occlusion = 7,
    // 8 is retired: windows that hide a part of the target have their turns on the circle of those that fill scenes up.
    /// Rank of windows that fill scenes up; slot = window.
    ProgramRank = 9,
    /// Rank of windows within a program; slot = window.
    WindowRank = 10,
    /// Where a background window lies; slot = its number.
    BackgroundPlace = 11,
    /// Where a similar distractor lies; slot = its number.
    DistractorPlace = 12,
    /// Which windows lie above the target; slot = window number.
    ZOrder = 13,
    /// Taskbar, clock, desktop icons; slot = part.
    Chrome = 14,
    // 15 is retired: dialogs always bring their parent window.
    /// Whether the topmost window has a menu open.
    OpenPopup = 16,
    /// In which order targets are traversed; slot = target.
    Traversal = 17,
    /// Whether the target is absent, and which it is; slot = stage.
    AbsentTarget = 18,
    /// Rank of elements as further targets; slot = element.
    ExtraTarget = 19,
    /// Whether a program that shows no window runs minimised; slot = program.
    Minimised = 20,
    /// Whether a window keeps to the region of its category, and whether it hangs over the work area's edge; slot =
    /// window.
    Habit = 21,
    /// Whether games may make up the number, whether a program shows two windows, and whose tools may come; slot =
    /// question or program.
    Company = 22,
    /// Which session has its turn.
    SessionTurn = 23,
    /// In which state a window of a living program is; slot = window.
    WindowState = 24,
    /// When a window's next appearance is due; slot = window. Of a stretch of indices, with how often it has filled
    /// scenes up as the draw.
    Due = 25,
    /// Whether there is a mouse pointer, and where; slot = part.
    Pointer = 30,
    /// Which sort of task.
    TaskKind = 31,
    /// Which program and path a task follows; slot = stage.
    TaskPath = 32,
    /// In which order ways to reveal a window are tried; slot = way.
    TaskReveal = 33,
    /// Whether the window of what a task is after is put away at first.
    TaskPutAway = 34,
    /// In which order component types, and controls of one type, have their turn as what is to be set; slot = stage.
    SettingTurn = 35,
    /// Which value a control has, and which one it must take; slot = stage.
    SettingValue = 36,
    /// The values of the other controls of its page.
    SettingPage = 37,
    /// In which words it is asked for.
    SettingVoice = 38,
    /// What a task sets on a living page, and how many clicks it takes; slot = control or value.
    TaskSettings = 39,
    /// Rank of icons as a probe's target; slot = icon.
    ProbeTarget = 40,
    /// Rank of icons beside it; slot = icon.
    ProbeIcon = 41,
    /// How many icons.
    ProbeCount = 42,
    /// Size, opacity and turn of an icon; slot = its number.
    ProbeSize = 43,
    /// Where an icon lies; slot = its number.
    ProbePlace = 44,
    /// How a layout lies, and shifts within it; slot = part.
    ProbeLayout = 45,
    /// Colours of an icon; slot = its number.
    ProbeLook = 46,
    /// Whose caption is whose.
    ProbeCaption = 47,
    /// Which prompt, and which synonym.
    ProbePrompt = 48,
}

/// Changes whenever the meaning of the streams changes; part of the engine version's promise.
const STREAMS_VERSION: u64 = 1;

impl SampleKey {
    /// The stream of one decision. `slot` tells apart decisions of one kind, such as the places of several windows.
    pub fn stream(self, decision: Decision, slot: u64) -> Stream {
        let mut seed = [0_u8; 32];
        seed[0..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&self.index.to_le_bytes());
        seed[16..20].copy_from_slice(&self.draw.to_le_bytes());
        seed[20..24].copy_from_slice(&(decision as u32).to_le_bytes());
        seed[24..32].copy_from_slice(&slot.to_le_bytes());
        let mut rng = ChaCha8Rng::from_seed(seed);
        rng.set_stream(STREAMS_VERSION);
        Stream(rng)
    }

    /// A rank for the thing with this stable number: sorting by it is a keyed shuffle in which a longer list extends a
    /// shorter one.
    pub fn rank(self, decision: Decision, stable_id: u64) -> u64 {
        self.stream(decision, stable_id).0.next_u64()
    }

    /// A part of the circle, in 2^-64, that goes round by the golden ratio from index to index. Of the indices of any
    /// stretch, every arc gets its share almost exactly, and so does every part of an arc. The first draws of an index
    /// share it; should all of them fail, the next ones begin elsewhere.
    pub fn spread(self, decision: Decision) -> u64 {
        const DRAWS: u32 = 16;
        /// 2^64 divided by the golden ratio, made odd.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let start = Self { index: 0, draw: self.draw / DRAWS, ..self }.rank(decision, 0);
        start.wrapping_add(self.index.wrapping_mul(STEP))
    }
}

/// A stream of random numbers for one decision.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// A whole number in `low..=high`.
    ///
    /// # Panics
    /// If `low > high`: a bug of the caller.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        self.0.random_range(low..=high)
    }

    /// An index into `0..len`.
    ///
    /// # Panics
    /// If `len` is 0: a bug of the caller.
    pub fn below(&mut self, len: usize) -> usize {
        self.0.random_range(0..len as u64) as usize
    }

    /// True `thousandths` times of 1000.
    pub fn chance(&mut self, thousandths: u32) -> bool {
        self.0.random_range(0..1000_u32) < thousandths
    }

    /// An index into `weights`, in proportion to them. `None` if all are 0.
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u64 = weights.iter().map(|&w| u64::from(w)).sum();
        if total == 0 {
            return None;
        }
        let mut at = self.0.random_range(0..total);
        weights.iter().position(|&w| {
            let here = at < u64::from(w);
            if !here {
                at -= u64::from(w);
            }
            here
        })
    }
}
