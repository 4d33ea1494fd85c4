//! Pictures prepared before a scene needs them.

use windesk_model::Error;
use windesk_model::index::WindowIndex;

use super::{Pack, Pixels};

impl Pack {
    /// Prepares what scenes can show of a window: with and without the focus, with and without its shadow, or the
    /// shadows that its session draws; of a living page also what its states are made of. What is kept already is
    /// looked at and left. Says whether all of it is kept in files now.
    ///
    /// # Errors
    /// If a picture or a living file of the pack can't be read.
    pub fn prepare_pictures(&self, window: WindowIndex) -> Result<bool, Error> {
        let all_kept = || {
            let mut kept = true;
            let mut look = |pixels: &Pixels| {
                kept &= pixels.check_kept()?;
                Ok(())
            };
            let is_living = self.windows[window].living.is_some();
            for active in [true, false] {
                let focus = self.focus_of(window, active);
                look(&*self.pixels(window, focus)?)?;
                match self.painted_shadow(window, active)? {
                    Some((shadow, _)) => look(&shadow)?,
                    None => look(&*self.cut_pixels(window, focus)?)?,
                }
                if is_living {
                    look(&*self.captured_pixels(window, focus)?)?;
                }
            }
            if is_living {
                self.living(window)?.sheets(self)?.all().try_for_each(&mut look)?;
            }
            Ok(kept)
        };
        self.reading_pictures(|| (), all_kept)
    }
}
