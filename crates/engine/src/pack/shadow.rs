//! Soft shadows drawn by one rule: how all windows of a session cast theirs, whatever toolkit drew them.
//!
//! A shadow is made once per window and kept as a picture, so that composing a scene blurs nothing. Integers only.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;

use quick_cache::sync::Cache;

use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::pack_format::{Shadow, SnapState};

/// Radius of the corners of what casts a shadow, px.
const CORNER_PX: i32 = 8;
/// The part of a window beside each corner that its shadow shows in, px: no round corner is larger.
const UNDER_CORNER_PX: i32 = 24;
/// Bits behind the point of a coverage while it is blurred.
const FINE_BITS: u32 = 7;

/// What casts a shadow: the boxes of a window in its picture.
pub(super) struct Caster<'a> {
    pub(super) frame: Rect,
    pub(super) popups: &'a [Rect],
    pub(super) snap: SnapState,
}

impl Caster<'_> {
    /// The box of the shadow, in px of the window's picture.
    pub(super) fn extent(&self, shadow: Shadow) -> Rect {
        self.parts(shadow).map(|(_, extent, _)| extent).reduce(Rect::union).expect("a frame is one of them")
    }

    /// Every box that casts a shadow, where that lies, and how it is drawn: menus float lower than windows.
    fn parts(&self, shadow: Shadow) -> impl Iterator<Item = (Rect, Rect, Shadow)> {
        let halved = |p: Point| Point { x: p.x / 2, y: p.y / 2 };
        let of_popup = Shadow { offset: halved(shadow.offset), blur_px: shadow.blur_px.div_ceil(2), opacity: shadow.opacity };
        let docked = self.snap.docked_sides();
        let popups = self.popups.iter().map(move |&own| (own, around(own, of_popup, [false; 4]), of_popup));
        std::iter::once((self.frame, around(self.frame, shadow, docked), shadow)).chain(popups)
    }

    /// The shadow as straight RGBA, black, in the size of its extent.
    pub(super) fn paint(&self, shadow: Shadow, blurs: &BlurCache) -> Vec<u8> {
        let extent = self.extent(shadow);
        let width = extent.width() as usize;
        let mut rgba = vec![0_u8; extent.area() as usize * 4];
        let pixels = rgba.as_chunks_mut::<4>().0;
        for (own, part, shadow) in self.parts(shadow) {
            let profile = Blurred::new(own.size(), shadow, blurs);
            let place = own.origin() + shadow.offset;
            let (mut added, mut last) = (vec![0; part.width() as usize], None);
            for y in part.y0()..part.y1() {
                let number = profile.row_number(y - place.y);
                if last.replace(number) != Some(number) {
                    profile.row(number, part.x0() - place.x, &mut added);
                }
                let row = &mut pixels[(y - extent.y0()) as usize * width..][(part.x0() - extent.x0()) as usize..];
                // What is cleared below need not be painted.
                let under = if (own.y0()..own.y1()).contains(&y) { under(own, y) } else { part.x1()..part.x1() };
                for columns in [part.x0()..under.start, under.end..part.x1()] {
                    let columns = (columns.start - part.x0()) as usize..(columns.end - part.x0()) as usize;
                    for ([.., alpha], &added) in row[columns.clone()].iter_mut().zip(&added[columns]) {
                        *alpha = (255 - (255 - u32::from(*alpha)) * (255 - u32::from(added)) / 255) as u8;
                    }
                }
            }
        }
        // Nothing shows under a window but at its corners, nor through one that is translucent.
        for &own in std::iter::once(&self.frame).chain(self.popups) {
            for y in own.y0()..own.y1() {
                let columns = under(own, y);
                let row = &mut pixels[(y - extent.y0()) as usize * width..][..width];
                row[(columns.start - extent.x0()) as usize..(columns.end - extent.x0()) as usize].fill([0; 4]);
            }
        }
        rgba
    }
}

