//! Benchmarks by name: made as their files say, and compared with their digests.

use std::path::{Path, PathBuf};

use serde_json::json;

use windesk::shipped;
use windesk_dataset::{Probes, RunSummary, SampleSource, Scenes, differences, measure, open_manifest, set_claim};
use windesk_engine::config::Sweep;
use windesk_engine::config::variant::{named_condition, named_sweep};
use windesk_engine::icon_probe::{ProbeAssets, ProbeStudy};
use windesk_engine::pack::Pack;
use windesk_engine::study::Study;
use windesk_files::write_whole;
use windesk_model::Error;
use windesk_model::benchmark::{Benchmark, BenchmarkPack, BenchmarkPart, MadeOf};
use windesk_model::condition::Protocol;
use windesk_model::plan::ENGINE_VERSION;
use windesk_model::plural::counted;
use windesk_model::spelling::nearest;

use super::generate::GenerateArgs;
use super::run::RunArgs;
use super::{Done, PackArgs, read_text, threads_or_all};

/// Flags that change nothing of what is made, by their ids.
const HARMLESS: [&str; 13] =
    ["what", "freeze", "out", "shard", "threads", "force", "no_sync", "json", "pack", "cache_mb", "cache_dir", "config", "list"];

/// A benchmark under way.
struct Making {
    benchmark: Benchmark,
    /// Digest of its file.
    digest: String,
    output: RunArgs,
    /// Where its datasets lie.
    out: PathBuf,
}

/// A part that was made.
struct MadePart {
    /// Its place among the parts.
    at: usize,
    out: PathBuf,
    summary: RunSummary,
    /// In what it differs from what the file says.
    differing: Vec<String>,
}

/// Prints what benchmarks there are.
pub(super) fn list(given: &[String]) -> anyhow::Result<Done> {
    if let Some(flag) = foreign(given) {
        return Err(Error::config(flag, "found with --list, expected nothing else").into());
    }
    for (name, _) in shipped::BENCHMARKS {
        let (benchmark, digest) = shipped::benchmark(name)?;
        data!("{name}");
        data!("    {}", benchmark.description);
        for part in &benchmark.parts {
            let Some(frozen) = &part.frozen else { continue };
            let (samples, instructions) = (counted(frozen.samples, "image"), counted(frozen.instructions, "instruction"));
            data!("    {}: {samples}, {instructions} (n {}, seed {})", part.name, part.n, part.seed);
        }
        let split = benchmark.split.map_or(String::new(), |split| format!(", split {}", split.name()));
        if let (Some(pack), Some(engine)) = (&benchmark.pack, benchmark.engine_version) {
            data!("    pack {} {} ({}), engine_version {engine}{split}", pack.name, pack.version, pack.digest);
            if engine != ENGINE_VERSION {
                data!("    not made by this program, which has engine_version {ENGINE_VERSION}");
            }
        }
        data!("    digest {digest}");
    }
    Ok(Done::Clean)
}

/// Makes a benchmark and compares it with its file. `given` are the ids of the flags that were given.
pub(super) fn bench(name: &str, args: GenerateArgs, given: &[String], freeze: Option<PathBuf>) -> anyhow::Result<Done> {
    let (benchmark, digest) = find(name)?;
    if let Some(flag) = foreign(given) {
        let problem = format!("would change benchmark {}, expected no option that does", benchmark.name);
        let hint = "what is made with other options is a dataset of its own: `windesk synth`, `sweep`, `icons`, or `bench` with a protocol";
        return Err(Error::config(flag, problem).with_hint(hint).into());
    }
    check_frozen(name, &benchmark, freeze.is_some(), args.output.shard.is_some())?;
    if let Some(file) = freeze.as_deref().filter(|file| file.is_file()) {
        let error = Error::config(format!("--freeze {}", file.display()), "found a file, expected the name of a new one");
        return Err(error.with_hint("a benchmark's file never changes once it is there: what differs gets a new name").into());
    }
    let pack = args.pack.open()?;
    if let Some(wanted) = &benchmark.pack {
        check_pack(&benchmark.name, wanted, &pack)?;
    }
    let shard = args.output.shard.as_ref().map(|shard| format!("-shard-{}", shard.replace('/', "-"))).unwrap_or_default();
    let out = args.output.out.clone().unwrap_or_else(|| format!("{}{shard}", benchmark.name).into());
    check_folder(&out, &benchmark)?;
    let own_pack =
        BenchmarkPack { name: pack.header.name.clone(), version: pack.header.version.clone(), digest: pack.digest.clone() };
    let making = Making { benchmark, digest, output: args.output, out };
    let mut made = making.make_all(pack, &args.pack)?;
    made.sort_by_key(|part| part.at);
    if let Some(file) = freeze {
        return making.freeze(name, own_pack, &made, &file);
    }
    making.report(&made)
}

