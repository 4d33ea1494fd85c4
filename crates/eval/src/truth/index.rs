//! The index: scenes, targets and what a click can hit. Plain data.

use std::path::Path;

use windesk_files::{Picture, Root};
use windesk_model::Error;
use windesk_model::geometry::Rect;

use super::ids::Places;
use super::{BenchmarkFacts, Name, Names, TruthFiles};
use crate::geometry::{Place, inside_closed, inside_open, place_in};

/// Stands for "no window" and "no element" in compact records.
pub const NONE: u32 = u32::MAX;

/// What kind of dataset it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Scenes with the whole truth.
    Scenes,
    /// One box per image.
    Boxes,
}

/// A dataset as scores need it.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// Its name: the manifest's, or the file's.
    pub name: String,
    /// What kind it is.
    pub kind: Kind,
    /// Layout it was read as, for people.
    pub layout: String,
    /// Generation protocol; null for sets that do not say.
    pub generation_protocol: Option<String>,
    /// The benchmark that it is of; null for most.
    pub benchmark: Option<BenchmarkFacts>,
    /// SHA-256 over the files that were read.
    pub digest: String,
    /// Files that were read, in order, and where pictures are looked up.
    pub files: TruthFiles,
    /// Images.
    pub scenes: Vec<Scene>,
    /// What is asked for, in the order of the files.
    pub targets: Vec<Target>,
    /// Where targets are, by their ids.
    pub(super) ids: Places,
    /// All names.
    pub names: Names,
    /// What is asked for, in words: one sentence is asked in many scenes.
    pub instructions: Names,
    /// Clusters of targets, as many as there are.
    pub clusters: u32,
    /// Names of conditions, in order of appearance.
    pub conditions: Vec<Name>,
}

/// An image.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Path of the image relative to the root.
    pub image: Box<str>,
    /// Width and height, px.
    pub size: [u32; 2],
    /// Condition.
    pub condition: Name,
    /// The sweep that it belongs to.
    pub sweep: Option<Name>,
    /// Shared by scenes of jointly planned conditions.
    pub pair: Option<Name>,
    /// Windows, bottom to top.
    pub windows: Box<[SceneWindow]>,
    /// Visible elements that a click can hit.
    pub elements: Box<[ElementBox]>,
    /// Whether probe elements are among them.
    pub has_probes: bool,
    /// Index of the file and byte offset of the line (0 for `.json` files).
    pub source: (u32, u64),
}

/// A window of a scene.
#[derive(Clone, Debug)]
pub struct SceneWindow {
    /// Opaque frame.
    pub rect: Rect,
    /// Open popups.
    pub popups: Box<[Rect]>,
    /// Place in the stack, 0 = bottom.
    pub z: u32,
    /// Whether it covers the target.
    pub occluder: bool,
}

/// What a click can hit.
#[derive(Clone, Copy, Debug)]
pub struct ElementBox {
    /// Box around its visible pixels.
    pub visible: Rect,
    /// Index of its window, or [`NONE`].
    pub window: u32,
    /// Its layer.
    pub layer: windesk_model::record::ElementLayer,
}

/// Visible pixels of a target.
#[derive(Clone, Debug)]
pub struct Mask {
    /// Top left on the screen.
    pub origin: [i32; 2],
    /// Width in px.
    pub width: u32,
    /// Height in px.
    pub height: u32,
    /// Where runs end, row-major; hidden first, then visible, and so on. None where all pixels are visible, as of most
    /// targets.
    pub ends: Box<[u32]>,
}

impl Mask {
    /// Whether the pixel is visible.
    pub fn shows(&self, x: i32, y: i32) -> bool {
        // Origins come from files and may lie at the end of the numbers.
        let [dx, dy] = [i64::from(x) - i64::from(self.origin[0]), i64::from(y) - i64::from(self.origin[1])].map(u64::try_from);
        let (Ok(dx), Ok(dy)) = (dx, dy) else { return false };
        let [width, height] = [self.width, self.height].map(u64::from);
        if dx >= width || dy >= height {
            return false;
        }
        let at = dy * width + dx;
        self.ends.is_empty() || self.ends.partition_point(|&end| u64::from(end) <= at) % 2 == 1
    }

    /// The box that it covers; `None` without pixels, or far off any screen.
    pub fn extent(&self) -> Option<Rect> {
        let [x, y] = self.origin;
        Rect::new(x, y, x.checked_add_unsigned(self.width)?, y.checked_add_unsigned(self.height)?)
    }

    /// How many pixels are visible.
    pub fn visible_px(&self) -> u64 {
        if self.ends.is_empty() {
            return u64::from(self.width) * u64::from(self.height);
        }
        self.ends.chunks_exact(2).map(|run| u64::from(run[1] - run[0])).sum()
    }
}

/// By what samples are broken down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(usize)]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Facet {
    Condition,
    Category,
    Application,
    Platform,
    Role,
    Size,
    VisibleRatio,
    Windows,
    DistractorRank,
    UiType,
    Wording,
    Evidence,
}

