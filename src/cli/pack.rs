//! `windesk pack ..`: checks, shows, makes and imports packs.

mod act;
mod choices;
mod make;
mod merge;
mod migrate;
mod sheet;
mod sheet_files;
mod sheet_report;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};
use serde::Serialize;

use windesk_authoring::archive::write_archive;
use windesk_authoring::check::check;
use windesk_authoring::licences::{LICENCE_LIST, licence_list};
use windesk_authoring::preview::{PREVIEW_MARKER, write_preview};
use windesk_authoring::starter::{Starter, StarterLimits, make_starter};
use windesk_authoring::stats::PackStats;
use windesk_desktop::setting::{StateCounts, state_counts};
use windesk_engine::pack::{Pack, PackFiles, open_place};
use windesk_files::{Replace, StagedFolder, write_named_with, write_whole};
use windesk_model::plural::counted;

use super::place::PlaceArgs;
use super::prepare::{PrepareArgs, prepare};
use super::{Done, print_findings};

#[derive(Debug, Subcommand)]
pub(super) enum PackCommand {
    /// Check a pack: boxes, digests, duplicates, blank elements, licences.
    Check(CheckArgs),
    /// Print statistics of a pack.
    Stats(StatsArgs),
    /// Build a pack from screenshots and a list of their elements.
    Build(make::BuildArgs),
    /// Build a pack from boxes in the WinDeskGround paper's format, COCO, LabelMe or accessibility trees.
    Import(make::ImportArgs),
    /// Join packs into one, with their indexes.
    Merge(merge::MergeArgs),
    /// Make a pack of format version 1 one of version 2, with sessions.
    Migrate(migrate::MigrateArgs),
    /// Prepare all images of a pack for later runs on this machine.
    Prepare(PrepareArgs),
    /// Write a contact sheet of all windows and boxes, for a browser.
    Preview(PreviewArgs),
    /// Write the list of licences of everything in a pack.
    Licences(LicencesArgs),
    /// Choose the windows of the starter pack that is embedded in the binary.
    Starter(StarterArgs),
    /// Write instructions with sheets, and check them blind.
    #[command(subcommand)]
    Sheet(sheet::SheetCommand),
    /// Write a pack as one plain tar archive.
    Archive(ArchiveArgs),
    /// Answer what walks ask: what an event does to a window, and how it then looks.
    Act(act::ActArgs),
    /// Build the index of a pack: embed the instructions and rank similar windows.
    Embed(EmbedArgs),
}

/// The folder of a pack that a command writes to, given in either way.
#[derive(Debug, Args)]
struct FolderArgs {
    /// Folder of the pack; files of the command are written in it.
    #[arg(value_name = "DIR", required_unless_present = "pack")]
    dir: Option<PathBuf>,
    /// The same, as other commands take it.
    #[arg(long, value_name = "DIR", conflicts_with = "dir")]
    pack: Option<PathBuf>,
}

impl FolderArgs {
    fn dir(&self) -> &Path {
        self.dir.as_deref().or(self.pack.as_deref()).expect("one of the two is required")
    }
}

#[derive(Debug, Args)]
#[command(after_help = "Example: windesk pack check my-pack")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pack: PlaceArgs,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    pack: PlaceArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: windesk pack preview --out windesk-preview\n\nOpen index.html in the folder; it needs no server and no network."
)]
pub(super) struct PreviewArgs {
    #[command(flatten)]
    pack: PlaceArgs,
    /// Folder to write; replaces an earlier preview.
    #[arg(long, short, value_name = "DIR", value_parser = crate::cli::folder())]
    out: PathBuf,
    /// Also write PNG sheets of 20 windows each.
    #[arg(long)]
    png: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: windesk pack licences assets")]
pub(super) struct LicencesArgs {
    #[command(flatten)]
    folder: FolderArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: windesk pack starter assets\n\nThe full pack needs its index (`windesk pack embed`); no model is needed here. \
Build again afterwards: the build embeds the files that the list names."
)]
pub(super) struct StarterArgs {
    #[command(flatten)]
    folder: FolderArgs,
    /// Also write the starter pack as a tar archive.
    #[arg(long, value_name = "TAR")]
    tar: Option<PathBuf>,
    /// Maximum number of windows.
    #[arg(long, value_name = "N", default_value_t = StarterLimits::default().max_windows)]
    max_windows: usize,
    /// Maximum size of the archive in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = StarterLimits::default().archive_bytes)]
    max_bytes: u64,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: windesk pack archive assets --out windows.tar\n\nThe same files give the same bytes. The archive is a pack: --pack windows.tar"
)]
pub(super) struct ArchiveArgs {
    /// The pack: a folder or a tar archive.
    #[arg(value_name = "DIR|TAR", required_unless_present = "pack")]
    place: Option<PathBuf>,
    /// The same, as other commands take it.
    #[arg(long, value_name = "DIR|TAR", conflicts_with = "place")]
    pack: Option<PathBuf>,
    /// The archive to write.
    #[arg(long, short, value_name = "TAR")]
    out: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "scripts/model/fetch.sh downloads the model and its runtime; run it once.")]
