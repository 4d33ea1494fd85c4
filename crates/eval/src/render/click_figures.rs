//! The click report as figures: all models in each, but for the maps.

use std::collections::BTreeMap;

use super::Presentation;
use super::charts::{Row, Series, Share, Value, curves, heat_map, rows, shares};
use crate::click::{Averages, BreakdownRow, ClickModel, ClickReport, Hit, Paired};
use crate::stats::Proportion;

/// Most groups that a figure shows; the tables show all.
const SHOWN: usize = 16;

/// The figures, most important first.
pub(super) fn figures(report: &ClickReport, page: &mut Presentation) {
    let names: Vec<String> = report.models.iter().map(|m| m.predictions.model.clone()).collect();
    page.figures.push(overview(report));
    curves_over_conditions(report, page);
    page.figures.extend(what_clicks_hit(report, &names));
    for (facet, label) in [
        ("category", "category"),
        ("role", "role"),
        ("target_size", "size of the target"),
        ("visible_ratio", "visible ratio"),
        ("ui_type", "kind of target"),
    ] {
        page.figures.extend(breakdown(report, &names, facet, label));
    }
    page.figures.push(size_curves(report));
    for model in &report.models {
        let name = &model.predictions.model;
        let map = &model.places;
        let cells: Vec<Option<(f64, u64)>> =
            map.n.iter().zip(&map.hits).map(|(&n, &hits)| (n > 0).then(|| (hits as f64 / n as f64, n))).collect();
        let title = format!("{name}: where on the screen targets are hit");
        page.figures.push(heat_map(&format!("{name}-places"), &title, map.columns as usize, &cells));
    }
}

fn wilson(p: &Proportion) -> Value {
    p.value.map(|v| (v, p.wilson))
}

fn of_averages(averages: Option<&Averages>) -> Value {
    averages.and_then(|a| a.micro.value.map(|v| (v, a.micro.bootstrap)))
}

fn overview(report: &ClickReport) -> super::Figure {
    let masks = report.models.iter().any(|m| m.visible.is_some());
    let series: Vec<String> = [Some("click: in the box"), masks.then_some("visible: on a visible pixel")]
        .into_iter()
        .flatten()
        .map(str::to_owned)
        .collect();
    let groups: Vec<Row> = report
        .models
        .iter()
        .map(|m| {
            let values = [Some(of_averages(Some(&m.click))), masks.then(|| of_averages(m.visible.as_ref()))];
            Row { label: m.predictions.model.clone(), n: m.click.micro.n, values: values.into_iter().flatten().collect() }
        })
        .collect();
    rows("accuracy", "Accuracy over all samples (bootstrap intervals)", &series, &groups)
}

/// One figure per sweep and metric, with a curve per model.
fn curves_over_conditions(report: &ClickReport, page: &mut Presentation) {
    let Some(first) = report.models.first() else { return };
    for (at, Paired { metric, sweep, curve, .. }) in first.paired.iter().enumerate() {
        let ticks: Vec<String> = curve.iter().map(|c| c.condition.clone()).collect();
        // All models answer the same dataset, so that their tables stand in one order.
        let of_model = |model: &ClickModel| {
            let values =
                model.paired.get(at)?.curve.iter().map(|c| c.accuracy.value.map(|v| (v, c.accuracy.bootstrap))).collect();
            Some(Series { name: model.predictions.model.clone(), values })
        };
        let series: Vec<Series> = report.models.iter().filter_map(of_model).collect();
        let what = if metric == "click" { "Click" } else { "Visible" };
        let (of_sweep, name) = match sweep.as_deref() {
            Some(sweep) => (format!(" ({sweep})"), format!("conditions-{sweep}-{metric}")),
            None => (String::new(), format!("conditions-{metric}")),
        };
        let title = format!("{what} accuracy by condition{of_sweep}, over targets common to all its conditions");
        page.figures.push(curves(&name, &title, &ticks, &series));
    }
}

