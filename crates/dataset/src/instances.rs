//! What the lines of `states/` say of the scenes of a finished dataset, and how they are drawn.

use std::collections::BTreeMap;
use std::path::Path;

use windesk_engine::render::{Frame, paint_overlay, paint_setting};
use windesk_model::Error;
use windesk_model::record::Annotation;
use windesk_model::setting::StateInstance;

use crate::manifest::Manifest;
use crate::reader::LinesReader;
use crate::source::DatasetKind;

/// The instances of a finished dataset by the ids of their scenes; none for a dataset without states.
///
/// # Errors
/// If a line is no instance of a scene.
pub(super) fn states_by_scene<S>(dataset: &Path, manifest: &Manifest<S>) -> Result<BTreeMap<String, StateInstance>, Error> {
    if manifest.kind != DatasetKind::States {
        return Ok(BTreeMap::new());
    }
    let instances = LinesReader::open(dataset, manifest, "states").map(|line| {
        let (place, line) = line?;
        let bad = |problem: String| Error::at(&place, problem).with_hint("`windesk verify` says what is wrong with the dataset");
        let instance: StateInstance =
            serde_json::from_slice(&line).map_err(|e| bad(format!("{e}, expected a state instance")))?;
        let scene = instance.scene.clone().ok_or_else(|| bad("`scene` is null, expected the id of its scene".to_owned()))?;
        Ok((scene, instance))
    });
    instances.collect()
}

/// The truth drawn over a finished picture, with what is said of the control that is to be set.
pub fn with_truth(frame: Frame, truth: &Annotation, state: Option<&StateInstance>) -> Frame {
    let frame = paint_overlay(frame, truth);
    match state {
        Some(state) => paint_setting(frame, state),
        None => frame,
    }
}
