//! A page with all that its states are made of: its lines sorted for quick finding, its transitions, and its pictures,
//! which are prepared when they are first needed.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use windesk_model::Error;
use windesk_model::geometry::{Rect, Size};
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::living::{self as format, ControlType, InactiveLook, PATCH_VERSION, Rule, Value};
use windesk_model::pack_format::{Outcome, Picture, Transition};

use super::super::pixels::Pixels;
use super::super::window_pixels::{Focus, decode};
use super::super::{Pack, Window};
use super::LivingPage;
use super::blend::Raster;

/// Most bytes of pages' own looks at a time, decoded.
const MAX_LOOK_BYTES: u64 = 16 << 20;
/// Most bytes of what holds their other pictures: little where those are in files.
const MAX_SHEET_BYTES: u64 = 32 << 20;
/// Most lines of living files that are kept at a time. Reading one again takes far longer than looking for it, and
/// pages are small beside their pictures.
const MAX_LINES: u64 = 200_000;
/// What sheets are kept as, beside what they are made from: windows' pictures are kept with more.
const SHEET: &str = "sheet";
/// How many pages the caches make room for at first.
const USUAL_PAGES: usize = 64;

/// A page that can be composed and acted on. Any window is one; what it can do says its living file and its
/// transitions.
#[derive(Debug)]
pub struct Living {
    /// The window as it was captured.
    pub window: Window,
    /// Its index in the pack.
    pub index: WindowIndex,
    /// Its living file; without controls if it has none.
    pub page: LivingPage,
    /// The transitions that begin at it.
    pub transitions: Vec<Arc<Transition>>,
    pub(super) places: Places,
    /// Pages to which transitions carry its values, by their captures' ids; those to which they lead in turn are left
    /// out.
    pub(super) others: BTreeMap<String, Living>,
    /// Controls that clicks change at once, when somebody has asked for them.
    pub(super) together: OnceLock<Vec<Together>>,
}

/// Where things stand in the lines of a page.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Controls by id.
    pub(super) control: BTreeMap<String, usize>,
    /// Patches of each control.
    pub(super) patches: Vec<Vec<usize>>,
    /// Derived controls with the rules that they follow from, each after those that it follows from.
    pub(super) derived: Vec<(usize, Vec<usize>)>,
    /// Rules that say of each control when it takes input.
    pub(super) enables: Vec<Vec<usize>>,
    /// Controls of each group.
    pub(super) groups: BTreeMap<String, Vec<usize>>,
    /// Pairs of colours, sorted by the active one.
    pub(super) colours: Vec<[[u8; 3]; 2]>,
}

/// Controls that clicks change at once, some of which nothing changes by itself.
#[derive(Debug)]
pub(super) struct Together {
    /// Their ids.
    pub(super) members: Vec<String>,
    /// What they can be at the same time, as captured first. Values lie in the order of the members.
    pub(super) combinations: Vec<Vec<Value>>,
}

/// Pictures that parts of a page come from. They are prepared as those of windows are, so that what a state needs is
/// read without the rest.
#[derive(Debug)]
pub(in crate::pack) struct Sheets {
    pub(super) atlas: Option<Pixels>,
    /// Content of each scroll area, and its look without the focus where that is another.
    pub(super) contents: Vec<(Pixels, Option<Pixels>)>,
}

impl Sheets {
    pub(in crate::pack) fn all(&self) -> impl Iterator<Item = &Pixels> {
        let contents = self.contents.iter().flat_map(|(content, inactive)| std::iter::once(content).chain(inactive));
        self.atlas.iter().chain(contents)
    }
}

impl Living {
    fn new(window: Window, index: WindowIndex, page: LivingPage, transitions: Vec<Arc<Transition>>) -> Self {
        let places = Places::of(&page);
        Self { window, index, page, transitions, places, others: BTreeMap::new(), together: OnceLock::new() }
    }

    /// The page's own look, kept under a budget.
    pub(in crate::pack) fn base(&self, pack: &Pack, focus: Focus) -> Result<Arc<Raster>, Error> {
        // Where the focus makes no difference, there is one look.
        let focus = if self.window.inactive.is_some() { focus } else { Focus::Active };
        pack.pages.looks.get_or_insert_with(&(self.index, focus), || {
            let rgba = pack.rgba_of(self.index, focus, self.bounds())?;
            Ok(Arc::new(Raster { size: self.window.size, rgba }))
        })
    }

    /// The other pictures, prepared at first use.
    pub(in crate::pack) fn sheets(&self, pack: &Pack) -> Result<Arc<Sheets>, Error> {
        pack.pages.sheets.get_or_insert_with(&self.index, || Ok(Arc::new(self.prepared(pack)?)))
    }

