//! The records of a dataset, as `docs/dataset.md` describes them. Plain data.
//!
//! Boxes are integer `[x0, y0, x1, y1]`, half-open, screen px, and may reach beyond the screen.

use std::borrow::Cow;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use typed_index_collections::TiVec;

use crate::condition::{ChromeMode, LayerKnob, OccluderKnob, Protocol, Theme};
use crate::geometry::{Point, Rect};
use crate::icon_probe::{Labels, ProbeLayout, Prompt, Tile};
use crate::index::PlacementIndex;
use crate::instruction::{InstructionSource, UiType, Wording};
use crate::key::SampleKey;
use crate::pack_format::{Category, EvidenceKind, Platform, State};
use crate::page_state::PageState;
use crate::plan::{Layout, Role};
use crate::task::SequencePlace;

/// Version of the records.
pub const SCHEMA_VERSION: u32 = 1;

/// A line of `scenes/*.jsonl`: one image and the whole truth about it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SceneRecord<'a> {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// `<dataset>.<condition>-<index>`.
    pub id: String,
    /// The dataset's name.
    pub dataset: String,
    /// The rules.
    pub protocol: Protocol,
    /// Path of the image in the dataset.
    pub image: String,
    /// Width of the image, px.
    pub width: u32,
    /// Height of the image, px.
    pub height: u32,
    /// Name of the condition.
    pub condition: String,
    /// What it was drawn from.
    pub key: SampleKey,
    /// `train`, `test` or null.
    pub split: Option<String>,
    /// Name of the sweep, or null.
    pub sweep: Option<String>,
    /// What the condition's knobs asked for, and the number of windows drawn.
    pub knobs: Knobs,
    /// Shared by the samples of jointly planned conditions.
    pub pair_id: String,
    /// The session that all windows are of; missing where they may be of any, or the pack names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Wallpaper by id.
    pub wallpaper: String,
    /// How background windows, or icons, lie.
    pub layout: SceneLayout,
    /// Which step of which task it is; null for scenes that stand alone.
    pub sequence: Option<SequencePlace>,
    /// Windows, elements and targets.
    #[serde(flatten)]
    pub truth: Annotation<'a>,
}

impl SceneRecord<'_> {
    /// Whether its parts refer to each other soundly, so that it can be used without a further look.
    ///
    /// # Errors
    /// With what is wrong. Records come from strangers too.
    pub fn check(&self) -> Result<(), String> {
        if self.width == 0 || self.height == 0 || self.width > 1 << 15 || self.height > 1 << 15 {
            return Err(format!("a picture of {}x{} px, expected 1x1 to 32768x32768", self.width, self.height));
        }
        let known = self.truth.windows.len();
        let named = self.truth.elements.iter().filter_map(|e| e.window).chain(self.truth.targets.iter().filter_map(|t| t.window));
        match { named }.find(|&window| self.truth.windows.get(window).is_none()) {
            Some(window) => Err(format!("window {window} of {known}")),
            None => Ok(()),
        }
    }
}

/// What a condition asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Knobs {
    /// Band of visible ratios.
    pub visible_ratio: [f64; 2],
    /// Windows in this scene.
    pub windows: u32,
    /// Rank of the first similar distractor.
    pub distractor_rank: u32,
    /// Similar distractors.
    pub distractors: u32,
    /// Cosine that they were to have instead of a rank; null where they go by rank.
    pub distractor_similarity: Option<[f64; 2]>,
    /// Where they were to lie in the stack; null for icon probes.
    pub distractor_layer: Option<LayerKnob>,
    /// Whether an occluder had to be there even with nothing to hide; null for icon probes.
    pub occluder: Option<OccluderKnob>,
    /// What the desktop shows.
    pub chrome: ChromeMode,
    /// Whether windows are light or dark twins alone; null for windows of either kind.
    pub theme: Option<Theme>,
    /// Of icon probes alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<ProbeKnobs>,
}

/// How a scene is arranged. Written as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum SceneLayout {
    /// Of background windows.
    Windows(Layout),
    /// Of icons.
    Icons(ProbeLayout),
}

/// What a probe's condition asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ProbeKnobs {
    /// Library by name.
    pub library: String,
    /// Icons in this scene.
    pub icons: u32,
    /// Least gap between icons, horizontally and vertically, px (see `docs/probes.md`).
    pub gap_px: [u32; 2],
    /// Least contrast of an icon with what lies under it.
    pub contrast_min: f64,
    /// Captions.
    pub labels: Labels,
    /// Column and row that the target visits, in a position grid.
    pub visit: Option<[u32; 2]>,
}

