//! Transitions: those of a pack, as a pack of version 1 writes them, and what must hold of those of any version.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use typed_index_collections::TiSlice;

use windesk_model::Error;
use windesk_model::geometry::Point;
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::living::Values;
use windesk_model::pack_format::{Action, Outcome, Transition};

use super::Window;
use super::later::Later;
use super::limits::{MAX_OFFSET_PX, is_near};

/// All transitions of a pack, in the order of its files. Pages that are acted on share them. Scenes look at those of
/// few captures: where a run before kept the pack, the others stay packed.
#[derive(Clone, Default)]
pub struct Transitions {
    /// Those of each capture, by its id.
    own: BTreeMap<String, OfCapture>,
    /// All, once somebody asked for them.
    all: OnceLock<Vec<Arc<Transition>>>,
}

#[derive(Clone)]
struct OfCapture {
    /// Their places among all, ascending.
    places: Vec<u32>,
    transitions: Later<Vec<Arc<Transition>>>,
}

impl Transitions {
    /// Those that begin at the capture with this id.
    pub fn of<'a>(&'a self, capture: &str) -> impl Iterator<Item = &'a Arc<Transition>> + use<'a> {
        self.own.get(capture).into_iter().flat_map(|own| &own.transitions)
    }

    /// Those of each capture, with the capture's id and their places among all.
    pub(super) fn by_capture(&self) -> impl Iterator<Item = (&str, &[u32], &[Arc<Transition>])> {
        self.own.iter().map(|(id, own)| (id.as_str(), own.places.as_slice(), own.transitions.as_slice()))
    }

    /// From those of each capture, by its id, with their places among all.
    pub(super) fn of_captures(own: impl IntoIterator<Item = (String, Vec<u32>, Later<Vec<Arc<Transition>>>)>) -> Self {
        let own = own.into_iter().map(|(id, places, transitions)| (id, OfCapture { places, transitions }));
        Self { own: own.collect(), all: OnceLock::new() }
    }
}

/// A transition that many share.
pub(super) fn shared(mut transition: Transition) -> Arc<Transition> {
    // Lists that grew while they were read have room for more, and there are tens of thousands of them.
    transition.outcomes.shrink_to_fit();
    let mut when = transition.when.into_tuple_vec();
    when.shrink_to_fit();
    transition.when = Values::from_sorted_store_unchecked(when);
    Arc::new(transition)
}

impl FromIterator<Arc<Transition>> for Transitions {
    fn from_iter<I: IntoIterator<Item = Arc<Transition>>>(all: I) -> Self {
        let mut own: BTreeMap<String, (Vec<u32>, Vec<_>)> = BTreeMap::new();
        for (place, transition) in (0..).zip(all) {
            let (places, transitions) = own.entry(transition.from.clone()).or_default();
            places.push(place);
            transitions.push(transition);
        }
        Self::of_captures(own.into_iter().map(|(id, (places, transitions))| (id, places, transitions.into())))
    }
}

impl FromIterator<Transition> for Transitions {
    fn from_iter<I: IntoIterator<Item = Transition>>(all: I) -> Self {
        all.into_iter().map(shared).collect()
    }
}

impl Deref for Transitions {
    type Target = [Arc<Transition>];

    fn deref(&self) -> &[Arc<Transition>] {
        self.all.get_or_init(|| {
            let placed = self.own.values().flat_map(|own| own.places.iter().zip(&own.transitions));
            let mut all: Vec<_> = placed.collect();
            all.sort_unstable_by_key(|(place, _)| **place);
            all.into_iter().map(|(_, transition)| Arc::clone(transition)).collect()
        })
    }
}

impl fmt::Debug for Transitions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(out)
    }
}

impl PartialEq for Transitions {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<'a> IntoIterator for &'a Transitions {
    type Item = &'a Arc<Transition>;
    type IntoIter = std::slice::Iter<'a, Arc<Transition>>;

    fn into_iter(self) -> Self::IntoIter {
        (**self).iter()
    }
}

/// A line of `transitions.jsonl` in a pack of version 1, and of the list of `windesk pack build`: one action that leads
/// from one capture to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormerTransition {
    /// Capture id before.
    pub from: String,
    /// Element acted on.
    pub element: String,
    /// What was done.
    pub action: FormerAction,
    /// Capture id after.
    pub to: String,
    /// Frame of `to` minus frame of `from` when a new window opened.
    pub offset: Option<Point>,
}

/// The actions of version 1.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum FormerAction {
    Click,
    DoubleClick,
    RightClick,
    Type,
}

impl From<FormerTransition> for Transition {
    /// A transition without offset is one to another page of the same window. Version 1 did not tell a dialog that
    /// closes from a window that changes; a pack tells them apart by their parents when it is opened.
    fn from(former: FormerTransition) -> Self {
        let action = match former.action {
            FormerAction::Click => Action::Click,
            FormerAction::DoubleClick => Action::DoubleClick,
            FormerAction::RightClick => Action::RightClick,
            FormerAction::Type => Action::Type(String::new()),
        };
        let outcome = match former.offset {
            None => Outcome::Page { to: former.to },
            offset => Outcome::Window { to: former.to, offset },
        };
        Self {
            from: former.from,
            when: Values::default(),
            focused: Vec::new(),
            element: Some(former.element),
            part: None,
            action,
            outcomes: vec![outcome],
        }
    }
}

