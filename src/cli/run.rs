//! What all commands share that write a dataset: how many samples, which part of them, and where.

use std::ops::Range;
use std::path::PathBuf;

use clap::Args;

use windesk_dataset::{Estimate, Form, RunSettings, RunSummary, SampleSource, estimate, extend, run};
use windesk_engine::pack::Pack;
use windesk_engine::render::{ImageFormat, JPEG_QUALITY};
use windesk_model::Error;
use windesk_model::geometry::Size;
use windesk_model::plural::counted;

use super::progress::Bar;
use super::{Done, choices};

/// Flags of every command that writes a dataset.
#[derive(Clone, Debug, Args)]
pub(super) struct RunArgs {
    /// Number of samples (per condition, if there are several).
    #[arg(long, value_name = "N", required = true)]
    pub(super) n: Option<u64>,
    /// Random seed; the same seed gives the same dataset.
    #[arg(long, default_value_t = 0)]
    pub(super) seed: u64,
    /// Output folder [default: windesk-<what>-s<seed>-n<n>, plus -i<first>-<end> for a range of indices].
    #[arg(long, value_name = "DIR", value_parser = super::folder())]
    pub(super) out: Option<PathBuf>,
    /// Make only shard i of n, counted from 0 (`0/4`), or the one given by the job scheduler (`auto`, `auto/4`).
    #[arg(long, value_name = "I/N|auto")]
    pub(super) shard: Option<String>,
    /// Make only these indices, such as `100..200` (end excluded).
    #[arg(long, value_name = "A..B", conflicts_with = "shard")]
    range: Option<String>,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Also write debug images with boxes and masks.
    #[arg(long)]
    overlay: bool,
    /// Image format.
    #[arg(long, value_enum, default_value = "png")]
    format: choices::ImageFormat,
    /// Quality of JPEG images, 1 to 100 [default: 90].
    #[arg(long, value_name = "Q", value_parser = clap::value_parser!(u8).range(1..=100))]
    quality: Option<u8>,
    /// How much of the truth to write: of all elements, of those that targets name, or none (annotations alone). Plans
    /// are always written.
    #[arg(long, value_enum, default_value = "full")]
    records: choices::Records,
    /// Compress scenes, annotations and plans with gzip.
    #[arg(long)]
    compress_records: bool,
    /// Start over in a folder that holds a different run.
    #[arg(long)]
    force: bool,
    /// Let the dataset in --out grow to N samples; what it holds stays, and is not made again.
    #[arg(long, requires = "out", conflicts_with_all = ["shard", "range", "force"])]
    extend: bool,
    #[command(flatten)]
    sync: super::SyncArgs,
    /// Write nothing; estimate samples, bytes and seconds.
    #[arg(long)]
    dry_run: bool,
    /// Print a summary as JSON instead of the folder's name.
    #[arg(long)]
    pub(super) json: bool,
}

/// A run as it was asked for.
pub(super) struct Request {
    pub(super) settings: RunSettings,
    extend: bool,
    dry_run: bool,
    json: bool,
}

impl Request {
    /// Makes a source's dataset.
    pub(super) fn make<S: SampleSource>(&self, pack: &Pack, source: &S) -> Result<RunSummary, Error> {
        let make = if self.extend { extend } else { run };
        let summary = make(pack, source, &self.settings, &Bar::default())?;
        tell!(
            "{} in {} ({} made in this run, in {:.1} s, {:.1} per second)",
            counted(summary.samples, "sample"),
            self.settings.out.display(),
            summary.made,
            summary.seconds,
            summary.per_second(),
        );
        Ok(summary)
    }

    /// Makes a source's dataset, or says what it would be. `tell` tells more on stderr.
    pub(super) fn carry_out<S: SampleSource>(
        &self,
        pack: &Pack,
        source: &S,
        tell: impl FnOnce(&RunSummary),
    ) -> anyhow::Result<Done> {
        let settings = &self.settings;
        if self.dry_run {
            print_estimate(&estimate(source, settings)?, self.json)?;
            return Ok(Done::Clean);
        }
        let summary = self.make(pack, source)?;
        let per_second = summary.per_second();
        if self.json {
            let made = serde_json::json!({
                "out": settings.out.display().to_string(),
                "samples": summary.samples,
                "made": summary.made,
                "holes": summary.holes,
                "seconds": summary.seconds,
                "per_second": per_second,
            });
            data!("{made:#}");
        } else {
            data!("{}", settings.out.display());
        }
        tell(&summary);
        for warning in source.facts().warnings {
            tell!("warning: {warning}");
        }
        if summary.holes.is_empty() {
            return Ok(Done::Clean);
        }
        tell!("holes: no sample for indices {:?}; rejections.jsonl lists the reasons", summary.holes);
        Ok(Done::WithFindings)
    }
}

