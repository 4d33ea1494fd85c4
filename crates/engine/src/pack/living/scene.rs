//! A page in a state, as an event finds it: which element lies where, and which transitions belong to it.

use typed_index_collections::TiVec;

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::living::DragMap;
use windesk_model::pack_format::{Action, Outcome, PopupKind, Transition};
use windesk_model::page_state::PageState;

use super::super::Element;
use super::page::Living;
use super::tree;
use super::values::Look;

/// A page in a state.
pub(super) struct Scene<'a> {
    pub(super) living: &'a Living,
    pub(super) look: Look<'a>,
    /// Open popups, bottom to top.
    pub(super) popups: Vec<Rect>,
    pub(super) elements: TiVec<ElementIndex, Element>,
}

type Found<'a> = Result<Option<&'a Transition>, Refused>;

impl<'a> Scene<'a> {
    pub(super) fn of(living: &'a Living, state: &'a PageState) -> Result<Self, Error> {
        let look = Look::of(living, state)?;
        let (popups, elements) = tree::shown(&look);
        Ok(Self { living, look, popups, elements })
    }

    /// Whether a popup is open that takes events before the page does.
    pub(super) fn has_open_popup(&self) -> bool {
        self.look.popup.is_some_and(|popup| popup.kind != PopupKind::Tooltip)
    }

    /// The uppermost popup at a point.
    pub(super) fn topmost_popup(&self, at: Point) -> Option<usize> {
        self.popups.iter().rposition(|popup| popup.contains(at))
    }

    /// The element that an event at a point reaches, within a popup or on the page: the smallest interactive one, of
    /// two as small the inner one. Where none is interactive, the smallest that a transition is about.
    pub(super) fn element_at(&self, at: Point, popup: Option<usize>) -> Option<ElementIndex> {
        let there = || self.elements.iter_enumerated().filter(move |(_, e)| e.popup == popup && e.bbox.contains(at));
        let smallest = |found: &mut dyn Iterator<Item = (ElementIndex, &Element)>| {
            found.min_by_key(|(index, e)| (e.bbox.area(), std::cmp::Reverse(*index))).map(|(index, _)| index)
        };
        let is_acted_on = |id: &str| self.living.transitions.iter().any(|t| t.element.as_deref() == Some(id));
        smallest(&mut there().filter(|(_, e)| e.interactive))
            .or_else(|| smallest(&mut there().filter(|(_, e)| is_acted_on(&e.id))))
    }

    /// The ancestors of an element, nearest first.
    pub(super) fn ancestors(&self, at: ElementIndex) -> impl Iterator<Item = ElementIndex> + '_ {
        std::iter::successors(self.elements[at].parent, |&up| self.elements[up].parent)
    }

    /// A point at an element as it was in the page's picture, where what it lies in was not scrolled.
    pub(super) fn as_captured(&self, at: ElementIndex, point: Point) -> Point {
        point - tree::moved_with(&self.look, &self.elements[at].id).map_or(Point::default(), |(by, _)| by)
    }

    /// The transition of an element, or of an ancestor that has one for the part at this point.
    pub(super) fn transition_up(&self, hit: ElementIndex, at: Point, is_action: impl Fn(&Action) -> bool) -> Found<'a> {
        let at = self.as_captured(hit, at);
        if let Some(own) = self.transition(&self.elements[hit].id, Some(at), &is_action)? {
            return Ok(Some(own));
        }
        for up in self.ancestors(hit) {
            let found = self.transition(&self.elements[up].id, Some(at), &is_action)?;
            if let Some(found) = found.filter(|transition| transition.part.is_some()) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The transition of an element that belongs to the values and the point: one for a part before one for all of it,
    /// and those one that says where the focus is, and then the one with the most `when`.
    pub(super) fn transition(&self, element: &str, at: Option<Point>, is_action: impl Fn(&Action) -> bool) -> Found<'a> {
        self.fitting(|transition| {
            let in_part = transition.part.is_none_or(|part| at.is_some_and(|at| part.contains(at)));
            transition.element.as_deref() == Some(element) && in_part && is_action(&transition.action)
        })
    }

    /// The transition of a key that the whole window takes. While a popup is open, those that close it; else the
    /// others.
    pub(super) fn window_transition(&self, action: &Action) -> Found<'a> {
        let closes = |t: &Transition| t.outcomes.iter().any(|outcome| matches!(outcome, Outcome::PopupClosed {}));
        self.fitting(|t| t.element.is_none() && t.action == *action && closes(t) == self.has_open_popup())
    }

    fn fitting(&self, is_one: impl Fn(&Transition) -> bool) -> Found<'a> {
        let rank = |transition: &Transition| (transition.part.is_some(), !transition.focused.is_empty(), transition.when.len());
        let has_focus = |transition: &Transition| {
            transition.focused.is_empty() || self.look.focus.is_some_and(|focus| transition.focused.iter().any(|id| id == focus))
        };
        let holds = |transition: &Transition| self.look.settled.holds(&transition.when) && has_focus(transition);
        let mut best: Option<&Transition> = None;
        let mut rival = None;
        for transition in self.living.transitions.iter().map(|t| &**t).filter(|t| is_one(t) && holds(t)) {
            match best.map(|found| rank(transition).cmp(&rank(found))) {
                None | Some(std::cmp::Ordering::Greater) => (best, rival) = (Some(transition), None),
                Some(std::cmp::Ordering::Equal) if best.is_some_and(|found| found.outcomes != transition.outcomes) => {
                    rival = Some(transition);
                }
                _ => {}
            }
        }
        match (best, rival) {
            (Some(one), Some(_)) => unmodelled(format!("several transitions of `{}` fit equally well", one.action.name())),
            (best, _) => Ok(best),
        }
    }
}

/// Why an event changes nothing.
#[derive(Clone, Debug)]
pub(super) enum Refused {
    /// Surely nothing happens.
    Inert,
    /// What happens is not known, and why.
    Unmodelled(String),
}

pub(super) fn unmodelled<T>(why: impl Into<String>) -> Result<T, Refused> {
    Err(Refused::Unmodelled(why.into()))
}

/// Whether an element takes no input.
pub(super) fn is_disabled(element: &Element) -> bool {
    element.state.get("enabled") == Some(&serde_json::Value::Bool(false))
}

/// Where a drag of a control's handle counts as released, px of the page as it was captured; null if the drag doesn't
/// begin at the handle.
pub(super) fn released(scene: &Scene, map: &DragMap, hit: ElementIndex, points: [Point; 2]) -> Option<Point> {
    let [from, to] = points.map(|point| scene.as_captured(hit, point));
    let handle = match map.handle {
        Some(handle) => handle,
        None => {
            let core = scene.elements[hit].state.get("core")?;
            let shown: Rect = serde_json::from_value(core.clone()).ok()?;
            shown.moved(scene.as_captured(hit, Point::default()))
        }
    };
    let held = from - handle.centre();
    handle.contains(from).then(|| if map.keeps_distance { to - held } else { to })
}
