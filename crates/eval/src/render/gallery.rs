//! Failures to look at: a piece of the picture with the target's box and the click, and what was hit. Part of the HTML
//! page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io::Cursor;

use base64::Engine;
use image::DynamicImage;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use rayon::prelude::*;

use windesk_model::Error;

use crate::click::{Outcome, Status};
use crate::decode::decoded;
use crate::geometry::centre;
use crate::truth::{Dataset, Target};
use windesk_model::escape::html as escape;

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

    fn standing(&self) -> &'static str {
        if self.target.further { "further" } else { "promised" }
    }
}

/// Up to `most` failures of every model as a section with filters; empty if there are none. A failure is a click that
/// misses the visible target, or its box where pixels are not recorded. Kinds of failure take turns, so that rare ones
/// are shown too.
///
/// # Errors
/// If a picture is none of the dataset's. Failures of which there is no picture are shown without.
pub fn gallery(dataset: &Dataset, models: &[(&str, &[Outcome])], most: usize) -> Result<String, Error> {
    let mut cards = Vec::new();
    for &(model, outcomes) in models {
        let failed = |o: &Outcome| !o.visible.unwrap_or(o.click);
        let all = dataset.targets.iter().zip(outcomes).filter(|(t, o)| t.takes_clicks() && failed(o));
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
        return Ok(String::new());
    }
    let condition = |card: &Card<'_>| dataset.names.text(dataset.scene(card.target).condition);
    let filter = |name: &str, label: &str, values: BTreeSet<&str>| {
        let button = |value: &str, text: &str| {
            format!(
                "<button type=\"button\" value=\"{}\">{} <small></small></button>",
                escape(value),
                escape(&text.replace('_', " "))
            )
        };
        let buttons: String = std::iter::once(button("", "all")).chain(values.iter().map(|v| button(v, v))).collect();
        // A choice of one is none.
        let hidden = if values.len() > 1 { "" } else { " hidden" };
        format!("<span{hidden}>{label}</span><div data-filter=\"{name}\"{hidden}>{buttons}</div>")
    };
    let mut html = String::from("<section id=\"failures\"><h2>Failures</h2><div class=\"filters\">");
    html += &filter("model", "model", cards.iter().map(|c| c.model).collect());
    html += &filter("condition", "condition", cards.iter().map(condition).collect());
    html += &filter("hit", "clicked on", cards.iter().map(Card::kind).collect());
    html += &filter("target", "target", cards.iter().map(Card::standing).collect());
    html += "</div><p><span id=\"shown\"></span><span class=\"legend target\"></span>target<span class=\"legend click\"></span>click</p>\
             <div class=\"failures\">\n";
    for (card, piece) in cards.iter().zip(pieces(dataset, &cards)?) {
        let [model, condition, hit] = [card.model, condition(card), card.kind()].map(escape);
        writeln!(
            html,
            "<div class=\"failure\" data-model=\"{model}\" data-condition=\"{condition}\" data-hit=\"{hit}\" data-target=\"{}\">{}<div><b>{}</b>\
             <span class=\"tag hit\">{}</span><span class=\"tag\">{condition}</span><span class=\"tag\">{model}</span><br><code>{}</code></div></div>",
            card.standing(),
            piece.unwrap_or_default(),
            escape(dataset.instruction(card.target)),
            hit.replace('_', " "),
            escape(dataset.id(card.target)),
        )
        .expect("a string takes everything");
    }
    Ok(html + "</div></section>\n")
}

/// The cards' pieces of pictures, in their order. A picture is read once for all cards that show it, several at a time.
///
/// # Errors
/// If a picture is none of the dataset's; one that is not there is left out.
fn pieces(dataset: &Dataset, cards: &[Card<'_>]) -> Result<Vec<Option<String>>, Error> {
    let mut of_scene: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    cards.iter().enumerate().for_each(|(at, card)| of_scene.entry(card.target.scene).or_default().push(at));
    let scenes: Vec<Vec<usize>> = of_scene.into_values().collect();
    let made = scenes.par_iter().with_max_len(1).map(|members| {
        let picture = dataset.picture_if_any(dataset.scene(cards[members[0]].target))?.map(decoded).transpose()?;
        let pieces = members.iter().map(|&at| (at, picture.as_ref().and_then(|picture| piece(picture, &cards[at]))));
        Ok(pieces.collect::<Vec<_>>())
    });
    let made = made.collect::<Result<Vec<_>, Error>>()?;
    Ok(made.into_iter().flatten().collect::<BTreeMap<usize, Option<String>>>().into_values().collect())
}

/// The piece of the picture around target and click, with both drawn in.
fn piece(picture: &DynamicImage, card: &Card<'_>) -> Option<String> {
    let [x0, y0, x1, y1] = card.target.bbox()?;
    let click = (card.outcome.status == Status::Answered).then_some(card.outcome.point);
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
