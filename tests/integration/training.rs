//! What training needs: splits that share nothing, further and absent targets, balances, an audit of shortcuts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use windesk::dataset::{SampleSource, Scenes, Stats};
use windesk::default_pack::open_default;
use windesk::engine::pack::{IndexedPack, Pack};
use windesk::engine::planner::TargetPool;
use windesk::engine::study::Study;
use windesk::model::condition::{Balance, Condition, Pairing, SessionsKnob};
use windesk::model::index::TargetIndex;
use windesk::model::record::{SceneRecord, TargetKind};
use windesk::model::split::Split;
use windesk::shipped::level;

use crate::command::{refused, succeeds, windesk};
use crate::mini_pack;
use crate::real_pack::pack;
use windesk_naive::json_lines;

fn study(conditions: Vec<Condition>) -> Study {
    Study { name: "training".to_owned(), sweep: None, pairing: Pairing::Targets, conditions, seed: 8, traverse: false }
}

fn records(pack: &IndexedPack, conditions: Vec<Condition>, indices: std::ops::Range<u64>) -> Vec<SceneRecord<'_>> {
    let study = study(conditions);
    let source = Scenes::new(pack, study.clone()).unwrap();
    let mut records = Vec::new();
    for index in indices {
        for (at, plan) in source.outcome(index).unwrap().plans.expect("no hole").iter().enumerate() {
            records.push(study.record(pack, &study.conditions[at], plan, String::new()).unwrap());
            assert_eq!(source.recount(plan, records.last().unwrap()).unwrap(), Vec::<String>::new());
        }
    }
    records
}

fn condition(name: &str, sets: &[&str]) -> Condition {
    level(name, &sets.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()).unwrap_or_else(|error| panic!("{error}"))
}

/// Programs, wallpapers and instructions of a part of the pack.
fn contents(part: &IndexedPack) -> [BTreeSet<String>; 3] {
    let index = part.index();
    [
        part.programs.iter().map(|p| p.record.id.clone()).collect(),
        part.wallpapers.iter().map(|w| w.id.clone()).collect(),
        index
            .targets
            .iter_enumerated()
            .filter(|(_, target)| target.is_asked)
            .flat_map(|(at, _)| part.askings(at, true).into_iter().map(move |a| part.words(at, a)))
            .collect(),
    ]
}

#[test]
fn leaks_between_datasets_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    let synth = |name: &str, split: &str, seed: &str| {
        let out = dir.path().join(name);
        let args = ["synth", "--level", "L1", "--n", "4", "--targets-per-scene", "3", "--split", split, "--seed", seed, "--out"];
        succeeds(args.into_iter().map(Into::into).chain([out.clone().into_os_string()]));
        out
    };
    let (test, train) = (synth("test", "test", "1"), synth("train", "train", "1"));
    let leaks = |a: &Path, b: &Path| windesk::dataset::leaks(a, b, &windesk::model::progress::Quiet).unwrap();
    let itself = leaks(&test, &test);
    assert_eq!(itself.leaked.len(), itself.targets);
    assert!(itself.leaked.iter().all(|[own, _]| own.contains("-s1.L1")), "{itself:?}");
    assert_eq!(leaks(&test, &train).leaked, Vec::<[String; 2]>::new());
    let told = succeeds(["stats", test.to_str().unwrap(), "--leaks", test.to_str().unwrap()]).stdout;
    assert!(told.contains("12 targets: 12 (100.00 %) asked there too"), "{told}");
    refused(windesk(["stats", test.to_str().unwrap(), "--leaks", "nowhere"]), &["nowhere"]);
}

