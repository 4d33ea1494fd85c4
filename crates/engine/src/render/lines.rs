//! Lines of one pixel, for overlays and sheets. What lies outside the picture is left out.

use image::{Rgb, RgbImage};

use windesk_model::geometry::{Point, Rect};

fn put(picture: &mut RgbImage, x: i32, y: i32, colour: Rgb<u8>) {
    if let (Ok(x), Ok(y)) = (x.try_into(), y.try_into())
        && let Some(pixel) = picture.get_pixel_mut_checked(x, y)
    {
        *pixel = colour;
    }
}

/// Paints the outermost pixels of a rectangle.
pub fn paint_outline(picture: &mut RgbImage, rect: Rect, colour: Rgb<u8>) {
    let [right, bottom] = [rect.x1() - 1, rect.y1() - 1];
    for x in rect.x0()..=right {
        put(picture, x, rect.y0(), colour);
        put(picture, x, bottom, colour);
    }
    for y in rect.y0()..=bottom {
        put(picture, rect.x0(), y, colour);
        put(picture, right, y, colour);
    }
}

/// Paints a pixel and the four beside it.
pub(super) fn paint_cross(picture: &mut RgbImage, middle: Point, colour: Rgb<u8>) {
    for (x, y) in [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)] {
        put(picture, middle.x + x, middle.y + y, colour);
    }
}

/// Paints a line with both of its ends (Bresenham).
pub fn paint_line(picture: &mut RgbImage, ends: [Point; 2], colour: Rgb<u8>) {
    let is_steep = (ends[1].y - ends[0].y).abs() > (ends[1].x - ends[0].x).abs();
    // Along the longer axis and across it.
    let mut ends = ends.map(|p| if is_steep { [p.y, p.x] } else { [p.x, p.y] });
    ends.sort_by_key(|end| end[0]);
    let [[start, mut across], [end, last_across]] = ends;
    let (length, rise) = (end - start, (last_across - across).abs());
    let step = if across < last_across { 1 } else { -1 };
    let mut doubled_error = length;
    for along in start..=end {
        let (x, y) = if is_steep { (across, along) } else { (along, across) };
        put(picture, x, y, colour);
        doubled_error -= 2 * rise;
        if doubled_error < 0 {
            across += step;
            doubled_error += 2 * length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a picture in which `paint` painted, `#` for painted pixels.
    fn painted(paint: impl FnOnce(&mut RgbImage)) -> Vec<String> {
        let mut picture = RgbImage::new(6, 4);
        paint(&mut picture);
        let rows = picture.rows().map(|row| row.map(|pixel| if pixel.0 == [9; 3] { '#' } else { '.' }).collect());
        rows.collect()
    }

    const COLOUR: Rgb<u8> = Rgb([9; 3]);

    #[test]
    fn outlines_are_those_of_half_open_rectangles() {
        let rows = painted(|picture| paint_outline(picture, Rect::at(1, 0, 4, 3), COLOUR));
        assert_eq!(rows, [".####.", ".#..#.", ".####.", "......"]);
        let rows = painted(|picture| paint_outline(picture, Rect::at(-2, -1, 5, 3), COLOUR));
        assert_eq!(rows, ["..#...", "###...", "......", "......"]);
    }

    #[test]
    fn lines_hold_both_ends_whichever_way_they_run() {
        let [low, high] = [Point { x: 0, y: 0 }, Point { x: 5, y: 2 }];
        let forth = painted(|picture| paint_line(picture, [low, high], COLOUR));
        let back = painted(|picture| paint_line(picture, [high, low], COLOUR));
        assert_eq!(forth, back);
        assert_eq!(forth, ["##....", "..##..", "....##", "......"]);
        let steep = painted(|picture| paint_line(picture, [Point { x: 2, y: -3 }, Point { x: 2, y: 9 }], COLOUR));
        assert_eq!(steep, ["..#..."; 4]);
    }

    #[test]
    fn crosses_are_cut_at_the_border() {
        let rows = painted(|picture| paint_cross(picture, Point { x: 0, y: 3 }, COLOUR));
        assert_eq!(rows, ["......", "......", "#.....", "##...."]);
    }
}
