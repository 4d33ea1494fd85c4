//! A baseline that reads: Tesseract finds the words on the screen, and those that fit the instruction best are clicked.

use std::io::Write;
use std::process::{Command, Stdio};

use windesk_files::Picture;
use windesk_model::Error;
use windesk_model::words::words_of;

use super::words::telling_words;

/// A word on the screen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// In lower case, without punctuation.
    text: String,
    /// Words of a line follow one another and share this.
    line: [u32; 3],
    /// `[x0, y0, x1, y1]` px.
    bbox: [f64; 4],
}

/// Reads a picture with the program `tesseract` (Debian package tesseract-ocr).
///
/// # Errors
/// If the program is not there or fails.
pub(super) fn words_on(picture: Picture) -> Result<Vec<Word>, Error> {
    let hint = "option `agent` ocr needs the program tesseract (Debian: tesseract-ocr)";
    let failed = |e: std::io::Error| Error::at("tesseract", e).with_hint(hint);
    let place = picture.place().to_owned();
    let bytes = picture.bytes()?;
    // Sparse text: a screen has no columns to follow. One thread: several pictures are read at once elsewhere.
    let mut command = Command::new("tesseract");
    command.args(["stdin", "stdout", "--psm", "11", "tsv"]).env("OMP_THREAD_LIMIT", "1");
    let mut reading = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
    let mut pipe = reading.stdin.take().expect("just piped");
    // The bytes, never the path: the program opens nothing by a name that a stranger wrote. Beside the reading, so that
    // neither waits for the other; one that gives up early says why itself.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || drop(pipe.write_all(&bytes)));
        reading.wait_with_output()
    });
    let output = output.map_err(failed)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Error::path(place, format!("tesseract: {}", said.lines().last().unwrap_or("failed"))).with_hint(hint));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().flat_map(word_of).collect())
}

/// A line of Tesseract's TSV: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
fn word_of(line: &str) -> Vec<Word> {
    let cells: Vec<&str> = line.split('\t').collect();
    let number = |at: usize| cells.get(at).and_then(|c| c.parse::<f64>().ok());
    let (Some(x), Some(y), Some(w), Some(h)) = (number(6), number(7), number(8), number(9)) else { return Vec::new() };
    let line = [2, 3, 4].map(|at| number(at).unwrap_or(0.0) as u32);
    let texts = cells.get(11).into_iter().flat_map(|t| words_of(t));
    texts.map(|text| Word { text, line, bbox: [x, y, x + w, y + h] }).collect()
}

/// How many of the words asked for are there, then how few words.
type Fit = (usize, std::cmp::Reverse<usize>);

/// The middle of the words that fit best: as many of the instruction's telling words as possible, in one line, with as
/// few others between them as possible. `None` if none of them is on the screen.
pub(super) fn best_place(on_screen: &[Word], instruction: &str) -> Option<[f64; 2]> {
    let asked = telling_words(instruction);
    let mut best: Option<(Fit, [f64; 2])> = None;
    for line in on_screen.chunk_by(|a, b| a.line == b.line) {
        for first in 0..line.len() {
            for last in first..line.len().min(first + asked.len() + 1) {
                let span = &line[first..=last];
                let found = asked.iter().filter(|w| span.iter().any(|s| s.text == **w)).count();
                let fit = (found, std::cmp::Reverse(span.len()));
                if found > 0 && best.is_none_or(|(so_far, _)| fit > so_far) {
                    let edge =
                        |pick: fn(f64, f64) -> f64, side: usize| span.iter().map(|w| w.bbox[side]).reduce(pick).unwrap_or(0.0);
                    let middle = [(edge(f64::min, 0) + edge(f64::max, 2)) / 2.0, (edge(f64::min, 1) + edge(f64::max, 3)) / 2.0];
                    best = Some((fit, middle));
                }
            }
        }
    }
    best.map(|(_, middle)| middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_that_fit_best_are_clicked() {
        let tsv = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n\
                   5\t1\t1\t1\t1\t1\t10\t10\t40\t10\t90\tSave\n5\t1\t1\t1\t1\t2\t60\t10\t20\t10\t90\tall\n\
                   5\t1\t1\t1\t2\t1\t10\t50\t40\t10\t90\tSave\n5\t1\t1\t1\t2\t2\t60\t50\t20\t12\t90\tas...\n\
                   4\t1\t1\t1\t3\t0\t0\t0\t0\t0\t-1\t\n";
        let words: Vec<Word> = tsv.lines().flat_map(word_of).collect();
        assert_eq!(words.len(), 4);
        assert_eq!(best_place(&words, "Open the Save As menu item"), Some([45.0, 56.0]));
        assert_eq!(best_place(&words, "Click Save"), Some([30.0, 15.0]));
        assert_eq!(best_place(&words, "Click Print"), None);
    }
}
