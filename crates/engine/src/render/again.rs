//! What a picture can copy from one made before it: keyframes of a task differ in few windows, and the rest of a file
//! need not be encoded again.
//!
//! Nothing here looks at pixels of windows. Where the same pictures lie at the same places in the same order, over the
//! row and the row above it and one pixel to the left, the bits of a file are the same; only there are they copied.

use std::ops::Range;
use std::rc::Rc;

use windesk_model::Error;
use windesk_model::geometry::Size;

use super::composite::{Columns, Picture, Surface};
use crate::png::{JoinedPng, Mark};

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

/// Where the bits of a row lie in a file.
struct RowMarks {
    pieces: Rc<[Piece]>,
    /// Before the row, then before its first piece, then behind each piece.
    marks: Range<usize>,
}

/// A file, and where in it the bits of which piece lie.
pub(super) struct Known<'a> {
    pub(super) file: Rc<Vec<u8>>,
    size: Size,
    surfaces: Vec<Surface<'a>>,
    rows: Vec<RowMarks>,
    marks: Vec<Mark>,
}

impl Known<'_> {
    fn marks_of(&self, row: usize) -> &[Mark] {
        &self.marks[self.rows[row].marks.clone()]
    }
}

/// Copies bits of an earlier file into one that is being made, as much at once as lies together, and keeps where
/// everything lies in the new one.
pub(super) struct Copier<'b, 'k> {
    before: Option<Before<'b, 'k>>,
    /// Bits of the earlier file that are still to be copied, and where the new file was then.
    due: Option<(Mark, Mark, Mark)>,
    rows: Vec<RowMarks>,
    marks: Vec<Mark>,
    keeps: bool,
}

/// An earlier file, and what of its screen is another now.
struct Before<'b, 'k> {
    known: &'b Known<'k>,
    /// Surfaces that are gone.
    gone: Vec<usize>,
    /// Surfaces that have come, in the new list.
    come: Vec<usize>,
}

impl<'b, 'k> Copier<'b, 'k> {
    /// Copies from an earlier file of a screen of the same size, if there is one. Keeps where everything lies, if
    /// asked.
    ///
    /// # Errors
    /// If a bar can't be painted.
    pub(super) fn new(before: Option<&'b Known<'k>>, size: Size, surfaces: &[Surface], keeps: bool) -> Result<Self, Error> {
        let before = match before.filter(|known| known.size == size) {
            Some(known) => {
                let (gone, come) = differences(&known.surfaces, surfaces)?;
                Some(Before { known, gone, come })
            }
            None => None,
        };
        Ok(Self { before, due: None, rows: Vec::new(), marks: Vec::new(), keeps })
    }

    /// Columns of a row, or of the row above it, in which another surface lies than before. Sorted; they may overlap.
    /// Null if there is no earlier file.
    pub(super) fn changed(&self, surfaces: &[Surface], y: i32) -> Option<Columns> {
        let Before { known, gone, come } = self.before.as_ref()?;
        let gone = gone.iter().map(|&at| &known.surfaces[at]);
        let all = gone.chain(come.iter().map(|&at| &surfaces[at])).flat_map(|s| s.columns_at(y - 1).chain(s.columns_at(y)));
        let mut changed: Columns = all.collect();
        changed.sort_unstable_by_key(|columns| columns.start);
        Some(changed)
    }

    /// Whether the row under row `y` differs from the earlier one in the same columns as row `y`, and the earlier file
    /// has the same pieces in both.
    pub(super) fn is_same_below(&self, y: i32) -> bool {
        let Some(Before { known, gone, .. }) = &self.before else { return true };
        let rows = &known.rows[y as usize..];
        Rc::ptr_eq(&rows[0].pieces, &rows[1].pieces) && gone.iter().all(|&at| known.surfaces[at].is_same_below(y))
    }

    /// Which pieces of row `y` the earlier file has too, by their numbers there. `changed` is that of
    /// [`Copier::changed`].
    pub(super) fn found(&self, y: i32, pieces: &[Piece], changed: Option<&Columns>) -> Vec<Option<usize>> {
        let (Some(Before { known, .. }), Some(changed)) = (&self.before, changed) else { return vec![None; pieces.len()] };
        let there = &known.rows[y as usize].pieces;
        let of_piece = |piece: &Piece| {
            let at = there.binary_search_by_key(&piece.columns.start, |piece| piece.columns.start).ok()?;
            // What a pixel's bits depend on lies in its column and in the one to its left.
            let seen = (piece.columns.start - 1).max(0)..piece.columns.end;
            let is_changed = changed.iter().any(|changed| changed.start < seen.end && seen.start < changed.end);
            let same_sort = there[at].copied.is_some() == piece.copied.is_some();
            (!is_changed && same_sort && there[at].columns == piece.columns).then_some(at)
        };
        pieces.iter().map(of_piece).collect()
    }

    /// Whether nothing of rows `y - 1` to `y + 1` is another than before: row `y` need not be looked at.
    pub(super) fn is_untouched(&self, surfaces: &[Surface], y: i32) -> bool {
        let Some(Before { known, gone, come }) = &self.before else { return false };
        let changed = || gone.iter().map(|&at| &known.surfaces[at]).chain(come.iter().map(|&at| &surfaces[at]));
        changed().all(|surface| (y - 1..=y + 1).all(|y| surface.columns_at(y).next().is_none()))
    }

