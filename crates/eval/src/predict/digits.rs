//! Finds the digits that decide a coordinate among a server's tokens.

use serde::Deserialize;

use crate::parse::{Answer, Scale};
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
/// hundreds digit of one in 0..=999. `None` for other scales, for boxes, and where a digit is not a token of its own.
pub(super) fn key_digits(tokens: &[Token], answer: &Answer, scale: Scale, image_size: [u32; 2]) -> Option<Digits> {
    if answer.bbox.is_some() || !matches!(scale, Scale::Norm | Scale::Norm1000) {
        return None;
    }
    let text: String = tokens.iter().map(|t| t.token.as_str()).collect();
    let factors = scale.factors(image_size);
    let wanted = [0, 1].map(|axis| answer.points[0][axis] / factors[axis]);
    let numbers = numbers(&text);
    // The answer is the last place where both numbers follow one another.
    let (x, y) = numbers.windows(2).rev().find_map(|pair| {
        let same = |axis: usize| (pair[axis].1 - wanted[axis]).abs() < 1e-6 * wanted[axis].abs().max(1.0);
        (same(0) && same(1)).then_some((pair[0].0, pair[1].0))
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
    Some(Digits { x: key(x)?, y: key(y)? })
}

/// Numbers in a text: byte where they begin, and value.
fn numbers(text: &str) -> Vec<(usize, f64)> {
    let bytes = text.as_bytes();
    let part = |at: usize| bytes[at].is_ascii_digit() || bytes[at] == b'.';
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
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

    fn check(text: &[&str], point: [f64; 2], scale: Scale, expected: Option<[usize; 2]>) {
        let answer = Answer { points: vec![point], bbox: None };
        let found = key_digits(&tokens(text), &answer, scale, [2000, 1000]);
        let own = |logits: &[Option<f64>]| logits.iter().position(|l| *l == Some(-0.25)).unwrap();
        assert_eq!(found.as_ref().map(|d| [own(&d.x), own(&d.y)]), expected, "{text:?}");
        for logits in found.iter().flat_map(|d| [&d.x, &d.y]) {
            assert_eq!((logits[6], logits[9]), (Some(-2.0), None), "{text:?}");
        }
    }

    #[test]
    fn key_digits_are_the_first_that_decide() {
        check(&["[", "0", ".", "7", "1", ",", " ", "0", ".", "2", "3", "]"], [1420.0, 230.0], Scale::Norm, Some([7, 2]));
        check(&["(", "7", "1", "2", ",", "3", "0", "0", ")"], [1424.0, 300.0], Scale::Norm1000, Some([7, 3]));
        check(
            &["1", "2", ",", "9", " so ", "(", "7", "1", "2", ",", "3", "0", "0", ")"],
            [1424.0, 300.0],
            Scale::Norm1000,
            Some([7, 3]),
        );
    }

    #[test]
    fn no_key_digit_is_guessed() {
        check(&["(", "71", "2", ",", "300", ")"], [1424.0, 300.0], Scale::Norm1000, None);
        check(&["(", "7", "1", ",", "3", "0", "0", ")"], [142.0, 300.0], Scale::Norm1000, None);
        check(&["(", "7", "1", "2", ",", "3", "0", "0", ")"], [712.0, 300.0], Scale::Px, None);
        check(&["no", " numbers"], [712.0, 300.0], Scale::Norm1000, None);
    }
}
