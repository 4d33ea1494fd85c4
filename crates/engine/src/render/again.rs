//! What a picture can copy from one made before it: keyframes of a task differ in few windows, and the rest of a file
//! need not be encoded again.
//!
//! Nothing here looks at pixels of windows. Where the same pictures lie at the same places in the same order, over the
//! row and the row above it and one pixel to the left, the bits of a file are the same; only there are they copied. Two
//! pictures of one size are the same where their tiles are stored alike: two looks of a window are in most, and so are
//! two captures of it, one of them with a menu.

use std::ops::Range;
use std::rc::Rc;

use windesk_model::Error;
use windesk_model::geometry::{Point, Size};

use super::composite::{Columns, Picture, Surface};
use crate::pack::{STRIP_ROWS, joined};
use crate::png::{JoinedPng, Stretch};

/// Columns of a row that are put into a file at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// On the screen.
    pub(super) columns: Range<i32>,
    /// Segments of a surface's row that are the same on the screen; null for what is composed.
    pub(super) copied: Option<Copied>,
}

/// Segments of a surface's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Copied {
    pub(super) surface: usize,
    pub(super) segments: Range<usize>,
    /// Whether the picture has the rows' bits. The file is the same if it hasn't.
    pub(super) is_encoded: bool,
}

/// Where the bits of a row lie in a file. What holds wherever the row lies is shared with the files that it was copied
/// from.
#[derive(Clone)]
struct KnownRow {
    pieces: Rc<[Piece]>,
    /// Where the file's stretches have those of this row: what comes before the first piece, then the pieces.
    first: usize,
    /// All of them together.
    whole: Stretch,
    /// How many bits of the file lie before.
    start: u64,
}

/// A file, and where in it the bits of which piece lie.
pub(super) struct Known<'a> {
    pub(super) file: Rc<Vec<u8>>,
    size: Size,
    surfaces: Vec<Surface<'a>>,
    rows: Vec<KnownRow>,
    /// Of all rows, from top to bottom.
    stretches: Vec<Stretch>,
}

impl Known<'_> {
    fn stretches_of(&self, y: i32) -> &[Stretch] {
        let KnownRow { pieces, first, .. } = &self.rows[y as usize];
        &self.stretches[*first..=first + pieces.len()]
    }
}

/// Room for the stretches of a row, at first: rows of most scenes have fewer.
const STRETCHES_PER_ROW: usize = 16;

/// Room for columns of a row that changed, at first.
const USUAL_CHANGES: usize = 32;

/// Copies bits of an earlier file into one that is being made, as much at once as lies together, and keeps where
/// everything lies in the new one.
pub(super) struct Copier<'b, 'k> {
    before: Option<Before<'b, 'k>>,
    /// Bits of the earlier file that are still to be copied, and how many bits of it lie before them.
    due: Option<(u64, Stretch)>,
    keeps: bool,
    rows: Vec<KnownRow>,
    /// With those of the row that is being made, as far as it is.
    stretches: Vec<Stretch>,
    /// Where that row's stretches begin, and all of the new file that lies before it.
    row: (usize, Stretch),
    /// The next piece of the same row of the earlier file, and how many bits lie before.
    next: (usize, u64),
}

/// An earlier file, and what of its screen is another now.
struct Before<'b, 'k> {
    known: &'b Known<'k>,
    differences: Differences,
    /// Row by row, whether anything of it is another.
    touched: Vec<bool>,
}

/// What two lists of surfaces differ in.
#[derive(Default)]
struct Differences {
    /// Surfaces of the first list alone.
    gone: Vec<usize>,
    /// Surfaces of the second list alone.
    come: Vec<usize>,
    /// Of surfaces that are in both and don't show the same everywhere.
    changes: Vec<Changes>,
}

/// Where two pictures at the same place show something else.
struct Changes {
    top: i32,
    /// So many rows have the same columns.
    rows_each: i32,
    /// On the screen. Sorted and disjoint.
    columns: Vec<Columns>,
}

