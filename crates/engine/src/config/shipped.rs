//! The levels and priors that are compiled into the binary from `configs/`.

use windesk_model::Error;
use windesk_model::condition::{Condition, Priors};
use windesk_model::spelling::nearest;

use super::parse_level;

/// Names and texts of the shipped levels, easiest first.
pub const LEVELS: [(&str, &str); 5] = [
    ("L1", include_str!("../../../../configs/levels/l1.toml")),
    ("L2", include_str!("../../../../configs/levels/l2.toml")),
    ("L3", include_str!("../../../../configs/levels/l3.toml")),
    ("L4", include_str!("../../../../configs/levels/l4.toml")),
    ("L5", include_str!("../../../../configs/levels/l5.toml")),
];

/// A shipped level with `key=value` changes.
///
/// # Errors
/// If there is no such level, or the changes make it impossible.
pub fn level(name: &str, sets: &[String]) -> Result<Condition, Error> {
    let found = LEVELS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    let Some((known, text)) = found else {
        let names = LEVELS.map(|(known, _)| known);
        let error = Error::config(format!("--level {name}"), format!("expected {}, `all` or a TOML file", names.join(", ")));
        return Err(match nearest(name, names) {
            Some(near) => error.with_hint(format!("did you mean {near}?")),
            None => error,
        });
    };
    parse_level(&format!("configs/levels/{}.toml", known.to_lowercase()), text, sets)
}

/// The shipped category-position priors.
pub fn priors() -> Priors {
    toml::from_str(include_str!("../../../../configs/priors.toml")).expect("a test reads the shipped file")
}
