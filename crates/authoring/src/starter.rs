//! The starter pack: a part of a full pack, small enough to lie in the binary.
//!
//! Pictures, icons and fonts are shared with the full pack; only lists that name what was left out are written anew.
//! Vectors come from the full pack's index, so that no model is needed. The same full pack gives the same starter.

mod choose;

use std::collections::{BTreeMap, BTreeSet};

use ndarray::Array2;
use serde::Serialize;

use windesk_engine::pack::{
    COMPETITOR_FILE, EVIDENCE_FILE, IndexedPack, Pack, PackFiles, TRANSITION_FILE, WORKFLOW_FILE, instruction_file, program_file,
};
use windesk_model::Error;
use windesk_model::index::{SessionIndex, WindowIndex};
use windesk_model::pack_format::{Action, Capture, Icon, Transition, Wallpaper, Workflow};

use super::archive::archived_bytes;
use super::licences::{LICENCE_LIST, LicenceTexts, licence_list};
use crate::drafts::drafts;
use crate::index::build_index;

/// What a starter pack may take.
#[derive(Clone, Copy, Debug)]
pub struct StarterLimits {
    /// Fewest windows; a full pack that can't give them is an error.
    pub min_windows: usize,
    /// Most windows.
    pub max_windows: usize,
    /// Most bytes of the archive.
    pub archive_bytes: u64,
}

impl Default for StarterLimits {
    fn default() -> Self {
        Self { min_windows: 60, max_windows: 110, archive_bytes: 9_000_000 }
    }
}

/// A starter pack by its files.
#[derive(Debug)]
pub struct Starter {
    /// Number of windows.
    pub windows: usize,
    /// Size of the archive.
    pub bytes: u64,
    /// Files of the full pack that it holds unchanged, by path inside both packs.
    pub shared: BTreeSet<String>,
    /// Files of its own, by path inside the pack.
    pub own: BTreeMap<String, Vec<u8>>,
}

impl Starter {
    /// All its files, in memory.
    ///
    /// # Errors
    /// If a file of the full pack can't be read.
    pub fn files(&self, full: &PackFiles) -> Result<PackFiles, Error> {
        let mut files = self.own.clone();
        for name in &self.shared {
            files.insert(name.clone(), full.read(name)?.into_owned());
        }
        Ok(PackFiles::in_memory("starter pack", files))
    }
}

/// Rounds of making the choice smaller until the archive fits.
const MAX_ROUNDS: usize = 8;

/// Chooses windows of a full pack and cuts everything else down to them.
///
/// # Errors
/// If too few windows fit into the limits.
pub fn make_starter(full: &IndexedPack, limits: StarterLimits) -> Result<Starter, Error> {
    let vectors = VectorsByText::of(full)?;
    let mut window_bytes = limits.archive_bytes;
    for _ in 0..MAX_ROUNDS {
        let chosen = choose::windows(full, limits.max_windows, window_bytes)?;
        if chosen.len() < limits.min_windows {
            let found = format!("{} windows within {} bytes", chosen.len(), limits.archive_bytes);
            return Err(Error::file(
                full.files().place(),
                found,
                format!("at least {} windows for a starter pack", limits.min_windows),
            ));
        }
        let starter = cut_down(full, &vectors, &chosen)?;
        match starter.bytes.checked_sub(limits.archive_bytes) {
            None | Some(0) => return Ok(starter),
            Some(excess) => window_bytes = window_bytes.min(choose::bytes_of(full, &chosen)?).saturating_sub(excess),
        }
    }
    let found = format!("more than {} bytes after {MAX_ROUNDS} rounds", limits.archive_bytes);
    Err(Error::file(full.files().place(), found, "a starter pack that fits"))
}

/// Vectors of a full pack by the text that they stand for.
struct VectorsByText<'a> {
    full: &'a IndexedPack,
    rows: BTreeMap<String, usize>,
}

impl<'a> VectorsByText<'a> {
    fn of(full: &'a IndexedPack) -> Result<Self, Error> {
        let index = full.index();
        let drafts = drafts(full);
        let same = drafts.len() == index.targets.len()
            && drafts
                .iter()
                .zip(&index.targets)
                .all(|(d, t)| d.target.instruction == t.instruction && d.target.element == t.element);
        if !same {
            return Err(Error::file(
                full.files().place(),
                "an index that another version made",
                "targets as this version words them",
            )
            .with_hint("run `windesk pack embed` on it again"));
        }
        Ok(Self {
            full,
            rows: drafts.into_iter().zip(&index.targets).map(|(draft, target)| (draft.bare().to_owned(), target.text)).collect(),
        })
    }

