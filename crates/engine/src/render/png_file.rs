//! Scenes and probes as PNG files: what shows a wallpaper or a window unchanged is copied from its encoded rows, and
//! only the rest is composed.

use std::ops::Range;
use std::rc::Rc;

use windesk_model::Error;
use windesk_model::geometry::Size;

use super::Frame;
use super::again::{Copied, Copier, Known, Piece};
use super::composite::{BLOCK_ROWS, ClearSpan, Columns, Layouts, Painter, Picture, RowLayout, Surface, inside};
use super::repainted::Repainted;
use crate::pack::{Pixels, joined};
use crate::png::{JoinedPng, SEGMENT_PX, parts};

/// A row of a scene. Rows that show the same share what is known of them.
#[derive(Clone)]
struct Row {
    layout: Rc<RowLayout>,
    pieces: Rc<[Piece]>,
    /// Which of the pieces an earlier file has, by their numbers there.
    found: Rc<[Option<usize>]>,
    /// Whether the row above has the same layout.
    continues: bool,
}

/// The PNG file of surfaces (bottom to top) that cover a whole screen.
pub(super) fn encode_surfaces(size: Size, surfaces: Vec<Surface>) -> Result<Vec<u8>, Error> {
    let known = encode(size, surfaces, None, false)?;
    Ok(Rc::unwrap_or_clone(known.file))
}

/// The same. What `known` has too is copied from it. `keeps` asks for all that the next file may copy.
pub(super) fn encode<'a>(size: Size, surfaces: Vec<Surface<'a>>, known: Option<&Known>, keeps: bool) -> Result<Known<'a>, Error> {
    let height = size.height as i32;
    let row_bytes = size.width as usize * 3;
    // Rows that are painted together, those before, and where the last of them lies.
    let [mut room, mut before] = std::array::from_fn(|_| vec![0; row_bytes * BLOCK_ROWS]);
    let mut last = 0;
    let mut file = JoinedPng::new(size, known.map(|known| known.file.len()));
    let mut painter = Painter::new(&surfaces, None);
    let mut copier = Copier::new(known, size, &surfaces, keeps)?;
    let mut layouts = Layouts::new(&surfaces, size.width as i32);
    let mut next: Option<Row> = None;
    let (mut needed, mut same_above) = (Columns::new(), false);
    let mut y = 0;
    while y < height {
        if copier.is_untouched(y) {
            copier.copy_row(y, &mut file);
            (next, same_above) = (None, false);
            y += 1;
            continue;
        }
        let row = next.take().unwrap_or_else(|| Row::at(&mut layouts, y, &copier));
        let below = if y + 1 < height { row.below(&mut layouts, y, &copier) } else { row.clone() };
        let same_below = Rc::ptr_eq(&row.found, &below.found);
        if !(same_above && same_below) {
            needed = needed_columns(&row, &below);
        }
        // Rows between others that show the same are painted together.
        let most = if same_above && same_below { (height - 1 - y).clamp(1, BLOCK_ROWS as i32) } else { 1 };
        let same =
            (y + 1..y + most).take_while(|&y| !copier.is_untouched(y) && layouts.is_same_below(y) && copier.is_same_below(y));
        let count = 1 + if row.continues { same.count() } else { 0 };
        let painted = &mut room[..count * row_bytes];
        painter.paint(y, &row.layout, &needed, painted, row_bytes)?;
        let mut above = &before[last..][..row_bytes];
        for (y, pixels) in (y..).zip(painted.chunks_exact(row_bytes)) {
            copier.begin_row(y, &mut file);
            for (Piece { columns, copied }, found) in row.pieces.iter().zip(&*row.found) {
                if let Some(number) = *found {
                    copier.copy_piece(y, number, &mut file);
                    continue;
                }
                copier.flush(&mut file);
                copier.keep_stretch(match copied {
                    Some(Copied { surface, segments, is_encoded: true }) => {
                        let encoded = painter.encoded_row(*surface, y)?;
                        file.copy(encoded, segments.clone()).ok_or_else(|| painter.damaged_row(*surface))?
                    }
                    Some(_) => file.code_segments(above, pixels, columns.clone()),
                    None => file.code_between(above, pixels, columns.clone()),
                });
            }
            copier.end_row(&row.pieces, &file);
            above = pixels;
        }
        std::mem::swap(&mut room, &mut before);
        last = (count - 1) * row_bytes;
        (next, same_above) = (Some(below), same_below);
        y += count as i32;
    }
    painter.check()?;
    drop(painter);
    Ok(copier.finish(file, size, surfaces))
}

