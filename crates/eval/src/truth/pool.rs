//! Lists of many owners in one piece: an owner keeps eight bytes, whether its list is empty or long.

use std::marker::PhantomData;

/// A list in a [`Pool`].
#[derive(Debug)]
pub(super) struct Part<T> {
    start: u32,
    length: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Part<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Part<T> {}

impl<T> Part<T> {
    /// No items. A part of every pool.
    pub(super) const EMPTY: Self = Self { start: 0, length: 0, of: PhantomData };
}

/// Items of all lists, one list after the other.
#[derive(Clone, Debug)]
pub(super) struct Pool<T> {
    items: Vec<T>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T> Pool<T> {
    /// Adds a list.
    ///
    /// # Errors
    /// If it would be too much for numbers of 32 bits. The error says how many items there would be.
    pub(super) fn add(&mut self, list: impl IntoIterator<Item = T>) -> Result<Part<T>, String> {
        let start = self.items.len();
        self.items.extend(list);
        let end = self.items.len();
        let number = |at: usize| u32::try_from(at).map_err(|_| format!("lists of {end} items together, expected at most 2^32"));
        number(end)?;
        if start == end {
            Ok(Part::EMPTY)
        } else {
            Ok(Part { start: number(start)?, length: number(end - start)?, of: PhantomData })
        }
    }

    /// The items of a list.
    pub(super) fn list(&self, part: Part<T>) -> &[T] {
        &self.items[part.start as usize..][..part.length as usize]
    }
}

/// Texts of many owners in one piece.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts(String);

impl Texts {
    /// Adds a text.
    ///
    /// # Errors
    /// If there would be more than 4 GiB of them.
    pub(super) fn add(&mut self, text: &str) -> Result<Part<u8>, String> {
        let number = |at: usize| u32::try_from(at).map_err(|_| "ids of more than 4 GiB together".to_owned());
        number(self.0.len() + text.len())?;
        let part = Part { start: number(self.0.len())?, length: number(text.len())?, of: PhantomData };
        self.0.push_str(text);
        Ok(part)
    }

    /// A text.
    pub(super) fn text(&self, part: Part<u8>) -> &str {
        &self.0[part.start as usize..][..part.length as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_found_again() {
        let (mut pool, mut texts) = (Pool::default(), Texts::default());
        let lists: [&[u32]; 4] = [&[3, 1], &[], &[7], &[1, 2, 3]];
        let words = ["ä", "", "target", "0"];
        let parts = lists.map(|list| pool.add(list.iter().copied()).unwrap());
        let ids = words.map(|word| texts.add(word).unwrap());
        assert_eq!(parts.map(|part| pool.list(part)), lists);
        assert_eq!(ids.map(|id| texts.text(id)), words);
        assert!(Pool::<u32>::default().list(Part::EMPTY).is_empty());
    }
}