#[test]
fn train_and_test_share_no_program_wallpaper_or_instruction() {
    let part = |split| open_default(&[]).unwrap().0.indexed().unwrap().restricted_to(split).unwrap();
    let (train, test) = (part(Split::Train), part(Split::Test));
    for (of_train, of_test) in contents(&train).iter().zip(&contents(&test)) {
        assert!(!of_train.is_empty() && !of_test.is_empty());
        assert_eq!(of_train.intersection(of_test).count(), 0);
    }
    let categories = |part: &Pack| part.programs.iter().map(|p| p.record.category).collect::<BTreeSet<_>>();
    assert_eq!((categories(&train).len(), categories(&test).len()), (9, 9), "every category has programs in both parts");
    for (split, part) in [("train", &train), ("test", &test)] {
        let own = contents(part);
        for level in ["L1", "L5"] {
            for record in records(part, vec![condition(level, &[&format!("split={split}")])], 0..6) {
                assert_eq!(record.split.as_deref(), Some(split));
                assert!(own[1].contains(&record.wallpaper));
                assert!(record.truth.windows.iter().all(|w| own[0].contains(w.window.split('/').next().unwrap())));
                assert!(record.truth.targets.iter().all(|t| own[2].contains(&t.instruction)));
                assert_eq!(record.truth.targets[0].distractors[0].rank, if level == "L1" { 5 } else { 1 });
            }
        }
    }
    let whole = Scenes::new(pack(), study(vec![condition("L1", &["split=test"])]));
    assert!(whole.err().unwrap().to_string().contains("split is test, but the pack given is all of the pack"));
}

/// The neighbours of a part are those of the whole pack without the other part's programs.
#[test]
fn ranks_of_a_part_are_those_of_the_whole_without_the_other_part() {
    let test = open_default(&[]).unwrap().0.indexed().unwrap().restricted_to(Split::Test).unwrap();
    let (whole_index, index) = (pack().index(), test.index());
    let name = |pack: &Pack, target: &windesk::engine::pack::Target| {
        let window = &pack.windows[target.window];
        format!("{}#{}", window.id, window.elements[target.element].id)
    };
    let by_name: BTreeMap<String, TargetIndex> =
        whole_index.targets.iter_enumerated().map(|(at, target)| (name(pack(), target), at)).collect();
    for (at, target) in index.targets.iter_enumerated().step_by(97) {
        let all = whole_index.all_neighbours(pack(), by_name[&name(&test, target)], SessionsKnob::One);
        let program = |t: TargetIndex| pack().program_of(whole_index.targets[t].window).record.id.as_str();
        let expected: Vec<&str> =
            all.iter().map(|&n| program(n)).filter(|id| Split::of_program(id) == Split::Test).take(5).collect();
        let found: Vec<&str> = index
            .neighbours(at, SessionsKnob::One)
            .iter()
            .take(5)
            .map(|&n| test.program_of(index.targets[n].window).record.id.as_str())
            .collect();
        assert_eq!(found, expected, "{}", name(&test, target));
    }
}

#[test]
fn further_targets_leave_the_scene_as_it_is() {
    let sets = |value: &str| mini_pack::level(&[&format!("targets_per_scene={value}")]);
    let [one, four, all] = ["1", "4", "\"all\""].map(|v| records(mini_pack::pack(), vec![sets(v)], 0..6));
    let mut most = 0;
    for ((one, four), all) in one.iter().zip(&four).zip(&all) {
        assert_eq!(one.truth.windows, all.truth.windows);
        assert_eq!(one.truth.targets[0], all.truth.targets[0]);
        assert!(one.truth.targets.len() == 1 && four.truth.targets.len() <= 4);
        assert!(four.truth.targets.len() == 4 || four.truth.targets.len() == all.truth.targets.len());
        let words: BTreeSet<&str> = all.truth.targets.iter().map(|t| t.instruction.as_str()).collect();
        assert_eq!(words.len(), all.truth.targets.len(), "an instruction is asked once");
        for target in &four.truth.targets[1..] {
            assert!(all.truth.targets.iter().any(|t| t.element == target.element), "fewer are a part of more");
        }
        for target in &all.truth.targets[1..] {
            assert!(!target.promised && target.kind == TargetKind::Present && !target.ambiguous);
            assert!(target.visible_ratio >= 0.3 && target.visible_px >= 48 && target.click_point.is_some(), "{}", target.id);
        }
        most = most.max(all.truth.targets.len());
    }
    assert!(most > 4, "the mini pack gives more than four targets a scene");
}

/// Whether an element of the record is called like the words ask; for `in_context` words, in a window of the program
/// they name.
fn names_it(record: &SceneRecord, instruction: &str) -> bool {
    let (context, bare) = match instruction.strip_prefix("In ").and_then(|rest| rest.split_once(", ")) {
        Some((program, bare)) => (Some(program), bare),
        None => (None, instruction),
    };
    let Some((_, asked)) = bare.split_once("the ") else { return false };
    let asked = asked.to_lowercase();
    record.truth.elements.iter().filter(|e| e.interactive && !e.name.is_empty()).any(|e| {
        let app = e.window.map(|w| record.truth.windows[w].app.as_str());
        // What follows the name is the kind of the element alone: "the Date column header" is not "the Date Modified
        // column header".
        let kind = asked.strip_prefix(&e.name.to_lowercase()).and_then(|rest| rest.strip_prefix(' '));
        context.is_none_or(|program| app == Some(program))
            && kind.is_some_and(|kind| KINDS.iter().any(|(known, role)| kind == *known && e.role.contains(role)))
    })
}