    /// Puts a whole untouched row into the file.
    pub(super) fn copy_row(&mut self, y: i32, file: &mut JoinedPng) {
        let known = self.before.as_ref().expect("a row is untouched if there was one before").known;
        let pieces = Rc::clone(&known.rows[y as usize].pieces);
        let marks = known.marks_of(y as usize);
        let first = self.marks.len();
        self.keep(file, None);
        for pair in marks.windows(2) {
            self.take(pair[0], pair[1], file);
            self.keep(file, None);
        }
        self.rows.push(RowMarks { pieces, marks: first..self.marks.len() });
    }

    /// Begins a row that is made of these pieces.
    pub(super) fn begin_row(&mut self, y: i32, pieces: &Rc<[Piece]>, file: &mut JoinedPng) {
        let first = self.marks.len();
        self.keep(file, None);
        let there = self.before.as_ref().map(|before| before.known.marks_of(y as usize));
        match there.map(|marks| (marks[0], marks[1])) {
            // The bits before a row are always the same; they are worth copying only between others.
            Some((start, end)) if self.due.is_some_and(|(_, due, _)| due == start) => self.take(start, end, file),
            _ => {
                self.flush(file);
                file.begin_row();
            }
        }
        self.keep(file, None);
        if self.keeps {
            self.rows.push(RowMarks { pieces: Rc::clone(pieces), marks: first..self.marks.len() });
        }
    }

    /// Puts a piece into the file that the earlier one has too, by its number there.
    pub(super) fn copy_piece(&mut self, y: i32, number: usize, file: &mut JoinedPng) {
        let known = self.before.as_ref().expect("it was found there").known;
        let marks = known.marks_of(y as usize);
        let (start, end) = (marks[number + 1], marks[number + 2]);
        self.take(start, end, file);
        self.end_piece(file);
    }

    /// Makes the file ready for bits of its own.
    pub(super) fn flush(&mut self, file: &mut JoinedPng) {
        if let (Some((start, end, _)), Some(before)) = (self.due.take(), &self.before) {
            file.copy_between(&before.known.file, start, end);
        }
    }

    /// Keeps where a piece ended.
    pub(super) fn end_piece(&mut self, file: &JoinedPng) {
        let row = self.rows.len().checked_sub(1);
        self.keep(file, row);
    }

    /// Bits of the earlier file are to be copied.
    fn take(&mut self, start: Mark, end: Mark, file: &mut JoinedPng) {
        match &mut self.due {
            Some((_, due, _)) if *due == start => *due = end,
            _ => {
                self.flush(file);
                self.due = Some((start, end, file.mark()));
            }
        }
    }

    /// Keeps where the file is now, what is due included.
    fn keep(&mut self, file: &JoinedPng, row: Option<usize>) {
        if !self.keeps {
            return;
        }
        let mark = match self.due {
            Some((start, end, at)) => at.then(start, end),
            None => file.mark(),
        };
        self.marks.push(mark);
        if let Some(row) = row {
            self.rows[row].marks.end = self.marks.len();
        }
    }

    /// The finished file with all that the next one may copy.
    pub(super) fn finish<'a>(mut self, mut file: JoinedPng, size: Size, surfaces: Vec<Surface<'a>>) -> Known<'a> {
        self.flush(&mut file);
        Known { file: Rc::new(file.finish()), size, surfaces, rows: self.rows, marks: self.marks }
    }
}

/// Surfaces that are in one list alone: of the longest common part of both, in order, none is.
fn differences(before: &[Surface], now: &[Surface]) -> Result<(Vec<usize>, Vec<usize>), Error> {
    let mut same = vec![vec![false; now.len()]; before.len()];
    for (row, one) in same.iter_mut().zip(before) {
        for (same, other) in row.iter_mut().zip(now) {
            *same = is_same(one, other)?;
        }
    }
    // Length of the longest common part of what follows.
    let mut longest = vec![vec![0_usize; now.len() + 1]; before.len() + 1];
    for (i, j) in (0..before.len()).rev().flat_map(|i| (0..now.len()).rev().map(move |j| (i, j))) {
        longest[i][j] = if same[i][j] { longest[i + 1][j + 1] + 1 } else { longest[i + 1][j].max(longest[i][j + 1]) };
    }
    let (mut gone, mut come, mut i, mut j) = (Vec::new(), Vec::new(), 0, 0);
    while i < before.len() || j < now.len() {
        if i < before.len() && j < now.len() && same[i][j] {
            (i, j) = (i + 1, j + 1);
        } else if j == now.len() || i < before.len() && longest[i + 1][j] >= longest[i][j + 1] {
            gone.push(i);
            i += 1;
        } else {
            come.push(j);
            j += 1;
        }
    }
    Ok((gone, come))
}

/// Whether two surfaces show the same at the same place.
fn is_same(one: &Surface, other: &Surface) -> Result<bool, Error> {
    if one.origin != other.origin {
        return Ok(false);
    }
    match (&one.picture, &other.picture) {
        (Picture::OfPack(one), Picture::OfPack(other)) => Ok(std::sync::Arc::ptr_eq(one, other)),
        (Picture::Painted(one), Picture::Painted(other)) => one.shows_the_same(other),
        _ => Ok(false),
    }
}
