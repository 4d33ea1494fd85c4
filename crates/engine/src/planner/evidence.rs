//! How much a scene shows of what a reader of its words goes by.

use windesk_model::Error;
use windesk_model::condition::{EvidenceKnobs, Ratio};
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::PlacementIndex;
use windesk_model::plan::{PlannedEvidence, Reason, Role};

use super::scene::Scene;
use crate::pack::{EvidenceRule, NeededPart};
use crate::visibility::{BoxMask, Solid};

/// How much of a part must be visible; nothing if it need not.
fn least(knobs: Option<EvidenceKnobs>, rule: EvidenceRule) -> Option<Ratio> {
    let knobs = knobs?;
    let least = match rule {
        EvidenceRule::Context => knobs.context,
        EvidenceRule::Landmark => knobs.landmarks,
        EvidenceRule::Own => knobs.own,
        EvidenceRule::OwnByPlace => return None,
    };
    Some(least).filter(|least| !least.is_none())
}

/// The left half of a part that is read from there.
fn beginning(part: &NeededPart) -> Option<Rect> {
    let Point { x, y } = part.bbox.origin();
    part.kind.is_read_from_left().then(|| Rect::at(x, y, (part.bbox.width() + 1) / 2, part.bbox.height()))
}

/// A part that must stay visible while something is laid over it.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    mask: BoxMask,
    /// Pixels that may go.
    spare: u64,
}

impl Guard {
    /// Whether enough stays visible with this above it.
    pub(super) fn bears(&self, above: Solid) -> bool {
        self.mask.loss(above) <= self.spare
    }

    /// Lays something over it that it bears.
    pub(super) fn cover(&mut self, above: Solid) {
        self.spare -= self.mask.loss(above).min(self.spare);
        self.mask.cover(above);
    }
}

impl Scene<'_> {
    /// What must be visible, where it lies and how much of it: whole parts, and the beginnings of text.
    fn required(&self) -> impl Iterator<Item = (Option<PlacementIndex>, Rect, Ratio, EvidenceRule)> {
        let knobs = self.condition.evidence;
        let needed = self.asked.iter().flat_map(|asked| &asked.needed);
        needed.filter_map(move |part| Some((part, least(knobs, part.rule)?))).flat_map(move |(part, least)| {
            let boxes = std::iter::once(part.bbox).chain(beginning(part));
            boxes.map(move |bbox| (self.shower(part), bbox, least, part.rule))
        })
    }

    /// The window that shows a part.
    fn shower(&self, part: &NeededPart) -> Option<PlacementIndex> {
        self.position(if part.by_parent { Role::Parent } else { Role::Target })
    }

    /// The first part, if any, of which too little is visible with the windows placed so far.
    pub(super) fn hidden_part(&self) -> Option<Reason> {
        self.guards().err()
    }

    /// The parts that must stay visible, with the windows placed so far; nothing if one of them is hidden already.
    pub(super) fn guards(&self) -> Result<Vec<Guard>, Reason> {
        let guards = self.required().map(|(position, bbox, least, rule)| {
            let position = position.ok_or(reason(rule))?;
            let mask = self.draft_mask_in(position, bbox);
            let wanted = least.ceil_of(self.windows[position].shape.count_in(bbox));
            let spare = mask.count().checked_sub(wanted).ok_or(reason(rule))?;
            Ok(Guard { mask, spare })
        });
        guards.collect()
    }

    /// The boxes on the screen that must stay visible.
    pub(super) fn guarded_boxes(&self) -> Vec<Rect> {
        let on_screen = |position: PlacementIndex, bbox: Rect| bbox.moved(self.windows[position].origin);
        self.required().filter_map(|(position, bbox, ..)| Some(on_screen(position?, bbox))).collect()
    }

    /// What a reader of words about an element of a window goes by, as the finished scene shows it, and what is wrong
    /// with it if the condition requires more.
    pub(super) fn counted_evidence(
        &self,
        position: PlacementIndex,
        needed: &[NeededPart],
    ) -> Result<(Vec<PlannedEvidence>, Option<Reason>), Error> {
        let mut counted = Vec::with_capacity(needed.len());
        let mut fault = None;
        for part in needed {
            let parent = || self.position(Role::Parent).filter(|_| self.windows[position].role == Role::Target);
            let least = least(self.condition.evidence, part.rule);
            let Some(placement) = (if part.by_parent { parent() } else { Some(position) }) else {
                fault = fault.or(least.map(|_| reason(part.rule)));
                continue;
            };
            let (mask, total_px) = self.mask_in(placement, part.bbox)?;
            let visible_px = mask.count();
            if let Some(least) = least {
                let begins = beginning(part).map(|bbox| self.mask_in(placement, bbox)).transpose()?;
                let begins_hidden = begins.is_some_and(|(mask, total_px)| !least.reached_by(mask.count(), total_px));
                if begins_hidden || !least.reached_by(visible_px, total_px) {
                    fault = fault.or(Some(reason(part.rule)));
                }
            }
            let bbox = part.bbox.moved(self.windows[placement].origin);
            counted.push(PlannedEvidence { kind: part.kind, placement, bbox, total_px, visible_px, required: least.is_some() });
        }
        Ok((counted, fault))
    }

    /// The pixels of a box of a window's picture that are visible with the windows placed so far, all with their draft
    /// look.
    fn draft_mask_in(&self, position: PlacementIndex, bbox: Rect) -> BoxMask {
        let own = &self.windows[position];
        let mut mask = BoxMask::new(bbox.moved(own.origin), Solid::Window(&own.shape, own.origin), self.condition.canvas);
        self.cover_from_above(position, &mut mask);
        mask
    }
}

fn reason(rule: EvidenceRule) -> Reason {
    match rule {
        EvidenceRule::Context => Reason::ContextHidden,
        EvidenceRule::Landmark => Reason::LandmarkHidden,
        EvidenceRule::Own | EvidenceRule::OwnByPlace => Reason::OwnPartHidden,
    }
}
