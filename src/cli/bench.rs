//! `windesk bench`: a benchmark by its name, or the sweeps and levels of a protocol in one dataset.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use windesk::request::{Narrowing, sweep_among_others};
use windesk::shipped;
use windesk_dataset::{Bench, LEVELS_SWEEP};
use windesk_engine::config::variant::{Changes, named_condition};
use windesk_engine::study::Study;
use windesk_model::Error;
use windesk_model::condition::{Condition, Pairing, Protocol};

use super::generate::GenerateArgs;
use super::{Done, benchmark};

/// Flags of `windesk bench`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk bench --list
  windesk bench windesk-2
  windesk bench windeskground --n 1356
  windesk bench windesk --traverse --instructions reviewed
  windesk bench windesk --n 200 --sweeps all --chrome none --out everything

A benchmark (windesk-1, windesk-2) is made exactly as its file says, or not at all: no option changes it, and its digests are compared.
See docs/benchmarks.md.

With a protocol (windesk, windeskground) the options decide. Protocol I is the sweeps. Protocol II is L1 to L5, planned
jointly, and the target's window alone (baseline). A setting holds for the base of all of them; a sweep that varies it keeps its own
values, which is told.", mut_arg("n", |n| n.required(false)))]
pub(super) struct BenchArgs {
    /// Name or file of a benchmark; or rules: `windesk`, or `windeskground` for those of the paper's released
    /// generator.
    #[arg(value_name = "NAME|FILE.toml|PROTOCOL", required_unless_present = "list")]
    what: Option<String>,
    /// List the benchmarks and what each holds.
    #[arg(long, conflicts_with_all = ["what", "freeze"])]
    list: bool,
    /// Protocols: sweeps of Protocol I, or `all`.
    #[arg(long, value_name = "SWEEP", value_delimiter = ',', default_value = SWEEPS)]
    sweeps: Vec<String>,
    /// Protocols: use every target that all conditions can use, once per condition, instead of drawing N.
    #[arg(long)]
    traverse: bool,
    /// Draft of a benchmark: make it, and write its file with pack, engine, counts and digests here.
    #[arg(long, value_name = "FILE.toml")]
    freeze: Option<PathBuf>,
    #[command(flatten)]
    generate: GenerateArgs,
}

/// The flags, and which of them were given: a benchmark refuses those that would change it, even with their defaults.
#[derive(Debug)]
pub(super) struct BenchCommand {
    args: BenchArgs,
    /// Their ids.
    given: Vec<String>,
}

impl Args for BenchCommand {
    fn augment_args(command: Command) -> Command {
        BenchArgs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        BenchArgs::augment_args_for_update(command)
    }
}

