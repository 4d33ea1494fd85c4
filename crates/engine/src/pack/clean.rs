//! The one place where accessible names are cleaned.

/// Longest name that an instruction may hold, in characters.
const MAX_NAME_CHARS: usize = 60;

/// A name without mnemonic marks, mark-up, ellipsis, keyboard shortcut or doubling. `None` if nothing speakable is
/// left.
pub(super) fn clean(text: &str) -> Option<String> {
    if is_plain(text) { (!is_class_name(text)).then(|| text.to_owned()) } else { cleaned(text) }
}

/// Whether a name is words of ASCII letters and digits, one space between them, and the first comes once: most are, and
/// only the names of classes among them are changed.
fn is_plain(text: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mut words = text.split(' ');
    let first = words.next().unwrap_or_default();
    text.len() <= MAX_NAME_CHARS && is_word(first) && words.all(|word| is_word(word) && word != first)
}

/// Any name.
fn cleaned(text: &str) -> Option<String> {
    let shown: String = without_markup(text).chars().filter(|&c| !is_invisible(c)).collect();
    let mut words: Vec<&str> = shown.split_whitespace().collect();
    while let Some(last) = words.last() {
        let bare = last.trim_matches(['(', ')', '[', ']']);
        let in_brackets = bare.len() + 2 == last.len();
        if words.len() > 1 && (is_shortcut(bare) || in_brackets && is_single_key(bare)) {
            words.pop();
        } else {
            break;
        }
    }
    if words.len().is_multiple_of(2) && !words.is_empty() && words[..words.len() / 2] == words[words.len() / 2..] {
        words.truncate(words.len() / 2);
    }
    let joined = words.iter().map(|w| without_mnemonic(w)).collect::<Vec<_>>().join(" ");
    let ended = joined.trim_end_matches(['.', '…', ':']).trim();
    let name = if ended.is_empty() { joined.trim() } else { ended };
    let speakable = name.chars().any(char::is_alphanumeric) || (name.chars().count() <= 2 && !name.is_empty());
    let plain = name.chars().count() <= MAX_NAME_CHARS
        && !name.contains(|c: char| c.is_control() || c == '\u{fffc}' || is_private_use(c));
    (speakable && plain && !is_class_name(name)).then(|| name.to_owned())
}

/// Icon fonts put glyphs of the private use areas into names.
fn is_private_use(c: char) -> bool {
    matches!(u32::from(c), 0xe000..=0xf8ff | 0xf_0000..=0x10_ffff)
}

/// Marks that steer the direction and joining of text.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}')
}

/// Tags of rich text that toolkits let through; `<Select Symbol>` is none.
const TAGS: [&str; 16] =
    ["html", "head", "body", "p", "b", "i", "u", "br", "br/", "span", "div", "sup", "sub", "small", "font", "tt"];

/// Text without tags of rich text and with its five entities resolved.
fn without_markup(text: &str) -> String {
    if !text.contains(['<', '&']) {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        out += &rest[..open];
        let close = rest[open..].find('>').map(|at| open + at);
        let tag = close.map(|close| rest[open + 1..close].trim_start_matches('/'));
        let name = tag.and_then(|tag| tag.split_whitespace().next()).map(|name| name.trim_end_matches('/').to_lowercase());
        match close.filter(|_| name.is_some_and(|name| TAGS.contains(&name.as_str()))) {
            Some(close) => {
                let inline = ["b", "i", "u", "sup", "sub", "small", "font", "span", "tt"];
                let tag = rest[open + 1..close].trim_start_matches('/').split_whitespace().next().unwrap_or_default();
                if !inline.contains(&tag) {
                    out.push(' ');
                }
                rest = &rest[close + 1..];
            }
            None => {
                out.push('<');
                rest = &rest[open + 1..];
            }
        }
    }
    out += rest;
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&amp;", "&")]
        .into_iter()
        .fold(out, |out, (entity, sign)| out.replace(entity, sign))
}

