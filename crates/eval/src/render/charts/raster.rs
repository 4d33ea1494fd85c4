//! Charts as pixels, for papers and slides that take no SVG.

use std::fmt::Write;

use cosmic_text::{Attrs, Buffer, CacheKeyFlags, Command, Family, FontSystem, Metrics, Shaping, SwashCache, Weight, fontdb};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, roxmltree};

use super::Figure;

/// Pixels per px of a chart: a chart of 640 px fills a page's width at 300 dots per inch.
const SCALE: f32 = 3.0;

/// Draws figures; keeps the fonts.
pub struct Rasteriser {
    fonts: FontSystem,
    glyphs: SwashCache,
}

impl Rasteriser {
    /// Charts name the family Inter and use its weights 400 and 600: `fonts` are the files of both. No font of the
    /// machine takes part, so that pictures are the same everywhere.
    pub fn new(fonts: [&[u8]; 2]) -> Self {
        let mut database = fontdb::Database::new();
        fonts.into_iter().for_each(|font| database.load_font_data(font.to_vec()));
        Self { fonts: FontSystem::new_with_locale_and_db("en-US".to_owned(), database), glyphs: SwashCache::new() }
    }

    /// A figure as a PNG file.
    ///
    /// # Panics
    /// If the figure is no whole SVG document: a bug of what drew it.
    pub fn png(&mut self, figure: &Figure) -> Vec<u8> {
        let tree = Tree::from_str(&self.outlined(&figure.svg), &Options::default()).expect("a whole document");
        let size = tree.size().to_int_size().scale_by(SCALE).expect("charts have a size");
        let mut pixmap = Pixmap::new(size.width(), size.height()).expect("charts have a size");
        resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixmap.as_mut());
        pixmap.encode_png().expect("memory takes everything")
    }

    /// The document with the outlines of letters in place of its texts.
    fn outlined(&mut self, svg: &str) -> String {
        let document = roxmltree::Document::parse(svg).expect("a whole document");
        let (mut out, mut written) = (String::with_capacity(svg.len()), 0);
        for node in document.descendants().filter(|n| n.has_tag_name("text")) {
            let number = |name: &str, otherwise: f32| node.attribute(name).and_then(|v| v.parse().ok()).unwrap_or(otherwise);
            let label = Label {
                text: node.text().unwrap_or_default(),
                at: [number("x", 0.0), number("y", 0.0)],
                // The size that all charts set for the whole document.
                size_px: number("font-size", 12.0),
                weight: number("font-weight", 400.0) as u16,
                // How much of the text stands left of its place.
                before: match node.attribute("text-anchor") {
                    Some("end") => 1.0,
                    Some("middle") => 0.5,
                    _ => 0.0,
                },
            };
            let range = node.range();
            out.push_str(&svg[written..range.start]);
            let fill = node.attribute("fill").unwrap_or("#000");
            write!(out, "<path fill=\"{fill}\" d=\"{}\"/>", self.outlines(&label)).expect("a string takes everything");
            written = range.end;
        }
        out + &svg[written..]
    }

    /// The outlines of a label's letters as the data of a path.
    fn outlines(&mut self, label: &Label<'_>) -> String {
        let mut buffer = Buffer::new_empty(Metrics::new(label.size_px, label.size_px * 1.3));
        buffer.set_size(None, None);
        // Hinted for the size of the chart, letters would be crooked on the larger picture.
        let attributes = Attrs::new()
            .family(Family::Name("Inter"))
            .weight(Weight(label.weight))
            .cache_key_flags(CacheKeyFlags::DISABLE_HINTING);
        buffer.set_text(label.text, &attributes, Shaping::Advanced, None);
        buffer.shape_until_scroll(&mut self.fonts, false);
        let mut path = String::new();
        for run in buffer.layout_runs() {
            let left = label.at[0] - run.line_w * label.before;
            for glyph in run.glyphs {
                let key = glyph.physical((0.0, 0.0), 1.0).cache_key;
                let Some(commands) = self.glyphs.get_outline_commands(&mut self.fonts, key) else { continue };
                let origin = [left + glyph.x + glyph.x_offset * glyph.font_size, label.at[1] - glyph.y_offset * glyph.font_size];
                commands.iter().for_each(|command| push(&mut path, command, origin));
            }
        }
        path
    }
}

/// A text of a chart.
struct Label<'a> {
    text: &'a str,
    /// On the baseline, px of the chart.
    at: [f32; 2],
    size_px: f32,
    weight: u16,
    before: f32,
}

/// Adds a command of a glyph's outline, whose y axis points up, to the data of a path, whose y axis points down.
fn push(path: &mut String, command: &Command, [x, y]: [f32; 2]) {
    let (name, points) = match command {
        Command::MoveTo(to) => ('M', vec![to]),
        Command::LineTo(to) => ('L', vec![to]),
        Command::QuadTo(by, to) => ('Q', vec![by, to]),
        Command::CurveTo(by, and, to) => ('C', vec![by, and, to]),
        Command::Close => ('Z', Vec::new()),
    };
    path.push(name);
    for point in points {
        write!(path, "{:.3} {:.3} ", x + point.x, y - point.y).expect("a string takes everything");
    }
}
