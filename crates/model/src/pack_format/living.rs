//! A page's living file, `windows/<program>/<digest>.jsonl`: what its controls can be set to, and what it looks like
//! then.
//!
//! The first line is the page's ([`LivingPage`]), the others follow in any order. All boxes are px of the page's
//! picture unless something else is said. Pictures of all changes lie in one atlas per page.

use std::cmp::Ordering;
#[cfg(feature = "schema")]
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};

use litemap::LiteMap;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::capture::{ElementRecord, Picture, PopupKind};
use super::state::State;
use crate::geometry::{Point, Rect, Size};

/// The version of living files that this build reads and writes.
pub const PATCH_VERSION: u32 = 1;

/// A line of a living file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum LivingLine {
    /// The first line.
    Page(LivingPage),
    /// Something that can be set.
    Control(Control),
    /// What a control looks like at a value.
    Patch(Patch),
    /// What the focus, the pointer or a pressed button changes.
    Layer(Layer),
    /// What follows from values.
    Rule(Rule),
    /// A menu, list or popover that the page can open.
    Popup(LivingPopup),
    /// A part of the page whose content can be scrolled.
    ScrollArea(ScrollArea),
    /// Letters that texts are set from.
    Glyphs(Glyphs),
}

/// The first line of a living file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LivingPage {
    /// Always [`PATCH_VERSION`].
    pub patch_version: u32,
    /// Id of the capture that it belongs to.
    pub page: String,
    /// What changes look like in a window without the focus.
    pub inactive: InactiveLook,
    /// The element that has the focus in the page's picture, if one has.
    pub focus_home: Option<String>,
    /// Parts that change by themselves: blinking cursors, clocks.
    #[serde(default)]
    pub volatile: Vec<Rect>,
    /// How much of the page is known.
    pub coverage: Coverage,
}

/// How many of a page's visible interactive elements have a known outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// Visible interactive elements of the page and its popups.
    pub elements: u32,
    /// Those of them whose click has a known outcome.
    pub known: u32,
}

/// How a change looks in a window without the focus.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum InactiveLook {
    /// As in the active window.
    Same {},
    /// Areas that look different name a second place in the atlas.
    Captured {},
    /// Every pixel's colour is replaced by its pair; colours without a pair stay. Measured on the page's own pictures.
    Colours {
        /// Active colour, inactive colour.
        pairs: Vec<[Colour; 2]>,
    },
}

/// A colour. Written as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct Colour(pub [u8; 3]);

impl TryFrom<String> for Colour {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()));
        let number =
            digits.and_then(|d| u32::from_str_radix(d, 16).ok()).ok_or_else(|| format!("`{text}` is no colour #rrggbb"))?;
        let [_, red, green, blue] = number.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

impl From<Colour> for String {
    fn from(Colour([red, green, blue]): Colour) -> Self {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// What a control can be set to. Written as a JSON value: `true`, `4`, `"left"`, `[0.5, 0.2]`, `["Name", "Size"]`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// A number; whole ones are written without a point.
    Number(#[serde(serialize_with = "plain_number")] f64),
    /// One of several, or a text.
    Text(String),
    /// A point of a plane.
    Pair([f64; 2]),
    /// Several in order: selected ones, columns.
    List(Vec<String>),
}

/// Largest number that is written without a point: all whole ones up to it are exact.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

fn plain_number<S: serde::Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if number.fract() == 0.0 && number.abs() <= LARGEST_WHOLE {
        serializer.serialize_i64(*number as i64)
    } else {
        serializer.serialize_f64(*number)
    }
}

impl Value {
    /// Whether its numbers are numbers.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Number(number) => number.is_finite(),
            Self::Pair(pair) => pair.iter().all(|n| n.is_finite()),
            _ => true,
        }
    }

    fn kind(&self) -> u8 {
        match self {
            Self::Switch(_) => 0,
            Self::Number(_) => 1,
            Self::Text(_) => 2,
            Self::Pair(_) => 3,
            Self::List(_) => 4,
        }
    }
}

