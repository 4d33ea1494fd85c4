//! The command line: what was typed becomes settings, and the library does the work.
//!
//! Data goes to stdout, messages go to stderr. Exit codes: 0 done; 1 done with findings or holes; 2 nothing done, bad
//! input.

#[macro_use]
mod streams;

mod bench;
mod benchmark;
mod choices;
mod config_file;
mod eval;
mod export;
#[cfg(feature = "pack")]
mod fidelity;
mod generate;
mod icons;
mod inspect;
mod manual;
mod merge;
mod numbers;
mod open_files;
mod outputs;
mod overlay;
#[cfg(feature = "pack")]
mod pack;
mod parse;
mod place;
mod predict;
mod prepare;
mod progress;
mod replay;
mod review;
mod run;
mod states;
mod sweep;
mod synth;
mod tasks;
mod verify;
mod view;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use etcetera::{BaseStrategy, choose_base_strategy};

use windesk::default_pack::open_default_with;
use windesk_dataset::Manifest;
use windesk_engine::pack::{IndexedPack, Pack, PackFiles, open_place};
use windesk_engine::render::ImageFormat;
use windesk_files::{Durability, MAX_PART_BYTES, read_named};
use windesk_model::finding::Finding;
use windesk_model::plural::counted;
use windesk_model::split::Split;
use windesk_model::{Error, escape};

/// Compose desktop scenes from real window captures, with full ground truth.
#[derive(Debug, Parser)]
#[command(name = "windesk", version, about, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    /// Option file: one table per command, as `windesk config` prints it [default: windesk.toml in the current
    /// directory, if present].
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a dataset at a difficulty level.
    Synth(Box<synth::SynthArgs>),
    /// Make a dataset over a sweep: one knob changes, everything else stays the same.
    Sweep(Box<sweep::SweepArgs>),
    /// List the shipped sweeps.
    Sweeps,
    /// Make a benchmark by its name, or the sweeps and levels of a protocol as one dataset.
    Bench(Box<bench::BenchCommand>),
    /// Make tasks: sequences of clicks on desktops, with a keyframe per click.
    Tasks(Box<tasks::TasksArgs>),
    /// Make state instances: controls on desktops, web pages and telephones that must take an exact state.
    States(Box<states::StatesArgs>),
    /// Make icon probes: named icons on a wallpaper, one of which is asked for.
    Icons(Box<icons::IconsArgs>),
    /// Render scenes again from their stored plans.
    Replay(replay::ReplayArgs),
    /// Score predictions.
    Eval(Box<eval::EvalArgs>),
    /// Query a model server, or run a baseline.
    Predict(Box<predict::PredictArgs>),
    /// Parse points from raw model output.
    Parse(parse::ParseArgs),
    /// Let people review a dataset: write pages for raters, then report approval and agreement.
    Review(Box<review::ReviewArgs>),
    /// Verify a finished dataset: make every scene again and compare.
    Verify(verify::VerifyArgs),
    /// Join the shards of one run.
    Merge(merge::MergeArgs),
    /// Convert a finished dataset to the format of an evaluation harness, a trainer or a hub.
    Export(export::ExportArgs),
    /// List the formats of `export` and what each one loses.
    Formats(export::FormatsArgs),
    /// Rebuild real desktops from separate captures of their windows and report the differences.
    #[cfg(feature = "pack")]
    Fidelity(fidelity::FidelityArgs),
    /// Rebuild real desktops from separate captures of their windows and report the differences [needs the feature
    /// `pack`].
    #[cfg(not(feature = "pack"))]
    Fidelity(LeftOut),
    /// Draw boxes, masks and instructions over the images of a finished dataset.
    Overlay(overlay::OverlayArgs),
    /// Write a gallery of a dataset as static pages for a browser.
    View(view::ViewArgs),
    /// Print what one scene shows, its record or its plan.
    Inspect(inspect::InspectArgs),
    /// Print statistics of a dataset.
    Stats(view::StatsArgs),
    /// Show where two datasets differ.
    Diff(view::DiffArgs),
    /// Show where the value of each option of a command comes from.
    Config(config_file::ConfigArgs),
    /// Print completions for a shell.
    Completions(manual::CompletionsArgs),
    /// Print the manual page, or write one per command.
    Man(manual::ManArgs),
    /// Check, show, build and import packs of windows.
    #[cfg(feature = "pack")]
    #[command(subcommand)]
    Pack(pack::PackCommand),
    /// Check, show, build and import packs of windows [needs the feature `pack`].
    #[cfg(not(feature = "pack"))]
    #[command(subcommand)]
    Pack(FewPackCommands),
}