pub(super) struct EmbedArgs {
    #[command(flatten)]
    folder: FolderArgs,
    /// Folder of the model [default: WINDESK_MODEL_DIR or the user's cache].
    #[arg(long)]
    model: Option<PathBuf>,
}

/// Runs `windesk pack ..`.
pub(super) fn run(command: PackCommand) -> anyhow::Result<Done> {
    match command {
        PackCommand::Check(args) => check_pack(&args),
        PackCommand::Stats(args) => stats(&args),
        PackCommand::Build(args) => make::build(&args),
        PackCommand::Import(args) => make::import(&args),
        PackCommand::Merge(args) => merge::merge(&args),
        PackCommand::Migrate(args) => migrate::migrate(&args),
        PackCommand::Prepare(args) => prepare(&args),
        PackCommand::Preview(args) => preview(&args),
        PackCommand::Licences(args) => licences(&args),
        PackCommand::Starter(args) => starter(&args),
        PackCommand::Archive(args) => archive(&args),
        PackCommand::Sheet(command) => sheet::run(command),
        PackCommand::Act(args) => act::act(&args),
        PackCommand::Embed(args) => embed(&args),
    }
}

fn check_pack(args: &CheckArgs) -> anyhow::Result<Done> {
    // A picture that was prepared before would hide what has become of its file.
    let pack = args.pack.pack().open_afresh()?;
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let report = check(&pack, threads);
    print_findings(&report, &report.findings, args.json)?;
    tell!(
        "{}, {} ({} interactive with a name), {}: {}",
        counted(report.windows, "window"),
        counted(report.elements, "element"),
        report.named_interactive,
        counted(report.digests, "digest"),
        counted(report.findings.len(), "finding")
    );
    Ok(if report.findings.is_empty() { Done::Clean } else { Done::WithFindings })
}

/// What `windesk pack stats` prints.
#[derive(Debug, Serialize)]
struct PackReport {
    #[serde(flatten)]
    counts: PackStats,
    /// What living pages can be asked for.
    states: StateCounts,
}

fn stats(args: &StatsArgs) -> anyhow::Result<Done> {
    let pack = args.pack.pack().open()?;
    let stats = PackReport { counts: windesk_authoring::stats::stats(&pack), states: state_counts(&pack)? };
    data!("{}", serde_json::to_string_pretty(&stats)?);
    Ok(Done::Clean)
}

fn preview(args: &PreviewArgs) -> anyhow::Result<Done> {
    let pack = args.pack.pack().open()?;
    let folder = StagedFolder::new(&args.out, Replace::HoldingFile(PREVIEW_MARKER))?;
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let sheets = write_preview(&pack, args.png, &folder, threads)?;
    folder.commit()?;
    let (windows, sheets) = (counted(pack.windows.len(), "window"), counted(sheets, "PNG sheet"));
    tell!("{}: {windows}, {sheets}", args.out.join("index.html").display());
    Ok(Done::Clean)
}

fn licences(args: &LicencesArgs) -> anyhow::Result<Done> {
    let dir = args.folder.dir();
    let pack = Pack::open(open_folder(dir)?.without("index/"))?;
    let path = dir.join(LICENCE_LIST);
    write(&path, licence_list(&pack).as_bytes())?;
    tell!(
        "{}: {}, {}, {}, {}",
        path.display(),
        counted(pack.programs.len(), "program"),
        counted(pack.wallpapers.len(), "wallpaper"),
        counted(pack.icons.len(), "icon"),
        counted(pack.fonts.len(), "font")
    );
    Ok(Done::Clean)
}

fn starter(args: &StarterArgs) -> anyhow::Result<Done> {
    let dir = args.folder.dir();
    let dir = dir.canonicalize().with_context(|| dir.display().to_string())?;
    let checkout = dir.parent().with_context(|| format!("{}: no folder above it, expected a checkout", dir.display()))?;
    let pack = Pack::open(open_folder(&dir)?)?.indexed()?;
    let limits = StarterLimits { max_windows: args.max_windows, archive_bytes: args.max_bytes, ..StarterLimits::default() };
    let starter = make_starter(&pack, limits)?;
    let folder = write_starter(&starter, pack.files(), checkout, &dir.join("starter"))?;
    if let Some(path) = &args.tar {
        write_named_with(path, |out| write_archive(&starter.files(pack.files())?, out))?;
    }
    tell!(
        "{}: {}, {} bytes as an archive, {} shared with the full pack and {} of its own",
        folder.display(),
        counted(starter.windows, "window"),
        starter.bytes,
        counted(starter.shared.len(), "file"),
        starter.own.len()
    );
    Ok(Done::Clean)
}

