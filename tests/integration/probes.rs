//! Icon probes on the project's own pack: every shipped design keeps what it promises, counted anew on the pixels.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use resvg::{tiny_skia, usvg};
use windesk::dataset::Probes;
use windesk::dataset::SampleSource;
use windesk::engine::icon_probe::{ProbeAssets, ProbePlan, ProbeStudy, verify_probe};
use windesk::model::Error;
use windesk::model::geometry::Rect;
use windesk::model::icon_probe::{Labels, Tile};
use windesk::model::record::{ElementLayer, SceneRecord, TargetKind};
use windesk::shipped::{DESIGNS, PROBE_PROMPTS, design, parse_design, probe_prompt};

use crate::command::{finish, refused, succeeds, tree, windesk};
use crate::real_pack::pack;

fn study(name: &str, sets: &[&str]) -> ProbeStudy {
    let sets: Vec<String> = sets.iter().map(|s| (*s).to_owned()).collect();
    design(name, &sets, 5).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn probes(study: &ProbeStudy) -> Probes<'static> {
    let assets = ProbeAssets::new(pack(), study, None).unwrap_or_else(|error| panic!("{}: {error}", study.design));
    Probes::new(assets, study.clone())
}

/// The plans of an index.
fn plans(probes: &Probes, index: u64) -> Vec<ProbePlan> {
    let outcome = probes.outcome(index).unwrap();
    outcome.plans.unwrap_or_else(|| panic!("{} index {index}: {:?}", probes.study().design, outcome.rejections))
}

fn record<'a>(probes: &'a Probes, condition: usize, plan: &ProbePlan) -> SceneRecord<'a> {
    probes.record(condition, plan, "image.png".to_owned()).unwrap()
}

fn icons<'a>(record: &'a SceneRecord<'a>) -> Vec<&'a windesk::model::record::ElementRecord<'a>> {
    record.truth.elements.iter().filter(|e| e.layer == ElementLayer::Probe).collect()
}

/// Gap between two boxes in shares of the screen, as the response classes measure distances.
fn normalised_gap(a: Rect, b: Rect, record: &SceneRecord) -> f64 {
    let apart = |a0: i32, a1: i32, b0: i32, b1: i32| f64::from((b0 - a1).max(a0 - b1).max(0));
    let dx = apart(a.x0(), a.x1(), b.x0(), b.x1()) / f64::from(record.width);
    let dy = apart(a.y0(), a.y1(), b.y0(), b.y1()) / f64::from(record.height);
    (dx * dx + dy * dy).sqrt()
}

/// What every scene promises, from its record and its pixels alone.
fn check_scene(probes: &Probes, condition: usize, plan: &ProbePlan) {
    let (study, assets) = (probes.study(), probes.assets());
    let knobs = &study.conditions[condition];
    let place = format!("{} {} index {}", study.design, knobs.name, plan.key.index);
    assert_eq!(verify_probe(assets, knobs, plan).unwrap(), Vec::<String>::new(), "{place}");
    let record = record(probes, condition, plan);
    let found = icons(&record);
    assert_eq!(found.len(), plan.icons.len(), "{place}");
    let work = Rect::at(0, 0, record.width as i32, record.height as i32 - if plan.chrome.items.is_empty() { 0 } else { 48 });
    let shares: BTreeSet<bool> = [plan.gap.x * 10 == record.width && plan.gap.y * 10 == record.height].into();
    for (at, one) in found.iter().enumerate() {
        assert!(work.covers(one.bbox), "{place}: {:?}", one.bbox);
        assert!(one.icon.as_ref().is_some_and(|i| f64::from(knobs.contrast_min_milli) / 1000.0 <= i.contrast), "{place}");
        for other in &found[at + 1..] {
            assert!(!one.bbox.touches(other.bbox), "{place}: {} and {} overlap", one.name, other.name);
            if shares.contains(&true) {
                let gap = normalised_gap(one.bbox, other.bbox, &record);
                assert!(gap >= 0.1 - 1e-9, "{place}: {} and {} are {gap} apart", one.name, other.name);
            }
        }
    }
    check_pixels(probes, plan, &record, &place);
    let target = &record.truth.targets[0];
    assert_eq!(target.kind == TargetKind::Absent, target.bbox.is_none(), "{place}");
    if target.kind == TargetKind::Present {
        let point = target.click_point.expect("a point on the icon");
        assert!(target.bbox.unwrap().contains(point), "{place}");
        let mask = target.visible_mask.as_ref().unwrap();
        let solid: u32 = mask.counts.iter().skip(1).step_by(2).sum();
        assert_eq!(u64::from(solid), target.visible_px, "{place}");
    } else {
        assert!(target.prompt.as_ref().unwrap().refusal_allowed, "{place}");
        assert!(found.iter().all(|e| !target.instruction.contains(&format!(" {} ", e.name))), "{place}");
    }
}

