//! `windesk review`: pages for human raters, and what their ratings come to.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use windesk::shipped;
use windesk_eval::ReportFacts;
use windesk_eval::render::present_review;
use windesk_eval::review::{Kit, read_ratings, review_report, write_kit};
use windesk_eval::stats::Bootstrap;
use windesk_eval::truth::{Dataset, OpenOptions, open};
use windesk_model::plural::counted;

use super::eval::{ReportFormat, tell_dragged, write_report};
use super::outputs::{Output, check_outputs};
use super::parse::image_size;
use super::{Done, choices};

/// Flags of `windesk review`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk review levels --n 100 --raters 3      # writes levels-review/rater-1.html and so on, for any browser
  windesk review levels ratings-*.json          # approval per level, hits, Fleiss' kappa

docs/evaluation.md describes the pages, the ratings and the report.")]
pub(super) struct ReviewArgs {
    /// Dataset folder, scenes (.jsonl), or a test set (.json).
    dataset: PathBuf,
    /// Ratings saved by the pages; if there are none, write the pages.
    ratings: Vec<PathBuf>,
    /// Number of samples to review, spread evenly over the conditions.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    n: u64,
    /// Number of raters; each gets a page with its own order of samples.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    raters: u32,
    /// What raters do.
    #[arg(long, value_enum, default_value = "both")]
    task: choices::Task,
    /// Seed for the choice and order of samples, and for bootstrap intervals.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Folder for the pages [default: <dataset>-review], or file for the report [default: standard output].
    #[arg(long, value_name = "PLACE")]
    out: Option<PathBuf>,
    /// Format of the report.
    #[arg(long, value_enum, default_value = "md")]
    report: ReportFormat,
    /// Also write tables as .csv, .tex and .md and figures as .svg and .png into this folder.
    #[arg(long, value_name = "DIR", value_parser = super::folder())]
    export: Option<PathBuf>,
    /// Number of bootstrap resamples.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    resamples: u32,
    /// Layout of a .json test set [default: by its field names].
    #[arg(long, value_enum)]
    box_format: Option<choices::BoxFormat>,
    /// Size of all images of a test set, if neither its records nor its images give it.
    #[arg(long, value_name = "WxH", value_parser = image_size)]
    image_size: Option<[u32; 2]>,
}

/// Runs `windesk review`. Samples that some rater left out are findings.
pub(super) fn run(args: ReviewArgs) -> anyhow::Result<Done> {
    let named = [("--out", args.out.as_deref()), ("--export", args.export.as_deref())];
    let outputs: Vec<Output> = named.into_iter().filter_map(|(option, path)| Some(Output { option, path: path? })).collect();
    check_outputs(&outputs, &std::iter::once(&args.dataset).chain(&args.ratings).collect::<Vec<_>>())?;
    let dataset = open(
        &args.dataset,
        &OpenOptions {
            box_format: args.box_format.map(Into::into),
            image_size: args.image_size,
            ships: Some(shipped::ships),
            ..OpenOptions::default()
        },
    )?;
    tell_dragged(&dataset);
    if args.ratings.is_empty() { pages(&args, &dataset) } else { agreement(&args, &dataset) }
}

fn pages(args: &ReviewArgs, dataset: &Dataset) -> anyhow::Result<Done> {
    let out = match &args.out {
        Some(out) => out.clone(),
        None => {
            let place = args.dataset.canonicalize().with_context(|| args.dataset.display().to_string())?;
            let mut name = place.file_stem().unwrap_or_default().to_os_string();
            name.push("-review");
            args.dataset.parent().unwrap_or(std::path::Path::new("")).join(name)
        }
    };
    let kit = Kit { n: usize::try_from(args.n)?, raters: args.raters, task: args.task.into(), seed: args.seed };
    let written = write_kit(dataset, kit, &out)?;
    (1..=args.raters).for_each(|rater| data!("{}", out.join(format!("rater-{rater}.html")).display()));
    tell!(
        "{} for {}; when they are done: windesk review {} ratings-*.json",
        counted(written, "sample"),
        counted(args.raters, "rater"),
        args.dataset.display()
    );
    Ok(Done::Clean)
}

fn agreement(args: &ReviewArgs, dataset: &Dataset) -> anyhow::Result<Done> {
    let bootstrap = Bootstrap { resamples: args.resamples, seed: args.seed };
    let ratings = read_ratings(dataset, &args.ratings)?;
    let facts = ReportFacts::new("review", vec!["hit_test=closed".to_owned()], bootstrap);
    let report = review_report(dataset, facts, &ratings, bootstrap);
    write_report(args.report, args.out.as_deref(), args.export.as_deref(), &report, &present_review(&report), "")?;
    let open = report.groups[0].samples - report.complete;
    if open > 0 {
        tell!("warning: not rated by all raters: {}", counted(open, "sample"));
    }
    Ok(if open == 0 { Done::Clean } else { Done::WithFindings })
}
