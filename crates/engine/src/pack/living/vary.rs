//! A state at random, as on a desktop that is used: some boxes ticked, another choice, another value.

use windesk_model::Error;
use windesk_model::key::Stream;
use windesk_model::pack_format::living::{ControlType, Patch, Value, Values};
use windesk_model::page_state::PageState;

use super::super::{Element, Window};
use super::page::{Living, Together};
use super::scene::is_disabled;
use super::together::together;
use super::tree;
use super::values::Look;

/// Most controls that are given another value.
const MAX_CHANGES: i64 = 4;

/// A state of a page with up to four controls at other values. It shows the same elements under the same names at the
/// same places, so that what was worked out for the captured window holds; `kept`, an element by its id, stays
/// altogether as it is. As captured where the page allows nothing else.
///
/// # Errors
/// If the page as captured can't be shown: a fault of the pack.
pub fn varied(living: &Living, stream: &mut Stream, kept: Option<&str>) -> Result<PageState, Error> {
    let mut state = Look::of(living, &PageState::default())?.normalised();
    let controls: Vec<(usize, Vec<&Value>)> = (0..living.page.controls.len())
        .filter(|&at| living.page.controls[at].kind != ControlType::Derived)
        .map(|at| (at, other_values(living, at)))
        .filter(|(_, values)| !values.is_empty())
        .collect();
    if controls.is_empty() {
        return Ok(state);
    }
    for _ in 0..stream.between(1, MAX_CHANGES) {
        let (at, values) = &controls[stream.below(controls.len())];
        let value = values[stream.below(values.len())];
        let mut next = state.clone();
        set(living, &mut next, *at, value);
        // What a page can't have, or what would change more than values, is left out.
        if together(living).iter().all(|together| together.holds(living, &next))
            && let Ok(look) = Look::of(living, &next)
            && shows_the_same(&living.window, &look, kept)
        {
            state = look.normalised();
        }
    }
    Ok(state)
}

/// Values of a control that patches show, without the captured one; each once.
fn other_values(living: &Living, control: usize) -> Vec<&Value> {
    let patches = living.places.patches[control].iter().map(|&patch| &living.page.patches[patch].value);
    let mut values: Vec<&Value> = patches.filter(|&value| *value != living.page.controls[control].value).collect();
    values.sort();
    values.dedup();
    values
}

/// Gives a control a value. Of a group's switches, the one that was on goes off for another that goes on.
fn set(living: &Living, state: &mut PageState, at: usize, value: &Value) {
    let control = &living.page.controls[at];
    let off = Value::Switch(false);
    if let Some(group) = control.group.as_ref().filter(|_| *value == Value::Switch(true)) {
        for &mate in living.places.groups[group].iter().filter(|&&mate| mate != at) {
            state.values.insert(living.page.controls[mate].id.clone(), off.clone());
        }
    }
    state.values.insert(control.id.clone(), value.clone());
}

fn shows_the_same(window: &Window, look: &Look, kept: Option<&str>) -> bool {
    let (_, elements) = tree::shown(look);
    let same = |(now, then): (&Element, &Element)| {
        let stays = kept != Some(&now.id) || now.state == then.state;
        let named = (&now.id, &now.role, &now.name, &now.description) == (&then.id, &then.role, &then.name, &then.description);
        let lies = (now.parent, now.bbox, now.interactive, now.popup) == (then.parent, then.bbox, then.interactive, then.popup);
        stays && named && lies && (!is_disabled(now) || is_disabled(then))
    };
    elements.len() == window.elements.len() && elements.iter().zip(&window.elements).all(same)
}

/// Every value of a control whose look is known: the captured one first, then those of patches, in order.
pub fn known_values<'a>(living: &'a Living, control: &str) -> Vec<&'a Value> {
    let Some(at) = living.control_index(control) else { return Vec::new() };
    std::iter::once(&living.page.controls[at].value).chain(other_values(living, at)).collect()
}

/// Values of other controls with which a control shows, such as that of the tab that it lies on; none where it shows as
/// captured.
pub fn when_shown(living: &Living, control: &str, value: &Value) -> Values {
    let Some(at) = living.control_index(control) else { return Values::new() };
    let patches = || living.places.patches[at].iter().map(|&patch| &living.page.patches[patch]);
    // On other tabs it has patches without areas.
    let shows = |patch: &&Patch| !patch.areas.is_empty() && !patch.when.is_empty();
    let own = patches().find(|patch| shows(patch) && patch.value == *value);
    own.or_else(|| patches().find(shows)).map(|patch| patch.when.clone()).unwrap_or_default()
}

/// Most combinations of controls that change together that are tried before none is.
const MAX_TRIES: usize = 16;

/// A state of a page at random: every control at any value whose look is known, its captured one as likely as another.
/// Controls that change together have values that clicks can give them at the same time. `fixed` are values that are
/// given. A value that the page can't have together with the others is left out.
///
/// # Errors
/// If the page can't have the fixed values, or nobody knows what it looks like then.
pub fn scattered(living: &Living, stream: &mut Stream, fixed: &Values) -> Result<PageState, Error> {
    let is_given = |together: &&Together| fixed.keys().any(|id| together.has(id));
    let (given, free): (Vec<_>, Vec<_>) = together(living).iter().partition(is_given);
    let mut fixed = fixed.clone();
    for together in given {
        fixed = completed(living, stream, &fixed, together)?;
    }
    for together in free {
        // As captured where nothing else goes with what is given.
        fixed = completed(living, stream, &fixed, together).unwrap_or(fixed);
    }
    let mut state = Look::of(living, &with_values(&fixed))?.normalised();
    for (at, control) in living.page.controls.iter().enumerate() {
        if control.kind == ControlType::Derived || fixed.contains_key(&control.id) {
            continue;
        }
        let others = other_values(living, at);
        // The number is spent in any case, so that nobody else's moves.
        let picked = stream.below(others.len() + 1);
        let Some(value) = picked.checked_sub(1).map(|other| others[other]) else { continue };
        let mut next = state.clone();
        set(living, &mut next, at, value);
        let keeps = |look: &Look| fixed.iter().all(|(id, value)| look.settled.value(id) == value);
        if let Ok(look) = Look::of(living, &next)
            && keeps(&look)
        {
            state = look.normalised();
        }
    }
    Ok(state)
}

/// Values, and with them those of controls that change together: one of their combinations at random, of which the look
/// is known.
fn completed(living: &Living, stream: &mut Stream, values: &Values, together: &Together) -> Result<Values, Error> {
    let mut combinations = together.with(values);
    for _ in 0..MAX_TRIES.min(combinations.len()) {
        let mut all = combinations.swap_remove(stream.below(combinations.len()));
        all.extend(values.clone());
        if Look::of(living, &with_values(&all)).is_ok() {
            return Ok(all);
        }
    }
    let found = format!("values of controls that clicks don't give them together, or not as anybody knows them: {values:?}");
    Err(Error::file(living.window.id.clone(), found, "values that were seen"))
}

fn with_values(values: &Values) -> PageState {
    PageState { values: values.clone(), ..PageState::default() }
}