    fn prepared(&self, pack: &Pack) -> Result<Sheets, Error> {
        let decoded = |picture: &Picture, size: Size| decode(pack, &self.window.id, picture, size);
        let atlas = self.window.living.as_ref().and_then(|living| living.atlas.as_ref());
        let atlas = atlas.and_then(|atlas| {
            atlas.size.map(|size| pack.kept_picture(&[SHEET, &atlas.sha256], size, false, || decoded(atlas, size)))
        });
        let contents = self.page.scroll_areas.iter().map(|area| {
            let picture = &area.content;
            let size = picture.size.expect("a living page that can be read names it");
            let content = pack.kept_picture(&[SHEET, &picture.sha256], size, false, || decoded(picture, size))?;
            let inactive = area.inactive.as_ref().map(|delta| {
                pack.kept_picture(&[SHEET, &picture.sha256, &delta.sha256], size, false, || {
                    let mut changed = decoded(delta, size)?;
                    changed.iter_mut().zip(decoded(picture, size)?).for_each(|(byte, active)| *byte = byte.wrapping_add(active));
                    Ok(changed)
                })
            });
            Ok((content, inactive.transpose()?))
        });
        Ok(Sheets { atlas: atlas.transpose()?, contents: contents.collect::<Result<_, Error>>()? })
    }

    /// Lines that it holds, each for what it names.
    fn lines(&self) -> u64 {
        let page = &self.page;
        let of_patches = page.patches.iter().map(|patch| 1 + patch.elements.len() + patch.added.len() + patch.areas.len());
        let of_popups = page.popups.iter().map(|popup| 1 + popup.elements.len());
        let of_areas = page.scroll_areas.iter().map(|area| 1 + area.elements.len());
        let plain =
            [page.controls.len(), page.layers.len(), page.rules.len(), self.transitions.len(), self.window.elements.len()];
        let others: u64 = self.others.values().map(Self::lines).sum();
        of_patches.chain(of_popups).chain(of_areas).chain(plain).sum::<usize>() as u64 + others
    }

    /// The page that transitions carry its values to, by its capture's id.
    pub fn other(&self, id: &str) -> Option<&Self> {
        self.others.get(id)
    }

    /// The index of a control.
    pub(super) fn control_index(&self, id: &str) -> Option<usize> {
        self.places.control.get(id).copied()
    }

    /// The box of the page's picture.
    pub(super) fn bounds(&self) -> Rect {
        self.window.size.rect()
    }
}

impl Places {
    fn of(page: &LivingPage) -> Self {
        let control: BTreeMap<String, usize> = page.controls.iter().enumerate().map(|(at, c)| (c.id.clone(), at)).collect();
        let mut patches = vec![Vec::new(); page.controls.len()];
        for (at, patch) in page.patches.iter().enumerate() {
            patches[control[&patch.control]].push(at);
        }
        let mut enables = vec![Vec::new(); page.controls.len()];
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, rule) in page.rules.iter().enumerate() {
            if let Rule::Enables { controls, .. } = rule {
                controls.iter().for_each(|id| enables[control[id]].push(at));
            }
        }
        for (at, line) in page.controls.iter().enumerate() {
            if let Some(group) = &line.group {
                groups.entry(group.clone()).or_default().push(at);
            }
        }
        let mut colours = match &page.page.inactive {
            InactiveLook::Colours { pairs } => pairs.iter().map(|pair| pair.map(|colour| colour.0)).collect(),
            InactiveLook::Same {} | InactiveLook::Captured {} => Vec::new(),
        };
        colours.sort_unstable();
        let mut follows: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, rule) in page.rules.iter().enumerate() {
            if let Rule::Derived { control: id, .. } = rule {
                follows.entry(control[id]).or_default().push(at);
            }
        }
        let order = derived_in_order(page, &control).into_iter();
        let derived = order.map(|at| (at, follows.remove(&at).unwrap_or_default())).collect();
        Self { control, patches, derived, enables, groups, colours }
    }
}

/// Derived controls, each after the derived ones that its rules look at. There is no cycle in a page that can be read.
fn derived_in_order(page: &LivingPage, control: &BTreeMap<String, usize>) -> Vec<usize> {
    let is_derived = |at: usize| page.controls[at].kind == ControlType::Derived;
    let mut needs: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for rule in &page.rules {
        if let Rule::Derived { control: id, test, .. } = rule {
            let looked_at = test.controls().into_iter().map(|id| control[id]).filter(|&at| is_derived(at));
            needs.entry(control[id]).or_default().extend(looked_at);
        }
    }
    let mut order = Vec::new();
    let mut done = vec![false; page.controls.len()];
    for start in (0..page.controls.len()).filter(|&at| is_derived(at)) {
        let mut path = vec![(start, 0)];
        while let Some(&mut (at, ref mut next)) = path.last_mut() {
            let need = needs.get(&at).and_then(|needs| needs.get(*next)).copied();
            *next += 1;
            match need {
                Some(need) if !done[need] => path.push((need, 0)),
                Some(_) => {}
                None => {
                    path.pop();
                    if !std::mem::replace(&mut done[at], true) {
                        order.push(at);
                    }
                }
            }
        }
    }
    order
}

