//! Where a picture has ink: letters and symbols, as opposed to the ground that they stand on.

use std::ops::RangeInclusive;

use windesk_engine::pack::{Focus, Pack, Window};
use windesk_model::Error;
use windesk_model::geometry::{Rect, Size};
use windesk_model::index::WindowIndex;

/// How much brighter or darker than its ground ink is, of 255.
const CONTRAST: i32 = 28;
/// Columns without ink that end a cluster, px at scale 1: more than between letters, less than between icon and text.
const GAP_PX: f64 = 4.0;
/// Columns without ink between two texts, px at scale 1: more than between words.
const COLUMN_GAP_PX: f64 = 28.0;
/// Frames of buttons and fields are no ink: so many px at a box's edges are not looked at.
const EDGE_PX: i32 = 2;
/// Ink at a side of what is looked at, from its top or to its bottom, is a corner of a frame: no letter that stands
/// there is so narrow, px at scale 1.
const CORNER_PX: f64 = 3.0;
/// No letter or digit that names something is lower, px at scale 1.
const LEAST_LETTER_PX: f64 = 6.0;
/// Between these widths of what a text would need, ink is that text: programs have fonts of their own.
const TEXT_WIDTHS: RangeInclusive<f64> = 0.68..=1.45;
/// The same of titles, whose font is known. Of 199 titles of the default pack all but one need 0.94 to 1.09 of the
/// estimate; that one, at 0.67, is cut off.
const TITLE_WIDTHS: RangeInclusive<f64> = 0.88..=1.3;

/// The brightness of a window's pixels while it has the focus.
pub(super) struct Picture {
    size: Size,
    luma: Vec<u8>,
    scale: f64,
}

/// Ink without a gap: columns, and the rows that it spans.
#[derive(Clone, Copy, Debug)]
struct Cluster {
    x0: i32,
    x1: i32,
    y0: i32,
    y1: i32,
}

impl Cluster {
    fn join(self, other: Self) -> Self {
        Self { x0: self.x0.min(other.x0), x1: self.x1.max(other.x1), y0: self.y0.min(other.y0), y1: self.y1.max(other.y1) }
    }

    fn rect(self) -> Option<Rect> {
        Rect::new(self.x0, self.y0, self.x1, self.y1)
    }
}

/// What a box is compared with.
#[derive(Clone, Copy, Debug)]
enum Ground {
    /// The commonest brightness of each row: text leaves most of a row free, and title bars have gradients.
    Rows,
    /// The middle brightness along the box's edge: a symbol may fill its rows.
    Edge,
}

impl Picture {
    /// Reads a window's picture.
    pub(super) fn of(pack: &Pack, at: WindowIndex) -> Result<Self, Error> {
        let window: &Window = &pack.windows[at];
        let rgba = pack.rgba_of(at, Focus::Active, window.size.rect())?;
        let luma = |p: &[u8]| ((u32::from(p[0]) * 299 + u32::from(p[1]) * 587 + u32::from(p[2]) * 114 + 500) / 1000) as u8;
        Ok(Self { size: window.size, luma: rgba.chunks_exact(4).map(luma).collect(), scale: window.scale })
    }

    /// The box of a text of which the ink in `rect` could be: `None` if no stretch of it is as wide as the text would
    /// be.
    pub(super) fn text(&self, rect: Rect, text: &str) -> Option<Rect> {
        self.text_of_width(rect, text, &TEXT_WIDTHS)
    }

    /// The same of a title, which must be there whole.
    pub(super) fn title(&self, rect: Rect, text: &str) -> Option<Rect> {
        self.text_of_width(rect, text, &TITLE_WIDTHS)
    }

    fn text_of_width(&self, rect: Rect, text: &str, widths: &RangeInclusive<f64>) -> Option<Rect> {
        let clusters = self.clusters(rect, Ground::Rows);
        let apart = (COLUMN_GAP_PX * self.scale) as i32;
        // Names come first: what stands far to the right in a menu is a shortcut, however wide it is.
        let columns = clusters.chunk_by(|left, right| right.x0 - left.x1 < apart);
        columns.into_iter().find_map(|column| self.text_in(column, text, widths))
    }

    /// The stretch of these clusters that is as wide as a text would be.
    fn text_in(&self, clusters: &[Cluster], text: &str, widths: &RangeInclusive<f64>) -> Option<Rect> {
        let wanted = text_width(text) * self.scale;
        let miss = |run: Cluster| (f64::from(run.x1 - run.x0) - wanted).abs();
        let mut best: Option<Cluster> = None;
        for first in 0..clusters.len() {
            let mut run = clusters[first];
            for (at, &next) in clusters[first..].iter().enumerate() {
                run = run.join(next);
                // A picture before the text is none of it, unless there is nothing else.
                let begins_with_icon = at > 0 && self.is_icon(clusters[first]);
                if !begins_with_icon && best.is_none_or(|held| miss(run) < miss(held)) {
                    best = Some(run);
                }
            }
        }
        best.filter(|run| widths.contains(&(f64::from(run.x1 - run.x0) / wanted.max(1.0)))).and_then(Cluster::rect)
    }

    /// The box of all ink in a label's box; `None` if there is none.
    pub(super) fn all_text(&self, rect: Rect) -> Option<Rect> {
        self.clusters(rect, Ground::Rows).into_iter().reduce(Cluster::join)?.rect()
    }

