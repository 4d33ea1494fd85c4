//! Curves over ordered conditions.

use std::fmt::Write;

use super::{Drawing, Figure, GRID, Value, WIDTH, colour, shortened};

/// A named row of values, one per tick of the x axis.
#[derive(Clone, Debug)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// `None` where there is no value.
    pub values: Vec<Value>,
}

/// Curves over ordered conditions, with intervals as whiskers.
pub fn curves(id: &str, title: &str, ticks: &[String], series: &[Series]) -> Figure {
    let (left, right, top, inner_h) = (52.0, 18.0, 44.0, 250.0);
    let inner_w = WIDTH - left - right;
    let x_of = |at: usize| left + inner_w * (at as f64 + 0.5) / ticks.len().max(1) as f64;
    let y_of = |value: f64| top + inner_h * (1.0 - value);
    let mut drawing = Drawing::new(title);
    for percent in (0..=100).step_by(20) {
        let y = y_of(f64::from(percent) / 100.0);
        drawing.line((left, y), (WIDTH - right, y), if percent == 0 { "#9aa2ab" } else { GRID }, 1.0);
        drawing.text(left - 8.0, y + 4.0, "end", &format!("{percent}%"));
    }
    // As many characters as fit between two ticks.
    let fits = ((inner_w / ticks.len().max(1) as f64) / 6.6).max(3.0) as usize;
    for (at, tick) in ticks.iter().enumerate() {
        drawing.text(x_of(at), top + inner_h + 20.0, "middle", &shortened(tick, fits));
    }
    // Series are set apart sideways, or their whiskers would hide one another.
    let apart = (inner_w / ticks.len().max(1) as f64 * 0.6 / series.len().max(1) as f64).min(8.0);
    for (number, one) in series.iter().enumerate() {
        let stroke = colour(number);
        let shift = (number as f64 - (series.len() as f64 - 1.0) / 2.0) * apart;
        let mut path = String::new();
        let mut marks = Drawing { title: String::new(), body: String::new() };
        for (at, value) in one.values.iter().enumerate() {
            let Some((value, interval)) = value else { continue };
            let (x, y) = (x_of(at) + shift, y_of(*value));
            write!(path, "{}{x:.1} {y:.1} ", if path.is_empty() { "M" } else { "L" }).expect("a string takes everything");
            if let Some([low, high]) = interval {
                marks.line((x, y_of(*low)), (x, y_of(*high)), stroke, 1.5);
                [low, high].iter().for_each(|end| marks.line((x - 3.0, y_of(**end)), (x + 3.0, y_of(**end)), stroke, 1.5));
            }
            marks.push(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{stroke}\" stroke=\"#fff\"><title>{:.1} %</title></circle>",
                value * 100.0
            ));
        }
        drawing.push(format_args!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"2\" stroke-opacity=\"0.55\"/>"
        ));
        drawing.body += &marks.body;
    }
    let names: Vec<String> = series.iter().map(|s| s.name.clone()).collect();
    let below = top + inner_h + 48.0;
    let height = below + drawing.legend(below, &names);
    drawing.finish(id, WIDTH, height)
}
