//! The size that Qwen2-VL and Qwen2.5-VL give an image before they look at it. Their coordinates are px of that size.

/// Parameters of `smart_resize`, as in the models' `preprocessor_config.json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResizeRule {
    /// Both sides become multiples of this (patch size times merge size).
    pub factor: u32,
    /// Fewest px of the resized image.
    pub min_pixels: u64,
    /// Most px of the resized image.
    pub max_pixels: u64,
}

impl ResizeRule {
    /// As the Qwen models ship.
    pub const QWEN: Self = Self { factor: 28, min_pixels: 4 * 28 * 28, max_pixels: 16_384 * 28 * 28 };

    /// Width and height of the resized image, each at least `factor`. Halves round to even, as Python's `round` does.
    pub fn resized(self, [width, height]: [u32; 2]) -> [u32; 2] {
        let (w, h, factor) = (f64::from(width.max(1)), f64::from(height.max(1)), f64::from(self.factor.max(1)));
        let nearest = |side: f64| ((side / factor).round_ties_even() * factor).max(factor);
        let (nearest_w, nearest_h) = (nearest(w), nearest(h));
        let (min, max) = (self.min_pixels as f64, self.max_pixels as f64);
        let [w, h] = if nearest_w * nearest_h > max {
            let shrink = (w * h / max).sqrt();
            [w, h].map(|side| ((side / shrink / factor).floor() * factor).max(factor))
        } else if nearest_w * nearest_h < min {
            let grow = (min / (w * h)).sqrt();
            [w, h].map(|side| (side * grow / factor).ceil() * factor)
        } else {
            [nearest_w, nearest_h]
        };
        [w as u32, h as u32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the Python function that the models' repositories publish.
    #[test]
    fn sizes_of_the_published_function() {
        let check = |rule: ResizeRule, size, expected| assert_eq!(rule.resized(size), expected, "{rule:?} {size:?}");
        let capped = ResizeRule { max_pixels: 1_003_520, ..ResizeRule::QWEN };
        check(ResizeRule::QWEN, [2560, 1440], [2548, 1428]);
        check(ResizeRule::QWEN, [1920, 1080], [1932, 1092]);
        check(ResizeRule::QWEN, [8000, 4500], [4760, 2688]);
        check(ResizeRule::QWEN, [14, 42], [56, 112]);
        check(ResizeRule::QWEN, [70, 98], [56, 112]);
        check(capped, [2560, 1440], [1316, 728]);
    }
}