/// Pages and pictures of pages that were used last, each under a budget of their own.
#[derive(Debug)]
pub(in crate::pack) struct PageCache {
    pages: Cache<WindowIndex, Arc<Living>, Weight>,
    looks: Cache<(WindowIndex, Focus), Arc<Raster>, Weight>,
    sheets: Cache<WindowIndex, Arc<Sheets>, Weight>,
}

#[derive(Clone, Debug)]
struct Weight;

impl Weighter<WindowIndex, Arc<Living>> for Weight {
    fn weight(&self, _: &WindowIndex, living: &Arc<Living>) -> u64 {
        living.lines().max(1)
    }
}

impl Weighter<(WindowIndex, Focus), Arc<Raster>> for Weight {
    fn weight(&self, _: &(WindowIndex, Focus), look: &Arc<Raster>) -> u64 {
        look.rgba.len() as u64
    }
}

impl Weighter<WindowIndex, Arc<Sheets>> for Weight {
    fn weight(&self, _: &WindowIndex, sheets: &Arc<Sheets>) -> u64 {
        1 + sheets.all().map(|pixels| pixels.held_bytes() as u64).sum::<u64>()
    }
}

impl Default for PageCache {
    fn default() -> Self {
        // One shard: the budget is for all pages, wherever they hash to.
        let options = |most: u64| {
            let options = OptionsBuilder::new().shards(1).estimated_items_capacity(USUAL_PAGES).weight_capacity(most).build();
            options.expect("all that must be given is given")
        };
        let hash = DefaultHashBuilder::default;
        Self {
            pages: Cache::with_options(options(MAX_LINES), Weight, hash(), DefaultLifecycle::default()),
            looks: Cache::with_options(options(MAX_LOOK_BYTES), Weight, hash(), DefaultLifecycle::default()),
            sheets: Cache::with_options(options(MAX_SHEET_BYTES), Weight, hash(), DefaultLifecycle::default()),
        }
    }
}

impl PageCache {
    /// Forgets what is kept of pictures: one of them was lost.
    pub(in crate::pack) fn forget_pictures(&self) {
        self.sheets.retain(|_, _| false);
    }
}

impl LivingPage {
    /// The page of a window without a living file: nothing on it can be set.
    fn captured(window: &Window) -> Self {
        let coverage = format::Coverage { elements: 0, known: 0 };
        let focused = |state: &windesk_model::pack_format::State| state.get("focused") == Some(&serde_json::Value::Bool(true));
        let focus_home = window.elements.iter().find(|element| focused(&element.state)).map(|element| element.id.clone());
        let page = format::LivingPage {
            patch_version: PATCH_VERSION,
            page: window.id.clone(),
            inactive: InactiveLook::Same {},
            focus_home,
            volatile: Vec::new(),
            coverage,
        };
        Self {
            page,
            controls: Vec::new(),
            patches: Vec::new(),
            layers: Vec::new(),
            rules: Vec::new(),
            popups: Vec::new(),
            scroll_areas: Vec::new(),
            glyphs: Vec::new(),
        }
    }
}

impl Pack {
    /// A window as a page that can be composed and acted on; its files are read at first use, and kept under a budget.
    ///
    /// # Errors
    /// Those of [`Pack::living_page`] and [`Pack::transitions_of`].
    pub fn living(&self, window: WindowIndex) -> Result<Arc<Living>, Error> {
        self.pages.pages.get_or_insert_with(&window, || {
            let mut living = self.page_alone(window)?;
            for to in living.transitions.iter().flat_map(|t| &t.outcomes).filter_map(Outcome::carried_to) {
                if !living.others.contains_key(to) {
                    let other = self.window_index(to).expect("transitions of a pack that can be opened lead to its windows");
                    living.others.insert(to.to_owned(), self.page_alone(other)?);
                }
            }
            Ok(Arc::new(living))
        })
    }

    /// A window as a page, without those that it carries values to.
    fn page_alone(&self, window: WindowIndex) -> Result<Living, Error> {
        let page = self.living_page(window)?;
        let transitions = self.transitions_of(window, page.as_ref())?;
        let record = self.windows[window].clone();
        let page = page.unwrap_or_else(|| LivingPage::captured(&record));
        Ok(Living::new(record, window, page, transitions))
    }
}