impl Changes {
    fn at(&self, screen_row: i32) -> &[Range<i32>] {
        let of_rows = usize::try_from((screen_row - self.top).div_euclid(self.rows_each)).ok();
        of_rows.and_then(|at| self.columns.get(at)).map_or(&[], Vec::as_slice)
    }

    fn is_nothing(&self) -> bool {
        self.columns.iter().all(Vec::is_empty)
    }

    /// How many pixels of pictures of this size are the same.
    fn same_px(&self, size: Size) -> u64 {
        let columns: u64 = self.columns.iter().flatten().map(|columns| columns.len() as u64).sum();
        // The last rows may be fewer.
        size.rect().area().saturating_sub(columns * self.rows_each as u64)
    }
}

impl<'b, 'k> Copier<'b, 'k> {
    /// Copies from an earlier file of a screen of the same size, if there is one. Keeps where everything lies, if
    /// asked.
    ///
    /// # Errors
    /// If a bar can't be painted.
    pub(super) fn new(before: Option<&'b Known<'k>>, size: Size, surfaces: &[Surface], keeps: bool) -> Result<Self, Error> {
        let before = before.filter(|known| known.size == size).map(|known| Before::new(known, surfaces)).transpose()?;
        let height = if keeps { size.height as usize } else { 0 };
        let (rows, stretches) = (Vec::with_capacity(height), Vec::with_capacity(height * STRETCHES_PER_ROW));
        Ok(Self { before, due: None, keeps, rows, stretches, row: (0, Stretch::EMPTY), next: (0, 0) })
    }

    /// Whether it looks for parts of what is composed in an earlier file, or keeps them for a later one.
    pub(super) fn needs_parts(&self) -> bool {
        self.keeps || self.before.is_some()
    }

    /// Columns of a row, or of the row above it, that may show something else than before: sorted and disjoint. Null if
    /// there is no earlier file.
    pub(super) fn changed(&self, surfaces: &[Surface], y: i32) -> Option<Columns> {
        let before = self.before.as_ref()?;
        let of_surfaces = before
            .differences
            .gone_and_come(&before.known.surfaces, surfaces)
            .flat_map(|s| s.columns_at(y - 1).chain(s.columns_at(y)));
        let of_changes = before.differences.changes.iter().flat_map(|changes| changes.at(y - 1).iter().chain(changes.at(y)));
        let mut all = Vec::with_capacity(USUAL_CHANGES);
        all.extend(of_surfaces.chain(of_changes.cloned()));
        Some(joined(all))
    }

    /// Whether the row under row `y` differs from the earlier one in the same columns as row `y`, and the earlier file
    /// has the same pieces in both.
    pub(super) fn is_same_below(&self, y: i32) -> bool {
        let Some(Before { known, differences: Differences { gone, changes, .. }, .. }) = &self.before else { return true };
        let rows = &known.rows[y as usize..];
        Rc::ptr_eq(&rows[0].pieces, &rows[1].pieces)
            && gone.iter().all(|&at| known.surfaces[at].is_same_below(y))
            && changes.iter().all(|changes| changes.at(y) == changes.at(y + 1))
    }

    /// Which pieces of row `y` the earlier file has too, by their numbers there. `changed` is that of
    /// [`Copier::changed`].
    pub(super) fn found(&self, y: i32, pieces: &[Piece], changed: Option<&Columns>) -> Vec<Option<usize>> {
        let (Some(Before { known, .. }), Some(changed)) = (&self.before, changed) else { return vec![None; pieces.len()] };
        // All are sorted by their columns.
        let (mut there, mut changed) = ((0..).zip(&*known.rows[y as usize].pieces).peekable(), changed.iter().peekable());
        let of_piece = |piece: &Piece| {
            // What a pixel's bits depend on lies in its column and in the one to its left.
            let seen = (piece.columns.start - 1).max(0)..piece.columns.end;
            while changed.next_if(|changed| changed.end <= seen.start).is_some() {}
            while there.next_if(|(_, other)| other.columns.start < piece.columns.start).is_some() {}
            let &(number, other) = there.peek()?;
            let is_changed = changed.peek().is_some_and(|changed| changed.start < seen.end);
            let same_sort = other.copied.is_some() == piece.copied.is_some();
            (!is_changed && same_sort && other.columns == piece.columns).then_some(number)
        };
        pieces.iter().map(of_piece).collect()
    }

