//! What all probes of a run share: icons, wallpapers, fonts, and what was drawn before.

use std::sync::Arc;

use windesk_model::Error;
use windesk_model::desktop::button_names;
use windesk_model::digest::hex_digest;
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::icon_probe::Tile;
use windesk_model::key::{Decision, SampleKey};
use windesk_model::pack_format::ShellKind;
use windesk_model::spelling::nearest;

use super::contrast::luminance;
use super::design::{ProbeCondition, ProbeStudy, Similar};
use super::folder::FolderIcons;
use super::library::{IconSet, SHIPPED};
use super::meaning::by_meaning;
use super::raster::{Rasteriser, SOLID_ALPHA, Sprite};
use super::similarity::{Neighbours, by_appearance};
use crate::pack::{Pack, normalised_name};
use crate::render::{Frame, Renderer};

/// What all probes of a run share.
pub struct ProbeAssets<'p> {
    /// The pack.
    pub pack: &'p Pack,
    /// The icons.
    pub set: IconSet,
    /// Draws wallpapers and panels.
    pub renderer: Renderer<'p>,
    pub(super) rasteriser: Rasteriser,
    look: Neighbours,
    meaning: Neighbours,
    default_wallpapers: Vec<String>,
    /// Names that the taskbar shows too.
    forbidden: Vec<bool>,
}

/// What icons lie on.
pub(super) struct Ground {
    /// The same for the same pixels.
    pub(super) id: (String, Option<Rect>),
    pub(super) wallpaper: String,
    pub(super) frame: Arc<Frame>,
}

impl<'p> ProbeAssets<'p> {
    /// Reads what a study needs. `own` are a user's icons, for the library `folder`.
    ///
    /// # Errors
    /// If the pack lacks a library, a wallpaper or vectors that the study needs, or has too few icons for it.
    pub fn new(pack: &'p Pack, study: &ProbeStudy, own: Option<FolderIcons>) -> Result<Self, Error> {
        let first = &study.conditions[0];
        let mut set = match own {
            Some(own) => own.set,
            None => IconSet::of_pack(pack, &libraries(&first.library)?)?,
        };
        if let Some(style) = &first.style {
            set = set.of_style(style).map_err(|known| {
                Error::config(
                    format!("style {style}"),
                    format!("the library {} has {known}, expected one of them", first.library),
                )
            })?;
        }
        let buttons = if first.chrome.has_bars() { button_names(ShellKind::Taskbar) } else { Vec::new() };
        let taskbar: Vec<String> = buttons.into_iter().map(normalised_name).collect();
        let forbidden: Vec<bool> =
            set.icons.iter().map(|icon| icon.names().any(|name| taskbar.contains(&normalised_name(name)))).collect();
        let usable = forbidden.iter().filter(|f| !**f).count();
        if usable < study.room.icons as usize + 1 {
            let problem =
                format!("found {usable} icons, expected at least {}: one more than a scene shows", study.room.icons + 1);
            return Err(Error::config(format!("library {}", first.library), problem).with_hint("option `icons` asks for fewer"));
        }
        let needs = |by: Similar| study.conditions.iter().any(|c| c.distractors.by == by);
        let look = if needs(Similar::Look) { by_appearance(&set) } else { Vec::new() };
        let meaning = if needs(Similar::Meaning) { by_meaning(pack, &set)? } else { Vec::new() };
        if needs(Similar::Twin) && (0..set.icons.len()).all(|icon| set.twins(icon).is_empty()) {
            let problem = "has no two icons of one name, one in a single colour and one in many, expected library `mixed`";
            return Err(Error::config(format!("library {}", first.library), problem));
        }
        for id in study.conditions.iter().flat_map(|c| &c.wallpapers) {
            if !pack.wallpapers.iter().any(|w| w.id == *id) {
                let known = pack.wallpapers.iter().map(|w| w.id.as_str());
                let error = Error::config(
                    format!("wallpaper {id}"),
                    format!("expected one of {}", known.clone().collect::<Vec<_>>().join(", ")),
                );
                return Err(match nearest(id, known) {
                    Some(near) => error.with_hint(format!("did you mean {near}?")),
                    None => error,
                });
            }
        }
        let default_wallpapers: Vec<String> =
            pack.wallpapers.iter().filter(|w| w.default && !w.share_alike).map(|w| w.id.clone()).collect();
        if default_wallpapers.is_empty() {
            let place = pack.files().full_name("wallpapers/wallpapers.json");
            return Err(Error::file(&place, "no default wallpaper", "at least one"));
        }
        Ok(Self {
            pack,
            renderer: Renderer::new(pack)?,
            rasteriser: Rasteriser::default(),
            set,
            look,
            meaning,
            default_wallpapers,
            forbidden,
        })
    }

