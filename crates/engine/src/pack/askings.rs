//! The ways in which a target can be asked for, and what each of them needs to be seen.
//!
//! All of it was found when the pack was made. Here it is looked up; nothing is measured and nothing decided.

use windesk_model::geometry::Rect;
use windesk_model::index::{TargetIndex, WindowIndex};
use windesk_model::instruction::Wording;
use windesk_model::pack_format::EvidenceKind;

use super::evidence::{EvidencePart, worded};
use super::indexed::IndexedPack;
use super::naming::normalised_name;

/// One of the ways in which a target can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asking {
    /// What stands before the sentence.
    pub wording: Wording,
    /// Which of its sentences, from 0.
    pub variant: u32,
}

/// What a part of the evidence is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceRule {
    /// It names the window.
    Context,
    /// The words name it beside the target.
    Landmark,
    /// It tells the target itself.
    Own,
    /// It tells the target itself, which the words tell by its place.
    OwnByPlace,
}

/// A part of a window that somebody needs who is asked for a target in a certain way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeededPart {
    /// What it is.
    pub kind: EvidenceKind,
    /// What it is for.
    pub rule: EvidenceRule,
    /// Its box, px of the picture of the window that shows it.
    pub bbox: Rect,
    /// Whether the parent of the target's window shows it.
    pub by_parent: bool,
}

impl IndexedPack {
    /// The ways in which a target can be asked for so that the words are true of it alone, and the context that they
    /// name is written somewhere. `with_parent`: whether the window comes with the one that it is a dialog of. Only the
    /// first sentence is asked without a context: it says the element's name, and its competitors were judged.
    pub fn askings(&self, target: TargetIndex, with_parent: bool) -> Vec<Asking> {
        let record = &self.index().targets[target];
        let is_shown = |wording: &Wording| {
            *wording != Wording::InContext
                || with_parent
                || self.program_in_title(target).is_some_and(|(_, by_parent)| !by_parent)
        };
        let all = record.sentences.len() as u32;
        let variants = |wording| 0..if wording == Wording::Brief { all.min(1) } else { all };
        let wordings = record.wordings.iter().copied().filter(is_shown);
        wordings.flat_map(|wording| variants(wording).map(move |variant| Asking { wording, variant })).collect()
    }

    /// The words of a way to ask for a target.
    pub fn words(&self, target: TargetIndex, asking: Asking) -> String {
        let record = &self.index().targets[target];
        let sentence = &record.sentences[asking.variant as usize];
        let title = self.index().title(record.window).map_or("", |title| &title.text);
        worded(sentence, asking.wording, &self.program_of(record.window).record.name, title)
    }

    /// Whether words of this kind about an element of window `own` speak of windows like `other`: of the same program,
    /// with the same title, or of all.
    pub fn is_said_of(&self, wording: Wording, own: WindowIndex, other: WindowIndex) -> bool {
        match wording {
            Wording::Brief => true,
            Wording::InContext => self.program_of(own).record.name == self.program_of(other).record.name,
            Wording::InWindow => {
                let title = |window| self.index().title(window).map(|title| normalised_name(&title.text));
                own == other || title(own) == title(other)
            }
        }
    }

    /// Where a title bar shows the name of a target's program, and whether that is its parent's.
    fn program_in_title(&self, target: TargetIndex) -> Option<(Rect, bool)> {
        let window = self.index().targets[target].window;
        let own = self.index().title(window).and_then(|title| title.program);
        let parent = self.windows[window].parent.and_then(|(parent, _)| self.index().title(parent)?.program);
        own.map(|own| (own, false)).or(parent.map(|parent| (parent, true)))
    }

    /// What somebody needs who is asked for a target in this way.
    pub fn needed(&self, target: TargetIndex, asking: Asking) -> Vec<NeededPart> {
        let record = &self.index().targets[target];
        let of_variant = |part: &&EvidencePart| part.variant.is_none_or(|variant| variant == asking.variant);
        let parts = || record.evidence.iter().filter(of_variant);
        let title =
            |bbox: Rect, by_parent: bool| NeededPart { kind: EvidenceKind::Title, rule: EvidenceRule::Context, bbox, by_parent };
        let stated = parts().find(|part| part.kind == EvidenceKind::Title).map(|part| title(part.bbox, part.by_parent));
        let context = match asking.wording {
            Wording::Brief => None,
            Wording::InContext => {
                stated.or_else(|| self.program_in_title(target).map(|(bbox, by_parent)| title(bbox, by_parent)))
            }
            Wording::InWindow => stated.or_else(|| self.index().title(record.window).map(|shown| title(shown.bbox, false))),
        };
        let by_place = record.by_place && parts().any(|part| part.kind == EvidenceKind::Landmark);
        let others = parts().filter(|part| part.kind != EvidenceKind::Title).map(|part| NeededPart {
            kind: part.kind,
            rule: match part.kind {
                EvidenceKind::Landmark => EvidenceRule::Landmark,
                _ if by_place => EvidenceRule::OwnByPlace,
                _ => EvidenceRule::Own,
            },
            bbox: part.bbox,
            by_parent: part.by_parent,
        });
        context.into_iter().chain(others).collect()
    }
}