/// The commands for packs that every build has, since every machine may need them.
#[cfg(not(feature = "pack"))]
#[derive(Debug, Subcommand)]
enum FewPackCommands {
    /// Prepare all images of a pack for later runs on this machine.
    Prepare(prepare::PrepareArgs),
    /// Any other.
    #[command(external_subcommand)]
    LeftOut(Vec<OsString>),
}

/// What was typed after a command that this build leaves out.
#[cfg(not(feature = "pack"))]
#[derive(Clone, Debug, Args)]
struct LeftOut {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

#[cfg(not(feature = "pack"))]
impl LeftOut {
    fn refuse(&self, command: &str) -> anyhow::Result<Done> {
        let place = self.rest.first().map_or(command.to_owned(), |first| format!("{command} {}", first.display()));
        let problem = "is not in this build, expected a build with the feature `pack`";
        Err(Error::config(place, problem).with_hint("cargo build --release --features pack").into())
    }
}

/// Which pack to use, and how much memory for it.
#[derive(Clone, Debug, Args)]
struct PackArgs {
    /// Pack: a folder or a tar archive [default: that of the checkout, an installed pack, or the starter pack in the
    /// binary].
    #[arg(long, value_name = "DIR|TAR")]
    pack: Option<PathBuf>,
    /// Memory limit for decoded window images.
    #[arg(long, value_name = "MIB", default_value_t = 384)]
    cache_mb: usize,
    /// Folder that keeps prepared images for the next run, or `none` [default: windesk/pictures in the user's cache
    /// folder].
    #[arg(long, value_name = "DIR|none", env = "WINDESK_CACHE_DIR")]
    cache_dir: Option<PathBuf>,
}

/// Whether what is written must survive a power cut.
#[derive(Clone, Copy, Debug, Args)]
struct SyncArgs {
    /// Do not wait for the disk: for scratch folders, since a power cut may then lose what was written.
    #[arg(long)]
    no_sync: bool,
}

impl SyncArgs {
    fn durability(self) -> Durability {
        if self.no_sync { Durability::Scratch } else { Durability::Synced }
    }
}

/// Done, or done with findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Clean,
    WithFindings,
}

/// What the process was asked to do.
struct Invocation {
    /// The program's name and its arguments.
    words: Vec<OsString>,
    /// Packs that whoever started the program knows of.
    packs: Vec<PathBuf>,
}

/// Set once, by [`run`].
static INVOCATION: OnceLock<Invocation> = OnceLock::new();

/// The program: runs what this process was started with.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os().collect(), Vec::new()))
}

