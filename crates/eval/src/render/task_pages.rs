//! The reports of sequences, state setting and episodes as tables and figures.

use std::collections::BTreeMap;

use windesk_model::plural::counted;

use super::charts::{Row, rows};
use super::click_page::notes;
use super::{Presentation, Table, interval, percent, proportion_cells};
use crate::episode::{EpisodeReport, EpisodeScores};
use crate::facts::ReportFacts;
use crate::sequence::{PositionRow, SequenceModel, SequenceReport, SequenceScores, StepKindRow};
use crate::state::{StateRates, StateReport};
use crate::stats::Proportion;

/// `unit` is what the bootstrap draws again: a task, or an instance.
fn task_facts(facts: &ReportFacts, dataset: String, digest: Option<&str>, unit: &str) -> Vec<(String, String)> {
    let mut pairs = vec![("dataset".to_owned(), dataset)];
    pairs.extend(digest.map(|d| ("digest".to_owned(), d.to_owned())));
    pairs.push(("scoring protocol".to_owned(), format!("{} ({})", facts.protocol, facts.options.join(", "))));
    pairs.push((
        "intervals".to_owned(),
        format!("95 %: Wilson, and bootstrap of {} resamples (seed {}) by {unit}", facts.resamples, facts.seed),
    ));
    pairs.push(("made by".to_owned(), format!("windesk {}", facts.tool_version)));
    pairs
}

fn short(p: &Proportion) -> String {
    format!("{} ({})", percent(p.value), interval(p.bootstrap))
}

fn counts(id: String, title: String, label: &str, counts: &BTreeMap<String, u64>) -> Table {
    let all: u64 = counts.values().sum();
    let mut table = Table::new(id, title, &[label, "n", "%"]);
    let mut rows: Vec<(&String, &u64)> = counts.iter().collect();
    rows.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
    rows.iter()
        .for_each(|(name, n)| table.row([(*name).clone(), n.to_string(), percent((all > 0).then(|| **n as f64 / all as f64))]));
    table
}

/// How a model answered, clicks outside the image apart.
pub(super) fn answers(name: &str, what: &str, statuses: &BTreeMap<String, u64>) -> Table {
    counts(format!("{name}-statuses"), format!("{name}: how {what} were answered"), "answer", statuses)
}

fn share_rows(id: &str, title: &str, groups: impl Iterator<Item = (String, Proportion)>) -> super::Figure {
    let groups: Vec<Row> = groups.map(|(label, p)| Row { label, n: p.n, values: vec![p.value.map(|v| (v, p.wilson))] }).collect();
    rows(id, title, &[String::new()], &groups)
}

/// Columns of shares of those that get somewhere.
const FAILED_COLUMNS: [&str; 5] = ["", "failed there %", "Wilson", "bootstrap", "tasks that got there"];

/// Where tasks fail, by what the click does.
fn step_kinds(model: &SequenceModel) -> Option<Table> {
    let name = &model.predictions.model;
    let columns = ["", "single step %", "bootstrap", "n", "failed there %", "bootstrap", "got there"];
    let mut table = Table::new(format!("{name}-step-kinds"), format!("{name}: by what the click does"), &columns);
    for StepKindRow { step_kind, single_step, failed } in &model.step_kinds {
        let cells = [single_step, failed].into_iter().flat_map(|p| [percent(p.value), interval(p.bootstrap), p.n.to_string()]);
        table.row(std::iter::once(step_kind.name().replace('_', " ")).chain(cells));
    }
    (!model.step_kinds.is_empty()).then_some(table)
}

