//! Which elements can be targets, how they are asked for, and which other elements would truly satisfy the same words.
//!
//! All of this is fixed when the pack is built, never per scene.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use typed_index_collections::{TiSlice, TiVec};

use windesk_model::geometry::Rect;
use windesk_model::index::{ElementIndex, WindowIndex};
use windesk_model::instruction::{InstructionSource, UiType, Wording};
use windesk_model::role::RoleGroup;

use super::Window;
use super::evidence::EvidencePart;
use super::later::Later;
use super::naming::{normalised_name, spoken_name};

/// An element that scenes can ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Index of its window.
    pub window: WindowIndex,
    /// Index of its element there.
    pub element: ElementIndex,
    /// The element's box, px of the window's picture.
    pub bbox: Rect,
    /// The instruction as it is asked where nothing need be visible of what the words name: complete.
    pub instruction: String,
    /// How it asks.
    pub wording: Wording,
    /// The instruction without context, and paraphrases of it that a reader understood.
    pub sentences: Vec<String>,
    /// How scenes may ask so that the context is written in a title bar; sorted. None if it isn't.
    pub wordings: Vec<Wording>,
    /// Whether the words tell the element by its place.
    pub by_place: bool,
    /// What a reader goes by, but for the context.
    pub evidence: Vec<EvidencePart>,
    /// Texts of other elements that the brief words fit too, as rows of the vectors; sorted.
    pub also_fits: Vec<usize>,
    /// Who wrote it.
    pub source: InstructionSource,
    /// Whether it shows its name.
    pub ui_type: UiType,
    /// Role group of the element.
    pub group: RoleGroup,
    /// Row of the vectors: embedding of the instruction without the program's name.
    pub text: usize,
    /// Whether scenes ask for it: not if its window does not show what it is called, and in a part of a pack not what
    /// the other part asks. It is there all the same, as a neighbour and as what words may fit.
    pub is_asked: bool,
}

/// What an element is called when comparing: normalised name and role group.
pub type NameKey = (Arc<str>, RoleGroup);

/// For each element of each window its name key as a number, or `None` if nobody would ask for it.
#[derive(Debug, Default)]
pub struct NameKeys {
    /// By window, then element.
    pub of_element: TiVec<WindowIndex, TiVec<ElementIndex, Option<u32>>>,
    /// The keys by their numbers. Scenes of windows as captured need none of them.
    pub(super) known: Later<KnownKeys>,
}

/// The name keys that elements have.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownKeys {
    numbers: HashMap<NameKey, u32>,
    /// By number.
    keys: Vec<NameKey>,
}

impl KnownKeys {
    /// The number of a key, which is a new one if it was not known.
    fn number_of(&mut self, key: NameKey) -> u32 {
        let next = self.keys.len() as u32;
        *self.numbers.entry(key).or_insert_with_key(|key| {
            self.keys.push(key.clone());
            next
        })
    }

    /// All, by number.
    pub(super) fn keys(&self) -> &[NameKey] {
        &self.keys
    }
}

impl FromIterator<NameKey> for KnownKeys {
    fn from_iter<I: IntoIterator<Item = NameKey>>(all: I) -> Self {
        let mut known = Self::default();
        for key in all {
            known.number_of(key);
        }
        known
    }
}

impl NameKeys {
    /// The name keys of all elements of these windows.
    pub fn of(windows: &TiSlice<WindowIndex, Window>) -> Self {
        let mut known = KnownKeys::default();
        let of_element = windows
            .iter()
            .map(|window| window.elements.keys().map(|at| Some(known.number_of(name_key(window, at)?))).collect())
            .collect();
        Self { of_element, known: known.into() }
    }

    /// The number of a name key, if any element of the windows has that.
    pub fn number_of(&self, key: &NameKey) -> Option<u32> {
        self.known.numbers.get(key).copied()
    }

    /// How many different name keys there are; their numbers lie below.
    pub fn len(&self) -> usize {
        self.known.keys.len()
    }

    /// Whether no element has a name.
    pub fn is_empty(&self) -> bool {
        self.known.keys.is_empty()
    }

    /// The number of a name among elements of this group, if any element has it.
    pub fn number(&self, name: &str, group: RoleGroup) -> Option<u32> {
        self.known.numbers.get(&(normalised_name(name).into(), group)).copied()
    }

    /// Whether the name behind a number reads like this one, whatever the role.
    pub fn reads_like(&self, number: u32, name: &str) -> bool {
        *self.known.keys[number as usize].0 == *normalised_name(name)
    }
}

/// What an element of a window, captured or composed, is called, if anybody would ask for it.
pub fn name_key(window: &Window, at: ElementIndex) -> Option<NameKey> {
    let element = &window.elements[at];
    let group = RoleGroup::of(&element.role).filter(|_| element.interactive)?;
    Some((normalised_name(&spoken_name(window, at)?).into(), group))
}

impl Target {
    /// Whether it may be asked for by name and role alone.
    pub fn may_be_brief(&self) -> bool {
        self.wording == Wording::Brief || self.wordings.contains(&Wording::Brief)
    }
}

/// A target before its text has a row among the vectors.
pub struct Draft {
    /// The target; rows of texts are set when texts are embedded. Its first sentence is what is embedded.
    pub target: Target,
    /// Texts of other elements that the brief words fit too.
    pub also_fits: BTreeSet<String>,
}

impl Draft {
    /// The instruction without context.
    pub fn bare(&self) -> &str {
        &self.target.sentences[0]
    }
}
