//! The formats of scenes: names, where boxes and pictures go, and what each loses.

use super::chat::{Answer, Chat, Container};
use super::detection::{Coco, Yolo};
use super::harness::Harness;
use super::info::{FormatInfo, Making};
use super::output::ImagePlace;
use super::packaging::{ImageFolder, WebDataset};
#[cfg(feature = "parquet")]
use super::parquet::Parquet;
use super::point::Pointing;
use super::state_formats::STATE_FORMATS;
use super::task_formats::TASK_FORMATS;

/// A format to export to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format(usize);

impl Format {
    /// All formats, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..FORMATS.len() + TASK_FORMATS.len() + STATE_FORMATS.len()).map(Self)
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|format| format.info().name == name)
    }

    /// What it is.
    pub fn info(self) -> &'static FormatInfo {
        FORMATS.iter().chain(TASK_FORMATS).chain(STATE_FORMATS).nth(self.0).expect("formats are made of their number")
    }

    /// Whether it is made of tasks, not of scenes.
    pub fn of_tasks(self) -> bool {
        matches!(self.info().writer, Making::Tasks(_))
    }

    /// Whether it is made of state instances, not of scenes.
    pub fn of_states(self) -> bool {
        matches!(self.info().writer, Making::States(_))
    }

    /// Whether its boxes are those of the resized picture, whose limits are the user's.
    pub fn resizes(self) -> bool {
        self.info().name == "qwen2.5-vl"
    }

    /// Whether it can write which pixels of an element are visible, which only the pack tells.
    pub fn wants_pack(self) -> bool {
        self.info().name == "coco"
    }
}

const XYXY: &str = "xyxy px";
const XYWH: &str = "xywh px";
const UNIT: &str = "xyxy 0-1";