impl Facet {
    /// All, in the order of reports.
    pub const ALL: [Self; 12] = [
        Self::Condition,
        Self::Category,
        Self::Application,
        Self::Platform,
        Self::Role,
        Self::Size,
        Self::VisibleRatio,
        Self::Windows,
        Self::DistractorRank,
        Self::UiType,
        Self::Wording,
        Self::Evidence,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Condition => "condition",
            Self::Category => "category",
            Self::Application => "application",
            Self::Platform => "platform",
            Self::Role => "role",
            Self::Size => "target_size",
            Self::VisibleRatio => "visible_ratio",
            Self::Windows => "windows",
            Self::DistractorRank => "distractor_rank",
            Self::UiType => "ui_type",
            Self::Wording => "wording",
            Self::Evidence => "evidence_visible",
        }
    }
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its id.
    pub id: Box<str>,
    /// Index of its scene.
    pub scene: u32,
    /// Which of its scene's targets it is, from 0.
    pub ordinal: u32,
    /// The words, of the dataset's instructions.
    pub instruction: Name,
    /// Full box in px, `[x0, y0, x1, y1]`; null if it is absent.
    pub bbox: Option<[f64; 4]>,
    /// Corners in px of a target that is no box; its box is the one around them.
    pub outline: Option<Box<[[f64; 2]]>>,
    /// Whether it is an extra target of its scene, which the condition does not promise: scored apart.
    pub further: bool,
    /// Visible pixels, where the dataset records them.
    pub mask: Option<Mask>,
    /// Boxes of interactive elements inside it.
    pub nested: Box<[Rect]>,
    /// Index of its window, or [`NONE`].
    pub window: u32,
    /// Index among the scene's elements, or [`NONE`] if nothing of it is visible.
    pub element: u32,
    /// Indices of similar distractors among the scene's elements.
    pub distractors: Box<[u32]>,
    /// Targets that are the same element of the same window share this.
    pub cluster: u32,
    /// What to break down by; null where the dataset does not say.
    pub facets: [Option<Name>; Facet::ALL.len()],
    /// `visible_px / total_px`.
    pub visible_ratio: Option<f32>,
    /// Visible share of its gradient energy.
    pub visible_ink: Option<f32>,
    /// Cosine to the most similar distractor.
    pub cosine: Option<f32>,
    /// Whether its window has the focus.
    pub active: Option<bool>,
}

impl Target {
    /// Whether a click is on it, border included.
    pub fn holds(&self, point: [f64; 2]) -> bool {
        let in_box = self.bbox.is_some_and(|bbox| inside_closed(bbox, point));
        in_box && self.outline.as_ref().is_none_or(|corners| place_in(corners, point) != Place::Outside)
    }

    /// Whether a click is on it, and not on the border.
    pub fn holds_strictly(&self, point: [f64; 2]) -> bool {
        let in_box = self.bbox.is_some_and(|bbox| inside_open(bbox, point));
        in_box && self.outline.as_ref().is_none_or(|corners| place_in(corners, point) == Place::Inside)
    }

    /// Whether the shares over a whole dataset count it: it is there, and no further one.
    pub fn counts(&self) -> bool {
        self.bbox.is_some() && !self.further
    }
}

/// Opens a picture below the folder of a set, at the places that published sets use.
pub(super) fn picture_in(root: &Root, image: &str, size: Option<[u32; 2]>) -> Result<Option<Picture>, Error> {
    if let Some(found) = root.picture_if_any(image, size)? {
        return Ok(Some(found));
    }
    let inside = Path::new("images").join(image);
    if let Some(found) = root.picture_if_any(&inside, size)? {
        return Ok(Some(found));
    }
    // `annotations/` and `images/` side by side.
    Root::new(root.place("..")).picture_if_any(&inside, size)
}

impl Dataset {
    /// A data set without scenes yet.
    pub(super) fn empty(kind: Kind, name: String, files: &TruthFiles) -> Self {
        Self {
            name,
            kind,
            layout: String::new(),
            generation_protocol: None,
            benchmark: None,
            digest: String::new(),
            files: files.clone(),
            scenes: Vec::new(),
            targets: Vec::new(),
            ids: Places::default(),
            names: Names::default(),
            instructions: Names::default(),
            clusters: 0,
            conditions: Vec::new(),
        }
    }

    /// The target with this id, by its place in the list.
    pub fn target_called(&self, id: &str) -> Option<u32> {
        self.ids.find(id, |at| &self.targets[at as usize].id)
    }

    /// Adds a target, which no other may be called like.
    pub(super) fn add_target(&mut self, target: Target) -> Result<(), String> {
        let place = u32::try_from(self.targets.len()).map_err(|_| "more than 2^32 targets".to_owned())?;
        self.targets.push(target);
        let is_new = self.ids.add(place, |at| &self.targets[at as usize].id);
        if is_new { Ok(()) } else { Err(format!("target {} appears twice", self.targets[place as usize].id)) }
    }

    /// The words of a target.
    pub fn instruction(&self, target: &Target) -> &str {
        self.instructions.text(target.instruction)
    }

    /// A target's facet as text.
    pub fn facet(&self, target: &Target, facet: Facet) -> Option<&str> {
        target.facets[facet as usize].map(|name| self.names.text(name))
    }

    /// A target's scene.
    pub fn scene(&self, target: &Target) -> &Scene {
        &self.scenes[target.scene as usize]
    }

    /// Opens a scene's picture, which must be of the recorded size.
    ///
    /// # Errors
    /// If there is none, or what is there is no picture below the dataset's folder.
    pub fn picture(&self, scene: &Scene) -> Result<Picture, Error> {
        let missing = || Error::path(self.files.root.place(&*scene.image), "no such file, expected the picture of a target");
        self.picture_if_any(scene)?.ok_or_else(missing)
    }

    /// The same; `None` if there is none.
    ///
    /// # Errors
    /// If what is there is no picture of the recorded size below the dataset's folder.
    pub fn picture_if_any(&self, scene: &Scene) -> Result<Option<Picture>, Error> {
        picture_in(&self.files.root, &scene.image, Some(scene.size))
    }
}
