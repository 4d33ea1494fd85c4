//! Living pages: their pictures, whether every value can be reached and shown, whether every transition leads
//! somewhere, and how much of a page is known.

use std::collections::BTreeSet;
use std::sync::Arc;

use windesk_engine::pack::living::{Living, LivingPage, captured_input, carry, normalised, reachable, unlike};
use windesk_engine::pack::{Pack, program_file};
use windesk_engine::render::decode_limited;
use windesk_model::finding::Finding;
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::living::{Control, ControlType, Domain, PointMap, Rule, Value, Values};
use windesk_model::pack_format::{Carries, Change, Outcome, Picture, Transition};
use windesk_model::page_state::PageState;

/// What is wrong with a window's living page; nothing if it has none.
pub(super) fn check_page(pack: &Pack, at: WindowIndex) -> Vec<Finding> {
    let window = &pack.windows[at];
    if window.living.is_none() {
        return Vec::new();
    }
    let living = match pack.living(at) {
        Ok(living) => living,
        Err(error) => return vec![Finding { place: window.id.clone(), problem: error.to_string() }],
    };
    let page = &living.page;
    let transitions: Vec<&Transition> = living.transitions.iter().map(|t| &**t).collect();
    let mut findings = Vec::new();
    let mut find = |what: String, problem: String| findings.push(Finding { place: format!("{}: {what}", window.id), problem });
    let atlas = window.living.iter().filter_map(|living| living.atlas.as_ref());
    for picture in atlas.chain(page.pictures()) {
        if let Err(error) = check_picture(pack, &window.id, picture) {
            find(picture.file.clone(), error);
        }
    }
    for control in &page.controls {
        for problem in control_problems(page, &transitions, control) {
            find(format!("control {}", control.id), problem);
        }
    }
    let of_states = state_problems(&living).into_iter().chain(transition_problems(&living));
    for (place, problem) in of_states.chain(carried_problems(&living)) {
        find(place, problem);
    }
    let known = known_elements(page, &transitions);
    let interactive = interactive_elements(pack, at, page);
    let counted = (interactive.len() as u32, interactive.intersection(&known).count() as u32);
    let stated = (page.page.coverage.elements, page.page.coverage.known);
    if stated != counted {
        let problem = format!("{} of {} elements known, counted {} of {}", stated.1, stated.0, counted.1, counted.0);
        find("coverage".to_owned(), problem);
    }
    findings
}

/// Names inside the pack of a window's living file and of the pictures that it needs; none if it has none.
pub(super) fn file_names(pack: &Pack, at: WindowIndex) -> Vec<String> {
    let window = &pack.windows[at];
    let Some(living) = &window.living else { return Vec::new() };
    let page = pack.living_page(at).ok().flatten();
    let pictures = living.atlas.iter().chain(page.iter().flat_map(LivingPage::pictures));
    std::iter::once(&living.file)
        .chain(pictures.map(|picture| &picture.file))
        .map(|file| program_file(&window.id, file))
        .collect()
}

fn check_picture(pack: &Pack, window: &str, picture: &Picture) -> Result<(), String> {
    let bytes = pack.files().read_verified(&program_file(window, &picture.file), &picture.sha256);
    let decoded = decode_limited(&bytes.map_err(|e| e.to_string())?, Some(image::ImageFormat::WebP))?;
    match picture.size {
        Some(size) if (decoded.width(), decoded.height()) != (size.width, size.height) => {
            Err(format!("found {}x{}, expected {}x{}", decoded.width(), decoded.height(), size.width, size.height))
        }
        _ => Ok(()),
    }
}