/// A flag that would change what is made. Groups of flags have ids too, which are names of types.
fn foreign(given: &[String]) -> Option<String> {
    let is_group = |id: &str| id.starts_with(|c: char| c.is_ascii_uppercase());
    let id = given.iter().find(|id| !HARMLESS.contains(&id.as_str()) && !is_group(id))?;
    Some(format!("--{}", id.replace('_', "-")))
}

/// A benchmark by its name or file.
fn find(name: &str) -> anyhow::Result<(Benchmark, String)> {
    if name.ends_with(".toml") {
        let found = shipped::parse_benchmark(name, &read_text(name.as_ref())?)?;
        let own = &found.0.name;
        if Protocol::Windesk.name() == own || Protocol::Windeskground.name() == own {
            let problem = format!("name: found `{own}`, which is a protocol, expected another name");
            return Err(Error::config(name, problem).into());
        }
        if let Ok((shipped, digest)) = shipped::benchmark(own)
            && digest != found.1
            && !shipped.is_draft()
        {
            let problem = format!("name: found `{own}`, which is another benchmark of this program, expected a new name");
            return Err(Error::config(name, problem).into());
        }
        return Ok(found);
    }
    let names: Vec<&str> = shipped::BENCHMARKS.iter().map(|(name, _)| *name).collect();
    if names.contains(&name) {
        return Ok(shipped::benchmark(name)?);
    }
    let problem = format!("expected a benchmark ({}, or a TOML file) or a protocol (windesk, windeskground)", names.join(", "));
    let error = Error::config(format!("bench {name}"), problem);
    Err(match nearest(name, names) {
        Some(near) => error.with_hint(format!("did you mean {near}?")),
        None => error.with_hint("`windesk bench --list` says what each benchmark holds"),
    }
    .into())
}

/// Whether this program can make it: a frozen one by its engine, a draft to freeze it.
fn check_frozen(place: &str, benchmark: &Benchmark, freezes: bool, shards: bool) -> Result<(), Error> {
    match (benchmark.engine_version, freezes) {
        (Some(_), true) => Err(Error::config("--freeze", format!("{} is frozen, expected a draft", benchmark.name))
            .with_hint("what differs from a benchmark gets a new name")),
        (None, false) => {
            let problem = "a draft: found no digests, expected --freeze FILE.toml to make it and write its file";
            Err(Error::config(place, problem))
        }
        (None, true) if shards => Err(Error::config("--shard", "found with --freeze, expected the whole of a draft")),
        (Some(engine), _) if engine != ENGINE_VERSION => {
            let problem =
                format!("benchmark {} is made by engine_version {engine}, this program has {ENGINE_VERSION}", benchmark.name);
            let hint = format!(
                "use the program that made it: the commit tagged `{}` (docs/benchmarks.md); `windesk verify` checks the files of one that is made",
                benchmark.name
            );
            Err(Error::config(place, problem).with_hint(hint))
        }
        _ => Ok(()),
    }
}

