//! Finds the coordinates in an answer. The most explicit form wins, and of several of one form the last.
//!
//! Forms, most explicit first: special tags (`<|box_start|>`, `<box>`, `<point>`, `<point x=".." y="..">`, `<click>`);
//! the argument of an action (`start_box='..'`, `box=[[..]]`, `x=.., y=..`) or a JSON key (`"point_2d": [..]`);
//! brackets of numbers; two or four numbers that are a whole answer, or the rest of a line after a colon.

use std::sync::LazyLock;

use regex::Regex;

use super::Convention;

/// Coordinates in the model's own scale. Values may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    Point([f64; 2]),
    Box([f64; 4]),
    /// Four numbers, or two with commas between their thousands.
    Ambiguous,
}

impl Shape {
    /// The same with x before y, from lists in the convention's order.
    fn ordered(self, convention: &Convention) -> Self {
        match self {
            Self::Point([y, x]) if convention.y_first => Self::Point([x, y]),
            Self::Box([y0, x0, y1, x1]) if convention.y_first => Self::Box([x0, y0, x1, y1]),
            in_order => in_order,
        }
    }
}

const NUMBER: &str = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?";

fn regex(pattern: &str) -> Regex {
    Regex::new(&pattern.replace("NUM", NUMBER)).expect("the pattern is fixed")
}

static NUMBERS: LazyLock<Regex> = LazyLock::new(|| regex("NUM"));
static TAGGED: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"(?s)<\|box_start\|>(.*?)<\|box_end\|>|<points?\s([^<>]*)[<>]|<box>(.*?)</box>|<points?>(.*?)</points?>|",
        r"<click>(.*?)</click>|<coordinates?>(.*?)</coordinates?>",
    ))
});
/// `x="63.5" y="44.5"`, also with numbers behind the letters, as Molmo writes attributes.
static ATTRIBUTES: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"\bx\d*\s*=\s*["']?\s*(NUM)\s*["']?[\s,]*\by\d*\s*=\s*["']?\s*(NUM)"#));
/// `x` and `y` by name: keyword arguments or JSON keys.
static NAMED_XY: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"["']?\b[xX]["']?\s*[:=]\s*["']?(NUM)["']?\s*,\s*["']?\b[yY]["']?\s*[:=]\s*["']?(NUM)"#));
/// `x` and `y` as JSON keys of one object, with others between them or the other way round.
static SCATTERED_XY: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r#"["']x["']\s*:\s*["']?(?P<x0>NUM)["']?\s*,[^{}\[\]]{1,200}?["']y["']\s*:\s*["']?(?P<y0>NUM)"#,
        r#"|["']y["']\s*:\s*["']?(?P<y1>NUM)["']?\s*,[^{}\[\]]{0,200}?["']x["']\s*:\s*["']?(?P<x1>NUM)"#
    ))
});
/// A value under a name that means coordinates. Brackets hold nothing but numbers; quotes may surround them.
static NAMED_VALUE: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r#"["']?\b(?:point_2d|bbox_2d|box_2d|coordinates?|position|points?|bbox|box|start_box|start_point|click_point|center)["']?\s*[:=]\s*"#,
        r#"["']?(?:<\|box_start\|>|<point>)?((?:[\[(][\s\[(]*NUM[-+\d.eE\s,\[\]()]*[\])])|NUM[\s,]+NUM)"#
    ))
});
/// Brackets of numbers, and brackets that follow one another as `(x0,y0),(x1,y1)`.
static BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"[\[(][\s\[(]*NUM\s*,?\s*NUM(?:\s*,\s*NUM)*[\s\])]*[\])](?:\s*,\s*[\[(]+\s*NUM\s*,?\s*NUM(?:\s*,\s*NUM)*\s*[\])]+)*")
});
static BARE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*NUM(?:\s*,\s*|\s+)NUM(?:(?:\s*,\s*|\s+)NUM(?:\s*,\s*|\s+)NUM)?\s*\.?\s*$"));
/// Numbers that are the rest of a line after a word and a colon (or `=`, or `is`): `Answer: 489, 852`.
static AFTER_A_WORD: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"(?m)\w[*_`]*\s*(?:[:=]|\bis\b|\bare\b|\bat\b)[*_`\s]*",
        r"(NUM(?:[ \t]*,[ \t]*|[ \t]+)NUM(?:(?:[ \t]*,[ \t]*|[ \t]+)NUM(?:[ \t]*,[ \t]*|[ \t]+)NUM)?)[*_`]*[ \t]*\.?[ \t\r]*$"
    ))
});

