//! What a reader must see to know each target, found when the index is made: by geometry, by the accessibility tree and
//! by the ink of the pictures. Lines of `evidence.jsonl` go before what is found.

mod ink;
mod landmarks;
mod own;
mod sentences;
mod title;

use std::collections::{BTreeMap, BTreeSet};

use windesk_engine::pack::{Draft, EvidencePart, Pack, Target, Titles, Window, normalised_name};
use windesk_model::Error;
use windesk_model::index::{ElementIndex, WindowIndex};
use windesk_model::instruction::{InstructionSource, Wording};
use windesk_model::pack_format::{Evidence, EvidenceKind, InstructionStyle};

use ink::Picture;
pub(crate) use sentences::sentences;

/// Longest title that words name, in characters.
const MAX_TITLE_CHARS: usize = 48;
/// How much of the parent's title, in percent, a dialog may cover so that the title can still be read.
const MAX_COVERED_PERCENT: u64 = 10;

/// The landmarks that each sentence about a target names.
type Marks = [Vec<ElementIndex>];

/// Adds to targets what a reader of their words must see, and says how they may be asked for. Gives the titles of all
/// windows.
///
/// # Errors
/// If a picture can't be read.
pub(crate) fn describe(pack: &Pack, drafts: &mut [Draft]) -> Result<Titles, Error> {
    let mut titles: Titles = vec![None; pack.windows.len()].into();
    let stated = stated(pack);
    let styles: BTreeMap<(&str, &str), InstructionStyle> =
        pack.instructions.iter().filter(|i| i.is_asked()).map(|i| ((i.window.as_str(), i.element.as_str()), i.style)).collect();
    let mut rest = drafts.iter_mut().peekable();
    for (at, window) in pack.windows.iter_enumerated() {
        let picture = Picture::of(pack, at)?;
        titles[at] = title::shown_title(window, &picture, &pack.program_of(at).record.name);
        while let Some(draft) = rest.next_if(|draft| draft.target.window == at) {
            let target = &mut draft.target;
            let id = (window.id.as_str(), window.elements[target.element].id.as_str());
            let style = styles.get(&id).filter(|_| target.source == InstructionSource::Reviewed);
            target.by_place = style == Some(&InstructionStyle::Position);
            let marks: Vec<_> =
                target.sentences.iter().map(|sentence| landmarks::landmarks(window, target.element, sentence)).collect();
            target.evidence = found(window, target.element, &marks, &picture);
            // Names of a tree that nobody sees: a reader can't know what they mean. People's words were read by others.
            target.is_asked =
                target.source == InstructionSource::Reviewed || shows_what_it_names(window, target.element, &marks, &picture);
            if let Some(lines) = stated.get(&id) {
                overrule(target, lines);
            }
        }
    }
    for draft in drafts {
        draft.target.wordings = wordings(pack, &titles, &draft.target);
    }
    Ok(titles)
}

fn stated(pack: &Pack) -> BTreeMap<(&str, &str), Vec<&Evidence>> {
    let mut stated: BTreeMap<(&str, &str), Vec<&Evidence>> = BTreeMap::new();
    for line in &pack.evidence {
        stated.entry((&line.window, &line.element)).or_default().push(line);
    }
    stated
}

/// Whether a window shows the name of a target, and those of all landmarks that its sentences name.
fn shows_what_it_names(window: &Window, at: ElementIndex, marks: &Marks, picture: &Picture) -> bool {
    let landmarks = marks.iter().flatten().copied();
    std::iter::once(at).chain(landmarks).all(|element| own::shows_name(window, element, picture))
}

/// What geometry, tree and ink tell.
fn found(window: &Window, at: ElementIndex, marks: &Marks, picture: &Picture) -> Vec<EvidencePart> {
    let mut parts = vec![own::own_part(window, at, picture)];
    let all: BTreeSet<ElementIndex> = marks.iter().flatten().copied().collect();
    for element in all {
        let bbox = own::own_part(window, element, picture).bbox;
        let part = EvidencePart { kind: EvidenceKind::Landmark, bbox, by_parent: false, variant: None };
        if marks.iter().all(|marks| marks.contains(&element)) {
            parts.push(part);
            continue;
        }
        let variants = (0..).zip(marks).filter(|(_, marks)| marks.contains(&element));
        parts.extend(variants.map(|(variant, _)| EvidencePart { variant: Some(variant), ..part.clone() }));
    }
    parts
}

/// Puts what somebody stated in the place of what was found of the same kinds.
fn overrule(target: &mut Target, lines: &[&Evidence]) {
    let kinds: BTreeSet<EvidenceKind> = lines.iter().map(|line| line.kind).collect();
    let is_own = |kind: EvidenceKind| !matches!(kind, EvidenceKind::Landmark | EvidenceKind::Title);
    let own_stated = kinds.iter().any(|&kind| is_own(kind));
    target.evidence.retain(|part| !(kinds.contains(&part.kind) || own_stated && is_own(part.kind)));
    for line in lines {
        let variant = match &line.wording {
            None => None,
            Some(text) => match target.sentences.iter().position(|sentence| sentence == text) {
                Some(variant) => Some(variant as u32),
                // Words that are no longer asked need nothing.
                None => continue,
            },
        };
        target.evidence.push(EvidencePart { kind: line.kind, bbox: line.bbox, by_parent: line.shown_by.is_some(), variant });
    }
}

/// How a target may be asked for: briefly if the pack allows it, and with what a title bar shows.
fn wordings(pack: &Pack, titles: &Titles, target: &Target) -> Vec<Wording> {
    let window = &pack.windows[target.window];
    let own = titles[target.window].as_ref();
    let parent = window.parent.and_then(|(parent, _)| titles[parent].as_ref());
    let names_program = own.is_some_and(|title| title.program.is_some())
        || parent.and_then(|title| title.program).is_some_and(|bbox| !is_covered(pack, target.window, bbox));
    let plain = |title: &str| title.chars().count() <= MAX_TITLE_CHARS && !title.contains(['\u{201c}', '\u{201d}', '"']);
    let unlike_parent = |title: &str| parent.is_none_or(|parent| normalised_name(&parent.text) != normalised_name(title));
    let names_window = own.is_some_and(|title| plain(&title.text) && unlike_parent(&title.text));
    let may = |wording: &Wording| match wording {
        Wording::Brief => target.wording == Wording::Brief,
        Wording::InContext => names_program,
        Wording::InWindow => names_window,
    };
    Wording::ALL.into_iter().filter(may).collect()
}

/// Whether a dialog lies over a part of its parent's picture.
fn is_covered(pack: &Pack, dialog: WindowIndex, bbox: windesk_model::geometry::Rect) -> bool {
    let window = &pack.windows[dialog];
    let Some((parent, offset)) = window.parent else { return false };
    let corner = pack.windows[parent].frame.origin() + offset;
    let frame = window.frame.moved(corner - window.frame.origin());
    frame.intersection(bbox).is_some_and(|covered| covered.area() * 100 > bbox.area() * MAX_COVERED_PERCENT)
}
