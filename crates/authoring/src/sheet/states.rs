//! Sheets of states: instructions that tell of colours or states, beside both looks of their element. In most scenes
//! the window is inactive, and a red circle may be grey then.

use serde::Serialize;

use windesk_engine::pack::{Focus, Pack};
use windesk_files::StagedFolder;
use windesk_model::Error;
use windesk_model::geometry::Rect;
use windesk_model::index::WindowIndex;
use windesk_model::pack_format::ReviewedInstruction;

use super::Review;
use super::pair_picture::{PAIRS_PER_PAGE, PairPen, Side};
use super::write::{SHEETS_MARKER, with_items};

/// Words that tell of a colour or a state.
const TELLING: [&str; 66] = [
    "active",
    "black",
    "blinking",
    "blue",
    "bold",
    "bright",
    "brown",
    "checked",
    "chosen",
    "circle",
    "circled",
    "circles",
    "colored",
    "colour",
    "coloured",
    "colourful",
    "colours",
    "current",
    "cursor",
    "cyan",
    "dark",
    "darker",
    "dimmed",
    "disabled",
    "disc",
    "disk",
    "empty",
    "enabled",
    "filled",
    "focused",
    "glowing",
    "golden",
    "gray",
    "green",
    "greenish",
    "grey",
    "greyed",
    "highlighted",
    "inactive",
    "light",
    "lighter",
    "lit",
    "magenta",
    "marked",
    "orange",
    "outlined",
    "pale",
    "pink",
    "pressed",
    "purple",
    "red",
    "reddish",
    "round",
    "selected",
    "shaded",
    "silver",
    "switched",
    "ticked",
    "tinted",
    "turquoise",
    "unchecked",
    "underlined",
    "unticked",
    "violet",
    "white",
    "yellow",
];
/// A channel that differs by so much, of 255, is seen to differ: dark discs around the buttons of a header differ from
/// it by 11.
const SEEN: u8 = 10;
/// An element looks different if so many of 1000 of its pixels do.
const MIN_PER_MILLE: usize = 20;

/// An instruction that tells of a colour or state, about an element with two looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TellsState {
    /// Number on the pages.
    pub number: usize,
    /// Capture id.
    pub window: String,
    /// Element id.
    pub element: String,
    /// The words.
    pub instruction: String,
    /// Which of them tell of it.
    pub words: Vec<String>,
    /// How much of the element looks different without the focus, of 1000 pixels.
    pub changed_per_mille: usize,
}

#[derive(Serialize)]
struct StateSheet {
    sheet: &'static str,
    instructions: [&'static str; 0],
}

/// Writes pages of elements with the focus (left) and without it (right) under the words that tell of their colour or
/// state, and a list of these. Returns the list.
///
/// # Errors
/// If a picture can't be read, or a file not be written.
pub fn state_sheets(review: &Review, windows: &[WindowIndex], folder: &StagedFolder) -> Result<Vec<TellsState>, Error> {
    folder.write(SHEETS_MARKER, GUIDE.as_bytes())?;
    let pack = &review.pack;
    let mut found: Vec<(TellsState, WindowIndex, Rect)> = Vec::new();
    for instruction in review.instructions.iter().filter(|i| i.is_asked()) {
        let Some(at) = pack.window_index(&instruction.window).filter(|at| windows.contains(at)) else { continue };
        let Some(element) = pack.windows[at].element_index(&instruction.element) else { continue };
        let bbox = pack.windows[at].elements[element].bbox;
        let words = telling_words(instruction);
        if words.is_empty() || pack.windows[at].inactive.is_none() {
            continue;
        }
        let changed_per_mille = changed_per_mille(pack, at, bbox)?;
        if changed_per_mille >= MIN_PER_MILLE {
            let number = found.len() + 1;
            let ReviewedInstruction { window, element, instruction, .. } = instruction.clone();
            found.push((TellsState { number, window, element, instruction, words, changed_per_mille }, at, bbox));
        }
    }
    let mut pen = PairPen::new(pack)?;
    for (page, shown) in found.chunks(PAIRS_PER_PAGE).enumerate() {
        let side = |(item, window, bbox): &(TellsState, WindowIndex, Rect),
                    focus,
                    what: &str|
         -> (WindowIndex, Rect, String, Focus) { (*window, *bbox, format!("{}: {what}", item.window), focus) };
        let looks: Vec<_> = shown
            .iter()
            .map(|item| (item, [side(item, Focus::Active, "active"), side(item, Focus::Inactive, "inactive")]))
            .collect();
        let rows: Vec<(String, Vec<Side<'_>>)> = looks
            .into_iter()
            .map(|((item, ..), sides)| {
                let sides = sides.into_iter().map(|(window, bbox, what, focus)| Side {
                    window,
                    bbox,
                    instruction: &item.instruction,
                    what,
                    focus,
                });
                (item.number.to_string(), sides.collect())
            })
            .collect();
        folder.write(&format!("states-{:03}.png", page + 1), &pen.page(&rows)?)?;
    }
    let list: Vec<TellsState> = found.into_iter().map(|(item, ..)| item).collect();
    folder.write("states.json", with_items(&StateSheet { sheet: "states", instructions: [] }, &list).as_bytes())?;
    Ok(list)
}

/// The words of an instruction or its paraphrases that tell of a colour or state.
fn telling_words(instruction: &ReviewedInstruction) -> Vec<String> {
    let texts = std::iter::once(&instruction.instruction).chain(&instruction.paraphrases);
    let mut words: Vec<String> = texts
        .flat_map(|text| text.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase).collect::<Vec<_>>())
        .filter(|word| TELLING.contains(&word.as_str()))
        .collect();
    words.sort();
    words.dedup();
    words
}

/// How many of 1000 pixels of a box look different without the focus.
fn changed_per_mille(pack: &Pack, at: WindowIndex, bbox: Rect) -> Result<usize, Error> {
    let [active, inactive] = [Focus::Active, Focus::Inactive].map(|focus| pack.rgba_of(at, focus, bbox));
    let (active, inactive) = (active?, inactive?);
    let pixels = active.as_chunks::<4>().0.iter().zip(inactive.as_chunks::<4>().0);
    let changed = pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) >= SEEN)).count();
    Ok(changed * 1000 / (active.len() / 4).max(1))
}

const GUIDE: &str = "\
Each row shows an element twice, in a red box below its instruction: as it looks in the active window, and as it looks in an inactive one.

The words tell of a colour or a state. Decide whether they are true of both looks. Where they are not, write a better instruction:
  windesk pack sheet write --pack DIR --windows WINDOW --out DIR
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_so_that_none_stands_twice() {
        let mut sorted = TELLING.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), TELLING.len());
    }
}