/// The columns of a row of a box under which no shadow shows.
fn under(own: Rect, y: i32) -> Range<i32> {
    let beside = (y - own.y0()).min(own.y1() - 1 - y) < UNDER_CORNER_PX;
    let inset = if beside { UNDER_CORNER_PX.min(own.width() / 2) } else { 0 };
    own.x0() + inset..own.x1() - inset
}

/// The box that a shadow falls on, together with what casts it. Beyond a docked side there is none.
fn around(own: Rect, shadow: Shadow, docked: [bool; 4]) -> Rect {
    let Shadow { offset, blur_px, .. } = shadow;
    let blur = blur_px as i32;
    let free = |docked: bool, by: i32| if docked { 0 } else { by.max(0) };
    let [left, top, right, bottom] = docked;
    Rect::new(
        own.x0() - free(left, blur - offset.x),
        own.y0() - free(top, blur - offset.y),
        own.x1() + free(right, blur + offset.x),
        own.y1() + free(bottom, blur + offset.y),
    )
    .expect("a box of a picture, a little larger")
}

/// Quarters that were blurred before. All windows whose opposite sides are not near share one.
#[derive(Debug)]
pub(super) struct BlurCache(Cache<(Size, u32, u8), Arc<Quarter>>);

/// About as many as windows and menus of all sessions need.
const KEPT_QUARTERS: usize = 256;

impl Default for BlurCache {
    fn default() -> Self {
        Self(Cache::new(KEPT_QUARTERS))
    }
}

impl BlurCache {
    fn quarter(&self, size: Size, shadow: Shadow) -> Arc<Quarter> {
        // Whatever lies farther inside has no share in the part that is computed.
        let far = 2 * (alike_from(shadow.blur_px as i32) + shadow.blur_px as i32 + 1) as u32;
        let size = Size { width: size.width.min(far), height: size.height.min(far) };
        let key = (size, shadow.blur_px, shadow.opacity);
        let made: Result<_, Infallible> = self.0.get_or_insert_with(&key, || Ok(Arc::new(Quarter::new(size, shadow))));
        made.unwrap_or_else(|never| match never {})
    }
}

/// From so many px inside of a corner on, all is alike, unless the opposite side is near: what lies farther inside than
/// the blur and the round corner.
fn alike_from(blur: i32) -> i32 {
    2 * blur + CORNER_PX + 1
}

/// A rectangle with round corners, blurred.
struct Blurred {
    size: Size,
    blur: i32,
    /// The others are its mirrors.
    quarter: Arc<Quarter>,
}

/// A quarter of a blurred rectangle.
#[derive(Debug)]
struct Quarter {
    /// Columns and rows that were computed, from the corner of the blur on; behind them nothing changes.
    columns: i32,
    rows: i32,
    alphas: Vec<u8>,
}

impl Quarter {
    fn new(size: Size, shadow: Shadow) -> Self {
        let blur = shadow.blur_px as i32;
        let part = |length: u32| ((length as i32 + 1) / 2 + blur).min(alike_from(blur) + blur);
        let kept_columns = part(size.width);
        let kept_rows = part(size.height);
        let (columns, rows) = (kept_columns + blur, kept_rows + blur);
        let mut field: Vec<u32> = (0..rows)
            .flat_map(|y| (0..columns).map(move |x| Point { x: x - blur, y: y - blur }))
            .map(|p| coverage(size, p) << FINE_BITS)
            .collect();
        for radius in radii(blur) {
            blur_rows(&mut field, columns as usize, radius as usize);
            field = turned(&field, columns as usize);
            blur_rows(&mut field, rows as usize, radius as usize);
            field = turned(&field, rows as usize);
        }
        let opacity = u32::from(shadow.opacity);
        let alpha = |fine: u32| ((fine * opacity / 255) >> FINE_BITS).min(255) as u8;
        let kept = |y: i32| field[(y * columns) as usize..][..kept_columns as usize].iter().map(|&fine| alpha(fine));
        let alphas = (0..kept_rows).flat_map(kept).collect();
        Self { columns: kept_columns, rows: kept_rows, alphas }
    }
}

