//! The formats of tasks: names, where boxes and pictures go, and what each loses.

use super::info::{FormatInfo, Making};
use super::medspot::Medspot;
use super::output::ImagePlace;
#[cfg(feature = "parquet")]
use super::parquet::StepRows;
use super::trajectory::{Layout, Trajectories};

/// No other places, and nothing of what the program knows of its own scenes.
const NO_OTHERS: Option<&str> = Some("other valid clicks, kinds of tasks and steps");

pub(super) const TASK_FORMATS: &[FormatInfo] = &[
    FormatInfo {
        name: "medspot",
        readers: "MedSPOT's evaluation scripts (tasks)",
        files: "Annotations/<application>_Annotation.json",
        coordinates: "xywh percent",
        loses: None,
        omits: NO_OTHERS,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::Below,
        writer: Making::Tasks(|_| Box::new(Medspot)),
    },
    FormatInfo {
        name: "agentnet",
        readers: "AgentNet, OpenCUA (tasks)",
        files: "<dataset>.jsonl",
        coordinates: "click point 0-1, four decimals; bbox xyxy px beside it",
        loses: None,
        omits: Some("other valid clicks, kinds of tasks and steps; has no observations, thoughts, reflections or scores"),
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::InImages,
        writer: Making::Tasks(|d| Box::new(Trajectories::new(d, Layout::Agentnet))),
    },
    FormatInfo {
        name: "android-control",
        readers: "AndroidControl, one record per episode (tasks)",
        files: "<dataset>.jsonl",
        coordinates: "click point px; bboxes xyxy px beside it",
        loses: None,
        omits: Some(
            "other valid clicks, kinds of tasks and steps; has no accessibility trees, and no screenshot after the last click",
        ),
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::Below,
        writer: Making::Tasks(|d| Box::new(Trajectories::new(d, Layout::AndroidControl))),
    },
    FormatInfo {
        name: "ms-swift-tasks",
        readers: "ms-swift, one conversation per task (tasks)",
        files: "<dataset>.jsonl",
        coordinates: "xyxy px in objects.bbox (bbox_type real), image by objects.image_id",
        loses: None,
        omits: NO_OTHERS,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::Below,
        writer: Making::Tasks(|d| Box::new(Trajectories::new(d, Layout::MsSwift))),
    },
    #[cfg(feature = "parquet")]
    FormatInfo {
        name: "hf-parquet-steps",
        readers: "Hugging Face datasets, one row per step (tasks)",
        files: "data/<split>-00000.parquet .., README.md",
        coordinates: "xyxy px, images inside",
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::Embedded,
        writer: Making::Tasks(|d| Box::new(StepRows::new(d))),
    },
];
