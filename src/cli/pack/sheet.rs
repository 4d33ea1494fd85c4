//! `windesk pack sheet ..`: instructions written by looking, and checked blind.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};

use super::{Done, write_whole};
use crate::pack::{
    Asked, Author, AuthorKind, PackError, Replace, Review, ReviewReport, SHEETS_MARKER, Selection, Shard, Sheets, StagedFolder,
    Wanted, check_sheets, composed_agreement, open_place, report, take_answers, take_written, write_sheets,
};

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum SheetCommand {
    /// Writes pictures with numbered candidates, and files to fill in with instructions.
    Write(WriteArgs),
    /// Writes blind sheets: the words without their targets, and pictures with all plausible targets numbered.
    Check(CheckArgs),
    /// Reads filled files and answers into the pack.
    Take(TakeArgs),
    /// Says how far writers and blind readers agree, and what is left to do.
    Report(ReportArgs),
}

/// Which pack, and which of its windows.
#[derive(Debug, Args)]
struct ChoiceArgs {
    /// The pack's folder.
    #[arg(long, value_name = "DIR")]
    pack: PathBuf,
    /// Only these windows (`thunar/home`) or programs (`thunar`), comma-separated.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    windows: Vec<String>,
    /// Part i of n: whole programs, about as many windows in each.
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Folder to write; earlier sheets there are replaced.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: windesk pack sheet write --pack my-pack --out sheets\n\nSHEETS.txt in the folder says how to fill them in."
)]
pub(in crate::cli) struct WriteArgs {
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Most candidates per window, besides those that have an instruction already.
    #[arg(long, value_name = "N", default_value_t = 14)]
    per_window: usize,
    /// Instead of new ones, the instructions that a blind reader took for something else.
    #[arg(long, conflicts_with = "per_window")]
    disagreed: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: windesk pack sheet check --pack my-pack --out blind\n\nSHEETS.txt in the folder says how to answer."
)]
pub(in crate::cli) struct CheckArgs {
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Ask again what was checked before.
    #[arg(long)]
    again: bool,
    /// Ask the paraphrases as well.
    #[arg(long)]
    paraphrases: bool,
    /// Instead, ask N of the instructions composed from accessibility data.
    #[arg(long, value_name = "N", conflicts_with_all = ["again", "paraphrases"])]
    composed: Option<usize>,
}

