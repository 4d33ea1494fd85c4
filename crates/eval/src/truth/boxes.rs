//! Test sets with one box per record: ScreenSpot, ScreenSpot-Pro, WinDeskGround, OSWorld-G.

use std::collections::HashMap;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use windesk_files::Root;
use windesk_model::Error;
use windesk_model::condition::TargetSize;
use windesk_model::digest::hex;
use windesk_model::geometry::Size;

use super::facets::Facet;
use super::index::{Dataset, Kind, NONE, Scene, picture_in};
use super::pool::Part;
use super::scenes::size_name;
use super::target::{ExactShape, Recorded, Shape, Target};
use super::{OpenOptions, TruthFiles};
use crate::exact;

/// Which published layout a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxFormat {
    /// `bbox` is xywh px, `data_type`, `data_source`; image sizes come from the images.
    Screenspot,
    /// `bbox` is xyxy px, `img_size`, `application`, `group`, `ui_type`.
    ScreenspotPro,
    /// `gt_bbox` is xyxy px (`bbox` beside it is xywh).
    Windeskground,
    /// `box_coordinates` is xywh px, or the corners of a polygon, by `box_type`; a `refusal` has no target.
    OsworldG,
}

impl BoxFormat {
    /// By the fields that only one layout has.
    fn of(record: &Map<String, Value>) -> Option<Self> {
        if record.contains_key("box_type") {
            Some(Self::OsworldG)
        } else if record.contains_key("gt_bbox") {
            Some(Self::Windeskground)
        } else if record.contains_key("img_size") {
            Some(Self::ScreenspotPro)
        } else if record.contains_key("data_type") || record.contains_key("data_source") {
            Some(Self::Screenspot)
        } else {
            None
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Screenspot => "ScreenSpot (bbox xywh px)",
            Self::ScreenspotPro => "ScreenSpot-Pro (bbox xyxy px)",
            Self::Windeskground => "WinDeskGround (gt_bbox xyxy px)",
            Self::OsworldG => "OSWorld-G (box_coordinates xywh px, polygons, refusals)",
        }
    }
}

/// Reads sets.
pub(super) fn read(files: &TruthFiles, options: &OpenOptions) -> Result<Dataset, Error> {
    let mut sha256 = Sha256::new();
    let name = files.paths.first().and_then(|f| f.file_stem()?.to_str()).unwrap_or_default().to_owned();
    let mut dataset = Dataset::empty(Kind::Boxes, name, files);
    let mut format = options.box_format;
    let mut scene_of_image = HashMap::new();
    for (file, path) in files.paths.iter().enumerate() {
        let bytes = files.read(file)?;
        sha256.update(&bytes);
        let records: Vec<Map<String, Value>> =
            serde_json::from_slice(&bytes).map_err(|e| Error::path(path, format!("{e}, expected a JSON list of records")))?;
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        for (at, record) in records.iter().enumerate() {
            let place = || format!("{}[{at}]", path.display());
            let found = BoxFormat::of(record);
            let format = *format.get_or_insert(found.ok_or_else(|| {
                Error::at(
                    place(),
                    "found none of `gt_bbox`, `img_size`, `data_type`, `data_source`, `box_type`, \
                    expected a record of ScreenSpot, ScreenSpot-Pro, WinDeskGround or OSWorld-G",
                )
                .with_hint("name the layout with option `box_format`")
            })?);
            add(&mut dataset, &mut scene_of_image, record, format, (file as u32, stem, at), options)
                .map_err(|problem| Error::at(place(), problem))?;
        }
    }
    dataset.layout = format.map_or("", BoxFormat::name).to_owned();
    dataset.generation_protocol = (format == Some(BoxFormat::Windeskground)).then(|| "windeskground".to_owned());
    dataset.clusters = dataset.targets.len() as u32;
    dataset.digest = hex(&sha256.finalize());
    Ok(dataset)
}

fn add(
    dataset: &mut Dataset,
    scene_of_image: &mut HashMap<String, u32>,
    record: &Map<String, Value>,
    format: BoxFormat,
    (file, stem, at): (u32, &str, usize),
    options: &OpenOptions,
) -> Result<(), String> {
    let text = |names: &[&str]| text_of(record, names);
    let shape = shape_of(record, format)?;
    let bbox = shape.bbox();
    let image = text(&["image_path", "img_filename"]).ok_or("no `img_filename`, expected the image's name")?;
    let scene = match scene_of_image.get(image) {
        Some(&scene) => scene,
        None => {
            let scene = add_scene(dataset, record, image, file, options)?;
            scene_of_image.insert(image.to_owned(), scene);
            scene
        }
    };
    let [width, height] = dataset.scenes[scene as usize].size;
    if let Some(bbox) = bbox
        && (bbox[2] > f64::from(width) * 1.5 || bbox[3] > f64::from(height) * 1.5)
    {
        return Err(format!(
            "the box {bbox:?} (x0, y0, x1, y1) is far outside the image of {width}x{height} px: is it in another layout?"
        ));
    }
    let id = text(&["id"]).map_or_else(|| format!("{stem}/{at}"), str::to_owned);
    let id = dataset.ids.add(&id)?;
    let area = bbox.map(|bbox| ((bbox[2] - bbox[0]) * (bbox[3] - bbox[1])) as u64);
    let mut facets = [None; Facet::ALL.len()];
    let names = &mut dataset.names;
    let mut set = |facet: Facet, value: Option<&str>| facets[facet as usize] = value.map(|v| names.number(v));
    set(Facet::Condition, text(&["level", "condition"]));
    set(Facet::Category, text(&["group", "category"]));
    set(Facet::Application, text(&["application", "data_source"]));
    set(Facet::Platform, text(&["platform"]));
    let first_type = || record.get("GUI_types")?.as_array()?.first()?.as_str();
    set(Facet::UiType, text(&["ui_type", "data_type"]).or_else(first_type));
    set(Facet::Size, area.map(|area| size_name(TargetSize::of(area, Size { width, height }))));
    let facets = dataset.facet_sets.number(facets);
    let instruction = dataset.instructions.number(text(&["instruction", "prompt_to_evaluate"]).unwrap_or_default());
    dataset.add_target(Target {
        id,
        scene,
        ordinal: at as u32,
        instruction,
        shape,
        further: false,
        only_dragged: false,
        mask: None,
        nested: Part::EMPTY,
        window: NONE,
        element: NONE,
        distractors: Part::EMPTY,
        cluster: dataset.targets.len() as u32,
        facets,
        visible_ratio: Recorded::NOT,
        visible_ink: Recorded::NOT,
        cosine: Recorded::NOT,
        active: None,
    })
}