/// Pixels that differ from the wallpaper lie on icons and captions, and every side of every box is touched by the
/// icon's own.
fn check_pixels(probes: &Probes, plan: &ProbePlan, record: &SceneRecord, place: &str) {
    if plan.panel.is_some() || !record.truth.elements.iter().all(|e| e.layer == ElementLayer::Probe) {
        return;
    }
    let with = probes.render(plan).unwrap();
    let bare = probes.render(&ProbePlan { icons: Vec::new(), ..plan.clone() }).unwrap();
    let width = record.width as usize;
    let mut allowed = vec![false; with.rgb.len() / 3];
    for element in icons(record) {
        let caption = element.icon.as_ref().and_then(|i| i.caption.as_ref()?.bbox);
        // Smooth edges reach a pixel or two beyond the solid box, halos of captions two.
        for (bbox, reach) in [(Some(element.bbox), 3), (caption, 3)] {
            let Some(bbox) = bbox else { continue };
            for y in bbox.y0() - reach..bbox.y1() + reach {
                let row = y.max(0) as usize * width;
                allowed[row + (bbox.x0() - reach).max(0) as usize..row + (bbox.x1() + reach).min(width as i32) as usize]
                    .fill(true);
            }
        }
    }
    let changed = with.rgb.chunks_exact(3).zip(bare.rgb.chunks_exact(3)).map(|(a, b)| a != b);
    let stray: Vec<usize> =
        changed.zip(&allowed).enumerate().filter(|(_, (changed, allowed))| *changed && !**allowed).map(|(at, _)| at).collect();
    assert!(
        stray.is_empty(),
        "{place}: {} pixels outside all boxes, the first at {},{}",
        stray.len(),
        stray[0] % width,
        stray[0] / width
    );
}

#[test]
fn every_design_keeps_its_promises() {
    for (name, _) in DESIGNS {
        let probes = probes(&study(name, &[]));
        for index in 0..2 {
            for (condition, plan) in
                plans(&probes, index).iter().enumerate().step_by(if name == "position-grid" { 17 } else { 1 })
            {
                check_scene(&probes, condition, plan);
            }
        }
    }
}

#[test]
fn every_layout_and_option_keeps_the_promises() {
    for sets in [
        &["layout=scatter", "library=emoji", "icons=5..40", "size=24..128"][..],
        &["layout=grid", "library=familiar", "icons=40", "size=48", "labels=\"true\""],
        &["layout=jittered-grid", "library=mixed", "icons=24", "size=32..64", "rotate=45"],
        &["layout=dock", "library=emoji", "icons=14", "size=56", "tile=circle"],
        &["layout=cluster", "library=glyph", "icons=30", "size=48", "labels=shuffled"],
        &["layout=scatter", "library=familiar", "style=lucide", "tile=none", "opacity=0.5..0.9", "contrast_min=1.3"],
        &["layout=grid", "chrome=taskbar", "library=familiar", "canvas=[1366, 768]", "icons=12", "size=40"],
    ] {
        let probes = probes(&study("rare", sets));
        for index in 0..3 {
            for (condition, plan) in plans(&probes, index).iter().enumerate() {
                check_scene(&probes, condition, plan);
            }
        }
    }
}

