//! How far long work has come: a bar with rate and time left. Drawn on a terminal only; silent elsewhere.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for `total` things, called `unit`.
pub(crate) fn bar(total: u64, unit: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {unit}  {{per_sec}}  {{eta}} left");
    ProgressBar::new(total).with_style(ProgressStyle::with_template(&template).expect("a valid template"))
}