const FORMATS: &[FormatInfo] = &[
    FormatInfo {
        name: "screenspot-pro",
        readers: "ScreenSpot-Pro, UI-Vision, VenusBench-GD",
        files: "annotations/<condition>.json",
        coordinates: XYXY,
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::InImages,
        writer: Making::Scenes(|_| Box::new(Harness::ScreenspotPro)),
    },
    FormatInfo {
        name: "screenspot",
        readers: "ScreenSpot (SeeClick's script)",
        files: "screenspot_desktop.json",
        coordinates: XYWH,
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::InImages,
        writer: Making::Scenes(|_| Box::new(Harness::Screenspot("screenspot_desktop.json"))),
    },
    FormatInfo {
        name: "screenspot-v2",
        readers: "ScreenSpot-v2",
        files: "screenspot_desktop_v2.json",
        coordinates: XYWH,
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::InImages,
        writer: Making::Scenes(|_| Box::new(Harness::Screenspot("screenspot_desktop_v2.json"))),
    },
    FormatInfo {
        name: "windeskground",
        readers: "WinDeskGround",
        files: "test.json",
        coordinates: "gt_bbox xyxy px, bbox xywh px",
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::Below,
        writer: Making::Scenes(|_| Box::new(Harness::Windeskground)),
    },
    FormatInfo {
        name: "osworld-g",
        readers: "OSWorld-G",
        files: "osworld_g.json",
        coordinates: XYWH,
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: true,
        all_elements: false,
        images: ImagePlace::InImages,
        writer: Making::Scenes(|_| Box::new(Harness::OsworldG)),
    },
    FormatInfo {
        name: "ms-swift",
        readers: "ms-swift",
        files: "<dataset>.jsonl",
        coordinates: "xyxy px in objects.bbox (bbox_type real)",
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: true,
        all_elements: false,
        images: ImagePlace::Below,
        writer: Making::Scenes(|d| Box::new(Chat::new(&d.name, Container::MsSwift, Answer::Pixels))),
    },
    FormatInfo {
        name: "qwen2-vl",
        readers: "Qwen2-VL fine-tuning",
        files: "<dataset>.json",
        coordinates: "xyxy 0-1000 in the answer",
        loses: None,
        omits: None,
        rounds: Some("boxes to thousandths of the image's sides, by up to 0.05 % of a side"),
        holds_absent: true,
        all_elements: false,
        images: ImagePlace::Below,
        writer: Making::Scenes(|d| Box::new(Chat::new(&d.name, Container::Conversations, Answer::Thousandths))),
    },
    FormatInfo {
        name: "qwen2.5-vl",
        readers: "Qwen2.5-VL fine-tuning",
        files: "<dataset>.json",
        coordinates: "xyxy px of the resized image in the answer",
        loses: None,
        omits: None,
        rounds: Some("boxes to pixels of the resized image, whose size depends on the limits given (`min_pixels`, `max_pixels`)"),
        holds_absent: true,
        all_elements: false,
        images: ImagePlace::Below,
        writer: Making::Scenes(|d| Box::new(Chat::new(&d.name, Container::Conversations, Answer::Resized))),
    },
    FormatInfo {
        name: "qwen3-vl",
        readers: "Qwen3-VL fine-tuning",
        files: "<dataset>.json",
        coordinates: "xyxy 0-1000 in the answer",
        loses: None,
        omits: None,
        rounds: Some("boxes to thousandths of the image's sides, by up to 0.05 % of a side"),
        holds_absent: true,
        all_elements: false,
        images: ImagePlace::Below,
        writer: Making::Scenes(|d| Box::new(Chat::new(&d.name, Container::Conversations, Answer::Thousandths))),
    },
    FormatInfo {
        name: "llama-factory",
        readers: "LLaMA-Factory (sharegpt)",
        files: "<dataset>.json, dataset_info.json",
        coordinates: "xyxy px in the answer",
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: true,
        all_elements: false,
        images: ImagePlace::Below,
        writer: Making::Scenes(|d| Box::new(Chat::new(&d.name, Container::LlamaFactory, Answer::Pixels))),
    },
    FormatInfo {
        name: "aguvis",
        readers: "Aguvis",
        files: "<dataset>.json, data.yaml",
        coordinates: "click point 0-1, four decimals",
        loses: Some("the boxes: only the click point is written"),
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::InImages,
        writer: Making::Scenes(|d| Box::new(Pointing::aguvis(d))),
    },
    FormatInfo {
        name: "gui-actor",
        readers: "GUI-Actor",
        files: "<dataset>.json, data.yaml",
        coordinates: "click point 0-1, bbox_gt xyxy 0-1",
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::InImages,
        writer: Making::Scenes(|d| Box::new(Pointing::gui_actor(d))),
    },
    FormatInfo {
        name: "os-atlas",
        readers: "SeeClick, OS-Atlas",
        files: "<dataset>.json",
        coordinates: UNIT,
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::InImages,
        writer: Making::Scenes(|d| Box::new(Pointing::os_atlas(d))),
    },
    FormatInfo {
        name: "showui",
        readers: "ShowUI",
        files: "metadata/hf_<split>.json",
        coordinates: UNIT,
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::InImages,
        writer: Making::Scenes(|d| Box::new(Pointing::showui(d))),
    },
    FormatInfo {
        name: "imagefolder",
        readers: "Hugging Face datasets (imagefolder)",
        files: "metadata.jsonl, README.md; below <split>/ if it has one",
        coordinates: XYXY,
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: true,
        all_elements: false,
        images: ImagePlace::BelowSplit,
        writer: Making::Scenes(|d| Box::new(ImageFolder::new(d))),
    },
    FormatInfo {
        name: "webdataset",
        readers: "WebDataset",
        files: "<dataset>-<split>-000000.tar .., README.md",
        coordinates: "xyxy px in the json; the whole scene record beside it",
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: true,
        all_elements: false,
        images: ImagePlace::Embedded,
        writer: Making::Scenes(|d| Box::new(WebDataset::new(d))),
    },
    #[cfg(feature = "parquet")]
    FormatInfo {
        name: "hf-parquet",
        readers: "Hugging Face datasets (Parquet with the images inside)",
        files: "data/<split>-00000.parquet .., README.md",
        coordinates: XYXY,
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: true,
        all_elements: false,
        images: ImagePlace::Embedded,
        writer: Making::Scenes(|d| Box::new(Parquet::scenes(d))),
    },
    #[cfg(feature = "parquet")]
    FormatInfo {
        name: "verl",
        readers: "verl (reinforcement learning)",
        files: "<dataset>-00000.parquet ..",
        coordinates: XYXY,
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: false,
        images: ImagePlace::Embedded,
        writer: Making::Scenes(|d| Box::new(Parquet::verl(d))),
    },
    FormatInfo {
        name: "coco",
        readers: "pycocotools, detection trainers",
        files: "annotations.json",
        coordinates: "xywh px, every element; RLE of its visible pixels where the pack is given",
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: true,
        images: ImagePlace::InImages,
        writer: Making::Scenes(|_| Box::new(Coco::default())),
    },
    FormatInfo {
        name: "yolo",
        readers: "YOLO trainers",
        files: "labels/<part>/<id>.txt, data.yaml",
        coordinates: "centre and size 0-1, every element",
        loses: Some("the instructions: only boxes and roles are written"),
        omits: None,
        rounds: None,
        holds_absent: false,
        all_elements: true,
        images: ImagePlace::Below,
        writer: Making::Scenes(|d| Box::new(Yolo(d.split))),
    },
    FormatInfo {
        name: "superset",
        readers: "scripts that read JSON Lines; has all field names at once",
        files: "annotations.jsonl",
        coordinates: XYXY,
        loses: None,
        omits: None,
        rounds: None,
        holds_absent: true,
        all_elements: false,
        images: ImagePlace::Below,
        writer: Making::Scenes(|_| Box::new(Harness::Superset)),
    },
];
