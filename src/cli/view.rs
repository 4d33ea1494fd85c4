//! `windesk view`, `stats` and `diff`: looking at finished datasets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde_json::Value;

use windesk_dataset::{Leaks, ScenesReader, Shortcuts, Stats, ViewSettings, difference, leaks, open_manifest, write_view};
use windesk_files::{MAX_WHOLE_BYTES, Root};
use windesk_model::plural::counted;
use windesk_model::record::SceneRecord;

use super::overlay::beside;
use super::progress::Bar;
use super::{Done, folder, threads_or_all};

/// Flags of `windesk view`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  windesk view windesk-L4-s0-n500     # then open windesk-L4-s0-n500-view/index.html in a browser")]
pub(super) struct ViewArgs {
    /// Folder of the dataset.
    dataset: PathBuf,
    /// Folder to write the gallery to [default: <dataset>-view].
    #[arg(long, value_name = "DIR", value_parser = folder())]
    out: Option<PathBuf>,
    /// Show only the first N scenes.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: usize,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
}

/// Flags of `windesk stats`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk stats windesk-L4-s0-n500
  windesk stats test --leaks train")]
pub(super) struct StatsArgs {
    /// Folder of the dataset.
    dataset: PathBuf,
    /// Print all counts as JSON.
    #[arg(long)]
    json: bool,
    /// Instead, count what another dataset asks too, in nearly the same words about an element that looks nearly the
    /// same: a test dataset should share next to nothing with what a model was trained on.
    #[arg(long, value_name = "DATASET", conflicts_with = "json")]
    leaks: Option<PathBuf>,
}

/// Flags of `windesk diff`.
#[derive(Debug, Args)]
#[command(after_help = "Exit code 0 if the scenes are the same, 1 if they differ.")]
pub(super) struct DiffArgs {
    /// Folder of the first dataset.
    a: PathBuf,
    /// Folder of the second dataset.
    b: PathBuf,
}

/// Runs `windesk view`.
pub(super) fn view(args: ViewArgs) -> anyhow::Result<Done> {
    let out = match args.out {
        Some(out) => out,
        None => beside(&args.dataset, "-view")?,
    };
    let shown = write_view(
        &args.dataset,
        &out,
        &ViewSettings { limit: args.limit, threads: threads_or_all(args.threads), commands },
        &Bar::default(),
    )?;
    data!("{}", out.join("index.html").display());
    tell!("{}", counted(shown, "scene"));
    Ok(Done::Clean)
}

/// How a scene is looked up and drawn again.
fn commands(dataset: &Path, scene: &SceneRecord) -> Vec<String> {
    let (folder, id) = (dataset.display(), &scene.id);
    let mut commands =
        vec![format!("windesk inspect {folder} {id}"), format!("windesk overlay {folder} --id {id} --out overlay.png")];
    // Plans of icon probes are not replayed.
    if !scene.truth.windows.is_empty() {
        commands.push(format!("windesk replay {folder} --id {id} --out replayed.png"));
    }
    commands
}

/// Runs `windesk stats`.
pub(super) fn stats(args: StatsArgs) -> anyhow::Result<Done> {
    if let Some(other) = &args.leaks {
        print_leaks(&leaks(&args.dataset, other, &Bar::default())?);
        return Ok(Done::Clean);
    }
    let manifest = open_manifest(&args.dataset)?;
    let path = args.dataset.join("stats.json");
    let text = Root::new(&args.dataset).text("stats.json", MAX_WHOLE_BYTES)?;
    if args.json {
        super::streams::write_text(&text);
        return Ok(Done::Clean);
    }
    let stats: Stats = serde_json::from_str(&text).with_context(|| format!("{}: expected statistics", path.display()))?;
    data!(
        "{}: {}, pack {} {}, engine {}",
        manifest.dataset,
        counted(manifest.samples, "sample"),
        manifest.pack.name,
        manifest.pack.version,
        manifest.engine_version
    );
    for (name, counts) in &stats.conditions {
        let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / counts.scenes.max(1) as f64);
        data!(
            "\n{name}: {}, {:.2} draws per {}, {}",
            if counts.tasks > 0 {
                format!("{} of {}", counted(counts.scenes, "keyframe"), counted(counts.tasks, "task"))
            } else {
                counted(counts.scenes, "scene")
            },
            counts.draws_per_sample(),
            if counts.tasks > 0 { "task" } else { "sample" },
            counted(counts.elements, "element")
        );
        data!("  target's window active in {}, topmost in {}", share(counts.target_active), share(counts.target_topmost));
        for (title, map) in [
            ("categories", &counts.category),
            ("programs", &counts.app),
            ("roles", &counts.role),
            ("target sizes", &counts.target_size),
            ("visible ratio", &counts.visible_ratio),
            ("windows", &counts.windows),
            ("layouts", &counts.layout),
            ("rejected draws", &counts.rejections),
        ] {
            data!("  {title}: {}", most_frequent(map));
        }
        if counts.absent > 0 || counts.extra_targets > 0 {
            data!("  absent targets in {}, {}", share(counts.absent), counted(counts.extra_targets, "further target"));
        }
        data!("  hits without reading the instruction: {}", guesses(&counts.shortcuts));
    }
    Ok(Done::Clean)
}