/// A fill per kind of hit: the target's own window in greens and blues, other windows in reds, the desktop in greys.
fn colour_of(hit: Hit) -> &'static str {
    match hit {
        Hit::Target => "#1a7f4b",
        Hit::NestedControl => "#7bc8a4",
        Hit::TargetWindowElement => "#0072b2",
        Hit::TargetWindow => "#8fc4e8",
        Hit::Distractor => "#e69f00",
        Hit::Occluder => "#b3361c",
        Hit::OtherWindow => "#e8937c",
        Hit::ProbeIcon => "#cc79a7",
        Hit::DesktopIcon => "#8a6fb0",
        Hit::Taskbar => "#5b6570",
        Hit::Wallpaper => "#aab2bb",
    }
}

/// What lies under all answers; `None` where the dataset knows no elements.
fn what_clicks_hit(report: &ClickReport, names: &[String]) -> Option<super::Figure> {
    let kinds = [
        Hit::Target,
        Hit::NestedControl,
        Hit::TargetWindowElement,
        Hit::TargetWindow,
        Hit::Distractor,
        Hit::Occluder,
        Hit::OtherWindow,
    ]
    .into_iter()
    .chain([Hit::ProbeIcon, Hit::DesktopIcon, Hit::Taskbar, Hit::Wallpaper]);
    let tables: Option<Vec<(f64, BTreeMap<&str, u64>)>> = report
        .models
        .iter()
        .map(|m| {
            let wrong = m.wrong_clicks.as_ref()?;
            let mut counts: BTreeMap<&str, u64> = wrong.iter().map(|h| (h.what.as_str(), h.count)).collect();
            counts.insert(Hit::Target.name(), m.visible.as_ref()?.micro.hits);
            Some((m.click.micro.n as f64, counts))
        })
        .collect();
    let tables = tables?;
    let share =
        |what: &str| tables.iter().map(|(n, counts)| counts.get(what).copied().unwrap_or(0) as f64 / n.max(1.0)).collect();
    let mut parts: Vec<Share> = kinds
        .map(|hit| Share { name: hit.name().replace('_', " "), colour: colour_of(hit), values: share(hit.name()) })
        .collect();
    let clicked: Vec<f64> = (0..tables.len()).map(|at| parts.iter().map(|p| p.values[at]).sum()).collect();
    parts.push(Share {
        name: "no click".to_owned(),
        colour: "#e7e9ec",
        values: clicked.iter().map(|c| (1.0 - c).max(0.0)).collect(),
    });
    Some(shares("hits", "What is under the clicks, % of all samples", names, &parts))
}

fn breakdown(report: &ClickReport, names: &[String], facet: &str, label: &str) -> Option<super::Figure> {
    let tables: Option<Vec<&[BreakdownRow]>> =
        report.models.iter().map(|m| Some(m.breakdowns.iter().find(|b| b.facet == facet)?.rows.as_slice())).collect();
    let tables = tables?;
    let first = *tables.first()?;
    // Rows are the same for all models: they are samples of the dataset.
    let mut largest: Vec<usize> = (0..first.len()).collect();
    largest.sort_by_key(|&at| std::cmp::Reverse(first[at].click.micro.n));
    largest.truncate(SHOWN);
    largest.sort_unstable();
    let groups: Vec<Row> = largest
        .iter()
        .map(|&at| Row {
            label: first[at].value.clone(),
            n: first[at].click.micro.n,
            values: tables.iter().map(|rows| wilson(&rows[at].click.micro)).collect(),
        })
        .collect();
    let part = if first.len() > SHOWN { format!(", the {SHOWN} largest of {} groups", first.len()) } else { String::new() };
    (first.len() > 1)
        .then(|| rows(&format!("by-{facet}"), &format!("Click accuracy by {label}{part} (Wilson intervals)"), names, &groups))
}

fn size_curves(report: &ClickReport) -> super::Figure {
    let bins = report.models.first().map(|m| m.size_bins.as_slice()).unwrap_or_default();
    let ticks: Vec<String> = bins.iter().map(|b| format!("{}-{} px", b.side_from_px, b.side_to_px)).collect();
    let series: Vec<Series> = report
        .models
        .iter()
        .map(|m| Series { name: m.predictions.model.clone(), values: m.size_bins.iter().map(|b| wilson(&b.click)).collect() })
        .collect();
    curves("sizes", "Click accuracy by size of the target (square root of its area)", &ticks, &series)
}
