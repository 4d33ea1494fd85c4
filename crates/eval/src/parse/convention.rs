//! Which numbers a model family writes.

use std::fmt;
use std::str::FromStr;

use windesk_model::resize::ResizeRule;

use crate::exact;

/// How to read a model's numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Convention {
    name: String,
    /// What the numbers measure.
    pub scale: Scale,
    /// Whether only numbers under the usual keys of a JSON object count (`x` and `y`, `point_2d`, `bbox_2d`,
    /// `coordinate`, ..).
    pub json_only: bool,
    /// Whether lists of numbers give y before x.
    pub y_first: bool,
}

/// What coordinates are measured in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// `[0, 1]` on each axis.
    Norm,
    /// `[0, 100]` on each axis.
    Percent,
    /// `[0, 1000]` on each axis.
    Norm1000,
    /// Px of the image.
    Px,
    /// Px of the image as the model resized it by a rule.
    ResizedBy(ResizeRule),
    /// Px of the image as it was resized to a known width and height.
    ResizedTo([u32; 2]),
}

/// Images are not larger than this, px.
const MAX_SIDE_PX: u32 = 32_768;

impl Scale {
    /// How long the sides of an image are in this scale.
    pub fn sides(self, image_size: [u32; 2]) -> [u32; 2] {
        match self {
            Self::Norm => [1, 1],
            Self::Percent => [100, 100],
            Self::Norm1000 => [1000, 1000],
            Self::Px => image_size,
            Self::ResizedBy(rule) => rule.resized(image_size),
            Self::ResizedTo(size) => size,
        }
    }

    /// The largest coordinate that an image can have in this scale.
    pub(super) fn most(self) -> u32 {
        match self {
            Self::Norm => 1,
            Self::Percent => 100,
            Self::Norm1000 => 1000,
            Self::Px | Self::ResizedBy(_) => MAX_SIDE_PX,
            Self::ResizedTo([width, height]) => width.max(height),
        }
    }

    /// The size that a prompt names for an image: that of the pixels which the answer counts, where it counts pixels.
    pub fn told_size(self, image_size: [u32; 2]) -> [u32; 2] {
        match self {
            Self::Norm | Self::Percent | Self::Norm1000 => image_size,
            Self::Px | Self::ResizedBy(_) | Self::ResizedTo(_) => self.sides(image_size),
        }
    }

    /// A point of this scale in px of the image, rounded once, so that what lies on a border stays on it.
    pub fn to_px(self, point: [f64; 2], image_size: [u32; 2]) -> [f64; 2] {
        let sides = self.sides(image_size);
        [0, 1].map(|axis| exact::scaled(point[axis], image_size[axis], sides[axis]))
    }
}

/// InfiGUI's evaluation caps images at this.
const INFIGUI: ResizeRule = ResizeRule { max_pixels: 5_600 * 28 * 28, ..ResizeRule::QWEN };
/// As the UI-TARS 1.5 reference code resizes.
const UI_TARS_1_5: ResizeRule = ResizeRule { min_pixels: 100 * 28 * 28, ..ResizeRule::QWEN };
/// As the example of GTA1's README resizes (github.com/Yan98/GTA1).
const GTA1: ResizeRule = ResizeRule { max_pixels: 4_096 * 2_160, ..ResizeRule::QWEN };
/// As the authors' entry to ScreenSpot-Pro resizes (`models/holo1_5.py` there).
const HOLO_1_5: ResizeRule = ResizeRule { max_pixels: 2_560 * 1_440, ..ResizeRule::QWEN };
/// As Jedi's agent in OSWorld resizes, of the models for 1080p (`mm_agents/jedi_7b_agent.py` there).
const JEDI: ResizeRule = ResizeRule { max_pixels: 2_700 * 28 * 28, ..ResizeRule::QWEN };

