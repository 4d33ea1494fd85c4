//! `windesk pack sheet ..`: instructions written by looking, and checked blind.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use windesk_authoring::sheet::{
    Asked, Author, CompetitorChoice, MIN_COSINE, Review, SHEETS_MARKER, Selection, Shard, Sheets, Wanted, check_sheets,
    competitor_sheets, distractor_sheets, state_sheets, take_answers, take_competitors, take_written, write_sheets,
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
    /// Write pages of words beside elements of other programs that they may mean too, to judge whether they do.
    Competitors(CompetitorsArgs),
    /// Write pages of elements, with the focus and without it, whose instructions tell of colours or states.
    States(StatesArgs),
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

#[derive(Debug, Args)]
#[command(after_help = "Example: windesk pack sheet states --pack my-pack --out states")]
pub(in crate::cli) struct StatesArgs {
    #[command(flatten)]
    choice: ChoiceArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: windesk pack sheet competitors --pack my-pack --out pairs --shard 1/4\n\nSHEETS.txt in the folder says how to judge them."
)]
pub(in crate::cli) struct CompetitorsArgs {
    /// Folder of the pack, which must have an index.
    #[arg(long, value_name = "DIR")]
    pack: PathBuf,
    /// Cosine of the two texts: at least FROM and less than BELOW.
    #[arg(long, value_name = "FROM..BELOW", default_value = "0.7..1.01", value_parser = cosines)]
    cosine: [f64; 2],
    /// Leave out words with more than N competitors of cosine 0.7 or more: they are asked in context.
    #[arg(long, value_name = "N", default_value_t = 3)]
    at_most: usize,
    /// At most N pairs, chosen as if by lot.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Ask pairs that have been judged before, instead of those that have not.
    #[arg(long)]
    again: bool,
    /// Part i of n, counted from 1.
    #[arg(long, value_name = "i/n")]
    shard: Option<Shard>,
    /// Folder to write; replaces earlier sheets.
    #[arg(long, short, value_name = "DIR", value_parser = crate::cli::folder())]
    out: PathBuf,
}

fn cosines(text: &str) -> Result<[f64; 2], String> {
    let ends = text.split_once("..").and_then(|(from, below)| Some([from.parse().ok()?, below.parse().ok()?]));
    let fits = |[from, below]: &[f64; 2]| MIN_COSINE <= *from && from < below;
    ends.filter(fits).ok_or_else(|| format!("found `{text}`, expected FROM..BELOW from {MIN_COSINE} on, such as 0.5..0.7"))
}

pub(super) fn run(command: SheetCommand) -> anyhow::Result<Done> {
    match command {
        SheetCommand::Write(args) => write(&args),
        SheetCommand::Check(args) => check(&args),
        SheetCommand::Take(args) => take(&args),
        SheetCommand::Distractors(args) => distractors(&args),
        SheetCommand::Competitors(args) => competitors(&args),
        SheetCommand::States(args) => states(&args),
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

fn states(args: &StatesArgs) -> anyhow::Result<Done> {
    sheets(&args.choice, "instructions", |review, windows, folder| {
        let found = state_sheets(review, windows, folder)?;
        let of_windows: BTreeSet<&str> = found.iter().map(|item| item.window.as_str()).collect();
        Ok(Sheets { windows: of_windows.len(), items: found.len() })
    })
}

fn competitors(args: &CompetitorsArgs) -> anyhow::Result<Done> {
    let pack = Pack::open(open_place(&args.pack)?)?.indexed()?;
    let folder = StagedFolder::new(&args.out, Replace::HoldingFile(SHEETS_MARKER))?;
    let [from, below] = args.cosine;
    let choice =
        CompetitorChoice { from, below, at_most: args.at_most, sample: args.sample, again: args.again, shard: args.shard };
    let pairs = competitor_sheets(&pack, &choice, &folder)?;
    folder.commit()?;
    data!("{}", args.out.display());
    tell!("{}", counted(pairs, "pair"));
    Ok(Done::Clean)
}

/// Takes judgements of competitors; gives how many readings are new, and answers that no pair has.
fn take_judged(dir: &Path, judged: &[(String, Vec<u8>)], author: &Author) -> anyhow::Result<(usize, Vec<String>)> {
    if judged.is_empty() {
        return Ok((0, Vec::new()));
    }
    let pack = Pack::open(open_place(dir)?)?.indexed()?;
    let taken = all_or_none(take_competitors(&pack, judged, author))?;
    for (name, bytes) in &taken.files {
        write_whole(&dir.join(name), bytes)?;
    }
    Ok((taken.readings, taken.stale))
}

fn take(args: &TakeArgs) -> anyhow::Result<Done> {
    let kind = match args.by {
        By::Person => AuthorKind::Person,
        By::Model => AuthorKind::Model,
    };
    let author = Author::new(kind, &args.date)?;
    let mut review = open(&args.pack)?;
    let (mut written, mut answers, mut judged) = (Vec::new(), Vec::new(), Vec::new());
    for file in read_files(&args.files)? {
        match sort_of(&file.1) {
            Sort::Written => written.push(file),
            Sort::Answers => answers.push(file),
            Sort::Judged => judged.push(file),
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
    // Last: a pack whose instructions have changed has no index that fits.
    let (readings, unknown) = take_judged(&args.pack, &judged, &author)?;
    let stale: Vec<&String> = from_sheets.stale.iter().chain(&from_answers.stale).chain(&unknown).collect();
    for line in &stale {
        data!("{line}");
    }
    tell!(
        "{} new instructions, {} changed, {} dropped; {} checks; {readings} readings of competitors; {} stale",
        from_sheets.new,
        from_sheets.changed,
        from_sheets.dropped,
        from_answers.checks,
        stale.len()
    );
    Ok(if stale.is_empty() { Done::Clean } else { Done::WithFindings })
}
