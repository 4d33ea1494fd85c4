//! Pixel rectangles and points; the only place where fractions of the screen become pixels.
//!
//! All coordinates are integers, origin top left, boxes half-open. Nothing here draws random numbers or reads pixels.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Pixel rectangle, half-open: covers `x0 <= x < x1`, `y0 <= y < y1`. Written as `[x0, y0, x1, y1]`.
///
/// # Guarantees
/// Width and height are at least 1. Coordinates may be negative: a window may reach beyond the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(try_from = "[i32; 4]", into = "[i32; 4]")]
pub struct Rect {
    x0: i32,
    y0: i32,
    x1: i32,
    y1: i32,
}

/// Coordinates beyond this are refused, so that sums and areas cannot overflow.
const LIMIT: i32 = 1 << 20;

impl Rect {
    /// The rectangle, or `None` if it would be empty or lie absurdly far away (beyond ±2^20 px).
    pub fn new(x0: i32, y0: i32, x1: i32, y1: i32) -> Option<Self> {
        let sane = [x0, y0, x1, y1].iter().all(|v| (-LIMIT..=LIMIT).contains(v));
        (sane && x0 < x1 && y0 < y1).then_some(Self { x0, y0, x1, y1 })
    }

    /// The rectangle at `(x, y)` with a size in pixels.
    ///
    /// # Panics
    /// If `width` or `height` is less than 1 or the rectangle leaves ±2^20 px: a bug of the caller.
    pub fn at(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self::new(x, y, x + width, y + height).unwrap_or_else(|| panic!("no rectangle: {x},{y} {width}x{height}"))
    }

    /// Left edge, inclusive.
    pub fn x0(self) -> i32 {
        self.x0
    }
    /// Top edge, inclusive.
    pub fn y0(self) -> i32 {
        self.y0
    }
    /// Right edge, exclusive.
    pub fn x1(self) -> i32 {
        self.x1
    }
    /// Bottom edge, exclusive.
    pub fn y1(self) -> i32 {
        self.y1
    }
    /// Width in pixels, at least 1.
    pub fn width(self) -> i32 {
        self.x1 - self.x0
    }
    /// Height in pixels, at least 1.
    pub fn height(self) -> i32 {
        self.y1 - self.y0
    }
    /// Width and height.
    pub fn size(self) -> Size {
        Size { width: self.width() as u32, height: self.height() as u32 }
    }
    /// Number of pixels.
    pub fn area(self) -> u64 {
        self.width() as u64 * self.height() as u64
    }
    /// Top left corner.
    pub fn origin(self) -> Point {
        Point { x: self.x0, y: self.y0 }
    }
    /// The middle, rounded towards the top left.
    pub fn centre(self) -> Point {
        Point { x: self.x0 + self.width() / 2, y: self.y0 + self.height() / 2 }
    }
    /// The rectangle moved by `by`.
    pub fn moved(self, by: Point) -> Self {
        Self { x0: self.x0 + by.x, y0: self.y0 + by.y, x1: self.x1 + by.x, y1: self.y1 + by.y }
    }
    /// The common part, or `None`.
    pub fn intersection(self, other: Self) -> Option<Self> {
        Self::new(self.x0.max(other.x0), self.y0.max(other.y0), self.x1.min(other.x1), self.y1.min(other.y1))
    }
    /// The smallest rectangle that covers both.
    pub fn union(self, other: Self) -> Self {
        Self { x0: self.x0.min(other.x0), y0: self.y0.min(other.y0), x1: self.x1.max(other.x1), y1: self.y1.max(other.y1) }
    }
    /// Whether the two have a pixel in common.
    pub fn touches(self, other: Self) -> bool {
        self.intersection(other).is_some()
    }
    /// Whether every pixel of `other` is a pixel of `self`.
    pub fn covers(self, other: Self) -> bool {
        self.x0 <= other.x0 && self.y0 <= other.y0 && self.x1 >= other.x1 && self.y1 >= other.y1
    }
    /// Whether the pixel at `p` is inside.
    pub fn contains(self, p: Point) -> bool {
        (self.x0..self.x1).contains(&p.x) && (self.y0..self.y1).contains(&p.y)
    }
    /// The four corners' pixels: top left, top right, bottom left, bottom right (the last two coordinates inclusive).
    pub fn corners(self) -> [Point; 4] {
        let (r, b) = (self.x1 - 1, self.y1 - 1);
        [Point { x: self.x0, y: self.y0 }, Point { x: r, y: self.y0 }, Point { x: self.x0, y: b }, Point { x: r, y: b }]
    }
}

impl TryFrom<[i32; 4]> for Rect {
    type Error = String;
    fn try_from([x0, y0, x1, y1]: [i32; 4]) -> Result<Self, String> {
        Self::new(x0, y0, x1, y1)
            .ok_or_else(|| format!("box [{x0}, {y0}, {x1}, {y1}] is not [x0, y0, x1, y1] with x0 < x1 and y0 < y1"))
    }
}

impl From<Rect> for [i32; 4] {
    fn from(r: Rect) -> Self {
        [r.x0, r.y0, r.x1, r.y1]
    }
}

/// A pixel, or a way from one to another. Written as `[x, y]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(from = "[i32; 2]", into = "[i32; 2]")]
pub struct Point {
    /// To the right, px.
    pub x: i32,
    /// Downwards, px.
    pub y: i32,
}

impl From<[i32; 2]> for Point {
    fn from([x, y]: [i32; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Point> for [i32; 2] {
    fn from(p: Point) -> Self {
        [p.x, p.y]
    }
}

impl std::ops::Sub for Point {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl std::ops::Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl std::ops::Neg for Point {
    type Output = Self;
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }
}

/// Width and height in pixels, both at least 1. Written as `[width, height]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(try_from = "[u32; 2]", into = "[u32; 2]")]
pub struct Size {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Size {
    /// The rectangle of this size at the origin.
    pub fn rect(self) -> Rect {
        Rect::at(0, 0, self.width as i32, self.height as i32)
    }
}

impl TryFrom<[u32; 2]> for Size {
    type Error = String;
    fn try_from([width, height]: [u32; 2]) -> Result<Self, String> {
        if (1..=1 << 15).contains(&width) && (1..=1 << 15).contains(&height) {
            Ok(Self { width, height })
        } else {
            Err(format!("size {width}x{height} is not within 1..=32768 px"))
        }
    }
}

impl From<Size> for [u32; 2] {
    fn from(s: Size) -> Self {
        [s.width, s.height]
    }
}