/// Draws the icon as the documentation says and counts: nothing of the engine is used.
#[test]
fn boxes_are_those_of_the_drawing_at_its_size() {
    let library: serde_json::Value = serde_json::from_slice(&pack().files().read("icons/probe/emoji.json").unwrap()).unwrap();
    let probes = probes(&study("rare", &["library=emoji", "size=24..128", "icons=12"]));
    for index in 0..3 {
        for planned in &plans(&probes, index)[0].icons {
            assert_eq!(planned.tile, Tile::None);
            let svg = library["icons"].as_array().unwrap().iter().find(|i| i["id"] == planned.icon.as_str()).unwrap()["svg"]
                .as_str()
                .unwrap();
            let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).unwrap();
            let scale = planned.size_px as f32 / tree.size().width().max(tree.size().height());
            let offset = |length: f32| (planned.size_px as f32 - length * scale) / 2.0;
            let mut drawn = tiny_skia::Pixmap::new(planned.size_px, planned.size_px).unwrap();
            let transform = tiny_skia::Transform::from_scale(scale, scale)
                .post_translate(offset(tree.size().width()), offset(tree.size().height()));
            resvg::render(&tree, transform, &mut drawn.as_mut());
            let corner = [planned.middle.x - planned.size_px as i32 / 2, planned.middle.y - planned.size_px as i32 / 2];
            let (mut sides, mut count) = ([i32::MAX, i32::MAX, i32::MIN, i32::MIN], 0);
            for (at, _) in drawn.pixels().iter().enumerate().filter(|(_, p)| p.alpha() >= 128) {
                let (x, y) = (corner[0] + (at as u32 % planned.size_px) as i32, corner[1] + (at as u32 / planned.size_px) as i32);
                sides = [sides[0].min(x), sides[1].min(y), sides[2].max(x + 1), sides[3].max(y + 1)];
                count += 1;
            }
            assert_eq!(<[i32; 4]>::from(planned.bbox), sides, "{} at {} px", planned.icon, planned.size_px);
            assert_eq!(planned.solid_px, count, "{} at {} px", planned.icon, planned.size_px);
        }
    }
}

fn names_and_middles(plan: &ProbePlan) -> Vec<(&str, windesk::model::geometry::Point)> {
    plan.icons.iter().map(|i| (i.icon.as_str(), i.middle)).collect()
}

#[test]
fn sweeps_are_paired() {
    for name in ["size-sweep", "wallpaper-sweep", "contrast-sweep"] {
        let plans = plans(&probes(&study(name, &[])), 1);
        assert!(plans.len() > 3, "{name}");
        for plan in &plans {
            assert_eq!(names_and_middles(plan), names_and_middles(&plans[0]), "{name} {}", plan.condition);
            assert_eq!(plan.gap, plans[0].gap, "{name}: the gap is constant");
        }
    }
    let counts = plans(&probes(&study("count-sweep", &[])), 1);
    for pair in counts.windows(2) {
        assert!(pair[0].icons.len() < pair[1].icons.len());
        assert_eq!(pair[1].icons[..pair[0].icons.len()], pair[0].icons, "the smaller scene is a part of the larger");
        assert_eq!(pair[0].gap, pair[1].gap);
    }
    let gaps = plans(&probes(&study("gap-sweep", &[])), 1);
    for plan in &gaps {
        assert_eq!(plan.icons[0].middle, gaps[0].icons[0].middle, "the target stays");
        let beside = |a: Rect, b: Rect| if a.y0() == b.y0() { (b.x0() - a.x1()).max(a.x0() - b.x1()) } else { i32::MAX };
        let boxes: Vec<Rect> = plan.icons.iter().map(|i| i.bbox).collect();
        let least = boxes.iter().flat_map(|&a| boxes.iter().map(move |&b| beside(a, b))).filter(|&g| g >= 0).min().unwrap();
        assert_eq!(least, plan.gap.x as i32, "{}", plan.condition);
    }
    let both = plans(&probes(&study("absent", &[])), 1);
    assert_eq!(both[0].icons[1..], both[1].icons[1..]);
    assert_eq!(both[0].icons[0].middle, both[1].icons[0].middle);
    assert_ne!(both[0].icons[0].icon, both[1].icons[0].icon);
    assert_eq!(both[0].target.instruction, both[1].target.instruction);
}

