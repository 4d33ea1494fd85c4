//! What each stage of a scene costs, on the project's own pack: `cargo bench`. Pictures are prepared unless a bench
//! says otherwise.

use std::sync::OnceLock;

use divan::Bencher;
use windesk::default_pack::open_default;
use windesk::engine::annotate::annotate;
use windesk::engine::pack::{Focus, IndexedPack, Pack};
use windesk::engine::planner::{TargetPool, plan};
use windesk::engine::referee::verify;
use windesk::engine::render::{Channels, Encoder, Frame, ImageFormat, Renderer};
use windesk::engine::study::Study;
use windesk::model::condition::Condition;
use windesk::model::geometry::Size;
use windesk::model::index::WindowIndex;
use windesk::model::key::SampleKey;
use windesk::model::plan::Plan;
use windesk::shipped::level;

/// Scenes that each stage goes through in turn.
const SCENES: u64 = 16;
/// Scenes that show most of the pack's windows.
const WHOLE_PACK_SCENES: u64 = 600;
/// Where pictures are prepared.
const PICTURES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/pictures");

/// Everything that comes before the stage in question.
struct Prepared {
    pack: IndexedPack,
    study: Study,
    condition: Condition,
    pool: TargetPool,
    plans: Vec<Plan>,
}

fn open() -> Pack {
    open_default(&[]).unwrap_or_else(|error| panic!("{error}")).0
}

/// The pack with so many bytes for what is decoded.
fn indexed(cache_bytes: usize) -> IndexedPack {
    let mut pack = open();
    pack.cache_pictures_in(PICTURES.into());
    pack.set_cache_bytes(cache_bytes);
    pack.indexed().expect("an index")
}

fn prepared() -> &'static Prepared {
    static PREPARED: OnceLock<Prepared> = OnceLock::new();
    PREPARED.get_or_init(|| {
        // Room for all that these scenes show.
        let pack = indexed(1 << 30);
        let condition = level("L4", &[]).expect("a shipped level");
        let study = Study {
            name: "bench".to_owned(),
            sweep: None,
            pairing: windesk::model::condition::Pairing::Targets,
            conditions: vec![condition.clone()],
            seed: 0,
            traverse: false,
        };
        let pool = TargetPool::new(&pack, &study.conditions).expect("targets");
        let outcomes = (0..SCENES).map(|index| study.outcome(&pack, &pool, index).expect("a sound pack"));
        let plans: Vec<Plan> = outcomes.filter_map(|outcome| outcome.plans).flatten().collect();
        // Prepares every picture.
        let renderer = Renderer::new(&pack).expect("fonts");
        plans.iter().for_each(|plan| drop(renderer.encode_png(plan).expect("a picture")));
        Prepared { study, condition, pool, plans, pack }
    })
}

