//! `windesk pack build` and `windesk pack import`: new packs from users' screenshots.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use windesk::default_pack::open_default;
use windesk_authoring::build::{PackList, build_pack, read_list};
use windesk_authoring::import::ImportOptions;
use windesk_engine::pack::{Pack, open_place};
use windesk_files::{Replace, StagedFolder};
use windesk_model::pack_format::Category;
use windesk_model::plural::counted;
use windesk_model::role::ROLES;
use windesk_model::spelling::nearest;

use super::super::installed_packs;
use super::{Done, choices};

/// Where a new pack goes, and what it borrows.
#[derive(Debug, Args)]
struct NewPackArgs {
    /// Folder of the new pack; it must be empty or not exist.
    #[arg(long, short, value_name = "DIR", value_parser = crate::cli::folder())]
    out: PathBuf,
    /// Pack from which to take wallpapers, icons and fonts [default: the default pack].
    #[arg(long, value_name = "DIR|TAR")]
    assets_from: Option<PathBuf>,
    /// Edge of a real window for opaque screenshots of floating windows: corners and shadow.
    #[arg(long, value_enum, value_name = "STYLE")]
    frame: Option<choices::FrameStyle>,
    /// Write the pack even if `pack check` would report findings.
    #[arg(long)]
    keep_findings: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: windesk pack build docs/examples/pack/list.json --out my-pack\n\n\
The list is described in docs/pack.md. Then `windesk pack embed my-pack` makes the index that scenes need, and\n\
`windesk synth --pack my-pack` uses it. Exit codes: 0 written; 1 written with findings; 2 nothing written.")]
pub(in crate::cli) struct BuildArgs {
    /// JSON list of programs and windows; its paths are relative to its folder.
    list: PathBuf,
    #[command(flatten)]
    new: NewPackArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk pack import metadata.json --windows windows --out imported
  windesk pack import coco.json --windows pictures --category Productivity --out imported
  windesk pack import trees --windows pictures --category Browsers --role chip='push button' --out imported

The format is recognised by its keys. The paper's entries have image_path, content, gt_bbox ([x1, y1, x2, y2], 0 to 1), type
(category) and orig_size; entries are counted from 0. docs/pack.md describes the others.
Exit codes: 0 written; 1 written without the broken entries or with findings; 2 nothing written.")]
pub(in crate::cli) struct ImportArgs {
    /// JSON file, or a folder of them: one per picture.
    #[arg(value_name = "FILE|DIR")]
    metadata: PathBuf,
    /// Folder to which the image paths are relative [default: that of the JSON files].
    #[arg(long, value_name = "DIR")]
    windows: Option<PathBuf>,
    /// Format of the file [default: by its keys].
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<choices::ImportFormat>,
    /// Category of the programs, for formats that know none, such as Productivity.
    #[arg(long, value_name = "CATEGORY", value_parser = category)]
    category: Option<Category>,
    /// Role that a label of the file stands for; may be repeated.
    #[arg(long, value_name = "LABEL=ROLE", value_parser = label_and_role)]
    role: Vec<(String, String)>,
    #[command(flatten)]
    new: NewPackArgs,
    /// Leave out broken entries and report them, instead of writing nothing.
    #[arg(long)]
    skip_bad: bool,
    /// Licence of the images, as an SPDX expression.
    #[arg(long, value_name = "SPDX", default_value = "LicenseRef-unknown")]
    licence: String,
    /// Name of the new pack.
    #[arg(long, default_value = "imported")]
    name: String,
}

fn category(text: &str) -> Result<Category, String> {
    let names = Category::ALL.map(Category::name);
    Category::ALL.into_iter().find(|c| c.name() == text).ok_or_else(|| {
        let near = nearest(text, names).map_or(String::new(), |near| format!("; did you mean {near}?"));
        format!("expected one of {}{near}", names.join(", "))
    })
}

fn label_and_role(text: &str) -> Result<(String, String), String> {
    let (label, role) = text.split_once('=').ok_or("expected LABEL=ROLE, such as chip='push button'")?;
    if ROLES.contains(&role) {
        return Ok((label.to_owned(), role.to_owned()));
    }
    let near = nearest(role, ROLES).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Err(format!("`{role}` is no role, expected one that docs/pack.md lists{near}"))
}

pub(super) fn build(args: &BuildArgs) -> anyhow::Result<Done> {
    let list = read_list(&args.list)?;
    let root = args.list.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make(list, &args.list, root, &args.new)
}

pub(super) fn import(args: &ImportArgs) -> anyhow::Result<Done> {
    let options = ImportOptions {
        name: args.name.clone(),
        licence: args.licence.clone(),
        origin: "imported metadata".to_owned(),
        category: args.category,
        roles: args.role.iter().cloned().collect(),
    };
    let beside = if args.metadata.is_dir() { Some(args.metadata.as_path()) } else { args.metadata.parent() };
    let beside = beside.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let windows = args.windows.as_deref().unwrap_or(beside);
    anyhow::ensure!(windows.is_dir(), "{}: no such folder, expected the folder of window images", windows.display());
    let import = windesk_authoring::import::import(&args.metadata, windows, args.from.map(Into::into), &options)?;
    for bad in &import.bad {
        tell!("{bad}");
    }
    let (bad, entries) = (import.bad.len(), import.entries);
    if bad > 0 && !args.skip_bad {
        anyhow::bail!(
            "{}: {bad} of {} broken, expected none\nhint: --skip-bad leaves them out",
            args.metadata.display(),
            counted(entries, "entry")
        );
    }
    anyhow::ensure!(!import.list.windows.is_empty(), "{}: no valid entry, expected at least one", args.metadata.display());
    tell!(
        "{}, {bad} left out, {} of {}",
        counted(entries, "entry"),
        counted(import.list.windows.len(), "window"),
        counted(import.list.programs.len(), "program")
    );
    import.notes.iter().for_each(|note| tell!("{note}"));
    let done = make(import.list, &args.metadata, windows, &args.new)?;
    Ok(if bad > 0 { Done::WithFindings } else { done })
}

fn make(mut list: PackList, list_path: &Path, root: &Path, args: &NewPackArgs) -> anyhow::Result<Done> {
    list.frame_style = args.frame.map(Into::into).or(list.frame_style);
    let folder = StagedFolder::new(&args.out, Replace::Nothing)?;
    let defaults = match &args.assets_from {
        Some(place) => Pack::open(open_place(place)?.without("index/"))?,
        None => open_default(&installed_packs()).context("the pack from which to take wallpapers, icons and fonts")?.0,
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let findings = build_pack(&list, &list_path.display().to_string(), root, &defaults, &folder, threads)?;
    for finding in &findings {
        tell!("{}: {}", finding.place, finding.problem);
    }
    if !findings.is_empty() && !args.keep_findings {
        anyhow::bail!(
            "{}: not written, {}\nhint: --keep-findings writes it anyway",
            args.out.display(),
            counted(findings.len(), "finding")
        );
    }
    folder.commit()?;
    let place = args.out.display();
    let (windows, programs) = (counted(list.windows.len(), "window"), counted(list.programs.len(), "program"));
    tell!("{place}: {windows} of {programs}; next: windesk pack embed {place}");
    Ok(if findings.is_empty() { Done::Clean } else { Done::WithFindings })
}