#[test]
fn the_target_visits_every_cell_and_little_else_moves() {
    let plans = plans(&probes(&study("position-grid", &[])), 0);
    assert_eq!(plans.len(), 16 * 9);
    let visited: BTreeSet<_> = plans.iter().map(|p| p.icons[0].middle).collect();
    assert_eq!(visited.len(), 16 * 9);
    let mut homes: Vec<BTreeSet<_>> = vec![BTreeSet::new(); plans[0].icons.len()];
    for plan in &plans {
        for (slot, icon) in plan.icons.iter().enumerate().skip(1) {
            homes[slot].insert(icon.middle);
        }
    }
    for (slot, places) in homes.iter().enumerate().skip(1) {
        assert!(places.len() <= 2, "distractor {slot} lies at its own place or the target's, not at {places:?}");
    }
    let looks: BTreeSet<String> = plans
        .iter()
        .map(|p| format!("{:?}", p.icons.iter().map(|i| (&i.icon, i.size_px, i.colours)).collect::<Vec<_>>()))
        .collect();
    assert_eq!(looks.len(), 1, "nothing changes but places");
}

#[test]
fn similar_distractors_are_similar_and_can_be_told_apart() {
    for (name, least) in [("near-duplicates", 0.6), ("semantic-neighbours", 0.2)] {
        let probes = probes(&study(name, &[]));
        for index in 0..4 {
            let plan = &plans(&probes, index)[0];
            let record = record(&probes, 0, plan);
            let similar = &record.truth.targets[0].distractors;
            assert_eq!(similar.len(), 6, "{name}");
            assert!(
                similar.windows(2).all(|pair| pair[0].rank < pair[1].rank && pair[0].similarity >= pair[1].similarity),
                "{name}: {similar:?}"
            );
            assert!(similar.iter().all(|d| d.similarity > least && d.window.is_none()), "{name}: {similar:?}");
            let tiles: BTreeSet<[u8; 3]> = plan.icons.iter().map(|icon| icon.colours.tile).collect();
            assert!(name != "near-duplicates" || tiles.len() == 1, "no icon stands out by its tile: {tiles:?}");
        }
    }
    let probes = probes(&study("same-name-different-style", &[]));
    let plan = &plans(&probes, 0)[0];
    let [target, twin] = [0, 1].map(|slot| probes.assets().set.find(&plan.icons[slot].library, &plan.icons[slot].icon).unwrap());
    let set = &probes.assets().set;
    assert_eq!(set.icons[target].name, set.icons[twin].name);
    assert_ne!(set.icons[target].one_colour, set.icons[twin].one_colour);
    assert!(plan.target.instruction.contains(if set.icons[target].one_colour { "single colour" } else { "several colours" }));
}