/// Kinds of elements as composed instructions end, and what is part of their roles' names.
const KINDS: [(&str, &str); 9] = [
    ("button", "button"),
    ("menu", "menu"),
    ("tab", "page tab"),
    ("check box", "check box"),
    ("option", "radio"),
    ("drop-down list", "combo box"),
    ("slider", "slider"),
    ("link", "link"),
    ("column header", "column header"),
];

#[test]
fn absent_targets_are_not_there() {
    let share = condition("L2", &["absent_share=0.3"]);
    let records = records(pack(), vec![share], 0..60);
    let absent: Vec<&SceneRecord> = records.iter().filter(|r| r.truth.targets[0].kind == TargetKind::Absent).collect();
    assert!((10..=26).contains(&absent.len()), "{} of 60, expected about 18", absent.len());
    for record in absent {
        let target = &record.truth.targets[0];
        assert!(target.bbox.is_none() && target.visible_mask.is_none() && target.element.is_none());
        assert!(!names_it(record, &target.instruction), "{}: {}", record.id, target.instruction);
        assert!(target.nearest_competitor.is_some());
    }
    // Whether an index is absent does not hang on the condition: levels stay paired.
    let both = ["L1", "L3"].map(|l| condition(l, &["absent_share=0.5"]));
    for pair in self::records(pack(), both.to_vec(), 0..8).chunks(2) {
        assert_eq!(pair[0].truth.targets[0].kind, pair[1].truth.targets[0].kind);
        assert_eq!(pair[0].truth.targets[0].instruction, pair[1].truth.targets[0].instruction);
    }
}

#[test]
fn balances_even_out_what_they_name() {
    let counts = |balance: &[&str]| {
        let set = format!("balance=[{}]", balance.iter().map(|b| format!("\"{b}\"")).collect::<Vec<_>>().join(", "));
        let conditions = [condition("L1", &[&set])];
        let pool = TargetPool::new(pack(), &conditions).unwrap();
        let study = study(conditions.to_vec());
        let mut drawn: BTreeMap<String, u32> = BTreeMap::new();
        for index in 0..150 {
            let plans = study.outcome(pack(), &pool, index).unwrap().plans.unwrap();
            let record = study.record(pack(), &study.conditions[0], &plans[0], String::new()).unwrap();
            *drawn.entry(format!("{:?}", record.truth.targets[0].ui_type)).or_default() += 1;
        }
        drawn
    };
    let share = |counts: &BTreeMap<String, u32>| f64::from(counts.get("Icon").copied().unwrap_or(0)) / 150.0;
    let (plain, even) = (share(&counts(&[])), share(&counts(&["ui-type"])));
    assert!((0.38..0.62).contains(&even), "half of the targets are icons: {even}");
    assert!((plain - 0.5).abs() > (even - 0.5).abs(), "without the balance the share is {plain}");
    let refused_both = level("L1", &["balance=[\"app\", \"element\"]".to_owned()]);
    assert!(refused_both.unwrap_err().to_string().contains("expected one of the two"));
    assert_eq!(Balance::NAMES.len(), 5);
}

