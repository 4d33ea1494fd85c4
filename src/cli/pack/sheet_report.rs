//! `windesk pack sheet report`: what readers said, counted.

use std::path::PathBuf;

use clap::Args;

use windesk_authoring::sheet::{Agreement, Review, ReviewReport, competitor_report, composed_agreement, report, similar_by_rank};
use windesk_engine::pack::{Pack, open_place};

use super::Done;
use super::sheet_files::{Sort, all_or_none, open, read_files, sort_of};

/// Targets on the sheets of distractors unless told otherwise.
pub(super) const PAIRS_PER_RANK: usize = 50;

#[derive(Debug, Args)]
#[command(
    after_help = "Example: windesk pack sheet report --pack my-pack\n\nExit code 1 if there are open disagreements or changed captures."
)]
pub(in crate::cli) struct ReportArgs {
    /// The pack's folder.
    #[arg(long, value_name = "DIR")]
    pack: PathBuf,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    /// Instead, report the agreement on composed instructions, from answers to `check --composed`.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    composed: Vec<PathBuf>,
    /// Instead, report the share of similar pairs by rank, from answers to `distractors`.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "composed")]
    distractors: Vec<PathBuf>,
    /// Number of targets on those sheets.
    #[arg(long, value_name = "N", default_value_t = PAIRS_PER_RANK, requires = "distractors")]
    per_rank: usize,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Done> {
    if !args.distractors.is_empty() {
        return print_distractors(args);
    }
    let review = open(&args.pack)?;
    if !args.composed.is_empty() {
        return print_composed(&review, &read_files(&args.composed)?);
    }
    let report = report(&review);
    if args.json {
        data!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print_text(&report, review.pack.windows.len());
        print_competitors(&review);
    }
    let open = report.open_disagreements.len() + report.stale.len();
    Ok(if open == 0 { Done::Clean } else { Done::WithFindings })
}

fn share(agreement: Agreement) -> String {
    agreement.percent().map_or("none checked".to_owned(), |p| format!("{} of {} ({p:.1} %)", agreement.agreed, agreement.checked))
}

fn print_text(report: &ReviewReport, windows: usize) {
    data!("pairs: {}, with {} paraphrases; {} dropped", report.pairs, report.paraphrases, report.dropped);
    data!("agreement, first pass: {}", share(report.first_pass));
    data!("agreement, current text: {}", share(report.current));
    data!("agreement, paraphrases: {}", share(report.paraphrases_checked));
    let [none, one, more] = report.captures_by_pairs;
    data!("captures: {more} of {windows} with two pairs or more, {one} with one, {none} with none");
    for (what, counts) in
        [("style", &report.by_style), ("role", &report.by_role), ("size", &report.by_size), ("type", &report.by_ui_type)]
    {
        data!("by {what} (pairs; first pass):");
        for (name, (pairs, agreement)) in counts {
            data!("  {name:<12} {pairs:>5}  {}", share(*agreement));
        }
    }
    for (author, pairs) in &report.by_author {
        data!("written by a {author}: {pairs}");
    }
    for (title, lines) in [
        ("captures with fewer than two pairs", &report.captures_short),
        ("never asked for (too small, disabled, or behind a popup)", &report.never_asked),
        ("open disagreements", &report.open_disagreements),
        ("stale", &report.stale),
    ] {
        data!("{title}: {}", lines.len());
        for line in lines {
            data!("  {line}");
        }
    }
}

fn print_competitors(review: &Review) {
    let counts = competitor_report(&review.pack.competitors);
    if counts.pairs > 0 {
        data!("competitors: {} pairs, {} fit; {} readings", counts.pairs, counts.fitting, counts.readings);
        data!("  read again, all readers alike: {}", share(counts.again));
    }
}

fn print_composed(review: &Review, files: &[(String, Vec<u8>)]) -> anyhow::Result<Done> {
    let files: Vec<_> = files.iter().filter(|(_, bytes)| sort_of(bytes) == Sort::Answers).cloned().collect();
    let (all, by_role, disagreements, stale) = all_or_none(composed_agreement(review, &files))?;
    data!("composed instructions, agreement: {}", share(all));
    for (role, agreement) in by_role {
        data!("  {role:<12} {}", share(agreement));
    }
    for line in disagreements.iter().chain(&stale) {
        data!("{line}");
    }
    Ok(if disagreements.is_empty() && stale.is_empty() { Done::Clean } else { Done::WithFindings })
}

fn print_distractors(args: &ReportArgs) -> anyhow::Result<Done> {
    let pack = Pack::open(open_place(&args.pack)?)?.indexed()?;
    let mut files = read_files(&args.distractors)?;
    files.retain(|(_, bytes)| matches!(sort_of(bytes), Sort::Answers | Sort::Judged));
    let (ranks, stale) = all_or_none(similar_by_rank(&pack, args.per_rank, &files))?;
    data!("pairs called similar:");
    for (rank, judged) in (1..).zip(ranks) {
        data!("  rank {rank}: {}", judged.percent().map_or("none judged".to_owned(), |_| share(judged)));
    }
    for line in &stale {
        data!("{line}");
    }
    Ok(if stale.is_empty() { Done::Clean } else { Done::WithFindings })
}
