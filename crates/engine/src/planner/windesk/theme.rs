//! The theme that the windows around the target should have.

use windesk_model::key::{Decision, SampleKey};

use crate::pack::Window;

/// Of 1000 scenes, so many mix themes; in the others all windows have the target's theme where they can, else its
/// brightness.
const MIXED_THEMES_PER_MILLE: u32 = 300;

/// The window whose theme the windows around the target's should have where they can: the target's, unless the scene
/// mixes.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedTheme<'a>(Option<Theme<'a>>);

#[derive(Clone, Copy, Debug)]
struct Theme<'a> {
    dark: bool,
    family: &'a str,
}

impl<'a> WantedTheme<'a> {
    /// How many distances there are.
    pub(super) const DISTANCES: usize = 3;

    pub(super) fn new(key: SampleKey, target_window: &'a Window) -> Self {
        let mixed = key.stream(Decision::WindowRank, 0).chance(MIXED_THEMES_PER_MILLE);
        Self((!mixed).then(|| Theme { dark: target_window.dark, family: target_window.theme_family() }))
    }

    /// How far a window is from the theme: 0 if it has it, 1 for another theme of the same brightness, 2 for the other
    /// brightness.
    pub(super) fn distance(self, window: &Window) -> u8 {
        let Some(model) = self.0 else { return 0 };
        if window.dark == model.dark { u8::from(window.theme_family() != model.family) } else { 2 }
    }
}