fn print_estimate(estimate: &Estimate, json: bool) -> anyhow::Result<()> {
    if json {
        data!("{}", serde_json::to_string_pretty(estimate)?);
        return Ok(());
    }
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let Estimate {
        dataset,
        range: [first, end],
        conditions,
        samples,
        parts,
        image_bytes,
        text_bytes,
        seconds,
        threads,
        measured_samples,
    } = estimate;
    let [samples, conditions, parts, measured] = [
        counted(*samples, "sample"),
        counted(*conditions, "condition"),
        counted(*parts, "part"),
        counted(*measured_samples, "sample"),
    ];
    data!("{dataset}: {samples} (indices {first}..{end}, {conditions}) in {parts}");
    data!("about {:.1} MiB of images and {:.1} MiB of text", mib(*image_bytes), mib(*text_bytes));
    data!("about {seconds:.0} s with {}, estimated from {measured}", counted(*threads, "thread"));
    Ok(())
}

impl RunArgs {
    /// The number of worker threads, if one was given.
    pub(super) fn threads(&self) -> Option<usize> {
        self.threads
    }

    /// What is meant. `what` names the output folder unless one was given.
    pub(super) fn request(self, what: &str) -> Result<Request, Error> {
        let Self {
            n,
            seed,
            out,
            shard,
            range,
            threads,
            overlay,
            format,
            quality,
            records,
            compress_records,
            force,
            extend,
            sync,
            dry_run,
            json,
        } = self;
        let n = n.ok_or_else(|| Error::config("--n", "not given, expected the number of samples"))?;
        if n == 0 {
            return Err(Error::config("--n 0", "expected at least 1"));
        }
        let range = match (range, shard) {
            (Some(range), _) => parse_range(&range, n)?,
            (None, Some(shard)) => parse_shard(&shard, n)?,
            (None, None) => 0..n,
        };
        // Parts of one run, begun side by side with one command, must not meet in one folder.
        let part = if range == (0..n) { String::new() } else { format!("-i{}-{}", range.start, range.end) };
        let format = ImageFormat::from(format);
        if let Some(quality) = quality.filter(|_| format != ImageFormat::Jpeg) {
            let problem = format!("{} images are lossless, expected --format jpeg beside it", format.extension());
            return Err(Error::config(format!("--quality {quality}"), problem));
        }
        let form = Form {
            // What is asked for by name is no other dataset than the default.
            quality: quality.filter(|&quality| quality != JPEG_QUALITY),
            records: records.into(),
            compressed: compress_records,
        };
        let settings = RunSettings {
            out: out.unwrap_or_else(|| format!("windesk-{what}-s{seed}-n{n}{part}").into()),
            count: n,
            range,
            format,
            form,
            threads: super::threads_or_all(threads),
            overlay,
            force,
            durability: sync.durability(),
            command_line: super::command_line(),
        };
        Ok(Request { settings, extend, dry_run, json })
    }
}

/// `WIDTHxHEIGHT`.
pub(super) fn parse_canvas(text: &str) -> Result<Size, Error> {
    let bad = || Error::config(format!("--canvas {text}"), "expected WIDTHxHEIGHT in pixels, such as 2560x1440");
    let (width, height) = text.split_once('x').ok_or_else(bad)?;
    let size = [width.parse().map_err(|_| bad())?, height.parse().map_err(|_| bad())?];
    Size::try_from(size).map_err(|problem| Error::config(format!("--canvas {text}"), problem))
}

fn parse_range(text: &str, n: u64) -> Result<Range<u64>, Error> {
    let bad = |problem: String| Error::config(format!("--range {text}"), problem);
    let parsed = text.split_once("..").and_then(|(a, b)| Some(a.trim().parse().ok()?..b.trim().parse().ok()?));
    let range: Range<u64> = parsed.ok_or_else(|| bad("expected A..B, two indices, the second not included".into()))?;
    if range.start < range.end && range.end <= n {
        Ok(range)
    } else {
        Err(bad(format!("expected A below B and B at most {n}, the number of samples")))
    }
}

/// `i/n`, or `auto[/n]`: the one place that reads the environment of job schedulers.
fn parse_shard(text: &str, n: u64) -> Result<Range<u64>, Error> {
    let bad = |problem: String| Error::config(format!("--shard {text}"), problem);
    let variable = |names: &[&str]| names.iter().find_map(|name| std::env::var(name).ok()).and_then(|v| v.parse::<u64>().ok());
    let (at, of) = text.split_once('/').map_or((text, None), |(at, of)| (at, Some(of)));
    let at = if at == "auto" {
        variable(&["JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID"])
            .ok_or_else(|| bad("found neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID in the environment".into()))?
    } else {
        at.parse().map_err(|_| bad("expected I/N, such as 0/4, or auto".into()))?
    };
    let of = match of {
        Some(of) => of.parse().map_err(|_| bad("expected a number of shards after `/`".into()))?,
        None => {
            variable(&["JOB_COMPLETIONS", "SLURM_ARRAY_TASK_COUNT"]).ok_or_else(|| bad("expected I/N, such as 0/4".into()))?
        }
    };
    if at >= of || of > n {
        return Err(bad(format!(
            "expected a shard below {of}, and at most {} for {}",
            counted(n, "shard"),
            counted(n, "sample")
        )));
    }
    let border = |shard: u64| (u128::from(n) * u128::from(shard) / u128::from(of)) as u64;
    Ok(border(at)..border(at + 1))
}