/// Zero has one sign, so that equal numbers are one value.
fn compare(one: f64, other: f64) -> Ordering {
    (one + 0.0).total_cmp(&(other + 0.0))
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Switch(one), Self::Switch(other)) => one.cmp(other),
            (Self::Number(one), Self::Number(other)) => compare(*one, *other),
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (Self::Pair(one), Self::Pair(other)) => compare(one[0], other[0]).then(compare(one[1], other[1])),
            (Self::List(one), Self::List(other)) => one.cmp(other),
            _ => self.kind().cmp(&other.kind()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let bits = |number: f64| (number + 0.0).to_bits();
        hasher.write_u8(self.kind());
        match self {
            Self::Switch(on) => on.hash(hasher),
            Self::Number(number) => bits(*number).hash(hasher),
            Self::Text(text) => text.hash(hasher),
            Self::Pair(pair) => pair.map(bits).hash(hasher),
            Self::List(list) => list.hash(hasher),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

/// Values of controls, by their ids. Most hold one, and a pack has tens of thousands of them: as trees they would take
/// ten times as much memory.
pub type Values = LiteMap<String, Value>;

/// What sort of control it is: the types of FineState-Bench, and those that change others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum ControlType {
    Slider,
    Knob,
    Stepper,
    SeekBar,
    ChartPoint,
    Switch,
    CheckBox,
    RadioGroup,
    Tabs,
    SegmentedControl,
    Accordion,
    Rating,
    ColourPicker,
    DatePicker,
    TimePicker,
    ListBox,
    Reorder,
    ZoomAndPan,
    TableColumn,
    Splitter,
    CropHandle,
    TreeNode,
    RangeSelection,
    ToggleButton,
    ComboBox,
    TextEntry,
    MenuToggle,
    /// Follows from other controls by a rule; nobody sets it.
    Derived,
}

/// Something on a page that has a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Unique on the page.
    pub id: String,
    /// The element that stands for it.
    pub element: String,
    /// What sort it is.
    #[serde(rename = "type")]
    pub kind: ControlType,
    /// All values that it can have.
    pub values: Domain,
    /// The value in the page's picture.
    pub value: Value,
    /// Of the switches of one group, one is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// What a click sets it to, measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub click_map: Option<PointMap>,
    /// What a drag sets it to, measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag_map: Option<DragMap>,
    /// Where a text control shows its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Box<TextPlace>>,
}

/// All values that a control can have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Domain {
    /// These.
    Choices {
        /// All of them, in the order in which the control shows them.
        values: Vec<Value>,
    },
    /// Numbers from `min` to `max` in steps.
    Range {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
        /// From one to the next, above 0.
        step: f64,
    },
    /// Any text of so many characters.
    Text {
        /// Most characters.
        max_chars: u32,
    },
    /// Points of a plane.
    Plane {
        /// Smallest and largest first number.
        x: [f64; 2],
        /// Smallest and largest second number.
        y: [f64; 2],
    },
    /// Any order of these.
    Order {
        /// All of them.
        items: Vec<String>,
    },
    /// Any of these together, in this order.
    Subset {
        /// All of them.
        items: Vec<String>,
    },
}

impl Domain {
    /// Whether a control can have this value.
    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Choices { values }, value) => values.contains(value),
            (Self::Range { min, max, step }, Value::Number(number)) => {
                let steps = (number - min) / step;
                (min..=max).contains(&number) && (steps - steps.round()).abs() <= STEP_TOLERANCE
            }
            (Self::Text { max_chars }, Value::Text(text)) => text.chars().count() <= *max_chars as usize,
            (Self::Plane { x, y }, Value::Pair(pair)) => (x[0]..=x[1]).contains(&pair[0]) && (y[0]..=y[1]).contains(&pair[1]),
            (Self::Order { items }, Value::List(list)) => list.len() == items.len() && items.iter().all(|i| list.contains(i)),
            (Self::Subset { items }, Value::List(list)) => {
                let mut rest = items.iter();
                list.iter().all(|item| rest.any(|i| i == item))
            }
            _ => false,
        }
    }
}

/// How far from a whole number of steps a number may be: sums of tenths are not exact.
const STEP_TOLERANCE: f64 = 1e-6;

/// Along which line a position is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Axis {
    X,
    Y,
}

/// From a point to a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PointMap {
    /// A value per box; boxes share no pixel.
    Regions {
        /// The boxes.
        regions: Vec<Region>,
    },
    /// The value grows evenly along one axis, within a box.
    Linear {
        /// Where points count.
        area: Rect,
        /// Along which axis.
        axis: Axis,
        /// The scale.
        scale: Scale,
    },
    /// The value of the last stop at or before the position, within a box.
    Stops {
        /// Where points count.
        area: Rect,
        /// Along which axis.
        axis: Axis,
        /// Positions, growing, with their values.
        stops: Vec<Stop>,
    },
    /// Two numbers, one along each axis.
    Plane {
        /// Where points count.
        area: Rect,
        /// From left to right.
        x: Scale,
        /// From top to bottom.
        y: Scale,
    },
}