    fn of_texts(&self, texts: &[&str]) -> Result<Array2<f32>, Error> {
        let index = self.full.index();
        let mut out = Array2::zeros((texts.len(), index.header.model.dimensions));
        for (mut row, &text) in out.rows_mut().into_iter().zip(texts) {
            // Windows keep their texts whatever lies beside them in a pack.
            let at = self.rows.get(text).ok_or_else(|| Error::file("index", format!("no vector of `{text}`"), "one per text"))?;
            row.assign(&index.vector(*at));
        }
        Ok(out)
    }
}

fn cut_down(full: &IndexedPack, vectors: &VectorsByText<'_>, chosen: &BTreeSet<WindowIndex>) -> Result<Starter, Error> {
    let mut starter = Starter { windows: chosen.len(), bytes: 0, shared: BTreeSet::new(), own: BTreeMap::new() };
    let kept: BTreeSet<&str> = chosen.iter().map(|&w| full.windows[w].id.as_str()).collect();
    let programs: BTreeSet<&str> = chosen.iter().map(|&w| full.program_of(w).record.id.as_str()).collect();
    let mut header = full.header.clone();
    header.name = format!("{}-starter", header.name);
    header.description =
        format!("{} windows of {} {}, for a start without other files", kept.len(), full.header.name, full.header.version);
    starter.own.insert("pack.json".to_owned(), json_line(&header));
    cut_windows(full, &mut starter, &kept, &programs)?;
    cut_workflows(full, &mut starter, &kept)?;
    let (wallpapers, icons) = cut_lists(full, &mut starter, &programs);
    cut_sessions(full, &mut starter, chosen, &programs, &wallpapers);
    let texts = LicenceTexts::of(full.files());
    for (licence, source) in chosen
        .iter()
        .map(|&w| &full.program_of(w).record)
        .map(|r| (&r.licence, &r.package))
        .chain(wallpapers.iter().map(|w| (&w.licence, &w.source)))
        .chain(icons.iter().map(|i| (&i.licence, &i.source)))
        .chain(full.fonts.iter().map(|f| (&f.licence, &f.source)))
    {
        starter.shared.extend(texts.paths(licence, source));
    }
    let bare = Pack::open(starter.files(full.files())?)?;
    let model = full.index().header.model.clone();
    starter.own.extend(build_index(&bare, model, |texts| vectors.of_texts(texts))?);
    starter.own.insert(LICENCE_LIST.to_owned(), licence_list(&bare).into_bytes());
    let files = starter.files(full.files())?;
    for name in files.names() {
        starter.bytes += archived_bytes(files.read(name)?.len() as u64);
    }
    starter.bytes += 2 * 512;
    Ok(starter)
}

