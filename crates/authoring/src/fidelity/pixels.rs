//! How far two pictures of one size differ.

use serde::Serialize;

use windesk_engine::render::Frame;
use windesk_model::geometry::{Point, Rect};

/// Differences between pixels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PixelReport {
    /// Share of pixels that are the same in all channels, 0..=1.
    pub identical: f64,
    /// Share of pixels that differ by at most two levels in every channel, 0..=1: what rounding alone may do.
    pub within_two: f64,
    /// Peak signal-to-noise ratio over all channels, dB; null if nothing differs.
    pub psnr_db: Option<f64>,
    /// Mean structural similarity of lightness over windows of 8x8 px, every 4 px (Wang et al. 2004), -1..=1.
    pub ssim: f64,
    /// The largest difference of a channel, 0..=255.
    pub largest: u8,
    /// The first pixel that has it.
    pub largest_at: Option<Point>,
}

/// Side of a window of structural similarity, and the distance from one to the next, px.
const WINDOW: usize = 8;
const STEP: usize = 4;

/// Compares two pictures. Pixels in `moving` count for nothing.
///
/// # Panics
/// If the sizes differ.
pub fn compare_pixels(real: &Frame, made: &Frame, moving: Option<Rect>) -> PixelReport {
    assert_eq!(real.size, made.size, "pictures of one size");
    let width = real.size.width as usize;
    let (mut counted, mut identical, mut within_two, mut squares) = (0_u64, 0_u64, 0_u64, 0_u64);
    let (mut largest, mut largest_at) = (0, None);
    let pairs = real.rgb.as_chunks::<3>().0.iter().zip(made.rgb.as_chunks::<3>().0);
    for (at, (a, b)) in pairs.enumerate() {
        let p = Point { x: (at % width) as i32, y: (at / width) as i32 };
        if moving.is_some_and(|moving| moving.contains(p)) {
            continue;
        }
        let differences = [0, 1, 2].map(|channel| a[channel].abs_diff(b[channel]));
        let most = *differences.iter().max().expect("three channels");
        counted += 1;
        identical += u64::from(most == 0);
        within_two += u64::from(most <= 2);
        squares += differences.iter().map(|&d| u64::from(d).pow(2)).sum::<u64>();
        if most > largest {
            (largest, largest_at) = (most, Some(p));
        }
    }
    let share = |count: u64| count as f64 / counted.max(1) as f64;
    PixelReport {
        identical: share(identical),
        within_two: share(within_two),
        psnr_db: (squares > 0).then(|| decibels(squares as f64 / (counted * 3) as f64)),
        ssim: ssim(real, made, moving),
        largest,
        largest_at,
    }
}

#[allow(clippy::disallowed_methods, reason = "a figure for people, in no record")]
fn decibels(mean_square: f64) -> f64 {
    10.0 * (255.0 * 255.0 / mean_square).log10()
}

/// Mean structural similarity of the windows that `moving` does not touch; 1 if there is none.
fn ssim(a: &Frame, b: &Frame, moving: Option<Rect>) -> f64 {
    let (width, height) = (a.size.width as usize, a.size.height as usize);
    let (a, b) = (lightness(a), lightness(b));
    let (mut sum, mut windows) = (0.0, 0_u64);
    for y in (0..=height.saturating_sub(WINDOW)).step_by(STEP) {
        for x in (0..=width.saturating_sub(WINDOW)).step_by(STEP) {
            let place = Rect::at(x as i32, y as i32, WINDOW.min(width) as i32, WINDOW.min(height) as i32);
            if moving.is_some_and(|moving| moving.touches(place)) {
                continue;
            }
            sum += similarity(&a, &b, width, place);
            windows += 1;
        }
    }
    if windows == 0 { 1.0 } else { sum / windows as f64 }
}

/// Structural similarity of one window, with the constants of the paper for 8-bit pictures.
fn similarity(a: &[u8], b: &[u8], width: usize, place: Rect) -> f64 {
    const C1: f64 = 6.5025;
    const C2: f64 = 58.5225;
    let (mut sa, mut sb, mut saa, mut sbb, mut sab) = (0_u64, 0_u64, 0_u64, 0_u64, 0_u64);
    for y in place.y0() as usize..place.y1() as usize {
        let row = y * width + place.x0() as usize..y * width + place.x1() as usize;
        for (&a, &b) in a[row.clone()].iter().zip(&b[row]) {
            let (a, b) = (u64::from(a), u64::from(b));
            (sa, sb, saa, sbb, sab) = (sa + a, sb + b, saa + a * a, sbb + b * b, sab + a * b);
        }
    }
    let n = place.area() as f64;
    let (ma, mb) = (sa as f64 / n, sb as f64 / n);
    let (va, vb, cov) = (saa as f64 / n - ma * ma, sbb as f64 / n - mb * mb, sab as f64 / n - ma * mb);
    (2.0 * ma * mb + C1) * (2.0 * cov + C2) / ((ma * ma + mb * mb + C1) * (va + vb + C2))
}

/// Luma of each pixel (BT.601).
fn lightness(frame: &Frame) -> Vec<u8> {
    let pixels = frame.rgb.as_chunks::<3>().0.iter();
    pixels.map(|&[r, g, b]| ((299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b) + 500) / 1000) as u8).collect()
}