    /// Whether there is as much ink in a box as half of a text has, at least.
    pub(super) fn may_show(&self, rect: Rect, text: &str) -> bool {
        let ink: i32 = self.clusters(rect, Ground::Rows).iter().map(|cluster| cluster.x1 - cluster.x0).sum();
        f64::from(ink) * 2.0 >= text_width(text) * self.scale
    }

    /// Whether the ink in a box is as large as the one letter or digit that a name consists of.
    pub(super) fn shows_letter(&self, rect: Rect, name: &str) -> bool {
        let mut signs = name.chars();
        let (Some(sign), None) = (signs.next(), signs.next()) else { return false };
        let is_as_large = |ink: Rect| {
            let least = LEAST_LETTER_PX * self.scale;
            f64::from(ink.height()) >= least && f64::from(ink.width()) <= TEXT_WIDTHS.end() * text_width(name) * self.scale
        };
        sign.is_alphanumeric() && self.symbol(rect).is_some_and(is_as_large)
    }

    /// The box of all ink in a symbol's box; `None` if there is next to none.
    pub(super) fn symbol(&self, rect: Rect) -> Option<Rect> {
        let clusters = self.clusters(rect, Ground::Edge);
        let around = clusters.into_iter().reduce(Cluster::join)?.rect()?;
        (around.width() >= 3 && around.height() >= 3).then_some(around)
    }

    fn is_icon(&self, cluster: Cluster) -> bool {
        let (width, height) = (f64::from(cluster.x1 - cluster.x0), f64::from(cluster.y1 - cluster.y0));
        height >= 13.0 * self.scale && (0.7..=1.4).contains(&(width / height))
    }

    fn clusters(&self, rect: Rect, ground: Ground) -> Vec<Cluster> {
        let inner = if rect.width() > 8 * EDGE_PX && rect.height() > 6 * EDGE_PX {
            Rect::new(rect.x0() + EDGE_PX, rect.y0() + EDGE_PX, rect.x1() - EDGE_PX, rect.y1() - EDGE_PX).unwrap_or(rect)
        } else {
            rect
        };
        let Some(part) = inner.intersection(self.size.rect()) else { return Vec::new() };
        let edge = self.edge_ground(part);
        let columns = part.width() as usize;
        let mut spans: Vec<Option<(i32, i32)>> = vec![None; columns];
        for y in part.y0()..part.y1() {
            let row = self.row(part, y);
            let ground = match ground {
                Ground::Rows => commonest(row),
                Ground::Edge => edge,
            };
            for (span, &luma) in spans.iter_mut().zip(row) {
                if (i32::from(luma) - ground).abs() >= CONTRAST {
                    *span = Some(span.map_or((y, y + 1), |(top, _)| (top, y + 1)));
                }
            }
        }
        let gap = (GAP_PX * self.scale).round() as i32;
        let mut clusters: Vec<Cluster> = Vec::new();
        for (x, span) in (part.x0()..).zip(&spans) {
            let Some((y0, y1)) = *span else { continue };
            let column = Cluster { x0: x, x1: x + 1, y0, y1 };
            match clusters.last_mut().filter(|last| x - last.x1 < gap) {
                Some(last) => *last = last.join(column),
                None => clusters.push(column),
            }
        }
        if matches!(ground, Ground::Rows) {
            let narrow = (CORNER_PX * self.scale).round() as i32;
            clusters.retain(|cluster| {
                let at_side = cluster.x0 == part.x0() || cluster.x1 == part.x1();
                let at_end = cluster.y0 == part.y0() || cluster.y1 == part.y1();
                !(at_side && at_end && cluster.x1 - cluster.x0 <= narrow)
            });
        }
        clusters
    }

    fn row(&self, part: Rect, y: i32) -> &[u8] {
        &self.luma[y as usize * self.size.width as usize..][part.x0() as usize..part.x1() as usize]
    }

    /// The middle brightness of the pixels along a box's edge.
    fn edge_ground(&self, part: Rect) -> i32 {
        let mut edge: Vec<u8> = Vec::new();
        for y in part.y0()..part.y1() {
            let row = self.row(part, y);
            if y == part.y0() || y + 1 == part.y1() {
                edge.extend(row);
            } else {
                edge.extend([row[0], row[row.len() - 1]]);
            }
        }
        edge.sort_unstable();
        i32::from(edge[edge.len() / 2])
    }
}

/// The commonest brightness of a row, to an eighth part of its range.
fn commonest(row: &[u8]) -> i32 {
    let (mut counts, mut sums) = ([0_u32; 32], [0_u32; 32]);
    for &luma in row {
        counts[usize::from(luma >> 3)] += 1;
        sums[usize::from(luma >> 3)] += u32::from(luma);
    }
    let bin = (0..32).max_by_key(|&bin| counts[bin]).unwrap_or(0);
    (sums[bin] / counts[bin].max(1)) as i32
}

/// About how wide a text is in the usual UI font of 10 or 11 pt at scale 1, px.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().map(char_width).sum()
}

fn char_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '\u{2019}' => 3.4,
        'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '/' | ' ' | '-' | '"' | '\u{201c}' | '\u{201d}' => 4.4,
        'm' | 'w' | 'M' | 'W' | '@' | '\u{2014}' | '%' => 11.6,
        _ if c.is_uppercase() => 8.8,
        _ if u32::from(c) > 0x2e80 => 13.0,
        _ => 7.4,
    }
}
