//! From an icon and its look to pixels: the drawing at the wanted size, on its tile, turned. Boxes are counted on the
//! result.
//!
//! Nothing here knows where an icon lies or what is under it.

use std::convert::Infallible;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use resvg::tiny_skia::{Color, FillRule, FilterQuality, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Transform};

use windesk_model::geometry::Rect;
use windesk_model::icon_probe::Tile;

use super::library::{Artwork, IconSet};
use crate::drawing::straight;
use crate::render::rounded_path;

/// Alpha from which on a pixel belongs to an icon, as everywhere in windesk.
pub(super) const SOLID_ALPHA: u8 = 128;

/// Side of the drawing on a tile as thousandths of the tile's.
fn artwork_thousandths(tile: Tile) -> u32 {
    match tile {
        Tile::None => 1000,
        Tile::Rounded => 680,
        Tile::Circle => 620,
    }
}

/// How an icon is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct IconAppearance {
    /// Side of the square that holds it before it is turned, px.
    pub size_px: u32,
    /// What it lies on.
    pub tile: Tile,
    /// Colour of the tile.
    pub tile_rgb: [u8; 3],
    /// Colour of a drawing in one colour; black if none is given.
    pub tint: Option<[u8; 3]>,
    /// Degrees clockwise.
    pub turn_deg: i32,
}

/// Side of the square that holds an icon of this size however it is turned, px.
pub(super) fn footprint_px(size_px: u32, turned: bool) -> u32 {
    // The diagonal, plus a pixel for smooth edges. Of the size's own parity, so that both squares have the same middle.
    if turned { size_px + 2 * (size_px * 4143).div_ceil(20_000) + 2 } else { size_px }
}

/// An icon's pixels.
#[derive(Clone, Debug)]
pub(super) struct Sprite {
    /// Side of the square picture, px.
    pub side: i32,
    /// Straight colour and alpha, row by row.
    pub rgba: Vec<[u8; 4]>,
    /// Box of the solid pixels; none for an empty picture.
    pub tight: Option<Rect>,
    /// Box of all pixels that show anything.
    pub extent: Option<Rect>,
}

impl Sprite {
    /// Number of solid pixels.
    pub(super) fn solid_px(&self) -> u64 {
        self.rgba.iter().filter(|p| p[3] >= SOLID_ALPHA).count() as u64
    }

    fn new(pixmap: &Pixmap) -> Self {
        let side = pixmap.width() as i32;
        let rgba = straight(pixmap);
        let boxed = |min: u8| {
            let mut found: Option<Rect> = None;
            for (y, row) in rgba.chunks_exact(side as usize).enumerate() {
                let first = row.iter().position(|p| p[3] >= min);
                let last = row.iter().rposition(|p| p[3] >= min);
                if let (Some(a), Some(b)) = (first, last) {
                    let row = Rect::at(a as i32, y as i32, (b - a) as i32 + 1, 1);
                    found = Some(found.map_or(row, |f| f.union(row)));
                }
            }
            found
        };
        Self { side, tight: boxed(SOLID_ALPHA), extent: boxed(1), rgba }
    }
}

/// Draws icons and keeps what was drawn.
#[derive(Debug)]
pub(super) struct Rasteriser {
    sprites: Cache<SpriteKey, Arc<Sprite>, SpriteBytes>,
}

/// An icon of the set, and how it is drawn.
type SpriteKey = (usize, IconAppearance);

/// Bytes of sprites kept.
const MAX_SPRITE_BYTES: u64 = 128 << 20;
/// How many large sprites these are.
const LARGE_SPRITES: usize = 1024;

#[derive(Clone, Debug)]
struct SpriteBytes;

impl Weighter<SpriteKey, Arc<Sprite>> for SpriteBytes {
    fn weight(&self, _: &SpriteKey, sprite: &Arc<Sprite>) -> u64 {
        sprite.rgba.as_flattened().len() as u64
    }
}

impl Default for Rasteriser {
    fn default() -> Self {
        Self { sprites: Cache::with_weighter(LARGE_SPRITES, MAX_SPRITE_BYTES, SpriteBytes) }
    }
}

