//! Draws the mouse pointer above everything.

use windesk_model::Error;
use windesk_model::plan::Plan;

use super::Renderer;
use super::composite::{Picture, Surface};

impl Renderer<'_> {
    /// Adds the pointer of a plan, if it has one.
    pub(super) fn add_pointer(&self, plan: &Plan, surfaces: &mut Vec<Surface<'_>>) -> Result<(), Error> {
        if let Some(pointer) = &plan.pointer {
            let pixels = self.pack.pointer_pixels(&pointer.icon, pointer.side_px)?;
            surfaces.push(Surface { picture: Picture::OfPack(pixels), origin: pointer.origin });
        }
        Ok(())
    }
}
