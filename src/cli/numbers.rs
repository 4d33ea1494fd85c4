//! Numbers with decimals as options take them: neither `nan` nor `inf`, which Rust reads as numbers, nor others beyond
//! sense, with which every answer would be right or none.

/// What no length in px, no time in seconds and no factor comes near.
const MOST: f64 = 1e6;

/// Above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    number(text, |v| v > 0.0).ok_or_else(|| format!("expected a number above 0 and below {MOST}"))
}

/// 0 or above.
pub(super) fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |v| v >= 0.0).ok_or_else(|| format!("expected a number from 0 and below {MOST}"))
}

fn number(text: &str, fits: impl Fn(f64) -> bool) -> Option<f64> {
    text.parse().ok().filter(|v: &f64| v.is_finite() && fits(*v) && *v < MOST)
}