impl Blurred {
    fn new(size: Size, shadow: Shadow, blurs: &BlurCache) -> Self {
        Self { size, blur: shadow.blur_px as i32, quarter: blurs.quarter(size, shadow) }
    }

    /// Which row of alphas lies `y` below the rectangle's top; null where there is nothing.
    fn row_number(&self, y: i32) -> Option<usize> {
        usize::try_from(self.depth(y, self.size.height).min(self.quarter.rows - 1)).ok()
    }

    /// A row of alphas, from `x` right of the rectangle's left side on.
    fn row(&self, number: Option<usize>, x: i32, alphas: &mut [u8]) {
        let Some(number) = number else { return alphas.fill(0) };
        let columns = self.quarter.columns as usize;
        let row = &self.quarter.alphas[number * columns..][..columns];
        for (x, alpha) in (x..).zip(alphas) {
            let column = usize::try_from(self.depth(x, self.size.width).min(columns as i32 - 1));
            *alpha = column.map_or(0, |column| row[column]);
        }
    }

    /// How far a place lies inside of the nearer edge of the blur.
    fn depth(&self, at: i32, length: u32) -> i32 {
        at.min(length as i32 - 1 - at) + self.blur
    }
}

/// Three boxes as wide as this one after the other are next to a bell curve, and reach exactly `blur` px.
fn radii(blur: i32) -> [i32; 3] {
    [(blur + 2) / 3, (blur + 1) / 3, blur / 3]
}

/// How much of a pixel a rectangle with round corners covers, 0 to 255, in sixteenths of a pixel each way.
fn coverage(size: Size, p: Point) -> u32 {
    if !size.rect().contains(p) {
        return 0;
    }
    let radius = CORNER_PX.min(size.width as i32 / 2).min(size.height as i32 / 2);
    let (x, y) = (p.x.min(size.width as i32 - 1 - p.x), p.y.min(size.height as i32 - 1 - p.y));
    if x >= radius || y >= radius {
        return 255;
    }
    const PARTS: i32 = 4;
    let inside = (0..PARTS * PARTS).filter(|part| {
        let off = |at: i32, part: i32| (radius - at) * PARTS * 2 - part * 2 - 1;
        let (dx, dy) = (off(x, part % PARTS), off(y, part / PARTS));
        dx * dx + dy * dy <= (radius * PARTS * 2).pow(2)
    });
    inside.count() as u32 * 255 / (PARTS * PARTS) as u32
}

/// A running mean over `2 * radius + 1` columns; the last column goes on, before the first there is nothing.
fn blur_rows(field: &mut [u32], width: usize, radius: usize) {
    let across = 2 * radius as u32 + 1;
    let mut sums = vec![0_u32; width];
    for row in field.chunks_exact_mut(width) {
        let value = |at: isize| if at < 0 { 0 } else { row[(at as usize).min(width - 1)] };
        let mut sum: u32 = (-(radius as isize)..=radius as isize).map(value).sum();
        for (x, out) in sums.iter_mut().enumerate() {
            *out = sum / across;
            sum = sum + value(x as isize + radius as isize + 1) - value(x as isize - radius as isize);
        }
        row.copy_from_slice(&sums);
    }
}

