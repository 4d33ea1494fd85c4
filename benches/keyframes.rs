//! What the PNG files of a task's keyframes cost, each made after the one before, beside the same keyframes made alone
//! and as many unrelated scenes of the level: `cargo bench --bench keyframes`. Pictures are prepared. The tasks are
//! those that `windesk tasks` makes where nothing else is asked for.

use std::sync::OnceLock;

use divan::Bencher;
use divan::counter::ItemsCount;
use windesk::default_pack::open_default;
use windesk::desktop::task::{Goals, TaskPool, TaskStudy};
use windesk::engine::pack::IndexedPack;
use windesk::engine::planner::TargetPool;
use windesk::engine::render::Renderer;
use windesk::engine::study::Study;
use windesk::model::condition::Pairing;
use windesk::model::plan::Plan;
use windesk::model::task::TaskKind;
use windesk::shipped::level;

/// As many as the tasks of a level that are usually made: of a fifth of them, figures differ by a tenth.
const TASKS: u64 = 500;
const LEVELS: [&str; 3] = ["L1", "L3", "L5"];

/// Keyframes of a level, task by task, and as many scenes.
struct Prepared {
    tasks: Vec<Vec<Plan>>,
    scenes: Vec<Plan>,
    renderer: Renderer<'static>,
}

impl Prepared {
    fn keyframes(&self) -> impl Iterator<Item = &Plan> {
        self.tasks.iter().flatten()
    }
}

fn pack() -> &'static IndexedPack {
    static PACK: OnceLock<IndexedPack> = OnceLock::new();
    PACK.get_or_init(|| {
        let (mut pack, _) = open_default(&[]).unwrap_or_else(|error| panic!("{error}"));
        pack.cache_pictures_in(concat!(env!("CARGO_TARGET_TMPDIR"), "/pictures").into());
        pack.indexed().expect("an index")
    })
}

fn prepared(name: &str) -> Prepared {
    let pack = pack();
    let workflows = pack.workflows().expect("workflows");
    let study = TaskStudy {
        name: "bench".to_owned(),
        conditions: vec![level(name, &[]).expect("a shipped level")],
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
    let prepared = Prepared { tasks, scenes, renderer: Renderer::new(pack).expect("fonts") };
    prepared.keyframes().chain(&prepared.scenes).for_each(|plan| drop(encoded(&prepared, plan)));
    prepared
}

fn encoded(prepared: &Prepared, plan: &Plan) -> Vec<u8> {
    prepared.renderer.encode_png(plan).expect("a plan of this pack")
}

fn files(prepared: &Prepared) -> ItemsCount {
    ItemsCount::new(prepared.scenes.len())
}

#[divan::bench(args = LEVELS, sample_count = 3)]
fn in_a_row(bencher: Bencher, level: &str) {
    let prepared = prepared(level);
    bencher.counter(files(&prepared)).bench_local(|| {
        for plans in &prepared.tasks {
            prepared.renderer.encode_in_a_row(plans).for_each(|file| drop(file.expect("a plan of this pack")));
        }
    });
}

#[divan::bench(args = LEVELS, sample_count = 3)]
fn alone(bencher: Bencher, level: &str) {
    let prepared = prepared(level);
    bencher.counter(files(&prepared)).bench_local(|| prepared.keyframes().for_each(|plan| drop(encoded(&prepared, plan))));
}

#[divan::bench(args = LEVELS, sample_count = 3)]
fn unrelated(bencher: Bencher, level: &str) {
    let prepared = prepared(level);
    bencher.counter(files(&prepared)).bench_local(|| prepared.scenes.iter().for_each(|plan| drop(encoded(&prepared, plan))));
}

fn main() {
    divan::main();
}
