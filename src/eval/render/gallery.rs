//! Failures to look at: a piece of the picture with the target's box and the click, and what was hit. Part of the HTML page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io::Cursor;
use std::path::PathBuf;

use base64::Engine;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;

use super::table::escape;
use crate::eval::click::{Outcome, Status};
use crate::eval::geometry::centre;
use crate::eval::source::{Dataset, Target};

/// Width of a piece of picture on the page, px; wider ones are scaled down.
const WIDTH: u32 = 480;
/// Surroundings of target and click that a piece shows, px.
const MARGIN: f64 = 80.0;
/// Quality of the JPEGs.
const QUALITY: u8 = 75;

/// A failure's card before it is written.
struct Card<'a> {
    model: &'a str,
    target: &'a Target,
    outcome: &'a Outcome,
}

impl Card<'_> {
    /// What was hit, or why there was no click.
    fn kind(&self) -> &'static str {
        match (self.outcome.status, self.outcome.hit) {
            (Status::Answered, Some(hit)) => hit.name(),
            (Status::Answered, None) => "missed",
            (status, _) => status.name(),
        }
    }
}

/// Up to `most` failures of every model as a section with filters; empty if there are none. A failure is a click that misses the visible
/// target, or its box where pixels are not recorded. Kinds of failure take turns, so that rare ones are shown too.
pub fn gallery(dataset: &Dataset, models: &[(&str, &[Outcome])], most: usize) -> String {
    let mut cards = Vec::new();
    for &(model, outcomes) in models {
        let failed = |o: &Outcome| !o.visible.unwrap_or(o.click);
        let all = dataset.targets.iter().zip(outcomes).filter(|(t, o)| t.bbox.is_some() && failed(o));
        let mut by_kind: BTreeMap<&str, Vec<Card<'_>>> = BTreeMap::new();
        for card in all.map(|(target, outcome)| Card { model, target, outcome }) {
            let same = by_kind.entry(card.kind()).or_default();
            if same.len() < most {
                same.push(card);
            }
        }
        let mut kinds: Vec<_> = by_kind.into_values().map(Vec::into_iter).collect();
        let mut chosen = Vec::new();
        while chosen.len() < most && !kinds.is_empty() {
            kinds.retain_mut(|kind| kind.next().map(|card| chosen.push(card)).is_some());
        }
        chosen.truncate(most);
        cards.extend(chosen);
    }
    if cards.is_empty() {
        return String::new();
    }
    let condition = |card: &Card<'_>| dataset.names.text(dataset.scene(card.target).condition);
    let filter = |name: &str, values: BTreeSet<&str>| {
        let options: String = values.iter().map(|v| format!("<option>{}</option>", escape(v))).collect();
        format!("<label>{name} <select name=\"{name}\"><option value=\"\">all</option>{options}</select></label>")
    };
    let mut html = String::from("<section id=\"gallery\"><h2>Failures</h2><div class=\"filters\">");
    html += &filter("model", cards.iter().map(|c| c.model).collect());
    html += &filter("condition", cards.iter().map(condition).collect());
    html += &filter("hit", cards.iter().map(Card::kind).collect());
    html += "<span id=\"shown\"></span></div><div class=\"failures\">\n";
    for card in &cards {
        let [model, condition, hit] = [card.model, condition(card), card.kind()].map(escape);
        write!(
            html,
            "<div class=\"failure\" data-model=\"{model}\" data-condition=\"{condition}\" data-hit=\"{hit}\">{}<div><b>{}</b><br>\
             {condition}: {hit}<br>{model}<br><code>{}</code></div></div>\n",
            piece(dataset, card).unwrap_or_default(),
            escape(&card.target.instruction),
            escape(&card.target.id),
        )
        .expect("a string takes everything");
    }
    html + "</div></section>\n"
}

/// The piece of the picture around target and click, with both drawn in; `None` if there is no picture.
fn piece(dataset: &Dataset, card: &Card<'_>) -> Option<String> {
    let scene = dataset.scene(card.target);
    let [x0, y0, x1, y1] = card.target.bbox?;
    let click = (card.outcome.status == Status::Answered).then(|| card.outcome.point.map(f64::from));
    let places: [PathBuf; 2] = [dataset.root.join(&*scene.image), dataset.root.join("images").join(&*scene.image)];
    let picture = places.iter().find_map(|p| image::open(p).ok())?;
    let [cx, cy] = click.unwrap_or_else(|| centre([x0, y0, x1, y1]));
    let side = |low: f64, high: f64, most: u32| {
        let from = ((low - MARGIN).max(0.0) as u32).min(most.saturating_sub(1));
        (from, ((high + MARGIN).min(f64::from(most)) as u32).max(from + 1))
    };
    let ((left, right), (top, bottom)) =
        (side(x0.min(cx), x1.max(cx), picture.width()), side(y0.min(cy), y1.max(cy), picture.height()));
    let (w, h) = (right - left, bottom - top);
    let cut = picture.crop_imm(left, top, w, h).to_rgb8();
    let shown = if w > WIDTH { image::imageops::resize(&cut, WIDTH, (h * WIDTH / w).max(1), FilterType::Triangle) } else { cut };
    let mut jpeg = Cursor::new(Vec::new());
    JpegEncoder::new_with_quality(&mut jpeg, QUALITY).encode_image(&shown).ok()?;
    let data = base64::engine::general_purpose::STANDARD.encode(jpeg.into_inner());
    // Lines keep their width on the page however far the piece is scaled.
    let pen = (f64::from(w) / f64::from(WIDTH)).max(0.5) * 2.0;
    let mut drawn = format!(
        "<rect x=\"{x0}\" y=\"{y0}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#00c853\" stroke-width=\"{pen:.1}\"/>",
        x1 - x0,
        y1 - y0
    );
    if let Some([x, y]) = click {
        let r = pen * 4.0;
        write!(
            drawn,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r:.1}\" fill=\"none\" stroke=\"#fff\" stroke-width=\"{:.1}\"/>\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"{r:.1}\" fill=\"#ff174466\" stroke=\"#d50000\" stroke-width=\"{pen:.1}\"/>",
            pen * 2.0
        )
        .expect("a string takes everything");
    }
    Some(format!(
        "<svg viewBox=\"{left} {top} {w} {h}\" role=\"img\"><image href=\"data:image/jpeg;base64,{data}\" x=\"{left}\" y=\"{top}\" \
         width=\"{w}\" height=\"{h}\" preserveAspectRatio=\"none\"/>{drawn}</svg>"
    ))
}
