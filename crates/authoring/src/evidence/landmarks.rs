//! Other elements of a window that words about an element name: "next to 'Index'", "between Add and Remove".

use windesk_engine::pack::naming::spoken_name;
use windesk_engine::pack::{Window, normalised_name};
use windesk_model::index::ElementIndex;

/// Most landmarks of one sentence.
const MAX_LANDMARKS: usize = 4;
/// Elements higher than this hold others: their name is not written where they are, px at scale 1.
const HIGHEST_PX: f64 = 64.0;
/// Pairs of signs that quote.
const QUOTES: [(char, char); 4] = [('\u{201c}', '\u{201d}'), ('\u{2018}', '\u{2019}'), ('"', '"'), ('\'', '\'')];

/// A part of a sentence, by its letters.
type Span = std::ops::Range<usize>;

/// The elements that a sentence about element `at` names, each once, in the order of the sentence.
pub(super) fn landmarks(window: &Window, at: ElementIndex, sentence: &str) -> Vec<ElementIndex> {
    let letters: Vec<char> = sentence.chars().collect();
    let mut named = names(window);
    // The longest name that fits is the one that is meant.
    named.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let own = spoken_name(window, at).map(|own| own.chars().collect::<Vec<char>>());
    let mut taken: Vec<Span> = Vec::new();
    if let Some(own) = &own {
        taken.extend(occurrences(&letters, own, true).into_iter().take(1));
    }
    let mut found: Vec<(usize, ElementIndex)> = Vec::new();
    for quote in quotes(&letters) {
        let text: String = letters[quote.clone()].iter().collect();
        let same = |name: &[char]| normalised_name(&name.iter().collect::<String>()) == normalised_name(&text);
        if own.as_deref().is_some_and(same) || taken.iter().any(|span| overlap(span, &quote)) {
            continue;
        }
        if let Some((_, elements)) = named.iter().find(|(name, _)| same(name))
            && let Some(nearest) = nearest(window, at, elements)
        {
            found.push((quote.start, nearest));
            taken.push(quote);
        }
    }
    for (name, elements) in &named {
        // "Open" at the start of a sentence is what to do.
        let is_name = name.first().is_some_and(|c| c.is_uppercase()) && name.len() >= 3;
        let spans = if is_name { occurrences(&letters, name, false) } else { Vec::new() };
        for span in spans {
            if span.start == 0 || taken.iter().any(|other| overlap(other, &span)) {
                continue;
            }
            taken.push(span.clone());
            found.extend(nearest(window, at, elements).map(|element| (span.start, element)));
        }
    }
    found.sort();
    let mut seen = Vec::new();
    found.retain(|(_, element)| {
        !seen.contains(element) && {
            seen.push(*element);
            true
        }
    });
    found.into_iter().map(|(_, element)| element).take(MAX_LANDMARKS).collect()
}

/// The names that a window shows, each with the elements that have it.
fn names(window: &Window) -> Vec<(Vec<char>, Vec<ElementIndex>)> {
    let mut named: std::collections::BTreeMap<String, Vec<ElementIndex>> = Default::default();
    let highest = (HIGHEST_PX * window.scale) as i32;
    for (at, element) in window.elements.iter_enumerated() {
        let is_part = element.bbox.height() <= highest && element.role != "title bar";
        if let Some(name) = spoken_name(window, at).filter(|_| is_part) {
            named.entry(name).or_default().push(at);
        }
    }
    named.into_iter().map(|(name, elements)| (name.chars().collect(), elements)).collect()
}

/// Of elements that are called alike the one nearest to `at`, which lies neither in it nor around it.
fn nearest(window: &Window, at: ElementIndex, elements: &[ElementIndex]) -> Option<ElementIndex> {
    let own = window.elements[at].bbox;
    let away = |e: &ElementIndex| {
        let middle = window.elements[*e].bbox.centre() - own.centre();
        (i64::from(middle.x).pow(2) + i64::from(middle.y).pow(2), *e)
    };
    let apart = |e: &ElementIndex| {
        let bbox = window.elements[*e].bbox;
        *e != at && !own.covers(bbox) && !bbox.covers(own)
    };
    elements.iter().copied().filter(apart).min_by_key(away)
}

/// Where a name stands as whole words.
fn occurrences(letters: &[char], name: &[char], any_case: bool) -> Vec<Span> {
    if name.is_empty() || name.len() > letters.len() {
        return Vec::new();
    }
    let same = |a: &char, b: &char| a == b || any_case && a.to_lowercase().eq(b.to_lowercase());
    let is_border = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_none_or(|c| !c.is_alphanumeric());
    (0..=letters.len() - name.len())
        .map(|start| start..start + name.len())
        .filter(|span| letters[span.clone()].iter().zip(name).all(|(a, b)| same(a, b)))
        .filter(|span| is_border(span.start.checked_sub(1)) && is_border(Some(span.end)))
        .collect()
}

/// What stands in quotes, without the signs.
fn quotes(letters: &[char]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let close = QUOTES.iter().find(|(open, _)| *open == letters[at]).map(|(_, close)| *close);
        // An apostrophe within a word opens nothing.
        let opens = at == 0 || !letters[at - 1].is_alphanumeric();
        let end = close.filter(|_| opens).and_then(|close| {
            (at + 2..letters.len())
                .find(|&end| letters[end] == close && letters.get(end + 1).is_none_or(|c| !c.is_alphanumeric()))
        });
        match end {
            Some(end) => {
                found.push(at + 1..end);
                at = end + 1;
            }
            None => at += 1,
        }
    }
    found
}

fn overlap(a: &Span, b: &Span) -> bool {
    a.start < b.end && b.start < a.end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn quotes_and_whole_words_are_found() {
        let said = |text: &str| -> Vec<String> {
            let letters = of(text);
            quotes(&letters).into_iter().map(|span| letters[span].iter().collect()).collect()
        };
        assert_eq!(said("Click next to 'Index', not \u{201c}Word Count\u{201d}"), ["Index", "Word Count"]);
        assert_eq!(said("Don't open Alex' file"), [""; 0]);
        assert!(occurrences(&of("Left of Add, not Address"), &of("Add"), false).into_iter().eq(std::iter::once(8..11)));
        assert!(occurrences(&of("open the file menu"), &of("File"), true).into_iter().eq(std::iter::once(9..13)));
        assert_eq!(occurrences(&of("open the file menu"), &of("File"), false), [0..0; 0]);
    }
}
