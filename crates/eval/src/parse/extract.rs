//! Finds the coordinates in an answer. The most explicit form wins, and of several of one form the last.
//!
//! Forms, most explicit first: special tags (`<|box_start|>`, `<box>`, `<point>`, `<click>`); the argument of an action
//! (`start_box='..'`, `box=[[..]]`, `x=.., y=..`) or a JSON key (`"point_2d": [..]`); brackets of numbers; an answer
//! that is nothing but two or four numbers.

use std::sync::LazyLock;

use regex::Regex;

/// Coordinates in the model's own scale. Values may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    Point([f64; 2]),
    Box([f64; 4]),
}

const NUMBER: &str = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?";

fn regex(pattern: &str) -> Regex {
    Regex::new(&pattern.replace("NUM", NUMBER)).expect("the pattern is fixed")
}

static NUMBERS: LazyLock<Regex> = LazyLock::new(|| regex("NUM"));
static TAGGED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?s)<\|box_start\|>(.*?)<\|box_end\|>|<box>(.*?)</box>|<points?>(.*?)</points?>|<click>(.*?)</click>|<coordinates?>(.*?)</coordinates?>",
    )
});
/// `x` and `y` by name: keyword arguments or JSON keys.
static NAMED_XY: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"["']?\b[xX]["']?\s*[:=]\s*["']?(NUM)["']?\s*,\s*["']?\b[yY]["']?\s*[:=]\s*["']?(NUM)"#));
/// A value under a name that means coordinates. Brackets hold nothing but numbers; quotes may surround them.
static NAMED_VALUE: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r#"["']?\b(?:point_2d|bbox_2d|coordinates?|position|points?|bbox|box|start_box|start_point|click_point|center)["']?\s*[:=]\s*"#,
        r#"["']?(?:<\|box_start\|>|<point>)?((?:[\[(][\s\[(]*NUM[-+\d.eE\s,\[\]()]*[\])])|NUM[\s,]+NUM)"#
    ))
});
/// Brackets of numbers, and brackets that follow one another as `(x0,y0),(x1,y1)`.
static BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"[\[(][\s\[(]*NUM\s*,?\s*NUM(?:\s*,\s*NUM)*[\s\])]*[\])](?:\s*,\s*[\[(]+\s*NUM\s*,?\s*NUM(?:\s*,\s*NUM)*\s*[\])]+)*")
});
static BARE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*NUM(?:\s*,\s*|\s+)NUM(?:(?:\s*,\s*|\s+)NUM(?:\s*,\s*|\s+)NUM)?\s*\.?\s*$"));

/// The answer's coordinates, or `None` if it has none. Never empty.
pub(super) fn coordinates(answer: &str, json_only: bool) -> Option<Vec<Shape>> {
    if !json_only {
        let tagged = TAGGED
            .captures_iter(answer)
            .filter_map(|c| c.iter().skip(1).flatten().next().and_then(|m| shapes(m.as_str(), true)))
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
    let value = NAMED_VALUE
        .captures_iter(answer)
        .filter_map(|c| {
            let value = c.get(1)?;
            let name = &c[0][..value.start() - c.get(0)?.start()];
            fits(name).then_some(())?;
            Some((value.start(), shapes(value.as_str(), name.contains("box"))?))
        })
        .last();
    let named = [xy, value].into_iter().flatten().max_by_key(|(at, _)| *at).map(|(_, shapes)| shapes);
    if named.is_some() || json_only {
        return named;
    }
    let brackets = BRACKETS.find_iter(answer).filter_map(|m| shapes(m.as_str(), false)).last();
    brackets.or_else(|| BARE.is_match(answer).then(|| shapes(answer, false)).flatten())
}

/// Whether an answer without coordinates says in words that there is nothing to click.
pub(super) fn refuses(answer: &str) -> bool {
    static REFUSAL: LazyLock<Regex> = LazyLock::new(|| {
        regex(r#"(?i)^\W*(?:negative|refus(?:e|al)|not[ _]found|infeasible|none)\W*$|["']refus(?:al|e)["']\s*:\s*true"#)
    });
    REFUSAL.is_match(answer)
}

/// Reads numbers and their grouping: innermost brackets of two numbers are points, of four are boxes; `(x0,y0),(x1,y1)`
/// in parentheses, or where a box is meant, is a box.
fn shapes(text: &str, box_meant: bool) -> Option<Vec<Shape>> {
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