/// Columns as rows.
fn turned(field: &[u32], width: usize) -> Vec<u32> {
    (0..width).flat_map(|x| field.iter().skip(x).step_by(width).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shadow(blur_px: u32, opacity: u8) -> Shadow {
        Shadow { offset: Point { x: 2, y: 5 }, blur_px, opacity }
    }

    /// The same blur over all of a rectangle with room around it, pixel by pixel.
    fn naive(size: Size, shadow: Shadow) -> (i32, Vec<u32>) {
        let blur = shadow.blur_px as i32;
        let (width, height) = (size.width as i32 + 2 * blur, size.height as i32 + 2 * blur);
        let all = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let mut field: Vec<u32> = all().map(|(x, y)| coverage(size, Point { x: x - blur, y: y - blur }) << FINE_BITS).collect();
        for radius in radii(blur) {
            for (dx, dy) in [(1, 0), (0, 1)] {
                let value = |x: i32, y: i32| {
                    if (0..width).contains(&x) && (0..height).contains(&y) { field[(y * width + x) as usize] } else { 0 }
                };
                let mean = |(x, y): (i32, i32)| {
                    (-radius..=radius).map(|by| value(x + by * dx, y + by * dy)).sum::<u32>() / (2 * radius as u32 + 1)
                };
                field = all().map(mean).collect();
            }
        }
        (width, field.into_iter().map(|fine| (fine * u32::from(shadow.opacity) / 255) >> FINE_BITS).collect())
    }

    #[test]
    fn a_blur_put_together_of_its_corner_is_that_of_the_whole() {
        let blurs = BlurCache::default();
        for (width, height) in [(120, 90), (31, 200), (9, 7), (64, 17), (300, 64), (118, 301)] {
            for blur in [0, 1, 2, 9, 16] {
                let (size, shadow) = (Size { width, height }, shadow(blur, 110));
                let ((across, expected), found) = (naive(size, shadow), Blurred::new(size, shadow, &blurs));
                let blur = blur as i32;
                for (y, expected) in (-blur..).zip(expected.chunks_exact(across as usize)) {
                    // A column more at each side, where nothing is.
                    let mut row = vec![1; expected.len() + 2];
                    found.row(found.row_number(y), -blur - 1, &mut row);
                    let row: Vec<u32> = row.into_iter().map(u32::from).collect();
                    assert_eq!(row, [&[0], expected, &[0]].concat(), "{width}x{height}, blur {blur}: row {y}");
                }
            }
        }
    }

    #[test]
    fn shadows_fade_outwards_and_end_at_docked_sides() {
        let frame = Rect::at(0, 0, 200, 150);
        let floating = Caster { frame, popups: &[], snap: SnapState::Floating };
        let rule = shadow(20, 110);
        assert_eq!(floating.extent(rule), Rect::new(-18, -15, 222, 175).unwrap());
        let docked = Caster { frame, popups: &[], snap: SnapState::LeftHalf };
        assert_eq!(docked.extent(rule), Rect::new(0, 0, 222, 150).unwrap());
        let (extent, rgba) = (floating.extent(rule), floating.paint(rule, &BlurCache::default()));
        let alpha = |x: i32, y: i32| rgba[((y - extent.y0()) * extent.width() + x - extent.x0()) as usize * 4 + 3];
        let below: Vec<u8> = (150..175).map(|y| alpha(100, y)).collect();
        assert!(below.is_sorted_by(|a, b| a >= b) && below[0] > 60 && below[24] < 3, "{below:?}");
        assert!(alpha(1, 1) > 0 && alpha(100, 75) == 0 && alpha(100, 1) == 0, "only corners show what is below a window");
        assert!(rgba.as_chunks::<4>().0.iter().all(|pixel| pixel[..3] == [0; 3]));
    }

    #[test]
    fn menus_cast_a_smaller_shadow_of_the_same_rule() {
        let (frame, popups) = (Rect::at(0, 0, 200, 150), [Rect::at(20, 140, 60, 100)]);
        let with_menu = Caster { frame, popups: &popups, snap: SnapState::Floating };
        let rule = shadow(20, 110);
        let extent = with_menu.extent(rule);
        assert_eq!(extent, Rect::new(-18, -15, 222, 252).unwrap());
        let rgba = with_menu.paint(rule, &BlurCache::default());
        let alpha = |x: i32, y: i32| rgba[((y - extent.y0()) * extent.width() + x - extent.x0()) as usize * 4 + 3];
        assert!(alpha(50, 241) > 30 && alpha(50, 200) == 0 && alpha(150, 241) == 0);
    }
}
