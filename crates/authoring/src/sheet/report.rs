//! How far writers and blind readers agree, and what is left to do.

use std::collections::BTreeMap;

use serde::Serialize;

use windesk_engine::pack::Window;
use windesk_engine::pack::naming::spoken_name;
use windesk_model::Error;
use windesk_model::index::ElementIndex;
use windesk_model::pack_format::{BlindCheck, ReviewedInstruction};
use windesk_model::role::RoleGroup;

use super::Review;
use super::answers::composed_answers;
use crate::eligible::{is_eligible, ui_type};
use crate::instructions::{agrees, capture_digest, last_check, same_place};

/// Agreement of readers with writers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Pairs that were checked.
    pub checked: usize,
    /// Pairs where the reader picked the element that was meant, and it alone.
    pub agreed: usize,
}

impl Agreement {
    pub(super) fn add(&mut self, agreed: bool) {
        self.checked += 1;
        self.agreed += usize::from(agreed);
    }

    /// Share of the checked ones in percent; null if none was.
    pub fn percent(self) -> Option<f64> {
        (self.checked > 0).then(|| self.agreed as f64 * 100.0 / self.checked as f64)
    }
}

/// The state of a review.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReviewReport {
    /// Pairs of instruction and target that stand.
    pub pairs: usize,
    /// Other phrasings of them.
    pub paraphrases: usize,
    /// Pairs given up.
    pub dropped: usize,
    /// First check of each pair, dropped ones included.
    pub first_pass: Agreement,
    /// Last check of the words as they are now.
    pub current: Agreement,
    /// Checks of paraphrases as they are now, the last of each.
    pub paraphrases_checked: Agreement,
    /// Captures by the number of pairs that stand: none, one, two or more.
    pub captures_by_pairs: [usize; 3],
    /// Captures that have fewer than two pairs though at least two places could be asked for.
    pub captures_short: Vec<String>,
    /// Pairs by style, with their first-pass agreement.
    pub by_style: BTreeMap<String, (usize, Agreement)>,
    /// Pairs by role group, with their first-pass agreement.
    pub by_role: BTreeMap<String, (usize, Agreement)>,
    /// Pairs by size of the target: small up to 900 px, medium up to 6,000, large.
    pub by_size: BTreeMap<String, (usize, Agreement)>,
    /// Pairs by whether the target shows its name.
    pub by_ui_type: BTreeMap<String, (usize, Agreement)>,
    /// Pairs by kind of author.
    pub by_author: BTreeMap<String, usize>,
    /// Pairs whose target no scene can ask for: too small, disabled, behind a popup.
    pub never_asked: Vec<String>,
    /// Pairs whose last check disagrees.
    pub open_disagreements: Vec<String>,
    /// Pairs whose capture has changed since, or whose element is gone.
    pub stale: Vec<String>,
}

/// Counts pairs, agreement and what is left to do.
pub fn report(review: &Review) -> ReviewReport {
    let mut report = ReviewReport::default();
    let mut by_window: BTreeMap<&str, usize> = BTreeMap::new();
    for instruction in &review.instructions {
        let window = review.pack.window_index(&instruction.window).map(|at| &review.pack.windows[at]);
        let element = window.and_then(|w| w.element_index(&instruction.element));
        let (Some(window), Some(element)) = (window, element) else {
            report.stale.push(format!("{}: its element is gone", name_of(instruction)));
            continue;
        };
        let first = instruction.checks.iter().find(|check| !instruction.paraphrases.contains(&check.text));
        let first = first.map(|check| agrees(window, instruction, check));
        if let Some(agreed) = first {
            report.first_pass.add(agreed);
        }
        if instruction.dropped {
            report.dropped += 1;
            continue;
        }
        *by_window.entry(&instruction.window).or_default() += 1;
        count(&mut report, window, element, instruction, first);
        if instruction.capture.as_ref().is_some_and(|seen| *seen != capture_digest(window)) {
            report.stale.push(format!("{}: its capture has changed", name_of(instruction)));
        }
        if let Some(check) = last_check(instruction) {
            let agreed = agrees(window, instruction, check);
            report.current.add(agreed);
            if !agreed {
                report.open_disagreements.push(format!("{}: {}", name_of(instruction), picked(window, check)));
            }
        }
        for text in &instruction.paraphrases {
            if let Some(check) = instruction.checks.iter().rev().find(|check| check.text == *text) {
                let agreed = agrees(window, instruction, check);
                report.paraphrases_checked.add(agreed);
                if !agreed {
                    let problem = format!("{} (paraphrase \"{text}\"): {}", name_of(instruction), picked(window, check));
                    report.open_disagreements.push(problem);
                }
            }
        }
    }
    for window in &review.pack.windows {
        let pairs = by_window.get(window.id.as_str()).copied().unwrap_or(0);
        report.captures_by_pairs[pairs.min(2)] += 1;
        if pairs < 2 && super::candidates::places(window).len() >= 2 {
            report.captures_short.push(window.id.clone());
        }
    }
    report
}