/// Most leaks that are listed.
const LISTED_LEAKS: usize = 20;

fn print_leaks(leaks: &Leaks) {
    let share = |count: usize| 100.0 * count as f64 / leaks.targets.max(1) as f64;
    data!(
        "{}: {} ({:.2} %) asked there too in nearly the same words, {} ({:.2} %) of an element that looks nearly the same",
        counted(leaks.targets, "target"),
        leaks.same_words,
        share(leaks.same_words),
        leaks.leaked.len(),
        share(leaks.leaked.len())
    );
    leaks.leaked.iter().take(LISTED_LEAKS).for_each(|[own, other]| data!("  {own}  {other}"));
    if leaks.leaked.len() > LISTED_LEAKS {
        data!("  and {} more", leaks.leaked.len() - LISTED_LEAKS);
    }
}

/// What guesses hit that read no instruction, best first.
fn guesses(shortcuts: &Shortcuts) -> String {
    let mut hits: Vec<(String, f64)> =
        shortcuts.expected_hits.keys().map(|guess| (guess.replace('_', " "), shortcuts.share(guess))).collect();
    hits.push(("the best fixed point".to_owned(), shortcuts.best_fixed_point()));
    hits.sort_by(|a, b| b.1.total_cmp(&a.1));
    hits.iter().map(|(guess, share)| format!("{guess} {:.2} %", 100.0 * share)).collect::<Vec<_>>().join(", ")
}

/// Most values that a line of statistics names.
const NAMED: usize = 8;

fn most_frequent(counts: &BTreeMap<String, u64>) -> String {
    if counts.is_empty() {
        return "none".to_owned();
    }
    let mut sorted: Vec<(&String, &u64)> = counts.iter().collect();
    sorted.sort_by_key(|&(_, &count)| std::cmp::Reverse(count));
    let named: Vec<String> = sorted.iter().take(NAMED).map(|(value, count)| format!("{value} {count}")).collect();
    let more = if sorted.len() > NAMED { format!(", and {} more", sorted.len() - NAMED) } else { String::new() };
    format!("{}{more}", named.join(", "))
}

/// Runs `windesk diff`.
pub(super) fn diff(args: DiffArgs) -> anyhow::Result<Done> {
    let [a, b] = [open_manifest(&args.a)?, open_manifest(&args.b)?];
    let mut findings = 0_u64;
    let mut report = |line: String| {
        findings += 1;
        data!("{line}");
    };
    for (field, a, b) in [
        ("dataset", &a.dataset, &b.dataset),
        ("tool_version", &a.tool_version, &b.tool_version),
        ("pack", &a.pack.digest, &b.pack.digest),
        ("study", &a.study.to_string(), &b.study.to_string()),
        ("format", &a.format.extension().to_owned(), &b.format.extension().to_owned()),
        ("form", &serde_json::to_string(&a.form)?, &serde_json::to_string(&b.form)?),
        ("range", &format!("{:?}", a.range), &format!("{:?}", b.range)),
    ] {
        if a != b {
            let shown = if a.len() + b.len() < 200 { format!("{a} / {b}") } else { "differs".to_owned() };
            report(format!("manifest.json: {field}: {shown}"));
        }
    }
    // Both are in the order of their keys: one pass over both, holding one scene of each.
    let key = |scene: &windesk_model::record::SceneRecord| (scene.key.index, scene.condition.clone());
    let order = |manifest: &Value, condition: &str| {
        manifest["conditions"].as_array().into_iter().flatten().position(|c| c["name"] == condition)
    };
    let (mut left, mut right) = (ScenesReader::open(&args.a, &a).peekable(), ScenesReader::open(&args.b, &b).peekable());
    let mut same = 0_u64;
    loop {
        let place = |scene: Option<&Result<windesk_model::record::SceneRecord, _>>, study: &Value| {
            scene.and_then(|s| s.as_ref().ok()).map(|s| (s.key.index, order(study, &s.condition)))
        };
        let places = (place(left.peek(), &a.study), place(right.peek(), &b.study));
        let (one, other) = match places {
            (Some(l), Some(r)) if l == r => (left.next(), right.next()),
            (Some(l), Some(r)) if l < r => (left.next(), None),
            (Some(_), None) if right.peek().is_none() => (left.next(), None),
            (None, Some(_)) if left.peek().is_none() => (None, right.next()),
            (Some(_), Some(_)) => (None, right.next()),
            _ => (left.next(), right.next()),
        };
        match (one.transpose()?, other.transpose()?) {
            (None, None) => break,
            (Some(one), None) => report(format!("{}: only in {}", one.id, args.a.display())),
            (None, Some(other)) => report(format!("{}: only in {}", other.id, args.b.display())),
            (Some(one), Some(other)) if key(&one) == key(&other) => {
                let [l, r] = [&one, &other].map(|scene| serde_json::to_vec(scene).expect("plain data"));
                if l == r {
                    same += 1;
                } else {
                    report(format!("{}: {}", one.id, difference(&l, &r)));
                }
            }
            (Some(one), Some(other)) => report(format!("{}: found {} in its place", one.id, other.id)),
        }
    }
    tell!("{}, {}", counted(same, "equal scene"), counted(findings, "difference"));
    Ok(if findings == 0 { Done::Clean } else { Done::WithFindings })
}