/// The sequence report for people.
pub fn present_sequence(report: &SequenceReport) -> Presentation {
    let dataset = format!(
        "{}: {} tasks ({} without a step that counts left out), {} steps ({} skipped)",
        report.dataset, report.tasks, report.tasks_left_out, report.steps, report.steps_skipped
    );
    let mut page = Presentation {
        title: format!("Sequences, asked {}: {}", report.asked, report.dataset),
        facts: task_facts(&report.facts, dataset, Some(&report.digest), "task"),
        ..Presentation::default()
    };
    page.facts.push(("asked".to_owned(), report.asked.name().to_owned()));
    let columns =
        ["", "tasks", "TCA %", "S1A %", "SHR % (all steps)", "SHR % (attempted)", "WPS", "WPS normalised", "single step %"];
    let row = |label: String, s: &SequenceScores| {
        let number = |value: Option<f64>, range: Option<[f64; 2]>| match (value, range) {
            (Some(v), Some([low, high])) => format!("{v:.3} ({low:.3} to {high:.3})"),
            _ => "-".to_owned(),
        };
        let wps = [number(s.wps, s.wps_bootstrap), number(s.wps_normalised, s.wps_normalised_bootstrap)];
        let [a, b, c, d] = [&s.tca, &s.s1a, &s.shr, &s.shr_attempted].map(short);
        [label, s.tca.n.to_string(), a, b, c, d].into_iter().chain(wps).chain([short(&s.single_step)]).collect::<Vec<_>>()
    };
    let headline = format!("Tasks and steps, asked {} (bootstrap interval)", report.asked);
    let mut headline = Table::new("headline", headline, &columns).first();
    report.models.iter().for_each(|m| headline.row(row(m.predictions.model.clone(), &m.all)));
    page.tables.push(headline);
    for model in &report.models {
        let name = &model.predictions.model;
        let first = page.tables.len();
        page.notes.extend(notes(&model.predictions));
        let groups = [("condition", &model.conditions), ("kind", &model.kinds)];
        for (what, groups) in groups.into_iter().filter(|(_, groups)| !groups.is_empty()) {
            let mut table = Table::new(format!("{name}-{what}s"), format!("{name}: by {what}"), &columns);
            groups.iter().for_each(|(group, s)| table.row(row(group.clone(), s)));
            page.tables.push(table);
        }
        let mut lengths = Table::new(format!("{name}-lengths"), format!("{name}: by number of steps"), &columns);
        model.lengths.iter().for_each(|(steps, s)| lengths.row(row(steps.to_string(), s)));
        page.tables.push(lengths);
        page.tables.extend(step_kinds(model));
        let mut positions = Table::new(format!("{name}-positions"), format!("{name}: where tasks end"), &FAILED_COLUMNS);
        let place = |p: &PositionRow| std::iter::once(format!("step {}", p.position)).chain(proportion_cells(&p.failed));
        model.positions.iter().for_each(|p| positions.row(place(p)));
        let mut table = Table::new(format!("{name}-applications"), format!("{name}: by application"), &columns);
        model.applications.iter().for_each(|(application, s)| table.row(row(application.clone(), s)));
        let mut sizes = Table::new(
            format!("{name}-sizes"),
            format!("{name}: single steps by size of the target"),
            &["size", "%", "Wilson", "bootstrap", "n"],
        );
        model.sizes.iter().for_each(|s| sizes.row(std::iter::once(s.size.clone()).chain(proportion_cells(&s.single_step))));
        let failures = counts(format!("{name}-failures"), format!("{name}: failing steps"), "class", &model.failures);
        page.tables.extend([positions, table, sizes, failures, answers(name, "steps", &model.statuses)]);
        if model.hits_elsewhere > 0 {
            page.notes.push(format!("{name}: {} hit another place that is as good", counted(model.hits_elsewhere, "step")));
        }
        page.give_to(name, first);
        let completion = model.applications.iter().map(|(application, s)| (application.clone(), s.tca));
        page.figures.push(share_rows(&format!("{name}-tca"), &format!("{name}: task completion by application"), completion));
    }
    page
}

