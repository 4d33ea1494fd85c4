//! Words of goals and steps, where nobody wrote them, and what sort of step a click is.

use windesk_engine::pack::{IndexedPack, Window};
use windesk_model::index::{ElementIndex, WindowIndex};
use windesk_model::instruction::{InstructionSource, Wording};
use windesk_model::task::StepKind;

use super::Path;
use crate::event::Effect;

/// How a step asks for an element.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) instruction: String,
    pub(super) wording: Wording,
    pub(super) source: InstructionSource,
}

/// The words of a step of a path: written ones, those of the element as a target, or composed ones.
pub(super) fn asked(pack: &IndexedPack, path: &Path, step: usize) -> Asked {
    let (window, element) = path.clicks[step];
    let written = path.written.as_ref().and_then(|w| w.steps.as_ref()).map(|steps| steps[step].clone());
    let target = pack.index().target_at(window, element).map(|at| &pack.index().targets[at]);
    match (written, target) {
        (Some(instruction), target) => Asked {
            instruction,
            wording: target.map_or(Wording::InContext, |target| target.wording),
            source: InstructionSource::Reviewed,
        },
        (None, Some(target)) => Asked { instruction: target.instruction.clone(), wording: target.wording, source: target.source },
        (None, None) => Asked {
            instruction: composed(pack, window, element),
            wording: Wording::InContext,
            source: InstructionSource::Accessibility,
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
    let (window, _) = path.clicks[last];
    let app = &pack.program_of(window).record.name;
    let own = asked(pack, path, last).instruction;
    let bare = own.strip_prefix(&format!("In {app}, ")).map_or_else(|| lower_first(&own), str::to_owned);
    let bare = bare.trim_end_matches('.');
    let shown = &pack.windows[window];
    let place = if shown.has_popup() && last > 0 {
        let (before, opener) = path.clicks[last - 1];
        let name = pack.windows[before].elements[opener].name.trim_end_matches(['.', '…']);
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
