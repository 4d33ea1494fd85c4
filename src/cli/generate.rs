//! What all commands that make scenes share: flags, checks against the pack, the run and its report.

use clap::Args;

use windesk::request::{Narrowing, balance_set};
use windesk_dataset::{Bench, BenchScenes, RunSummary, Scenes};
use windesk_engine::study::Study;
use windesk_model::Error;
use windesk_model::condition::{Condition, InstructionChoice};
use windesk_model::geometry::Size;
use windesk_model::plural::counted;

use super::run::{RunArgs, parse_canvas};
use super::{Done, PackArgs};

/// Flags of every command that makes scenes of windows.
#[derive(Debug, Args)]
pub(super) struct GenerateArgs {
    #[command(flatten)]
    pub(super) pack: PackArgs,
    /// Rules for making scenes: `windesk` [default], or `windeskground` for those of the paper's released generator.
    #[arg(long, value_name = "PROTOCOL")]
    pub(super) protocol: Option<String>,
    /// Set a key of the level or of a sweep's base, such as `windows=4..6` or `distractor.rank=3`, but for what the
    /// sweep varies; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) set: Vec<String>,
    /// What the desktop shows besides windows: none, shadows, taskbar (shadows and the shell) or full (icons too).
    #[arg(long, value_name = "CHROME")]
    pub(super) chrome: Option<String>,
    /// Mouse pointer: session (the session's, where it has one) [default], or none.
    #[arg(long, value_name = "POINTER")]
    pub(super) pointer: Option<String>,
    /// Size of the screen, such as 1920x1080.
    #[arg(long, value_name = "WxH")]
    pub(super) canvas: Option<String>,
    /// Which instructions to use: reviewed, all, or auto [default]: reviewed if the pack has enough of them, else all.
    #[arg(long, value_name = "CHOICE")]
    pub(super) instructions: Option<String>,
    /// Ids of the wallpapers, comma-separated.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(super) wallpaper: Vec<String>,
    /// Only targets of these categories.
    #[arg(long, value_name = "CATEGORY", value_delimiter = ',')]
    pub(super) category: Vec<String>,
    /// Only targets of these programs.
    #[arg(long, value_name = "APP", value_delimiter = ',')]
    pub(super) app: Vec<String>,
    /// Only targets of these role groups (button, menu_item, tab, ..).
    #[arg(long, value_name = "ROLE", value_delimiter = ',')]
    pub(super) role: Vec<String>,
    /// Only targets that show their name (`text`) or don't (`icon`).
    #[arg(long, value_name = "TYPE", value_delimiter = ',')]
    pub(super) ui_type: Vec<String>,
    /// Only targets of these sizes: small, medium, large.
    #[arg(long, value_name = "SIZE", value_delimiter = ',')]
    pub(super) target_size: Vec<String>,
    /// Draw targets uniformly over these first: role, ui-type, target-size; or app or element instead of categories.
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(super) balance: Vec<String>,
    /// Show windows of one session per scene (default), as on one person's desktop, or of any.
    #[arg(long, value_name = "one|mixed")]
    pub(super) sessions: Option<String>,
    /// Show windows of living programs in varied states (default), as on a desktop that is used, or as captured.
    #[arg(long, value_name = "varied|captured")]
    pub(super) states: Option<String>,
    /// Draw targets of these sessions only.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(super) session: Vec<String>,
    /// Make scenes from one part of the pack; train and test share no program, wallpaper or instruction.
    #[arg(long, value_name = "train|test")]
    pub(super) split: Option<String>,
    /// Ask for up to K elements per scene, or all possible ones; visible ratio and distractors hold only for the first.
    #[arg(long, value_name = "K|all")]
    pub(super) targets_per_scene: Option<String>,
    /// Share of scenes that ask for an element that is not there, 0 to 1.
    #[arg(long, value_name = "SHARE")]
    pub(super) absent_share: Option<String>,
    #[command(flatten)]
    pub(super) output: RunArgs,
}

