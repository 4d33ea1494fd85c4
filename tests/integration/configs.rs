//! Every shipped configuration loads, and plans on the project's own pack.

use std::fs;
use std::path::{Path, PathBuf};

use windesk::engine::planner::TargetPool;
use windesk::engine::study::Study;
use windesk::model::condition::{Pairing, Priors};
use windesk::shipped::{LEVELS, SWEEPS, level, parse_level, parse_sweep, priors, sweep};

use crate::real_pack::pack;

fn configs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("configs")
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn every_file_is_one_that_these_tests_load() {
    for path in files_below(&configs()) {
        let name = path.strip_prefix(configs()).unwrap().to_str().unwrap().to_owned();
        let folders = ["benchmarks/", "levels/", "probes/", "prompts/", "sweeps/"];
        let loaded = folders.iter().any(|folder| name.starts_with(folder)) && name.ends_with(".toml");
        let known = name == "priors.toml" || loaded;
        assert!(known, "configs/{name}: no test loads it");
    }
}

#[test]
fn levels_load_and_plan() {
    let mut loaded = 0;
    for path in files_below(&configs().join("levels")) {
        let place = path.display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let condition = parse_level(&place, &text, &[]).unwrap_or_else(|error| panic!("{error}"));
        if LEVELS.iter().any(|(name, _)| *name == condition.name) {
            assert_eq!(level(&condition.name, &[]).unwrap(), condition, "{place}: the binary holds another text");
        }
        let conditions = vec![condition];
        let pool = TargetPool::new(pack(), &conditions).unwrap_or_else(|error| panic!("{place}: {error}"));
        let study =
            Study { name: "configs".to_owned(), sweep: None, pairing: Pairing::Targets, conditions, seed: 1, traverse: false };
        for index in 0..2 {
            let outcome = study.outcome(pack(), &pool, index).unwrap();
            assert!(outcome.plans.is_some(), "{place}: {:?}", outcome.rejections);
        }
        loaded += 1;
    }
    assert!(loaded >= LEVELS.len());
}

#[test]
fn a_number_alone_is_both_ends_of_a_range() {
    let level = |sets: &[&str]| level("L4", &sets.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()).unwrap();
    for (alone, both) in [
        ("windows=9", "windows=9..9"),
        ("visible_ratio=1", "visible_ratio=1.0..1.0"),
        ("visible_ratio=0.5", "visible_ratio=[0.5, 0.5]"),
        ("distractor.similarity=0.7", "distractor.similarity=0.7..0.7"),
    ] {
        assert_eq!(level(&[alone]), level(&[both]), "{alone}");
        assert_ne!(level(&[alone]), level(&[]), "{alone}");
    }
    assert_eq!(level(&["windows=9"]).windows, [9, 9]);
}

#[test]
fn lists_grow_by_what_is_added() {
    let level = |sets: &[&str]| level("L4", &sets.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()).unwrap();
    let whole = level(&["wallpapers=[\"a\", \"b\", \"c\"]", "filters.roles=[\"tab\"]"]);
    let added = level(&["wallpapers=[\"a\"]", "wallpapers+=b", "wallpapers += [\"c\"]", "filters.roles+=tab"]);
    assert_eq!(added, whole);
}

#[test]
fn sweeps_load_and_plan() {
    let mut loaded = 0;
    for path in files_below(&configs().join("sweeps")) {
        let place = path.display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let parsed = parse_sweep(&place, &text, &[], &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(sweep(&parsed.name, &[], &[]).unwrap(), parsed, "{place}: the binary holds another text");
        let study = Study {
            name: parsed.name.clone(),
            sweep: Some(parsed.name),
            pairing: parsed.pairing,
            conditions: parsed.conditions,
            seed: 1,
            traverse: false,
        };
        let pool = study.pool(pack()).unwrap_or_else(|error| panic!("{place}: {error}"));
        let outcome = study.outcome(pack(), &pool, 0).unwrap();
        assert!(outcome.plans.is_some(), "{place}: {:?}", outcome.rejections);
        loaded += 1;
    }
    assert_eq!(loaded, SWEEPS.len());
}

#[test]
fn priors_are_those_in_the_binary() {
    let written: Priors = toml::from_str(&fs::read_to_string(configs().join("priors.toml")).unwrap()).unwrap();
    assert_eq!(written, priors());
    assert_eq!(written.category.len(), 9);
}