    /// Whether nothing of rows `y - 1` to `y + 1` is another than before: row `y` need not be looked at.
    pub(super) fn is_untouched(&self, y: i32) -> bool {
        let Some(Before { touched, .. }) = &self.before else { return false };
        let y = y as usize;
        !touched[y.saturating_sub(1)..touched.len().min(y + 2)].contains(&true)
    }

    /// Puts a whole untouched row into the file.
    pub(super) fn copy_row(&mut self, y: i32, file: &mut JoinedPng) {
        let known = self.before.as_ref().expect("a row is untouched if there was one before").known;
        let row = &known.rows[y as usize];
        if self.keeps {
            self.rows.push(KnownRow { start: self.so_far(file).bits, first: self.stretches.len(), ..row.clone() });
            self.stretches.extend_from_slice(known.stretches_of(y));
        }
        self.take(row.start, row.whole, file);
    }

    /// Begins a row.
    pub(super) fn begin_row(&mut self, y: i32, file: &mut JoinedPng) {
        self.row = (self.stretches.len(), self.so_far(file));
        let there = self.before.as_ref().map(|Before { known, .. }| (known.rows[y as usize].start, known.stretches_of(y)[0]));
        if let Some((start, begun)) = there {
            self.next = (0, start + begun.bits);
        }
        let begun = match there {
            // The bits before a row are always the same; they are worth copying only between others.
            Some((start, begun)) if self.due.is_some_and(|due| end_of(due) == start) => {
                self.take(start, begun, file);
                begun
            }
            _ => {
                self.flush(file);
                file.begin_row()
            }
        };
        self.keep_stretch(begun);
    }

    /// Puts a piece into the file that the same row of the earlier one has too, by its number there. Pieces come in
    /// their order.
    pub(super) fn copy_piece(&mut self, y: i32, number: usize, file: &mut JoinedPng) {
        let known = self.before.as_ref().expect("it was found there").known;
        let pieces = &known.stretches_of(y)[1..];
        let (at, bits) = self.next;
        let start = bits + pieces[at..number].iter().map(|piece| piece.bits).sum::<u64>();
        self.next = (number + 1, start + pieces[number].bits);
        self.take(start, pieces[number], file);
        self.keep_stretch(pieces[number]);
    }

    /// Makes the file ready for bits of its own.
    pub(super) fn flush(&mut self, file: &mut JoinedPng) {
        if let (Some((start, stretch)), Some(before)) = (self.due.take(), &self.before) {
            file.copy_stretch(&before.known.file, start, stretch);
        }
    }

    /// Keeps what was put into the file next.
    pub(super) fn keep_stretch(&mut self, stretch: Stretch) {
        if self.keeps {
            self.stretches.push(stretch);
        }
    }

    /// Ends a row that was made of these pieces.
    pub(super) fn end_row(&mut self, pieces: &Rc<[Piece]>, file: &JoinedPng) {
        if self.keeps {
            let (first, above) = self.row;
            let whole = self.so_far(file).without_first(above);
            self.rows.push(KnownRow { pieces: Rc::clone(pieces), first, whole, start: above.bits });
        }
    }

    /// Bits of the earlier file are to be copied.
    fn take(&mut self, start: u64, stretch: Stretch, file: &mut JoinedPng) {
        match &mut self.due {
            Some(due) if end_of(*due) == start => due.1 = due.1.then(stretch),
            _ => {
                self.flush(file);
                self.due = Some((start, stretch));
            }
        }
    }

    /// All of the new file, with what is due.
    fn so_far(&self, file: &JoinedPng) -> Stretch {
        self.due.map_or(file.so_far(), |(_, stretch)| file.so_far().then(stretch))
    }

