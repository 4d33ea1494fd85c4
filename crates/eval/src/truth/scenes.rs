//! Reads `scenes/*.jsonl`, one line at a time.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use sha2::{Digest, Sha256};

use windesk_files::compressed::{is_compressed, readable};
use windesk_files::{MAX_LINE_BYTES, Root, read_line};
use windesk_model::Error;
use windesk_model::condition::TargetSize;
use windesk_model::digest::hex;
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::part_list::VERIFY;
use windesk_model::record::{ElementLayer, MaskRecord, SCHEMA_VERSION, TargetKind};

use super::digest::Digesting;
use super::facets::{Facet, Facets};
use super::index::{Dataset, ElementBox, Kind, NONE, Scene, SceneWindow};
use super::manifest::{About, Manifest};
use super::mask::MaskOf;
use super::names::{Name, Names};
use super::pool::{Part, Pool};
use super::target::{Recorded, Shape, Target};
use super::{OpenOptions, Table, TruthFiles};

/// The part of a scene's line that scores need.
#[derive(Deserialize)]
struct SceneLine<'a> {
    schema_version: u32,
    #[serde(borrow)]
    protocol: Cow<'a, str>,
    #[serde(borrow)]
    image: Cow<'a, str>,
    width: u32,
    height: u32,
    #[serde(borrow)]
    condition: Cow<'a, str>,
    #[serde(borrow, default)]
    sweep: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pair_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    windows: Vec<WindowLine<'a>>,
    #[serde(borrow)]
    elements: Vec<ElementLine<'a>>,
    #[serde(borrow)]
    targets: Vec<TargetLine<'a>>,
}

#[derive(Deserialize)]
struct WindowLine<'a> {
    #[serde(borrow)]
    window: Cow<'a, str>,
    #[serde(borrow)]
    app: Cow<'a, str>,
    #[serde(borrow)]
    category: Cow<'a, str>,
    #[serde(borrow)]
    role: Cow<'a, str>,
    z: u32,
    rect: Rect,
    #[serde(default)]
    popup_rects: Vec<Rect>,
    active: bool,
}

#[derive(Deserialize)]
struct ElementLine<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    layer: ElementLayer,
    window: Option<u32>,
    #[serde(borrow)]
    element: Cow<'a, str>,
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    visible_bbox: Option<Rect>,
    interactive: bool,
}

#[derive(Deserialize)]
struct TargetLine<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    kind: TargetKind,
    #[serde(borrow)]
    element: Option<Cow<'a, str>>,
    window: Option<u32>,
    #[serde(borrow)]
    instruction: Cow<'a, str>,
    #[serde(borrow, default)]
    wording: Option<Cow<'a, str>>,
    bbox: Option<Rect>,
    visible_ratio: Option<f64>,
    visible_ink: Option<f64>,
    visible_mask: Option<MaskRecord>,
    #[serde(default)]
    nested: Vec<Rect>,
    #[serde(borrow, default)]
    ui_type: Option<Cow<'a, str>>,
    #[serde(default = "promised")]
    promised: bool,
    #[serde(borrow, default)]
    distractors: Vec<DistractorLine<'a>>,
    #[serde(default)]
    evidence: Vec<EvidenceLine>,
    #[serde(default)]
    click_point: Option<IgnoredAny>,
    #[serde(default)]
    drag: Option<IgnoredAny>,
}

/// Records that do not say have one target per scene.
fn promised() -> bool {
    true
}

/// Of a part that a reader goes by: how much of it is visible.
#[derive(Deserialize)]
struct EvidenceLine {
    visible_ratio: f64,
}

#[derive(Deserialize)]
struct DistractorLine<'a> {
    #[serde(borrow)]
    element: Cow<'a, str>,
    rank: u32,
    similarity: f64,
}

