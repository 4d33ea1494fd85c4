//! Sheets: pictures of windows with numbered boxes, from which people or models write instructions and check them
//! blind.
//!
//! 1. [`write_sheets`]: per window a picture with candidate targets and a JSON file to fill in.
//! 2. [`take_written`]: reads filled files into the pack.
//! 3. [`check_sheets`]: per window the same picture with *all* plausible targets, numbered so that the numbers say
//!    nothing, and the instructions without their targets.
//! 4. [`take_answers`]: reads what the reader picked into the pack; [`report`] says how far the two agree.
//!
//! [`competitor_sheets`] shows words beside elements of other programs that they may mean too; [`take_competitors`]
//! reads what readers say of them. [`distractor_sheets`] shows targets beside what the index calls similar;
//! [`similar_by_rank`] counts what a reader says of them.
//!
//! No random numbers and no clock: the same pack gives the same sheets. Numbers of check sheets depend on the window
//! alone, not on what is asked, and a question's key changes with its window, so that answers never count for another
//! capture than the one they were given for.

mod answers;
mod candidates;
mod check;
mod competitors;
mod distractors;
mod judgements;
mod pair_picture;
mod picture;
mod report;
mod select;
mod states;
mod take;
#[cfg(test)]
mod tests;
mod write;

use sha2::{Digest, Sha256};

use windesk_engine::pack::{INSTRUCTION_FILE, Pack, PackFiles, instruction_file};
use windesk_model::Error;
use windesk_model::digest::hex;
use windesk_model::pack_format::ReviewedInstruction;

use super::instructions::read_all;

pub use answers::{Answer, take_answers};
pub use check::{Asked, check_sheets};
pub use competitors::{
    CompetitorChoice, CompetitorReport, MIN_COSINE, TakenCompetitors, competitor_report, competitor_sheets, take_competitors,
};
pub use distractors::{JUDGED_RANKS, distractor_sheets, similar_by_rank};
pub use report::{Agreement, ReviewReport, composed_agreement, report};
pub use select::{Selection, Shard};
pub use states::{TellsState, state_sheets};
pub use take::{Author, Taken, take_written};
pub use write::{SHEETS_MARKER, Wanted, write_sheets};

/// A pack under review: its windows, and its instructions whether or not they still fit.
#[derive(Debug)]
pub struct Review {
    /// The pack without its index, and without instructions.
    pub pack: Pack,
    /// All instructions as written, in the order of their files.
    pub instructions: Vec<ReviewedInstruction>,
}

impl Review {
    /// Opens a pack for review. An index or instructions that no longer fit don't matter here.
    ///
    /// # Errors
    /// If the pack isn't sound otherwise.
    pub fn open(files: PackFiles) -> Result<Self, Error> {
        let instructions = read_all(&files)?;
        let pack = Pack::open(files.only(|name| !name.starts_with("index/") && !name.ends_with(INSTRUCTION_FILE)))?;
        Ok(Self { pack, instructions })
    }

    /// The files that hold the instructions, by path inside the pack: sorted by window and then by element as in its
    /// capture.
    pub fn instruction_files(&self) -> std::collections::BTreeMap<String, Vec<u8>> {
        let place = |instruction: &ReviewedInstruction| {
            let window = self.pack.window_index(&instruction.window);
            let element = window
                .and_then(|window| self.pack.windows[window].element_index(&instruction.element))
                .map_or(usize::MAX, usize::from);
            (instruction.window.clone(), element, instruction.element.clone())
        };
        let mut sorted: Vec<&ReviewedInstruction> = self.instructions.iter().collect();
        sorted.sort_by_cached_key(|instruction| place(instruction));
        let mut files = std::collections::BTreeMap::<String, Vec<u8>>::new();
        for instruction in sorted {
            let file = files.entry(instruction_file(&instruction.window)).or_default();
            serde_json::to_writer(&mut *file, instruction).expect("plain data into memory");
            file.push(b'\n');
        }
        files
    }
}

/// What sheets were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sheets {
    /// Windows with a sheet.
    pub windows: usize,
    /// Candidates to write about, or questions.
    pub items: usize,
}

/// A number made from texts alone: for orders that look arbitrary and are the same every time.
fn rank_of(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part.as_bytes());
    }
    hex(&digest.finalize())
}

/// File name of a window's sheet without ending: `thunar/home` is `thunar--home`.
fn stem(window: &str) -> String {
    window.replacen('/', "--", 1)
}
