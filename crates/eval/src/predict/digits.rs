//! Finds the digits that decide a coordinate among a server's tokens.

use serde::Deserialize;

use crate::parse::{Answer, Convention, Scale};
use crate::predictions::Digits;

/// A token as chat endpoints report it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Token {
    pub(super) token: String,
    pub(super) logprob: f64,
    #[serde(default)]
    pub(super) top_logprobs: Vec<TopToken>,
}

/// One of the likeliest tokens at a place.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct TopToken {
    pub(super) token: String,
    pub(super) logprob: f64,
}

/// Log-probabilities of the tokens 0-9 at the key digits of x and y: the first decimal of a coordinate in 0..=1, the
/// hundreds digit of one in 0..=999. Where one coordinate has no such digit (`0`, `71` of 1000), or it is not a token
/// of its own, all ten are null. `None` if neither has one, for other scales, and for boxes.
pub(super) fn key_digits(tokens: &[Token], answer: &Answer, convention: &Convention, image_size: [u32; 2]) -> Option<Digits> {
    let scale = convention.scale;
    if answer.bbox.is_some() || !matches!(scale, Scale::Norm | Scale::Norm1000) {
        return None;
    }
    let text: String = tokens.iter().map(|t| t.token.as_str()).collect();
    let numbers = numbers(&text);
    // The answer is the last place where both numbers follow one another, in the order of names or of the convention.
    let is_answer = |x: f64, y: f64| scale.to_px([x, y], image_size) == answer.points[0];
    let (x, y) = numbers.windows(2).rev().find_map(|pair| {
        let [(first, a), (second, b)] = [pair[0], pair[1]];
        if convention.y_first && is_answer(b, a) { Some((second, first)) } else { is_answer(a, b).then_some((first, second)) }
    })?;
    let key = |start: usize| {
        let number = text[start..].split(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap_or_default();
        let offset = match scale {
            Scale::Norm => number.find('.')? + 1,
            // A number below 100 has no hundreds digit to read.
            _ if number.split('.').next().unwrap_or_default().len() == 3 => 0,
            _ => return None,
        };
        logits_at(tokens, start + offset)
    };
    let (x, y) = (key(x), key(y));
    let none = || vec![None; 10];
    (x.is_some() || y.is_some()).then(|| Digits { x: x.unwrap_or_else(none), y: y.unwrap_or_else(none) })
}

/// Numbers in a text: byte where they begin, and value. One may begin with its point: `.45`.
fn numbers(text: &str) -> Vec<(usize, f64)> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let part = |at: usize| digit(at) || bytes[at] == b'.';
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !(digit(at) || bytes[at] == b'.' && digit(at + 1)) {
            at += 1;
            continue;
        }
        let end = (at..bytes.len()).find(|&i| !part(i)).unwrap_or(bytes.len());
        found.extend(text[at..end].trim_end_matches('.').parse().ok().map(|value: f64| (at, value)));
        at = end;
    }
    found
}

/// Log-probabilities of the digits at the token that begins at a byte.
fn logits_at(tokens: &[Token], byte: usize) -> Option<Vec<Option<f64>>> {
    let mut start = 0;
    let token = tokens.iter().find(|t| {
        let here = start == byte;
        start += t.token.len();
        here
    })?;
    let digit_of = |text: &str| text.parse::<usize>().ok().filter(|d| *d < 10 && text.len() == 1);
    let own = digit_of(&token.token)?;
    let mut logits = vec![None; 10];
    for top in &token.top_logprobs {
        if let Some(digit) = digit_of(&top.token) {
            logits[digit] = Some(top.logprob);
        }
    }
    logits[own] = Some(token.logprob);
    Some(logits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &[&str]) -> Vec<Token> {
        let token = |t: &&str| Token {
            token: (*t).to_owned(),
            logprob: -0.25,
            top_logprobs: vec![
                TopToken { token: "6".to_owned(), logprob: -2.0 },
                TopToken { token: " 7".to_owned(), logprob: -1.0 },
            ],
        };
        text.iter().map(token).collect()
    }

    /// `expected` holds the digits that were said at the key places of x and y.
    fn check(text: &[&str], point: [f64; 2], convention: &str, expected: Option<[Option<usize>; 2]>) {
        let answer = Answer { points: vec![point], bbox: None };
        let found = key_digits(&tokens(text), &answer, &convention.parse().unwrap(), [2000, 1000]);
        let own = |logits: &[Option<f64>]| logits.iter().position(|l| *l == Some(-0.25));
        assert_eq!(found.as_ref().map(|d| [own(&d.x), own(&d.y)]), expected, "{text:?}");
        for logits in found.iter().flat_map(|d| [&d.x, &d.y]).filter(|logits| own(logits).is_some()) {
            assert_eq!((logits[6], logits[9]), (Some(-2.0), None), "{text:?}");
        }
    }

    #[test]
    fn key_digits_are_the_first_that_decide() {
        let both = Some([Some(7), Some(2)]);
        check(&["[", "0", ".", "7", "1", ",", " ", "0", ".", "2", "3", "]"], [1420.0, 230.0], "norm", both);
        check(&["[", ".", "7", "1", ",", " ", ".", "2", "3", "]"], [1420.0, 230.0], "norm", both);
        check(&["(", "7", "1", "2", ",", "2", "0", "0", ")"], [1424.0, 200.0], "norm1000", both);
        check(&["1", "2", ",", "9", " so ", "(", "7", "1", "2", ",", "2", "0", "0", ")"], [1424.0, 200.0], "norm1000", both);
        check(&["[", "2", "0", "0", ",", " ", "7", "1", "2", "]"], [1424.0, 200.0], "gemini", both);
    }

    /// A coordinate without a key digit takes nothing from the other.
    #[test]
    fn each_coordinate_counts_alone() {
        check(&["[", "0", ",", " ", "0", ".", "4", "]"], [0.0, 400.0], "norm", Some([None, Some(4)]));
        check(&["[", "0", ".", "4", ",", " ", "1", "]"], [800.0, 1000.0], "norm", Some([Some(4), None]));
        check(&["(", "7", "1", ",", "3", "0", "0", ")"], [142.0, 300.0], "norm1000", Some([None, Some(3)]));
        check(&["(", "71", "2", ",", "3", "0", "0", ")"], [1424.0, 300.0], "norm1000", Some([None, Some(3)]));
    }

    #[test]
    fn no_key_digit_is_guessed() {
        check(&["(", "71", "2", ",", "300", ")"], [1424.0, 300.0], "norm1000", None);
        check(&["(", "7", "1", ",", "3", "0", ")"], [142.0, 30.0], "norm1000", None);
        check(&["(", "7", "1", "2", ",", "3", "0", "0", ")"], [712.0, 300.0], "px", None);
        check(&["no", " numbers", " v1..2"], [712.0, 300.0], "norm1000", None);
    }
}