/// Values that nothing sets, and values that have no look.
fn control_problems(page: &LivingPage, transitions: &[&Transition], control: &Control) -> Vec<String> {
    let mut problems = Vec::new();
    let looks: BTreeSet<&Value> = page.patches.iter().filter(|p| p.control == control.id).map(|p| &p.value).collect();
    if control.kind == ControlType::Derived {
        let derives = |rule: &Rule| matches!(rule, Rule::Derived { control: derived, .. } if *derived == control.id);
        if !page.rules.iter().any(derives) {
            problems.push("no rule says what it follows from".to_owned());
        }
        return problems;
    }
    let mut settable = reachable(control);
    let mut is_free = false;
    for outcome in transitions.iter().flat_map(|t| &t.outcomes) {
        match outcome {
            Outcome::Value { control: id, change } if *id == control.id => match change {
                Change::To(value) => {
                    settable.insert(value.clone());
                }
                Change::By(_) | Change::Next(_) => is_free = true,
            },
            Outcome::Typed { control: id } if *id == control.id => is_free = true,
            _ => {}
        }
    }
    // A switch of a group goes off when another one goes on.
    let has_mate = control.group.is_some() && page.controls.iter().any(|c| c.id != control.id && c.group == control.group);
    if has_mate {
        settable.insert(Value::Switch(false));
    }
    let values: Vec<&Value> = match &control.values {
        Domain::Choices { values } => values.iter().collect(),
        _ => looks.iter().copied().collect(),
    };
    for value in values.into_iter().filter(|&value| *value != control.value) {
        if !is_free && !settable.contains(value) {
            problems.push(format!("nothing sets it to {value}"));
        }
        if !looks.contains(value) && matches!(control.values, Domain::Choices { .. }) {
            problems.push(format!("no patch shows it at {value}"));
        }
    }
    let maps = control.click_map.iter().chain(control.drag_map.as_ref().map(|drag| &drag.release));
    let boxed = maps.flat_map(|map| match map {
        PointMap::Regions { regions } => regions.iter().map(|region| &region.value).collect(),
        PointMap::Stops { stops, .. } => stops.iter().map(|stop| &stop.value).collect(),
        PointMap::Linear { .. } | PointMap::Plane { .. } => Vec::new(),
    });
    let unseen: BTreeSet<&Value> = boxed.filter(|&value| *value != control.value && !looks.contains(value)).collect();
    let is_listed = matches!(control.values, Domain::Choices { .. });
    problems.extend(unseen.into_iter().filter(|_| !is_listed).map(|value| format!("no patch shows it at {value}")));
    if looks.is_empty() && control.text.is_none() && !is_listed {
        problems.push("no patch shows it at another value".to_owned());
    }
    if settable.is_empty() && !is_free {
        problems.push("nothing sets it".to_owned());
    }
    problems
}

/// Patches and popups that no state shows, and rules that say something else than the capture.
fn state_problems(living: &Living) -> Vec<(String, String)> {
    let page = &living.page;
    let mut problems = Vec::new();
    let mut expect = |what: String, state: &PageState| {
        if let Err(error) = normalised(living, state) {
            problems.push((what, format!("can't be shown: {}, {}", error.found, error.expected)));
        }
    };
    for patch in &page.patches {
        let set = patch.when.iter().chain([(&patch.control, &patch.value)]);
        expect(format!("a patch of control {} = {}", patch.control, patch.value), &with_values(page, set));
    }
    for popup in &page.popups {
        let state = with_values(page, popup.when.iter());
        expect(format!("popup {}", popup.id), &PageState { popup: Some(popup.id.clone()), ..state });
    }
    for (control, takes_input) in captured_input(living) {
        let element = living.window.elements.iter().find(|element| element.id == control.element);
        let is_enabled = element.is_none_or(|element| element.state.get("enabled") != Some(&serde_json::Value::Bool(false)));
        if takes_input != is_enabled {
            let said = |enabled: bool| if enabled { "takes input" } else { "takes none" };
            let problem = format!("{} as captured, and by its rules it {}", said(is_enabled), said(takes_input));
            problems.push((format!("control {}", control.id), problem));
        }
    }
    let opened: BTreeSet<&str> = living.transitions.iter().flat_map(|t| &t.outcomes).filter_map(opened_popup).collect();
    let unopened = page.popups.iter().filter(|popup| !opened.contains(popup.id.as_str()));
    problems.extend(unopened.map(|popup| (format!("popup {}", popup.id), "no transition opens it".to_owned())));
    problems
}

fn opened_popup(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Popup { popup } => Some(popup),
        _ => None,
    }
}

/// The state in which controls have these values, those of derived ones left out: they follow. Of a group's switches,
/// the others go off where one goes on.
fn with_values<'a>(page: &LivingPage, set: impl Iterator<Item = (&'a String, &'a Value)>) -> PageState {
    let mut values = Values::new();
    for (id, value) in set {
        let Some(control) = page.control(id).filter(|control| control.kind != ControlType::Derived) else { continue };
        let mates = || page.controls.iter().filter(|c| c.group.is_some() && c.group == control.group && c.id != control.id);
        if *value != control.value {
            for mate in mates() {
                // Where this one goes off, another one goes on.
                let is_on = Value::Switch(true);
                let goes_on = *value != is_on && !mates().any(|other| values.get(&other.id) == Some(&is_on));
                values.entry(mate.id.clone()).or_insert(Value::Switch(goes_on));
            }
        }
        values.insert(id.clone(), value.clone());
    }
    PageState { values, ..PageState::default() }
}