fn check_pack(name: &str, wanted: &BenchmarkPack, pack: &Pack) -> Result<(), Error> {
    if pack.digest == wanted.digest {
        return Ok(());
    }
    let BenchmarkPack { name: pack_name, version, digest } = wanted;
    let header = &pack.header;
    let found = format!("pack `{}` {} ({})", header.name, header.version, pack.digest);
    let hint = format!(
        "pack `{pack_name}` {version} is `assets/` with `wallpapers/` in a checkout of the commit tagged `{name}` \
         (docs/benchmarks.md); name it with option `pack`, or build there. The starter pack in the binary is another pack"
    );
    Err(Error::file(format!("benchmark {name}"), found, format!("pack `{pack_name}` {version} ({digest})")).with_hint(hint))
}

/// The folder holds parts of this benchmark and nothing else.
fn check_folder(out: &Path, benchmark: &Benchmark) -> Result<(), Error> {
    for entry in std::fs::read_dir(out).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if !benchmark.parts.iter().any(|part| name == *part.name) {
            let problem =
                format!("found `{}`, expected an empty folder, or one with parts of {}", name.display(), benchmark.name);
            return Err(Error::path(out, problem).with_hint("give another option `out`"));
        }
    }
    Ok(())
}

/// What a part is made by.
enum PartStudy {
    Windows(Box<Study>),
    Icons(Box<ProbeStudy>),
}

/// The study of a part. Its split names nothing anew, since the benchmark's name says which it is; other changes do.
fn study(benchmark: &Benchmark, part: &BenchmarkPart) -> Result<PartStudy, Error> {
    let name = benchmark.dataset_name(part);
    let split: Vec<String> = benchmark.split.iter().map(|split| format!("split={}", split.name())).collect();
    let sets = [&split[..], &part.set].concat();
    let of_sweep = |before: Sweep, now: Sweep| Study::of_sweep(named_sweep(Some(&before), now), part.seed);
    let study = match part.made_of().map_err(|problem| Error::config(&benchmark.name, problem))? {
        MadeOf::Level("all") => of_sweep(shipped::levels(&split)?, shipped::levels(&sets)?),
        MadeOf::Level(level) => {
            let before = shipped::level(level, &split)?;
            Study::of_condition(named_condition(Some(&before), shipped::level(level, &sets)?), part.seed)
        }
        MadeOf::Sweep(sweep) => of_sweep(shipped::sweep(sweep, &split, &[])?, shipped::sweep(sweep, &sets, &[])?),
        MadeOf::Icons(design) => {
            let study = shipped::named_design(None, shipped::design(design, &part.set, part.seed)?, None);
            return Ok(PartStudy::Icons(Box::new(ProbeStudy { name, ..study })));
        }
    };
    Ok(PartStudy::Windows(Box::new(Study { name, ..study })))
}

impl Making {
    /// Makes the parts. Icons need all of the pack, of which then only a split is left.
    fn make_all(&self, pack: Pack, found_by: &PackArgs) -> anyhow::Result<Vec<MadePart>> {
        let (mut made, mut of_windows) = (Vec::new(), Vec::new());
        for (at, part) in self.benchmark.parts.iter().enumerate() {
            match study(&self.benchmark, part)? {
                PartStudy::Windows(study) => of_windows.push((at, study)),
                PartStudy::Icons(study) => {
                    let source = Probes::new(ProbeAssets::new(&pack, &study, None)?, *study);
                    made.push(self.make(at, &pack, &source)?);
                }
            }
        }
        if of_windows.is_empty() {
            return Ok(made);
        }
        let pack = match self.benchmark.split {
            Some(split) => found_by.narrowed(pack, split)?,
            None => pack.indexed()?,
        };
        for (at, study) in of_windows {
            made.push(self.make(at, &pack, &Scenes::new(&pack, *study)?)?);
        }
        Ok(made)
    }