#[test]
fn shuffled_captions_are_all_wrong_and_all_there() {
    let probes = probes(&study("rare", &["labels=shuffled", "icons=10"]));
    assert_eq!(probes.study().conditions[0].labels, Labels::Shuffled);
    let plan = &plans(&probes, 0)[0];
    let record = record(&probes, 0, plan);
    let mut captions = BTreeSet::new();
    for icon in icons(&record) {
        let caption = icon.icon.as_ref().unwrap().caption.as_ref().unwrap();
        assert_ne!(caption.text, icon.name);
        assert!(caption.bbox.is_some_and(|b| b.y0() >= icon.bbox.y1()), "{}", icon.name);
        captions.insert(caption.text.clone());
    }
    assert_eq!(captions, icons(&record).iter().map(|i| i.name.to_string()).collect());
}

#[test]
fn prompts_say_what_they_should() {
    let paper = probe_prompt("paper").unwrap();
    assert_eq!(
        paper.system.as_deref(),
        Some(
            "According to the image I provide, identify the relative coordinates of the specified object, \
             with values ranging from 0 to 1. The output format must be [x, y], and do not output anything else."
        )
    );
    for (name, _) in PROBE_PROMPTS {
        let template = probe_prompt(name).unwrap();
        assert_eq!(template.name, name);
        let plain = template.prompt("Click it.", false);
        let refusing = template.prompt("Click it.", true);
        assert!(plain.user.contains("Click it."));
        assert!(!format!("{plain:?}").contains("[-1, -1]") && format!("{refusing:?}").contains("[-1, -1]"), "{name}");
    }
    let probes = probes(&study("rare", &["prompts=[\"description\"]"]));
    let record = record(&probes, 0, &plans(&probes, 0)[0]);
    let target = &record.truth.targets[0];
    let icon = record.truth.elements.iter().find(|e| Some(&e.id) == target.element.as_ref()).unwrap();
    assert!(
        icon.icon.as_ref().unwrap().synonyms.iter().any(|s| target.instruction.contains(s.as_str())),
        "{}",
        target.instruction
    );
}

#[test]
fn gaps_shrink_only_where_they_must_and_say_so() {
    assert_eq!(study("rare", &[]).warnings, Vec::<String>::new());
    let crowded = study("rare", &["icons=40", "size=96"]);
    assert!(crowded.conditions[0].gap.x < 256 && crowded.warnings[0].contains("classes may overlap"), "{crowded:?}");
}

fn design_error(text: &str) -> String {
    let refused: Result<_, Error> = parse_design("own.toml", text, &[], 0);
    refused.expect_err(text).to_string()
}

#[test]
fn impossible_designs_are_refused() {
    for (text, expected) in [
        ("icons = 3", "found no name"),
        ("name = \"a\"\nicon = 3", "did you mean `icons`?"),
        ("name = \"a\"\nicons = 60\nsize = 256", "do not fit on the screen"),
        ("name = \"a\"\nicons = [9, 4]", "the smaller first"),
        ("name = \"a\"\nmin_gap = 900\nicons = 20", "would fit"),
        ("name = \"a\"\nlayout = \"heap\"", "unknown variant"),
        ("name = \"a\"\ntarget = \"absent\"\nrefusal = false", "allows to say so"),
        ("name = \"a\"\nprompts = [\"clik\"]", "did you mean click?"),
        ("name = \"a\"\n[[condition]]\nname = \"x\"\n[[condition]]\nname = \"x\"", "names that differ"),
        ("name = \"a\"\n[[condition]]\nname = \"x\"\nlibrary = \"emoji\"\n[[condition]]\nname = \"y\"", "conditions are paired"),
        ("name = \"a\"\nposition_grid = [0, 9]", "position_grid"),
        ("name = \"a\"\ndistractors = { by = \"look\", count = 30 }", "less than the number of icons"),
    ] {
        let said = design_error(text);
        assert!(said.contains(expected), "{text}: expected `{expected}` in: {said}");
    }
    let varied = design("size-sweep", &["size=30".to_owned()], 0).expect_err("varied").to_string();
    assert!(varied.contains("varies `size` itself"), "{varied}");
}

