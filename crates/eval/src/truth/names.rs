//! Every name once.

use std::num::NonZero;
use std::sync::Arc;

use super::Table;

/// A name in [`Names`]. Its number is from 1, so that no name at all takes no room of its own: there are ten per
/// target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(NonZero<u32>);

/// Names by number, in the order of their first appearance.
#[derive(Clone, Debug, Default)]
pub struct Names {
    numbers: Table<Arc<str>, Name>,
    texts: Vec<Arc<str>>,
}

impl Names {
    /// The number of a name; a new one if it has none yet.
    pub fn number(&mut self, text: &str) -> Name {
        if let Some(&name) = self.numbers.get(text) {
            return name;
        }
        let shared = Arc::<str>::from(text);
        self.texts.push(shared.clone());
        let name = Name(u32::try_from(self.texts.len()).ok().and_then(NonZero::new).expect("fewer than 2^32 names"));
        self.numbers.insert(shared, name);
        name
    }

    /// The number of a name that is known.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.numbers.get(text).copied()
    }

    /// The name of a number.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0.get() as usize - 1]
    }
}

impl Name {
    /// Position of its first appearance among all names, from 1.
    pub fn number(self) -> u32 {
        self.0.get()
    }
}