#[test]
fn shortcuts_are_counted_as_a_person_would() {
    let records = records(mini_pack::pack(), vec![mini_pack::level(&["absent_share=0.2", "targets_per_scene=3"])], 0..12);
    let mut stats = Stats::default();
    records.iter().for_each(|r| stats.add(r));
    let counted = &stats.conditions["mini"];
    let present: Vec<&SceneRecord> = records.iter().filter(|r| r.truth.targets[0].kind == TargetKind::Present).collect();
    assert_eq!((counted.shortcuts.targets, counted.absent), (present.len() as u64, (records.len() - present.len()) as u64));
    let (mut any, mut largest, mut window) = (0, 0, BTreeMap::new());
    for record in present {
        let target = record.truth.targets[0].element.clone().unwrap();
        let mut candidates: Vec<_> = record.truth.elements.iter().filter(|e| e.window.is_some() && e.interactive).collect();
        candidates.retain(|e| e.visible_px > 0 && e.visible_px * 10 >= e.total_px * 3);
        if !candidates.iter().any(|e| e.id == target) {
            continue;
        }
        any += 1_000_000 / candidates.len() as u64;
        let most = candidates.iter().map(|e| e.total_px).max().unwrap();
        largest += u64::from(candidates.iter().rfind(|e| e.total_px == most).unwrap().id == target) * 1_000_000;
        let own = record.truth.targets[0].window.unwrap();
        let beside = candidates.iter().filter(|e| e.window == Some(own)).count() as u64;
        *window.entry(format!("window_{:02}", record.truth.windows.len() - own.0)).or_insert(0) += 1_000_000 / beside;
    }
    let hits = &counted.shortcuts.expected_hits;
    assert_eq!((hits["any"], hits.get("largest").copied().unwrap_or(0)), (any, largest));
    for (guess, expected) in window {
        assert_eq!(hits[&guess], expected, "{guess}");
    }
}

#[test]
fn a_training_set_is_verified_merged_and_says_what_it_is() {
    let place = tempfile::tempdir().unwrap();
    let level = place.path().join("mini.toml");
    fs::write(&level, mini_pack::LEVEL).unwrap();
    let pack = mini_pack::folder();
    let pack = pack.to_str().unwrap();
    let synth = |name: &str, more: &[&str]| {
        let out = place.path().join(name);
        let args = ["synth", "--n", "8", "--level", level.to_str().unwrap(), "--pack", pack, "--targets-per-scene", "3"];
        let args = args.into_iter().chain(["--absent-share", "0.4", "--balance", "role,ui-type", "--out"]);
        succeeds(args.chain([out.to_str().unwrap()]).chain(more.iter().copied()));
        out
    };
    let whole = synth("whole", &[]);
    let shards = [synth("a", &["--shard", "0/2"]), synth("b", &["--shard", "1/2"])];
    let merged = place.path().join("merged");
    let [a, b] = shards.each_ref().map(|s| s.to_str().unwrap());
    succeeds(["merge", a, b, "--pack", pack, "--out", merged.to_str().unwrap()]);
    assert_eq!(crate::command::tree(&whole), crate::command::tree(&merged));
    assert_eq!(succeeds(["verify", whole.to_str().unwrap(), "--pack", pack]).stdout, "");
    let kinds: BTreeSet<String> = json_lines(&whole.join("scenes/part-00000.jsonl"))
        .iter()
        .map(|scene| scene["targets"][0]["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds.len(), 2, "{kinds:?}");
    forged_absence_is_found(&whole, pack);
}

/// An absent target whose words fit something in the scene is found, even in a plan of its own.
fn forged_absence_is_found(whole: &Path, pack: &str) {
    let path = whole.join("scenes/part-00000.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut scenes: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let at = scenes.iter().position(|s| s["targets"][0]["kind"] == "absent").unwrap();
    scenes[at]["targets"][0]["instruction"] = "Click anything".into();
    fs::write(&path, scenes.iter().map(|s| format!("{s}\n")).collect::<String>()).unwrap();
    let said = crate::command::finish(windesk(["verify", whole.to_str().unwrap(), "--pack", pack]));
    assert!(said.stdout.contains("absent, but the plan asks for something else"), "{}", said.stdout);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let pack = mini_pack::folder();
    let synth =
        |more: &[&str]| windesk(["synth", "--level", "L1", "--n", "1", "--pack", pack.to_str().unwrap()].iter().chain(more));
    refused(synth(&["--split", "tets"]), &["split", "tets", "did you mean `test`?"]);
    refused(synth(&["--split", "train"]), &["0 wallpapers for split `train`", "can't be split"]);
    refused(synth(&["--targets-per-scene", "0"]), &["targets_per_scene is 0, expected at least 1"]);
    refused(synth(&["--targets-per-scene", "many"]), &["targets_per_scene is `many`, expected a number or `all`"]);
    refused(synth(&["--absent-share", "1.5"]), &["share 1.5 is not within 0..=1"]);
    refused(synth(&["--balance", "roel"]), &["--balance roel", "did you mean role?"]);
}