/// Kinds of authors and readers.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    Person,
    Model,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: windesk pack sheet take --pack my-pack --by person --date 2026-11-21 sheets/*.json\n\n\
Nothing is taken if anything is wrong. Sheets of captures that have changed since are reported and left out (exit 1).\n\
Run `windesk pack embed` on the pack afterwards, once all have been taken.")]
pub(in crate::cli) struct TakeArgs {
    /// The pack's folder; its instructions are written.
    #[arg(long, value_name = "DIR")]
    pack: PathBuf,
    /// Who filled them in.
    #[arg(long, value_name = "KIND")]
    by: By,
    /// The day, YYYY-MM-DD.
    #[arg(long, value_name = "DATE")]
    date: String,
    /// Filled write sheets, files of answers, or folders of them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: windesk pack sheet report --pack my-pack\n\nExit code 1 if a disagreement is open or a capture has changed."
)]
pub(in crate::cli) struct ReportArgs {
    /// The pack's folder.
    #[arg(long, value_name = "DIR")]
    pack: PathBuf,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    /// Instead, answers to sheets of `check --composed`: the agreement on composed instructions.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    composed: Vec<PathBuf>,
}

pub(super) fn run(command: SheetCommand) -> anyhow::Result<Done> {
    match command {
        SheetCommand::Write(args) => write(&args),
        SheetCommand::Check(args) => check(&args),
        SheetCommand::Take(args) => take(&args),
        SheetCommand::Report(args) => print_report(&args),
    }
}

fn open(dir: &Path) -> anyhow::Result<Review> {
    anyhow::ensure!(dir.is_dir(), "{}: no such folder, expected the folder of a pack", dir.display());
    Ok(Review::open(open_place(dir)?)?)
}

fn write(args: &WriteArgs) -> anyhow::Result<Done> {
    let wanted = if args.disagreed { Wanted::Disagreed } else { Wanted::New(args.per_window) };
    sheets(&args.choice, "candidates", |review, windows, folder| write_sheets(review, windows, wanted, folder))
}

fn check(args: &CheckArgs) -> anyhow::Result<Done> {
    let paraphrases = args.paraphrases;
    let asked = match args.composed {
        Some(count) => Asked::Composed(count),
        None if args.again => Asked::All { paraphrases },
        None => Asked::Unchecked { paraphrases },
    };
    sheets(&args.choice, "questions", |review, windows, folder| check_sheets(review, windows, asked, folder))
}

fn sheets(
    choice: &ChoiceArgs,
    items: &str,
    make: impl FnOnce(&Review, &[usize], &StagedFolder) -> Result<Sheets, PackError>,
) -> anyhow::Result<Done> {
    let review = open(&choice.pack)?;
    let windows = Selection { windows: choice.windows.clone(), shard: choice.shard }.resolve(&review)?;
    let folder = StagedFolder::new(&choice.out, Replace::HoldingFile(SHEETS_MARKER))?;
    let sheets = make(&review, &windows, &folder)?;
    folder.commit()?;
    println!("{}", choice.out.display());
    eprintln!("{} windows with {} {items}, of {} chosen", sheets.windows, sheets.items, windows.len());
    Ok(Done::Clean)
}

/// The files named, and those of folders named; sheets with questions stand beside answers and are left out.
fn read_files(paths: &[PathBuf]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).with_context(|| path.display().to_string())?;
            let mut inside = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
            inside.retain(|p| p.extension().is_some_and(|e| e == "json"));
            inside.sort();
            all.extend(inside);
        } else {
            all.push(path.clone());
        }
    }
    all.iter()
        .map(|path| {
            let bytes = std::fs::read(path).with_context(|| format!("{}: expected a readable file", path.display()))?;
            Ok((path.display().to_string(), bytes))
        })
        .collect()
}

/// What a JSON file of a review is.
#[derive(PartialEq, Eq)]
enum Sort {
    Written,
    Questions,
    Answers,
}

fn sort_of(bytes: &[u8]) -> Sort {
    let value: Option<serde_json::Value> = serde_json::from_slice(bytes).ok();
    match value.as_ref().and_then(|v| v.get("sheet")).and_then(serde_json::Value::as_str) {
        Some("write") => Sort::Written,
        Some("check") => Sort::Questions,
        _ => Sort::Answers,
    }
}

fn take(args: &TakeArgs) -> anyhow::Result<Done> {
    let kind = match args.by {
        By::Person => AuthorKind::Person,
        By::Model => AuthorKind::Model,
    };
    let author = Author::new(kind, &args.date)?;
    let mut review = open(&args.pack)?;
    let (mut written, mut answers) = (Vec::new(), Vec::new());
    for file in read_files(&args.files)? {
        match sort_of(&file.1) {
            Sort::Written => written.push(file),
            Sort::Answers => answers.push(file),
            Sort::Questions => {}
        }
    }
    let before = review.instruction_files();
    let from_sheets = all_or_none(take_written(&mut review, &written, &author))?;
    let from_answers = all_or_none(take_answers(&mut review, &answers, &author))?;
    for (name, bytes) in review.instruction_files() {
        if before.get(&name) != Some(&bytes) {
            write_whole(&args.pack.join(&name), |out| Ok(out.write_all(&bytes)?))?;
        }
    }
    let stale: Vec<&String> = from_sheets.stale.iter().chain(&from_answers.stale).collect();
    for line in &stale {
        println!("{line}");
    }
    eprintln!(
        "{} new instructions, {} changed, {} dropped; {} checks; {} stale",
        from_sheets.new,
        from_sheets.changed,
        from_sheets.dropped,
        from_answers.checks,
        stale.len()
    );
    Ok(if stale.is_empty() { Done::Clean } else { Done::WithFindings })
}

/// Prints all errors but the last, which the caller reports.
fn all_or_none<T>(result: Result<T, Vec<PackError>>) -> anyhow::Result<T> {
    result.map_err(|mut errors| {
        let last = errors.pop().expect("at least one error");
        for error in &errors {
            eprintln!("error: {error}");
        }
        let count = errors.len() + 1;
        if count > 1 {
            anyhow::Error::from(last).context(format!("{count} errors, nothing taken; the last"))
        } else {
            last.into()
        }
    })
}

fn print_report(args: &ReportArgs) -> anyhow::Result<Done> {
    let review = open(&args.pack)?;
    if !args.composed.is_empty() {
        return print_composed(&review, &read_files(&args.composed)?);
    }
    let report = report(&review);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print_text(&report, review.pack.windows.len());
    }
    let open = report.open_disagreements.len() + report.stale.len();
    Ok(if open == 0 { Done::Clean } else { Done::WithFindings })
}

fn share(agreement: crate::pack::Agreement) -> String {
    agreement.percent().map_or("none checked".to_owned(), |p| format!("{} of {} ({p:.1} %)", agreement.agreed, agreement.checked))
}

fn print_text(report: &ReviewReport, windows: usize) {
    println!("pairs: {}, with {} paraphrases; {} dropped", report.pairs, report.paraphrases, report.dropped);
    println!("agreement, first pass: {}", share(report.first_pass));
    println!("agreement, words as they are now: {}", share(report.current));
    println!("agreement, paraphrases: {}", share(report.paraphrases_checked));
    let [none, one, more] = report.captures_by_pairs;
    println!("captures: {more} of {windows} with two pairs or more, {one} with one, {none} with none");
    for (what, counts) in
        [("style", &report.by_style), ("role", &report.by_role), ("size", &report.by_size), ("type", &report.by_ui_type)]
    {
        println!("by {what} (pairs; first pass):");
        for (name, (pairs, agreement)) in counts {
            println!("  {name:<12} {pairs:>5}  {}", share(*agreement));
        }
    }
    for (author, pairs) in &report.by_author {
        println!("written by a {author}: {pairs}");
    }
    for (title, lines) in [
        ("captures with fewer than two pairs", &report.captures_short),
        ("never asked for (too small, disabled, or behind a popup)", &report.never_asked),
        ("open disagreements", &report.open_disagreements),
        ("stale", &report.stale),
    ] {
        println!("{title}: {}", lines.len());
        for line in lines {
            println!("  {line}");
        }
    }
}

fn print_composed(review: &Review, files: &[(String, Vec<u8>)]) -> anyhow::Result<Done> {
    let files: Vec<_> = files.iter().filter(|(_, bytes)| sort_of(bytes) == Sort::Answers).cloned().collect();
    let (all, by_role, disagreements, stale) = all_or_none(composed_agreement(review, &files))?;
    println!("composed instructions, agreement: {}", share(all));
    for (role, agreement) in by_role {
        println!("  {role:<12} {}", share(agreement));
    }
    for line in disagreements.iter().chain(&stale) {
        println!("{line}");
    }
    Ok(if disagreements.is_empty() && stale.is_empty() { Done::Clean } else { Done::WithFindings })
}
