//! Composes windows over a ground. Each pixel is read only from the windows that show there: what an opaque pixel covers is skipped.

use std::sync::Arc;

use super::{Frame, over};
use crate::geom::{Point, Rect};
use crate::pack::{RunKind, WindowPixels};

/// A window's picture at its place.
pub(super) struct Sheet {
    pub(super) pixels: Arc<WindowPixels>,
    /// Top left of the picture on the screen.
    pub(super) origin: Point,
    /// Boxes of the picture to which translucent pixels are cut; null for all of it, shadows included.
    pub(super) clip: Option<Vec<Rect>>,
}

/// A stretch of one row that a window paints.
struct Stretch {
    y: i32,
    x0: i32,
    x1: i32,
    paint: Paint,
}

/// How a stretch is painted.
#[derive(Clone, Copy)]
enum Paint {
    Opaque,
    /// With alphas that begin at this one of the row's.
    Translucent(usize),
}

/// Composes sheets (bottom to top) over a ground.
pub(super) fn compose(mut ground: Frame, sheets: &[Sheet]) -> Frame {
    let (width, height) = (ground.size.width as i32, ground.size.height as i32);
    let mut free: Vec<Vec<(i32, i32)>> = vec![vec![(0, width)]; height as usize];
    let shown: Vec<Vec<Stretch>> = sheets.iter().rev().map(|sheet| stretches(sheet, &mut free)).collect();
    for (sheet, stretches) in sheets.iter().zip(shown.iter().rev()) {
        paint(&mut ground, sheet, stretches);
    }
    ground
}

/// What a sheet shows of the free columns of each row; takes its opaque pixels away from them.
fn stretches(sheet: &Sheet, free: &mut [Vec<(i32, i32)>]) -> Vec<Stretch> {
    let mut shown = Vec::new();
    let rows = sheet.pixels.size().height as i32;
    let first = sheet.origin.y.max(0);
    let last = (sheet.origin.y + rows).min(free.len() as i32);
    for y in first..last {
        let row = &mut free[y as usize];
        if row.is_empty() {
            continue;
        }
        let runs = sheet.pixels.runs(y - sheet.origin.y);
        let mut opaque = false;
        let mut alphas_before = 0;
        for run in runs {
            let (x0, x1) = (run.x0 + sheet.origin.x, run.x1 + sheet.origin.x);
            for &(a, b) in row.iter() {
                let (a, b) = (a.max(x0), b.min(x1));
                if a < b {
                    let paint = match run.kind {
                        RunKind::Opaque => Paint::Opaque,
                        RunKind::Translucent => Paint::Translucent(alphas_before + (a - x0) as usize),
                    };
                    shown.push(Stretch { y, x0: a, x1: b, paint });
                    opaque |= run.kind == RunKind::Opaque;
                }
            }
            if run.kind == RunKind::Translucent {
                alphas_before += (x1 - x0) as usize;
            }
        }
        if opaque {
            *row = without(
                row,
                runs.iter().filter(|r| r.kind == RunKind::Opaque).map(|r| (r.x0 + sheet.origin.x, r.x1 + sheet.origin.x)),
            );
        }
    }
    shown
}

/// `free` without `taken`; both sorted and disjoint.
fn without(free: &[(i32, i32)], taken: impl Iterator<Item = (i32, i32)> + Clone) -> Vec<(i32, i32)> {
    let mut left = Vec::with_capacity(free.len() + 1);
    for &(start, end) in free {
        let mut at = start;
        for (a, b) in taken.clone() {
            if b > at && a < end {
                if a > at {
                    left.push((at, a));
                }
                at = b;
            }
        }
        if at < end {
            left.push((at, end));
        }
    }
    left
}

fn paint(frame: &mut Frame, sheet: &Sheet, stretches: &[Stretch]) {
    let mut rows = sheet.pixels.rows();
    let mut byte_alphas = Vec::new();
    let width = frame.size.width as usize;
    for stretch in stretches {
        let y = stretch.y - sheet.origin.y;
        let first = stretch.x0 - sheet.origin.x;
        let count = (stretch.x1 - stretch.x0) as usize;
        let row = rows.row(y);
        let from = &row.rgb[first as usize * 3..(first as usize + count) * 3];
        let at = (stretch.y as usize * width + stretch.x0 as usize) * 3;
        let to = &mut frame.rgb[at..at + count * 3];
        match stretch.paint {
            Paint::Opaque => to.copy_from_slice(from),
            Paint::Translucent(alphas_at) if sheet.clip.is_none() => {
                blend_row(to, from, &row.alphas[alphas_at..alphas_at + count], &mut byte_alphas);
            }
            Paint::Translucent(alphas_at) => {
                let alphas = &row.alphas[alphas_at..alphas_at + count];
                let pixels = to.as_chunks_mut::<3>().0.iter_mut().zip(from.as_chunks::<3>().0);
                for (x, ((to, from), &alpha)) in (first..).zip(pixels.zip(alphas)) {
                    let cut = sheet.clip.as_ref().is_some_and(|boxes| !boxes.iter().any(|b| b.contains(Point { x, y })));
                    if !cut {
                        for (to, &from) in to.iter_mut().zip(from) {
                            *to = over(*to, from, alpha);
                        }
                    }
                }
            }
        }
    }
}

/// Lays pixels over others. One alpha per byte instead of per pixel lets the compiler blend many bytes at once; shadows are up to half
/// of what a scene paints. `byte_alphas` is room to work in.
fn blend_row(to: &mut [u8], from: &[u8], alphas: &[u8], byte_alphas: &mut Vec<u8>) {
    byte_alphas.resize(alphas.len() * 3, 0);
    byte_alphas.as_chunks_mut::<3>().0.iter_mut().zip(alphas).for_each(|(bytes, &alpha)| *bytes = [alpha; 3]);
    for ((to, &from), &alpha) in to.iter_mut().zip(from).zip(&*byte_alphas) {
        *to = over(*to, from, alpha);
    }
}
