//! The index: scenes, targets and what a click can hit. Plain data.

use std::path::Path;

use windesk_files::{Picture, Root};
use windesk_model::Error;
use windesk_model::geometry::Rect;

use super::ids::Places;
use super::mask::{Mask, MaskOf};
use super::pool::{Pool, Texts};
use super::{BenchmarkFacts, Facet, FacetSets, Name, Names, Target, TruthFiles};

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
    /// Ids of targets.
    pub(super) ids: Texts,
    /// Where targets are, by their ids.
    pub(super) places: Places,
    /// Runs of masks.
    pub(super) runs: Pool<u32>,
    /// Boxes of elements inside of targets.
    pub(super) nested: Pool<Rect>,
    /// Similar distractors of targets.
    pub(super) distractors: Pool<u32>,
    /// By what targets are broken down.
    pub facet_sets: FacetSets,
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
            ids: Texts::default(),
            places: Places::default(),
            runs: Pool::default(),
            nested: Pool::default(),
            distractors: Pool::default(),
            facet_sets: FacetSets::default(),
            names: Names::default(),
            instructions: Names::default(),
            clusters: 0,
            conditions: Vec::new(),
        }
    }

    /// The target with this id, by its place in the list.
    pub fn target_called(&self, id: &str) -> Option<u32> {
        self.places.find(id, |at| self.id(&self.targets[at as usize]))
    }

    /// Adds a target, which no other may be called like.
    pub(super) fn add_target(&mut self, target: Target) -> Result<(), String> {
        let place = u32::try_from(self.targets.len()).map_err(|_| "more than 2^32 targets".to_owned())?;
        self.targets.push(target);
        let id_at = |at: u32| self.ids.text(self.targets[at as usize].id);
        if self.places.add(place, id_at) { Ok(()) } else { Err(format!("target {} appears twice", id_at(place))) }
    }

    /// A target's id.
    pub fn id(&self, target: &Target) -> &str {
        self.ids.text(target.id)
    }

    /// Visible pixels of a target, where the dataset records them.
    pub fn mask(&self, target: &Target) -> Option<Mask<'_>> {
        let of = |MaskOf { origin, width, height, ends }| Mask { origin, width, height, ends: self.runs.list(ends) };
        target.mask.map(of)
    }

    /// Boxes of interactive elements inside a target.
    pub fn nested(&self, target: &Target) -> &[Rect] {
        self.nested.list(target.nested)
    }

    /// Similar distractors of a target: indices among its scene's elements.
    pub fn distractors(&self, target: &Target) -> &[u32] {
        self.distractors.list(target.distractors)
    }

    /// The words of a target.
    pub fn instruction(&self, target: &Target) -> &str {
        self.instructions.text(target.instruction)
    }

    /// A target's facet as text.
    pub fn facet(&self, target: &Target, facet: Facet) -> Option<&str> {
        self.facet_sets.get(target.facets)[facet as usize].map(|name| self.names.text(name))
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
