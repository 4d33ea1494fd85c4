//! Sheets to write from.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use windesk_files::StagedFolder;
use windesk_model::Error;
use windesk_model::geometry::Rect;
use windesk_model::index::{ElementIndex, ProgramIndex, WindowIndex};
use windesk_model::pack_format::{InstructionStyle, ReviewedInstruction, State};

use super::candidates::{repeats, worth_writing};
use super::picture::{Mark, Pen, reading_order};
use super::{Review, Sheets, stem};
use crate::instructions::{agrees, capture_digest, last_check};

/// The file by which an earlier folder of sheets is known.
pub const SHEETS_MARKER: &str = "SHEETS.txt";

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// New instructions: up to this many candidates per window that have none yet.
    New(usize),
    /// Better words where a reader picked something else.
    Disagreed,
}

/// A sheet to be filled in, as JSON beside its pictures.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WriteSheet {
    /// Always `write`.
    pub(super) sheet: String,
    /// Capture id.
    pub(super) window: String,
    /// What the author sees, as [`capture_digest`] says it.
    pub(super) capture: String,
    pub(super) program: String,
    pub(super) title: String,
    pub(super) pictures: Vec<String>,
    pub(super) candidates: Vec<Candidate>,
}

/// A numbered element with room for words.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Candidate {
    pub(super) number: usize,
    pub(super) element: String,
    pub(super) role: String,
    pub(super) name: String,
    pub(super) description: String,
    /// Px of the capture's picture.
    pub(super) bbox: Rect,
    pub(super) state: State,
    /// How many elements of the window are called like this one.
    pub(super) called_alike: usize,
    /// To fill in; stays empty for elements that nobody would ask for.
    pub(super) instruction: String,
    /// To fill in: other phrasings, if any.
    pub(super) paraphrases: Vec<String>,
    /// To fill in: `function`, `appearance`, `position` or `intent`.
    pub(super) style: String,
    /// Words that a reader did not take for this element, and the texts of what was picked instead; only where a reader
    /// disagreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) disagreement: Option<String>,
    /// Set to true to give the instruction up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) drop: bool,
}

/// Writes a picture and a JSON file to fill in per window. Windows without candidates get none.
///
/// # Errors
/// If a picture of the pack can't be read, or a file not be written.
pub fn write_sheets(review: &Review, windows: &[WindowIndex], wanted: Wanted, folder: &StagedFolder) -> Result<Sheets, Error> {
    folder.write(SHEETS_MARKER, GUIDE.as_bytes())?;
    let mut pen = Pen::new(&review.pack)?;
    let mut sheets = Sheets::default();
    let programs: BTreeSet<ProgramIndex> = windows.iter().map(|&at| review.pack.windows[at].program).collect();
    for program in programs {
        for (at, elements) in elements_of(review, program, wanted) {
            if elements.is_empty() || !windows.contains(&at) {
                continue;
            }
            sheets.windows += 1;
            sheets.items += elements.len();
            write_sheet(review, at, &elements, folder, &mut pen)?;
        }
    }
    Ok(sheets)
}

/// Candidates by window of a program.
fn elements_of(review: &Review, program: ProgramIndex, wanted: Wanted) -> Vec<(WindowIndex, Vec<ElementIndex>)> {
    let pack = &review.pack;
    let standing: BTreeSet<(&str, &str)> =
        review.instructions.iter().filter(|i| !i.dropped).map(|i| (i.window.as_str(), i.element.as_str())).collect();
    match wanted {
        Wanted::New(most) => {
            let taken = |at: WindowIndex, e: ElementIndex| {
                let window = &pack.windows[at];
                standing.contains(&(window.id.as_str(), window.elements[e].id.as_str()))
            };
            worth_writing(pack, program, most, taken).into_iter().collect()
        }
        Wanted::Disagreed => {
            let of_window = |&at: &WindowIndex| {
                let window = &pack.windows[at];
                let open = |i: &&ReviewedInstruction| {
                    i.window == window.id && !i.dropped && last_check(i).is_some_and(|check| !agrees(window, i, check))
                };
                let ids: BTreeSet<&str> = review.instructions.iter().filter(open).map(|i| i.element.as_str()).collect();
                (at, window.elements.keys().filter(|&e| ids.contains(window.elements[e].id.as_str())).collect())
            };
            pack.programs[program].windows.iter().map(of_window).collect()
        }
    }
}