/// Transitions of which nobody knows which one holds, and those that set what has no look.
fn transition_problems(living: &Living) -> Vec<(String, String)> {
    let page = &living.page;
    let mut problems = Vec::new();
    let name = |t: &Transition| format!("`{}` on {}", t.action.name(), t.element.as_deref().unwrap_or("the window"));
    for (at, one) in living.transitions.iter().enumerate() {
        let same = |other: &&Arc<Transition>| {
            (&other.element, &other.action, &other.part) == (&one.element, &one.action, &one.part)
                && (&other.when, &other.focused) == (&one.when, &one.focused)
        };
        let closes = |t: &Transition| t.outcomes.contains(&Outcome::PopupClosed {});
        let rival =
            living.transitions[at + 1..].iter().filter(same).find(|other| one.element.is_some() || closes(one) == closes(other));
        if rival.is_some() {
            problems.push((name(one), "two transitions under the same conditions".to_owned()));
        }
        let set = one.outcomes.iter().filter_map(|outcome| match outcome {
            Outcome::Value { control, change: Change::To(value) } => Some((control, value)),
            _ => None,
        });
        let state = with_values(page, one.when.iter().chain(set));
        let stays =
            !one.outcomes.iter().any(|o| matches!(o, Outcome::Page { .. } | Outcome::Closed { .. } | Outcome::Maximised { .. }));
        if let Err(error) = normalised(living, &state)
            && stays
        {
            problems.push((name(one), format!("leads to what can't be shown: {}, {}", error.found, error.expected)));
        }
    }
    problems
}

/// Controls that a page and the one that it hands its values to do not have alike, and `carries` does not say so; pages
/// that do not show each other's picture.
fn carried_problems(living: &Living) -> Vec<(String, String)> {
    let mut problems = Vec::new();
    for transition in &living.transitions {
        let element = transition.element.as_deref().unwrap_or("the window");
        for outcome in &transition.outcomes {
            let Outcome::Maximised { to: Some(to), carries: Some(carries) } = outcome else { continue };
            let Some(other) = living.other(to) else { continue };
            let place = || format!("`{}` on {element}, carried to {to}", transition.action.name());
            let differ = unlike(living, other);
            let unsaid = differ.iter().filter(|id| !carries.without.iter().any(|left| left == *id));
            problems.extend(
                unsaid.map(|id| (place(), format!("control {id} is not the same on both pages, and `without` does not name it"))),
            );
            let needless = carries.without.iter().filter(|id| !differ.contains(&id.as_str()));
            problems
                .extend(needless.map(|id| (place(), format!("`without` names control {id}, which both pages have or neither"))));
            // Where the focus is in the picture need not be known on the other page.
            let values = Carries { focus: false, ..carries.clone() };
            if let Err(error) = carry(living, &with_values(&living.page, transition.when.iter()), to, &values) {
                problems.push((place(), format!("leads to what can't be shown: {}", error.found)));
            }
        }
    }
    problems
}

/// Elements whose click does something known, or surely nothing.
fn known_elements<'a>(page: &'a LivingPage, transitions: &[&'a Transition]) -> BTreeSet<&'a str> {
    let is_known = |t: &&&Transition| !t.outcomes.iter().any(|outcome| matches!(outcome, Outcome::Unmodelled { .. }));
    let clicked = transitions.iter().filter(is_known).filter_map(|t| t.element.as_deref());
    let mapped = page.controls.iter().filter(|c| c.click_map.is_some()).map(|c| c.element.as_str());
    clicked.chain(mapped).collect()
}

fn interactive_elements<'a>(pack: &'a Pack, at: WindowIndex, page: &'a LivingPage) -> BTreeSet<&'a str> {
    let own = pack.windows[at].elements.iter().filter(|e| e.interactive).map(|e| e.id.as_str());
    let popups = page.popups.iter().flat_map(|popup| &popup.elements).filter(|e| e.interactive).map(|e| e.id.as_str());
    own.chain(popups).collect()
}
