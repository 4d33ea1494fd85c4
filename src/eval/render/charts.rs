//! Charts as SVG: curves and bars with intervals, and a map of the screen. Fit for a page and for a paper.

use std::fmt::Write;

use super::table::escape;

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Short name, part of file names.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// A whole SVG document.
    pub svg: String,
}

/// A named row of values, one per tick of the x axis: value and interval, all in 0..=1.
#[derive(Clone, Debug)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// `None` where there is no value.
    pub values: Vec<Option<(f64, Option<[f64; 2]>)>>,
}

/// A named value with its interval, in 0..=1.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Left of the bar.
    pub label: String,
    /// Length.
    pub value: f64,
    /// Whisker.
    pub interval: Option<[f64; 2]>,
    /// Samples, written behind the bar.
    pub n: u64,
}

/// Colours that stay apart for colour-blind readers (Okabe and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
const FONT: &str = "font-family=\"Inter, 'DejaVu Sans', sans-serif\"";

fn document(width: f64, height: f64, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" {FONT} font-size=\"12\">\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>{body}</svg>"
    )
}

fn text(x: f64, y: f64, anchor: &str, content: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#333\">{}</text>", escape(content))
}

fn line(from: (f64, f64), to: (f64, f64), colour: &str, width: f64) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
        from.0, from.1, to.0, to.1
    )
}

/// Curves over ordered conditions, with intervals as whiskers.
pub fn curves(id: &str, title: &str, ticks: &[String], series: &[Series]) -> Figure {
    let (width, height, left, right, top, bottom) = (640.0, 360.0, 46.0, 16.0, 34.0, 64.0);
    let (inner_w, inner_h) = (width - left - right, height - top - bottom);
    let x_of = |at: usize| left + inner_w * (at as f64 + 0.5) / ticks.len().max(1) as f64;
    let y_of = |value: f64| top + inner_h * (1.0 - value);
    let mut body = text(left, 20.0, "start", title);
    for percent in (0..=100).step_by(20) {
        let y = y_of(f64::from(percent) / 100.0);
        body += &line((left, y), (width - right, y), "#ddd", 1.0);
        body += &text(left - 6.0, y + 4.0, "end", &format!("{percent}%"));
    }
    for (at, tick) in ticks.iter().enumerate() {
        body += &text(x_of(at), height - bottom + 18.0, "middle", tick);
    }
    for (number, one) in series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        // Series are set apart sideways, or their whiskers would hide one another.
        let shift = (number as f64 - (series.len() as f64 - 1.0) / 2.0) * 7.0;
        let mut path = String::new();
        for (at, value) in one.values.iter().enumerate() {
            let Some((value, interval)) = value else { continue };
            let (x, y) = (x_of(at) + shift, y_of(*value));
            write!(path, "{}{x:.1} {y:.1} ", if path.is_empty() { "M" } else { "L" }).expect("a string takes everything");
            if let Some([low, high]) = interval {
                body += &line((x, y_of(*low)), (x, y_of(*high)), colour, 1.5);
            }
            write!(body, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>").expect("a string takes everything");
        }
        write!(body, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>")
            .expect("a string takes everything");
        let (column, row) = (number % 3, number / 3);
        let (x, y) = (left + column as f64 * 195.0, height - bottom + 38.0 + row as f64 * 16.0);
        body += &line((x, y - 4.0), (x + 18.0, y - 4.0), colour, 3.0);
        body += &text(x + 24.0, y, "start", &shortened(&one.name, 26));
    }
    Figure {
        id: id.to_owned(),
        title: title.to_owned(),
        svg: document(width, height.max(height - bottom + 54.0 + (series.len() / 3) as f64 * 16.0), &body),
    }
}

/// Horizontal bars with whiskers.
pub fn bars(id: &str, title: &str, rows: &[Bar]) -> Figure {
    let (width, left, right, top, step) = (640.0, 190.0, 60.0, 34.0, 22.0);
    let height = top + step * rows.len() as f64 + 26.0;
    let x_of = |value: f64| left + (width - left - right) * value;
    let mut body = text(10.0, 20.0, "start", title);
    for percent in (0..=100).step_by(20) {
        let x = x_of(f64::from(percent) / 100.0);
        body += &line((x, top), (x, height - 24.0), "#ddd", 1.0);
        body += &text(x, height - 8.0, "middle", &format!("{percent}%"));
    }
    for (at, bar) in rows.iter().enumerate() {
        let y = top + step * at as f64;
        body += &text(left - 8.0, y + 14.0, "end", &shortened(&bar.label, 26));
        write!(
            body,
            "<rect x=\"{left}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\" fill-opacity=\"0.75\"/>",
            y + 3.0,
            x_of(bar.value) - left,
            step - 7.0,
            COLOURS[0]
        )
        .expect("a string takes everything");
        if let Some([low, high]) = bar.interval {
            body += &line((x_of(low), y + 10.0), (x_of(high), y + 10.0), "#222", 1.5);
        }
        body += &text(width - right + 8.0, y + 14.0, "start", &format!("n={}", bar.n));
    }
    Figure { id: id.to_owned(), title: title.to_owned(), svg: document(width, height, &body) }
}

/// A map of the screen in cells: share of hits as colour, row-major from the top left; `None` where nothing was asked.
pub fn heat_map(id: &str, title: &str, columns: usize, cells: &[Option<(f64, u64)>]) -> Figure {
    let (cell, left, top) = (38.0, 10.0, 34.0);
    let rows = cells.len().div_ceil(columns);
    let (width, height) = (left * 2.0 + cell * columns as f64, top + cell * rows as f64 + 34.0);
    let mut body = text(left, 20.0, "start", title);
    for (at, value) in cells.iter().enumerate() {
        let (x, y) = (left + cell * (at % columns) as f64, top + cell * (at / columns) as f64);
        let fill = value.map_or_else(|| "#f4f4f4".to_owned(), |(share, _)| colour_of(share));
        write!(body, "<rect x=\"{x}\" y=\"{y}\" width=\"{cell}\" height=\"{cell}\" fill=\"{fill}\" stroke=\"#fff\"/>")
            .expect("a string takes everything");
        if let Some((share, n)) = value {
            let ink = if *share < 0.45 { "#fff" } else { "#222" };
            write!(
                body,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"10\" fill=\"{ink}\">{:.0}<title>{n} targets</title></text>",
                x + cell / 2.0,
                y + cell / 2.0 + 4.0,
                share * 100.0
            )
            .expect("a string takes everything");
        }
    }
    body += &text(left, height - 12.0, "start", "% of targets whose middle lies there that were hit; grey: none asked");
    Figure { id: id.to_owned(), title: title.to_owned(), svg: document(width, height, &body) }
}

/// Dark blue at 0 to light yellow at 1; brightness alone carries the value.
fn colour_of(share: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * share.clamp(0.0, 1.0)).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(20.0, 253.0), mix(40.0, 231.0), mix(90.0, 140.0))
}

fn shortened(name: &str, longest: usize) -> String {
    if name.chars().count() <= longest { name.to_owned() } else { name.chars().take(longest - 1).chain(['…']).collect() }
}