fn write_sheet(
    review: &Review,
    at: WindowIndex,
    elements: &[ElementIndex],
    folder: &StagedFolder,
    pen: &mut Pen<'_>,
) -> Result<(), Error> {
    let window = &review.pack.windows[at];
    let boxes: Vec<Rect> = elements.iter().map(|&e| window.elements[e].bbox).collect();
    let order = reading_order(&boxes);
    let marks: Vec<Mark> = order.iter().enumerate().map(|(nth, &turn)| Mark { number: nth + 1, bbox: boxes[turn] }).collect();
    let candidates: Vec<Candidate> =
        order.iter().enumerate().map(|(nth, &turn)| candidate(review, at, elements[turn], nth + 1)).collect();
    let sheet = WriteSheet {
        sheet: "write".to_owned(),
        window: window.id.clone(),
        capture: capture_digest(window),
        program: review.pack.program_of(at).record.name.clone(),
        title: window.title.clone(),
        pictures: write_pictures(&window.id, &pen.paint(at, &marks)?, folder)?,
        candidates: Vec::new(),
    };
    folder.write(&format!("{}.json", stem(&window.id)), with_items(&sheet, &candidates).as_bytes())
}

/// A sheet as JSON, whose last field is an empty list, with a line for each item of that list: easy to read and to fill
/// in.
pub(super) fn with_items(sheet: &impl Serialize, items: &[impl Serialize]) -> String {
    let head = serde_json::to_string(sheet).expect("plain data");
    let head = head.strip_suffix("[]}").expect("the last field is an empty list");
    let items: Vec<String> = items.iter().map(|item| serde_json::to_string(item).expect("plain data")).collect();
    format!("{head}[\n{}\n]}}\n", items.join(",\n"))
}

/// Writes the pictures of a window; returns their names.
pub(super) fn write_pictures(window: &str, pictures: &[Vec<u8>], folder: &StagedFolder) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for (nth, bytes) in pictures.iter().enumerate() {
        let part = if pictures.len() == 1 { String::new() } else { format!(".part{}", nth + 1) };
        names.push(format!("{}{part}.png", stem(window)));
        folder.write(&names[nth], bytes)?;
    }
    Ok(names)
}

fn candidate(review: &Review, at: WindowIndex, e: ElementIndex, number: usize) -> Candidate {
    let window = &review.pack.windows[at];
    let element = &window.elements[e];
    let known = review.instructions.iter().find(|i| i.window == window.id && i.element == element.id && !i.dropped);
    let disagreement = known.and_then(|i| Some((i, last_check(i)?))).filter(|(i, check)| !agrees(window, i, check));
    let picked = |id: &String| {
        let picked = window.elements.iter().find(|e| e.id == *id);
        picked.map_or_else(|| id.clone(), |e| format!("{} \"{}\" at {:?}", e.role, e.name, <[i32; 4]>::from(e.bbox)))
    };
    Candidate {
        number,
        element: element.id.clone(),
        role: element.role.clone(),
        name: element.name.clone(),
        description: element.description.clone(),
        bbox: element.bbox,
        state: element.state.clone(),
        called_alike: repeats(window, e),
        instruction: known.map(|i| i.instruction.clone()).unwrap_or_default(),
        paraphrases: known.map(|i| i.paraphrases.clone()).unwrap_or_default(),
        style: known.map(|i| InstructionStyle::name(i.style).to_owned()).unwrap_or_default(),
        disagreement: disagreement.map(|(_, check)| match &check.picked[..] {
            [] => "the reader found nothing that fits".to_owned(),
            all => format!("the reader picked {}", all.iter().map(picked).collect::<Vec<_>>().join(" or ")),
        }),
        drop: false,
    }
}

pub(super) const GUIDE: &str = "\
For each window there is one image (in several parts if the window is large) and one JSON file.

Write sheets (\"sheet\": \"write\"): for each numbered box, fill in
  instruction  what a user would say to have this element clicked, selected or filled in, as one imperative sentence or one wish;
               it must be true of this image and fit exactly one element of this window; omit the program's name and the number
  style        function (what it does or is called), appearance (what it looks like), position (where it is), intent (what the user wants to achieve)
  paraphrases  other phrasings (optional); each must fit only this element
Leave `instruction` empty for boxes that nobody would ask for. Change nothing else. Then:
  windesk pack sheet take --pack DIR --by person|model --date YYYY-MM-DD FILE.json ..

Check sheets (\"sheet\": \"check\"): for each question decide from the image alone which numbered box the text asks for, and write one JSON file
  {\"<key>\": 12, \"<key>\": \"none\", \"<key>\": [3, 8]}
with a number, \"none\" if no box fits, or all numbers that fit equally well. One file may answer many windows. Then:
  windesk pack sheet take --pack DIR --by person|model --date YYYY-MM-DD ANSWERS.json
";