impl Row {
    /// A row by itself.
    fn at(layouts: &mut Layouts, y: i32, copier: &Copier) -> Self {
        let layout = layouts.of(y);
        let surfaces = layouts.surfaces;
        let copied = if y == 0 {
            // Above the screen there is nothing, as there is above a picture's first row.
            let begins = |span: &&ClearSpan| surfaces[span.surface].origin.y == 0;
            layout.clear.iter().filter(begins).filter_map(|span| piece_of(surfaces, span.surface, &span.columns)).collect()
        } else {
            copied_pieces(surfaces, &layout, &layouts.of(y - 1))
        };
        Self::of(Rc::new(layout), copied, false, layouts.width, copier.changed(surfaces, y), y, copier)
    }

    /// The row under this one, which is row `y`.
    fn below(&self, layouts: &mut Layouts, y: i32, copier: &Copier) -> Self {
        let continues = layouts.is_same_below(y) && copier.is_same_below(y);
        if continues && self.continues {
            return self.clone();
        }
        let layout = if continues { Rc::clone(&self.layout) } else { Rc::new(layouts.of(y + 1)) };
        let surfaces = layouts.surfaces;
        let copied = copied_pieces(surfaces, &layout, &self.layout);
        Self::of(layout, copied, continues, layouts.width, copier.changed(surfaces, y + 1), y + 1, copier)
    }

    fn of(
        layout: Rc<RowLayout>,
        copied: Vec<Piece>,
        continues: bool,
        width: i32,
        changed: Option<Columns>,
        y: i32,
        copier: &Copier,
    ) -> Self {
        let pieces: Rc<[Piece]> = with_gaps(copied, width, copier.needs_parts()).into();
        let found = copier.found(y, &pieces, changed.as_ref()).into();
        Self { layout, pieces, found, continues }
    }
}

/// Pieces left to right, with what lies between them: in parts, if a later file may copy those.
fn with_gaps(copied: Vec<Piece>, width: i32, in_parts: bool) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(copied.len() * 2 + 1);
    let mut done = 0;
    let composed = |columns: Range<i32>| Piece { columns, copied: None };
    let add_gap = |pieces: &mut Vec<Piece>, columns: Range<i32>| {
        if in_parts {
            pieces.extend(parts(columns).map(composed));
        } else if !columns.is_empty() {
            pieces.push(composed(columns));
        }
    };
    for piece in copied {
        add_gap(&mut pieces, done..piece.columns.start);
        done = piece.columns.end;
        pieces.push(piece);
    }
    add_gap(&mut pieces, done..width);
    pieces
}

/// The segments of a surface that lie in these columns of the screen, with the pixel to their left.
fn piece_of(surfaces: &[Surface], surface: usize, columns: &Range<i32>) -> Option<Piece> {
    let Surface { picture: Picture::OfPack(pixels), origin, .. } = &surfaces[surface] else { return None };
    let width = pixels.size().width as usize;
    let (start, end) = ((columns.start - origin.x) as usize, (columns.end - origin.x) as usize);
    // Left of the screen there is nothing, as there is left of a picture.
    let first = if columns.start == 0 && start == 0 { 0 } else { (start + 1).div_ceil(SEGMENT_PX) };
    let end = if end == width { end.div_ceil(SEGMENT_PX) } else { end / SEGMENT_PX };
    let on_screen = |segment: usize| column(segment, width) + origin.x;
    let columns = on_screen(first)..on_screen(end);
    let copied = Some(Copied { surface, segments: first..end, is_encoded: pixels.is_encoded() });
    (first < end).then_some(Piece { columns, copied })
}

/// Segments of which a row, the row above and the pixel to the left show nothing but their surface.
fn copied_pieces(surfaces: &[Surface], row: &RowLayout, above: &RowLayout) -> Vec<Piece> {
    let of_span = |span| shared(span, &above.clear).filter_map(|columns| piece_of(surfaces, span.surface, &columns));
    row.clear.iter().flat_map(of_span).collect()
}

