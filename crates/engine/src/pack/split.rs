//! The part of a pack that scenes of a split are made of.

use std::collections::{BTreeSet, HashMap};

use typed_index_collections::TiVec;

use windesk_model::Error;
use windesk_model::index::{ProgramIndex, TargetIndex, WindowIndex};
use windesk_model::pack_format::Wallpaper;
use windesk_model::split::Split;
use windesk_model::words::words_of;

use super::index::Index;
use super::later::Later;
use super::living::PageCache;
use super::near_words::NearWords;
use super::shown::ComposedCache;
use super::{IndexedPack, Pack, Program, Target, Window};

impl IndexedPack {
    /// The part of the pack that scenes of a split are made of. Its digest stays that of the whole pack, whose part it
    /// is.
    ///
    /// No question of one part is nearly one of the other, so that nothing of a test is trained on: an element with a
    /// name that programs of both parts have (the File menu, Cancel in a file dialog) is asked in one of them, which
    /// its name alone decides; and [`Split::Train`] asks no sentence in nearly the words of one of [`Split::Test`].
    /// Similar elements are ranked anew, among the programs that are left. Taskbar and desktop icons are no programs:
    /// both parts show them.
    ///
    /// # Errors
    /// If no program or no wallpaper is left.
    pub fn restricted_to(self, split: Split) -> Result<Self, Error> {
        let asked = self.asked_in(split);
        let Self { pack: whole, index } = self;
        let own = |program: &Program| Split::of_program(&program.record.id) == split;
        let programs: TiVec<ProgramIndex, ProgramIndex> = whole.programs.keys().filter(|&p| own(&whole.programs[p])).collect();
        let wallpapers: Vec<Wallpaper> =
            whole.wallpapers.iter().filter(|w| Split::of_wallpaper(&w.id) == split).cloned().collect();
        if programs.is_empty() || wallpapers.is_empty() {
            let found = format!("{} programs and {} wallpapers for split `{}`", programs.len(), wallpapers.len(), split.name());
            return Err(Error::file(whole.files.place(), found, "at least one of each")
                .with_hint("packs with few programs can't be split"));
        }
        let kept: TiVec<WindowIndex, WindowIndex> =
            whole.windows.keys().filter(|&w| programs.contains(&whole.windows[w].program)).collect();
        let new_window = |old: WindowIndex| kept.binary_search(&old).ok();
        let windows: TiVec<WindowIndex, Window> = kept
            .iter()
            .map(|&at| {
                let window = whole.windows[at].clone();
                Window {
                    program: programs.binary_search(&window.program).expect("its program is kept"),
                    parent: window.parent.and_then(|(parent, offset)| Some((new_window(parent)?, offset))),
                    inside: window.inside.and_then(|(browser, at)| Some((new_window(browser)?, at))),
                    variant_of: window.variant_of.and_then(new_window),
                    ..window
                }
            })
            .collect();
        let window_by_id = windows.iter_enumerated().map(|(at, w)| (w.id.clone(), at)).collect();
        let is_kept = |id: &str| whole.window_by_id.get(id).is_some_and(|&w| new_window(w).is_some());
        let programs = programs.iter().map(|&p| &whole.programs[p]);
        let targets = index
            .targets
            .iter_enumerated()
            .filter_map(|(at, t)| Some((new_window(t.window)?, asked.contains(&at), t)))
            .map(|(window, is_asked, t)| Target { window, is_asked: is_asked && t.is_asked, ..t.clone() })
            .collect();
        let instructions: Later<Vec<_>> = whole.instructions.iter().filter(|i| is_kept(&i.window)).cloned().collect();
        let part = Pack {
            programs: programs
                .map(|p| Program { windows: p.windows.iter().filter_map(|&w| new_window(w)).collect(), ..p.clone() })
                .collect(),
            transitions: whole.transitions.iter().filter(|t| is_kept(&t.from) && t.to().is_none_or(is_kept)).cloned().collect(),
            evidence: whole.evidence.iter().filter(|e| is_kept(&e.window)).cloned().collect(),
            competitors: whole.competitors,
            sessions: whole.sessions,
            has_instructions: !instructions.is_empty(),
            instructions,
            wallpapers,
            cache: whole.cache.emptied(windows.len()),
            windows,
            window_by_id,
            index: None,
            split: Some(split),
            size_of_whole: whole.size_of_whole,
            header: whole.header,
            digest: whole.digest,
            icons: whole.icons,
            fonts: whole.fonts,
            windows_digest: whole.windows_digest,
            files: whole.files,
            pages: PageCache::default(),
            composed: ComposedCache::default(),
            pointers: whole.pointers,
        };
        let titles = kept.iter().map(|&window| index.title(window).cloned()).collect();
        let index = Index::of_part(&index, &part, targets, titles);
        Ok(Self::new(part, index))
    }

    /// The targets that scenes of a part ask for.
    fn asked_in(&self, split: Split) -> BTreeSet<TargetIndex> {
        let targets = &self.index.targets;
        let program_side = |target: &Target| Split::of_program(&self.program_of(target.window).record.id);
        let names: TiVec<TargetIndex, Option<&str>> = targets.iter().map(|target| self.index.name_of(target)).collect();
        let mut sides: HashMap<&str, BTreeSet<Split>> = HashMap::new();
        for (name, target) in names.iter().zip(targets) {
            if let &Some(name) = name {
                sides.entry(name).or_default().insert(program_side(target));
            }
        }
        let may_stay = |at: TargetIndex, side: Split| {
            program_side(&targets[at]) == side
                && names[at].is_none_or(|name| sides[name].len() == 1 || Split::of_shared(name) == side)
        };
        let own = targets.keys().filter(|&at| may_stay(at, split));
        if split == Split::Test {
            return own.collect();
        }
        let words = |at: TargetIndex| targets[at].sentences.iter().map(|sentence| words_of(sentence).collect());
        let tested: Vec<BTreeSet<String>> = targets.keys().filter(|&at| may_stay(at, Split::Test)).flat_map(words).collect();
        let tested = NearWords::new(&tested);
        own.filter(|&at| words(at).all(|words: BTreeSet<String>| tested.near(&words).is_empty())).collect()
    }
}
