//! The click report as tables and figures.

use super::click_figures::figures;
use super::{Presentation, Table, interval, p_value, percent, proportion_cells};
use crate::click::{Averages, ClickModel, ClickReport, Distances, Flips, Paired};
use crate::facts::{DatasetFacts, ReportFacts};
use crate::predictions::PredictionFacts;

/// Facts of a report, as label and value.
pub(super) fn facts(facts: &ReportFacts, dataset: &DatasetFacts) -> Vec<(String, String)> {
    let pairs = [
        (
            "dataset",
            format!(
                "{} ({}), {} images, {} targets, {} absent{}",
                dataset.name,
                dataset.layout,
                dataset.images,
                dataset.present_targets,
                dataset.absent_targets,
                if dataset.further_targets > 0 { format!(", {} further", dataset.further_targets) } else { String::new() }
            ),
        ),
        ("digest", dataset.digest.clone()),
        ("generation protocol", dataset.generation_protocol.clone().unwrap_or_else(|| "not stated".to_owned())),
        ("scoring protocol", format!("{} ({})", facts.protocol, facts.options.join(", "))),
        (
            "intervals",
            format!(
                "95 %: Wilson, and bootstrap of {} resamples (seed {}) by target, {} targets",
                facts.resamples, facts.seed, dataset.clusters
            ),
        ),
        ("made by", format!("windesk {}", facts.tool_version)),
    ];
    let mut pairs: Vec<(String, String)> = pairs.map(|(label, value)| (label.to_owned(), value)).into();
    if let Some(benchmark) = &dataset.benchmark {
        let unknown = if benchmark.shipped { "" } else { "; none of this program's, so that the manifest alone says what it is" };
        let value = format!("{}, part {} (digest {}{unknown})", benchmark.name, benchmark.part, benchmark.digest);
        pairs.insert(0, ("benchmark".to_owned(), value));
    }
    pairs
}

/// What was odd in the predictions, and how they were read.
pub(super) fn notes(predictions: &PredictionFacts) -> Vec<String> {
    let odd = predictions.findings.iter().map(|f| format!("{}: {}", predictions.model, f.told()));
    odd.collect()
}

/// The report for people.
pub fn present_click(report: &ClickReport) -> Presentation {
    let mut page = Presentation {
        title: format!("Click grounding: {}", report.dataset.name),
        facts: facts(&report.facts, &report.dataset),
        ..Presentation::default()
    };
    for model in &report.models {
        let p = &model.predictions;
        let prompt = p.header.prompt.as_ref().map_or("prompt not recorded".to_owned(), |t| format!("prompt {t:?}"));
        page.facts.push((format!("model {}", p.model), format!("{} lines, coordinates {}, {prompt}", p.lines, p.coords)));
        page.notes.extend(notes(p));
    }
    page.tables.push(headline(report));
    page.tables.push(statuses(report));
    page.tables.extend(conditions(report));
    page.tables.extend(further_targets(report));
    figures(report, &mut page);
    if !report.comparisons.is_empty() {
        let mut table = Table::new("models", "Pairwise comparison of models (paired by target)", &FLIP_COLUMNS);
        for c in &report.comparisons {
            let label = format!("{}, {}: {} / {}", c.metric, c.condition.as_deref().unwrap_or("all"), c.a, c.b);
            table.row(flip_row(label, &c.flips));
        }
        page.tables.push(table);
    }
    for model in &report.models {
        let first = page.tables.len();
        breakdown_tables(model, &mut page);
        paired_tables(model, &mut page);
        other_tables(model, &mut page);
        page.give_to(&model.predictions.model, first);
    }
    page
}

/// Name of the row for clicks that fall anywhere.
const ANYWHERE: &str = "(anywhere)";

fn headline(report: &ClickReport) -> Table {
    let columns = ["model", "metric", "micro %", "Wilson", "bootstrap", "n", "macro %", "macro bootstrap"];
    let mut table = Table::new("headline", "Accuracy (micro: every sample; macro: mean over categories)", &columns).first();
    for model in &report.models {
        let mut add = |metric: &str, averages: &Averages| {
            let name = [model.predictions.model.clone(), metric.to_owned()];
            let by_category = averages.by_category.as_ref();
            let tail = [percent(by_category.and_then(|m| m.value)), interval(by_category.and_then(|m| m.bootstrap))];
            table.row(name.into_iter().chain(proportion_cells(&averages.micro)).chain(tail));
        };
        add("click", &model.click);
        if let Some(visible) = &model.visible {
            add("visible", visible);
        }
    }
    let anywhere = &report.chance[0];
    for (metric, share) in [("click", Some(anywhere.click)), ("visible", anywhere.visible)] {
        if share.is_some() {
            let blank = ["-"; 5].map(str::to_owned);
            table.row([ANYWHERE.to_owned(), metric.to_owned(), small_percent(share)].into_iter().chain(blank));
        }
    }
    table
}