/// Everything that is in a scene, with exact visibility.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Annotation<'a> {
    /// Windows, bottom to top.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<WindowRecord>"))]
    pub windows: TiVec<PlacementIndex, WindowRecord>,
    /// Every element of every window, of the desktop and of the taskbar.
    pub elements: Vec<ElementRecord<'a>>,
    /// What is asked for.
    pub targets: Vec<TargetRecord>,
    /// The mouse pointer; null where none is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<PointerRecord>,
}

/// The mouse pointer, above everything. Its solid pixels hide what is below them, as a window's do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct PointerRecord {
    /// Box of its picture.
    pub bbox: Rect,
    /// The pixel that it points at.
    pub hotspot: Point,
}

/// A window in a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct WindowRecord {
    /// Position in the stack, 0 = bottom.
    pub index: PlacementIndex,
    /// Window by id.
    pub window: String,
    /// The program's name.
    pub app: String,
    /// The program's domain.
    pub category: Category,
    /// The window's title.
    pub title: String,
    /// Why it is there.
    pub role: Role,
    /// Position in the stack, 0 = bottom.
    pub z: PlacementIndex,
    /// Opaque frame, without shadow and popups.
    pub rect: Rect,
    /// Open popups.
    pub popup_rects: Vec<Rect>,
    /// For a dialog, the index of its parent window.
    pub parent_window: Option<PlacementIndex>,
    /// Whether it has the focus.
    pub active: bool,
    /// Toolkit theme.
    pub theme: String,
    /// Whether the theme is dark.
    pub dark: bool,
    /// Device pixels per layout pixel.
    pub scale: f64,
    /// What it is a window of; left out for windows of desktops.
    #[serde(default, skip_serializing_if = "Platform::is_desktop")]
    pub platform: Platform,
    /// Pixels that the window owns, off-screen ones included.
    pub total_px: u64,
    /// Those that are visible.
    pub visible_px: u64,
    /// How it differs from its capture; missing where it is as captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<PageState>,
}

/// Which layer an element belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum ElementLayer {
    Window,
    Desktop,
    Taskbar,
    Probe,
}

/// An element in a scene. What a pack says of it is borrowed from the pack where the record is made of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ElementRecord<'a> {
    /// `w<window>.<element>`, `desktop.<n>` or `taskbar.<n>`.
    pub id: String,
    /// Which layer it belongs to.
    pub layer: ElementLayer,
    /// Index of its window; null for the other layers.
    pub window: Option<PlacementIndex>,
    /// Its id in the pack's window, or in its layer.
    pub element: Cow<'a, str>,
    /// AT-SPI role name.
    pub role: Cow<'a, str>,
    /// Accessible name.
    pub name: Cow<'a, str>,
    /// Accessible description; left out where there is none.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub description: Cow<'a, str>,
    /// Full box.
    pub bbox: Rect,
    /// Smallest box around its visible pixels.
    pub visible_bbox: Option<Rect>,
    /// Pixels of its box that its own window covers, off-screen ones included.
    pub total_px: u64,
    /// Those that are visible.
    pub visible_px: u64,
    /// Whether a user can act on it.
    pub interactive: bool,
    /// State and value.
    pub state: Cow<'a, State>,
    /// Of an icon of a probe alone.
    #[serde(flatten)]
    pub icon: Option<IconRecord>,
}

/// What a probe's icon is and how it is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct IconRecord {
    /// Its library.
    pub library: String,
    /// Group of things.
    pub category: Option<String>,
    /// Drawing style, where several icons show the same.
    pub style: Option<String>,
    /// Other names that fit it.
    pub synonyms: Vec<String>,
    /// Side of the square that it was drawn in, px.
    pub size_px: u32,
    /// What it lies on.
    pub tile: Tile,
    /// Degrees clockwise.
    pub turn_deg: i32,
    /// 0..=1.
    pub opacity: f64,
    /// Median contrast of its pixels with what they cover (WCAG ratio).
    pub contrast: f64,
    /// The caption under it.
    pub caption: Option<CaptionRecord>,
}

/// A caption under an icon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CaptionRecord {
    /// What it says; the name of another icon where captions are shuffled.
    pub text: String,
    /// Box of its letters; null if they show nothing.
    pub bbox: Option<Rect>,
}

/// Whether what is asked for is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum TargetKind {
    Present,
    Absent,
}

