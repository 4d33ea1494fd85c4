//! The formats of state instances: names, where boxes and pictures go, and what each loses.

use super::finestate::Finestate;
use super::info::{FormatInfo, Making};
use super::output::ImagePlace;

pub(super) const STATE_FORMATS: &[FormatInfo] = &[FormatInfo {
    name: "finestate",
    readers: "FineState-Bench's evaluation (states)",
    files: "desktop_en/<family>json/<type>.json, web_en/instructions.jsonl, mobile_en/instructions.jsonl",
    coordinates: "xyxy 0-1",
    loses: None,
    omits: Some("maps from clicks and drags to states, acts, hints, difficulty; that some states are set by a drag alone"),
    rounds: None,
    holds_absent: false,
    all_elements: false,
    images: ImagePlace::Below,
    writer: Making::States(|_| Box::new(Finestate::default())),
}];
