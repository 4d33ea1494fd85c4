//! Texts set from letters, with advances and kerning in 1/64 px.

use windesk_model::geometry::{Point, Rect};

use super::values::SetText;

/// Where the letters of a text lie on the page, and the top left of each one's picture in the atlas. Each origin is
/// rounded to the nearest px.
pub(super) fn places(text: &SetText) -> Vec<(Rect, Point)> {
    let mut placed = Vec::new();
    let mut pen = i64::from(text.place.origin.x) * 64;
    let mut before = None;
    for letter in text.text.chars() {
        let Some(glyph) = text.glyphs.glyphs.iter().find(|glyph| glyph.letter == letter) else { continue };
        let kerning = before.and_then(|before| text.glyphs.kerning.iter().find(|(a, b, _)| (*a, *b) == (before, letter)));
        pen += kerning.map_or(0, |&(_, _, by)| i64::from(by));
        let x = ((pen + 32) >> 6) as i32;
        // What lies to the right of the field is not seen.
        if x + glyph.bearing.x >= text.place.clip.x1() {
            break;
        }
        if let Some(size) = glyph.size {
            let origin = Point { x, y: text.place.origin.y } + glyph.bearing;
            placed.push((size.rect().moved(origin), glyph.at));
        }
        pen += i64::from(glyph.advance);
        before = Some(letter);
    }
    placed
}

/// Whether all of a text shows in its field: one that is longer would have been scrolled.
pub(super) fn fits(text: &SetText) -> bool {
    let advances = text.text.chars().filter_map(|letter| text.glyphs.glyphs.iter().find(|glyph| glyph.letter == letter));
    let end = i64::from(text.place.origin.x) * 64 + advances.map(|glyph| i64::from(glyph.advance)).sum::<i64>();
    end <= i64::from(text.place.clip.x1()) * 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use windesk_model::geometry::Size;
    use windesk_model::pack_format::living::{Glyph, Glyphs, TextPlace};

    #[test]
    fn letters_follow_each_other_by_advance_and_kerning() {
        let glyph =
            |letter, advance, size| Glyph { letter, advance, bearing: Point { x: 1, y: -8 }, at: Point { x: 0, y: 0 }, size };
        let size = Some(Size { width: 6, height: 9 });
        let glyphs = Glyphs {
            id: "plain".to_owned(),
            glyphs: vec![glyph('a', 512, size), glyph('b', 500, size), glyph(' ', 300, None)],
            kerning: vec![('a', 'b', -33)],
        };
        let place = TextPlace { glyphs: "plain".to_owned(), origin: Point { x: 20, y: 50 }, clip: Rect::at(20, 40, 60, 16) };
        let text = |text| SetText { control: 0, text, place: &place, glyphs: &glyphs };
        let lefts = |written| places(&text(written)).iter().map(|(rect, _)| rect.x0()).collect::<Vec<_>>();
        assert_eq!(lefts("aa"), [21, 29]);
        // 512 - 33 = 479 sixty-fourths are 7.48 px.
        assert_eq!(lefts("ab"), [21, 28]);
        assert_eq!(lefts("ab a"), [21, 28, 41]);
        assert_eq!(places(&text("a"))[0].0, Rect::at(21, 42, 6, 9));
        assert!(fits(&text("aaaaaaa")) && !fits(&text("aaaaaaaa")));
    }
}