/// Parses a command line and runs it, for launchers in other languages. `words` are the program's name and its
/// arguments, `packs` further places where a pack may be installed, the first of which that exists is used. Returns the
/// exit code.
///
/// # Panics
/// If it is called twice in a process: a program does one thing.
pub fn run(words: Vec<OsString>, packs: Vec<PathBuf>) -> u8 {
    assert!(INVOCATION.set(Invocation { words: words.clone(), packs }).is_ok(), "the command line runs once per process");
    open_files::raise_limit();
    let parsed = config_file::complete(words).map(parsed);
    let cli = match parsed {
        Ok(Ok(cli)) => cli,
        // Help, a version or a usage error, which exits with 2 as ours do.
        Ok(Err(said)) => {
            streams::write_usage(&said);
            return exit_code(streams::check().map(|()| said.exit_code() as u8).map_err(Into::into));
        }
        Err(error) => return exit_code(Err(error.into())),
    };
    let result = match cli.command {
        Command::Synth(args) => synth::synth(*args),
        Command::Sweep(args) => sweep::sweep(*args),
        Command::Bench(args) => bench::bench(*args),
        Command::Sweeps => Ok(sweep::sweeps()),
        Command::Tasks(args) => tasks::tasks(*args),
        Command::States(args) => states::states(*args),
        Command::Icons(args) => icons::icons(*args),
        Command::Replay(args) => replay::replay(args),
        Command::Eval(args) => eval::run(*args),
        Command::Predict(args) => predict::run(*args),
        Command::Parse(args) => parse::run(args),
        Command::Review(args) => review::run(*args),
        Command::Verify(args) => verify::verify(args),
        Command::Merge(args) => merge::run(args),
        Command::Export(args) => export::run(args),
        Command::Formats(args) => export::formats(&args),
        #[cfg(feature = "pack")]
        Command::Fidelity(args) => fidelity::fidelity(args),
        #[cfg(not(feature = "pack"))]
        Command::Fidelity(args) => args.refuse("fidelity"),
        Command::Overlay(args) => overlay::overlay(args),
        Command::View(args) => view::view(args),
        Command::Inspect(args) => inspect::inspect(args),
        Command::Stats(args) => view::stats(args),
        Command::Diff(args) => view::diff(args),
        Command::Config(args) => config_file::config(&args, cli.config.as_deref()),
        Command::Completions(args) => Ok(manual::completions(&args)),
        Command::Man(args) => manual::man(&args),
        #[cfg(feature = "pack")]
        Command::Pack(command) => pack::run(command),
        #[cfg(not(feature = "pack"))]
        Command::Pack(FewPackCommands::Prepare(args)) => prepare::prepare(&args),
        #[cfg(not(feature = "pack"))]
        Command::Pack(FewPackCommands::LeftOut(rest)) => LeftOut { rest }.refuse("pack"),
    };
    let written = |done| streams::check().map(|()| done).map_err(Into::into);
    exit_code(result.and_then(written).map(|done| match done {
        Done::Clean => 0,
        Done::WithFindings => 1,
    }))
}

/// The arguments as they are meant, and of `eval` which options were given.
fn parsed(words: Vec<OsString>) -> Result<Cli, clap::Error> {
    let matches = Cli::command().try_get_matches_from(words)?;
    let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut Cli::command()))?;
    if let (Command::Eval(args), Some(("eval", typed))) = (&mut cli.command, matches.subcommand()) {
        args.note_given(typed);
    }
    Ok(cli)
}

/// The code, or 2 after the error is told.
fn exit_code(result: anyhow::Result<u8>) -> u8 {
    result.unwrap_or_else(|error| {
        tell!("error: {}", with_flags(&format!("{error:#}")));
        2
    })
}

/// A message of the library, which knows options by their names, with the flags that stand for them: "option
/// `allow_lossy`" becomes `--allow-lossy`.
fn with_flags(message: &str) -> String {
    const BEFORE: &str = "option `";
    let mut parts = message.split(BEFORE);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('`') {
            Some((name, rest)) if name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') => {
                shown += &format!("--{}{rest}", name.replace('_', "-"));
            }
            _ => shown += &format!("{BEFORE}{part}"),
        }
    }
    shown
}

impl PackArgs {
    /// Opens the pack and says on stderr which it is.
    fn open(&self) -> anyhow::Result<Pack> {
        match self.picture_folder()? {
            Some(folder) => self.open_kept_in(&folder),
            None => self.open_afresh(),
        }
    }

    /// The same, and everything is read from the pack's own files.
    fn open_afresh(&self) -> anyhow::Result<Pack> {
        self.open_with(Pack::open)
    }

    /// The same, with what earlier runs kept in this folder.
    fn open_kept_in(&self, folder: &Path) -> anyhow::Result<Pack> {
        let mut pack = self.open_with(|files| Pack::open_kept_in(folder, files))?;
        pack.cache_pictures_in(folder.to_owned());
        Ok(pack)
    }

    fn open_with(&self, open: impl Fn(PackFiles) -> Result<Pack, Error>) -> anyhow::Result<Pack> {
        let (pack, place) = self.found_with(open)?;
        tell!(
            "pack: {} {} from {place}, {} of {}",
            pack.header.name,
            pack.header.version,
            counted(pack.size_of_whole.windows, "window"),
            counted(pack.size_of_whole.programs, "program")
        );
        Ok(pack)
    }