/// What is asked for. An absent target has no box, mask, point or counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct TargetRecord {
    /// `<scene id>.t<n>`.
    pub id: String,
    /// Whether it is there.
    pub kind: TargetKind,
    /// Element by id in this scene.
    pub element: Option<String>,
    /// Index of its window.
    pub window: Option<PlacementIndex>,
    /// The words.
    pub instruction: String,
    /// How they ask.
    pub wording: TargetWording,
    /// Which of its sentences: 0 is the instruction, others are paraphrases of it. Left out where it is 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub wording_variant: u32,
    /// Who wrote them.
    pub instruction_source: InstructionSource,
    /// Full box. Of a state that is to be set, where a click or the end of a drag sets it: the core of the target
    /// state.
    pub bbox: Option<Rect>,
    /// Smallest box around its visible pixels.
    pub visible_bbox: Option<Rect>,
    /// Pixels of its box that its own window covers, off-screen ones included.
    pub total_px: u64,
    /// Those that are visible.
    pub visible_px: u64,
    /// `visible_px / total_px`.
    pub visible_ratio: f64,
    /// Visible share of its gradient energy; null where it has next to none.
    pub visible_ink: Option<f64>,
    /// The visible pixel farthest from the mask's edge, clear of nested controls. Of a state that is to be set, a pixel
    /// that sets it; null where only a drag does.
    pub click_point: Option<Point>,
    /// From where to where the pointer is dragged; left out where a click does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag: Option<[Point; 2]>,
    /// Run-length mask of its visible pixels.
    pub visible_mask: Option<MaskRecord>,
    /// Boxes of interactive elements inside it.
    pub nested: Vec<Rect>,
    /// Whether it shows its name.
    pub ui_type: UiType,
    /// Whether another element that is itself solvably visible satisfies the words. Never in protocol `windesk`.
    pub ambiguous: bool,
    /// Whether the condition's band was kept for it.
    pub promised: bool,
    /// Similar distractors, by rank.
    pub distractors: Vec<DistractorRecord>,
    /// The nearest other element.
    pub nearest_competitor: Option<CompetitorRecord>,
    /// What a reader goes by, and how much of it is visible; left out where nothing is known of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<EvidenceRecord>,
    /// The whole prompt; of icon probes alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Prompt>,
}

/// A part of the picture by which a reader knows a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct EvidenceRecord {
    /// What it is.
    pub kind: EvidenceKind,
    /// Index of the window that shows it: the target's, or its parent.
    pub window: PlacementIndex,
    /// Its box on the screen.
    pub bbox: Rect,
    /// Visible share of its pixels, off-screen ones included.
    pub visible_ratio: f64,
    /// Whether the condition requires a share of it to be visible.
    pub required: bool,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// How a target is asked for. Written as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TargetWording {
    /// By name and role alone.
    Brief,
    /// With the program's name before it.
    InContext,
    /// With the window's title before it.
    InWindow,
    /// An icon by its name.
    Name,
    /// An icon by a synonym.
    Synonym,
    /// An icon by its name and how it is drawn.
    Style,
}

impl From<Wording> for TargetWording {
    fn from(wording: Wording) -> Self {
        match wording {
            Wording::Brief => Self::Brief,
            Wording::InContext => Self::InContext,
            Wording::InWindow => Self::InWindow,
        }
    }
}

/// Run-length mask, row-major over the box's on-screen part, starting with hidden pixels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct MaskRecord {
    /// Height and width of the on-screen part.
    pub size: [u32; 2],
    /// Its top left on the screen.
    pub origin: Point,
    /// Lengths of runs, hidden first, then visible, and so on.
    pub counts: Vec<u32>,
}

/// A similar distractor in a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct DistractorRecord {
    /// Index of its window; null for an icon.
    pub window: Option<PlacementIndex>,
    /// Element by id in this scene.
    pub element: String,
    /// Rank among other programs (or icons), 1 = most similar.
    pub rank: u32,
    /// Cosine of the embeddings; for an icon, what its design compares (see `docs/probes.md`).
    pub similarity: f64,
    /// How much of it is visible.
    pub visible_ratio: f64,
}

/// The nearest other element in a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CompetitorRecord {
    /// Element by id in this scene.
    pub element: String,
    /// Cosine of the embeddings.
    pub similarity: f64,
}

/// A line of `annotations/*.jsonl`: the superset record that evaluation harnesses read unchanged. Boxes are xyxy px.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[allow(missing_docs, reason = "field names of the harnesses; docs/dataset.md describes them")]
pub struct AnnotationRecord {
    pub id: String,
    pub scene: String,
    pub img_filename: String,
    pub image_path: String,
    pub file_name: String,
    pub img_size: [u32; 2],
    pub image_size: [u32; 2],
    pub image_width: u32,
    pub image_height: u32,
    pub bbox: Option<Rect>,
    pub instruction: String,
    pub prompt_to_evaluate: String,
    pub ui_type: UiType,
    pub data_type: UiType,
    pub element_type: String,
    pub platform: String,
    pub data_source: String,
    pub application: String,
    pub group: Option<Category>,
    pub grounding_type: String,
    pub condition: String,
    pub visible_ratio: f64,
    pub kind: TargetKind,
    pub click_point: Option<Point>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag: Option<[Point; 2]>,
    pub visible_bbox: Option<Rect>,
    pub promised: bool,
    pub pair_id: String,
}
