//! `windesk verify`: proves a finished dataset sound.

use std::path::PathBuf;

use clap::Args;

use windesk::shipped;
use windesk_dataset::{AuditSettings, audit, open_manifest};
use windesk_model::escape;
use windesk_model::finding::Finding;
use windesk_model::plural::counted;

use super::progress::Bar;
use super::{Done, PackArgs, print_findings, threads_or_all, with_flags};

/// Flags of `windesk verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "Plans and renders every scene again from its key and compares it with the dataset; recounts every box, count and mask pixel
by pixel; checks digests, derived files and licences. Prints one finding per line to stdout.

Examples:
  windesk verify windesk-L4-s0-n500
  windesk verify windesk-L4-s0-n500 --sample 20
  windesk verify windesk-L4-s0-n500 --files-only --json"
)]
pub(super) struct VerifyArgs {
    /// Folder of the dataset.
    dataset: PathBuf,
    /// Make only K evenly spread indices again, and read only their images.
    #[arg(long, value_name = "K", conflicts_with = "files_only")]
    sample: Option<u64>,
    /// Check only files, digests and records; needs no pack.
    #[arg(long)]
    files_only: bool,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    #[command(flatten)]
    pack: PackArgs,
}

/// Runs `windesk verify`.
pub(super) fn verify(args: VerifyArgs) -> anyhow::Result<Done> {
    // Before the pack is opened: a mistyped folder is the likelier mistake.
    let manifest = open_manifest(&args.dataset)?;
    let pack = if args.files_only { None } else { Some(args.pack.open_for_manifest(&manifest)?) };
    let mut report = audit(
        &args.dataset,
        pack,
        &AuditSettings { sample: args.sample, threads: threads_or_all(args.threads) },
        &Bar::default(),
    )?;
    if let Some(claim) = &manifest.benchmark
        && let Err(error) = shipped::ships(claim)
    {
        report.findings.push(Finding { place: "manifest.json".to_owned(), problem: error.found });
    }
    print_findings(&report, &report.findings, args.json)?;
    tell!(
        "{}: {}, {}, {} made again, {} recounted: {}",
        report.dataset,
        counted(report.files, "file"),
        counted(report.samples, "sample"),
        report.remade,
        counted(report.recounted, "element"),
        counted(report.findings.len(), "finding")
    );
    if let Some(reason) = &report.not_remade {
        let reason = with_flags(&escape::terminal(reason));
        tell!("this dataset can't be made again here: it was {reason}. Its files, digests, counts and records were checked");
    }
    if let Some(claim) = manifest.benchmark.as_ref().filter(|_| report.findings.is_empty()) {
        tell!("benchmark: {}, part {}", escape::terminal(&claim.name), escape::terminal(&claim.part));
    }
    Ok(if report.findings.is_empty() { Done::Clean } else { Done::WithFindings })
}