/// Captures with their pictures, transitions and instructions; nothing in them names what was left out.
fn cut_windows(full: &Pack, starter: &mut Starter, kept: &BTreeSet<&str>, programs: &BTreeSet<&str>) -> Result<(), Error> {
    for &program in programs {
        starter.shared.insert(format!("windows/{program}/program.json"));
    }
    for &id in kept {
        let name = format!("windows/{id}.json");
        let bytes = full.files().read(&name)?;
        let mut capture: Capture = parse(full, &name, &bytes)?;
        let folder = id.split('/').next().unwrap_or_default();
        for picture in std::iter::once(&capture.image).chain(&capture.inactive) {
            starter.shared.insert(format!("windows/{folder}/{}", picture.file));
        }
        for name in living_files(full, &capture)? {
            starter.shared.insert(format!("windows/{folder}/{name}"));
        }
        let lost = |id: &str| !kept.contains(id);
        let lost_twin = capture.variant_of.take_if(|twin| lost(twin)).is_some();
        let lost_browser = capture.inside.take_if(|inside| lost(&inside.window)).is_some();
        if lost_twin || lost_browser {
            starter.own.insert(name, json_line(&capture));
        } else {
            starter.shared.insert(name);
        }
    }
    for &program in programs {
        let name = format!("windows/{program}/{TRANSITION_FILE}");
        if !full.files().has(&name) {
            continue;
        }
        let bytes = full.files().read(&name)?;
        // Lines as they are written: they have the form of the pack's version.
        let lines = bytes.split(|&b| b == b'\n').filter(|line| !line.is_empty());
        let of_program = full.transitions.iter().filter(|t| t.from.split('/').next() == Some(program));
        let left = lines.clone().zip(of_program).filter(|(_, t)| is_kept(t, kept)).map(|(line, _)| line);
        keep_lines(starter, name, lines.clone().count(), left.collect());
    }
    for part in full.evidence.iter().filter(|part| kept.contains(part.window.as_str())) {
        starter.own.entry(program_file(&part.window, EVIDENCE_FILE)).or_default().extend(json_line(part));
    }
    for &program in programs {
        let name = program_file(program, COMPETITOR_FILE);
        if full.files().has(&name) {
            starter.shared.insert(name);
        }
    }
    let instructions = full.instructions.iter().filter(|i| kept.contains(i.window.as_str())).cloned().map(|mut instruction| {
        instruction.also_fits.retain(|place| place.split('#').next().is_some_and(|w| kept.contains(w)));
        instruction
    });
    for instruction in instructions {
        starter.own.entry(instruction_file(&instruction.window)).or_default().extend(json_line(&instruction));
    }
    Ok(())
}

/// Whether a transition begins and ends at captures that are kept.
fn is_kept(transition: &Transition, kept: &BTreeSet<&str>) -> bool {
    kept.contains(transition.from.as_str()) && transition.to().is_none_or(|to| kept.contains(to))
}

/// What is left of a file of so many lines: the file itself, if that is all of it.
fn keep_lines(starter: &mut Starter, name: String, all: usize, left: Vec<&[u8]>) {
    if left.len() == all {
        starter.shared.insert(name);
    } else if !left.is_empty() {
        starter.own.insert(name, left.iter().flat_map(|line| [line, &b"\n"[..]].concat()).collect());
    }
}

/// The workflows of which every click is left, and what it leads to.
fn cut_workflows(full: &Pack, starter: &mut Starter, kept: &BTreeSet<&str>) -> Result<(), Error> {
    let clicks: BTreeSet<(&str, &str)> = full
        .transitions
        .iter()
        .filter(|t| t.action == Action::Click && is_kept(t, kept))
        .filter_map(|t| Some((t.from.as_str(), t.element.as_deref()?)))
        .collect();
    let names: Vec<String> =
        full.files().names().filter(|name| name.rsplit('/').next() == Some(WORKFLOW_FILE)).map(str::to_owned).collect();
    for name in names {
        let bytes = full.files().read(&name)?;
        let lines = bytes.split(|&b| b == b'\n').filter(|line| !line.is_empty());
        let mut left = Vec::new();
        for line in lines.clone() {
            let workflow: Workflow = parse(full, &name, line)?;
            if workflow.clicks.iter().all(|click| clicks.contains(&(click.page.as_str(), click.element.as_str()))) {
                left.push(line);
            }
        }
        keep_lines(starter, name, lines.count(), left);
    }
    Ok(())
}

/// Names of the files that a capture's living page needs.
fn living_files(full: &Pack, capture: &Capture) -> Result<Vec<String>, Error> {
    let (Some(living), Some(at)) = (&capture.living, full.window_index(&capture.id)) else { return Ok(Vec::new()) };
    let page = full.living_page(at)?.expect("the capture names its file");
    let pictures = living.atlas.iter().chain(page.pictures()).map(|picture| picture.file.clone());
    Ok(std::iter::once(living.file.clone()).chain(pictures).collect())
}

/// The sessions of the windows that are left, with what is left of their programs and wallpapers.
fn cut_sessions(
    full: &Pack,
    starter: &mut Starter,
    chosen: &BTreeSet<WindowIndex>,
    programs: &BTreeSet<&str>,
    wallpapers: &[&Wallpaper],
) {
    let used: BTreeSet<SessionIndex> = chosen.iter().map(|&window| full.windows[window].session).collect();
    for record in used.into_iter().filter_map(|at| full.sessions[at].record.as_ref()) {
        let mut record = record.clone();
        record.shell.pinned.retain(|program| programs.contains(program.as_str()));
        record.wallpapers.retain(|id| wallpapers.iter().any(|kept| kept.id == *id));
        starter.own.insert(format!("sessions/{}.json", record.id), json_line(&record));
    }
}

