//! What state an element is in: a few words with a value each. A pack has a hundred thousand elements, so that a map of
//! each is as small as can be, and words that packs know are kept once.

use std::borrow::Cow;
use std::fmt;
use std::ops::Index;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

/// The words of `docs/pack.md`.
const WORDS: [&str; 15] = [
    "selected",
    "has_popup",
    "pressed",
    "enabled",
    "checked",
    "text",
    "expanded",
    "editable",
    "value",
    "min",
    "max",
    "step",
    "focused",
    "core",
    "mixed",
];

type Word = Cow<'static, str>;

/// The state of a control: only what applies is present (see `docs/pack.md`). In files it is an object.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct State(
    /// Sorted by word, each once.
    Vec<(Word, Value)>,
);

impl State {
    /// A state of which nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn place(&self, word: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (**known).cmp(word))
    }

    /// The value of a word.
    pub fn get(&self, word: &str) -> Option<&Value> {
        self.place(word).ok().map(|at| &self.0[at].1)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, word: &str) -> Option<&mut Value> {
        self.place(word).ok().map(|at| &mut self.0[at].1)
    }

    /// Whether it has this word.
    pub fn contains_key(&self, word: &str) -> bool {
        self.place(word).is_ok()
    }

    /// Gives a word a value, and returns the one that it had.
    pub fn insert(&mut self, word: impl AsRef<str>, value: Value) -> Option<Value> {
        let word = word.as_ref();
        match self.place(word) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                let known = WORDS.iter().find(|known| **known == word);
                // Most have one word, and none has many.
                self.0.reserve_exact(1);
                self.0.insert(at, (known.map_or_else(|| Cow::Owned(word.to_owned()), |known| Cow::Borrowed(*known)), value));
                None
            }
        }
    }

    /// Takes a word away, and returns its value.
    pub fn remove(&mut self, word: &str) -> Option<Value> {
        self.place(word).ok().map(|at| self.0.remove(at).1)
    }

    /// Words with their values, sorted.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.0.iter().map(|(word, value)| (&**word, value))
    }

    /// The words, sorted.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(|(word, _)| &**word)
    }
}

impl<W: AsRef<str>, const N: usize> From<[(W, Value); N]> for State {
    fn from(words: [(W, Value); N]) -> Self {
        let mut state = Self::new();
        words.into_iter().for_each(|(word, value)| drop(state.insert(word, value)));
        state
    }
}

impl Index<&str> for State {
    type Output = Value;

    fn index(&self, word: &str) -> &Value {
        self.get(word).expect("a word of the state")
    }
}

impl fmt::Debug for State {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_map().entries(self.iter()).finish()
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Words;

        impl<'de> Visitor<'de> for Words {
            type Value = State;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<State, A::Error> {
                let mut state = State::new();
                while let Some((word, value)) = map.next_entry::<ShortWord, Value>()? {
                    state.insert(word.0, value);
                }
                Ok(state)
            }
        }

        from.deserialize_map(Words)
    }
}

/// A word as it stands in a file: borrowed, unless it has escaped letters.
struct ShortWord<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for ShortWord<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Letters;

        impl<'de> Visitor<'de> for Letters {
            type Value = Cow<'de, str>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, word: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(word))
            }

            fn visit_str<E>(self, word: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(word.to_owned()))
            }

            fn visit_string<E>(self, word: String) -> Result<Self::Value, E> {
                Ok(Cow::Owned(word))
            }
        }

        from.deserialize_str(Letters).map(Self)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for State {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "State".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        std::collections::BTreeMap::<String, Value>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    #[test]
    fn states_are_the_maps_that_files_hold() {
        for text in
            ["{}", r#"{"selected":true}"#, r#"{"max":100.0,"min":-1,"odd \"word\"":[1,{"a":null}],"step":0.5,"value":7,"zz":""}"#]
        {
            let state: State = serde_json::from_str(text).unwrap();
            let map: BTreeMap<String, Value> = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&state).unwrap(), serde_json::to_string(&map).unwrap());
            assert_eq!(format!("{state:?}"), format!("{map:?}"));
            assert!(state.iter().eq(map.iter().map(|(word, value)| (word.as_str(), value))));
            assert_eq!((state.len(), state.is_empty()), (map.len(), map.is_empty()));
            let from_value: State = serde_json::from_value(serde_json::to_value(&map).unwrap()).unwrap();
            assert_eq!(from_value, state);
        }
        // The last of several counts, as in a map.
        let twice: State = serde_json::from_str(r#"{"value":1,"checked":true,"value":2}"#).unwrap();
        assert_eq!((twice.len(), &twice["value"]), (2, &json!(2)));
        for wrong in ["[]", "7", r#"{"a":}"#] {
            let error = |found: serde_json::Error| found.to_string();
            let found = serde_json::from_str::<State>(wrong).map_err(error).unwrap_err();
            assert_eq!(found, serde_json::from_str::<BTreeMap<String, Value>>(wrong).map_err(error).unwrap_err());
        }
    }

    #[test]
    fn states_change_as_maps_do() {
        let (mut state, mut map) = (State::new(), BTreeMap::new());
        for (at, word) in ["value", "checked", "own", "value", "a", "checked"].into_iter().enumerate() {
            assert_eq!(state.insert(word, json!(at)), map.insert(word.to_owned(), json!(at)));
        }
        *state.get_mut("own").unwrap() = json!("new");
        map.insert("own".to_owned(), json!("new"));
        assert!(state.contains_key("a") && !state.contains_key("b") && state.get("b").is_none());
        assert_eq!((state.remove("value"), state.remove("value")), (map.remove("value"), None));
        assert!(state.keys().eq(map.keys().map(String::as_str)));
        assert_eq!(serde_json::to_value(&state).unwrap(), serde_json::to_value(&map).unwrap());
        assert_eq!(State::from([("b", json!(2)), ("a", json!(1))]).keys().collect::<Vec<_>>(), ["a", "b"]);
    }
}
