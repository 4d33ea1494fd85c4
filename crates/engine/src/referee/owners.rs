//! Who owns which pixel: windows painted one over the other, bottom to top.

use std::sync::Arc;

use typed_index_collections::TiVec;

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::PlacementIndex;
use windesk_model::plan::Plan;

use crate::pack::{Pack, Shape, Shown, resolve};

/// Owner of a pixel that belongs to no window.
pub(super) const NOBODY: u8 = u8::MAX;
/// Owner of the pixels of bars and dock.
pub(super) const TASKBAR: u8 = u8::MAX - 1;

/// Owner of the pointer's pixels.
const POINTER: u8 = u8::MAX - 2;

/// The owner of a window's pixels: its position in the stack, of which there are at most as many as [`resolve`] lets
/// through.
pub(super) fn owner_of(position: PlacementIndex) -> u8 {
    position.0 as u8
}

/// A plan's windows with their shapes, bottom to top.
pub(super) struct Stack<'a> {
    pub(super) plan: &'a Plan,
    /// Windows of the pack, as the plan shows them.
    pub(super) windows: TiVec<PlacementIndex, Shown<'a>>,
    pub(super) shapes: TiVec<PlacementIndex, Arc<Shape>>,
    /// The pointer's shape.
    pointer: Option<Arc<Shape>>,
}

impl<'a> Stack<'a> {
    /// Finds what a plan names.
    ///
    /// # Errors
    /// Those of [`resolve`], or if a picture can't be read.
    pub(super) fn new(pack: &'a Pack, plan: &'a Plan) -> Result<Self, Error> {
        let windows = resolve(pack, plan)?;
        let looks = plan.placements.iter().zip(&windows).map(|(p, window)| (window, pack.focus_of(window.index(), p.active)));
        let shapes = looks.map(|(window, look)| window.shape(pack, look)).collect::<Result<_, _>>()?;
        let pointer = plan.pointer.as_ref().map(|pointer| pack.pointer_pixels(&pointer.icon, pointer.side_px)).transpose()?;
        Ok(Self { plan, windows, shapes, pointer: pointer.map(|pixels| Arc::clone(pixels.shape())) })
    }

    /// How many pixels of a box on the screen a window shows.
    pub(super) fn count(&self, position: PlacementIndex, bbox: Rect) -> u64 {
        let part = bbox.intersection(self.plan.canvas.rect());
        part.map_or(0, |part| occurrences(&self.paint(part).owners, owner_of(position)) as u64)
    }

    /// Paints the owners of a part of the screen.
    pub(super) fn paint(&self, part: Rect) -> OwnerMap {
        let width = part.width() as usize;
        let mut owners = vec![NOBODY; width * part.height() as usize];
        let mut fill = |y: i32, x0: i32, x1: i32, owner: u8| {
            let (from, to) = (x0.max(part.x0()), x1.min(part.x1()));
            if from < to {
                let row = &mut owners[(y - part.y0()) as usize * width..][..width];
                row[(from - part.x0()) as usize..(to - part.x0()) as usize].fill(owner);
            }
        };
        for ((position, shape), placement) in self.shapes.iter_enumerated().zip(&self.plan.placements) {
            let Point { x, y } = placement.origin;
            for row in part.y0().max(y)..part.y1().min(y + shape.rows()) {
                for &(a, b) in shape.row(row - y) {
                    fill(row, a + x, b + x, owner_of(position));
                }
            }
        }
        for bar in self.plan.chrome.bars(self.plan.canvas).filter_map(|bar| bar.intersection(part)) {
            for row in bar.y0()..bar.y1() {
                fill(row, bar.x0(), bar.x1(), TASKBAR);
            }
        }
        if let (Some(shape), Some(planned)) = (&self.pointer, &self.plan.pointer) {
            let Point { x, y } = planned.origin;
            for row in part.y0().max(y)..part.y1().min(y + shape.rows()) {
                for &(a, b) in shape.row(row - y) {
                    fill(row, a + x, b + x, POINTER);
                }
            }
        }
        OwnerMap { part, owners }
    }
}

/// The owners of a part of the screen, a number per pixel, row by row.
pub(super) struct OwnerMap {
    /// Screen px.
    pub(super) part: Rect,
    owners: Vec<u8>,
}

impl OwnerMap {
    /// The owner of a pixel of the part.
    pub(super) fn owner(&self, p: Point) -> Option<u8> {
        self.part.contains(p).then(|| self.row(p.y)[(p.x - self.part.x0()) as usize])
    }

    /// How many pixels of `rect` an owner has, and the smallest box around them.
    pub(super) fn seen(&self, owner: u8, rect: Rect) -> (u64, Option<Rect>) {
        let Some(inside) = rect.intersection(self.part) else {
            return (0, None);
        };
        let (mut count, mut around) = (0, None::<Rect>);
        for y in inside.y0()..inside.y1() {
            let row = &self.row(y)[(inside.x0() - self.part.x0()) as usize..][..inside.width() as usize];
            let here = occurrences(row, owner);
            if here > 0 {
                let first = row.iter().position(|&o| o == owner).unwrap_or(0) as i32;
                let last = row.iter().rposition(|&o| o == owner).unwrap_or(0) as i32;
                let stretch = Rect::at(inside.x0() + first, y, last - first + 1, 1);
                around = Some(around.map_or(stretch, |a| a.union(stretch)));
            }
            count += here as u64;
        }
        (count, around)
    }

    fn row(&self, y: i32) -> &[u8] {
        let width = self.part.width() as usize;
        &self.owners[(y - self.part.y0()) as usize * width..][..width]
    }
}

/// How many of the pixels an owner has. Counted in bytes over stretches that a byte can count, since sixteen bytes are
/// compared at once: a quarter of the time of `verify` is spent here otherwise.
fn occurrences(owners: &[u8], owner: u8) -> usize {
    owners.chunks(u8::MAX as usize).map(|stretch| stretch.iter().map(|&o| u8::from(o == owner)).sum::<u8>() as usize).sum()
}