/// Writes the files of a starter pack that are its own, and the list by which the build script finds all of them.
fn write_starter(starter: &Starter, full: &PackFiles, checkout: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let staged = StagedFolder::new(folder, Replace::HoldingFile("files.txt"))?;
    let mut places: BTreeMap<&str, PathBuf> = BTreeMap::new();
    for name in &starter.shared {
        places.insert(name, full.on_disk(name).with_context(|| format!("{name}: expected a pack in a folder"))?.to_owned());
    }
    for (name, bytes) in &starter.own {
        staged.write(name, bytes)?;
        places.insert(name, folder.join(name));
    }
    let mut list = String::new();
    for (inside, path) in places {
        let path = path.strip_prefix(checkout).unwrap_or(&path).to_str().filter(|p| !p.contains(char::is_whitespace));
        let path =
            path.with_context(|| format!("{inside}: found a path that files.txt cannot hold, expected UTF-8 without spaces"))?;
        list += &format!("{path} {inside}\n");
    }
    staged.write("files.txt", list.as_bytes())?;
    staged.commit()?;
    Ok(folder.to_owned())
}

fn archive(args: &ArchiveArgs) -> anyhow::Result<Done> {
    let place = args.place.as_ref().or(args.pack.as_ref()).expect("one of the two is required");
    let pack = Pack::open(open_place(place)?)?;
    let files = write_named_with(&args.out, |out| write_archive(pack.files(), out))?;
    tell!("{}: {}, {}", args.out.display(), counted(files, "file"), counted(pack.windows.len(), "window"));
    Ok(Done::Clean)
}

/// The files of a pack that is to be written to.
fn open_folder(dir: &Path) -> anyhow::Result<PackFiles> {
    anyhow::ensure!(dir.is_dir(), "{}: no such folder, expected the folder of a pack", dir.display());
    Ok(open_place(dir)?)
}

/// Digest and name of each file of the embedding model, as `scripts/model/fetch.sh` fetches it.
#[cfg(feature = "embed")]
const PINNED_MODEL: &str = include_str!("../../scripts/model/SHA256SUMS");

#[cfg(feature = "embed")]
fn embed(args: &EmbedArgs) -> anyhow::Result<Done> {
    use windesk_authoring::embed::{Embedder, ModelFiles};
    use windesk_authoring::index::build_index;
    use windesk_engine::icon_probe::meanings_of;
    use windesk_engine::pack::{FORMER_INDEX_FILES, MEANINGS};
    use windesk_files::{Durability, Lock, remove_left_overs};

    let dir = args.folder.dir();
    // An index that no longer fits must not keep the pack from being opened to make a new one.
    let pack = Pack::open(open_folder(dir)?.without("index/"))?;
    // Two at once, with two models, would leave files of both. By its name the lock is no file of the pack.
    let index = dir.join("index");
    Durability::Synced.create_folder(&index)?;
    let _lock = Lock::take(&index.join(".embed.locked.tmp"), dir)?;
    let beside_meanings = dir.join(MEANINGS).parent().expect("a file in a folder").to_owned();
    for folder in [index, beside_meanings].iter().filter(|folder| folder.is_dir()) {
        remove_left_overs(folder)?;
    }
    let mut embedder = Embedder::open(&ModelFiles::locate(args.model.as_deref())?, PINNED_MODEL)?;
    let model = embedder.description().clone();
    let files = build_index(&pack, model, |texts| {
        tell!("embedding {}", counted(texts.len(), "distinct text"));
        embedder.embed(texts)
    })?;
    let bytes: usize = files.values().map(Vec::len).sum();
    for (name, bytes) in &files {
        write(&dir.join(name), bytes)?;
    }
    for path in FORMER_INDEX_FILES.map(|name| dir.join(name)).iter().filter(|path| path.exists()) {
        std::fs::remove_file(path).with_context(|| path.display().to_string())?;
    }
    tell!("{}: {}, {bytes} bytes", dir.join("index").display(), counted(files.len(), "file"));
    let model = embedder.description().clone();
    if let Some(bytes) = meanings_of(&pack, model, |names| anyhow::Ok(embedder.embed(names)?))? {
        let path = dir.join(MEANINGS);
        write(&path, &bytes)?;
        tell!("{}: {} bytes", path.display(), bytes.len());
    }
    Ok(Done::Clean)
}

#[cfg(not(feature = "embed"))]
fn embed(args: &EmbedArgs) -> anyhow::Result<Done> {
    let EmbedArgs { folder, model: _ } = args;
    let dir = folder.dir();
    let problem = "needs sentence embeddings, which this build does not have, expected a build with the feature `embed`";
    Err(windesk_model::Error::config(format!("pack embed {}", dir.display()), problem)
        .with_hint("cargo build --release --features embed")
        .into())
}

/// Writes a file of a pack, making its folder.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    Ok(write_whole(path, bytes)?)
}
