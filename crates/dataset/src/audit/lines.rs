//! Files of lines: whose line each one is, and which lines follow from others.

use std::collections::BTreeMap;

use serde_json::Value;

use windesk_model::record::{AnnotationRecord, SceneRecord};

use super::AuditReport;
use super::compare::differing_annotations;
use super::part::{ExpectedSample, PartText};
use crate::conclude::{annotation_lines, metadata_line};

/// Lines with their numbers from 1. A file must end in a line feed.
pub(super) fn lines<'a>(name: &str, bytes: &'a [u8], report: &mut AuditReport) -> Vec<(usize, &'a [u8])> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let whole = bytes.strip_suffix(b"\n").unwrap_or_else(|| {
        report.find(name, "the last line has no line feed");
        bytes
    });
    (1..).zip(whole.split(|&b| b == b'\n')).collect()
}

/// Lines by the id of their sample. What is missing, unknown, twice there or out of order is a finding.
pub(super) fn by_id(
    name: &str,
    bytes: &[u8],
    samples: &[ExpectedSample],
    id_of: impl Fn(&Value) -> Option<String>,
    report: &mut AuditReport,
) -> BTreeMap<String, (usize, Vec<u8>)> {
    let positions: BTreeMap<&str, usize> = samples.iter().enumerate().map(|(at, s)| (s.id.as_str(), at)).collect();
    let mut found: BTreeMap<String, (usize, Vec<u8>)> = BTreeMap::new();
    let mut last = None;
    for (number, line) in lines(name, bytes, report) {
        let place = format!("{name}:{number}");
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => {
                report.find(place, format!("{error}, expected a JSON object"));
                continue;
            }
        };
        let id = id_of(&value);
        let Some((id, position)) = id.as_deref().and_then(|id| positions.get_key_value(id)) else {
            report.find(place, format!("of no sample of this part: {}", id.unwrap_or_else(|| "it has no id".to_owned())));
            continue;
        };
        if found.insert((*id).to_owned(), (number, line.to_vec())).is_some() {
            report.find(place, format!("a second line of {id}"));
        } else if last.is_some_and(|last| last >= *position) {
            report.find(place, "out of order");
        }
        last = Some(*position);
    }
    for sample in samples.iter().filter(|s| !found.contains_key(&s.id)) {
        report.find(name, format!("no line of {}", sample.id));
    }
    found
}

/// Annotations by the id of their scene, with their numbers.
pub(super) fn annotations_by_scene(
    name: &str,
    bytes: &[u8],
    samples: &[ExpectedSample],
    report: &mut AuditReport,
) -> BTreeMap<String, Vec<(usize, Vec<u8>)>> {
    let positions: BTreeMap<&str, usize> = samples.iter().enumerate().map(|(at, s)| (s.id.as_str(), at)).collect();
    let mut found: BTreeMap<String, Vec<(usize, Vec<u8>)>> = BTreeMap::new();
    let mut last = 0;
    for (number, line) in lines(name, bytes, report) {
        let value: Value = serde_json::from_slice(line).unwrap_or_default();
        match value["scene"].as_str().and_then(|id| positions.get_key_value(id)) {
            Some((scene, &position)) => {
                // The lines of a scene are compared with it, in their order.
                if position < last {
                    report.find(format!("{name}:{number}"), "out of order");
                }
                last = last.max(position);
                found.entry((*scene).to_owned()).or_default().push((number, line.to_vec()));
            }
            None => report.find(format!("{name}:{number}"), "not an annotation of a sample of this part"),
        }
    }
    found
}

/// Annotations follow from scenes.
pub(super) fn check_annotations(
    name: &str,
    by_scene: &mut BTreeMap<String, Vec<(usize, Vec<u8>)>>,
    text: &PartText,
    samples: &[ExpectedSample],
    report: &mut AuditReport,
) {
    for sample in samples {
        let record = text
            .scenes
            .get(&sample.id)
            .and_then(|(_, line)| serde_json::from_slice::<SceneRecord>(line).ok())
            .filter(|record| record.check().is_ok());
        let Some(record) = record else { continue };
        let found = by_scene.remove(&sample.id).unwrap_or_default();
        for (place, problem) in differing_annotations(name, &sample.id, &found, &annotation_lines(&record)) {
            report.find(place, problem);
        }
    }
}

/// What loaders of image folders read follows from the annotations.
pub(super) fn check_metadata(name: &str, found: &[u8], annotations: &[u8], report: &mut AuditReport) {
    let records = annotations.split(|&b| b == b'\n').filter_map(|line| serde_json::from_slice::<AnnotationRecord>(line).ok());
    let expected: Vec<u8> = records.flat_map(metadata_line).collect();
    if found == expected {
        return;
    }
    let lines = |bytes: &[u8]| bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let at = lines(found).iter().zip(&lines(&expected)).position(|(a, b)| a != b);
    report.find(format!("{name}:{}", at.map_or(0, |n| n + 1)), "not what the annotations give");
}
