//! A line of `windows/<program>/transitions.jsonl`: what an action on an element leads to.

#[cfg(feature = "schema")]
use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::living::{Value, Values};
use crate::geometry::{Point, Rect};

/// What one action on one element of a page does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Transition {
    /// Capture id before.
    pub from: String,
    /// Values that controls must have for it; the others may have any.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Value>"))]
    pub when: Values,
    /// It holds while one of these elements has the focus; none: wherever it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub focused: Vec<String>,
    /// Element acted on, of the page or of one of its popups; null for keys that the whole window takes.
    pub element: Option<String>,
    /// The part of the element that it holds for, px of the page; null for all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Rect>,
    /// What is done.
    pub action: Action,
    /// What comes of it, in order; at least one. `inert` and `unmodelled` stand alone.
    pub outcomes: Vec<Outcome>,
}

impl Transition {
    /// Whether it holds only at some values or with the focus at some elements.
    pub fn is_conditional(&self) -> bool {
        !self.when.is_empty() || !self.focused.is_empty()
    }

    /// The capture that is shown or opened, if one is named.
    pub fn to(&self) -> Option<&str> {
        self.outcomes.iter().find_map(|outcome| match outcome {
            Outcome::Page { to } | Outcome::Window { to, .. } | Outcome::Launch { to } => Some(to.as_str()),
            Outcome::Closed { to } | Outcome::Maximised { to, .. } => to.as_deref(),
            _ => None,
        })
    }
}

/// What a person does at an element. Written as a word, or as `{"key": "ctrl+f"}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Action {
    Click,
    DoubleClick,
    RightClick,
    MiddleClick,
    Hover,
    /// One key with its modifiers: `ctrl+f`, `Escape`.
    Key(String),
    /// Text typed where the focus is.
    Type(String),
    /// Notches of the wheel, to the right and down.
    Scroll(Point),
    /// The button is pressed at the first point and released at the second, px of the page.
    Drag([Point; 2]),
}

impl Action {
    /// The word that it is called by.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::DoubleClick => "double_click",
            Self::RightClick => "right_click",
            Self::MiddleClick => "middle_click",
            Self::Hover => "hover",
            Self::Key(_) => "key",
            Self::Type(_) => "type",
            Self::Scroll(_) => "scroll",
            Self::Drag(_) => "drag",
        }
    }
}

/// What comes of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// The window shows another page, with the values that its controls have there.
    Page {
        /// Capture id.
        to: String,
    },
    /// A popup of the page opens.
    Popup {
        /// Its id.
        popup: String,
    },
    /// The open popup closes.
    PopupClosed {},
    /// A window opens.
    Window {
        /// Capture id.
        to: String,
        /// Its frame's top left minus that of this window; null if it opens where windows do.
        offset: Option<Point>,
    },
    /// The window closes.
    Closed {
        /// What its parent then shows, if that changes or is known.
        to: Option<String>,
    },
    /// The window is put away into the taskbar.
    Minimised {},
    /// The window fills the work area, or has its former size again.
    Maximised {
        /// Capture id of the window so placed, if it was captured.
        to: Option<String>,
        /// What goes along to that page; null if it shows as it was captured.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        carries: Option<Carries>,
    },
    /// Another program's window opens.
    Launch {
        /// Capture id.
        to: String,
    },
    /// A control has another value.
    Value {
        /// Its id.
        control: String,
        /// The value that it has then, or by how many steps it changes.
        #[serde(flatten)]
        change: Change,
    },
    /// The click or drag sets the control by its click or drag map.
    Mapped {
        /// The control's id.
        control: String,
    },
    /// What is typed is added to a text control at the cursor.
    Typed {
        /// The control's id.
        control: String,
    },
    /// The content of a scroll area moves.
    Scrolled {
        /// Its id.
        area: String,
        /// By how much, px.
        by: Point,
    },
    /// An element takes the focus.
    Focus {
        /// Its id.
        element: String,
    },
    /// Nothing changes; that was tried.
    Inert {},
    /// Something changes that the pack doesn't know.
    Unmodelled {
        /// Why not.
        why: String,
    },
}

impl Outcome {
    /// The page that values are carried to, by its capture's id.
    pub fn carried_to(&self) -> Option<&str> {
        match self {
            Self::Maximised { to, carries: Some(_) } => to.as_deref(),
            _ => None,
        }
    }
}

/// What a window takes along when it shows another living page of itself: the value of every control. Controls with the
/// same id are the same one on both pages, and so are elements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Carries {
    /// Whether the element with the focus keeps it; else it is where the other page's picture has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub focus: bool,
    /// Controls that one of the two pages lacks or that can have other values there. The outcome is known only while
    /// each of them is as in the picture.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
}

/// How a value changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It becomes this.
    To(Value),
    /// It goes so many steps up (or down), within its range.
    By(i32),
    /// It becomes the next of its choices, and the first after the last.
    Next(bool),
}
