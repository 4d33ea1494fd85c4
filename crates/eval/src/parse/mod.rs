//! From what a model wrote to points on the image.
//!
//! The convention is always given; nothing here looks at the size of a number to find out what it means. What an output
//! lacks is a [`Reason`], never a guess. No input panics.
//!
//! ```
//! use windesk_eval::parse::{Convention, parse};
//! let convention: Convention = "norm1000".parse().unwrap();
//! let answer = parse("<think>near (1, 2)?</think>click(start_box='(500,250)')", &convention, [2560, 1440]).unwrap();
//! assert_eq!(answer.points, [[1280.0, 360.0]]);
//! ```

mod convention;
mod extract;

pub use convention::{Convention, ConventionError, FAMILIES, Family, Scale, parse_size};

use serde::Serialize;

use crate::exact;

use extract::Shape;

/// What a model answered, in px of the image, real-valued. Points may lie outside the image.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// At least one point; several for models that give candidates, best first.
    pub points: Vec<[f64; 2]>,
    /// The box whose centre is the point, as `[x0, y0, x1, y1]`, if the model gave one.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub bbox: Option<[f64; 4]>,
}

/// Why an output gives no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing but white space.
    Empty,
    /// The model says that the target is not there: `[-1, -1]`, `negative`, `{"refusal": true}`.
    Refusal,
    /// A think-block was opened and never closed: the output was cut off before the answer.
    UnfinishedReasoning,
    /// No pair or box of numbers where the convention has one.
    NoCoordinates,
    /// Numbers that may be others with commas between thousands, such as `(1,000, 2,000)`.
    Ambiguous,
    /// A number beyond what a coordinate can be, such as `1e999`.
    NotFinite,
}

impl Reason {
    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Refusal => "refusal",
            Self::UnfinishedReasoning => "unfinished_reasoning",
            Self::NoCoordinates => "no_coordinates",
            Self::Ambiguous => "ambiguous",
            Self::NotFinite => "not_finite",
        }
    }
}

/// Reads a model's raw output. `image_size` is the width and height in px of the image that the model was asked about,
/// before any resizing of its own; both at least 1.
///
/// # Errors
/// With the reason why there is no point.
pub fn parse(output: &str, convention: &Convention, image_size: [u32; 2]) -> Result<Answer, Reason> {
    let answer = final_answer(output)?;
    if answer.trim().is_empty() {
        return Err(Reason::Empty);
    }
    let found = extract::coordinates(answer, convention);
    let shapes = match found {
        Some(shapes) => shapes,
        None if extract::refuses(answer) => return Err(Reason::Refusal),
        None => return Err(Reason::NoCoordinates),
    };
    if shapes.iter().any(|s| matches!(s, Shape::Point([x, y]) if *x == -1.0 && *y == -1.0)) {
        return Err(Reason::Refusal);
    }
    if shapes.contains(&Shape::Ambiguous) {
        return Err(Reason::Ambiguous);
    }
    let to_px = |point: [f64; 2]| convention.scale.to_px(point, image_size);
    let mut bbox = None;
    let points: Vec<[f64; 2]> = shapes
        .iter()
        .map(|shape| match *shape {
            Shape::Ambiguous => unreachable!("refused before"),
            Shape::Point(point) => to_px(point),
            Shape::Box([x0, y0, x1, y1]) => {
                let ([px_x0, px_y0], [px_x1, px_y1]) = (to_px([x0, y0]), to_px([x1, y1]));
                bbox.get_or_insert([px_x0, px_y0, px_x1, px_y1]);
                to_px([exact::middle(x0, x1), exact::middle(y0, y1)])
            }
        })
        .collect();
    if points.iter().flatten().all(|v| v.is_finite()) { Ok(Answer { points, bbox }) } else { Err(Reason::NotFinite) }
}

/// The part of an output that is the answer: after the reasoning, and inside `<answer>` where there is one.
fn final_answer(output: &str) -> Result<&str, Reason> {
    let mut rest = output;
    for (open, close) in [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("◁think▷", "◁/think▷")] {
        // Some chat templates put the opening tag into the prompt, so that an output begins inside the block.
        if let Some(at) = rest.rfind(close) {
            rest = &rest[at + close.len()..];
        }
        if rest.contains(open) {
            return Err(Reason::UnfinishedReasoning);
        }
    }
    if let Some(at) = rest.rfind("<answer>") {
        let inside = &rest[at + "<answer>".len()..];
        rest = inside.find("</answer>").map_or(inside, |end| &inside[..end]);
    }
    Ok(rest)
}