    fn make<S: SampleSource>(&self, at: usize, pack: &Pack, source: &S) -> Result<MadePart, Error> {
        let part = &self.benchmark.parts[at];
        let out = self.out.join(&part.name);
        let mut run = self.output.clone();
        (run.n, run.seed, run.out) = (Some(part.n), part.seed, Some(out.clone()));
        let request = run.request(&part.name)?;
        let summary = request.make(pack, source)?;
        let mut differing = Vec::new();
        if let Some(frozen) = part.frozen.as_ref().filter(|_| self.output.shard.is_none()) {
            let manifest = open_manifest(&out)?;
            differing = differences(&out, &manifest, frozen, request.settings.threads)?;
            let claim = self.benchmark.claim(part, &self.digest).filter(|_| differing.is_empty());
            set_claim(&out, manifest.kind, claim, request.settings.durability)?;
        }
        Ok(MadePart { at, out, summary, differing })
    }

    /// Writes the file of a draft that was made.
    fn freeze(&self, draft: &str, pack: BenchmarkPack, made: &[MadePart], file: &Path) -> anyhow::Result<Done> {
        let mut benchmark = self.benchmark.clone();
        benchmark.engine_version = Some(ENGINE_VERSION);
        benchmark.pack = Some(pack);
        let threads = threads_or_all(self.output.threads());
        for (part, made) in benchmark.parts.iter_mut().zip(made) {
            part.frozen = Some(measure(&made.out, &open_manifest(&made.out)?, threads)?);
        }
        let draft = read_text(draft.as_ref())?;
        let comments: String = draft.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        write_whole(file, format!("{comments}{}", toml::to_string_pretty(&benchmark)?).as_bytes())?;
        data!("{}", file.display());
        tell!("`windesk bench {}` with --out {} compares and names what was made", file.display(), self.out.display());
        Ok(holes(made))
    }

    /// Says whether what was made is the benchmark.
    fn report(&self, made: &[MadePart]) -> anyhow::Result<Done> {
        let (name, whole) = (&self.benchmark.name, self.output.shard.is_none());
        let same = made.iter().all(|part| part.differing.is_empty());
        if self.output.json {
            let parts = made.iter().map(|MadePart { at, out, summary, differing }| {
                json!({
                    "part": self.benchmark.parts[*at].name,
                    "out": out.display().to_string(),
                    "samples": summary.samples,
                    "made": summary.made,
                    "seconds": summary.seconds,
                    "differences": differing,
                })
            });
            let parts: Vec<_> = parts.collect();
            let benchmark = (whole && same).then_some(name);
            data!(
                "{:#}",
                json!({"out": self.out.display().to_string(), "benchmark": benchmark, "digest": self.digest, "parts": parts})
            );
        } else {
            data!("{}", self.out.display());
        }
        for part in made {
            for problem in &part.differing {
                tell!("differs: {}: {problem}", part.out.display());
            }
        }
        if !whole {
            tell!(
                "a shard of {name}: merge the shards of every part, then `windesk bench {name} --out DIR` compares and names them"
            );
            return Ok(Done::Clean);
        }
        if !same {
            tell!("this is not {name}, and its manifests do not say so: what this program made differs from what {name} is");
            return Ok(Done::WithFindings);
        }
        let samples = counted(made.iter().map(|part| part.summary.samples).sum::<u64>(), "sample");
        tell!("{name}: {samples} in {}, all digests as in its file ({})", counted(made.len(), "dataset"), self.digest);
        Ok(Done::Clean)
    }
}

/// Indices without a sample are worth a word before a benchmark is frozen.
fn holes(made: &[MadePart]) -> Done {
    for part in made.iter().filter(|part| !part.summary.holes.is_empty()) {
        tell!("holes: {} has no sample for indices {:?}", part.out.display(), part.summary.holes);
    }
    if made.iter().all(|part| part.summary.holes.is_empty()) { Done::Clean } else { Done::WithFindings }
}
