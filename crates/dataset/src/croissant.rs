//! `croissant.json`: the dataset in the Croissant vocabulary (version 1.0), so that loaders and catalogues that speak
//! it need nothing else. It follows from the manifest alone.

use serde_json::{Value, json};

use super::assets::licences;
use super::form::Records;
use super::manifest::Manifest;

/// A column of the records: name, what it means, Croissant type.
type Column = (&'static str, &'static str, &'static str);

/// Columns of `annotations/*.jsonl`, apart from the picture.
const ANNOTATIONS: [Column; 20] = [
    ("id", "Id of the target.", "sc:Text"),
    ("scene", "Id of the scene that it is in.", "sc:Text"),
    ("image_path", "Path of the picture in the folder.", "sc:Text"),
    ("image_width", "Width of the picture, px.", "sc:Integer"),
    ("image_height", "Height of the picture, px.", "sc:Integer"),
    ("bbox", "Full box [x0, y0, x1, y1], half-open, px; null for an absent target.", "sc:Integer"),
    ("instruction", "The words.", "sc:Text"),
    ("ui_type", "Whether the element shows its name: `text` or `icon`.", "sc:Text"),
    ("element_type", "Role of the element.", "sc:Text"),
    ("platform", "`desktop`, `web` or `mobile-web`.", "sc:Text"),
    ("data_source", "`windesk:` and the protocol.", "sc:Text"),
    ("application", "Name of the program.", "sc:Text"),
    ("group", "Domain of the program.", "sc:Text"),
    ("condition", "Name of the condition.", "sc:Text"),
    ("visible_ratio", "Visible share of the element's pixels.", "sc:Float"),
    ("kind", "`present` or `absent`.", "sc:Text"),
    (
        "click_point",
        "Visible pixel [x, y] that is farthest from what is not the target; null for an absent target.",
        "sc:Integer",
    ),
    ("visible_bbox", "Smallest box around the visible pixels; null for an absent target.", "sc:Integer"),
    ("promised", "Whether the condition's knobs hold for it.", "sc:Boolean"),
    ("pair_id", "Shared by the scenes of one index.", "sc:Text"),
];

/// Columns of `scenes/*.jsonl` that are plain values; windows, elements and targets are in the files, as
/// `docs/dataset.md` says.
const SCENES: [Column; 9] = [
    ("id", "Id of the scene.", "sc:Text"),
    ("image", "Path of the picture in the folder.", "sc:Text"),
    ("width", "Width of the picture, px.", "sc:Integer"),
    ("height", "Height of the picture, px.", "sc:Integer"),
    ("condition", "Name of the condition.", "sc:Text"),
    ("protocol", "The rules that hold.", "sc:Text"),
    ("pair_id", "Shared by the scenes of one index.", "sc:Text"),
    ("wallpaper", "Wallpaper by id.", "sc:Text"),
    ("layout", "How windows or icons lie.", "sc:Text"),
];

/// Describes a finished dataset.
pub(super) fn croissant<S>(manifest: &Manifest<S>) -> Value {
    let format = manifest.format.extension();
    // Its readers know no compressed lines; what lies beside the pictures says the same as annotations, uncompressed.
    let compressed = manifest.form.compressed;
    let annotations = if compressed { "images/*/metadata.jsonl" } else { "annotations/*.jsonl" };
    let has_scenes = !compressed && manifest.form.records != Records::None;
    let mut files = vec![
        file_set("annotation-files", "One record per instruction.", "application/jsonlines", annotations),
        file_set("images", "The pictures.", &format!("image/{format}"), &format!("images/*/*.{format}")),
    ];
    let mut records = vec![record_set("annotations", "One record per instruction.", "annotation-files", &ANNOTATIONS)];
    if has_scenes {
        files.insert(
            1,
            file_set("scene-files", "One record per picture: the whole truth.", "application/jsonlines", "scenes/*.jsonl"),
        );
        records.push(record_set("scenes", "One record per picture.", "scene-files", &SCENES));
    }
    let licences: Vec<String> = licences(&manifest.assets).into_keys().collect();
    json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": manifest.dataset,
        "description": format!(
            "{} synthetic scenes for GUI grounding, made by windesk {} (engine {}) from the pack {} {}. Every box is integer \
             [x0, y0, x1, y1], half-open, in pixels of the picture.",
            manifest.samples, manifest.tool_version, manifest.engine_version, manifest.pack.name, manifest.pack.version
        ),
        "version": format!("{}.{}.0", manifest.schema_version, manifest.engine_version),
        "identifier": manifest.identity,
        "license": if licences.is_empty() { vec!["other".to_owned()] } else { licences },
        "distribution": files,
        "recordSet": records,
    })
}

fn file_set(id: &str, description: &str, format: &str, includes: &str) -> Value {
    json!({
        "@type": "cr:FileSet",
        "@id": id,
        "name": id,
        "description": description,
        "encodingFormat": format,
        "includes": includes,
    })
}

fn record_set(id: &str, description: &str, files: &str, columns: &[Column]) -> Value {
    let fields = columns.iter().map(|(name, description, kind)| {
        let mut field = json!({
            "@type": "cr:Field",
            "@id": format!("{id}/{name}"),
            "name": format!("{id}/{name}"),
            "description": description,
            "dataType": kind,
            "source": {"fileSet": {"@id": files}, "extract": {"column": name}},
        });
        if ["bbox", "visible_bbox", "click_point"].contains(name) {
            field["repeated"] = true.into();
        }
        field
    });
    json!({
        "@type": "cr:RecordSet",
        "@id": id,
        "name": id,
        "description": description,
        "key": {"@id": format!("{id}/id")},
        "field": fields.collect::<Vec<_>>(),
    })
}

/// The vocabulary's own terms, as its specification prints them.
fn context() -> Value {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "dct": "http://purl.org/dc/terms/",
        "equivalentProperty": "cr:equivalentProperty",
        "examples": {"@id": "cr:examples", "@type": "@json"},
        "extract": "cr:extract",
        "field": "cr:field",
        "fileProperty": "cr:fileProperty",
        "fileObject": "cr:fileObject",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "path": "cr:path",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "samplingRate": "cr:samplingRate",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    })
}
