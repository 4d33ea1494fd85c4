//! Words of names, sentences and instructions, without regard to case and signs.

/// The words of a text in lower case, in order.
pub fn words_of(text: &str) -> impl Iterator<Item = String> {
    split(text).map(str::to_lowercase)
}

/// How many of these words, which are in lower case, a text has.
pub fn count_in(text: &str, words: &[String]) -> usize {
    words.iter().filter(|word| split(text).any(|of_text| is_word(of_text, word))).count()
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a word is this one, which is in lower case.
fn is_word(word: &str, lower: &str) -> bool {
    if word.is_ascii() { word.eq_ignore_ascii_case(lower) } else { word.to_lowercase() == lower }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_as_they_are_told() {
        for text in ["Save As\u{2026} (Ctrl+S)", "\u{c4}pfel \u{e4}PFEL apfel", "", "a-b_c 2.5", "STRASSE Stra\u{df}e"] {
            let words: Vec<String> = words_of(text).collect();
            assert_eq!(count_in(text, &words), words.len(), "{text}");
            assert_eq!(count_in(text, &["bside".to_owned(), "savea".to_owned()]), 0, "{text}");
        }
        assert_eq!(words_of("Save As\u{2026} (Ctrl+S)").collect::<Vec<_>>(), ["save", "as", "ctrl", "s"]);
        assert_eq!(count_in("Open file", &["file".to_owned(), "view".to_owned()]), 1);
    }
}