/// Calls `stage` with one plan after the other.
fn for_plans<T>(bencher: Bencher, stage: impl Fn(&'static Prepared, &Plan) -> T + Sync) {
    let prepared = prepared();
    let mut plans = prepared.plans.iter().cycle();
    bencher.with_inputs(|| plans.next().expect("a cycle")).bench_local_values(|plan| stage(prepared, plan));
}

#[divan::bench]
fn planning(bencher: Bencher) {
    let prepared = prepared();
    let mut index = 0;
    let keys = || {
        index = (index + 1) % SCENES;
        SampleKey { seed: 0, index, draw: 0 }
    };
    bencher.with_inputs(keys).bench_local_values(|key| plan(&prepared.pack, &prepared.pool, &prepared.condition, key).is_ok());
}

#[divan::bench]
fn verifying(bencher: Bencher) {
    for_plans(bencher, |prepared, plan| verify(&prepared.pack, &prepared.condition, plan).expect("a plan of this pack"));
}

#[divan::bench]
fn annotating(bencher: Bencher) {
    for_plans(bencher, |prepared, plan| annotate(&prepared.pack, plan, "bench").expect("a plan of this pack"));
}

/// A scene's truth as a line of its dataset.
#[divan::bench]
fn recording(bencher: Bencher) {
    for_plans(bencher, |prepared, plan| {
        let record = prepared.study.record(&prepared.pack, &prepared.condition, plan, "scene.png".to_owned());
        serde_json::to_vec(&record.expect("a plan of this pack")).expect("plain data")
    });
}

/// A scene's PNG file, as datasets hold it: composed and coded where it can't be copied.
#[divan::bench]
fn png_file(bencher: Bencher) {
    let renderer = Renderer::new(&prepared().pack).expect("fonts");
    for_plans(bencher, |_, plan| renderer.encode_png(plan).expect("a plan of this pack"));
}

/// All of a scene's pixels into a place that is there already, from windows that are decoded already: as RGB, as RGBA,
/// at half the size on both axes, and in a size that divides nothing evenly.
#[divan::bench(args = ["rgb", "rgba", "1280x720", "1092x616"])]
fn rendering_into(bencher: Bencher, what: &str) {
    let renderer = Renderer::new(&prepared().pack).expect("fonts");
    let (size, channels) = match what {
        "rgba" => (None, Channels::Rgba),
        "1280x720" => (Some(Size { width: 1280, height: 720 }), Channels::Rgb),
        "1092x616" => (Some(Size { width: 1092, height: 616 }), Channels::Rgb),
        _ => (None, Channels::Rgb),
    };
    let canvas = prepared().plans[0].canvas;
    let size = size.unwrap_or(canvas);
    let mut pixels = vec![0; size.width as usize * size.height as usize * channels.count()];
    let render = |plan: &Plan, pixels: &mut Vec<u8>| renderer.render_into(plan, size, channels, pixels);
    prepared().plans.iter().for_each(|plan| render(plan, &mut pixels).expect("a plan of this pack"));
    let mut plans = prepared().plans.iter().cycle();
    bencher.bench_local(|| render(plans.next().expect("a cycle"), &mut pixels).expect("a plan of this pack"));
}

/// The same as RGB for one scene of the whole pack after the other, with 512 MiB for what is decoded. All pictures are
/// prepared; few scenes show what the one before did.
#[divan::bench(sample_count = WHOLE_PACK_SCENES as u32, sample_size = 1)]
fn rendering_the_whole_pack(bencher: Bencher) {
    let Prepared { study, pool, .. } = prepared();
    let pack = indexed(512 << 20);
    let outcomes = (0..WHOLE_PACK_SCENES).map(|index| study.outcome(&pack, pool, index).expect("a sound pack"));
    let plans: Vec<Plan> = outcomes.filter_map(|outcome| outcome.plans).flatten().collect();
    let renderer = Renderer::new(&pack).expect("fonts");
    let canvas = plans[0].canvas;
    let mut pixels = vec![0; canvas.rect().area() as usize * Channels::Rgb.count()];
    let mut render = |plan: &Plan| renderer.render_into(plan, canvas, Channels::Rgb, &mut pixels).expect("a plan of this pack");
    plans.iter().for_each(&mut render);
    let mut plans = plans.iter().cycle();
    bencher.bench_local(|| render(plans.next().expect("a cycle")));
}

/// As much memory copied as a scene's picture has: what composing can't be faster than.
#[divan::bench]
fn copying_a_picture(bencher: Bencher) {
    let canvas = prepared().plans[0].canvas;
    let from = vec![7_u8; canvas.width as usize * canvas.height as usize * 3];
    let mut to = from.clone();
    bencher.bench_local(|| to.copy_from_slice(divan::black_box(&from)));
}

/// All of a scene's pixels in a picture of its own.
#[divan::bench]
fn rendering(bencher: Bencher) {
    let renderer = Renderer::new(&prepared().pack).expect("fonts");
    for_plans(bencher, |_, plan| renderer.render(plan).expect("a plan of this pack"));
}

/// A scene's JPEG file: composed and encoded.
#[divan::bench]
fn jpeg_file(bencher: Bencher) {
    let renderer = Renderer::new(&prepared().pack).expect("fonts");
    for_plans(bencher, |_, plan| ImageFormat::Jpeg.encode(&renderer.render(plan).expect("a plan of this pack")));
}

#[divan::bench(args = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Webp], sample_count = 20)]
fn encoding(bencher: Bencher, format: &ImageFormat) {
    let renderer = Renderer::new(&prepared().pack).expect("fonts");
    let frames: Vec<Frame> =
        prepared().plans[..4].iter().map(|plan| renderer.render(plan).expect("a plan of this pack")).collect();
    let mut next = frames.iter().cycle();
    bencher.with_inputs(|| next.next().expect("a cycle")).bench_local_values(|frame| format.encode(frame));
}

/// From a file to a picture in memory, the first time that a window is used.
#[divan::bench(args = [Focus::Active, Focus::Inactive])]
fn first_use_of_a_picture(bencher: Bencher, focus: &Focus) {
    let mut pack = open();
    let windows = pack.windows.len();
    let mut window = 0;
    bencher.bench_local(|| {
        if window == 0 {
            // Forgets all pictures.
            pack.set_cache_bytes(usize::MAX);
        }
        window = (window + 1) % windows;
        pack.pixels(WindowIndex(window), *focus).expect("a sound pack")
    });
}

fn main() {
    divan::main();
}
