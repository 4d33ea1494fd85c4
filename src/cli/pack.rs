//! `windesk pack ..`: checks, shows, makes and imports packs.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};

use super::{Done, PackArgs};
use crate::pack::{Pack, check};

#[derive(Debug, Subcommand)]
pub(super) enum PackCommand {
    /// Proves a pack sound: boxes, digests, duplicates, blank elements, licences.
    Check(CheckArgs),
    /// Counts what a pack holds.
    Stats(StatsArgs),
    /// Embeds the instructions and ranks similar windows: makes the pack's index.
    #[cfg(feature = "embed")]
    Embed(EmbedArgs),
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pack: PackArgs,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    pack: PackArgs,
}

#[cfg(feature = "embed")]
#[derive(Debug, Args)]
#[command(after_help = "The model and its runtime are fetched once by scripts/model/fetch.sh.")]
pub(super) struct EmbedArgs {
    /// The pack's folder; its `index/` is written.
    dir: PathBuf,
    /// Folder of the model [default: WINDESK_MODEL_DIR or the user's cache].
    #[arg(long)]
    model: Option<PathBuf>,
}

/// Runs `windesk pack ..`.
pub(super) fn run(command: PackCommand) -> anyhow::Result<Done> {
    match command {
        PackCommand::Check(args) => check_pack(&args),
        PackCommand::Stats(args) => stats(&args),
        #[cfg(feature = "embed")]
        PackCommand::Embed(args) => embed(&args),
    }
}

fn check_pack(args: &CheckArgs) -> anyhow::Result<Done> {
    let pack = args.pack.open()?;
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let report = check(&pack, threads);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        for finding in &report.findings {
            println!("{}: {}", finding.place, finding.problem);
        }
    }
    eprintln!(
        "{} windows, {} elements ({} interactive with a name), {} digests: {} findings",
        report.windows,
        report.elements,
        report.named_interactive,
        report.digests,
        report.findings.len()
    );
    Ok(if report.findings.is_empty() { Done::Clean } else { Done::WithFindings })
}

fn stats(args: &StatsArgs) -> anyhow::Result<Done> {
    let pack = args.pack.open()?;
    println!("{}", serde_json::to_string_pretty(&crate::pack::stats(&pack))?);
    Ok(Done::Clean)
}

#[cfg(feature = "embed")]
fn embed(args: &EmbedArgs) -> anyhow::Result<Done> {
    use crate::embed::{Embedder, ModelFiles};
    use crate::pack::{build_index, open_place};

    // An index that no longer fits must not keep the pack from being opened to make a new one.
    let pack = Pack::open(open_place(&args.dir)?.without("index/"))?;
    let mut embedder = Embedder::open(&ModelFiles::locate(args.model.as_deref())?)?;
    let model = embedder.description().clone();
    let files = build_index(&pack, model, |texts| {
        eprintln!("embedding {} distinct texts", texts.len());
        embedder.embed(texts)
    })?;
    let bytes: usize = files.values().map(Vec::len).sum();
    for (name, bytes) in &files {
        write(&args.dir.join(name), bytes)?;
    }
    eprintln!("{}: {} files, {bytes} bytes", args.dir.join("index").display(), files.len());
    Ok(Done::Clean)
}

/// Writes a file of a pack, making its folder.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::write(path, bytes).with_context(|| path.display().to_string())
}