/// A family of models with a convention of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Family {
    /// The convention's name.
    pub name: &'static str,
    /// What the numbers measure.
    pub scale: Scale,
    /// Whether lists of numbers give y before x; numbers with the names `x` and `y` are what their names say.
    pub y_first: bool,
    /// What such a model writes.
    pub example: &'static str,
}

const fn family(name: &'static str, scale: Scale, example: &'static str) -> Family {
    Family { name, scale, y_first: false, example }
}

/// The families with conventions of their own.
pub const FAMILIES: [Family; 26] = [
    family("seeclick", Scale::Norm, "(0.49,0.40)"),
    family("os-atlas", Scale::Norm1000, "<|box_start|>(512,300),(560,340)<|box_end|>"),
    family("uground", Scale::Norm1000, "(512, 300)"),
    family("ui-tars", Scale::Norm1000, "Action: click(start_box='(512,300)')"),
    family("ui-tars-1.5", Scale::ResizedBy(UI_TARS_1_5), "Action: click(start_box='(1310,432)')"),
    family("infigui", Scale::ResizedBy(INFIGUI), "<think>..</think>[{\"point_2d\": [1310, 432], \"label\": \"save\"}]"),
    family("showui", Scale::Norm, "{'action': 'CLICK', 'value': None, 'position': [0.49, 0.42]}"),
    family("aguvis", Scale::Norm, "pyautogui.click(x=0.5123, y=0.3001)"),
    family("cogagent", Scale::Norm1000, "Action: CLICK(box=[[352,102,786,139]], element_info='Save')"),
    family("gui-actor", Scale::Norm, "[[0.512, 0.3], [0.6, 0.31]]"),
    family("qwen-vl", Scale::Norm1000, "<ref>save</ref><box>(512,300),(560,340)</box>"),
    family("qwen2-vl", Scale::Norm1000, "<|box_start|>(512,300),(560,340)<|box_end|>"),
    family("qwen2.5-vl", Scale::ResizedBy(ResizeRule::QWEN), "[{\"bbox_2d\": [1300, 420, 1340, 450], \"label\": \"save\"}]"),
    family("qwen3-vl", Scale::Norm1000, "{\"point_2d\": [512, 300]}"),
    family("gta1", Scale::ResizedBy(GTA1), "(1310,432)"),
    family("holo1", Scale::ResizedBy(ResizeRule::QWEN), "Click(1310, 432)"),
    family("holo1.5", Scale::ResizedBy(HOLO_1_5), "{\"action\": \"click_absolute\", \"x\": 947, \"y\": 338}"),
    family("holo2", Scale::Norm1000, "{\"x\":552,\"y\":404}"),
    family(
        "jedi",
        Scale::ResizedBy(JEDI),
        "<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [1310, 432]}}\n</tool_call>",
    ),
    family(
        "gui-owl",
        Scale::Norm1000,
        "<tool_call>\n{\"name\": \"computer_use\", \"arguments\": {\"action\": \"left_click\", \"coordinate\": [512, 300]}}\n</tool_call>",
    ),
    family("opencua", Scale::ResizedBy(ResizeRule::QWEN), "```python\npyautogui.click(x=1432, y=344)\n```"),
    family("molmo", Scale::Percent, "<point x=\"63.5\" y=\"44.5\" alt=\"save\">save</point>"),
    Family { name: "gemini", scale: Scale::Norm1000, y_first: true, example: "[{\"point\": [300, 512], \"label\": \"save\"}]" },
    family("claude", Scale::Px, "{\"action\": \"left_click\", \"coordinate\": [512, 300]}"),
    family(
        "openai",
        Scale::Px,
        "{\"type\": \"computer_call\", \"action\": {\"button\": \"left\", \"type\": \"click\", \"x\": 512, \"y\": 300}}",
    ),
    family("json", Scale::Px, "{\"x\": 1310, \"y\": 432}"),
];

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Norm => f.write_str("norm"),
            Self::Percent => f.write_str("percent"),
            Self::Norm1000 => f.write_str("norm1000"),
            Self::Px => f.write_str("px"),
            Self::ResizedBy(_) => f.write_str("px of the image as the model resized it"),
            Self::ResizedTo([width, height]) => write!(f, "px of the image at {width}x{height}"),
        }
    }
}

