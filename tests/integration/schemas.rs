//! The JSON Schemas in docs/schemas are those of the code; `scripts/check_exports.py` holds whole datasets against
//! them.

use std::path::Path;

use schemars::{JsonSchema, schema_for};
use serde_json::Value;
use windesk::dataset::{Bench, Manifest, RunRecord, Stats};
use windesk::desktop::setting::StateStudy;
use windesk::desktop::task::TaskStudy;
use windesk::desktop::{Acted, DesktopState, Event};
use windesk::engine::icon_probe::{ProbePlan, ProbeStudy};
use windesk::engine::study::{Rejection, Study};
use windesk::model::pack_format::living::LivingLine;
use windesk::model::pack_format::{
    Capture, Competitor, Evidence, Header, Program, ReviewedInstruction, Session, Transition, Workflow,
};
use windesk::model::plan::Plan;
use windesk::model::record::{AnnotationRecord, SceneRecord};

/// Compares a schema with its file. `WRITE_SCHEMAS=1` writes it.
pub fn check<T: JsonSchema>(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas").join(format!("{name}.schema.json"));
    let schema = serde_json::to_string_pretty(&schema_for!(T)).unwrap() + "\n";
    if std::env::var_os("WRITE_SCHEMAS").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == schema, "{}: differs from the code; WRITE_SCHEMAS=1 cargo test schemas writes it anew", path.display());
}

#[test]
fn records() {
    check::<SceneRecord>("scene");
    check::<AnnotationRecord>("annotation");
    check::<Plan>("plan");
    check::<ProbePlan>("probe-plan");
    check::<Rejection>("rejection");
}

#[test]
fn desktops() {
    check::<DesktopState>("desktop-state");
    check::<Event>("desktop-event");
    check::<Acted>("desktop-acted");
}

#[test]
fn files_of_a_dataset() {
    check::<Manifest<Value>>("manifest");
    check::<Study>("study");
    check::<TaskStudy>("task-study");
    check::<StateStudy>("state-study");
    check::<Bench>("bench-study");
    check::<ProbeStudy>("probe-study");
    check::<Stats>("stats");
    check::<RunRecord>("run");
}

#[test]
fn files_of_a_pack() {
    check::<Header>("pack");
    check::<Program>("pack-program");
    check::<Session>("pack-session");
    check::<Capture>("pack-capture");
    check::<LivingLine>("pack-living");
    check::<Transition>("pack-transition");
    check::<Competitor>("pack-competitor");
    check::<Evidence>("pack-evidence");
    check::<ReviewedInstruction>("pack-instruction");
    check::<Workflow>("pack-workflow");
}
