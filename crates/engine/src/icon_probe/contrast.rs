//! How much icons stand out from what lies under them: WCAG contrast ratios in integers, so that no rounding of a
//! platform decides.

use windesk_model::geometry::Point;

use super::raster::{SOLID_ALPHA, Sprite};
use crate::render::{Frame, over};

/// A contrast ratio in thousandths: 1000 is none, 21,000 is black on white.
pub(super) type Milliratio = u32;

/// Linear light of an sRGB byte, 65,535 for white (WCAG 2.2, relative luminance).
#[rustfmt::skip]
const LINEAR: [u32; 256] = [
    0, 20, 40, 60, 80, 99, 119, 139, 159, 179, 199, 219, 241, 264, 288, 313,
    340, 367, 396, 427, 458, 491, 526, 562, 599, 637, 677, 718, 761, 805, 851, 898,
    947, 997, 1048, 1101, 1156, 1212, 1270, 1330, 1391, 1453, 1517, 1583, 1651, 1720, 1790, 1863,
    1937, 2013, 2090, 2170, 2250, 2333, 2418, 2504, 2592, 2681, 2773, 2866, 2961, 3058, 3157, 3258,
    3360, 3464, 3570, 3678, 3788, 3900, 4014, 4129, 4247, 4366, 4488, 4611, 4736, 4864, 4993, 5124,
    5257, 5392, 5530, 5669, 5810, 5953, 6099, 6246, 6395, 6547, 6700, 6856, 7014, 7174, 7335, 7500,
    7666, 7834, 8004, 8177, 8352, 8528, 8708, 8889, 9072, 9258, 9445, 9635, 9828, 10_022, 10_219, 10_417,
    10_619, 10_822, 11_028, 11_235, 11_446, 11_658, 11_873, 12_090, 12_309, 12_530, 12_754, 12_980, 13_209, 13_440, 13_673, 13_909,
    14_146, 14_387, 14_629, 14_874, 15_122, 15_371, 15_623, 15_878, 16_135, 16_394, 16_656, 16_920, 17_187, 17_456, 17_727, 18_001,
    18_277, 18_556, 18_837, 19_121, 19_407, 19_696, 19_987, 20_281, 20_577, 20_876, 21_177, 21_481, 21_787, 22_096, 22_407, 22_721,
    23_038, 23_357, 23_678, 24_002, 24_329, 24_658, 24_990, 25_325, 25_662, 26_001, 26_344, 26_688, 27_036, 27_386, 27_739, 28_094,
    28_452, 28_813, 29_176, 29_542, 29_911, 30_282, 30_656, 31_033, 31_412, 31_794, 32_179, 32_567, 32_957, 33_350, 33_745, 34_143,
    34_544, 34_948, 35_355, 35_764, 36_176, 36_591, 37_008, 37_429, 37_852, 38_278, 38_706, 39_138, 39_572, 40_009, 40_449, 40_891,
    41_337, 41_785, 42_236, 42_690, 43_147, 43_606, 44_069, 44_534, 45_002, 45_473, 45_947, 46_423, 46_903, 47_385, 47_871, 48_359,
    48_850, 49_344, 49_841, 50_341, 50_844, 51_349, 51_858, 52_369, 52_884, 53_401, 53_921, 54_445, 54_971, 55_500, 56_032, 56_567,
    57_105, 57_646, 58_190, 58_737, 59_287, 59_840, 60_396, 60_955, 61_517, 62_082, 62_650, 63_221, 63_795, 64_372, 64_952, 65_535,
];

/// 0.05 of white: the ambient light in WCAG's formula.
const AMBIENT: u32 = 3277;

/// What a byte of red, green or blue adds to a colour's luminance, in ten-thousandths.
static SHARES: [[u32; 256]; 3] = [shares(2126), shares(7152), shares(722)];

const fn shares(weight: u32) -> [u32; 256] {
    let mut shares = LINEAR;
    let mut byte = 0;
    while byte < shares.len() {
        shares[byte] *= weight;
        byte += 1;
    }
    shares
}

/// Relative luminance of a colour, 0..=65,535.
pub(super) fn luminance([r, g, b]: [u8; 3]) -> u32 {
    let [red, green, blue] = &SHARES;
    (red[usize::from(r)] + green[usize::from(g)] + blue[usize::from(b)]) / 10_000
}

/// Contrast of two luminances.
pub(super) fn ratio(a: u32, b: u32) -> Milliratio {
    (a.max(b) + AMBIENT) * 1000 / (a.min(b) + AMBIENT)
}

/// The contrast between the lightest and the darkest fiftieth of the pixels of a picture (straight RGBA): how far what
/// is drawn stands out from what it is drawn on. 1000 for a picture of one colour, or without pixels.
pub fn contrast_within(rgba: &[u8]) -> u32 {
    /// Pixels that are looked at; of larger pictures, evenly spread ones.
    const MAX_PIXELS: usize = 16_384;
    let pixels = rgba.as_chunks::<4>().0;
    let stride = pixels.len().div_ceil(MAX_PIXELS).max(1);
    let mut lights: Vec<u32> = pixels.iter().step_by(stride).map(|&[r, g, b, _]| luminance([r, g, b])).collect();
    if lights.is_empty() {
        return 1000;
    }
    lights.sort_unstable();
    let at = lights.len() / 50;
    ratio(lights[at], lights[lights.len() - 1 - at])
}

/// The median contrast over an icon's solid pixels, each against the pixel of the ground that it covers: half of the
/// icon stands out at least that much. `origin` is the top left of the sprite on the ground. 0 for an icon without
/// solid pixels on the ground. With a `paint` all of the icon has that colour.
pub(super) fn against(
    ground: &Frame,
    sprite: &Sprite,
    origin: Point,
    opacity_percent: u32,
    paint: Option<[u8; 3]>,
) -> Milliratio {
    let width = ground.size.width as usize;
    // Columns of the sprite that lie on the ground.
    let first = (-origin.x).clamp(0, sprite.side) as usize;
    let end = (width as i32 - origin.x).clamp(first as i32, sprite.side) as usize;
    if first == end {
        return 0;
    }
    let mut ratios = Vec::with_capacity(sprite.rgba.len());
    for (dy, row) in sprite.rgba.chunks_exact(sprite.side as usize).enumerate() {
        let y = origin.y + dy as i32;
        if y < 0 || y >= ground.size.height as i32 {
            continue;
        }
        let start = y as usize * width + (origin.x + first as i32) as usize;
        let covered = &ground.rgb.as_chunks::<3>().0[start..][..end - first];
        for (&[r, g, b, alpha], &below) in row[first..end].iter().zip(covered) {
            if alpha < SOLID_ALPHA {
                continue;
            }
            let [r, g, b] = paint.unwrap_or([r, g, b]);
            let alpha = faded(alpha, opacity_percent);
            let above = [over(below[0], r, alpha), over(below[1], g, alpha), over(below[2], b, alpha)];
            ratios.push(ratio(luminance(above), luminance(below)));
        }
    }
    if ratios.is_empty() {
        return 0;
    }
    let middle = ratios.len() / 2;
    *ratios.select_nth_unstable(middle).1
}

/// An alpha at an opacity.
pub(super) fn faded(alpha: u8, opacity_percent: u32) -> u8 {
    ((u32::from(alpha) * opacity_percent + 50) / 100) as u8
}
