//! Parts of a pack that are unpacked when they are first asked for.
//!
//! A pack that was read from its own files holds them unpacked. One that was opened from what an earlier run kept
//! ([`super::kept`]) holds their bytes: most runs look at few windows, and none at all of what packs are made with.

use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, OnceLock};

/// A value, or the bytes that it is made of until somebody asks for it.
#[derive(Clone)]
pub struct Later<T> {
    value: OnceLock<T>,
    packed: Option<Packed<T>>,
}

/// Bytes of which a value can be made. They were checked: that it can't be made of them is a fault of ours.
#[derive(Clone)]
pub(super) struct Packed<T> {
    pub(super) bytes: Arc<Vec<u8>>,
    pub(super) range: Range<usize>,
    pub(super) unpack: fn(&[u8]) -> Option<T>,
}

impl<T> Later<T> {
    /// A value that is made of bytes when it is first asked for.
    pub(super) fn of(packed: Packed<T>) -> Self {
        Self { value: OnceLock::new(), packed: Some(packed) }
    }

    fn unpacked(&self) -> &T {
        let unpack = || {
            let packed = self.packed.as_ref().expect("a value or its bytes");
            (packed.unpack)(&packed.bytes[packed.range.clone()]).expect("the bytes that were kept for it, unchanged")
        };
        self.value.get_or_init(unpack)
    }
}

impl<T> From<T> for Later<T> {
    fn from(value: T) -> Self {
        Self { value: value.into(), packed: None }
    }
}

impl<T: Default> Default for Later<T> {
    fn default() -> Self {
        T::default().into()
    }
}

impl<T> Deref for Later<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.unpacked()
    }
}

impl<T> DerefMut for Later<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.unpacked();
        self.value.get_mut().expect("unpacked")
    }
}

impl<T, I> FromIterator<I> for Later<T>
where
    T: FromIterator<I>,
{
    fn from_iter<A: IntoIterator<Item = I>>(all: A) -> Self {
        T::from_iter(all).into()
    }
}

impl<'a, T> IntoIterator for &'a Later<T>
where
    &'a T: IntoIterator,
{
    type Item = <&'a T as IntoIterator>::Item;
    type IntoIter = <&'a T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.unpacked().into_iter()
    }
}

impl<T: PartialEq> PartialEq for Later<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for Later<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.unpacked().fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once_and_can_be_changed() {
        let bytes = Arc::new(b"..later..".to_vec());
        let unpack = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let mut value = Later::of(Packed { bytes, range: 2..7, unpack });
        assert!(value.value.get().is_none());
        assert_eq!(value.len(), 5);
        let first = value.as_ptr();
        assert_eq!((value.as_ptr(), value.as_str()), (first, "later"));
        let copy = value.clone();
        value.push('!');
        assert_eq!((value.as_str(), copy.as_str()), ("later!", "later"));
        assert!(value != copy && format!("{copy:?}") == "\"later\"");
        assert_eq!("ab".chars().collect::<Later<String>>(), Later::from("ab".to_owned()));
    }
}