impl GenerateArgs {
    /// `--set` and the flags that stand for one, as `key=value`.
    pub(super) fn sets(&self) -> Result<Vec<String>, Error> {
        let mut sets = self.set.clone();
        let mut add = |key: &str, value: &Option<String>| sets.extend(value.iter().map(|v| format!("{key}={v}")));
        add("protocol", &self.protocol);
        add("chrome", &self.chrome);
        add("pointer", &self.pointer);
        add("instructions", &self.instructions);
        add("sessions", &self.sessions);
        add("states", &self.states);
        add("split", &self.split);
        add("targets_per_scene", &self.targets_per_scene);
        add("absent_share", &self.absent_share);
        sets.extend(balance_set(&self.balance)?);
        if let Some(canvas) = &self.canvas {
            let Size { width, height } = parse_canvas(canvas)?;
            sets.push(format!("canvas=[{width}, {height}]"));
        }
        Ok(sets)
    }

    /// The flags that say what targets may be, and what lies behind them.
    pub(super) fn narrowing(&self) -> Narrowing {
        Narrowing {
            categories: self.category.clone(),
            apps: self.app.clone(),
            roles: self.role.clone(),
            ui_types: self.ui_type.clone(),
            target_sizes: self.target_size.clone(),
            sessions: self.session.clone(),
            wallpapers: self.wallpaper.clone(),
        }
    }

    /// Makes a study's dataset, its conditions refined and named. `label` names the default folder.
    pub(super) fn run(self, study: Study, label: &str) -> anyhow::Result<Done> {
        let pack = KeptToTheEnd::new(self.pack.open_part(study.conditions[0].split)?);
        self.narrowing().check(&pack, &study.conditions)?;
        let request = self.output.request(label)?;
        let conditions = study.conditions.clone();
        request.carry_out(&pack, &Scenes::new(&pack, study)?, |summary| tell(&conditions, summary))
    }

    /// Makes a bench's dataset. With `traverse` every target that all conditions can use is asked for once in each.
    pub(super) fn run_bench(mut self, mut bench: Bench, label: &str, traverse: bool) -> anyhow::Result<Done> {
        let pack = KeptToTheEnd::new(self.pack.open_part(bench.conditions().next().and_then(|c| c.split))?);
        let conditions: Vec<Condition> = bench.conditions().cloned().collect();
        self.narrowing().check(&pack, &conditions)?;
        if traverse {
            bench.studies.iter_mut().for_each(|study| study.traverse = true);
            let targets = bench.traversal(&pack)?.len() as u64;
            tell!("targets: {targets} can be used in all of {}", counted(conditions.len(), "condition"));
            self.output.n = Some(targets);
        }
        let request = self.output.request(label)?;
        request.carry_out(&pack, &BenchScenes::new(&pack, bench)?, |summary| tell(&conditions, summary))
    }
}

/// The process ends with the run. To take a pack apart piece by piece before would cost a tenth of opening it.
type KeptToTheEnd<T> = std::mem::ManuallyDrop<T>;

/// What is worth knowing of each condition.
fn tell(conditions: &[Condition], summary: &RunSummary) {
    for condition in conditions {
        let Some(stats) = summary.stats.conditions.get(&condition.name) else { continue };
        let share = |count: u64| 100.0 * count as f64 / stats.scenes.max(1) as f64;
        tell!(
            "  {}: {}, {:.2} draws per sample, median similarity {}, target active in {:.1} %, topmost in {:.1} %",
            condition.name,
            counted(stats.scenes, "scene"),
            stats.draws_per_sample(),
            stats.median_similarity().map_or("-".to_owned(), |m| format!("{m:.2}")),
            share(stats.target_active),
            share(stats.target_topmost),
        );
    }
    if conditions.iter().any(|c| c.instructions == InstructionChoice::Reviewed) {
        tell!("only reviewed instructions were used");
    }
}