impl FromArgMatches for BenchCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        let given = matches.ids().filter(typed).map(|id| id.as_str().to_owned()).collect();
        Ok(Self { args: BenchArgs::from_arg_matches(matches)?, given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The sweeps of Protocol I.
const SWEEPS: &str = "occlusion,semantic,clutter";

/// What the target's window alone is called among the sweeps.
const BASELINE: &str = "baseline";

/// Runs `windesk bench`.
pub(super) fn bench(command: BenchCommand) -> anyhow::Result<Done> {
    let BenchCommand { args, given } = command;
    let BenchArgs { what, list: _, sweeps, traverse, freeze, mut generate } = args;
    let Some(rules) = what else { return benchmark::list(&given) };
    if ![Protocol::Windesk, Protocol::Windeskground].iter().any(|protocol| protocol.name() == rules) {
        return benchmark::bench(&rules, generate, &given, freeze);
    }
    if freeze.is_some() {
        return Err(Error::config("--freeze", "found with a protocol, expected the file of a benchmark").into());
    }
    if !traverse && generate.output.n.is_none() {
        return Err(Error::config("--n <N>", "not given, expected the number of indices, or --traverse").into());
    }
    if let Some(other) = generate.protocol.replace(rules.clone()) {
        return Err(
            Error::config(format!("--protocol {other}"), "the bench already names its protocol, expected no --protocol").into()
        );
    }
    if traverse && generate.output.n.is_some() {
        return Err(Error::config("--traverse", "found together with --n, expected one of them").into());
    }
    let sets = generate.sets()?;
    let seed = generate.output.seed;
    let names: Vec<&str> = match sweeps.iter().any(|s| s == "all") {
        true => all_sweeps(&rules, traverse),
        false => sweeps.iter().map(String::as_str).collect(),
    };
    let (mut studies, left) = studies(&names, &sets, &generate.narrowing())?;
    for (change, sweeps) in left {
        let vary = if sweeps.len() == 1 { "varies" } else { "vary" };
        tell!("{change}: left as it is in {}, which {vary} it", sweeps.join(", "));
    }
    if let Some(own) = studies.iter().find(|study| traverse && study.pairing == Pairing::None) {
        let problem = "has its own targets in every condition, but --traverse needs sweeps that share them";
        let sweep = own.sweep.as_deref().unwrap_or_default();
        return Err(Error::config(format!("--sweeps {sweep}"), problem).into());
    }
    let label = name(&rules, traverse, &mut studies)?;
    generate.run_bench(Bench::new(format!("{label}-s{seed}"), seed, studies), &label, traverse)
}

/// Changes that sweeps leave out, each with the names of these sweeps.
type Left = BTreeMap<String, Vec<String>>;

/// Studies of these sweeps, of the target's window alone, and of the levels. What a sweep's conditions set themselves
/// stays as it is in that sweep.
fn studies(sweeps: &[&str], sets: &[String], narrowing: &Narrowing) -> Result<(Vec<Study>, Left), Error> {
    let (mut studies, mut left) = (Vec::new(), Left::new());
    for name in sweeps.iter().copied().filter(|name| *name != BASELINE).chain([BASELINE]) {
        let (sweep, changes) = sweep_among_others(name, sets, narrowing)?;
        for change in changes {
            left.entry(change).or_default().push(format!("sweep {}", sweep.name));
        }
        studies.push(study(&sweep.name, sweep.pairing, sweep.conditions));
    }
    let mut levels = shipped::LEVELS.iter().map(|(name, _)| shipped::level(name, sets)).collect::<Result<Vec<_>, _>>()?;
    levels.iter_mut().try_for_each(|level| narrowing.apply(level))?;
    studies.push(study(LEVELS_SWEEP, Pairing::Targets, levels));
    Ok((studies, left))
}

/// The name that the bench deserves: that of its protocol if nothing was changed. Changed levels get theirs.
fn name(rules: &str, traverse: bool, studies: &mut [Study]) -> Result<String, Error> {
    let protocol = [format!("protocol={rules}")];
    let (unchanged, _) = self::studies(&SWEEPS.split(',').collect::<Vec<_>>(), &protocol, &Narrowing::default())?;
    let sweeps = |studies: &[Study]| studies.iter().filter_map(|s| s.sweep.clone()).collect::<Vec<_>>();
    let mut changes = Changes::default();
    if sweeps(studies) == sweeps(&unchanged) {
        for (before, now) in unchanged.iter().zip(&*studies) {
            changes = changes.and(Changes::between(&before.conditions, &now.conditions));
        }
    } else {
        let conditions: Vec<&Condition> = studies.iter().flat_map(|study| &study.conditions).collect();
        changes = Changes::between(&[], &conditions).with("sweeps", sweeps(studies));
    }
    if traverse {
        changes = changes.with("traverse", true);
    }
    if let (Some(before), Some(now)) = (unchanged.last(), studies.last_mut()) {
        for (before, now) in before.conditions.iter().zip(&mut now.conditions) {
            *now = named_condition(Some(before), now.clone());
        }
    }
    Ok(changes.name(&format!("bench-{rules}")))
}

/// The sweeps that the protocol has, and with `traverse` those whose conditions share their targets.
fn all_sweeps(rules: &str, traverse: bool) -> Vec<&'static str> {
    let mut names: Vec<&str> = shipped::SWEEPS.iter().map(|(name, _)| *name).collect();
    names.retain(|name| !traverse || *name != "target-size");
    if rules == Protocol::Windeskground.name() {
        names.retain(|name| !shipped::WINDESK_SWEEPS.contains(name));
        tell!("left out, because protocol {rules} has no such knob: {}", shipped::WINDESK_SWEEPS.join(", "));
    }
    names
}

/// A study of the bench, which gives it name and seed.
fn study(sweep: &str, pairing: Pairing, conditions: Vec<Condition>) -> Study {
    Study { name: String::new(), sweep: Some(sweep.to_owned()), pairing, conditions, seed: 0, traverse: false }
}