/// What of a span shows the same surface in another row.
fn shared<'a>(span: &'a ClearSpan, others: &'a [ClearSpan]) -> impl Iterator<Item = Range<i32>> + 'a {
    let same = others.iter().filter(|other| other.surface == span.surface);
    let parts = same.map(|other| span.columns.start.max(other.columns.start)..span.columns.end.min(other.columns.end));
    parts.filter(|part| !part.is_empty())
}

/// Columns of a row that coding it and the row below takes: those that aren't copied, and their left neighbours.
fn needed_columns(row: &Row, below: &Row) -> Columns {
    let mut edges = Columns::with_capacity(row.pieces.len() + below.pieces.len());
    for row in [row, below] {
        for (piece, found) in row.pieces.iter().zip(&*row.found) {
            let is_copied = found.is_some() || piece.copied.as_ref().is_some_and(|copied| copied.is_encoded);
            if !is_copied {
                edges.push((piece.columns.start - 1).max(0)..piece.columns.end);
            }
        }
    }
    joined(edges)
}

/// The PNG file of a wallpaper of which parts were painted over. `ground` is all of the wallpaper.
///
/// # Panics
/// If picture and wallpaper have different sizes.
pub(super) fn encode_over(wallpaper: &Pixels, ground: &Frame, parts: &[Repainted]) -> Result<Vec<u8>, Error> {
    assert_eq!(wallpaper.size(), ground.size, "a picture has its wallpaper's size");
    let width = ground.size.width as usize;
    let segments = width.div_ceil(SEGMENT_PX);
    let mut file = JoinedPng::new(ground.size, None);
    let mut reader = wallpaper.reader();
    reader.check_later();
    let nothing = vec![0; width * 3];
    let (mut room, mut room_above) = (nothing.clone(), nothing.clone());
    let (mut ground_above, mut painted_above) = (nothing.as_slice(), Columns::new());
    for (y, ground) in (0..).zip(ground.rgb.chunks_exact(width * 3)) {
        // Where nothing was painted, a row is that of the wallpaper.
        let painted: Columns = parts.iter().filter_map(|part| part.columns_at(y)).collect();
        if !painted.is_empty() {
            // Only segments beside what was painted, here or in a row beside this one, are coded from it.
            for columns in parts.iter().filter_map(|part| (y - 1..=y + 1).find_map(|y| part.columns_at(y))) {
                let [first, last] = [columns.start, columns.end].map(|column| column as usize / SEGMENT_PX);
                let columns = column(first, width).max(1) - 1..column(last + 1, width);
                let bytes = columns.start as usize * 3..columns.end as usize * 3;
                room[bytes.clone()].copy_from_slice(&ground[bytes]);
            }
            parts.iter().filter(|part| part.columns_at(y).is_some()).for_each(|part| part.put_row(y, &mut room));
        }
        let row = if painted.is_empty() { ground } else { room.as_slice() };
        let above = if painted_above.is_empty() { ground_above } else { room_above.as_slice() };
        let is_same = |segment: usize| {
            let columns = column(segment, width).max(1) - 1..column(segment + 1, width);
            let bytes = columns.start as usize * 3..columns.end as usize * 3;
            [(&painted, ground, row), (&painted_above, ground_above, above)].into_iter().all(|(painted, ground, row)| {
                inside(painted, &columns).next().is_none() || ground[bytes.clone()] == row[bytes.clone()]
            })
        };
        file.begin_row();
        let mut at = 0;
        while at < segments {
            let end = (at..segments).find(|&segment| !is_same(segment)).unwrap_or(segments);
            if at < end && wallpaper.is_encoded() {
                let encoded = reader.encoded_row(y)?;
                file.copy(encoded, at..end).ok_or_else(|| wallpaper.damaged_row())?;
            } else {
                file.code_segments(ground_above, ground, column(at, width)..column(end, width));
            }
            at = (end..segments).find(|&segment| is_same(segment)).unwrap_or(segments);
            file.code_between(above, row, column(end, width)..column(at, width));
        }
        std::mem::swap(&mut room, &mut room_above);
        (ground_above, painted_above) = (ground, painted);
    }
    reader.check()?;
    Ok(file.finish())
}

/// The first column of a segment.
fn column(segment: usize, width: usize) -> i32 {
    (segment * SEGMENT_PX).min(width) as i32
}
