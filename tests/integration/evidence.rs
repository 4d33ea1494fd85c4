//! What readers of instructions go by: the levels show it, records say how much of it, and the referee counts it again.

use windesk::dataset::{SampleSource, Scenes};
use windesk::engine::referee::verify;
use windesk::engine::study::Study;
use windesk::model::condition::{Condition, Pairing};
use windesk::model::geometry::{Point, Rect};
use windesk::model::instruction::Wording;
use windesk::model::pack_format::EvidenceKind;
use windesk::model::plan::{Plan, PlannedTarget};
use windesk::shipped::level;

use crate::real_pack::pack;

const LEVELS: [&str; 5] = ["L1", "L2", "L3", "L4", "L5"];

fn plans_of(name: &str, indices: u64) -> (Condition, Vec<Plan>) {
    let condition = level(name, &[]).unwrap_or_else(|error| panic!("{error}"));
    let study = Study {
        name: "evidence".to_owned(),
        sweep: None,
        pairing: Pairing::Targets,
        conditions: vec![condition.clone()],
        seed: 20,
        traverse: false,
    };
    let scenes = Scenes::new(pack(), study).unwrap();
    let plans = (0..indices).map(|index| scenes.outcome(index).unwrap().plans.expect("no hole").remove(0)).collect();
    (condition, plans)
}

/// How many pixels of a box a window shows and how many it covers, one by one: the topmost window that owns a pixel
/// shows it.
fn count(plan: &Plan, placement: usize, bbox: Rect) -> (u64, u64) {
    let shapes = plan.placements.iter().map(|p| {
        let window = pack().window_index(&p.window).unwrap();
        pack().shown(window, p.state.as_ref()).unwrap().pixels(pack(), pack().focus_of(window, p.active)).unwrap()
    });
    let shapes: Vec<_> = shapes.collect();
    let owns = |at: usize, x: i32, y: i32| {
        let Point { x: left, y: top } = plan.placements.raw[at].origin;
        let own = |&(a, b): &(i32, i32)| (a + left..b + left).contains(&x);
        (0..shapes[at].shape().rows()).contains(&(y - top)) && shapes[at].shape().row(y - top).iter().any(own)
    };
    let bars: Vec<Rect> = plan.chrome.bars(plan.canvas).collect();
    let pointer = plan.pointer.as_ref().map(|pointer| pointer.bbox());
    let (mut visible, mut total) = (0, 0);
    for (y, x) in (bbox.y0()..bbox.y1()).flat_map(|y| (bbox.x0()..bbox.x1()).map(move |x| (y, x))) {
        if !owns(placement, x, y) {
            continue;
        }
        total += 1;
        let p = Point { x, y };
        let on_screen = plan.canvas.rect().contains(p);
        let covered = (placement + 1..shapes.len()).any(|above| owns(above, x, y)) || bars.iter().any(|bar| bar.contains(p));
        // What a reader must see is clear of the pointer's whole box.
        assert!(pointer.is_none_or(|pointer| !pointer.contains(p)), "{}: the pointer lies on evidence", plan.scene_name());
        visible += u64::from(on_screen && !covered);
    }
    (visible, total)
}

#[test]
fn levels_show_what_their_words_speak_of() {
    for name in LEVELS {
        let (condition, plans) = plans_of(name, 6);
        let knobs = condition.evidence.expect("levels require it");
        for plan in &plans {
            let PlannedTarget { wording, evidence, .. } = &plan.target;
            let place = plan.scene_name();
            let is_own = |kind| matches!(kind, EvidenceKind::Label | EvidenceKind::Glyph | EvidenceKind::Caption);
            assert_eq!(evidence.iter().filter(|part| is_own(part.kind)).count(), 1, "{place}");
            let titles = evidence.iter().filter(|part| part.kind == EvidenceKind::Title).count();
            assert_eq!(titles, usize::from(*wording != Wording::Brief), "{place}");
            for part in evidence.iter().filter(|part| part.required) {
                let (visible, total) = count(plan, part.placement.0, part.bbox);
                assert_eq!((part.visible_px, part.total_px), (visible, total), "{place}: {part:?}");
                let least = match part.kind {
                    EvidenceKind::Title => knobs.context,
                    EvidenceKind::Landmark => knobs.landmarks,
                    _ => knobs.own,
                };
                assert!(least.reached_by(visible, total), "{place}: {part:?}");
            }
        }
    }
}

/// What is changed in a plan, and how.
type Change<'a> = (&'a str, &'a dyn Fn(&mut PlannedTarget));

#[test]
fn the_referee_finds_other_words_and_counts() {
    let (condition, plans) = plans_of("L4", 4);
    let plan = plans.iter().find(|plan| !plan.target.evidence.is_empty()).expect("levels have evidence");
    assert_eq!(verify(pack(), &condition, plan).unwrap(), []);
    let changes: [Change<'_>; 5] = [
        ("other words", &|target| target.instruction.push('!')),
        ("another sentence", &|target| target.variant += 1),
        ("one pixel more", &|target| target.evidence[0].visible_px += 1),
        ("a part less", &|target| target.evidence.truncate(0)),
        ("nothing required", &|target| target.evidence.iter_mut().for_each(|part| part.required = false)),
    ];
    for (what, change) in changes {
        let mut changed = plan.clone();
        change(&mut changed.target);
        assert_ne!(verify(pack(), &condition, &changed).unwrap(), [], "{what}");
    }
}

#[test]
fn words_are_the_same_at_all_levels_of_an_index() {
    let study = Study {
        name: "joint".to_owned(),
        sweep: None,
        pairing: Pairing::Targets,
        conditions: LEVELS.iter().map(|name| level(name, &[]).unwrap()).collect(),
        seed: 4,
        traverse: false,
    };
    let scenes = Scenes::new(pack(), study).unwrap();
    for index in 0..3 {
        let plans = scenes.outcome(index).unwrap().plans.expect("no hole");
        let words: Vec<&str> = plans.iter().map(|plan| plan.target.instruction.as_str()).collect();
        assert!(words.iter().all(|&other| other == words[0]), "{words:?}");
    }
}

#[test]
fn sweeps_record_what_they_do_not_require() {
    let sweep = windesk::shipped::sweep("occlusion", &[], &[]).unwrap_or_else(|error| panic!("{error}"));
    assert!(sweep.conditions.iter().all(|condition| condition.evidence.is_none()));
    let scenes = Scenes::new(pack(), Study::of_sweep(sweep, 2)).unwrap();
    let plans = scenes.outcome(0).unwrap().plans.expect("no hole");
    assert!(plans.iter().all(|plan| !plan.target.evidence.is_empty() && plan.target.evidence.iter().all(|part| !part.required)));
}
