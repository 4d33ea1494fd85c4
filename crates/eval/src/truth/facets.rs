//! By what samples are told apart. Targets share what they have in common: scenes of a window say the same of many.

use super::{Name, Table};

/// By what samples are broken down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(usize)]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Facet {
    Condition,
    Category,
    Application,
    Platform,
    Role,
    Size,
    VisibleRatio,
    Windows,
    DistractorRank,
    UiType,
    Wording,
    Evidence,
}

impl Facet {
    /// All, in the order of reports.
    pub const ALL: [Self; 12] = [
        Self::Condition,
        Self::Category,
        Self::Application,
        Self::Platform,
        Self::Role,
        Self::Size,
        Self::VisibleRatio,
        Self::Windows,
        Self::DistractorRank,
        Self::UiType,
        Self::Wording,
        Self::Evidence,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Condition => "condition",
            Self::Category => "category",
            Self::Application => "application",
            Self::Platform => "platform",
            Self::Role => "role",
            Self::Size => "target_size",
            Self::VisibleRatio => "visible_ratio",
            Self::Windows => "windows",
            Self::DistractorRank => "distractor_rank",
            Self::UiType => "ui_type",
            Self::Wording => "wording",
            Self::Evidence => "evidence_visible",
        }
    }
}

/// What a target is, facet by facet; null where the dataset does not say.
pub type Facets = [Option<Name>; Facet::ALL.len()];

/// The number of a target's [`Facets`] in [`FacetSets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FacetsOf(u32);

/// All different facets, each once.
#[derive(Clone, Debug, Default)]
pub struct FacetSets {
    sets: Vec<Facets>,
    numbers: Table<Facets, FacetsOf>,
    /// What was asked for last: targets of a scene follow one another.
    last: Option<(Facets, FacetsOf)>,
}

impl FacetSets {
    /// The number of some facets; a new one if nothing had them yet.
    pub(super) fn number(&mut self, facets: Facets) -> FacetsOf {
        if let Some((_, number)) = self.last.filter(|(last, _)| *last == facets) {
            return number;
        }
        let next = FacetsOf(u32::try_from(self.sets.len()).expect("fewer sets of facets than targets"));
        let number = *self.numbers.entry(facets).or_insert(next);
        if number == next {
            self.sets.push(facets);
        }
        self.last = Some((facets, number));
        number
    }

    /// The facets of a number.
    pub fn get(&self, number: FacetsOf) -> &Facets {
        &self.sets[number.0 as usize]
    }
}