    /// Wallpapers that a condition may use.
    pub(super) fn wallpapers<'a>(&'a self, condition: &'a ProbeCondition) -> &'a [String] {
        if condition.wallpapers.is_empty() { &self.default_wallpapers } else { &condition.wallpapers }
    }

    /// Whether the run can use this wallpaper.
    pub fn uses_wallpaper(&self, study: &ProbeStudy, id: &str) -> bool {
        study.conditions.iter().any(|c| self.wallpapers(c).iter().any(|w| w == id))
    }

    /// The wallpaper with a panel on it.
    pub(super) fn ground(&self, wallpaper: &str, canvas: Size, panel: Option<Rect>) -> Result<Ground, Error> {
        let bare = self.renderer.wallpaper(wallpaper, canvas)?;
        let frame = match panel {
            None => bare,
            Some(panel) => {
                let mut frame = (*bare).clone();
                crate::render::fill_panel(&mut frame, panel);
                Arc::new(frame)
            }
        };
        Ok(Ground { id: (wallpaper.to_owned(), panel), wallpaper: wallpaper.to_owned(), frame })
    }

    /// What an icon lies on under a condition: its own choice, or what suits the library.
    pub(super) fn tile(&self, condition: &ProbeCondition, icon: usize) -> Tile {
        condition.tile.unwrap_or_else(|| match self.set.icons[icon].library.as_str() {
            "glyph" | "familiar" => Tile::Rounded,
            _ => Tile::None,
        })
    }

    /// All usable icons in the key's order; a larger library extends a smaller one.
    pub(super) fn ranked(&self, key: SampleKey, decision: Decision) -> Vec<usize> {
        let mut icons: Vec<usize> = (0..self.set.icons.len()).filter(|&icon| !self.forbidden[icon]).collect();
        icons.sort_by_cached_key(|&icon| key.rank(decision, self.set.icons[icon].stable_id));
        icons
    }

    /// Icons most similar to one, most similar first.
    pub(super) fn neighbours(&self, by: Similar, icon: usize) -> &[(usize, f64)] {
        let lists = if by == Similar::Meaning { &self.meaning } else { &self.look };
        lists.get(icon).map_or(&[], Vec::as_slice)
    }

    /// Mean luminance of the ground under an icon's solid pixels.
    pub(super) fn mean_luminance(&self, ground: &Ground, sprite: &Sprite, origin: Point) -> u32 {
        let (mut sum, mut count) = (0_u64, 0_u64);
        let bounds = ground.frame.size.rect();
        for (at, _) in sprite.rgba.iter().enumerate().filter(|(_, p)| p[3] >= SOLID_ALPHA) {
            let p = Point { x: origin.x + at as i32 % sprite.side, y: origin.y + at as i32 / sprite.side };
            if bounds.contains(p) {
                let at = (p.y * bounds.width() + p.x) as usize * 3;
                sum += u64::from(luminance([ground.frame.rgb[at], ground.frame.rgb[at + 1], ground.frame.rgb[at + 2]]));
                count += 1;
            }
        }
        (sum / count.max(1)) as u32
    }

    /// SHA-256 over pack and icons.
    pub fn digest(&self) -> String {
        hex_digest(format!("{} {}", self.pack.digest, self.set.digest).as_bytes())
    }
}

/// The libraries that a choice stands for.
fn libraries(choice: &str) -> Result<Vec<&str>, Error> {
    if choice == "mixed" {
        return Ok(SHIPPED.to_vec());
    }
    match SHIPPED.iter().find(|known| **known == choice) {
        Some(known) => Ok(vec![known]),
        None => {
            let error = Error::config(
                format!("library {choice}"),
                format!("expected {}, mixed, or a folder of SVG and PNG files", SHIPPED.join(", ")),
            );
            Err(match nearest(choice, SHIPPED.into_iter().chain(["mixed"])) {
                Some(near) => error.with_hint(format!("did you mean {near}?")),
                None => error,
            })
        }
    }
}
