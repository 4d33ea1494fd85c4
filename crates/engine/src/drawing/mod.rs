//! SVG drawings of packs and of users: read within a budget, so that none takes long or much memory to draw.
//!
//! A drawing loads nothing: no other file, no picture inside it, no system font, no document type.

mod budget;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;
use resvg::usvg::roxmltree::{Document, ParsingOptions};

/// Largest file of a drawing.
pub const MAX_DRAWING_BYTES: usize = 4 << 20;
/// Most nodes of its text, elements and others.
const MAX_NODES: u32 = 50_000;

/// Reads a drawing.
///
/// # Errors
/// In words, with what was expected: the text is no SVG drawing, or drawing it could take too long.
pub fn read_drawing(bytes: &[u8]) -> Result<usvg::Tree, String> {
    if bytes.len() > MAX_DRAWING_BYTES {
        return Err(format!("found {} bytes, expected at most {MAX_DRAWING_BYTES}", bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|e| format!("found {e}, expected an SVG drawing in UTF-8"))?;
    let limits = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, limits).map_err(|e| format!("found {e}, expected an SVG drawing"))?;
    budget::check_document(&document)?;
    let mut options = usvg::Options::default();
    options.image_href_resolver.resolve_string = Box::new(|_, _| None);
    options.image_href_resolver.resolve_data = Box::new(|_, _, _| None);
    let tree = usvg::Tree::from_xmltree(&document, &options).map_err(|e| format!("found {e}, expected an SVG drawing"))?;
    budget::check_tree(&tree)?;
    Ok(tree)
}

/// A drawing in a square of `side_px`, as large as fits and in the middle; premultiplied RGBA.
///
/// # Panics
/// If the square has no size.
pub fn in_square(drawing: &usvg::Tree, side_px: u32) -> Pixmap {
    let size = drawing.size();
    let scale = side_px as f32 / size.width().max(size.height());
    let offset = |length: f32| (side_px as f32 - length * scale) / 2.0;
    let transform = Transform::from_scale(scale, scale).post_translate(offset(size.width()), offset(size.height()));
    let mut pixmap = Pixmap::new(side_px, side_px).expect("a square has a size");
    resvg::render(drawing, transform, &mut pixmap.as_mut());
    pixmap
}

/// Straight RGBA of all pixels, row by row.
pub(crate) fn straight(painted: &Pixmap) -> Vec<[u8; 4]> {
    let pixels = painted.pixels().iter().map(|pixel| pixel.demultiply());
    pixels.map(|pixel| [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(inside: &str) -> String {
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">{inside}</svg>"#
        )
    }

    fn refused(inside: &str, expected: &str) {
        let problem = read_drawing(drawing(inside).as_bytes()).expect_err(expected);
        assert!(problem.contains(expected), "{expected}: {problem}");
    }

    #[test]
    fn plain_drawings_are_read() {
        for inside in [
            "<rect width='9' height='9'/>",
            "<defs><g id='a'><rect width='1' height='1'/></g></defs><use href='#a'/><use xlink:href='#a' x='3'/>",
            "<style>rect { fill: red } .b { fill: blue }</style><rect class='b' width='9' height='9'/>",
            "<filter id='f'><feGaussianBlur stdDeviation='1'/></filter><rect width='9' height='9' filter='url(#f)'/>",
            "<mask id='m'><rect width='5' height='5' fill='white'/></mask><rect width='9' height='9' mask='url(#m)'/>",
            "<pattern id='p' width='3' height='3' patternUnits='userSpaceOnUse'><rect width='1' height='1'/></pattern>\
             <rect width='9' height='9' fill='url(#p)'/>",
            "<rect width='9' height='9' stroke='red' stroke-dasharray='1 2'/>",
        ] {
            read_drawing(drawing(inside).as_bytes()).unwrap_or_else(|problem| panic!("{inside}: {problem}"));
        }
    }

    #[test]
    fn drawings_without_end_are_refused() {
        let rect = "<rect width='1' height='1'/>";
        refused(&rect.repeat(60_000), "nodes limit reached");
        refused(&format!("{}{}", "<g>".repeat(300), "</g>".repeat(300)), "deep");
        refused(
            "<filter id='f'><feTurbulence numOctaves='100000000' baseFrequency='0.1'/></filter><rect width='9' height='9' filter='url(#f)'/>",
            "`feTurbulence`",
        );
        refused("<filter id='f'><feMorphology operator='dilate' radius='1000'/></filter>", "`feMorphology`");
        refused(&format!("<style>{}</style>{}", "rect { fill: red } ".repeat(100_000), rect.repeat(10)), "style");
        refused(&format!("<style>{}</style>{}", "rect, a { fill: red } ".repeat(900), rect.repeat(9_000)), "style");
        refused("<style>rect { mask: url(#m) }</style>", "url(");
        // Each level shows the one before ten times.
        let level = |n: u32| format!("<g id='l{}'>{}</g>", n + 1, format!("<use href='#l{n}'/>").repeat(10));
        let laughs: String = (0..12).map(level).collect();
        refused(&format!("<g id='l0'>{rect}</g>{laughs}"), "repetitions");
        let masks = |n: u32| {
            format!("<mask id='l{}'>{}</mask>", n + 1, format!("<rect width='9' height='9' mask='url(#l{n})'/>").repeat(10))
        };
        refused(&format!("<mask id='l0'>{rect}</mask>{}{rect}", (0..12).map(masks).collect::<String>()), "repetitions");
        let patterns = |n: u32| {
            format!("<pattern id='l{}' width='1' height='1'><g fill='url(#l{n})'>{}</g></pattern>", n + 1, rect.repeat(10))
        };
        refused(&format!("<pattern id='l0'>{rect}</pattern>{}", (0..12).map(patterns).collect::<String>()), "repetitions");
        refused("<g id='a'><use href='#a'/></g>", "shows itself");
        refused("<marker id='m'><rect width='1' height='1'/></marker>", "`marker`");
        refused(
            "<pattern id='p' width='90000' height='90000' patternUnits='userSpaceOnUse'><rect width='1' height='1'/></pattern>\
             <rect width='9' height='9' fill='url(#p)'/>",
            "pattern",
        );
        for number in ["6888888888888888888888.56", "1e8", "1E+99", "0-.5.5e30"] {
            refused(&format!("<path d='M1 1a{number} {number} 0 0 0-11.7-.02'/>"), "a number above");
            refused(&format!("<rect width='9' height='9' rx='{number}'/>"), "a number above");
        }
        refused("<path d='M0 0 H 9000000' stroke='red' stroke-dasharray='0.001'/>", "dashes");
        let layers = "<g opacity='0.5'><rect width='1' height='1'/><rect width='2' height='2'/></g>".repeat(5_000);
        refused(&layers, "layers");
    }

    #[test]
    fn what_is_no_drawing_is_refused() {
        for (bytes, expected) in [
            (&b""[..], "expected an SVG drawing"),
            (b"not a drawing", "expected an SVG drawing"),
            (b"\xff\xfe", "UTF-8"),
            (b"\x1f\x8b\x08\0\0\0\0\0", "UTF-8"),
            (b"<html/>", "expected an SVG drawing"),
            (b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>", "DTD"),
        ] {
            let problem = read_drawing(bytes).expect_err(expected);
            assert!(problem.contains(expected), "{problem}");
        }
    }

    #[test]
    fn a_drawing_reads_no_other_file() {
        let place = tempfile::tempdir().expect("room");
        let other = place.path().join("other.svg");
        std::fs::write(&other, drawing("<rect width='9' height='9'/>")).expect("room");
        let names_it = drawing(&format!(r#"<image width="9" height="9" href="{}"/>"#, other.display()));
        let within = drawing(concat!(
            r#"<image width="9" height="9" href="data:image/svg+xml;utf8,%3Csvg xmlns='http://www.w3.org/2000/svg' "#,
            r#"width='9' height='9'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E"/>"#,
        ));
        for svg in [&names_it, &within] {
            let children = |tree: &usvg::Tree| tree.root().children().len();
            let usual = usvg::Tree::from_data(svg.as_bytes(), &usvg::Options::default()).expect("SVG");
            assert_eq!((children(&read_drawing(svg.as_bytes()).expect("SVG")), children(&usual)), (0, 1));
        }
    }
}
