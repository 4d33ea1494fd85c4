//! State setting: a control, the state that it has and the one that it must take, as datasets hold them and evaluation
//! reads them.
//!
//! Boxes and points are px of the image. A point is real-valued; pixel (3, 4) holds the points from (3, 4) up to, but
//! not including, (4, 5).

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::geometry::{Point, Rect};
use crate::key::SampleKey;
use crate::pack_format::Platform;
use crate::pack_format::living::{ControlType, Value};

/// The four families of FineState-Bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Numeric ranges: sliders and the like.
    Range,
    /// Choices and switches.
    Option,
    /// Data of a certain kind: dates, times, colours, ratings.
    Data,
    /// The structure of what is shown: order, size, what is open.
    Structure,
}

impl Family {
    /// All of them, in the order of the benchmark.
    pub const ALL: [Self; 4] = [Self::Range, Self::Option, Self::Data, Self::Structure];

    /// The name as flags and records write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Range => "range",
            Self::Option => "option",
            Self::Data => "data",
            Self::Structure => "structure",
        }
    }
}

/// A component type of state setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// The type of the controls that it stands for.
    pub kind: ControlType,
    /// The name as flags and records write it.
    pub name: &'static str,
    /// Its family.
    pub family: Family,
}

/// The 23 component types. Splitter, crop handle, tree node and range selection are windesk's choice, see
/// `docs/states.md`.
pub const COMPONENTS: [Component; 23] = {
    const fn of(kind: ControlType, name: &'static str, family: Family) -> Component {
        Component { kind, name, family }
    }
    [
        of(ControlType::Slider, "slider", Family::Range),
        of(ControlType::Knob, "knob", Family::Range),
        of(ControlType::Stepper, "stepper", Family::Range),
        of(ControlType::SeekBar, "seek_bar", Family::Range),
        of(ControlType::ChartPoint, "chart_point", Family::Range),
        of(ControlType::Switch, "switch", Family::Option),
        of(ControlType::CheckBox, "check_box", Family::Option),
        of(ControlType::RadioGroup, "radio_group", Family::Option),
        of(ControlType::Tabs, "tabs", Family::Option),
        of(ControlType::SegmentedControl, "segmented_control", Family::Option),
        of(ControlType::Accordion, "accordion", Family::Option),
        of(ControlType::Rating, "rating", Family::Data),
        of(ControlType::ColourPicker, "colour_picker", Family::Data),
        of(ControlType::DatePicker, "date_picker", Family::Data),
        of(ControlType::TimePicker, "time_picker", Family::Data),
        of(ControlType::ListBox, "list_box", Family::Data),
        of(ControlType::Reorder, "reorder", Family::Structure),
        of(ControlType::ZoomAndPan, "zoom_and_pan", Family::Structure),
        of(ControlType::TableColumn, "table_column", Family::Structure),
        of(ControlType::Splitter, "splitter", Family::Structure),
        of(ControlType::CropHandle, "crop_handle", Family::Structure),
        of(ControlType::TreeNode, "tree_node", Family::Structure),
        of(ControlType::RangeSelection, "range_selection", Family::Structure),
    ]
};

impl Component {
    /// The component that a control counts as. A drop-down list counts as a list box: it is asked for with its list
    /// open.
    pub fn of(kind: ControlType) -> Option<Self> {
        let kind = if kind == ControlType::ComboBox { ControlType::ListBox } else { kind };
        COMPONENTS.into_iter().find(|component| component.kind == kind)
    }

    /// The component with this name.
    pub fn named(name: &str) -> Option<Self> {
        COMPONENTS.into_iter().find(|component| component.name == name)
    }
}

/// The platforms of state setting, with the names that flags and records use.
pub const PLATFORMS: [(Platform, &str); 3] =
    [(Platform::Desktop, "desktop"), (Platform::Web, "web"), (Platform::MobileWeb, "mobile-web")];

/// The name of a platform as flags and records write it.
pub fn platform_name(platform: Platform) -> &'static str {
    PLATFORMS.into_iter().find(|(other, _)| *other == platform).map_or("desktop", |(_, name)| name)
}

/// What a plan says of the control that is to be set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedSetting {
    /// The control of the target's window, by id.
    pub control: String,
    /// The value that it must take.
    pub target: Value,
    /// In which of the wordings it is asked for, from 0.
    pub voice: u32,
    /// What help the question gives.
    #[serde(default, skip_serializing_if = "HintKind::is_none")]
    pub hint: HintKind,
}

/// What help a question gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum HintKind {
    /// None.
    #[default]
    None,
    /// Words about where the control is and what state it has.
    Description,
    /// The box of the control.
    Box,
}

impl HintKind {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// Whose knowledge a hint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum HintSource {
    /// The truth about the scene.
    Oracle,
    /// A model's answer.
    Predicted,
}

/// Help that a question gives. It never says where the target state is set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// What sort of help.
    pub kind: HintKind,
    /// Whose knowledge it is.
    pub source: HintSource,
    /// The words of a description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The control's box, `[x0, y0, x1, y1]` px.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bbox: Option<[f64; 4]>,
}

/// An act that sets the target state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Act {
    /// A click.
    Click(Point),
    /// From where to where the pointer is dragged.
    Drag([Point; 2]),
}