/// Wallpapers drawn by the project, and others: photographs where there are any.
const WALLPAPERS: (usize, usize) = (3, 2);

/// Small wallpapers, the icons that may be asked for, and the fonts.
fn cut_lists<'a>(full: &'a Pack, starter: &mut Starter, programs: &BTreeSet<&str>) -> (Vec<&'a Wallpaper>, Vec<&'a Icon>) {
    let mut wallpapers: Vec<&Wallpaper> = full.wallpapers.iter().filter(|w| w.default && !w.share_alike).collect();
    let size = |w: &&Wallpaper| full.files().read(&format!("wallpapers/{}", w.file)).map_or(usize::MAX, |b| b.len());
    wallpapers.sort_by_cached_key(size);
    let (drawn, mut packaged): (Vec<&Wallpaper>, Vec<&Wallpaper>) =
        wallpapers.into_iter().partition(|w| w.source.starts_with("scripts/"));
    packaged.sort_by_key(|w| !w.photograph);
    let wallpapers: Vec<&Wallpaper> =
        drawn.into_iter().take(WALLPAPERS.0).chain(packaged.into_iter().take(WALLPAPERS.1)).collect();
    let icons: Vec<&Icon> = full
        .icons
        .iter()
        .filter(|icon| {
            let beside_programs =
                icon.programs.is_empty() || !icon.categories.is_empty() || icon.uses.iter().any(|u| u != "taskbar");
            beside_programs || icon.programs.iter().any(|p| programs.contains(p.as_str()))
        })
        .collect();
    starter.own.insert("wallpapers/wallpapers.json".to_owned(), json_line(&wallpapers));
    starter.own.insert("icons/icons.json".to_owned(), json_line(&icons));
    starter.shared.extend(wallpapers.iter().map(|w| format!("wallpapers/{}", w.file)));
    starter.shared.extend(icons.iter().map(|i| format!("icons/{}", i.file)));
    starter.shared.insert("fonts/fonts.json".to_owned());
    starter.shared.extend(full.fonts.iter().map(|f| format!("fonts/{}", f.file)));
    (wallpapers, icons)
}

fn parse<T: serde::de::DeserializeOwned>(pack: &Pack, name: &str, bytes: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(bytes).map_err(|e| Error::file(pack.files().full_name(name), e, "the form described in docs/pack.md"))
}

fn json_line(value: impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(&value).expect("plain data");
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use windesk::default_pack::open_starter;
    use windesk_model::condition::SessionsKnob;
    use windesk_model::pack_format::Category;

    #[test]
    fn the_pack_inside_the_binary_is_a_starter_pack() {
        let pack = open_starter().and_then(Pack::indexed).expect("run `windesk pack starter assets`");
        let limits = StarterLimits::default();
        assert!((limits.min_windows..=limits.max_windows).contains(&pack.windows.len()), "{} windows", pack.windows.len());
        let categories: BTreeSet<Category> = pack.programs.iter().map(|p| p.record.category).collect();
        assert_eq!(categories.len(), Category::ALL.len());
        for (what, count) in [
            ("dark", pack.windows.iter().filter(|w| w.dark).count()),
            ("light", pack.windows.iter().filter(|w| !w.dark).count()),
            ("popups", pack.windows.iter().filter(|w| w.has_popup()).count()),
            ("dialogs with their parent", pack.windows.iter().filter(|w| w.parent.is_some()).count()),
            ("transitions", pack.transitions.len()),
            ("workflows", pack.workflows().expect("checked when it was made").list.len()),
            ("wallpapers", pack.wallpapers.len().saturating_sub(3)),
        ] {
            assert!(count >= 1, "no {what}");
        }
        let index = pack.index();
        let with_five = index.targets.keys().filter(|&t| index.neighbours(t, SessionsKnob::One).len() >= 5).count();
        assert!(with_five * 100 >= index.targets.len() * 95, "{with_five} of {} have five neighbours", index.targets.len());
        assert_eq!(super::super::licences::check_licence_list(&pack), []);
    }
}
