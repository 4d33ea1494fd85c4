//! One entry of the paper's metadata: its fields, checked.

use serde_json::Value;

use windesk_model::Error;
use windesk_model::pack_format::Category;

/// An instruction-target pair.
pub(super) struct Entry {
    /// Inside the folder of windows, with `/`.
    pub(super) image_path: String,
    /// The instruction.
    pub(super) content: String,
    /// x0, y0, x1, y1 as shares of the picture, 0..=1.
    pub(super) gt_bbox: [f64; 4],
    pub(super) category: Category,
    /// Width and height that the entry states.
    pub(super) orig_size: Option<[u32; 2]>,
}

/// Checks the fields of an entry; `place` names file and entry.
pub(super) fn parse_entry(place: &str, value: &Value) -> Result<Entry, Error> {
    let entry = value.as_object().ok_or_else(|| Error::file(place, shown(value), "an object"))?;
    let bad = |field: &str, expected: &str| {
        let found = entry.get(field).map_or_else(|| "nothing".to_owned(), shown);
        Error::file(format!("{place}.{field}"), found, expected)
    };
    let text = |field: &str| entry.get(field).and_then(Value::as_str).map(str::trim).filter(|t| !t.is_empty());
    // Metadata written on Windows has its separators.
    let image_path = text("image_path").ok_or_else(|| bad("image_path", "a path"))?.replace('\\', "/");
    let content =
        text("content").filter(|t| !t.contains(char::is_control)).ok_or_else(|| bad("content", "one line of text"))?.to_owned();
    let category =
        text("type").and_then(category_of).ok_or_else(|| bad("type", "one of the nine categories, such as Productivity"))?;
    let numbers: Option<Vec<f64>> =
        entry.get("gt_bbox").and_then(Value::as_array).and_then(|a| a.iter().map(Value::as_f64).collect());
    let gt_bbox: Option<[f64; 4]> = numbers.and_then(|n| n.try_into().ok());
    let in_order = |b: &[f64; 4]| b.iter().all(|v| (0.0..=1.0).contains(v)) && b[0] < b[2] && b[1] < b[3];
    let gt_bbox = gt_bbox.filter(in_order).ok_or_else(|| bad("gt_bbox", "[x1, y1, x2, y2], each 0 to 1, x1 < x2 and y1 < y2"))?;
    let orig_size = match entry.get("orig_size") {
        None | Some(Value::Null) => None,
        Some(size) => Some(serde_json::from_value(size.clone()).map_err(|_| bad("orig_size", "[width, height] in pixels"))?),
    };
    Ok(Entry { image_path, content, gt_bbox, category, orig_size })
}

/// A value as it stands in the file, cut to a line.
fn shown(value: &Value) -> String {
    const MAX_CHARS: usize = 80;
    value.to_string().chars().take(MAX_CHARS).collect()
}

/// A category by its name; `File & System Utilities` is the same as `File&System_Utilities`.
fn category_of(name: &str) -> Option<Category> {
    let letters = |text: &str| text.to_lowercase().replace(" and ", "&").replace(|c: char| !c.is_alphanumeric(), "");
    Category::ALL.into_iter().find(|c| letters(c.name()) == letters(name))
}

/// The program in a picture's name: `client_original_20250603_230025` shows `client`.
pub(super) fn program_in(stem: &str) -> &str {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let mut end = 0;
    for part in stem.split_inclusive(['_', '-', ' ']) {
        let word = part.trim_end_matches(['_', '-', ' ']);
        if end > 0 && (is_number(word) || ["original", "screenshot"].contains(&word.to_lowercase().as_str())) {
            break;
        }
        end += part.len();
    }
    stem[..end].trim_end_matches(['_', '-', ' '])
}

/// The role that an instruction speaks of; a push button if it names none.
pub(super) fn role_in(content: &str) -> &'static str {
    const NOUNS: [(&str, &str); 15] = [
        ("check box", "check box"),
        ("checkbox", "check box"),
        ("radio", "radio button"),
        ("toggle", "toggle button"),
        ("switch", "switch"),
        ("slider", "slider"),
        ("dropdown", "combo box"),
        ("drop-down", "combo box"),
        ("menu item", "menu item"),
        ("menu", "menu"),
        ("tab", "page tab"),
        ("link", "link"),
        ("field", "entry"),
        ("search box", "entry"),
        ("input", "entry"),
    ];
    let words = format!(" {} ", content.to_lowercase().replace(|c: char| !c.is_alphanumeric() && c != '-', " "));
    NOUNS.iter().find(|(noun, _)| words.contains(&format!(" {noun} "))).map_or("push button", |(_, role)| role)
}

/// The text with bare `NaN`, `Infinity` and `-Infinity` put in quotes.
pub(super) fn without_bare_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut in_string) = (text, false);
    while let Some(c) = rest.chars().next() {
        let bare = ["-Infinity", "Infinity", "NaN"].into_iter().find(|word| !in_string && rest.starts_with(word));
        let taken = match (bare, c) {
            (Some(word), _) => {
                out.push_str(&format!("\"{word}\""));
                rest = &rest[word.len()..];
                continue;
            }
            // What follows a backslash in a string does not end it.
            (None, '\\') if in_string => c.len_utf8() + rest[1..].chars().next().map_or(0, char::len_utf8),
            _ => c.len_utf8(),
        };
        in_string ^= c == '"';
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out
}
