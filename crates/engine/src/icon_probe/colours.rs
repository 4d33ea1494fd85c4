//! Colours for icons: of tiles and of drawings in one colour, so that each icon stands out from the ground that it lies
//! on.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_model::geometry::{Point, Size};
use windesk_model::icon_probe::Tile;
use windesk_model::key::Stream;

use super::assets::ProbeAssets;
use super::contrast::{self, luminance, ratio};
use super::raster::IconAppearance;
use super::view::View;
use crate::render::Frame;

/// Colours of an icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Colours {
    /// Of the tile; black where there is none.
    pub tile: [u8; 3],
    /// Of a drawing in one colour; null for one in its own colours.
    pub drawing: Option<[u8; 3]>,
}

const WHITE: [u8; 3] = [255, 255, 255];
const INK: [u8; 3] = [22, 24, 29];

/// Tiles under drawings in one colour.
const TILES: [[u8; 3]; 12] = [
    [238, 240, 244],
    [38, 42, 51],
    [37, 99, 235],
    [8, 145, 178],
    [21, 128, 61],
    [101, 163, 13],
    [250, 204, 21],
    [234, 88, 12],
    [220, 38, 38],
    [219, 39, 119],
    [124, 58, 237],
    [92, 64, 51],
];

/// Tiles under drawings in several colours.
const QUIET_TILES: [[u8; 3]; 3] = [[247, 248, 250], [203, 209, 219], [38, 42, 51]];

/// How far above the contrast asked for an icon may be, in percent: steps of grey and the ground's own texture leave
/// that much.
const EXCESS_PERCENT: u32 = 130;

/// Colours for an icon in all views. The same in all of them, unless a condition asks for a contrast of its own. `None`
/// if nothing reaches the least contrast in every view. With `like`, only colours that don't tell the icon from one in
/// those.
pub(super) fn colours(
    assets: &ProbeAssets,
    icon: usize,
    views: &[&View],
    like: Option<Colours>,
    stream: &mut Stream,
) -> Option<Vec<Colours>> {
    let record = &assets.set.icons[icon];
    let darker_first = stream.chance(500);
    let first_tile = stream.below(TILES.len());
    if record.one_colour && views.iter().any(|v| v.condition.contrast_milli.is_some()) {
        return [darker_first, !darker_first].into_iter().find_map(|darker| {
            views
                .iter()
                .map(|view| grey_of_contrast(assets, icon, view, darker).map(|g| Colours { tile: [0; 3], drawing: Some([g; 3]) }))
                .collect()
        });
    }
    let tiled = views.iter().any(|v| assets.tile(v.condition, icon) != Tile::None);
    let mut options: Vec<Colours> = match (tiled, record.one_colour) {
        (true, true) => (0..TILES.len()).map(|step| on_tile(TILES[(first_tile + step * 5) % TILES.len()])).collect(),
        (true, false) => {
            quiet_tiles(assets, icon, views[0].size_px).into_iter().map(|tile| Colours { tile, drawing: None }).collect()
        }
        (false, true) => vec![Colours { tile: [0; 3], drawing: Some(WHITE) }, Colours { tile: [0; 3], drawing: Some(INK) }],
        (false, false) => vec![Colours { tile: [0; 3], drawing: None }],
    };
    if let Some(like) = like {
        let same_drawing = |own: Option<[u8; 3]>| own == like.drawing || own.is_none() || like.drawing.is_none();
        options.retain(|own| own.tile == like.tile && same_drawing(own.drawing));
    }
    let reaches = |colours: &Colours| {
        views.iter().all(|view| contrast_of(assets, icon, view, *colours) >= view.condition.contrast_min_milli)
    };
    let of_all = |colours: Colours| vec![colours; views.len()];
    if tiled || !record.one_colour {
        return options.into_iter().find(reaches).map(of_all);
    }
    // Of white and ink the one whose least distinct view is farther above what its condition asks for, in thousandths.
    let margin = |colours: &Colours| {
        let margins =
            views.iter().map(|view| contrast_of(assets, icon, view, *colours) * 1000 / view.condition.contrast_min_milli);
        margins.min().unwrap_or(0)
    };
    let rated = options.into_iter().map(|colours| (margin(&colours), colours));
    rated.max_by_key(|&(margin, _)| margin).filter(|&(margin, _)| margin >= 1000).map(|(_, colours)| of_all(colours))
}

/// A tile with a drawing in white or ink, whichever stands out more.
fn on_tile(tile: [u8; 3]) -> Colours {
    let contrast = |artwork: [u8; 3]| ratio(luminance(tile), luminance(artwork));
    Colours { tile, drawing: Some(if contrast(WHITE) * 10 >= contrast(INK) * 7 { WHITE } else { INK }) }
}

fn contrast_of(assets: &ProbeAssets, icon: usize, view: &View, colours: Colours) -> u32 {
    let look = IconAppearance {
        size_px: view.size_px,
        tile: assets.tile(view.condition, icon),
        tile_rgb: colours.tile,
        tint: colours.drawing,
        turn_deg: view.turn_deg,
    };
    let sprite = assets.rasteriser.sprite(&assets.set, icon, look);
    contrast::against(&view.ground.frame, &sprite, view.origin(), view.opacity_percent, None)
}

/// Tiles under a drawing in several colours, the one that it stands out from most first.
fn quiet_tiles(assets: &ProbeAssets, icon: usize, size_px: u32) -> Vec<[u8; 3]> {
    let look = IconAppearance { size_px, tile: Tile::None, tile_rgb: [0; 3], tint: None, turn_deg: 0 };
    let sprite = assets.rasteriser.sprite(&assets.set, icon, look);
    let size = Size { width: size_px, height: size_px };
    let mut tiles = QUIET_TILES.to_vec();
    tiles.sort_by_cached_key(|tile| {
        let plain = Frame { size, rgb: tile.repeat((size_px * size_px) as usize) };
        std::cmp::Reverse(contrast::against(&plain, &sprite, Point { x: 0, y: 0 }, 100, None))
    });
    tiles
}

/// The grey nearest to the ground that has the contrast that the view's condition asks for.
fn grey_of_contrast(assets: &ProbeAssets, icon: usize, view: &View, darker: bool) -> Option<u8> {
    let look = IconAppearance { size_px: view.size_px, tile: Tile::None, tile_rgb: [0; 3], tint: None, turn_deg: view.turn_deg };
    let wanted =
        view.condition.contrast_milli.unwrap_or(view.condition.contrast_min_milli).max(view.condition.contrast_min_milli);
    let sprite = assets.rasteriser.sprite(&assets.set, icon, look);
    let contrast =
        |grey: u8| contrast::against(&view.ground.frame, &sprite, view.origin(), view.opacity_percent, Some([grey; 3]));
    let own = assets.mean_luminance(view.ground, &sprite, view.origin());
    let farther = |grey: u8| if darker { luminance([grey; 3]) <= own } else { luminance([grey; 3]) >= own };
    let reaches = |grey: u8| farther(grey) && contrast(grey) >= wanted;
    // From the ground's own lightness outwards contrast only grows.
    let steps: Vec<u8> = if darker { (0..=255).rev().collect() } else { (0..=255).collect() };
    let grey = *steps.get(steps.partition_point(|&grey| !reaches(grey)))?;
    (contrast(grey) * 100 <= wanted * EXCESS_PERCENT).then_some(grey)
}
