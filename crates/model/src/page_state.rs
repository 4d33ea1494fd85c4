//! How a window differs from its capture, and what may be done to it. Plain data: a part of plans and records, and a
//! key of caches.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::Point;
use crate::pack_format::Action;
#[cfg(feature = "schema")]
use crate::pack_format::living::Value;
use crate::pack_format::living::Values;

/// How a living page differs from its picture. The default is the page as it was captured.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PageState {
    /// Values of the controls that have another one than in the page's picture.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Value>"))]
    pub values: Values,
    /// The open popup, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub popup: Option<String>,
    /// The element that has the focus, if it is another one than in the page's picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<String>,
    /// Scroll areas that were moved, with the content's pixel at the top left of the viewport.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub offsets: BTreeMap<String, Point>,
}

impl PageState {
    /// Whether the page is as it was captured.
    pub fn is_captured(&self) -> bool {
        *self == Self::default()
    }
}

/// Something that a person does to a window. Points are px of the page's picture; those of popups may lie outside of
/// it. Written as `{"click": [10, 20]}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WindowEvent {
    /// The left button is pressed and released.
    Click(Point),
    /// The same twice, quickly.
    DoubleClick(Point),
    /// The right button is pressed and released.
    RightClick(Point),
    /// The middle button is pressed and released.
    MiddleClick(Point),
    /// The pointer comes to rest.
    Hover(Point),
    /// One key with its modifiers: `ctrl+f`, `Escape`.
    Key(String),
    /// Text is typed where the focus is.
    Type(String),
    /// The wheel is turned.
    Scroll {
        /// Where the pointer is.
        at: Point,
        /// Notches to the right and down.
        notches: Point,
    },
    /// The left button is pressed at the first point and released at the second.
    Drag([Point; 2]),
}

impl WindowEvent {
    /// Where the pointer is as it begins; null for keys and text.
    pub fn at(&self) -> Option<Point> {
        match self {
            Self::Click(at) | Self::DoubleClick(at) | Self::RightClick(at) | Self::MiddleClick(at) | Self::Hover(at) => Some(*at),
            Self::Scroll { at, .. } => Some(*at),
            Self::Drag([at, _]) => Some(*at),
            Self::Key(_) | Self::Type(_) => None,
        }
    }

    /// Every point that it names.
    pub fn points(&self) -> Vec<Point> {
        match self {
            Self::Drag(points) => points.to_vec(),
            _ => self.at().into_iter().collect(),
        }
    }

    /// What transitions call it.
    pub fn action(&self) -> Action {
        match self {
            Self::Click(_) => Action::Click,
            Self::DoubleClick(_) => Action::DoubleClick,
            Self::RightClick(_) => Action::RightClick,
            Self::MiddleClick(_) => Action::MiddleClick,
            Self::Hover(_) => Action::Hover,
            Self::Key(key) => Action::Key(key.clone()),
            Self::Type(text) => Action::Type(text.clone()),
            Self::Scroll { notches, .. } => Action::Scroll(*notches),
            Self::Drag(points) => Action::Drag(*points),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack_format::living::Value;

    #[test]
    fn what_is_as_captured_is_not_written() {
        let state = PageState::default();
        assert!(state.is_captured());
        assert_eq!(serde_json::to_string(&state).unwrap(), "{}");
        let text = r#"{"values":{"dim":true,"level":40},"popup":"menu","offsets":{"rooms":[0,40]}}"#;
        let state: PageState = serde_json::from_str(text).unwrap();
        assert_eq!(state.values.get("level"), Some(&Value::Number(40.0)));
        assert_eq!(serde_json::to_string(&state).unwrap(), text);
        assert!(serde_json::from_str::<PageState>(r#"{"value":{}}"#).is_err());
    }

    #[test]
    fn events_are_written_as_their_names() {
        for text in [
            r#"{"click":[10,20]}"#,
            r#"{"double_click":[10,20]}"#,
            r#"{"key":"ctrl+f"}"#,
            r#"{"type":"hello"}"#,
            r#"{"scroll":{"at":[1,2],"notches":[0,1]}}"#,
            r#"{"drag":[[1,2],[3,4]]}"#,
        ] {
            let event: WindowEvent = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&event).unwrap(), text);
            assert_eq!(event.at().is_none(), matches!(event, WindowEvent::Key(_) | WindowEvent::Type(_)));
        }
    }
}