    /// Opens the pack without a word. With the place that it was found at, for people.
    fn found_with(&self, open: impl Fn(PackFiles) -> Result<Pack, Error>) -> anyhow::Result<(Pack, String)> {
        let (mut pack, place) = match &self.pack {
            Some(place) => (open(open_place(place)?)?, place.display().to_string()),
            None => {
                let (pack, place) = open_default_with(&installed_packs(), open)?;
                (pack, place.to_string())
            }
        };
        pack.set_cache_bytes(self.cache_mb << 20);
        Ok((pack, place))
    }

    /// The folder for prepared pictures. One that was named must be usable; without the usual one the work is only
    /// slower.
    fn picture_folder(&self) -> anyhow::Result<Option<PathBuf>> {
        let named = self.cache_dir.as_deref();
        if named == Some(Path::new("none")) {
            return Ok(None);
        }
        let Some(folder) = named.map(Path::to_owned).or_else(usual_picture_folder) else { return Ok(None) };
        match std::fs::create_dir_all(&folder) {
            Err(error) if named.is_some() => {
                anyhow::bail!("--cache-dir {}: {error}, expected a folder to write to", folder.display())
            }
            made => Ok(made.is_ok().then_some(folder)),
        }
    }

    /// The same with its index, and only the part that scenes of a split are made of.
    fn open_part(&self, split: Option<Split>) -> anyhow::Result<IndexedPack> {
        let Some(split) = split else { return Ok(self.open()?.indexed()?) };
        let Some(folder) = self.picture_folder()? else { return part_of(self.open_afresh()?, split) };
        let mut pack = self.open_with(|files| Pack::open_part_kept_in(&folder, files, split, say_ranking))?;
        pack.cache_pictures_in(folder);
        part_of(pack, split)
    }

    /// The same for a manifest. Another pack than the one it names has other parts, and is opened whole.
    fn open_for_manifest(&self, manifest: &Manifest<serde_json::Value>) -> anyhow::Result<Pack> {
        let pack = self.open()?;
        match manifest.split().filter(|_| pack.digest == manifest.pack.digest) {
            Some(split) => Ok(self.narrowed(pack, split)?.into()),
            None => Ok(pack),
        }
    }

    /// A part of the pack that these arguments found.
    fn narrowed(&self, pack: Pack, split: Split) -> anyhow::Result<IndexedPack> {
        let Some(folder) = self.picture_folder()? else { return part_of(pack, split) };
        let (mut part, place) = self.found_with(|files| Pack::open_part_kept_in(&folder, files, split, say_ranking))?;
        if part.digest != pack.digest {
            let found = format!("a pack with digest {}", part.digest);
            return Err(Error::file(place, found, format_args!("the pack that was opened, {}", pack.digest)).into());
        }
        part.cache_pictures_in(folder);
        part_of(part, split)
    }

    /// The pack, or the part of it, that a dataset was made from. One of icon probes needs no index, and has no split.
    fn open_for(&self, split: Option<Split>) -> anyhow::Result<Pack> {
        match split {
            Some(_) => Ok(self.open_part(split)?.into()),
            None => self.open(),
        }
    }
}

/// Says why it takes seconds.
fn say_ranking() {
    tell!("split: ranking similar elements of this part of the pack, which takes seconds; a cache keeps them");
}

/// The part of a pack that may be that part already. Says on stderr what is left.
fn part_of(pack: Pack, split: Split) -> anyhow::Result<IndexedPack> {
    let pack = pack.indexed()?;
    let part = if pack.split == Some(split) {
        pack
    } else {
        say_ranking();
        pack.restricted_to(split)?
    };
    tell!(
        "split: {}, {} of {}, {}",
        split.name(),
        counted(part.windows.len(), "window"),
        counted(part.programs.len(), "program"),
        counted(part.wallpapers.len(), "wallpaper")
    );
    Ok(part)
}

