//! Groups of samples one under another, all models side by side in each.

use super::{Drawing, Figure, GRID, Value, WIDTH, colour, shortened};

/// A group of samples.
#[derive(Clone, Debug)]
pub struct Row {
    /// Left of the values.
    pub label: String,
    /// Samples, written behind the values.
    pub n: u64,
    /// One per series.
    pub values: Vec<Value>,
}

/// Bars with whiskers for one series, dots with whiskers for several.
pub fn rows(id: &str, title: &str, series: &[String], groups: &[Row]) -> Figure {
    let (left, right, top) = (196.0, 74.0, 40.0);
    let step = if series.len() == 1 { 22.0 } else { 12.0 + 12.0 * series.len() as f64 };
    let x_of = |value: f64| left + (WIDTH - left - right) * value;
    let bottom = top + step * groups.len() as f64;
    let mut drawing = Drawing::new(title);
    for percent in (0..=100).step_by(20) {
        let x = x_of(f64::from(percent) / 100.0);
        drawing.line((x, top), (x, bottom), if percent == 0 { "#9aa2ab" } else { GRID }, 1.0);
        drawing.text(x, bottom + 17.0, "middle", &format!("{percent}%"));
    }
    for (at, group) in groups.iter().enumerate() {
        let y = top + step * at as f64;
        if at > 0 && series.len() > 1 {
            drawing.line((12.0, y), (WIDTH - 12.0, y), GRID, 1.0);
        }
        drawing.text(left - 10.0, y + step / 2.0 + 4.0, "end", &shortened(&group.label, 27));
        drawing.text(WIDTH - right + 12.0, y + step / 2.0 + 4.0, "start", &format!("n={}", group.n));
        for (number, value) in group.values.iter().enumerate() {
            let Some((value, interval)) = value else { continue };
            let (stroke, title) = (colour(number), format!("{}: {:.1} %", series[number], value * 100.0));
            let title = super::escape(&title);
            let middle = y + if series.len() == 1 { 11.0 } else { 12.0 + 12.0 * number as f64 };
            let whisker = if series.len() == 1 { "#1f2328" } else { stroke };
            if series.len() == 1 {
                drawing.push(format_args!(
                    "<rect x=\"{left}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" fill=\"{stroke}\" fill-opacity=\"0.7\"><title>{title}</title></rect>",
                    middle - 7.0,
                    x_of(*value) - left
                ));
            }
            if let Some([low, high]) = interval {
                drawing.line((x_of(*low), middle), (x_of(*high), middle), whisker, 1.5);
            }
            if series.len() > 1 {
                drawing.push(format_args!(
                    "<circle cx=\"{:.1}\" cy=\"{middle:.1}\" r=\"4\" fill=\"{stroke}\" stroke=\"#fff\"><title>{title}</title></circle>",
                    x_of(*value)
                ));
            }
        }
    }
    let below = bottom + 42.0;
    let legend = if series.len() > 1 { drawing.legend(below, series) } else { -16.0 };
    drawing.finish(id, WIDTH, below + legend)
}