fn command(args: &[&str], out: &Path) -> Vec<String> {
    let mut all: Vec<String> =
        ["icons", "--n", "6", "--canvas", "1280x720"].iter().chain(args).map(|a| (*a).to_owned()).collect();
    all.extend(["--out".to_owned(), out.to_str().unwrap().to_owned()]);
    all
}

#[test]
fn threads_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let trees = ["1", "2", "16"].map(|threads| {
        let out = folder.path().join(threads);
        succeeds(command(&["--icons", "6..12", "--size", "24..64", "--labels", "true", "--overlay", "--threads", threads], &out));
        tree(&out)
    });
    assert_eq!(trees[0].keys().filter(|name| name.ends_with(".png")).count(), 12);
    assert_eq!(trees[0], trees[1]);
    assert_eq!(trees[0], trees[2]);
}

/// A dataset written into a folder named like its library would otherwise be read as icons by the same command.
#[test]
fn a_folder_hides_no_library_of_the_pack() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("emoji")).unwrap();
    let mut run = windesk(command(&["--library", "emoji"], &folder.path().join("out")));
    run.current_dir(&folder);
    let finished = finish(run);
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
}

/// A folder of icons of one's own, with files that can't be used.
fn own_icons(folder: &Path) {
    let plain = |shape: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\">{shape}</svg>");
    for (name, shape) in [
        ("red-square", "<path fill=\"#c00\" d=\"M4 4h24v24H4z\"/>"),
        ("green_disc", "<circle cx=\"16\" cy=\"16\" r=\"12\" fill=\"#060\"/>"),
        ("Bar", "<path fill=\"currentColor\" d=\"M2 12h28v8H2z\"/>"),
        ("wedge", "<path fill=\"#024\" d=\"M4 28L28 28L16 4z\"/>"),
    ] {
        fs::write(folder.join(format!("{name}.svg")), plain(shape)).unwrap();
    }
    let picture = image::RgbaImage::from_fn(40, 20, |x, _| image::Rgba([90, 0, (x * 6) as u8, 255]));
    picture.save(folder.join("strip.png")).unwrap();
    fs::write(
        folder.join("names.json"),
        "{\"wedge\": {\"name\": \"triangle\", \"synonyms\": [\"three-cornered shape\"]}, \"Bar\": \"bar\"}",
    )
    .unwrap();
}

#[test]
fn a_folder_of_ones_own_icons_makes_probes() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    own_icons(&own);
    let out = folder.path().join("out");
    succeeds(command(&["--library", own.to_str().unwrap(), "--icons", "4", "--prompt", "click", "--contrast-min", "1.1"], &out));
    let scenes = fs::read_to_string(out.join("scenes/part-00000.jsonl")).unwrap();
    let names: BTreeSet<String> = scenes
        .lines()
        .flat_map(|line| serde_json::from_str::<SceneRecord>(line).unwrap().truth.elements)
        .map(|e| e.name.into_owned())
        .collect();
    assert_eq!(names, ["red square", "green disc", "bar", "triangle", "strip"].map(str::to_owned).into());
}

#[test]
fn drawings_that_look_the_same_are_never_together() {
    let folder = tempfile::tempdir().unwrap();
    own_icons(folder.path());
    fs::copy(folder.path().join("red-square.svg"), folder.path().join("brick.svg")).unwrap();
    let set = windesk::engine::icon_probe::read_folder(folder.path(), false).unwrap().set;
    let at = |id: &str| set.icons.iter().position(|icon| icon.id == id).unwrap();
    assert!(set.clash(at("brick"), at("red-square")));
    assert!(!set.clash(at("brick"), at("strip")));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    own_icons(&own);
    fs::rename(own.join("strip.png"), folder.path().join("strip.png")).unwrap();
    std::os::unix::fs::symlink("../strip.png", own.join("strip.png")).unwrap();
    std::os::unix::fs::symlink("wedge.svg", own.join("arrow.svg")).unwrap();
    let error = windesk::engine::icon_probe::read_folder(&own, false).unwrap_err().to_string();
    assert!(
        ["strip.png: found a symbolic link", "arrow.svg: found a symbolic link"].iter().all(|p| error.contains(p)),
        "{error}"
    );
}

