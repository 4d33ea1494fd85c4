//! Properties of scenes over drawn packs, conditions and keys.

use image::RgbImage;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use windesk::config::{ChromeMode, Condition};
use windesk::pack::{Pack, open_place};
use windesk::plan::{Plan, Reason, TargetPool};
use windesk::render::Renderer;
use windesk::study::{MAX_DRAWS, Outcome, Study};

use crate::naive_pack::NaivePack;
use crate::naive_pixels::check_pixels;
use crate::naive_scene::check_record;
use crate::random_condition::condition;
use crate::random_pack::{PackSpec, pack_spec};

/// Packs drawn per property. The packs are the same in every run.
const PACKS: u32 = 10;
/// Indices per pack and condition.
const INDICES: u64 = 4;

/// Runs `check` on drawn packs, each with three conditions. It returns how many samples it looked at: a drawn pack may make a
/// condition impossible, but hardly all of them.
fn for_drawn_packs(expected_samples: u64, check: impl Fn(&NaivePack, &Pack, &[Condition], u64) -> u64) {
    let config = Config { cases: PACKS, max_shrink_iters: 60, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = (pack_spec(), (condition("A"), condition("B"), condition("C")), 0..1000_u64);
    let samples = std::cell::Cell::new(0);
    let run = |(spec, (a, b, c), seed): (PackSpec, _, u64)| {
        let folder = tempfile::tempdir().unwrap();
        spec.write(folder.path());
        let pack = Pack::open(open_place(folder.path()).unwrap()).unwrap_or_else(|error| panic!("{error}"));
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
        pairing: windesk::config::Pairing::Targets,
        conditions: conditions.to_vec(),
        seed,
        traverse: false,
    }
}

fn record(study: &Study, pack: &Pack, condition: &Condition, plan: &Plan) -> Value {
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