/// The state report for people.
pub fn present_state(report: &StateReport) -> Presentation {
    let dataset = format!(
        "{} instances, {} of them without a click->state function (rule of the published code), {} set by a drag alone",
        report.instances, report.by_published_rule, report.only_by_drag
    );
    let mut page = Presentation {
        title: "State setting".to_owned(),
        facts: task_facts(&report.facts, dataset, Some(&report.digest), "instance"),
        ..Presentation::default()
    };
    let columns = ["", "n", "SR@Loc %", "SR@Int %", "ES-SR@Loc %", "ES-SR@Int %"];
    let row = |label: String, r: &StateRates| {
        let rates = [&r.sr_loc, &r.sr_int, &r.es_sr_loc, &r.es_sr_int].map(short);
        [label, r.sr_loc.n.to_string()].into_iter().chain(rates).collect::<Vec<_>>()
    };
    let mut headline = Table::new("headline", "Success rates (bootstrap interval)", &columns).first();
    report.models.iter().for_each(|m| headline.row(row(m.predictions.model.clone(), &m.all)));
    page.tables.push(headline);
    for model in &report.models {
        page.notes.extend(notes(&model.predictions));
        let name = &model.predictions.model;
        let first = page.tables.len();
        let groups = [("platform", &model.platforms), ("component", &model.components), ("condition", &model.conditions)];
        for (what, groups) in groups.into_iter().filter(|(what, groups)| *what != "condition" || !groups.is_empty()) {
            let mut table = Table::new(format!("{name}-{what}"), format!("{name}: by {what}"), &columns);
            groups.iter().for_each(|(group, rates)| table.row(row(group.clone(), rates)));
            page.tables.push(table);
        }
        if let Some(drags) = &model.drags {
            let columns = ["", "n", "ES-SR@Int %", "published rule %"];
            let mut table = Table::new(format!("{name}-drags"), format!("{name}: set by a drag alone"), &columns);
            table.row(["drags".to_owned(), drags.es_sr_int.n.to_string(), short(&drags.es_sr_int), short(&drags.published_rule)]);
            page.tables.push(table);
        }
        page.tables.push(answers(name, "questions", &model.statuses));
        page.give_to(name, first);
    }
    page
}

/// The episode report for people.
pub fn present_episodes(report: &EpisodeReport) -> Presentation {
    let mut page = Presentation {
        title: "Episodes".to_owned(),
        facts: task_facts(&report.facts, format!("{} tasks", report.tasks), None, "task"),
        ..Presentation::default()
    };
    let columns = ["", "n", "strict success %", "Wilson", "completed %", "truncated %", "reward", "steps"];
    let row = |label: String, s: &EpisodeScores| {
        let reward = match (s.reward, s.reward_bootstrap) {
            (Some(v), Some([low, high])) => format!("{v:.3} ({low:.3} to {high:.3})"),
            _ => "-".to_owned(),
        };
        let shares = [
            percent(s.strict_success.value),
            interval(s.strict_success.wilson),
            percent(s.completed.value),
            percent(s.truncated.value),
        ];
        let steps = s.steps.map_or("-".to_owned(), |v| format!("{v:.1}"));
        [label, s.strict_success.n.to_string()].into_iter().chain(shares).chain([reward, steps]).collect::<Vec<_>>()
    };
    let mut headline = Table::new("headline", "Episodes", &columns).first();
    report.models.iter().for_each(|m| headline.row(row(m.model.clone(), &m.all)));
    page.tables.push(headline);
    for model in &report.models {
        let name = &model.model;
        let first = page.tables.len();
        if !model.unknown.is_empty() {
            page.notes.push(format!(
                "{name}: {} episodes of unknown tasks (not counted): {}",
                model.unknown.len(),
                model.unknown.join(", ")
            ));
        }
        if !model.missing.is_empty() {
            let some = model.missing.iter().take(5).cloned().collect::<Vec<_>>().join("; ");
            page.notes.push(format!("{name}: {} tasks without an episode (they count as failed): {some}", model.missing.len()));
        }
        let mut table = Table::new(format!("{name}-scenarios"), format!("{name}: by scenario"), &columns);
        model.scenarios.iter().for_each(|(scenario, s)| table.row(row(scenario.clone(), s)));
        let failures = counts(format!("{name}-failures"), format!("{name}: failures"), "bucket", &model.failures);
        let violations =
            counts(format!("{name}-violations"), format!("{name}: violations"), "dimension/severity", &model.violations);
        page.tables.extend([table, failures, violations]);
        page.give_to(name, first);
        let success = model.scenarios.iter().map(|(scenario, s)| (scenario.clone(), s.strict_success));
        page.figures.push(share_rows(&format!("{name}-success"), &format!("{name}: strict success by scenario"), success));
    }
    page
}