fn text_of<'a>(record: &'a Map<String, Value>, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| record.get(*name)?.as_str())
}

fn numbers_of(record: &Map<String, Value>, field: &str) -> Option<Vec<f64>> {
    record.get(field)?.as_array()?.iter().map(Value::as_f64).collect()
}

fn shape_of(record: &Map<String, Value>, format: BoxFormat) -> Result<Shape, String> {
    let of_box = || Ok(Shape::of_box(bbox_of(record, format)?));
    match (format, text_of(record, &["box_type"])) {
        (BoxFormat::OsworldG, Some("refusal")) => Ok(Shape::default()),
        (BoxFormat::OsworldG, Some("polygon")) => polygon_of(record),
        (BoxFormat::OsworldG, Some("bbox")) => of_box(),
        (BoxFormat::OsworldG, other) => Err(format!("`box_type` is {other:?}, expected bbox, polygon or refusal")),
        _ => of_box(),
    }
}

/// A polygon from a flat list of its corners, with the box around it.
fn polygon_of(record: &Map<String, Value>) -> Result<Shape, String> {
    let numbers = numbers_of(record, "box_coordinates").unwrap_or_default();
    let (corners, rest) = numbers.as_chunks::<2>();
    if corners.len() < 3 || !rest.is_empty() {
        return Err(format!("`box_coordinates` holds {} numbers, expected x and y of three corners or more", numbers.len()));
    }
    let side = |axis: usize, pick: fn(f64, f64) -> f64| corners.iter().map(|corner| corner[axis]).reduce(pick).unwrap_or(0.0);
    let bbox = [side(0, f64::min), side(1, f64::min), side(0, f64::max), side(1, f64::max)];
    if bbox[0] >= bbox[2] || bbox[1] >= bbox[3] {
        return Err(format!("`box_coordinates` is a polygon without area, in the box {bbox:?} as x0, y0, x1, y1"));
    }
    Ok(Shape::Exact(ExactShape { bbox, outline: Some(corners.into()) }.into()))
}

/// The target's box as x0, y0, x1, y1, px.
fn bbox_of(record: &Map<String, Value>, format: BoxFormat) -> Result<[f64; 4], String> {
    let (field, xywh) = match format {
        BoxFormat::OsworldG => ("box_coordinates", true),
        BoxFormat::Screenspot => ("bbox", true),
        BoxFormat::ScreenspotPro => ("bbox", false),
        BoxFormat::Windeskground => ("gt_bbox", false),
    };
    let bbox = match numbers_of(record, field).as_deref() {
        Some(&[x, y, w, h]) if xywh => [x, y, exact::sum(x, w), exact::sum(y, h)],
        Some(&[x0, y0, x1, y1]) => [x0, y0, x1, y1],
        _ => return Err(format!("`{field}` is {}, expected four numbers", record.get(field).unwrap_or(&Value::Null))),
    };
    if bbox[0] >= bbox[2] || bbox[1] >= bbox[3] {
        return Err(format!("`{field}` is the empty box {bbox:?} as x0, y0, x1, y1"));
    }
    Ok(bbox)
}

/// Adds the scene of an image that no record before was about; returns its number.
fn add_scene(
    dataset: &mut Dataset,
    record: &Map<String, Value>,
    image: &str,
    file: u32,
    options: &OpenOptions,
) -> Result<u32, String> {
    let recorded = numbers_of(record, "img_size").or_else(|| numbers_of(record, "image_size"));
    let size = match recorded.filter(|s| s.len() == 2 && s.iter().all(|&v| v >= 1.0)) {
        Some(size) => [size[0] as u32, size[1] as u32],
        None => size_of_picture(&dataset.files.root, record, image)?.or(options.image_size).ok_or_else(|| {
            let root = dataset.files.root.folder().display();
            format!("the size of {image} is unknown: no `img_size`, and no such picture below {root}; expected the picture, or option `image_size` WxH")
        })?,
    };
    let condition = dataset.names.number(text_of(record, &["level", "condition"]).unwrap_or("all"));
    if !dataset.conditions.contains(&condition) {
        dataset.conditions.push(condition);
    }
    dataset.scenes.push(Scene {
        image: image.into(),
        size,
        condition,
        sweep: None,
        pair: None,
        windows: Box::default(),
        elements: Box::default(),
        has_probes: false,
        source: (file, 0),
    });
    Ok(dataset.scenes.len() as u32 - 1)
}

/// From the picture's header; the usual places are tried.
fn size_of_picture(root: &Root, record: &Map<String, Value>, image: &str) -> Result<Option<[u32; 2]>, String> {
    for name in [Some(image), record.get("img_filename").and_then(Value::as_str)].into_iter().flatten() {
        if let Some(picture) = picture_in(root, name, None).map_err(|e| e.to_string())? {
            return Ok(Some(picture.head.size));
        }
    }
    Ok(None)
}