fn count(report: &mut ReviewReport, window: &Window, at: ElementIndex, instruction: &ReviewedInstruction, first: Option<bool>) {
    let element = &window.elements[at];
    report.pairs += 1;
    report.paraphrases += instruction.paraphrases.len();
    let add = |counts: &mut BTreeMap<String, (usize, Agreement)>, key: String| {
        let (pairs, agreement) = counts.entry(key).or_default();
        *pairs += 1;
        first.into_iter().for_each(|agreed| agreement.add(agreed));
    };
    let group = RoleGroup::of(&element.role);
    let size = match element.bbox.area() {
        0..=900 => "small",
        901..=6000 => "medium",
        _ => "large",
    };
    add(&mut report.by_style, instruction.style.name().to_owned());
    add(&mut report.by_role, group.map_or_else(|| element.role.clone(), written));
    add(&mut report.by_size, size.to_owned());
    add(&mut report.by_ui_type, written(ui_type(spoken_name(window, at).as_deref(), element.bbox)));
    *report.by_author.entry(written(instruction.author_kind)).or_default() += 1;
    if group.is_none() || !is_eligible(window, at) {
        report.never_asked.push(name_of(instruction));
    }
}

/// The name of a variant as it is written in files.
fn written(value: impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).expect("a variant without fields")
}

fn name_of(instruction: &ReviewedInstruction) -> String {
    format!("{}#{} \"{}\"", instruction.window, instruction.element, instruction.instruction)
}

fn picked(window: &Window, check: &BlindCheck) -> String {
    let name = |id: &String| match window.elements.iter().find(|e| e.id == *id) {
        Some(element) => format!("#{id} ({} \"{}\")", element.role, element.name),
        None => format!("#{id}"),
    };
    if check.picked.is_empty() {
        "the reader found nothing that fits".to_owned()
    } else {
        format!("the reader picked {}", check.picked.iter().map(name).collect::<Vec<_>>().join(" or "))
    }
}

/// Agreement on composed instructions, from files of answers: overall, by role group, disagreements, and answers that
/// fit no question.
///
/// # Errors
/// Everything wrong in any of the files.
#[allow(clippy::type_complexity, reason = "four lists that belong to nothing else")]
pub fn composed_agreement(
    review: &Review,
    files: &[(String, Vec<u8>)],
) -> Result<(Agreement, BTreeMap<String, Agreement>, Vec<String>, Vec<String>), Vec<Error>> {
    let (answers, stale) = composed_answers(review, files)?;
    let (mut all, mut by_role, mut disagreements) = (Agreement::default(), BTreeMap::<String, Agreement>::new(), Vec::new());
    for (at, question, elements) in answers {
        let window = &review.pack.windows[at];
        let meant = &window.elements[question.element];
        let agreed = match elements[..] {
            [one] => one == question.element || same_place(window.elements[one].bbox, meant.bbox),
            _ => false,
        };
        all.add(agreed);
        by_role.entry(RoleGroup::of(&meant.role).map_or_else(|| meant.role.clone(), written)).or_default().add(agreed);
        if !agreed {
            let names: Vec<String> =
                elements.iter().map(|&e| format!("{} \"{}\"", window.elements[e].role, window.elements[e].name)).collect();
            let picked = if names.is_empty() { "nothing".to_owned() } else { names.join(" or ") };
            disagreements.push(format!("{}#{} \"{}\": the reader picked {picked}", window.id, meant.id, question.text));
        }
    }
    Ok((all, by_role, disagreements, stale))
}