impl Convention {
    /// Its name, as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// A name that is no convention.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("convention `{name}`: {problem}")]
pub struct ConventionError {
    /// What was given.
    pub name: String,
    /// What was expected.
    pub problem: String,
}

impl FromStr for Convention {
    type Err = ConventionError;

    /// `norm`, `percent`, `norm1000`, `px`, a family of [`FAMILIES`], `resized:WxH`, `resized:<family>`,
    /// `resized:factor=28,min=3136,max=1003520` (parts that are left out are Qwen's), or `json:` before any of these.
    fn from_str(name: &str) -> Result<Self, ConventionError> {
        let error = |problem: String| ConventionError { name: name.to_owned(), problem };
        let (json_only, inner) = match name.strip_prefix("json:") {
            Some(inner) => (true, inner),
            None => (name == "json", name),
        };
        let known_family = named(inner);
        let scale = match inner {
            "norm" => Scale::Norm,
            "percent" => Scale::Percent,
            "norm1000" => Scale::Norm1000,
            "px" => Scale::Px,
            _ => match (inner.strip_prefix("resized:"), known_family) {
                (Some(rule), _) => resized(rule).map_err(error)?,
                (None, Some(family)) => family.scale,
                (None, None) => {
                    let known = ["norm", "percent", "norm1000", "px"].into_iter().chain(FAMILIES.iter().map(|f| f.name));
                    let hint = windesk_model::spelling::nearest(inner, known.clone())
                        .map(|near| format!("; did you mean {near}?"))
                        .unwrap_or_default();
                    return Err(error(format!("expected one of {}, resized:..{hint}", known.collect::<Vec<_>>().join(", "))));
                }
            },
        };
        let y_first = known_family.is_some_and(|family| family.y_first);
        Ok(Self { name: name.to_owned(), scale, json_only, y_first })
    }
}

fn named(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|f| f.name == name)
}

fn resized(text: &str) -> Result<Scale, String> {
    if let Some(size) = parse_size(text) {
        return Ok(Scale::ResizedTo(size));
    }
    if text == "qwen2-vl" {
        return Ok(Scale::ResizedBy(ResizeRule::QWEN));
    }
    if let Some(Family { scale: Scale::ResizedBy(rule), .. }) = named(text) {
        return Ok(Scale::ResizedBy(*rule));
    }
    let mut rule = ResizeRule::QWEN;
    for part in text.split(',') {
        let parsed = part
            .split_once('=')
            .and_then(|(key, value)| Some((key.trim(), value.trim().parse::<u64>().ok().filter(|&v| v > 0)?)));
        match parsed {
            Some(("factor", value)) if value <= 1024 => rule.factor = value as u32,
            Some(("min", value)) => rule.min_pixels = value,
            Some(("max", value)) => rule.max_pixels = value,
            _ => {
                return Err(format!("found `{part}`, expected WxH, a family that resizes, or factor=28,min=3136,max=12845056"));
            }
        }
    }
    if rule.min_pixels > rule.max_pixels || rule.max_pixels > 1 << 32 {
        return Err(format!("min {} and max {}: expected min <= max <= 2^32", rule.min_pixels, rule.max_pixels));
    }
    Ok(Scale::ResizedBy(rule))
}

/// Reads `WxH`, both from 1 to 65535 px.
pub fn parse_size(text: &str) -> Option<[u32; 2]> {
    let (w, h) = text.split_once(['x', 'X'])?;
    let side = |s: &str| s.trim().parse::<u16>().ok().filter(|&v| v > 0).map(u32::from);
    Some([side(w)?, side(h)?])
}