/// Reads files of scenes: those of a dataset folder with its manifest, or one that was given by itself.
pub(super) fn read(files: &TruthFiles, manifest: Option<Manifest>, options: &OpenOptions) -> Result<Dataset, Error> {
    let mut sha256 = Sha256::new();
    let about_file = if manifest.is_none() { about_file(&files.root)? } else { About::default() };
    let about = manifest.as_ref().map_or(&about_file, |manifest| &manifest.about);
    about.check_records(files.root.folder())?;
    let of_file = || Some(files.paths.first()?.file_stem()?.to_str()?.to_owned());
    let name = about.dataset.clone().or_else(of_file).unwrap_or_default();
    let mut reader = Reader {
        dataset: Dataset { layout: "windesk scenes".to_owned(), ..Dataset::empty(Kind::Scenes, name, files) },
        clusters: Table::default(),
        count_further: options.count_further,
    };
    for (at, path) in files.paths.iter().enumerate() {
        let file = files.open(at).map_err(|error| if manifest.is_some() { error.with_hint(VERIFY) } else { error })?;
        let mut lines = readable(Digesting { inner: file, sha256: &mut sha256 }, is_compressed(path));
        let (mut line, mut number, mut offset, mut scenes) = (Vec::new(), 0, 0, 0);
        loop {
            line.clear();
            let length = read_line(&mut lines, &mut line, MAX_LINE_BYTES).map_err(|e| Error::io(path, e))?;
            if length == 0 {
                break;
            }
            number += 1;
            if !line.trim_ascii().is_empty() {
                let parsed: SceneLine<'_> = serde_json::from_slice(&line)
                    .map_err(|e| Error::line(path, number, format!("{e}, expected a scene record")))?;
                reader.add(parsed, (at as u32, offset)).map_err(|problem| Error::line(path, number, problem))?;
                scenes += 1;
            }
            offset += length as u64;
        }
        manifest.as_ref().map_or(Ok(()), |manifest| manifest.check_lines(at, "scenes", path, scenes))?;
    }
    let mut dataset = reader.dataset;
    dataset.clusters = reader.clusters.len() as u32;
    dataset.digest = hex(&sha256.finalize());
    dataset.benchmark = about.benchmark(&files.root, &dataset.digest, options.ships)?;
    Ok(dataset)
}

/// What a manifest says of a file of scenes that was given by itself: one beside it, or above `scenes/`.
fn about_file(root: &Root) -> Result<About, Error> {
    let about = About::beside(root)?;
    about.check_records(root.folder())?;
    let folder = root.folder();
    if let Some(above) = folder.file_name().filter(|name| *name == "scenes").and_then(|_| folder.parent()) {
        About::beside(&Root::new(above))?.check_records(above)?;
    }
    Ok(about)
}

struct Reader {
    dataset: Dataset,
    /// Number of a cluster by the target's window and element.
    clusters: Table<String, u32>,
    count_further: bool,
}

/// What all targets of a scene share, looked up once: a scene may have hundreds of them, and of elements.
struct SceneFacts<'a> {
    /// The scene's number.
    number: u32,
    canvas: Size,
    condition: Name,
    /// Facet of the number of windows.
    windows: Name,
    /// Facets of category and program, by window.
    of_window: Vec<[Name; 2]>,
    /// Position among the elements that a click can hit.
    place_of: Table<&'a str, u32>,
    element_of: Table<&'a str, &'a ElementLine<'a>>,
}

impl SceneFacts<'_> {
    fn place(&self, id: &str) -> u32 {
        self.place_of.get(id).copied().unwrap_or(NONE)
    }
}