/// A box that stands for a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// The box.
    pub rect: Rect,
    /// Its value.
    pub value: Value,
}

/// The value from this position on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// Position, px.
    pub from: i32,
    /// Its value.
    pub value: Value,
}

/// Positions and numbers that grow evenly with each other: `first` at `from`, `last` at `to`, rounded to steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scale {
    /// Position of the first number, px.
    pub from: i32,
    /// Position of the last number, px; another than `from`.
    pub to: i32,
    /// The first number.
    pub first: f64,
    /// The last number.
    pub last: f64,
    /// Numbers are whole multiples of this from `first` on; above 0.
    pub step: f64,
    /// How they are rounded.
    pub rounding: Rounding,
}

/// How positions between two numbers are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// To the nearer one, halves upwards.
    Nearest,
    /// Towards `first`.
    Down,
}

/// What a drag sets a control to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DragMap {
    /// Where the drag must begin; null for the core of the control's element, which moves with the value.
    pub handle: Option<Rect>,
    /// Whether the handle keeps its distance from the pointer (else its centre jumps to it).
    pub keeps_distance: bool,
    /// From the place of release to the value.
    pub release: PointMap,
}

/// Where a text control shows its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TextPlace {
    /// Id of the letters.
    pub glyphs: String,
    /// Left end of the base line.
    pub origin: Point,
    /// How far to the right of it the first letter begins, in parts of a px as the letters have them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shift: i32,
    /// Where letters show.
    pub clip: Rect,
    /// What shows at the end of a text that is set from letters while the field has the focus in an active window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caret: Option<Caret>,
    /// Values of other controls under which the text shows; under others nothing is drawn.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Value>"))]
    pub when: Values,
}

/// The caret of a text control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Caret {
    /// Its box, seen from the place where the next letter would begin, on the base line, rounded to the nearest px.
    pub rect: Rect,
    /// How far to the right of that place it is, in parts of a px; counted before the rounding.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shift: i32,
    /// Top left of its picture in the atlas.
    pub at: Point,
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

/// A part of the page whose pixels are replaced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// The box on the page.
    pub rect: Rect,
    /// Top left of its picture in the atlas.
    pub at: Point,
    /// Top left of its picture without the focus; null if [`InactiveLook`] says how it looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inactive: Option<Point>,
    /// Run lengths over the box, row by row, beginning with pixels that stay; null if all are replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mask: Option<Vec<u32>>,
}

/// How an element changes; what is left out stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ElementChange {
    /// The element.
    pub id: String,
    /// Its box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<Rect>,
    /// Its accessible name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its accessible description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether a user can act on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interactive: Option<bool>,
    /// Its whole state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// It is not visible any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
}

/// What a control looks like at a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// The control.
    pub control: String,
    /// Its value.
    pub value: Value,
    /// Values of other controls that this look belongs to; the patch with the most of them is taken.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Value>"))]
    pub when: Values,
    /// What changes in the picture.
    pub areas: Vec<Area>,
    /// What changes instead while the control's element has the focus; null if the layer of the focus is added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focused: Option<Vec<Area>>,
    /// What changes in the tree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<ElementChange>,
    /// Elements that only show at this value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<ElementRecord>,
    /// Controls whose patches this one lies over where they overlap: it was captured so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<String>,
    /// Whether a second capture of this value was equal.
    pub verified: bool,
}

/// What a layer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// The element has the focus.
    Focus,
    /// The pointer is over it.
    Hover,
    /// The mouse button is held down on it.
    Press,
}

/// What focus, pointer or mouse button change at an element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// What it shows.
    pub kind: LayerKind,
    /// The element.
    pub element: String,
    /// Values that it belongs to.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Value>"))]
    pub when: Values,
    /// What changes in the picture.
    pub areas: Vec<Area>,
}

/// What follows from the values of controls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Rule {
    /// A derived control has this value where the test holds, else the one of the page's picture.
    Derived {
        /// The control.
        control: String,
        /// The value.
        value: Value,
        /// When.
        test: Test,
    },
    /// Where the test does not hold, the controls take no input.
    Enables {
        /// When they do.
        test: Test,
        /// The controls.
        controls: Vec<String>,
    },
    /// Patches of the two overlap, and which pixels show is not known: both may not differ from the page's picture.
    Conflict {
        /// The two controls.
        controls: [String; 2],
    },
}