/// What makes an instance hard.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Difficulty {
    /// Width and height of the target core, px.
    pub target_core_px: [u32; 2],
    /// How many steps the target state lies from the current one; places, where the order is set.
    pub steps: u32,
    /// Other controls of the same component type that show.
    pub like_controls: u32,
    /// Whether the screen says the current state in words or digits.
    pub value_shown: bool,
    /// WCAG contrast ratio between the lightest and the darkest tenth of the control's pixels.
    pub contrast: f64,
}

/// A line of a file of state instances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StateInstance {
    /// Its id.
    pub id: String,
    /// Path of the image.
    #[serde(default)]
    pub image: Option<String>,
    /// Width and height of the image, px.
    pub image_size: [u32; 2],
    /// What is to be done.
    pub instruction: String,
    /// The words that ask where the control stands now. They name no other state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locate_instruction: Option<String>,
    /// Group of the tables, such as `desktop`.
    #[serde(default)]
    pub platform: Option<String>,
    /// Kind of control.
    #[serde(default)]
    pub component: Option<String>,
    /// Family of the kind of control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<Family>,
    /// The whole control, `[x0, y0, x1, y1]` px.
    pub control_bbox: [f64; 4],
    /// Where the current state can be grasped.
    pub core_bbox: [f64; 4],
    /// Where the target state is set.
    pub target_core_bbox: [f64; 4],
    /// The state it has.
    pub current_state: Json,
    /// The state it must take, exactly.
    pub target_state: Json,
    /// Which state a click sets. Without it, and without a drag map, the rule of the published code counts: the click
    /// lies in the target core.
    #[serde(default)]
    pub click_to_state: Option<ClickToState>,
    /// Which state a drag sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag_to_state: Option<DragToState>,
    /// An act that sets the target state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<Act>,
    /// What makes it hard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
    /// Help that the question gives; null for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Hint>,
    /// The page, by its capture's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<String>,
    /// The control, by its id on the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// The program, or the site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<String>,
    /// In which of the wordings it is asked for, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voice: Option<u32>,
    /// The scene's record, by id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<String>,
    /// Name of the condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The session that it is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// `train`, `test` or null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// What it was drawn from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<SampleKey>,
}

/// Which state a click sets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClickToState {
    /// The first region that holds the click sets its state; elsewhere the state stays.
    Regions {
        /// In order.
        regions: Vec<StateRegion>,
        /// Whether a region holds the points from its first edges up to, but not including, its last ones; else all of
        /// its border is in it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        half_open: bool,
    },
    /// A value that runs along an axis, as on a slider.
    Linear {
        /// Which axis.
        axis: Axis,
        /// Where the lowest value lies, px.
        from_px: f64,
        /// Where the highest value lies, px.
        to_px: f64,
        /// Lowest value.
        min: f64,
        /// Highest value.
        max: f64,
        /// Distance between values.
        step: f64,
    },
}

/// An axis of the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Axis {
    X,
    Y,
}

/// A region and the state that a click in it sets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StateRegion {
    /// `[x0, y0, x1, y1]` px, border included unless the regions are half-open.
    pub bbox: [f64; 4],
    /// The state.
    pub state: Json,
}

/// Which state a drag sets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DragToState {
    /// Where a drag must begin, `[x0, y0, x1, y1]` px, half-open. A drag from elsewhere leaves the state.
    pub handle: [f64; 4],
    /// Where the handle keeps its distance from the pointer, the point of it whose place counts; else the pointer's own
    /// place counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_at: Option<[f64; 2]>,
    /// From the place that counts, as the drag ends, to the state.
    pub release: ClickToState,
}

impl DragToState {
    /// The place that counts of a drag; null if it does not begin at the handle.
    pub fn released(&self, [from, to]: [[f64; 2]; 2]) -> Option<[f64; 2]> {
        let [x0, y0, x1, y1] = self.handle;
        let begins = x0 <= from[0] && from[0] < x1 && y0 <= from[1] && from[1] < y1;
        begins.then(|| match self.held_at {
            Some(held) => [held[0] + to[0] - from[0], held[1] + to[1] - from[1]],
            None => to,
        })
    }
}

/// A box as instances write it.
pub fn bbox_of(rect: Rect) -> [f64; 4] {
    <[i32; 4]>::from(rect).map(f64::from)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn components_are_written_as_the_types_of_controls_are() {
        for component in COMPONENTS {
            assert_eq!(serde_json::to_value(component.kind).unwrap(), component.name);
            assert_eq!(Component::of(component.kind), Some(component));
            assert_eq!(Component::named(component.name), Some(component));
        }
        let names: BTreeSet<&str> = COMPONENTS.iter().map(|component| component.name).collect();
        assert_eq!(names.len(), 23);
        assert_eq!(Family::ALL.map(|family| COMPONENTS.iter().filter(|c| c.family == family).count()), [5, 6, 5, 7]);
        assert_eq!(Component::of(ControlType::ComboBox).unwrap().name, "list_box");
        assert_eq!(Component::of(ControlType::TextEntry), None);
    }

    #[test]
    fn a_drag_counts_from_its_handle() {
        let release = ClickToState::Regions { regions: Vec::new(), half_open: true };
        let mut map = DragToState { handle: [10.0, 10.0, 20.0, 20.0], held_at: None, release };
        assert_eq!(map.released([[20.0, 12.0], [40.0, 12.0]]), None);
        assert_eq!(map.released([[19.5, 12.0], [40.0, 12.0]]), Some([40.0, 12.0]));
        map.held_at = Some([15.0, 15.0]);
        assert_eq!(map.released([[12.0, 12.0], [40.0, 13.0]]), Some([43.0, 16.0]));
    }
}