/// As [`percent`], with the digits that shares of a screen need.
fn small_percent(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| format!("{:.3}", v * 100.0))
}

/// Models under one another, conditions beside one another: one table per metric; none for a single condition.
fn conditions(report: &ClickReport) -> Vec<Table> {
    let conditions: Vec<&str> = report.chance.iter().filter_map(|c| c.condition.as_deref()).collect();
    let metrics = ["click", "visible"].into_iter().filter(|m| *m == "click" || report.chance[0].visible.is_some());
    let table = |metric: &str| {
        let title = format!("{metric} accuracy by condition, % (Wilson interval)");
        let columns = [&["model", "all"], conditions.as_slice()].concat();
        let mut table = Table::new(format!("conditions-{metric}"), title, &columns).first();
        let pick = |click: &Averages, visible: Option<&Averages>| {
            let averages = if metric == "click" { Some(click) } else { visible };
            let micro = averages.map(|a| a.micro);
            // No bootstrap interval: without a hit, or without a miss, it has no width.
            format!("{} ({})", percent(micro.and_then(|m| m.value)), interval(micro.and_then(|m| m.wilson)))
        };
        for model in &report.models {
            let rows = model.breakdowns.iter().find(|b| b.facet == "condition").map(|b| b.rows.as_slice()).unwrap_or_default();
            let cell = |name: &&str| {
                let row = rows.iter().find(|r| r.value == *name);
                row.map_or_else(|| "-".to_owned(), |r| pick(&r.click, r.visible.as_ref()))
            };
            let all = pick(&model.click, model.visible.as_ref());
            table.row([model.predictions.model.clone(), all].into_iter().chain(conditions.iter().map(cell)));
        }
        let shares = report.chance.iter().map(|c| small_percent(if metric == "click" { Some(c.click) } else { c.visible }));
        table.row(std::iter::once(ANYWHERE.to_owned()).chain(shares));
        table
    };
    if conditions.is_empty() { Vec::new() } else { metrics.map(table).collect() }
}

fn statuses(report: &ClickReport) -> Table {
    let names: Vec<&str> = report.models[0].statuses.keys().map(String::as_str).collect();
    let mut table = Table::new("statuses", "How targets were answered", &[&["model"], names.as_slice()].concat());
    for model in &report.models {
        table.row(std::iter::once(model.predictions.model.clone()).chain(model.statuses.values().map(u64::to_string)));
    }
    table
}

/// Extra targets of scenes, all models in one table; none without such targets.
fn further_targets(report: &ClickReport) -> Option<Table> {
    let n = report.dataset.further_targets;
    let title = format!("Additional targets ({n}, not promised by any condition; counted nowhere else)");
    let columns = ["model", "condition", "metric", "%", "Wilson", "bootstrap", "n", "no click"];
    let mut table = Table::new("further", title, &columns).first();
    for model in &report.models {
        let Some(further) = &model.further else { continue };
        let unanswered: u64 = further.statuses.iter().filter(|(name, _)| *name != "answered").map(|(_, count)| count).sum();
        let rows =
            further.conditions.iter().flat_map(|c| &c.rows).map(|r| (r.value.as_str(), &r.click, r.visible.as_ref(), None));
        for (condition, click, visible, none) in
            [("all", &further.click, further.visible.as_ref(), Some(unanswered))].into_iter().chain(rows)
        {
            let metrics = [("click", Some(click)), ("visible", visible)];
            for (metric, averages) in metrics.into_iter().filter_map(|(name, a)| Some((name, a?))) {
                let label = [&model.predictions.model, condition, metric].map(str::to_owned);
                let last = none.map_or_else(String::new, |n: u64| n.to_string());
                table.row(label.into_iter().chain(proportion_cells(&averages.micro)).chain([last]));
            }
        }
    }
    (n > 0).then_some(table)
}

fn breakdown_tables(model: &ClickModel, page: &mut Presentation) {
    let name = &model.predictions.model;
    for breakdown in &model.breakdowns {
        let columns =
            [breakdown.facet.as_str(), "click %", "Wilson", "bootstrap", "n", "macro %", "visible %", "visible bootstrap"];
        let title = format!("{name}: by {} (mean over rows {} %)", breakdown.facet, percent(breakdown.macro_click.value));
        let mut table = Table::new(format!("{name}-by-{}", breakdown.facet), title, &columns);
        for row in &breakdown.rows {
            let macro_click = percent(row.click.by_category.as_ref().and_then(|m| m.value));
            let visible = row.visible.as_ref().map(|v| v.micro);
            let tail = [macro_click, percent(visible.and_then(|v| v.value)), interval(visible.and_then(|v| v.bootstrap))];
            table.row(std::iter::once(row.value.clone()).chain(proportion_cells(&row.click.micro)).chain(tail));
        }
        page.tables.push(table);
    }
}