#[test]
fn unusable_icons_are_named_and_left_out_only_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    own_icons(&own);
    let nested = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\">{}<rect width=\"8\" height=\"8\"/>{}</svg>",
        "<g>".repeat(400),
        "</g>".repeat(400)
    );
    let level = |n: u32| format!("<g id=\"l{}\">{}</g>", n + 1, format!("<use href=\"#l{n}\"/>").repeat(10));
    let bomb = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><g id=\"l0\"><rect width=\"8\" height=\"8\"/></g>{}</svg>",
        (0..12).map(level).collect::<String>()
    );
    let bad = [
        ("broken.svg", "<svg".as_bytes().to_vec(), "expected an SVG drawing"),
        ("empty.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"/>".to_vec(), "solid pixels"),
        (
            "outside.svg",
            b"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\">\
              <image href=\"/etc/passwd\" width=\"8\" height=\"8\"/></svg>"
                .to_vec(),
            "solid pixels",
        ),
        ("deep.svg", nested.into_bytes(), "deep"),
        ("bomb.svg", bomb.into_bytes(), "repetitions"),
        ("latin1.svg", b"<svg xmlns='http://www.w3.org/2000/svg'>\xe9</svg>".to_vec(), "UTF-8"),
        (
            "entities.svg",
            b"<!DOCTYPE svg [<!ENTITY a \"b\">]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>".to_vec(),
            "expected an SVG drawing",
        ),
        ("cut.png", fs::read(own.join("strip.png")).unwrap()[..60].to_vec(), "expected a PNG picture"),
        ("text.png", b"not a picture".to_vec(), "expected a PNG picture"),
        ("large.svg", vec![b' '; (4 << 20) + 1], "at most"),
    ];
    for (name, bytes, _) in &bad {
        fs::write(own.join(name), bytes).unwrap();
    }
    let out = folder.path().join("out");
    let args = ["--library", own.to_str().unwrap(), "--icons", "3", "--contrast-min", "1.1"];
    let mut expected: Vec<&str> = bad.iter().flat_map(|(name, _, problem)| [*name, *problem]).collect();
    expected.push("--skip-bad");
    refused(windesk(command(&args, &out)), &expected);
    assert!(!out.exists(), "nothing is written");
    let skipping = [&args[..], &["--skip-bad"]].concat();
    let said = succeeds(command(&skipping, &out));
    for (name, _, _) in &bad {
        assert!(said.stderr.contains(name), "{name} is named: {}", said.stderr);
    }
    fs::write(own.join("names.json"), "{\"nobody\": \"x\"}").unwrap();
    refused(windesk(command(&skipping, &folder.path().join("other"))), &["names.json", "nobody"]);
}

#[test]
fn bad_arguments_are_refused() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused-probes");
    for (args, expected) in [
        (&["--library", "emojis"][..], &["did you mean emoji?"][..]),
        (&["--library", "no/such/folder"], &["no/such/folder", "readable folder"]),
        (&["--design", "rarer"], &["did you mean rare?"]),
        (&["--layout", "heap"], &["heap"]),
        (&["--style", "tabler"], &["no styles"]),
        (&["--wallpaper", "seedling"], &["did you mean seeding?"]),
        (&["--design", "semantic-neighbours", "--library", "mixd"], &["mixed"]),
        (&["--skip-bad"], &["--library DIR"]),
        (&["--rotate", "270"], &["0 to 180"]),
        (&["--opacity", "0"], &["opacity"]),
    ] {
        refused(windesk(command(args, &out)), expected);
        assert!(!out.exists(), "{args:?}: nothing is written");
    }
}
