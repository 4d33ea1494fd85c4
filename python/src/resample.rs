//! Pictures in another size, by area: a pixel of the result is the mean of what it covers. All sums are integers, so the
//! result is the same on every machine.

use windesk::model::geometry::Size;

/// A picture in another size. `rgb` has three bytes per pixel, row by row.
pub(crate) fn resampled(rgb: &[u8], from: Size, to: Size) -> Vec<u8> {
    let mut out = vec![0; to.width as usize * to.height as usize * 3];
    resample_into(rgb, from, to, &mut out);
    out
}

/// The same into a place that is there already.
pub(crate) fn resample_into(rgb: &[u8], from: Size, to: Size, out: &mut [u8]) {
    if from == to {
        out.copy_from_slice(rgb);
    } else if from.width == 2 * to.width && from.height == 2 * to.height {
        halve_into(rgb, from.width as usize * 3, out);
    } else {
        by_area_into(rgb, from, to, out);
    }
}

/// Half the size on both axes, the commonest case: the mean of four, with halves rounded up as in the general case.
fn halve_into(rgb: &[u8], row_bytes: usize, out: &mut [u8]) {
    for (rows, out) in rgb.chunks_exact(2 * row_bytes).zip(out.chunks_exact_mut(row_bytes / 2)) {
        let (upper, lower) = rows.split_at(row_bytes);
        for ((upper, lower), out) in upper.chunks_exact(6).zip(lower.chunks_exact(6)).zip(out.chunks_exact_mut(3)) {
            for channel in 0..3 {
                let sum = u16::from(upper[channel])
                    + u16::from(upper[channel + 3])
                    + u16::from(lower[channel])
                    + u16::from(lower[channel + 3]);
                out[channel] = ((sum + 2) / 4) as u8;
            }
        }
    }
}

/// What one pixel of the result covers on an axis: the first pixel, and the weight of each from there on.
struct Cover {
    first: usize,
    weights: Vec<u32>,
}

/// Covers along an axis, and the sum of the weights of each.
fn covers(from: u32, to: u32) -> (Vec<Cover>, u32) {
    let shared = gcd(from, to);
    // In units in which a pixel of the source is `step` long and one of the result `total`.
    let (total, step) = (u64::from(from / shared), u64::from(to / shared));
    let cover = |at: u64| {
        let (start, end) = (at * total, (at + 1) * total);
        let first = start / step;
        let weights = (first..end.div_ceil(step)).map(|pixel| (end.min((pixel + 1) * step) - start.max(pixel * step)) as u32);
        Cover { first: first as usize, weights: weights.collect() }
    };
    ((0..u64::from(to)).map(cover).collect(), total as u32)
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn by_area_into(rgb: &[u8], from: Size, to: Size, out: &mut [u8]) {
    let (columns, column_total) = covers(from.width, to.width);
    let (rows, row_total) = covers(from.height, to.height);
    let total = u64::from(column_total) * u64::from(row_total);
    let row_bytes = from.width as usize * 3;
    // At most 255 times 32768.
    let mut sums = vec![0_u32; row_bytes];
    for (row, out) in rows.iter().zip(out.chunks_exact_mut(to.width as usize * 3)) {
        sums.fill(0);
        for (at, &weight) in row.weights.iter().enumerate() {
            let source = &rgb[(row.first + at) * row_bytes..][..row_bytes];
            for (sum, &value) in sums.iter_mut().zip(source) {
                *sum += weight * u32::from(value);
            }
        }
        for (column, out) in columns.iter().zip(out.chunks_exact_mut(3)) {
            let mut of_pixel = [0_u64; 3];
            for (sums, &weight) in sums[column.first * 3..].chunks_exact(3).zip(&column.weights) {
                for (sum, &value) in of_pixel.iter_mut().zip(sums) {
                    *sum += u64::from(weight) * u64::from(value);
                }
            }
            for (out, sum) in out.iter_mut().zip(of_pixel) {
                *out = ((sum + total / 2) / total) as u8;
            }
        }
    }
}