/// Places where a pack may be installed: those that the launcher knows of, then the user's own, then the system's.
fn installed_packs() -> Vec<PathBuf> {
    let known = INVOCATION.get().into_iter().flat_map(|invocation| invocation.packs.iter().cloned());
    known.chain(installed_places()).collect()
}

/// Where packs are installed, for the user first.
pub fn installed_places() -> Vec<PathBuf> {
    let data_home = choose_base_strategy().ok().map(|user| user.data_dir()).filter(|folder| folder.is_absolute());
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.parent()?.join("share")));
    let roots = data_home.into_iter().chain(beside);
    roots.flat_map(|root| ["windesk/pack", "windesk/pack.tar"].map(|name| root.join(name))).collect()
}

/// Where prepared pictures are kept unless another place is named.
pub fn usual_picture_folder() -> Option<PathBuf> {
    Some(choose_base_strategy().ok()?.cache_dir().join("windesk/pictures")).filter(|folder| folder.is_absolute())
}

/// Prints a report's findings one per line, or as JSON all of the report.
fn print_findings(report: &impl serde::Serialize, findings: &[Finding], json: bool) -> anyhow::Result<()> {
    if json {
        data!("{}", serde_json::to_string_pretty(report)?);
        return Ok(());
    }
    findings
        .iter()
        .for_each(|finding| data!("{}: {}", escape::terminal(&finding.place), escape::terminal_lines(&finding.problem)));
    Ok(())
}

/// The command as it was typed, for records: what is not UTF-8 is shown as well as can be.
fn command_line() -> Vec<String> {
    let words = INVOCATION.get().into_iter().flat_map(|invocation| &invocation.words);
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The number of worker threads asked for; all cores by default.
fn threads_or_all(threads: Option<usize>) -> usize {
    let asked =
        threads.filter(|&t| t > 0).unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
    let (threads, allowed) = open_files::threads_that_fit(asked);
    if let Some(allowed) = allowed {
        tell!("threads: {threads} instead of {asked}, since only {allowed} files may be open (`ulimit -n`)");
    }
    threads
}

/// A folder to write to, or a file in it. `-` is how other programs name the standard output, which holds no folder.
fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("folders can't be written to standard output, expected the name of a folder (./- for one called -)"),
        false => Ok(path),
    })
}

/// Endings of pictures that are not written here. Who gives one means no folder.
const OTHER_PICTURES: [&str; 14] =
    ["avif", "bmp", "gif", "heic", "heif", "ico", "jp2", "jxl", "pnm", "ppm", "svg", "tga", "tif", "tiff"];

/// The format of an image file, by its ending; none for any other name, which stands for a folder.
fn image_format(path: &Path) -> Result<Option<ImageFormat>, Error> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    match ending.as_str() {
        "png" => Ok(Some(ImageFormat::Png)),
        "jpg" | "jpeg" => Ok(Some(ImageFormat::Jpeg)),
        "webp" => Ok(Some(ImageFormat::Webp)),
        other if OTHER_PICTURES.contains(&other) && !path.is_dir() => {
            let found = format!("--out {}", path.display());
            Err(Error::config(found, "found the ending of an image, expected .png, .jpg or .webp, or the name of a folder"))
        }
        _ => Ok(None),
    }
}

/// Reads a text file that the user named.
fn read_text(path: &Path) -> anyhow::Result<String> {
    let text = read_named(path, MAX_PART_BYTES).map_err(no_text)?;
    String::from_utf8(text).map_err(|e| anyhow::anyhow!("{}: {e}, expected a readable text file", path.display()))
}

/// The operating system says why a file can't be read, but not what was looked for.
fn no_text(mut error: Error) -> Error {
    if error.expected.is_empty() {
        error.expected = "a readable text file".to_owned();
    }
    error
}

#[cfg(test)]
mod tests {
    use super::with_flags;

    #[test]
    fn options_are_shown_as_flags() {
        for (message, shown) in [
            ("give another option `out`, or option `force`", "give another --out, or --force"),
            ("option `set` a=b: no `allow_lossy`", "--set a=b: no `allow_lossy`"),
            ("option `Name`, option `cut", "option `Name`, option `cut"),
        ] {
            assert_eq!(with_flags(message), shown);
        }
    }
}