impl Rasteriser {
    /// An icon of the set, drawn in this look.
    pub(super) fn sprite(&self, set: &IconSet, icon: usize, look: IconAppearance) -> Arc<Sprite> {
        let record = &set.icons[icon];
        let paint = || Ok::<_, Infallible>(Arc::new(Self::paint(&record.artwork, record.one_colour, look)));
        let Ok(sprite) = self.sprites.get_or_insert_with(&(icon, look), paint);
        sprite
    }

    /// Draws a drawing.
    pub(super) fn paint(artwork: &Artwork, one_colour: bool, look: IconAppearance) -> Sprite {
        let size = look.size_px;
        let inner = (size * artwork_thousandths(look.tile) / 1000).max(1);
        let mut picture = fitted(artwork, inner);
        if one_colour {
            tint(&mut picture, look.tint.unwrap_or([0; 3]));
        }
        let offset = ((size - inner) / 2) as i32;
        let mut whole = Pixmap::new(size, size).expect("icons have a size");
        if let Some(path) = tile_path(look.tile, size as f32) {
            let mut paint = Paint { anti_alias: true, ..Paint::default() };
            let [r, g, b] = look.tile_rgb;
            paint.set_color(Color::from_rgba8(r, g, b, 255));
            whole.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
        }
        whole.draw_pixmap(offset, offset, picture.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
        if look.turn_deg == 0 {
            return Sprite::new(&whole);
        }
        let side = footprint_px(size, true);
        let margin = ((side - size) / 2) as f32;
        let middle = side as f32 / 2.0;
        let mut turned = Pixmap::new(side, side).expect("icons have a size");
        let turn = Transform::from_rotate_at(look.turn_deg as f32, middle, middle).pre_translate(margin, margin);
        let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
        turned.draw_pixmap(0, 0, whole.as_ref(), &paint, turn, None);
        Sprite::new(&turned)
    }
}

/// The drawing in a square of `side` px, as large as fits, in the middle.
fn fitted(artwork: &Artwork, side: u32) -> Pixmap {
    let mut out = Pixmap::new(side, side).expect("icons have a size");
    match artwork {
        Artwork::Svg(tree) => {
            let size = tree.size();
            let scale = side as f32 / size.width().max(size.height());
            let offset = |length: f32| (side as f32 - length * scale) / 2.0;
            let transform = Transform::from_scale(scale, scale).post_translate(offset(size.width()), offset(size.height()));
            resvg::render(tree, transform, &mut out.as_mut());
        }
        Artwork::Picture(picture) => {
            let largest = picture.width().max(picture.height());
            let scaled = |length: u32| (u64::from(length) * u64::from(side) / u64::from(largest)).max(1) as u32;
            let (width, height) = (scaled(picture.width()), scaled(picture.height()));
            // Premultiplied, so that colours of transparent pixels do not bleed in.
            let from = image::RgbaImage::from_raw(picture.width(), picture.height(), picture.data().to_vec())
                .expect("four bytes per pixel");
            let small = image::imageops::resize(&from, width, height, image::imageops::FilterType::Triangle);
            let mut pixmap = Pixmap::new(width, height).expect("at least one pixel");
            for (to, from) in pixmap.data_mut().chunks_exact_mut(4).zip(small.pixels()) {
                let [r, g, b, a] = from.0;
                to.copy_from_slice(&[r.min(a), g.min(a), b.min(a), a]);
            }
            let place = |length: u32| ((side - length) / 2) as i32;
            out.draw_pixmap(place(width), place(height), pixmap.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
        }
    }
    out
}

/// Paints every pixel in one colour, keeping how much it covers.
fn tint(picture: &mut Pixmap, [r, g, b]: [u8; 3]) {
    for pixel in picture.data_mut().chunks_exact_mut(4) {
        let alpha = u32::from(pixel[3]);
        let scaled = |v: u8| ((u32::from(v) * alpha + 127) / 255) as u8;
        pixel[..3].copy_from_slice(&[scaled(r), scaled(g), scaled(b)]);
    }
}

fn tile_path(tile: Tile, side: f32) -> Option<Path> {
    match tile {
        Tile::None => None,
        Tile::Circle => PathBuilder::from_circle(side / 2.0, side / 2.0, side / 2.0),
        Tile::Rounded => rounded_path(side, side, side * 0.22),
    }
}
