//! Every name once.

use std::collections::HashMap;
use std::sync::Arc;

/// A name in [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);

/// Names by number, in the order of their first appearance.
#[derive(Clone, Debug, Default)]
pub struct Names {
    numbers: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl Names {
    /// The number of a name; a new one if it has none yet.
    pub fn number(&mut self, text: &str) -> Name {
        if let Some(&number) = self.numbers.get(text) {
            return Name(number);
        }
        let (number, shared) = (self.texts.len() as u32, Arc::<str>::from(text));
        self.numbers.insert(shared.clone(), number);
        self.texts.push(shared);
        Name(number)
    }

    /// The number of a name that is known.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.numbers.get(text).copied().map(Name)
    }

    /// The name of a number.
    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }
}

impl Name {
    /// Position of its first appearance among all names.
    pub fn number(self) -> u32 {
        self.0
    }
}
