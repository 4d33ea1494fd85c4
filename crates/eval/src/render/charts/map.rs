//! The screen in cells.

use super::{Drawing, Figure};

/// A map of the screen in cells: share of hits as colour, row-major from the top left; `None` where nothing was asked.
pub fn heat_map(id: &str, title: &str, columns: usize, cells: &[Option<(f64, u64)>]) -> Figure {
    let (cell, left, top) = (38.0, 16.0, 40.0);
    let rows = cells.len().div_ceil(columns);
    let (width, height) = (left * 2.0 + cell * columns as f64, top + cell * rows as f64 + 38.0);
    let mut drawing = Drawing::new(title);
    for (at, value) in cells.iter().enumerate() {
        let (x, y) = (left + cell * (at % columns) as f64, top + cell * (at / columns) as f64);
        let fill = value.map_or_else(|| "#f3f4f6".to_owned(), |(share, _)| colour_of(share));
        drawing.push(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{cell}\" height=\"{cell}\" fill=\"{fill}\" stroke=\"#fff\" stroke-width=\"2\"/>"
        ));
        if let Some((share, n)) = value {
            let ink = if *share < 0.55 { "#fff" } else { "#1f2328" };
            drawing.push(format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\" fill=\"{ink}\">{:.0}<title>{n} targets</title></text>",
                x + cell / 2.0,
                y + cell / 2.0 + 4.0,
                share * 100.0
            ));
        }
    }
    drawing.text(left, height - 14.0, "start", "% of targets hit, by the screen cell of their centre; grey: no targets");
    drawing.finish(id, width, height)
}

/// Dark blue at 0 to light yellow at 1; brightness alone carries the value.
fn colour_of(share: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * share.clamp(0.0, 1.0)).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(38.0, 253.0), mix(56.0, 231.0), mix(110.0, 150.0))
}