    /// The finished file with all that the next one may copy.
    pub(super) fn finish<'a>(mut self, mut file: JoinedPng, size: Size, surfaces: Vec<Surface<'a>>) -> Known<'a> {
        self.flush(&mut file);
        let Self { rows, stretches, .. } = self;
        Known { file: Rc::new(file.finish()), size, surfaces, rows, stretches }
    }
}

/// Where a stretch of a file ends that begins there.
fn end_of((start, stretch): (u64, Stretch)) -> u64 {
    start + stretch.bits
}

impl<'b, 'k> Before<'b, 'k> {
    fn new(known: &'b Known<'k>, surfaces: &[Surface]) -> Result<Self, Error> {
        let differences = differences(&known.surfaces, surfaces)?;
        let is_touched = |y| {
            differences.gone_and_come(&known.surfaces, surfaces).any(|surface| surface.columns_at(y).next().is_some())
                || differences.changes.iter().any(|changes| !changes.at(y).is_empty())
        };
        let touched = (0..known.size.height as i32).map(is_touched).collect();
        Ok(Self { known, differences, touched })
    }
}

impl Differences {
    /// Surfaces of one of the two lists alone.
    fn gone_and_come<'a>(&self, before: &'a [Surface<'a>], now: &'a [Surface<'a>]) -> impl Iterator<Item = &'a Surface<'a>> {
        self.gone.iter().map(|&at| &before[at]).chain(self.come.iter().map(|&at| &now[at]))
    }
}

/// What is not in the common part of two lists, in order, that has most pixels in common, and what of that part doesn't
/// show the same.
fn differences(before: &[Surface], now: &[Surface]) -> Result<Differences, Error> {
    let mut pairs = Vec::with_capacity(before.len());
    for one in before {
        pairs.push(now.iter().map(|other| changes(one, other)).collect::<Result<Vec<_>, _>>()?);
    }
    let same_px = |i: usize, pair: &Option<Changes>| pair.as_ref().map(|changes| changes.same_px(before[i].picture.size()));
    // Pixels in common of the best common part of what follows.
    let mut most = vec![vec![0; now.len() + 1]; before.len() + 1];
    for (i, j) in (0..before.len()).rev().flat_map(|i| (0..now.len()).rev().map(move |j| (i, j))) {
        let with_both = same_px(i, &pairs[i][j]).map_or(0, |same| most[i + 1][j + 1] + same);
        most[i][j] = with_both.max(most[i + 1][j]).max(most[i][j + 1]);
    }
    let (mut found, mut i, mut j) = (Differences::default(), 0, 0);
    while i < before.len() || j < now.len() {
        if i < before.len()
            && j < now.len()
            && same_px(i, &pairs[i][j]).is_some_and(|same| most[i][j] == most[i + 1][j + 1] + same)
            && let Some(changes) = pairs[i][j].take()
        {
            found.changes.extend(Some(changes).filter(|changes| !changes.is_nothing()));
            (i, j) = (i + 1, j + 1);
        } else if j == now.len() || i < before.len() && most[i + 1][j] >= most[i][j + 1] {
            found.gone.push(i);
            i += 1;
        } else {
            found.come.push(j);
            j += 1;
        }
    }
    Ok(found)
}

/// What is not the same where two surfaces lie; null if they don't lie at the same place.
fn changes(one: &Surface, other: &Surface) -> Result<Option<Changes>, Error> {
    if one.origin != other.origin || one.picture.size() != other.picture.size() {
        return Ok(None);
    }
    let (rows_each, mut columns) = match (&one.picture, &other.picture) {
        (Picture::OfPack(one), Picture::OfPack(other)) => (STRIP_ROWS as i32, one.changes_to(other)),
        (Picture::Painted(one), Picture::Painted(other)) => (1, one.changes_to(other)?),
        _ => return Ok(None),
    };
    let Point { x, y: top } = one.origin;
    columns.iter_mut().flatten().for_each(|columns| *columns = columns.start + x..columns.end + x);
    Ok(Some(Changes { top, rows_each, columns }))
}
