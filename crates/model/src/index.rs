//! Indices: a type per list, so that the index of one list can't be used for another. Written as plain numbers.

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::fmt;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

macro_rules! index_types {
    ($($(#[$documentation:meta])* $name:ident)*) => {$(
        $(#[$documentation])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub usize);

        impl $name {
            /// The next index of the list, or its length after the last one.
            pub const fn after(self) -> Self {
                Self(self.0 + 1)
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                Self(index)
            }
        }

        impl From<$name> for usize {
            fn from(index: $name) -> Self {
                index.0
            }
        }

        /// That of a number: the schemas know nothing of the types.
        #[cfg(feature = "schema")]
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                usize::schema_name()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                usize::json_schema(generator)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        /// The bare number: messages list indices.
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }
    )*};
}

index_types! {
    /// Of a session of a pack.
    SessionIndex
    /// Of a program of a pack.
    ProgramIndex
    /// Of a window of a pack.
    WindowIndex
    /// Of an element of a pack's window.
    ElementIndex
    /// Of a target of a pack's index.
    TargetIndex
    /// Of a window in a scene: its position in the stack, 0 = bottom.
    PlacementIndex
}