const FLIP_COLUMNS: [&str; 10] =
    ["pair", "n", "both", "only first", "only second", "neither", "difference %", "bootstrap", "p (McNemar)", "p (Holm)"];

fn flip_row(label: String, f: &Flips) -> Vec<String> {
    let counts = [f.n, f.both, f.only_a, f.only_b, f.neither].map(|n| n.to_string());
    let tests = [percent(f.difference), interval(f.difference_bootstrap), p_value(f.p), p_value(f.p_holm)];
    std::iter::once(label).chain(counts).chain(tests).collect()
}

fn paired_tables(model: &ClickModel, page: &mut Presentation) {
    let name = &model.predictions.model;
    for Paired { metric, sweep, common_targets, incomplete_targets, pairs, .. } in &model.paired {
        let sweep = sweep.as_deref().unwrap_or("conditions");
        let title = format!(
            "{name}: {sweep} paired by base scene, {metric} ({common_targets} targets in all conditions, {incomplete_targets} in some)"
        );
        let mut table = Table::new(format!("{name}-paired-{sweep}-{metric}"), title, &FLIP_COLUMNS);
        pairs.iter().for_each(|p| table.row(flip_row(format!("{} / {}", p.a, p.b), &p.flips)));
        page.tables.push(table);
    }
    for factors in &model.factors {
        let outcome = factors.not_fitted.as_ref().map_or(String::new(), |why| format!("; no fit: {why}"));
        let constant =
            if factors.constant.is_empty() { String::new() } else { format!("; constant: {}", factors.constant.join(", ")) };
        let title = format!(
            "{name}: odds of a {} hit by factor (n={}, {} left out{constant}{outcome})",
            factors.metric, factors.n, factors.left_out
        );
        let mut table =
            Table::new(format!("{name}-factors-{}", factors.metric), title, &["factor", "per", "odds ratio", "95 %", "p"]);
        for f in &factors.factors {
            let range = format!("{:.2} to {:.2}", f.interval[0], f.interval[1]);
            table.row([f.name.clone(), f.unit.clone(), format!("{:.2}", f.odds_ratio), range, p_value(f.p)]);
        }
        page.tables.push(table);
    }
}

/// Table 1 of the icon paper.
pub(super) fn within_table(name: &str, distances: &Distances) -> Table {
    let title = format!("{name}: clicks near the box (units of the image's sides)");
    let mut table = Table::new(format!("{name}-within"), title, &["distance", "%", "Wilson", "bootstrap", "n"]);
    distances
        .within
        .iter()
        .for_each(|w| table.row(std::iter::once(format!("{:.2}", w.distance)).chain(proportion_cells(&w.share))));
    table
}

fn other_tables(model: &ClickModel, page: &mut Presentation) {
    let name = &model.predictions.model;
    if let Some(refusals) = &model.refusals {
        let mut table =
            Table::new(format!("{name}-refusals"), format!("{name}: refusals"), &["", "%", "Wilson", "bootstrap", "n"]);
        table.row(std::iter::once("precision".to_owned()).chain(proportion_cells(&refusals.precision)));
        table.row(std::iter::once("recall".to_owned()).chain(proportion_cells(&refusals.recall)));
        page.tables.push(table);
    }
    let d = &model.distances;
    page.tables.push(within_table(name, d));
    let mut far = Table::new(
        format!("{name}-distances"),
        format!("{name}: distance of {} misses", d.misses),
        &["to", "mean", "25 %", "median", "75 %"],
    );
    let rows = [
        ("box, px", d.to_box_px),
        ("box, share of diagonal", d.to_box_diagonal),
        ("middle, px", d.to_centre_px),
        ("middle, share of diagonal", d.to_centre_diagonal),
    ];
    for (label, spread) in rows {
        if let Some(s) = spread {
            let digits = if label.ends_with("px") { 1 } else { 4 };
            far.row(std::iter::once(label.to_owned()).chain([s.mean, s.q25, s.median, s.q75].map(|v| format!("{v:.digits$}"))));
        }
    }
    page.tables.push(far);
    if let Some(classes) = &model.three_classes {
        let mut table = Table::new(
            format!("{name}-classes"),
            format!("{name}: correct, biased, other (tau 0.05)"),
            &["class", "%", "Wilson", "bootstrap", "n"],
        );
        classes.iter().for_each(|(class, p)| table.row(std::iter::once(class.clone()).chain(proportion_cells(p))));
        page.tables.push(table);
    }
    if let Some(hits) = &model.wrong_clicks {
        let mut table = Table::new(
            format!("{name}-hits"),
            format!("{name}: what clicks hit when they miss the visible target"),
            &["what", "clicks", "%"],
        );
        hits.iter()
            .filter(|h| h.count > 0)
            .for_each(|h| table.row([h.what.clone(), h.count.to_string(), percent(Some(h.share))]));
        page.tables.push(table);
    }
}
