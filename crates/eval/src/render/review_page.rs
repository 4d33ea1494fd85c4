//! The report of a review as tables and figures.

use windesk_model::plural::counted;

use super::charts::{Row, rows};
use super::click_page::facts;
use super::{Presentation, Table, interval, percent, proportion_cells};
use crate::review::{Approval, Clicks, Question, ReviewGroup, ReviewReport};
use crate::stats::Proportion;

/// The review for people.
pub fn present_review(report: &ReviewReport) -> Presentation {
    let mut page = Presentation {
        title: format!("Review: {}", report.dataset.name),
        facts: facts(&report.facts, &report.dataset),
        ..Presentation::default()
    };
    let all = &report.groups[0];
    page.facts.push((
        "review".to_owned(),
        format!(
            "{}, {}, {} of them rated by all",
            counted(report.raters.len(), "rater"),
            counted(all.samples, "sample"),
            report.complete
        ),
    ));
    page.tables.extend(approval_table(report));
    page.tables.extend(click_table(report));
    page.tables.extend(agreement_table(all));
    let mut raters = Table::new("raters", "Raters", &["rater", "asked to", "rated", "median s per sample", "comments"]);
    for r in &report.raters {
        let task = format!("{:?}", r.task).to_lowercase();
        let seconds = r.seconds.map_or_else(|| "-".to_owned(), |s| format!("{:.1}", s.median));
        raters.row([r.rater.clone(), task, r.rated.to_string(), seconds, r.comments.to_string()]);
    }
    page.tables.push(raters);
    figures(report, &mut page);
    page
}

fn name(group: &ReviewGroup) -> String {
    group.condition.clone().unwrap_or_else(|| "all".to_owned())
}

fn share(p: &Proportion) -> String {
    format!("{} ({})", percent(p.value), interval(p.bootstrap))
}

/// Table 4 of the WinDeskGround paper, with intervals.
fn approval_table(report: &ReviewReport) -> Option<Table> {
    let columns =
        ["level", "samples", "instruction valid %", "box precise %", "clickable %", "several targets %", "Fleiss' kappa"];
    let mut table = Table::new("approval", "Share of yes among all answers (bootstrap interval by sample)", &columns).first();
    for group in &report.groups {
        let of = |q: Question| {
            group.questions.iter().find(|a| a.question == q.name()).map_or_else(|| "-".to_owned(), |a| share(&a.yes))
        };
        let cells = [name(group), group.samples.to_string()].into_iter().chain(Question::ALL.map(of));
        table.row(cells.chain([kappa(group.fleiss_kappa)]));
    }
    (!report.groups[0].questions.is_empty()).then_some(table)
}

fn kappa(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| format!("{v:.3}"))
}

fn click_table(report: &ReviewReport) -> Option<Table> {
    let columns = ["level", "clicks", "inside %", "on a visible pixel %", "not found %", "majority inside %"];
    let mut table = Table::new("clicks", "Blind clicks (bootstrap interval by sample; for majorities Wilson)", &columns).first();
    for group in &report.groups {
        if let Some(Clicks { inside, visible, not_found, majority_inside }) = &group.clicks {
            let seen = visible.as_ref().map_or_else(|| "-".to_owned(), share);
            let majority = format!("{} ({})", percent(majority_inside.value), interval(majority_inside.wilson));
            table.row([name(group), inside.n.to_string(), share(inside), seen, share(not_found), majority]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

fn agreement_table(all: &ReviewGroup) -> Option<Table> {
    let columns = [
        "question",
        "yes %",
        "Wilson",
        "bootstrap",
        "answers",
        "majority yes %",
        "unanimous %",
        "Fleiss' kappa",
        "bootstrap of kappa",
    ];
    let mut table = Table::new("agreement", "Answers and agreement over all samples", &columns);
    for a in &all.questions {
        let Approval { question, yes, majority_yes, unanimous, fleiss_kappa, fleiss_kappa_bootstrap } = a;
        let range = fleiss_kappa_bootstrap.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.3} to {high:.3}"));
        let tail = [percent(majority_yes.value), percent(unanimous.value), kappa(*fleiss_kappa), range];
        table.row(std::iter::once(question.clone()).chain(proportion_cells(yes)).chain(tail));
    }
    (!table.rows.is_empty()).then_some(table)
}

fn figures(report: &ReviewReport, page: &mut Presentation) {
    let value = |p: &Proportion| p.value.map(|v| (v, p.bootstrap));
    let series: Vec<String> = report.groups[0].questions.iter().map(|a| a.question.replace('_', " ")).collect();
    let groups: Vec<Row> = report
        .groups
        .iter()
        .map(|g| Row {
            label: name(g),
            n: g.samples,
            values: report.groups[0]
                .questions
                .iter()
                .map(|q| g.questions.iter().find(|a| a.question == q.question).and_then(|a| value(&a.yes)))
                .collect(),
        })
        .collect();
    if !series.is_empty() {
        page.figures.push(rows("approval", "Share of yes by level", &series, &groups));
    }
    let clicked: Vec<Row> = report
        .groups
        .iter()
        .filter_map(|g| g.clicks.as_ref().map(|c| Row { label: name(g), n: c.inside.n, values: vec![value(&c.inside)] }))
        .collect();
    if !clicked.is_empty() {
        page.figures.push(rows("clicks", "Blind clicks inside the target's box by level", &["inside".to_owned()], &clicked));
    }
}
