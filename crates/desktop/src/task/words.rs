//! Words of goals and steps, where nobody wrote them, and what sort of step a click is.

use windesk_engine::pack::{IndexedPack, Window};
use windesk_model::index::{ElementIndex, WindowIndex};
use windesk_model::instruction::{InstructionSource, Wording};
use windesk_model::task::StepKind;

use super::path::{Path, PathClick};
use crate::event::Effect;

/// How a step asks for an element.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) instruction: String,
    pub(super) wording: Wording,
    pub(super) source: InstructionSource,
    /// The element, by id, that shows what the words call the target; null if it is the target itself, or not known.
    pub(super) label: Option<String>,
}

/// The words of a step of a path: its own, those of the element as a target, or composed ones.
pub(super) fn asked(pack: &IndexedPack, path: &Path, step: usize) -> Asked {
    let PathClick { page, element } = &path.clicks[step];
    let own = path.words.as_ref().and_then(|words| Some((words, words.steps.as_ref()?[step].clone())));
    let captured = pack.windows[*page].element_index(element);
    let target = captured.and_then(|at| pack.index().target_at(*page, at)).map(|at| &pack.index().targets[at]);
    match (own, target) {
        (Some((words, step)), target) => Asked {
            instruction: step.instruction,
            label: step.label,
            // A written workflow clicks pages as they were captured; other steps name their program.
            wording: target.filter(|_| !path.is_of_settings()).map_or(Wording::InContext, |target| target.wording),
            source: words.steps_source,
        },
        (None, Some(target)) => {
            Asked { instruction: target.instruction.clone(), wording: target.wording, source: target.source, label: None }
        }
        (None, None) => Asked {
            instruction: captured.map(|at| composed(pack, *page, at)).unwrap_or_default(),
            wording: Wording::InContext,
            source: InstructionSource::Accessibility,
            label: None,
        },
    }
}

/// For elements that are no targets by themselves, such as one of two buttons that close a window.
fn composed(pack: &IndexedPack, window: WindowIndex, element: ElementIndex) -> String {
    let app = &pack.program_of(window).record.name;
    let (window, element) = (&pack.windows[window], &pack.windows[window].elements[element]);
    if element.name == "Close" {
        return format!("In {app}, close the window \"{}\"", window.title);
    }
    let kind = match element.role.as_str() {
        "push button" | "toggle button" => "button",
        other => other,
    };
    format!("In {app}, click the {kind} \"{}\"", element.name)
}

/// The goal of a path that nobody wrote one for: its last step, with the menu or the window that it is in.
pub(super) fn goal(pack: &IndexedPack, path: &Path) -> String {
    let last = path.clicks.len() - 1;
    let window = path.clicks[last].page;
    let app = &pack.program_of(window).record.name;
    let own = asked(pack, path, last).instruction;
    let bare = own.strip_prefix(&format!("In {app}, ")).map_or_else(|| lower_first(&own), str::to_owned);
    let bare = bare.trim_end_matches('.');
    let shown = &pack.windows[window];
    let place = if shown.has_popup() && last > 0 {
        let opener = &path.clicks[last - 1];
        let before = &pack.windows[opener.page];
        let name = before.element_index(&opener.element).map_or("", |at| &before.elements[at].name).trim_end_matches(['.', '…']);
        if name.is_empty() || bare.contains(name) { String::new() } else { format!(" from \"{name}\"") }
    } else if shown.parent.is_some() && !shown.title.is_empty() {
        format!(" in \"{}\"", dialog_title(shown))
    } else {
        String::new()
    };
    format!("In {app}, {bare}{place}")
}

fn dialog_title(window: &Window) -> &str {
    window.title.split(" - ").next().unwrap_or(&window.title)
}

/// The first letter in lower case, unless the word is all capitals.
fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(std::iter::once(second)).chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

/// Roles of controls that have a value.
const CONTROLS: [&str; 8] =
    ["check box", "check menu item", "radio button", "radio menu item", "toggle button", "switch", "spin button", "slider"];

/// What sort of step a click is, by what it did. `before` is what was clicked, and whether a menu was open.
pub fn step_kind(pack: &IndexedPack, effects: &[Effect], role: &str, from_menu: bool) -> StepKind {
    let told = effects.iter().rev().find_map(|effect| match effect {
        Effect::Opened { .. } => Some(StepKind::OpenWindow),
        Effect::Closed { .. } => Some(StepKind::Close),
        Effect::Minimised { .. } => Some(StepKind::Minimise),
        Effect::Restored { .. } => Some(StepKind::Restore),
        Effect::PopupOpened { .. } => Some(StepKind::OpenMenu),
        Effect::Set { .. } if from_menu => Some(StepKind::Choose),
        Effect::Set { .. } if role == "page tab" => Some(StepKind::Switch),
        Effect::Set { .. } => Some(StepKind::Set),
        Effect::Page { to, .. } => {
            let is_menu = pack.window_index(to).is_some_and(|at| pack.windows[at].has_popup());
            Some(match (is_menu, from_menu) {
                (true, _) => StepKind::OpenMenu,
                (false, true) => StepKind::Choose,
                (false, false) if CONTROLS.contains(&role) => StepKind::Set,
                (false, false) => StepKind::Switch,
            })
        }
        _ => None,
    });
    let raised = effects.iter().any(|effect| matches!(effect, Effect::Raised { .. }));
    told.unwrap_or(if raised { StepKind::Raise } else { StepKind::Press })
}