/// The answer's coordinates, or `None` if it has none. Never empty.
pub(super) fn coordinates(answer: &str, convention: &Convention) -> Option<Vec<Shape>> {
    let json_only = convention.json_only;
    let most = convention.scale.most();
    let shapes =
        |text: &str, box_meant: bool| Some(shapes(text, box_meant, most)?.into_iter().map(|s| s.ordered(convention)).collect());
    if !json_only {
        let tagged = TAGGED
            .captures_iter(answer)
            .filter_map(|c| {
                let inside = c.iter().skip(1).flatten().next()?.as_str();
                attributes(inside).or_else(|| shapes(inside, true))
            })
            .last();
        if tagged.is_some() {
            return tagged;
        }
    }
    // A key of JSON ends in a colon, the name of an argument in an equals sign.
    let fits = |name: &str| !json_only || name.contains(':');
    let xy = NAMED_XY.captures_iter(answer).filter(|c| fits(&c[0])).last().map(|c| {
        let at = c.get(0).map_or(0, |m| m.start());
        (at, vec![Shape::Point([number(&c[1]), number(&c[2])])])
    });
    let scattered = SCATTERED_XY.captures_iter(answer).last().and_then(|c| {
        let (x, y) = c.name("x0").zip(c.name("y0")).or_else(|| c.name("x1").zip(c.name("y1")))?;
        Some((c.get(0)?.start(), vec![Shape::Point([number(x.as_str()), number(y.as_str())])]))
    });
    let value: Option<(usize, Vec<Shape>)> = NAMED_VALUE
        .captures_iter(answer)
        .filter_map(|c| {
            let value = c.get(1)?;
            let name = &c[0][..value.start() - c.get(0)?.start()];
            fits(name).then_some(())?;
            Some((value.start(), shapes(value.as_str(), name.contains("box"))?))
        })
        .last();
    let named = [xy, scattered, value].into_iter().flatten().max_by_key(|(at, _)| *at).map(|(_, shapes)| shapes);
    if named.is_some() || json_only {
        return named;
    }
    let brackets = BRACKETS.find_iter(answer).filter_map(|m| shapes(m.as_str(), false)).last();
    let bare = || BARE.is_match(answer).then(|| shapes(answer, false)).flatten();
    let after_a_word = || AFTER_A_WORD.captures_iter(answer).filter_map(|c| shapes(c.get(1)?.as_str(), false)).last();
    brackets.or_else(bare).or_else(after_a_word)
}

/// Whether four numbers may as well be two, `1,000` and `2,000`, neither above `most`: the commas between them are not
/// all alike, or what would be a number of its own begins with a 0.
fn may_have_thousands(text: &str, most: u32) -> bool {
    static TWO: LazyLock<Regex> =
        LazyLock::new(|| regex(r"^\s*([1-9]\d{0,2}),(\d{3})(\s*,\s*|\s+)([1-9]\d{0,2}),(\d{3})\s*\.?\s*$"));
    TWO.captures(text).is_some_and(|c| {
        let is_below = |thousands: usize| number(&c[thousands]) * 1000.0 + number(&c[thousands + 1]) <= f64::from(most);
        let looks_odd = &c[3] != "," || c[2].starts_with('0') || c[5].starts_with('0');
        looks_odd && is_below(1) && is_below(4)
    })
}

/// The points that a tag's attributes give; nothing if there are none.
fn attributes(text: &str) -> Option<Vec<Shape>> {
    let points: Vec<Shape> = ATTRIBUTES.captures_iter(text).map(|c| Shape::Point([number(&c[1]), number(&c[2])])).collect();
    Some(points).filter(|points| !points.is_empty())
}

/// Whether an answer without coordinates says in words that there is nothing to click.
pub(super) fn refuses(answer: &str) -> bool {
    static REFUSAL: LazyLock<Regex> = LazyLock::new(|| {
        regex(concat!(
            r"(?i)^\W*(?:negative|refus(?:e|al)|not[ _]found|target not existent|infeasible|none|there are none)\W*$|",
            r#"["']refus(?:al|e)["']\s*:\s*true|"#,
            r#"["']action["']\s*:\s*["']terminate["'][^{}]*["']status["']\s*:\s*["']failure["']"#,
        ))
    });
    REFUSAL.is_match(answer)
}

/// Reads numbers and their grouping: innermost brackets of two numbers are points, of four are boxes; `(x0,y0),(x1,y1)`
/// in parentheses, or where a box is meant, is a box.
fn shapes(text: &str, box_meant: bool, most: u32) -> Option<Vec<Shape>> {
    if text.split(['[', ']', '(', ')']).any(|part| may_have_thousands(part, most)) {
        return Some(vec![Shape::Ambiguous]);
    }
    let groups: Vec<Vec<f64>> = text
        .split(['[', ']', '(', ')'])
        .map(|part| NUMBERS.find_iter(part).map(|m| number(m.as_str())).collect::<Vec<f64>>())
        .filter(|numbers| !numbers.is_empty())
        .collect();
    if let [a, b] = groups.as_slice()
        && let ([x0, y0], [x1, y1]) = (a.as_slice(), b.as_slice())
        && (box_meant || !text.contains('['))
    {
        return Some(vec![Shape::Box([*x0, *y0, *x1, *y1])]);
    }
    let shapes: Option<Vec<Shape>> = groups
        .iter()
        .map(|group| match *group.as_slice() {
            [x, y] => Some(Shape::Point([x, y])),
            [x0, y0, x1, y1] => Some(Shape::Box([x0, y0, x1, y1])),
            _ => None,
        })
        .collect();
    shapes.filter(|s| !s.is_empty())
}

/// A number that the pattern has found; infinite if it is too large.
fn number(text: &str) -> f64 {
    text.parse().unwrap_or(f64::INFINITY)
}
