//! `windesk pack sheet ..`: instructions written by looking, and checked blind.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use windesk_authoring::sheet::{
    Asked, Author, Review, SHEETS_MARKER, Selection, Shard, Sheets, Wanted, check_sheets, distractor_sheets, take_answers,
    take_written, write_sheets,
};
use windesk_engine::pack::{Pack, open_place};
use windesk_files::{Replace, StagedFolder, write_whole};
use windesk_model::Error;
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::AuthorKind;
use windesk_model::plural::counted;

use super::Done;
use super::sheet_files::{Sort, all_or_none, open, read_files, sort_of};
use super::sheet_report::{self, PAIRS_PER_RANK, ReportArgs};

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum SheetCommand {
    /// Write images with numbered candidates, and files to fill in with instructions.
    Write(WriteArgs),
    /// Write blind sheets: instructions without their targets, and images with all plausible targets numbered.
    Check(CheckArgs),
    /// Read filled-in sheets and answers into the pack.
    Take(TakeArgs),
    /// Write pages of targets beside their similar elements, to judge how similar each rank is.
    Distractors(DistractorsArgs),
    /// Report how well writers and blind readers agree, and what is left to do.
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
    /// Part i of n, counted from 1: whole programs, with about equally many windows per part.
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Folder to write; replaces earlier sheets.
    #[arg(long, short, value_name = "DIR", value_parser = crate::cli::folder())]
    out: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: windesk pack sheet write --pack my-pack --out sheets\n\nSHEETS.txt in the folder says how to fill them in."
)]
pub(in crate::cli) struct WriteArgs {
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Maximum number of new candidates per window.
    #[arg(long, value_name = "N", default_value_t = 14)]
    per_window: usize,
    /// Instead of new candidates, write the instructions that a blind reader misread.
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
    /// Also ask what has already been checked.
    #[arg(long)]
    again: bool,
    /// Also ask the paraphrases.
    #[arg(long)]
    paraphrases: bool,
    /// Instead, ask N instructions composed from accessibility data.
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
If there is any error, nothing is taken. Sheets of captures that have changed are reported and left out (exit code 1).\n\
When all sheets have been taken, run `windesk pack embed` on the pack.")]
pub(in crate::cli) struct TakeArgs {
    /// Folder of the pack, in which instructions are written.
    #[arg(long, value_name = "DIR")]
    pack: PathBuf,
    /// Who filled them in.
    #[arg(long, value_name = "KIND")]
    by: By,
    /// Date, YYYY-MM-DD.
    #[arg(long, value_name = "DATE")]
    date: String,
    /// Filled-in write sheets, answer files, or folders of them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: windesk pack sheet distractors --pack my-pack --out pairs\n\nSHEETS.txt in the folder says how to judge them."
)]
pub(in crate::cli) struct DistractorsArgs {
    /// Folder of the pack, which must have an index.
    #[arg(long, value_name = "DIR")]
    pack: PathBuf,
    /// Number of targets, each shown with its similar elements of ranks 1 to 5.
    #[arg(long, value_name = "N", default_value_t = PAIRS_PER_RANK)]
    per_rank: usize,
    /// Folder to write; replaces earlier sheets.
    #[arg(long, short, value_name = "DIR", value_parser = crate::cli::folder())]
    out: PathBuf,
}

pub(super) fn run(command: SheetCommand) -> anyhow::Result<Done> {
    match command {
        SheetCommand::Write(args) => write(&args),
        SheetCommand::Check(args) => check(&args),
        SheetCommand::Take(args) => take(&args),
        SheetCommand::Distractors(args) => distractors(&args),
        SheetCommand::Report(args) => sheet_report::run(&args),
    }
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
    make: impl FnOnce(&Review, &[WindowIndex], &StagedFolder) -> Result<Sheets, Error>,
) -> anyhow::Result<Done> {
    let review = open(&choice.pack)?;
    let windows = Selection { windows: choice.windows.clone(), shard: choice.shard }.resolve(&review)?;
    let folder = StagedFolder::new(&choice.out, Replace::HoldingFile(SHEETS_MARKER))?;
    let sheets = make(&review, &windows, &folder)?;
    folder.commit()?;
    data!("{}", choice.out.display());
    tell!("{} with {} {items}, of {} chosen", counted(sheets.windows, "window"), sheets.items, windows.len());
    Ok(Done::Clean)
}

fn distractors(args: &DistractorsArgs) -> anyhow::Result<Done> {
    let pack = Pack::open(open_place(&args.pack)?)?.indexed()?;
    let folder = StagedFolder::new(&args.out, Replace::HoldingFile(SHEETS_MARKER))?;
    let pairs = distractor_sheets(&pack, args.per_rank, &folder)?;
    folder.commit()?;
    data!("{}", args.out.display());
    tell!("{}", counted(pairs, "pair"));
    Ok(Done::Clean)
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
            write_whole(&args.pack.join(&name), &bytes)?;
        }
    }
    let stale: Vec<&String> = from_sheets.stale.iter().chain(&from_answers.stale).collect();
    for line in &stale {
        data!("{line}");
    }
    tell!(
        "{} new instructions, {} changed, {} dropped; {} checks; {} stale",
        from_sheets.new,
        from_sheets.changed,
        from_sheets.dropped,
        from_answers.checks,
        stale.len()
    );
    Ok(if stale.is_empty() { Done::Clean } else { Done::WithFindings })
}
