//! The dataset card: `README.md` with YAML front matter, as dataset hubs read it.

use std::collections::BTreeSet;

use windesk_engine::pack::Pack;
use windesk_model::escape::{self, markdown};
use windesk_model::plural::counted;
use windesk_model::split::Split;

use super::assets::{Asset, AssetKind, licences};
use super::form::Records;
use super::manifest::Manifest;
use super::source::CardParts;

/// Writes the card.
pub(super) fn card<S>(pack: &Pack, manifest: &Manifest<S>, seed: u64, split: Option<Split>, parts: &CardParts) -> String {
    let mut out = String::new();
    let licence = if manifest.share_alike { "cc-by-sa-4.0" } else { "other" };
    let size = match manifest.samples {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        _ => "n>1M",
    };
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!(
        "---\npretty_name: {}\nlicense: {licence}\nlanguage:\n- {}",
        escape::yaml(&manifest.dataset),
        escape::yaml(&pack.header.language)
    ));
    line(format!("task_categories:\n- image-text-to-text\ntags:\n- gui-grounding\n- synthetic\nsize_categories:\n- {size}"));
    // Loaders of image folders find `images/*/metadata.jsonl` beside the pictures. They read all configurations of a
    // card in one way, so that there is none for scenes.
    let split = split.unwrap_or(Split::Train).name();
    line(format!(
        "configs:\n- config_name: annotations\n  default: true\n  data_files:\n  - split: {split}\n    path: images/**\n---\n"
    ));
    line(format!("# {}\n", markdown(&manifest.dataset)));
    line(format!(
        "{} {} by windesk {} (engine {}) from the pack {} {}. Protocol `{}`, seed {seed}, indices {}..{} of {}.\n",
        counted(manifest.samples, parts.scene),
        parts.subject,
        manifest.tool_version,
        manifest.engine_version,
        escape::markdown_code(&manifest.pack.name),
        markdown(&manifest.pack.version),
        serde_json::to_value(manifest.protocol).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default(),
        manifest.range[0],
        manifest.range[1],
        manifest.count,
    ));
    line("All boxes are integer `[x0, y0, x1, y1]`, half-open, in pixels of the image, and may reach beyond it. `annotations/` holds one record".to_owned());
    let scenes = match manifest.form.records {
        Records::Full => "`scenes/` the whole truth per image (every element's box and visible pixels), ",
        Records::Targets => "`scenes/` the truth per image about windows, targets and their distractors, ",
        Records::None => "",
    };
    line(format!("per instruction, {scenes}`plans/` what each scene was made from.\n"));
    line(parts.table.clone());
    line("## Loading\n".to_owned());
    line(format!(
        "```python\nfrom datasets import load_dataset\nrows = load_dataset(\"DATASET\", split=\"{split}\")  # one per instruction, with its image"
    ));
    if manifest.form.records != Records::None {
        let files = format!("DATASET/scenes/*{}", manifest.form.ending());
        line(format!("scenes = load_dataset(\"json\", data_files={{\"{split}\": \"{files}\"}}, split=\"{split}\")"));
    }
    line("```\n".to_owned());
    let [module, open] = if manifest.form.compressed { ["gzip, json", "gzip.open(part)"] } else { ["json", "part.open()"] };
    line(format!("or\n\n```python\nimport {module}, pathlib\nroot = pathlib.Path(\"DATASET\")"));
    let annotations = manifest.form.ending();
    line(format!("for part in sorted(root.glob(\"annotations/*{annotations}\")):\n    for record in map(json.loads, {open}):"));
    line("        image, box, text = root / record[\"image_path\"], record[\"bbox\"], record[\"instruction\"]\n```\n".to_owned());
    line("## Licences\n".to_owned());
    line(
        "The images show the following assets; `manifest.json` has their sources. Programs are shown as screenshots.\n"
            .to_owned(),
    );
    for licence in licences(&manifest.assets).keys() {
        let of_licence: Vec<&Asset> = manifest.assets.iter().filter(|a| a.licence == *licence).collect();
        line(format!("- Under {}: {}.", markdown(licence), markdown(&named(&of_licence))));
    }
    for warning in &manifest.warnings {
        line(format!("\nNote: {}", markdown(warning)));
    }
    if !parts.attributions.is_empty() {
        let lines: Vec<_> = parts.attributions.iter().map(|attribution| markdown(attribution)).collect();
        line(format!("\n{}", lines.join("\n")));
    }
    out
}

/// Assets by kind: programs and wallpapers by name and author, of icons and fonts the authors or sources.
fn named(assets: &[&Asset]) -> String {
    let of_kind = |kind: AssetKind| assets.iter().filter(move |a| a.kind == kind);
    let by_author = |a: &&&Asset| if a.author.is_empty() { a.name.clone() } else { format!("{} by {}", a.name, a.author) };
    // Packages only: the file within it is for the manifest.
    let package = |a: &Asset| a.source.split(" (").next().unwrap_or_default().to_owned();
    let origin = |a: &&&Asset| if a.author.is_empty() { package(a) } else { format!("{} ({})", a.author, package(a)) };
    let kinds = [
        (["the program", "the programs"], of_kind(AssetKind::Program).map(|a| by_author(&a)).collect::<BTreeSet<_>>()),
        (["the wallpaper", "the wallpapers"], of_kind(AssetKind::Wallpaper).map(|a| by_author(&a)).collect()),
        (["icons from"; 2], of_kind(AssetKind::Icon).map(|a| origin(&a)).collect()),
        (["fonts from"; 2], of_kind(AssetKind::Font).map(|a| origin(&a)).collect()),
    ];
    let named = kinds.into_iter().filter(|(_, names)| !names.is_empty());
    let phrase = |([one, several], names): ([&str; 2], BTreeSet<String>)| {
        let kind = if names.len() == 1 { one } else { several };
        format!("{kind} {}", Vec::from_iter(names).join(", "))
    };
    named.map(phrase).collect::<Vec<_>>().join("; ")
}