/// A condition on the values of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum Test {
    /// A control has this value.
    Equal {
        /// The control.
        control: String,
        /// The value.
        value: Value,
    },
    /// One of the controls has another value than in the page's picture.
    Changed {
        /// The controls.
        controls: Vec<String>,
    },
    /// The test does not hold.
    Not {
        /// The test.
        test: Box<Test>,
    },
    /// All hold.
    All {
        /// The tests.
        tests: Vec<Test>,
    },
    /// One holds.
    Any {
        /// The tests.
        tests: Vec<Test>,
    },
}

impl Test {
    /// The controls that it looks at.
    pub fn controls(&self) -> Vec<&str> {
        match self {
            Self::Equal { control, .. } => vec![control],
            Self::Changed { controls } => controls.iter().map(String::as_str).collect(),
            Self::Not { test } => test.controls(),
            Self::All { tests } | Self::Any { tests } => tests.iter().flat_map(Self::controls).collect(),
        }
    }
}

/// A menu, list or popover that the page can open. It lies over the page and may reach beyond its picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LivingPopup {
    /// Unique on the page.
    pub id: String,
    /// What it is.
    pub kind: PopupKind,
    /// The element that opens it.
    pub opener: String,
    /// Values that it belongs to.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Value>"))]
    pub when: Values,
    /// Its box.
    pub rect: Rect,
    /// Its picture with its shadow, laid over the page by its alpha.
    pub areas: Vec<Area>,
    /// Its elements. Their ids are unique on the page with all its popups.
    pub elements: Vec<ElementRecord>,
    /// What changes when the pointer is over one of its elements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lit: Vec<Layer>,
}

/// A part of the page whose content can be scrolled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScrollArea {
    /// Unique on the page.
    pub id: String,
    /// The element that scrolls.
    pub element: String,
    /// The box in which the content shows.
    pub viewport: Rect,
    /// The whole content, a picture file of its own, with its size.
    pub content: Picture,
    /// The same without the focus, as a delta; null if it looks the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inactive: Option<Picture>,
    /// The content's pixel at the top left of the viewport in the page's picture.
    pub offset: Point,
    /// How far a notch of the wheel moves the content, px.
    pub step: Point,
    /// The content's elements, px of the content.
    pub elements: Vec<ElementRecord>,
    /// Its scroll bars.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bars: Vec<ScrollBar>,
}

/// A scroll bar: a track, and a thumb that moves along it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScrollBar {
    /// Which way it scrolls.
    pub axis: Axis,
    /// Its element.
    pub element: String,
    /// The track without its thumb.
    pub track: Area,
    /// The thumb where it is in the page's picture.
    pub thumb: Area,
    /// Positions of the thumb's first edge at the first and at the last offset, px.
    pub travel: [i32; 2],
}

/// Letters that texts are set from, as the program draws them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Glyphs {
    /// Unique on the page.
    pub id: String,
    /// In how many parts of a px advances and kerning are told.
    #[serde(default = "default_parts", skip_serializing_if = "is_default_parts")]
    pub parts: i32,
    /// How many pictures each letter has: of its origins at as many places within a px, 0 first. They lie side by side
    /// in the atlas.
    #[serde(default = "default_phases", skip_serializing_if = "is_default_phases")]
    pub phases: i32,
    /// The letters.
    pub glyphs: Vec<Glyph>,
    /// By how much two letters are moved together or apart, parts of a px.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kerning: Vec<(char, char, i32)>,
}

/// Parts of a px, unless letters say otherwise.
pub const GLYPH_PARTS: i32 = 64;

fn default_parts() -> i32 {
    GLYPH_PARTS
}

fn is_default_parts(parts: &i32) -> bool {
    *parts == GLYPH_PARTS
}

fn default_phases() -> i32 {
    1
}

fn is_default_phases(phases: &i32) -> bool {
    *phases == 1
}

/// A letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Glyph {
    /// Which.
    pub letter: char,
    /// From its origin to that of the next, parts of a px.
    pub advance: i32,
    /// Top left of its picture, seen from its origin on the base line, px.
    pub bearing: Point,
    /// Top left of its first picture in the atlas.
    pub at: Point,
    /// Size of each of its pictures; null if it has none, as a space.
    pub size: Option<Size>,
}
