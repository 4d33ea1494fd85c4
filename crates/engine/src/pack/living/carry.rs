//! From a page's values to the page that shows the same window instead: filling the work area, or in its former size.
//!
//! Both pages call a control by the same id. What one of them does not have is carried only as captured: nobody saw
//! anything else.

use windesk_model::Error;
use windesk_model::pack_format::Carries;
use windesk_model::pack_format::living::{Control, ControlType, Domain, LayerKind, Value};
use windesk_model::page_state::PageState;

use super::letters;
use super::page::Living;
use super::scene::{Refused, unmodelled};
use super::values::{Look, as_written};

/// The state in which another page shows what a page in a state hands on.
///
/// # Errors
/// If the other page can't have these values, or nobody knows what it looks like with them.
pub fn carry(living: &Living, state: &PageState, to: &str, carries: &Carries) -> Result<PageState, Error> {
    carried(living, state, to, carries).map_err(|refused| {
        let why = match refused {
            Refused::Inert => "nothing is carried".to_owned(),
            Refused::Unmodelled(why) => why,
        };
        Error::file(format!("{} carried to {to}", living.window.id), why, "a state that the other page shows")
    })
}

/// The same, with the reason as events tell it.
pub(super) fn carried(living: &Living, state: &PageState, to: &str, carries: &Carries) -> Result<PageState, Refused> {
    let Some(other) = living.others.get(to) else {
        return unmodelled(format!("`{to}` is no page that values are carried to"));
    };
    if state.popup.is_some() || !state.offsets.is_empty() {
        return unmodelled("an open popup and what is scrolled are not carried");
    }
    let is_left = |id: &str| carries.without.iter().any(|left| left == id);
    let mut after = PageState::default();
    for control in settable(living) {
        let value = state.values.get(&control.id).unwrap_or(&control.value);
        if is_left(&control.id) {
            if *value != control.value {
                return unmodelled(format!("what control `{}` is on `{to}` was not captured at {value}", control.id));
            }
            continue;
        }
        let at = other.control_index(&control.id).filter(|&at| other.page.controls[at].kind != ControlType::Derived);
        let Some(at) = at else { return unmodelled(format!("`{to}` has no control `{}`", control.id)) };
        let value = as_written(other, at, value.clone());
        if value != other.page.controls[at].value {
            after.values.insert(control.id.clone(), value);
        }
    }
    if let Some(fresh) = settable(other).find(|control| !is_left(&control.id) && living.control_index(&control.id).is_none()) {
        return unmodelled(format!("`{}` has no control `{}`", living.window.id, fresh.id));
    }
    if carries.focus {
        let home = |page: &Living| page.page.page.focus_home.clone();
        after.focus = state.focus.clone().or_else(|| home(living));
        if after.focus.is_none() && home(other).is_some() {
            return unmodelled("nothing has the focus");
        }
        // Nobody moved the focus to the element that has it in a page's picture: the other page need not know that
        // look.
        let is_known = |id: &String| other.page.layers.iter().any(|layer| layer.kind == LayerKind::Focus && layer.element == *id);
        if state.focus.is_none() && after.focus != home(other) && !after.focus.as_ref().is_some_and(is_known) {
            return unmodelled(format!("how `{to}` looks with the focus where it was is not known"));
        }
    }
    shown(other, &after)
}

/// A state without what is as in the page's picture, if somebody knows what it looks like.
pub(super) fn shown(living: &Living, state: &PageState) -> Result<PageState, Refused> {
    let look = Look::of(living, state).map_err(|error| Refused::Unmodelled(format!("{}, {}", error.found, error.expected)))?;
    if let Some(text) = look.texts.iter().find(|text| !letters::fits(text)) {
        let id = &living.page.controls[text.control].id;
        return unmodelled(format!("the text of control `{id}` is longer than its field shows"));
    }
    Ok(look.normalised())
}

fn settable(living: &Living) -> impl Iterator<Item = &Control> {
    living.page.controls.iter().filter(|control| control.kind != ControlType::Derived)
}

/// Controls that two pages do not have alike: one of them lacks it, or it can have other values there. By their ids,
/// each once.
pub fn unlike<'a>(one: &'a Living, other: &'a Living) -> Vec<&'a str> {
    let is_alike = |control: &Control, page: &Living| {
        settable(page).any(|found| found.id == control.id && has_same_values(&found.values, &control.values))
    };
    let mut ids: Vec<&str> = settable(one)
        .filter(|control| !is_alike(control, other))
        .chain(settable(other).filter(|control| !is_alike(control, one)))
        .map(|control| control.id.as_str())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Whether controls can have the same values; in which order a control shows its choices is its own affair.
fn has_same_values(one: &Domain, other: &Domain) -> bool {
    let sorted = |domain: &Domain| match domain {
        Domain::Choices { values } => {
            let mut values: Vec<Value> = values.clone();
            values.sort();
            Some(values)
        }
        _ => None,
    };
    match (sorted(one), sorted(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}
