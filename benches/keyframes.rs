//! What the PNG files of a task's keyframes cost, each made after the one before, beside the same keyframes made alone
//! and as many unrelated scenes of the level: `cargo bench --bench keyframes [-- LEVEL..]`. Pictures are prepared. The
//! tasks are those that `windesk tasks` makes where nothing else is asked for. Of each file the quickest of some rounds
//! counts: other programs on the machine change a whole round by more than what is compared.
#![expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a bench takes times and prints them")]

use std::time::{Duration, Instant};

use windesk::default_pack::open_default;
use windesk::desktop::task::{Goals, TaskPool, TaskStudy};
use windesk::engine::pack::IndexedPack;
use windesk::engine::planner::TargetPool;
use windesk::engine::render::Renderer;
use windesk::engine::study::Study;
use windesk::model::condition::Pairing;
use windesk::model::plan::Plan;
use windesk::model::task::TaskKind;
use windesk::shipped;

/// As many as the tasks of a level that are usually made: of a fifth of them, figures differ by a tenth.
const TASKS: u64 = 500;
const LEVELS: [&str; 3] = ["L1", "L3", "L5"];
/// Behind one that prepares pictures.
const ROUNDS: usize = 3;

/// Keyframes of a level, task by task, and as many scenes.
struct Prepared<'a> {
    tasks: Vec<Vec<Plan>>,
    scenes: Vec<Plan>,
    renderer: Renderer<'a>,
}

impl Prepared<'_> {
    fn keyframes(&self) -> impl Iterator<Item = &Plan> {
        self.tasks.iter().flatten()
    }
}

fn prepared<'a>(pack: &'a IndexedPack, name: &str) -> Prepared<'a> {
    let workflows = pack.workflows().expect("workflows");
    let study = TaskStudy {
        name: "bench".to_owned(),
        conditions: vec![shipped::level(name, &[]).expect("a shipped level")],
        seed: 0,
        kinds: TaskKind::ALL.to_vec(),
        steps: [2, 6],
        goals: Goals::All,
        workflows_sha256: workflows.sha256.clone(),
    };
    let pool = TaskPool::new(pack, &study, &workflows).expect("paths");
    let outcomes = (0..TASKS).map(|index| study.outcome(pack, &pool, index).expect("a sound pack"));
    let tasks: Vec<Vec<Plan>> = outcomes.filter_map(|outcome| outcome.plans).collect();
    let study = Study {
        name: "bench".to_owned(),
        sweep: None,
        pairing: Pairing::Targets,
        conditions: study.conditions,
        seed: 0,
        traverse: false,
    };
    let pool = TargetPool::new(pack, &study.conditions).expect("targets");
    let outcomes = (0..).map(|index| study.outcome(pack, &pool, index).expect("a sound pack"));
    let scenes = outcomes.filter_map(|outcome| outcome.plans).flatten().take(tasks.iter().flatten().count()).collect();
    Prepared { tasks, scenes, renderer: Renderer::new(pack).expect("fonts") }
}

fn encoded(prepared: &Prepared, plan: &Plan) -> Vec<u8> {
    prepared.renderer.encode_png(plan).expect("a plan of this pack")
}

/// The quickest time of each of some files.
struct Quickest(Vec<Duration>);

impl Quickest {
    fn of(count: usize) -> Self {
        Self(vec![Duration::MAX; count])
    }

    /// Makes all files, one after the other.
    fn time<T>(&mut self, mut files: impl Iterator<Item = T>) {
        for quickest in &mut self.0 {
            let begun = Instant::now();
            files.next().expect("as many files each time");
            *quickest = begun.elapsed().min(*quickest);
        }
    }

    /// Per file, ms.
    fn mean(&self) -> f64 {
        self.0.iter().sum::<Duration>().as_secs_f64() * 1e3 / self.0.len() as f64
    }
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let (mut pack, _) = open_default(&[]).unwrap_or_else(|error| panic!("{error}"));
    pack.cache_pictures_in(concat!(env!("CARGO_TARGET_TMPDIR"), "/pictures").into());
    let pack = pack.indexed().expect("an index");
    println!("ms per file     in a row    alone  unrelated  unrelated / in a row");
    for level in LEVELS.into_iter().filter(|level| asked.is_empty() || asked.iter().any(|asked| asked == level)) {
        let prepared = prepared(&pack, level);
        let count = prepared.scenes.len();
        let [mut in_a_row, mut alone, mut unrelated] = std::array::from_fn(|_| Quickest::of(count));
        for _ in 0..=ROUNDS {
            let renderer = &prepared.renderer;
            let in_tasks = prepared.tasks.iter().flat_map(|plans| renderer.encode_in_a_row(plans));
            in_a_row.time(in_tasks.map(|file| file.expect("a plan of this pack")));
            alone.time(prepared.keyframes().map(|plan| encoded(&prepared, plan)));
            unrelated.time(prepared.scenes.iter().map(|plan| encoded(&prepared, plan)));
        }
        let [in_a_row, alone, unrelated] = [in_a_row, alone, unrelated].map(|quickest| quickest.mean());
        println!("{level} ({count})   {in_a_row:9.2} {alone:8.2} {unrelated:10.2} {:10.2}", unrelated / in_a_row);
    }
}
