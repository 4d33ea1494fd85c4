//! Sheets of similar distractors: a target beside what a scene would show as similar to it, the rank hidden from the
//! reader.

use serde::Serialize;

use windesk_engine::pack::{Focus, IndexedPack};
use windesk_files::StagedFolder;
use windesk_model::Error;
use windesk_model::condition::SessionsKnob;
use windesk_model::index::{TargetIndex, WindowIndex};
use windesk_model::instruction::InstructionSource;

use super::judgements::{Judgements, PairSheet};
use super::pair_picture::{PAIRS_PER_PAGE, PairPen, Side};
use super::rank_of;
use super::report::Agreement;
use super::write::{SHEETS_MARKER, with_items};
use crate::instructions::capture_digest;

/// Ranks that are looked at: 1 to this.
pub const JUDGED_RANKS: usize = 5;

/// A target and its similar element of a rank, as indices into the targets.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pair {
    /// Made from what the reader sees: says nothing of the rank.
    key: String,
    target: TargetIndex,
    similar: TargetIndex,
    /// From 1.
    rank: usize,
}

#[derive(Serialize)]
struct ShownPair<'a> {
    key: &'a str,
    number: usize,
    left: &'a str,
    right: &'a str,
}

/// Writes pages of pairs: each of up to `per_rank` targets with its similar elements of ranks 1 to [`JUDGED_RANKS`], in
/// an order that says nothing of the rank. Returns the number of pairs.
///
/// # Errors
/// If a picture can't be read, or a file not be written.
pub fn distractor_sheets(pack: &IndexedPack, per_rank: usize, folder: &StagedFolder) -> Result<usize, Error> {
    folder.write(SHEETS_MARKER, GUIDE.as_bytes())?;
    let index = pack.index();
    let pairs = pairs(pack, per_rank);
    let mut pen = PairPen::new(pack)?;
    for (page, shown) in pairs.chunks(PAIRS_PER_PAGE).enumerate() {
        let numbers = page * PAIRS_PER_PAGE + 1..;
        let rows: Vec<(String, Vec<Side<'_>>)> = numbers
            .clone()
            .zip(shown)
            .map(|(number, pair)| (number.to_string(), [pair.target, pair.similar].map(|target| side(pack, target)).into()))
            .collect();
        let picture = format!("pairs-{:03}.png", page + 1);
        folder.write(&picture, &pen.page(&rows)?)?;
        let words = |target: TargetIndex| index.targets[target].instruction.as_str();
        let items: Vec<ShownPair<'_>> = numbers
            .zip(shown)
            .map(|(number, pair)| ShownPair { key: &pair.key, number, left: words(pair.target), right: words(pair.similar) })
            .collect();
        let sheet = PairSheet { sheet: "distractors", picture: &picture, pairs: [] };
        folder.write(&format!("pairs-{:03}.json", page + 1), with_items(&sheet, &items).as_bytes())?;
    }
    Ok(pairs.len())
}

fn side<'p>(pack: &'p IndexedPack, target: TargetIndex) -> Side<'p> {
    let target = &pack.index().targets[target];
    let window = &pack.windows[target.window];
    let element = &window.elements[target.element];
    Side {
        window: target.window,
        bbox: element.bbox,
        instruction: &target.instruction,
        what: format!("{} in {}", element.role, pack.program_of(target.window).record.name),
        focus: Focus::Active,
    }
}

/// All pairs, sorted by key.
fn pairs(pack: &IndexedPack, per_rank: usize) -> Vec<Pair> {
    let index = pack.index();
    let mut pairs: Vec<Pair> = picked_targets(pack, per_rank)
        .into_iter()
        .flat_map(|target| {
            let similar = index.neighbours(target, SessionsKnob::One).iter().take(JUDGED_RANKS).zip(1..);
            similar.map(move |(&similar, rank)| Pair { key: key(pack, target, similar), target, similar, rank })
        })
        .collect();
    pairs.sort_by(|a, b| a.key.cmp(&b.key));
    pairs
}

fn key(pack: &IndexedPack, target: TargetIndex, similar: TargetIndex) -> String {
    let seen = [target, similar].map(|target| {
        let target = &pack.index().targets[target];
        let window = &pack.windows[target.window];
        rank_of(&[&window.id, &capture_digest(window), &window.elements[target.element].id, &target.instruction])
    });
    let mut key = rank_of(&["similar", &seen[0], &seen[1]]);
    key.truncate(12);
    key
}

/// Targets that have a similar element of every judged rank, in an arbitrary, fixed order that takes one of each
/// program in turn, each time from another window. Reviewed ones if the pack has any, as scenes do.
fn picked_targets(pack: &IndexedPack, count: usize) -> Vec<TargetIndex> {
    let index = pack.index();
    let reviewed = index.targets.iter().any(|t| t.source == InstructionSource::Reviewed);
    let fits = |&target: &TargetIndex| {
        let asked = !reviewed || index.targets[target].source == InstructionSource::Reviewed;
        asked && index.neighbours(target, SessionsKnob::One).len() >= JUDGED_RANKS
    };
    let rank = |parts: &[&str]| rank_of(&[&["distractors"], parts].concat());
    let mut drawn: Vec<((usize, String), TargetIndex)> = Vec::new();
    for program in &pack.programs {
        let mut windows = program.windows.clone();
        windows.sort_by_cached_key(|&window| rank(&[&pack.windows[window].id]));
        let of_window = |window: WindowIndex| {
            let elements = &pack.windows[window].elements;
            index.targets_in(window).filter(fits).min_by_key(|&t| rank(&[&elements[index.targets[t].element].id]))
        };
        let of_program = windows.into_iter().filter_map(of_window).enumerate();
        drawn.extend(of_program.map(|(turn, target)| ((turn, rank(&[&program.record.id])), target)));
    }
    drawn.sort();
    drawn.into_iter().take(count).map(|(_, target)| target).collect()
}

/// How many pairs of each rank readers call similar: `checked` are the pairs judged, `agreed` those called similar.
/// Rank r is item r - 1. Also the answers that fit no pair of the pack any more.
///
/// `files`: names with contents, JSON objects from keys to true (similar) or false.
///
/// # Errors
/// Everything wrong in any of the files.
pub fn similar_by_rank(
    pack: &IndexedPack,
    per_rank: usize,
    files: &[(String, Vec<u8>)],
) -> Result<([Agreement; JUDGED_RANKS], Vec<String>), Vec<Error>> {
    let mut judgements = Judgements::read(files)?;
    let mut ranks = [Agreement::default(); JUDGED_RANKS];
    for pair in pairs(pack, per_rank) {
        if let Some(similar) = judgements.take(&pair.key) {
            ranks[pair.rank - 1].add(similar);
        }
    }
    Ok((ranks, judgements.stale()))
}

const GUIDE: &str = "\
Each page has one image and one JSON file. Each row of the image is a numbered pair of elements of two programs, each in a red box below
the instruction that a scene would use.

Decide for each pair whether a person would call the two similar: the same or nearly the same thing to do or to look at. Write one JSON file
  {\"<key>\": true, \"<key>\": false}
for all pages, with the keys given beside the numbers in the JSON files. Then, with the same number of pairs per rank as the sheets:
  windesk pack sheet report --pack DIR --distractors ANSWERS.json
";
