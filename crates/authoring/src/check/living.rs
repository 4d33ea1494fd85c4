//! Living pages: their pictures, whether every value can be reached, whether every transition leads somewhere, and how
//! much of a page is known.

use std::collections::BTreeSet;

use windesk_engine::pack::living::{LivingPage, reachable};
use windesk_engine::pack::{Pack, program_file};
use windesk_engine::render::decode_limited;
use windesk_model::finding::Finding;
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::living::{Control, ControlType, Domain, Rule, Value};
use windesk_model::pack_format::{Change, Outcome, Picture, Transition};

/// What is wrong with a window's living page; nothing if it has none.
pub(super) fn check_page(pack: &Pack, at: WindowIndex) -> Vec<Finding> {
    let window = &pack.windows[at];
    let page = match pack.living_page(at) {
        Ok(Some(page)) => page,
        Ok(None) => return Vec::new(),
        Err(error) => return vec![Finding { place: window.id.clone(), problem: error.to_string() }],
    };
    let transitions = match pack.transitions_of(at, Some(&page)) {
        Ok(transitions) => transitions,
        Err(error) => return vec![Finding { place: window.id.clone(), problem: error.to_string() }],
    };
    let mut findings = Vec::new();
    let mut find = |what: String, problem: String| findings.push(Finding { place: format!("{}: {what}", window.id), problem });
    let atlas = window.living.iter().filter_map(|living| living.atlas.as_ref());
    for picture in atlas.chain(page.pictures()) {
        if let Err(error) = check_picture(pack, &window.id, picture) {
            find(picture.file.clone(), error);
        }
    }
    for control in &page.controls {
        for problem in control_problems(&page, &transitions, control) {
            find(format!("control {}", control.id), problem);
        }
    }
    let known = known_elements(&page, &transitions);
    let interactive = interactive_elements(pack, at, &page);
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
    if settable.is_empty() && !is_free {
        problems.push("nothing sets it".to_owned());
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