/// GTK and GJS leak class names such as `GtkMenuButton` as names.
fn is_class_name(name: &str) -> bool {
    name.starts_with("Gjs_")
        || ["Gtk", "Adw", "Hdy", "Gd", "Q"].iter().any(|prefix| {
            name.strip_prefix(prefix).is_some_and(|rest| {
                rest.starts_with(|c: char| c.is_ascii_uppercase()) && rest.chars().filter(char::is_ascii_uppercase).count() >= 2
            }) && !name.contains(' ')
        })
}

fn is_shortcut(word: &str) -> bool {
    let mut keys = word.split('+');
    let modifier = keys.next().is_some_and(|key| ["Ctrl", "Alt", "Shift", "Super", "Meta", "Strg"].contains(&key));
    modifier && keys.next().is_some()
}

/// `F5` or `Escape`, which name a key where they stand in brackets.
fn is_single_key(word: &str) -> bool {
    let function_key = word.strip_prefix('F').is_some_and(|n| n.parse::<u8>().is_ok_and(|n| (1..=12).contains(&n)));
    function_key || ["Escape", "Esc", "Return", "Enter", "Delete", "Del", "Tab", "Space", "Backspace"].contains(&word)
}

/// `_File` and `&File` mark the key that opens the menu; `snake_case`, `_rowid_` and `Q & A` do not.
fn without_mnemonic(word: &str) -> String {
    for mark in ['_', '&'] {
        if let Some(rest) = word.strip_prefix(mark)
            && rest.starts_with(char::is_alphanumeric)
            && !rest.ends_with(mark)
        {
            return rest.to_owned();
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned() {
        for (written, spoken) in [
            ("_File", Some("File")),
            ("Save _As…", Some("Save As")),
            ("Save As...", Some("Save As")),
            ("Copy Ctrl+C", Some("Copy")),
            ("Undo (Ctrl+Z)", Some("Undo")),
            ("7 7", Some("7")),
            ("New Folder New Folder", Some("New Folder")),
            ("budget_2026.csv", Some("budget_2026.csv")),
            ("Find & Replace", Some("Find & Replace")),
            ("Open a new tab (Ctrl+T)", Some("Open a new tab")),
            ("Clear Display [Escape]", Some("Clear Display")),
            ("Reload (F5)", Some("Reload")),
            ("Mode F5", Some("Mode F5")),
            ("Alt+3", Some("Alt+3")),
            ("\u{2066}€16,913.17\u{2069}", Some("€16,913.17")),
            ("<b>Any Printer</b> For documents", Some("Any Printer For documents")),
            (
                "<div style=\"white-space:pre\">Compile Output <span style=\"color: gray\">Alt+4</span></div>",
                Some("Compile Output"),
            ),
            ("x<sup>2</sup>", Some("x2")),
            ("<Select Symbol>", Some("<Select Symbol>")),
            ("< Back", Some("< Back")),
            ("Salt &amp; Pepper", Some("Salt & Pepper")),
            ("_rowid_", Some("_rowid_")),
            ("…", Some("…")),
            ("Gjs_SidebarRow", None),
            ("Name:", Some("Name")),
            ("+", Some("+")),
            ("GtkMenuButton", None),
            ("\u{e5d2}", None),
            ("----", None),
            ("", None),
        ] {
            assert_eq!(clean(written).as_deref(), spoken, "{written:?}");
        }
    }

    #[test]
    fn plain_names_need_no_cleaning() {
        let words = ["Save", "As", "7", "F5", "Escape", "GtkMenuButton", "QTreeView", "x", "Close2"];
        let pairs = words.iter().flat_map(|a| words.iter().map(move |b| format!("{a} {b}")));
        let more = pairs.clone().flat_map(|pair| words.iter().map(move |c| format!("{pair} {c}")));
        let long = "word ".repeat(13) + "x";
        for name in words.iter().map(|word| (*word).to_owned()).chain(pairs).chain(more).chain([long]) {
            assert_eq!(clean(&name), cleaned(&name), "{name:?}");
        }
        assert!(is_plain("Save As") && !is_plain("7 7") && !is_plain("Save  As") && !is_plain(" x") && !is_plain(""));
    }
}
