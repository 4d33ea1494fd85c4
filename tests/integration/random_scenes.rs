//! Properties of scenes over drawn packs, conditions and keys.

use std::collections::BTreeSet;

use image::RgbImage;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use windesk::engine::pack::{IndexedPack, Pack, open_place};
use windesk::engine::planner::TargetPool;
use windesk::engine::render::Renderer;
use windesk::engine::study::{MAX_DRAWS, Outcome, Study};
use windesk::model::condition::{Band, ChromeMode, Condition, LayoutWeights, OccluderKnob, Pairing, Ratio, TargetKnobs};
use windesk::model::geometry::Point;
use windesk::model::plan::{Plan, Reason, Role};

use crate::random_condition::condition;
use crate::random_pack::{PackSpec, pack_spec};
use windesk_naive::{NaivePack, check_pixels, check_record};

/// Packs drawn per property. The packs are the same in every run.
const PACKS: u32 = 10;
/// Indices per pack and condition.
const INDICES: u64 = 4;

/// Runs `check` on drawn packs, each with three conditions. It returns how many samples it looked at: a drawn pack may
/// make a condition impossible, but hardly all of them.
fn for_drawn_packs(expected_samples: u64, check: impl Fn(&NaivePack, &IndexedPack, &[Condition], u64) -> u64) {
    let config = Config { cases: PACKS, max_shrink_iters: 60, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = (pack_spec(), (condition("A"), condition("B"), condition("C")), 0..1000_u64);
    let samples = std::cell::Cell::new(0);
    let run = |(spec, (a, b, c), seed): (PackSpec, _, u64)| {
        let folder = tempfile::tempdir().unwrap();
        spec.write(folder.path());
        let pack =
            Pack::open(open_place(folder.path()).unwrap()).and_then(Pack::indexed).unwrap_or_else(|error| panic!("{error}"));
        samples.set(samples.get() + check(&NaivePack::open(folder.path()), &pack, &[a, b, c], seed));
        Ok::<_, TestCaseError>(())
    };
    runner.run(&strategy, run).unwrap_or_else(|error| panic!("{error}"));
    assert!(samples.get() >= expected_samples, "{} samples, expected {expected_samples} at least", samples.get());
}

fn study(conditions: &[Condition], seed: u64) -> Study {
    Study {
        name: "drawn".to_owned(),
        sweep: None,
        pairing: Pairing::Targets,
        conditions: conditions.to_vec(),
        seed,
        traverse: false,
    }
}

fn record(study: &Study, pack: &IndexedPack, condition: &Condition, plan: &Plan) -> Value {
    serde_json::to_value(study.record(pack, condition, plan, "scene.png".to_owned()).unwrap()).unwrap()
}

/// Every spent draw is reported, in order, and never because planner and referee count differently.
fn check_draws(outcome: &Outcome, index: u64) {
    let spent = outcome.plans.as_ref().map_or(MAX_DRAWS, |plans| plans[0].key.draw);
    let reported: Vec<(u64, u32)> = outcome.rejections.iter().map(|r| (r.index, r.draw)).collect();
    assert_eq!(reported, (0..spent).map(|draw| (index, draw)).collect::<Vec<_>>());
    assert!(outcome.rejections.iter().all(|r| r.reason != Reason::NotVerified), "{:?}", outcome.rejections);
}

#[test]
fn every_sample_is_what_its_record_says() {
    for_drawn_packs(60, |naive, pack, conditions, seed| {
        let mut samples = 0;
        for condition in conditions {
            let Ok(pool) = TargetPool::new(pack, std::slice::from_ref(condition)) else {
                continue;
            };
            let study = study(std::slice::from_ref(condition), seed);
            for index in 0..INDICES {
                let outcome = study.outcome(pack, &pool, index).unwrap();
                check_draws(&outcome, index);
                for plan in outcome.plans.iter().flatten() {
                    let record = record(&study, pack, condition, plan);
                    check_record(naive, &record);
                    let windows = record["windows"].as_array().unwrap().len() as u32;
                    assert!((condition.windows[0]..=condition.windows[1]).contains(&windows), "{windows} windows");
                    assert!(plan.target.visible_px >= condition.target.min_visible_px);
                    samples += 1;
                }
            }
        }
        samples
    });
}

#[test]
fn every_picture_is_the_composition_of_its_layers() {
    for_drawn_packs(15, |naive, pack, conditions, seed| {
        let mut samples = 0;
        let renderer = Renderer::new(pack).unwrap();
        for condition in conditions {
            let Ok(pool) = TargetPool::new(pack, std::slice::from_ref(condition)) else {
                continue;
            };
            let study = study(std::slice::from_ref(condition), seed);
            let outcome = study.outcome(pack, &pool, 0).unwrap();
            for plan in outcome.plans.iter().flatten() {
                let record = record(&study, pack, condition, plan);
                let frame = renderer.render(plan).unwrap();
                let picture = RgbImage::from_raw(frame.size.width, frame.size.height, frame.rgb).unwrap();
                let shadows = condition.chrome != ChromeMode::None;
                check_pixels(naive, &record, &check_record(naive, &record), shadows, &picture);
                samples += 1;
            }
        }
        samples
    });
}

#[test]
fn the_same_key_gives_the_same_record() {
    for_drawn_packs(60, |_, pack, conditions, seed| {
        let mut samples = 0;
        for condition in conditions {
            let Ok(pool) = TargetPool::new(pack, std::slice::from_ref(condition)) else {
                continue;
            };
            let study = study(std::slice::from_ref(condition), seed);
            let make = |index: u64| {
                let outcome = study.outcome(pack, &pool, index).unwrap();
                let records: Vec<Value> =
                    outcome.plans.iter().flatten().map(|plan| record(&study, pack, condition, plan)).collect();
                (records, outcome.rejections)
            };
            let forwards: Vec<_> = (0..INDICES).map(make).collect();
            let mut backwards: Vec<_> = (0..INDICES).rev().map(make).collect();
            backwards.reverse();
            samples += forwards.iter().map(|(records, _)| records.len() as u64).sum::<u64>();
            assert_eq!(forwards, backwards);
        }
        samples
    });
}

#[test]
fn jointly_planned_conditions_share_target_and_words() {
    for_drawn_packs(60, |_, pack, conditions, seed| {
        let Ok(pool) = TargetPool::new(pack, conditions) else {
            return 0;
        };
        let mut samples = 0;
        let study = study(conditions, seed);
        for index in 0..INDICES {
            let Some(plans) = study.outcome(pack, &pool, index).unwrap().plans else {
                continue;
            };
            assert_eq!(plans.len(), conditions.len());
            for plan in &plans {
                let asked = |plan: &Plan| {
                    let window = plan.placements[plan.target.placement].window.clone();
                    (window, plan.target.element.clone(), plan.target.instruction.clone(), plan.key)
                };
                assert_eq!(asked(plan), asked(&plans[0]));
                samples += 1;
            }
        }
        samples
    });
}

/// A drawn condition with one knob moved: bands of the visible ratio, or numbers of windows.
fn sweeps_of(condition: &Condition) -> [Vec<Condition>; 2] {
    let share = |hundredths: u32| Ratio::try_from(f64::from(hundredths) / 100.0).unwrap();
    let base = Condition {
        occluder: OccluderKnob::Always,
        layout: LayoutWeights { free: 1, managed: 0, cascade: 0, tile: 0 },
        ..condition.clone()
    };
    let fewest = 2 + base.distractor.count;
    let bands = [(100, 100), (70, 85), (40, 60)].map(|(low, high)| Condition {
        name: format!("v{low}"),
        windows: [fewest + 1; 2],
        visible_ratio: Band(share(low), share(high)),
        target: TargetKnobs { ink_min: None, ..base.target },
        ..base.clone()
    });
    let counts = [0, 1, 3].map(|more| Condition {
        name: format!("w{more}"),
        windows: [fewest + more; 2],
        visible_ratio: Band(Ratio::ONE, Ratio::ONE),
        ..base.clone()
    });
    [bands.to_vec(), counts.to_vec()]
}

/// Where the target's visible pixels are, relative to its window, as the record's mask says.
fn visible_points(record: &Value) -> BTreeSet<(i64, i64)> {
    let target = &record["targets"][0];
    let rect = &record["windows"][target["window"].as_u64().unwrap() as usize]["rect"];
    let mask = &target["visible_mask"];
    let number = |value: &Value| value.as_i64().unwrap();
    let (left, top) = (number(&mask["origin"][0]) - number(&rect[0]), number(&mask["origin"][1]) - number(&rect[1]));
    let width = number(&mask["size"][1]);
    let (mut at, mut visible, mut points) = (0, false, BTreeSet::new());
    for run in mask["counts"].as_array().unwrap() {
        if visible {
            points.extend((at..at + number(run)).map(|n| (left + n % width, top + n / width)));
        }
        at += number(run);
        visible = !visible;
    }
    points
}

#[test]
fn swept_scenes_differ_in_the_knob_alone() {
    for_drawn_packs(60, |_, pack, conditions, seed| {
        let mut samples = 0;
        for (sweep, moved) in sweeps_of(&conditions[0]).into_iter().zip([Role::Occluder, Role::Background]) {
            let Ok(pool) = TargetPool::new(pack, &sweep) else {
                continue;
            };
            let study = Study { pairing: Pairing::Scenes, ..study(&sweep, seed) };
            for index in 0..INDICES {
                let Some(plans) = study.outcome(pack, &pool, index).unwrap().plans else {
                    continue;
                };
                let others = |plan: &Plan| -> Vec<(String, Point)> {
                    let kept = plan.placements.iter().filter(|p| p.role != moved);
                    kept.map(|p| (p.window.clone(), p.origin)).collect()
                };
                let moving = |plan: &Plan| -> Vec<String> {
                    plan.placements.iter().filter(|p| p.role == moved).map(|p| p.window.clone()).collect()
                };
                for pair in plans.windows(2) {
                    assert_eq!(others(&pair[0]), others(&pair[1]));
                    let (fewer, more) = (moving(&pair[0]), moving(&pair[1]));
                    let mut rest = more.iter();
                    assert!(fewer.iter().all(|window| rest.any(|other| other == window)), "{fewer:?} {more:?}");
                    assert!(moved == Role::Background || fewer == more, "the same occluder");
                }
                let records = sweep.iter().zip(&plans).map(|(condition, plan)| record(&study, pack, condition, plan));
                let visible: Vec<BTreeSet<_>> = records.map(|record| visible_points(&record)).collect();
                for pair in visible.windows(2) {
                    assert!(pair[1].is_subset(&pair[0]), "index {index}: shows what more visible scenes hide");
                    assert_eq!(pair[1].len() < pair[0].len(), moved == Role::Occluder);
                }
                samples += plans.len() as u64;
            }
        }
        samples
    });
}
