//! Recounting a record: whatever is wrong in it is found.

use std::ops::Range;

use windesk::engine::annotate::annotate;
use windesk::engine::planner::TargetPool;
use windesk::engine::referee::recount;
use windesk::engine::study::Study;
use windesk::model::condition::Pairing;
use windesk::model::geometry::{Point, Rect};
use windesk::model::index::PlacementIndex;
use windesk::model::plan::Plan;
use windesk::model::record::Annotation;

use crate::mini_pack;

fn plans(indices: Range<u64>) -> Vec<Plan> {
    let pack = mini_pack::pack();
    let conditions = vec![mini_pack::level(&[])];
    let pool = TargetPool::new(pack, &conditions).unwrap();
    let study = Study { name: "r".to_owned(), sweep: None, pairing: Pairing::None, conditions, seed: 3, traverse: false };
    indices.filter_map(|index| study.outcome(pack, &pool, index).unwrap().plans).flatten().collect()
}

const BOTTOM: PlacementIndex = PlacementIndex(0);
const SECOND: PlacementIndex = PlacementIndex(1);

/// A change of a record, which makes it false.
type Mutation = (&'static str, fn(&mut Annotation));

const MUTATIONS: &[Mutation] = &[
    ("elements", |truth| drop(truth.elements.pop())),
    // As many as before, one of them twice and another one missing.
    ("found twice", |truth| {
        let first = truth.elements[0].clone();
        *truth.elements.last_mut().unwrap() = first;
    }),
    ("windows, the plan places", |truth| drop(truth.windows.remove(BOTTOM))),
    ("found twice", |truth| truth.windows[SECOND] = truth.windows[BOTTOM].clone()),
    ("active", |truth| truth.windows[BOTTOM].active ^= true),
    ("rect", |truth| truth.windows[BOTTOM].rect = truth.windows[BOTTOM].rect.moved(Point { x: 1, y: 0 })),
    ("title", |truth| truth.windows[BOTTOM].title.push('.')),
    ("id", |truth| truth.elements[0].id.push('0')),
    ("bbox", |truth| truth.elements[0].bbox = truth.elements[0].bbox.moved(Point { x: 0, y: 1 })),
    ("interactive", |truth| truth.elements[0].interactive ^= true),
    ("name", |truth| truth.elements[0].name.to_mut().push('.')),
    ("visible_px", |truth| truth.elements[0].visible_px += 1),
    ("nested", |truth| truth.targets[0].nested.push(Rect::at(0, 0, 1, 1))),
    ("click_point", |truth| truth.targets[0].click_point = Some(Point { x: -1, y: -1 })),
    ("visible_mask", |truth| truth.targets[0].visible_mask = None),
];

#[test]
fn a_false_record_is_found_out() {
    let pack = mini_pack::pack();
    let plans = plans(0..12);
    assert!(plans.len() > 6, "{}", plans.len());
    for plan in &plans {
        let record = || annotate(pack, plan, "r").unwrap();
        assert_eq!(recount(pack, plan, &record()).unwrap(), []);
        for (said, mutate) in MUTATIONS {
            let mut truth = record();
            mutate(&mut truth);
            let found = recount(pack, plan, &truth).unwrap();
            assert!(found.iter().any(|violation| violation.0.contains(said)), "expected `{said}` in {found:?}");
        }
    }
}

/// What a target's nested boxes are is asked of the pack again.
#[test]
fn a_nested_box_that_is_missing_is_found_out() {
    let pack = mini_pack::pack();
    let records = plans(0..140).into_iter().map(|plan| (annotate(pack, &plan, "r").unwrap(), plan));
    let (mut truth, plan) =
        records.into_iter().find(|(truth, _)| !truth.targets[0].nested.is_empty()).expect("a target with something inside it");
    truth.targets[0].nested.clear();
    let found = recount(pack, &plan, &truth).unwrap();
    assert!(found.iter().any(|violation| violation.0.contains("nested")), "{found:?}");
}
