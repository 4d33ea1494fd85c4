//! Golden scenes of the mini pack. A change of a plan or a pixel must be meant: `INSTA_UPDATE=always cargo test golden`
//! accepts it. Whoever changes what a key gives also raises `ENGINE_VERSION`.

use std::fmt::Write;

use windesk::engine::planner::TargetPool;
use windesk::engine::render::{Encoder, ImageFormat, Renderer};
use windesk::engine::study::Study;
use windesk::model::condition::Condition;
use windesk::model::digest::hex_digest;
use windesk::model::plan::Plan;

use crate::mini_pack::{level, pack};

/// The first plan of a condition.
fn first_plan(condition: Condition) -> Plan {
    let conditions = vec![condition];
    let pool = TargetPool::new(pack(), &conditions).unwrap();
    let study = Study {
        name: "golden".to_owned(),
        sweep: None,
        pairing: windesk::model::condition::Pairing::Targets,
        conditions,
        seed: 7,
        traverse: false,
    };
    study.outcome(pack(), &pool, 0).unwrap().plans.expect("a sample").remove(0)
}

fn scenes() -> [(&'static str, Condition); 6] {
    [
        ("occluded", level(&[])),
        ("fully_visible", level(&["visible_ratio=1.0..1.0", "chrome=taskbar"])),
        ("two_distractors", level(&["distractor.count=2", "distractor.layer=any", "windows=6..7"])),
        ("managed", level(&["layout={managed=1}"])),
        ("cascade_without_chrome", level(&["layout={cascade=1}", "chrome=none", "priors=none"])),
        ("windeskground", level(&["protocol=windeskground", "chrome=none"])),
    ]
}

#[test]
fn golden_plans() {
    for (name, condition) in scenes() {
        let mut plan = serde_json::to_value(first_plan(condition)).unwrap();
        // They change with every new knob and asset that has no part in the scene.
        for digest in ["pack", "condition_sha256"] {
            plan.as_object_mut().unwrap().remove(digest);
        }
        insta::assert_json_snapshot!(name, plan);
    }
}

#[test]
fn golden_pixels() {
    let renderer = Renderer::new(pack()).unwrap();
    let mut digests = String::new();
    for (name, condition) in scenes() {
        let file = ImageFormat::Png.encode(&renderer.render(&first_plan(condition)).unwrap());
        let decoded = image::load_from_memory(&file).unwrap().into_rgb8();
        writeln!(digests, "{name} {}x{} {}", decoded.width(), decoded.height(), hex_digest(decoded.as_raw())).unwrap();
    }
    insta::assert_snapshot!("pixels", digests);
}
