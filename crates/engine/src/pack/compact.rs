//! Plain values as few bytes that are read fast, for what this program keeps for itself: the bytes do not say what they
//! are, and another version may write others.

use serde_json::Value;
use typed_index_collections::TiVec;

use windesk_model::geometry::Rect;
use windesk_model::index::{ElementIndex, WindowIndex};
use windesk_model::instruction::{InstructionSource, UiType, Wording};
use windesk_model::pack_format::{EvidenceKind, State};
use windesk_model::role::RoleGroup;

/// A value that can be written as bytes and read again.
pub(super) trait Compact: Sized {
    /// Adds its bytes.
    fn write(&self, out: &mut Vec<u8>);
    /// Takes its bytes from the front. `None` if they are no such value.
    fn read(from: &mut &[u8]) -> Option<Self>;
}

/// The bytes of a value.
pub(super) fn to_bytes(value: &impl Compact) -> Vec<u8> {
    let mut out = Vec::new();
    value.write(&mut out);
    out
}

/// The value that these bytes are, and no more.
pub(super) fn from_bytes<T: Compact>(mut bytes: &[u8]) -> Option<T> {
    let value = T::read(&mut bytes)?;
    bytes.is_empty().then_some(value)
}

fn take<'a>(from: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = from.split_at_checked(count)?;
    *from = rest;
    Some(taken)
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
impl Compact for u64 {
    fn write(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            out.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = from.split_first()?;
            *from = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

impl Compact for usize {
    fn write(&self, out: &mut Vec<u8>) {
        (*self as u64).write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        u64::read(from)?.try_into().ok()
    }
}

impl Compact for u32 {
    fn write(&self, out: &mut Vec<u8>) {
        u64::from(*self).write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        u64::read(from)?.try_into().ok()
    }
}

/// Small ones of either sign are short.
impl Compact for i32 {
    fn write(&self, out: &mut Vec<u8>) {
        ((self << 1) ^ (self >> 31)).cast_unsigned().write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let folded = u32::read(from)?;
        Some((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
    }
}

impl Compact for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        match take(from, 1)? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }
}

impl Compact for String {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let length = usize::read(from)?;
        std::str::from_utf8(take(from, length)?).ok().map(str::to_owned)
    }
}

impl<T: Compact> Compact for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        self.iter().for_each(|value| value.write(out));
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        if bool::read(from)? { T::read(from).map(Some) } else { Some(None) }
    }
}

impl<T: Compact> Compact for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        self.iter().for_each(|value| value.write(out));
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let length = usize::read(from)?;
        // Every value takes a byte at least.
        let mut values = Self::with_capacity(length.min(from.len()));
        for _ in 0..length {
            values.push(T::read(from)?);
        }
        Some(values)
    }
}

impl<K, T: Compact> Compact for TiVec<K, T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.raw.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Vec::read(from).map(Into::into)
    }
}

impl<A: Compact, B: Compact> Compact for (A, B) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        Some((A::read(from)?, B::read(from)?))
    }
}

/// Left, top, width and height: the last two are short where the box is small.
impl Compact for Rect {
    fn write(&self, out: &mut Vec<u8>) {
        self.x0().write(out);
        self.y0().write(out);
        self.x1().wrapping_sub(self.x0()).write(out);
        self.y1().wrapping_sub(self.y0()).write(out);
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let [x0, y0] = [i32::read(from)?, i32::read(from)?];
        Self::try_from([x0, y0, x0.wrapping_add(i32::read(from)?), y0.wrapping_add(i32::read(from)?)]).ok()
    }
}

macro_rules! indices {
    ($($name:ident)*) => {$(
        impl Compact for $name {
            fn write(&self, out: &mut Vec<u8>) {
                self.0.write(out);
            }

            fn read(from: &mut &[u8]) -> Option<Self> {
                usize::read(from).map(Self)
            }
        }
    )*};
}

indices!(WindowIndex ElementIndex);

/// Types that are one of a few names: a byte each, in the order given here.
macro_rules! names {
    ($($name:ident: $($variant:ident)*;)*) => {$(
        impl Compact for $name {
            fn write(&self, out: &mut Vec<u8>) {
                const ALL: &[$name] = &[$($name::$variant),*];
                // So that one that was forgotten here does not compile.
                match self {
                    $(Self::$variant)|* => {}
                }
                ALL.iter().position(|known| known == self).expect("one of them").write(out);
            }

            fn read(from: &mut &[u8]) -> Option<Self> {
                const ALL: &[$name] = &[$($name::$variant),*];
                ALL.get(usize::read(from)?).copied()
            }
        }
    )*};
}

names! {
    Wording: Brief InContext InWindow;
    InstructionSource: Reviewed Accessibility;
    UiType: Icon Text;
    EvidenceKind: Label Glyph Caption Landmark Title;
    RoleGroup: Button Menu MenuItem Tab CheckBox Radio Switch Field ComboBox SpinButton Slider Item Cell Link Header Icon;
}

impl Compact for State {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        for (word, value) in self.iter() {
            word.to_owned().write(out);
            match value {
                Value::Bool(value) => Some(*value).write(out),
                other => {
                    None::<bool>.write(out);
                    other.to_string().write(out);
                }
            }
        }
    }

    fn read(from: &mut &[u8]) -> Option<Self> {
        let mut state = Self::new();
        for _ in 0..usize::read(from)? {
            let word = String::read(from)?;
            let value = match Option::<bool>::read(from)? {
                Some(value) => Value::Bool(value),
                None => serde_json::from_str(&String::read(from)?).ok()?,
            };
            state.insert(word, value);
        }
        Some(state)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn comes_back<T: Compact + PartialEq + std::fmt::Debug>(value: T) {
        let bytes = to_bytes(&value);
        assert_eq!(from_bytes::<T>(&bytes).as_ref(), Some(&value));
        for short in 0..bytes.len() {
            assert_ne!(from_bytes::<T>(&bytes[..short]).as_ref(), Some(&value), "{value:?} of {short} bytes");
        }
        assert_eq!(from_bytes::<T>(&[&bytes[..], &[0]].concat()), None, "{value:?} and a byte more");
    }

    #[test]
    fn values_come_back() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            comes_back(value);
        }
        for value in [0, 1, -1, 63, -64, 64, i32::MAX, i32::MIN] {
            comes_back(value);
        }
        comes_back(vec![Some("a „b“".to_owned()), None, Some(String::new())]);
        comes_back((RoleGroup::Icon, vec![Wording::Brief, Wording::InWindow]));
        comes_back(Rect::try_from([-4, 5, 90, 7]).expect("a box"));
        comes_back(State::from([
            ("selected", json!(true)),
            ("text", json!("q\"")),
            ("value", json!(0.25)),
            ("own", json!([null])),
        ]));
    }

    #[test]
    fn bytes_of_something_else_are_refused() {
        assert_eq!(from_bytes::<u64>(&[0xff; 11]), None);
        assert_eq!(from_bytes::<u32>(&to_bytes(&u64::MAX)), None);
        assert_eq!(from_bytes::<bool>(&[2]), None);
        assert_eq!(from_bytes::<UiType>(&[2]), None);
        assert_eq!(from_bytes::<String>(&[2, 0xc3, 0x28]), None);
        assert_eq!(from_bytes::<Vec<u64>>(&to_bytes(&u64::MAX)), None, "a length beyond all memory");
    }
}
