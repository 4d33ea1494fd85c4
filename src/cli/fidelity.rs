//! `windesk fidelity`: rebuilds real desktops and says how they differ.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use windesk_authoring::fidelity::{DesktopReport, compare, crop_pair, desktop_names, read_desktop, rebuild};
use windesk_engine::pack::{Pack, open_place};
use windesk_engine::render::{Encoder, ImageFormat, Renderer};
use windesk_files::write_whole;

use super::Done;

/// Flags of `windesk fidelity`.
#[derive(Debug, Args)]
#[command(
    after_help = "DIR holds pack/ (the windows, each captured separately) and desktops/ (screenshots with places, stacking and focus), as
`scripts/capture/capture.sh desktops` writes them. Exit code 1 if a desktop misses a goal of docs/fidelity.md.

Examples:
  windesk fidelity tests/fixtures/desktops
  windesk fidelity my-desktops --json > report.json
  windesk fidelity my-desktops --only office-03 --crops crops"
)]
pub(super) struct FidelityArgs {
    /// Folder of real desktops.
    dir: PathBuf,
    /// Only these desktops.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    /// Write the rebuilt desktops, and crops of the largest differences (real, rebuilt, difference times eight), into
    /// this folder.
    #[arg(long, value_name = "FOLDER")]
    crops: Option<PathBuf>,
}

/// Runs `windesk fidelity`.
pub(super) fn fidelity(args: FidelityArgs) -> anyhow::Result<Done> {
    let known = desktop_names(&args.dir)?;
    if let Some(name) = args.only.iter().find(|name| !known.contains(name)) {
        anyhow::bail!("--only {name}: expected one of {}", known.join(", "));
    }
    let pack = Pack::open(open_place(&args.dir.join("pack"))?)?;
    let renderer = Renderer::new(&pack)?;
    let mut reports = Vec::new();
    for name in known.iter().filter(|name| args.only.is_empty() || args.only.contains(name)) {
        let real = read_desktop(&args.dir, name)?;
        let made = rebuild(&pack, &renderer, &real)?;
        let report = compare(&pack, &real, &made)?;
        if let Some(folder) = &args.crops {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            let write = |file: String, frame: &windesk_engine::render::Frame| {
                let path = folder.join(file);
                write_whole(&path, &ImageFormat::Png.encode(frame))
            };
            write(format!("{name}.png"), &made)?;
            for (at, region) in report.regions.iter().enumerate() {
                write(format!("{name}-{at}.png"), &crop_pair(&real.picture, &made, region))?;
            }
        }
        reports.push(report);
    }
    if args.json {
        data!("{}", serde_json::to_string_pretty(&reports)?);
    } else {
        print_table(&reports);
    }
    let mut done = Done::Clean;
    for report in &reports {
        for miss in report.misses() {
            tell!("{}: {miss}", report.name);
            done = Done::WithFindings;
        }
    }
    Ok(done)
}

fn print_table(reports: &[DesktopReport]) {
    data!(
        "| desktop | windows | identical | within 2 levels \
         | PSNR dB | SSIM | largest | boxes equal | occluded elements | largest ratio difference | same owner |"
    );
    data!("|---|---|---|---|---|---|---|---|---|---|---|");
    for report in reports {
        let (pixels, boxes, visibility) = (&report.pixels, &report.boxes, &report.visibility);
        let largest = pixels.largest_at.map_or_else(|| "0".to_owned(), |p| format!("{} at {},{}", pixels.largest, p.x, p.y));
        data!(
            "| {} | {} | {:.2} % | {:.2} % | {} | {:.4} | {largest} | {} of {} | {} | {:.4} | {:.3} % |",
            report.name,
            report.windows,
            pixels.identical * 100.0,
            pixels.within_two * 100.0,
            pixels.psnr_db.map_or_else(|| "-".to_owned(), |psnr| format!("{psnr:.1}")),
            pixels.ssim,
            boxes.equal,
            boxes.compared,
            visibility.occluded,
            visibility.largest_difference,
            visibility.same_owner * 100.0,
        );
    }
}
