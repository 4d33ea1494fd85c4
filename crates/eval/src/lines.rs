//! Files of lines from strangers, found and read within limits: a device that never ends is an error soon, not all of
//! the memory.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use windesk_files::{open_named, read_line};
use windesk_model::Error;
use windesk_model::spelling::nearest;

/// Most bytes of a line of predictions, tasks, states or traces.
pub const LONGEST_LINE: u64 = 16 << 20;

/// Files of a folder by extension, in the order of their names; none if there is no such folder.
pub(crate) fn files_in(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Error> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => return Ok(Vec::new()),
        Err(e) => return Err(Error::path(folder, e)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| Error::io(folder, e))?.path();
        if path.extension().is_some_and(|e| e == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads the next line, with its end, into an empty buffer; false at the end of the file. `number` is the line's, from
/// 1.
///
/// # Errors
/// If it can't be read, or is longer than [`LONGEST_LINE`].
pub fn next_line(reader: &mut impl BufRead, buffer: &mut Vec<u8>, path: &Path, number: u64) -> Result<bool, Error> {
    let length = read_line(reader, buffer, LONGEST_LINE).map_err(|e| Error::line(path, number, e))?;
    Ok(length > 0)
}

/// The bytes of a file of lines that the user named.
///
/// # Errors
/// If it can't be read, or a line is longer than [`LONGEST_LINE`].
pub(crate) fn read_lines(path: &Path) -> Result<Vec<u8>, Error> {
    lines_of(open_named(path)?, path)
}

/// The same of an open file. `place` names it in messages.
pub(crate) fn lines_of(file: File, place: &Path) -> Result<Vec<u8>, Error> {
    let mut reader = BufReader::new(file);
    let (mut bytes, mut line) = (Vec::new(), Vec::new());
    for number in 1.. {
        line.clear();
        if !next_line(&mut reader, &mut line, place, number)? {
            break;
        }
        bytes.extend_from_slice(&line);
    }
    Ok(bytes)
}

/// A text without the mark that some programs put before UTF-8, which is no part of it.
pub(crate) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text)
}

/// Reads a line of a file; `expected` says what should stand there.
pub(crate) fn record<'a, T: Deserialize<'a>>(path: &Path, number: u64, line: &'a [u8], expected: &str) -> Result<T, Error> {
    let line = if number == 1 { without_mark(line) } else { line };
    serde_json::from_slice(line).map_err(|error| {
        let told = error.to_string();
        if let Some((key, known)) = unknown_key(&told) {
            let refused = Error::line(path, number, format!("unknown key `{key}`, expected one of {}", known.join(", ")));
            return match nearest(key, known) {
                Some(near) => refused.with_hint(format!("did you mean `{near}`?")),
                None => refused,
            };
        }
        if let Some((word, known)) = unknown_word(&told) {
            let field = field_of(line, word).map(|field| format!("`{field}` is ")).unwrap_or_default();
            let refused = Error::line(path, number, format!("{field}`{word}`, expected one of {}", known.join(", ")));
            return match nearest(word, known) {
                Some(near) => refused.with_hint(format!("did you mean `{near}`?")),
                None => refused,
            };
        }
        let refused = Error::line(path, number, format!("{told}, expected {expected}"));
        let names_nan = [&b"NaN"[..], b"Infinity"].iter().any(|word| line.windows(word.len()).any(|w| w == *word));
        if names_nan {
            refused.with_hint("NaN and Infinity are not JSON; write null where a model gave no number")
        } else {
            refused
        }
    })
}

/// The key that serde refused, and the keys that it knows there. Only its message tells.
fn unknown_key(told: &str) -> Option<(&str, Vec<&str>)> {
    refused_of(told, "unknown field `")
}

/// The value that serde refused where it knows a few words, and these words.
fn unknown_word(told: &str) -> Option<(&str, Vec<&str>)> {
    refused_of(told, "unknown variant `")
}

fn refused_of<'a>(told: &'a str, beginning: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let (refused, known) = told.strip_prefix(beginning)?.split_once("`, expected ")?;
    Some((refused, known.split('`').skip(1).step_by(2).collect()))
}

/// Where a record first says a word, as `steps[1].step_kind`: serde's message does not tell.
fn field_of(line: &[u8], word: &str) -> Option<String> {
    fn place(value: &Value, word: &str) -> Option<String> {
        match value {
            Value::String(text) => (text == word).then(String::new),
            Value::Array(all) => all.iter().enumerate().find_map(|(at, v)| Some(format!("[{at}]{}", place(v, word)?))),
            Value::Object(all) => all.iter().find_map(|(key, v)| Some(format!(".{key}{}", place(v, word)?))),
            _ => None,
        }
    }
    let found = place(&serde_json::from_slice(line).ok()?, word)?;
    Some(found.trim_start_matches('.').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    struct Known {
        image_size: Option<u32>,
        step: Option<u32>,
        steps: Option<Vec<Word>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Word {
        OpenMenu,
        Choose,
    }

    #[test]
    fn unknown_keys_are_named_with_the_nearest_known_one() {
        let said = |line: &str| record::<Known>(Path::new("a.jsonl"), 3, line.as_bytes(), "a step").unwrap_err().to_string();
        assert_eq!(
            said(r#"{"imagesize": 3}"#),
            "a.jsonl:3: unknown key `imagesize`, expected one of image_size, step, steps\nhint: did you mean `image_size`?"
        );
        assert_eq!(said(r#"{"prediction": 3}"#), "a.jsonl:3: unknown key `prediction`, expected one of image_size, step, steps");
        assert_eq!(
            said(r#"{"step": 3, "steps": ["choose", "open_men"]}"#),
            "a.jsonl:3: `steps[1]` is `open_men`, expected one of open_menu, choose\nhint: did you mean `open_menu`?"
        );
        assert!(said(r#"{"step": NaN}"#).contains("NaN and Infinity are not JSON"));
        assert!(said("[]").contains("expected a step"));
    }
}
