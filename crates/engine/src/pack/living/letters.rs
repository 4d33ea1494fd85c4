//! Texts set from letters, with advances and kerning in parts of a px.

use windesk_model::geometry::{Point, Rect};
use windesk_model::pack_format::living::{Caret, Glyph};

use super::values::SetText;

/// Where the letters of a text lie on the page, and the top left of each one's picture in the atlas. Each origin is
/// rounded to the nearest place of which letters have a picture: whole px, or as many within a px as there are phases.
pub(super) fn places(text: &SetText) -> Vec<(Rect, Point)> {
    let mut placed = Vec::new();
    for (glyph, pen) in origins(text) {
        let (x, phase) = nearest(text, pen);
        // What lies to the right of the field is not seen.
        if x + glyph.bearing.x >= text.place.clip.x1() {
            break;
        }
        if let Some(size) = glyph.size {
            let origin = Point { x, y: text.place.origin.y } + glyph.bearing;
            let picture = glyph.at + Point { x: phase * size.width as i32, y: 0 };
            placed.push((size.rect().moved(origin), picture));
        }
    }
    placed
}

/// Whether all of a text shows in its field: one that is longer would have been scrolled.
pub(super) fn fits(text: &SetText) -> bool {
    let end = start(text) + glyphs(text).map(|glyph| i64::from(glyph.advance)).sum::<i64>();
    end <= i64::from(text.place.clip.x1()) * i64::from(text.glyphs.parts)
}

/// Where the caret stands behind a text: the px of the page, on the base line, that its box is seen from.
pub(super) fn end(text: &SetText, caret: &Caret) -> Point {
    let behind = origins(text).last().map_or(start(text), |(glyph, pen)| pen + i64::from(glyph.advance));
    let pen = behind + i64::from(caret.shift);
    let parts = i64::from(text.glyphs.parts);
    Point { x: (2 * pen + parts).div_euclid(2 * parts) as i32, y: text.place.origin.y }
}

/// The px in which a letter begins whose origin is so many parts of a px from the page's left, and at which of the
/// places within it.
fn nearest(text: &SetText, pen: i64) -> (i32, i32) {
    let (parts, phases) = (i64::from(text.glyphs.parts), i64::from(text.glyphs.phases));
    let place = (2 * pen * phases + parts).div_euclid(2 * parts);
    (place.div_euclid(phases) as i32, place.rem_euclid(phases) as i32)
}

/// The letters of a text that have a look, with their origins in parts of a px from the page's left.
fn origins<'a>(text: &'a SetText) -> impl Iterator<Item = (&'a Glyph, i64)> {
    let mut before: Option<(&Glyph, i64)> = None;
    glyphs(text).map(move |glyph| {
        let pen = before.map_or(start(text), |(before, pen)| {
            let pair = (before.letter, glyph.letter);
            let kerning = text.glyphs.kerning.iter().find(|(one, other, _)| (*one, *other) == pair);
            pen + i64::from(before.advance) + kerning.map_or(0, |&(_, _, by)| i64::from(by))
        });
        before = Some((glyph, pen));
        (glyph, pen)
    })
}

/// The letters of a text that have a look.
fn glyphs<'a>(text: &'a SetText) -> impl Iterator<Item = &'a Glyph> {
    text.text.chars().filter_map(|letter| text.glyphs.glyphs.iter().find(|glyph| glyph.letter == letter))
}

/// Where the first letter begins, parts of a px.
fn start(text: &SetText) -> i64 {
    i64::from(text.place.origin.x) * i64::from(text.glyphs.parts) + i64::from(text.place.shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use windesk_model::geometry::Size;
    use windesk_model::pack_format::living::{GLYPH_PARTS, Glyphs, TextPlace, Values};

    fn glyph(letter: char, advance: i32, size: Option<Size>) -> Glyph {
        Glyph { letter, advance, bearing: Point { x: 1, y: -8 }, at: Point { x: 0, y: 0 }, size }
    }

    fn place(shift: i32) -> TextPlace {
        let (origin, clip) = (Point { x: 20, y: 50 }, Rect::at(20, 40, 60, 16));
        TextPlace { glyphs: "plain".to_owned(), origin, shift, clip, caret: None, when: Values::new() }
    }

    const SIZE: Option<Size> = Some(Size { width: 6, height: 9 });

    #[test]
    fn letters_follow_each_other_by_advance_and_kerning() {
        let glyphs = Glyphs {
            id: "plain".to_owned(),
            parts: GLYPH_PARTS,
            phases: 1,
            glyphs: vec![glyph('a', 512, SIZE), glyph('b', 500, SIZE), glyph(' ', 300, None)],
            kerning: vec![('a', 'b', -33)],
        };
        let place = place(0);
        let text = |text| SetText { control: 0, text, place: &place, glyphs: &glyphs };
        let lefts = |written| places(&text(written)).iter().map(|(rect, _)| rect.x0()).collect::<Vec<_>>();
        assert_eq!(lefts("aa"), [21, 29]);
        // 512 - 33 = 479 sixty-fourths are 7.48 px.
        assert_eq!(lefts("ab"), [21, 28]);
        assert_eq!(lefts("ab a"), [21, 28, 41]);
        assert_eq!(places(&text("a"))[0].0, Rect::at(21, 42, 6, 9));
        assert!(fits(&text("aaaaaaa")) && !fits(&text("aaaaaaaa")));
    }

    #[test]
    fn letters_between_two_px_have_a_picture_for_each_quarter() {
        let glyphs =
            Glyphs { id: "plain".to_owned(), parts: 1000, phases: 4, glyphs: vec![glyph('a', 7_300, SIZE)], kerning: Vec::new() };
        let told = |written, shift| {
            let place = place(shift);
            let text = SetText { control: 0, text: written, place: &place, glyphs: &glyphs };
            places(&text).iter().map(|(rect, at)| (rect.x0(), at.x)).collect::<Vec<_>>()
        };
        // Origins at 20, 27.3, 34.6 and 41.9 px: the nearest quarters are 20, 27.25, 34.5 and 42.
        assert_eq!(told("aaaa", 0), [(21, 0), (28, 6), (35, 12), (43, 0)]);
        let place = place(0);
        let behind = |shift| {
            let text = SetText { control: 0, text: "aa", place: &place, glyphs: &glyphs };
            end(&text, &Caret { rect: Rect::at(0, -10, 1, 12), shift, at: Point { x: 0, y: 0 } }).x
        };
        // 34.6 px, rounded to the nearest and down.
        assert_eq!([behind(0), behind(-500)], [35, 34]);
        // A tenth less: 19.9, 27.2, 34.5 and 41.8 px.
        assert_eq!(told("aaaa", -100), [(21, 0), (28, 6), (35, 12), (42, 18)]);
    }
}
