//! Which numbers a model family writes.

use std::fmt;
use std::str::FromStr;

use windesk_model::resize::ResizeRule;

/// How to read a model's numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Convention {
    name: String,
    /// What the numbers measure.
    pub scale: Scale,
    /// Whether only numbers under the usual keys of a JSON object count (`x` and `y`, `point_2d`, `bbox_2d`,
    /// `coordinate`, ..).
    pub json_only: bool,
}

/// What coordinates are measured in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// `[0, 1]` on each axis.
    Norm,
    /// `[0, 1000]` on each axis.
    Norm1000,
    /// Px of the image.
    Px,
    /// Px of the image as the model resized it by a rule.
    ResizedBy(ResizeRule),
    /// Px of the image as it was resized to a known width and height.
    ResizedTo([u32; 2]),
}

impl Scale {
    /// What to multiply x and y by to get px of the image.
    pub fn factors(self, image_size: [u32; 2]) -> [f64; 2] {
        let [w, h] = image_size.map(f64::from);
        let from = |size: [u32; 2]| [w / f64::from(size[0]), h / f64::from(size[1])];
        match self {
            Self::Norm => [w, h],
            Self::Norm1000 => [w / 1000.0, h / 1000.0],
            Self::Px => [1.0, 1.0],
            Self::ResizedBy(rule) => from(rule.resized(image_size)),
            Self::ResizedTo(size) => from(size),
        }
    }
}

/// InfiGUI's evaluation caps images at this.
const INFIGUI: ResizeRule = ResizeRule { max_pixels: 5_600 * 28 * 28, ..ResizeRule::QWEN };
/// As the UI-TARS 1.5 reference code resizes.
const UI_TARS_1_5: ResizeRule = ResizeRule { min_pixels: 100 * 28 * 28, ..ResizeRule::QWEN };

/// The families with conventions of their own: name, scale, and an example of what they write.
pub const FAMILIES: [(&str, Scale, &str); 15] = [
    ("seeclick", Scale::Norm, "(0.49,0.40)"),
    ("os-atlas", Scale::Norm1000, "<|box_start|>(512,300),(560,340)<|box_end|>"),
    ("uground", Scale::Norm1000, "(512, 300)"),
    ("ui-tars", Scale::Norm1000, "Action: click(start_box='(512,300)')"),
    ("ui-tars-1.5", Scale::ResizedBy(UI_TARS_1_5), "Action: click(start_box='(1310,432)')"),
    ("infigui", Scale::ResizedBy(INFIGUI), "<think>..</think>[{\"point_2d\": [1310, 432], \"label\": \"save\"}]"),
    ("showui", Scale::Norm, "{'action': 'CLICK', 'value': None, 'position': [0.49, 0.42]}"),
    ("aguvis", Scale::Norm, "pyautogui.click(x=0.5123, y=0.3001)"),
    ("cogagent", Scale::Norm1000, "Action: CLICK(box=[[352,102,786,139]], element_info='Save')"),
    ("gui-actor", Scale::Norm, "[[0.512, 0.3], [0.6, 0.31]]"),
    ("qwen-vl", Scale::Norm1000, "<ref>save</ref><box>(512,300),(560,340)</box>"),
    ("qwen2-vl", Scale::Norm1000, "<|box_start|>(512,300),(560,340)<|box_end|>"),
    ("qwen2.5-vl", Scale::ResizedBy(ResizeRule::QWEN), "[{\"bbox_2d\": [1300, 420, 1340, 450], \"label\": \"save\"}]"),
    ("qwen3-vl", Scale::Norm1000, "{\"point_2d\": [512, 300]}"),
    ("json", Scale::Px, "{\"x\": 1310, \"y\": 432}"),
];

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

    /// `norm`, `norm1000`, `px`, a family of [`FAMILIES`], `resized:WxH`, `resized:<family>`,
    /// `resized:factor=28,min=3136,max=1003520` (parts that are left out are Qwen's), or `json:` before any of these.
    fn from_str(name: &str) -> Result<Self, ConventionError> {
        let error = |problem: String| ConventionError { name: name.to_owned(), problem };
        let (json_only, inner) = match name.strip_prefix("json:") {
            Some(inner) => (true, inner),
            None => (name == "json", name),
        };
        let scale = match inner {
            "norm" => Scale::Norm,
            "norm1000" => Scale::Norm1000,
            "px" => Scale::Px,
            _ => match (inner.strip_prefix("resized:"), family(inner)) {
                (Some(rule), _) => resized(rule).map_err(error)?,
                (None, Some(scale)) => scale,
                (None, None) => {
                    let known = ["norm", "norm1000", "px"].into_iter().chain(FAMILIES.iter().map(|f| f.0));
                    let hint = windesk_model::spelling::nearest(inner, known.clone())
                        .map(|near| format!("; did you mean {near}?"))
                        .unwrap_or_default();
                    return Err(error(format!("expected one of {}, resized:..{hint}", known.collect::<Vec<_>>().join(", "))));
                }
            },
        };
        Ok(Self { name: name.to_owned(), scale, json_only })
    }
}

fn family(name: &str) -> Option<Scale> {
    FAMILIES.iter().find(|f| f.0 == name).map(|f| f.1)
}

fn resized(text: &str) -> Result<Scale, String> {
    if let Some(size) = parse_size(text) {
        return Ok(Scale::ResizedTo(size));
    }
    if text == "qwen2-vl" {
        return Ok(Scale::ResizedBy(ResizeRule::QWEN));
    }
    if let Some(Scale::ResizedBy(rule)) = family(text) {
        return Ok(Scale::ResizedBy(rule));
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