impl Reader {
    fn add(&mut self, scene: SceneLine<'_>, source: (u32, u64)) -> Result<(), String> {
        self.check_scene(&scene)?;
        let dataset = &mut self.dataset;
        let condition = dataset.names.number(&scene.condition);
        if !dataset.conditions.contains(&condition) {
            dataset.conditions.push(condition);
        }
        let hittable = |e: &&ElementLine<'_>| e.interactive || e.layer != ElementLayer::Window;
        let shown: Vec<(&ElementLine<'_>, Rect)> =
            scene.elements.iter().filter(hittable).filter_map(|e| Some((e, e.visible_bbox?))).collect();
        let facts = SceneFacts {
            number: dataset.scenes.len() as u32,
            canvas: Size { width: scene.width, height: scene.height },
            condition,
            windows: dataset.names.number(&format!("{:02}", scene.windows.len())),
            of_window: scene.windows.iter().map(|w| [&w.category, &w.app].map(|text| dataset.names.number(text))).collect(),
            place_of: shown.iter().enumerate().map(|(at, (e, _))| (&*e.id, at as u32)).collect(),
            element_of: scene.elements.iter().map(|e| (&*e.id, e)).collect(),
        };
        for (ordinal, target) in scene.targets.iter().enumerate() {
            self.add_target(&scene, &facts, ordinal as u32, target)?;
        }
        let dataset = &mut self.dataset;
        dataset.scenes.push(Scene {
            image: (&*scene.image).into(),
            size: [scene.width, scene.height],
            condition,
            sweep: scene.sweep.as_deref().map(|s| dataset.names.number(s)),
            pair: scene.pair_id.as_deref().map(|p| dataset.names.number(p)),
            has_probes: shown.iter().any(|(e, _)| e.layer == ElementLayer::Probe),
            elements: shown
                .iter()
                .map(|(e, visible)| ElementBox { visible: *visible, window: e.window.unwrap_or(NONE), layer: e.layer })
                .collect(),
            windows: scene
                .windows
                .iter()
                .map(|w| SceneWindow {
                    rect: w.rect,
                    popups: w.popup_rects.clone().into(),
                    z: w.z,
                    occluder: w.role == "occluder",
                })
                .collect(),
            source,
        });
        Ok(())
    }

    /// Whether this program reads the scene, and it follows the protocol of those before it.
    fn check_scene(&mut self, scene: &SceneLine<'_>) -> Result<(), String> {
        if scene.schema_version != SCHEMA_VERSION {
            return Err(format!("schema_version {}, expected {SCHEMA_VERSION}", scene.schema_version));
        }
        let protocol = self.dataset.generation_protocol.get_or_insert_with(|| scene.protocol.to_string());
        if *protocol != scene.protocol {
            return Err(format!("protocol {}, expected {protocol} as before: two are never pooled", scene.protocol));
        }
        if scene.width == 0 || scene.height == 0 {
            return Err(format!("image of {}x{} px, expected at least 1x1", scene.width, scene.height));
        }
        Ok(())
    }

    fn add_target(
        &mut self,
        scene: &SceneLine<'_>,
        facts: &SceneFacts<'_>,
        ordinal: u32,
        target: &TargetLine<'_>,
    ) -> Result<(), String> {
        let known = scene.windows.len();
        let window = target
            .window
            .map(|at| scene.windows.get(at as usize).ok_or_else(|| format!("{}: window {at} of {known}", target.id)));
        let window = window.transpose()?;
        let element = target.element.as_deref().and_then(|id| facts.element_of.get(id).copied());
        if target.kind == TargetKind::Present && target.bbox.is_none() {
            return Err(format!("{}: a present target without a box", target.id));
        }
        // An element of a window is the same wherever its window lies; probes and the desktop's icons are told apart by
        // name.
        let cluster_key = match (window, element) {
            (Some(window), Some(element)) => format!("{}#{}", window.window, element.element),
            (None, Some(element)) => format!("{:?}#{}#{}", element.layer, element.role, element.name),
            _ => target.id.to_string(),
        };
        let next = self.clusters.len() as u32;
        let cluster = *self.clusters.entry(cluster_key).or_insert(next);
        let dataset = &mut self.dataset;
        let facets = facets_of(&mut dataset.names, facts, target, element);
        let facets = dataset.facet_sets.number(facets);
        let id = dataset.ids.add(&target.id)?;
        let mask = target.visible_mask.as_ref().map(|record| mask(&mut dataset.runs, record)).transpose();
        let mask = mask.map_err(|p| format!("{}: {p}", target.id))?;
        let nested = dataset.nested.add(target.nested.iter().copied())?;
        let shown = target.distractors.iter().map(|d| facts.place(&d.element)).filter(|&d| d != NONE);
        let distractors = dataset.distractors.add(shown)?;
        let instruction = dataset.instructions.number(&target.instruction);
        dataset.add_target(Target {
            id,
            scene: facts.number,
            ordinal,
            instruction,
            shape: target.bbox.filter(|_| target.kind == TargetKind::Present).map_or(Shape::Absent, Shape::Box),
            further: !target.promised && !self.count_further,
            only_dragged: target.kind == TargetKind::Present && target.drag.is_some() && target.click_point.is_none(),
            mask,
            nested,
            window: target.window.unwrap_or(NONE),
            element: target.element.as_deref().map_or(NONE, |id| facts.place(id)),
            distractors,
            cluster,
            facets,
            visible_ratio: Recorded::new(target.bbox.and(target.visible_ratio)),
            visible_ink: Recorded::new(target.visible_ink),
            cosine: Recorded::new(target.distractors.iter().map(|d| d.similarity).reduce(f64::max)),
            active: window.map(|w| w.active),
        })
    }
}

/// By what a target is told apart in breakdowns.
fn facets_of(names: &mut Names, facts: &SceneFacts<'_>, target: &TargetLine<'_>, element: Option<&ElementLine<'_>>) -> Facets {
    let mut facets = [None; Facet::ALL.len()];
    let mut set = |facet: Facet, text: Option<&str>| facets[facet as usize] = text.map(|t| names.number(t));
    set(Facet::Role, element.map(|e| &*e.role));
    set(Facet::Size, target.bbox.map(|b| size_name(TargetSize::of(b.area(), facts.canvas))));
    set(Facet::VisibleRatio, target.bbox.and(target.visible_ratio).map(ratio_bin));
    set(Facet::DistractorRank, target.distractors.first().map(|d| d.rank.to_string()).as_deref());
    set(Facet::UiType, target.ui_type.as_deref());
    set(Facet::Wording, target.wording.as_deref());
    // A reader needs all of it: what shows least decides.
    let least = target.evidence.iter().map(|part| part.visible_ratio).reduce(f64::min);
    set(Facet::Evidence, least.map(ratio_bin));
    facets[Facet::Condition as usize] = Some(facts.condition);
    facets[Facet::Windows as usize] = Some(facts.windows);
    if let Some([category, app]) = target.window.map(|at| facts.of_window[at as usize]) {
        facets[Facet::Category as usize] = Some(category);
        facets[Facet::Application as usize] = Some(app);
    }
    facets
}

fn mask(runs: &mut Pool<u32>, record: &MaskRecord) -> Result<MaskOf, String> {
    let [height, width] = record.size;
    let Point { x, y } = record.origin;
    let mut end = 0_u32;
    let mut ends = Vec::with_capacity(record.counts.len());
    for &count in &record.counts {
        end = end.checked_add(count).ok_or("a mask with more pixels than 2^32")?;
        ends.push(end);
    }
    if u64::from(end) == u64::from(width) * u64::from(height) {
        let all_visible = end > 0 && ends == [0, end];
        let ends = if all_visible { Part::EMPTY } else { runs.add(ends)? };
        Ok(MaskOf { origin: [x, y], width, height, ends })
    } else {
        Err(format!("a mask of {end} px in a box of {width}x{height}"))
    }
}

/// Stratum of size by its name in reports.
pub(super) fn size_name(size: TargetSize) -> &'static str {
    match size {
        TargetSize::Small => "small",
        TargetSize::Medium => "medium",
        TargetSize::Large => "large",
    }
}

/// Bin of a visible ratio: the bands of the levels, lower end included.
fn ratio_bin(ratio: f64) -> &'static str {
    match ratio {
        r if r >= 1.0 => "1.00",
        r if r >= 0.9 => "0.90-1.00",
        r if r >= 0.8 => "0.80-0.90",
        r if r >= 0.7 => "0.70-0.80",
        r if r >= 0.5 => "0.50-0.70",
        r if r >= 0.3 => "0.30-0.50",
        _ => "0.00-0.30",
    }
}