/// A transition and the line that it stands in.
pub(super) struct WrittenTransition {
    pub(super) place: String,
    pub(super) line: Transition,
}

/// Makes a page that is the dialog's parent, or a parent's parent, a dialog that closes.
pub(super) fn closes(
    transition: &mut Transition,
    windows: &TiSlice<WindowIndex, Window>,
    window_by_id: &BTreeMap<String, WindowIndex>,
) {
    let [Outcome::Page { to }] = &transition.outcomes[..] else { return };
    let Some((&from, &end)) = window_by_id.get(&transition.from).zip(window_by_id.get(to)) else { return };
    let parent = |at: &WindowIndex| windows[*at].parent.map(|(parent, _)| parent);
    if std::iter::successors(parent(&from), parent).any(|at| at == end) {
        transition.outcomes = vec![Outcome::Closed { to: Some(to.clone()) }];
    }
}

fn named(window: Option<&Window>) -> String {
    window.map_or_else(|| "no page".to_owned(), |window| format!("`{}`", window.id))
}

/// Checks what needs the captures alone. What names controls, popups and their elements is checked with the page's
/// living file.
pub(super) fn check(
    written: &WrittenTransition,
    windows: &TiSlice<WindowIndex, Window>,
    window_by_id: &BTreeMap<String, WindowIndex>,
) -> Result<(), Error> {
    let WrittenTransition { place, line } = written;
    let known = |id: &str| {
        let unknown = || Error::file(place, format!("a transition with window `{id}`"), "the id of a capture of this pack");
        window_by_id.get(id).map(|&at| &windows[at]).ok_or_else(unknown)
    };
    let from = known(&line.from)?;
    match &line.element {
        Some(element) => {
            if from.living.is_none() && from.element_index(element).is_none() {
                let found = format!("a transition by element `{element}` of `{}`", from.id);
                return Err(Error::file(place, found, "the id of an element of that window"));
            }
        }
        None => {
            if !matches!(line.action, Action::Key(_)) {
                return Err(Error::file(place, format!("`{}` without an element", line.action.name()), "an element, or a key"));
            }
        }
    }
    if line.outcomes.is_empty() {
        return Err(Error::file(place, "no outcome", "at least one: `inert` if nothing happens"));
    }
    let alone = |outcome: &Outcome| matches!(outcome, Outcome::Inert {} | Outcome::Unmodelled { .. });
    if line.outcomes.len() > 1 && line.outcomes.iter().any(alone) {
        return Err(Error::file(place, "`inert` or `unmodelled` among other outcomes", "it alone"));
    }
    for outcome in &line.outcomes {
        match outcome {
            Outcome::Page { to } => {
                if known(to)?.program != from.program {
                    return Err(Error::file(
                        place,
                        format!("page `{to}`"),
                        "a capture of the same program; `launch` opens others",
                    ));
                }
            }
            Outcome::Window { to, offset } => {
                known(to)?;
                if offset.is_some_and(|offset| !is_near(offset)) {
                    let expected = format!("an offset of at most {MAX_OFFSET_PX} px each way");
                    return Err(Error::file(place, format!("{offset:?}"), expected));
                }
            }
            Outcome::Launch { to } => {
                known(to)?;
            }
            Outcome::Closed { to } => {
                to.as_deref().map(known).transpose()?;
            }
            Outcome::Maximised { to, carries } => {
                let to = to.as_deref().map(known).transpose()?;
                let are_pages = to.is_some_and(|to| {
                    (to.program, to.living.is_some(), from.living.is_some()) == (from.program, true, true) && to.id != from.id
                });
                if carries.is_some() && !(are_pages && line.outcomes.last() == Some(outcome)) {
                    let expected = "the last outcome, from one living page of a program to another one";
                    return Err(Error::file(place, format!("`carries` from `{}` to {}", from.id, named(to)), expected));
                }
            }
            Outcome::Popup { .. }
            | Outcome::Value { .. }
            | Outcome::Mapped { .. }
            | Outcome::Typed { .. }
            | Outcome::Scrolled { .. } => {
                if from.living.is_none() {
                    let found = format!("an outcome on the controls of `{}`", from.id);
                    return Err(Error::file(place, found, "a page with a living file"));
                }
            }
            Outcome::PopupClosed {}
            | Outcome::Minimised {}
            | Outcome::Focus { .. }
            | Outcome::Inert {}
            | Outcome::Unmodelled { .. } => {}
        }
    }
    let needs_controls = line.is_conditional() && from.living.is_none();
    if needs_controls {
        return Err(Error::file(place, format!("`when` on the controls of `{}`", from.id), "a page with a living file"));
    }
    Ok(())
}
