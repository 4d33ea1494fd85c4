//! What follows from a page's state: the value of every control, and which patches, layers and popups belong to it.
//!
//! A state is refused if the page can't have it, or if nobody knows what it looks like.

use std::collections::{BTreeMap, BTreeSet};

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect};
use windesk_model::pack_format::living::{
    Axis, Control, ControlType, Domain, Glyphs, Layer, LayerKind, LivingPopup, Patch, Rule, ScrollArea, ScrollBar, Test,
    TextPlace, Value, Values,
};
use windesk_model::page_state::PageState;

use super::page::Living;

/// How far two numbers may be from each other that are one value: sums of tenths are not exact.
const SAME_NUMBER: f64 = 1e-9;

/// What is wrong with a state: what was found, what is expected.
type Fault = (String, String);

/// The values of all controls of a page.
#[derive(Clone, Debug)]
pub(super) struct Settled<'a> {
    living: &'a Living,
    /// By control.
    values: Vec<&'a Value>,
}

impl<'a> Settled<'a> {
    fn new(living: &'a Living, set: &'a Values) -> Result<Self, Fault> {
        let mut values: Vec<&Value> = living.page.controls.iter().map(|control| &control.value).collect();
        for (id, value) in set {
            let Some(at) = living.control_index(id) else {
                return Err((format!("control `{id}`"), "a control of this page".to_owned()));
            };
            let control = &living.page.controls[at];
            if control.kind == ControlType::Derived {
                return Err((format!("a value of control `{id}`"), "none: it follows from others".to_owned()));
            }
            if !value.is_finite() || !control.values.contains(value) {
                return Err((format!("control `{id}` = {value}"), format!("one of its values, {}", told(&control.values))));
            }
            values[at] = value;
        }
        let mut settled = Self { living, values };
        for (at, rules) in &living.places.derived {
            let holds = rules.iter().find_map(|&rule| match &living.page.rules[rule] {
                Rule::Derived { value, test, .. } if settled.test(test) => Some(value),
                _ => None,
            });
            if let Some(value) = holds {
                settled.values[*at] = value;
            }
        }
        Ok(settled)
    }

    /// The value of a control of this page.
    pub(super) fn value(&self, id: &str) -> &'a Value {
        self.values[self.index(id)]
    }

    fn index(&self, id: &str) -> usize {
        self.living.control_index(id).expect("lines of a page that can be read name its controls")
    }

    fn differs(&self, at: usize) -> bool {
        *self.values[at] != self.living.page.controls[at].value
    }

    /// Whether controls have these values.
    pub(super) fn holds(&self, when: &Values) -> bool {
        when.iter().all(|(id, value)| self.living.control_index(id).is_some_and(|at| self.values[at] == value))
    }

    fn test(&self, test: &Test) -> bool {
        match test {
            Test::Equal { control, value } => self.value(control) == value,
            Test::Changed { controls } => controls.iter().any(|id| self.differs(self.index(id))),
            Test::Not { test } => !self.test(test),
            Test::All { tests } => tests.iter().all(|test| self.test(test)),
            Test::Any { tests } => tests.iter().any(|test| self.test(test)),
        }
    }

    /// Whether the rules let a control take input; null if none is about it.
    pub(super) fn takes_input(&self, control: usize) -> Option<bool> {
        let rules = &self.living.places.enables[control];
        let holds = |&rule: &usize| match &self.living.page.rules[rule] {
            Rule::Enables { test, .. } => self.test(test),
            Rule::Derived { .. } | Rule::Conflict { .. } => true,
        };
        (!rules.is_empty()).then(|| rules.iter().all(holds))
    }

    /// Of the lines that are about one thing, the one with the most `when` that holds. Two with as many are as good as
    /// one if they show the same.
    fn belonging<T>(
        &self,
        lines: impl Iterator<Item = &'a T>,
        when: impl Fn(&T) -> &Values,
        shows_same: impl Fn(&T, &T) -> bool,
    ) -> Belonging<'a, T> {
        let mut best: Option<(&'a T, bool)> = None;
        for line in lines.filter(|line| self.holds(when(line))) {
            best = match best {
                Some((found, _)) if when(found).len() > when(line).len() => best,
                Some((found, doubt)) if when(found).len() == when(line).len() => {
                    // Which of two equal ones it is must not depend on the order of lines.
                    let first = if when(line) < when(found) { line } else { found };
                    Some((first, doubt || !shows_same(found, line)))
                }
                _ => Some((line, false)),
            };
        }
        match best {
            None => Belonging::None,
            Some((line, false)) => Belonging::One(line),
            Some((_, true)) => Belonging::Several,
        }
    }
}

/// Controls that rules are about, and whether these let them take input as the page was captured.
pub fn captured_input(living: &Living) -> Vec<(&Control, bool)> {
    let none = Values::new();
    let Ok(settled) = Settled::new(living, &none) else { return Vec::new() };
    let controls = living.page.controls.iter().enumerate();
    controls.filter_map(|(at, control)| Some((control, settled.takes_input(at)?))).collect()
}

enum Belonging<'a, T> {
    None,
    One(&'a T),
    Several,
}

/// A text that is set from letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct SetText<'a> {
    pub(super) control: usize,
    pub(super) text: &'a str,
    pub(super) place: &'a TextPlace,
    pub(super) glyphs: &'a Glyphs,
}

/// Everything that a state of a page shows.
#[derive(Clone, Debug)]
pub(super) struct Look<'a> {
    pub(super) living: &'a Living,
    pub(super) settled: Settled<'a>,
    /// Bottom to top.
    pub(super) patches: Vec<&'a Patch>,
    pub(super) texts: Vec<SetText<'a>>,
    pub(super) popup: Option<&'a LivingPopup>,
    /// By scroll area.
    pub(super) offsets: Vec<Point>,
    /// The element that has the focus.
    pub(super) focus: Option<&'a str>,
    /// Whether that is another one than in the page's picture.
    pub(super) focus_moved: bool,
}

impl<'a> Look<'a> {
    /// What a state shows.
    ///
    /// # Errors
    /// If the page can't have this state, or nobody knows what it looks like.
    pub(super) fn of(living: &'a Living, state: &'a PageState) -> Result<Self, Error> {
        Self::found(living, state)
            .map_err(|(found, expected)| Error::file(format!("a state of {}", living.window.id), found, expected))
    }

    fn found(living: &'a Living, state: &'a PageState) -> Result<Self, Fault> {
        let settled = Settled::new(living, &state.values)?;
        check_groups(&settled)?;
        check_conflicts(&settled)?;
        let (patches, texts) = chosen(&settled)?;
        let popup = match &state.popup {
            None => None,
            Some(id) => {
                let found = living.page.popups.iter().find(|popup| popup.id == *id);
                let popup = found.ok_or_else(|| (format!("popup `{id}`"), "a popup of this page".to_owned()))?;
                if !settled.holds(&popup.when) {
                    return Err((format!("popup `{id}`"), format!("values as it was captured with: {}", listed(&popup.when))));
                }
                Some(popup)
            }
        };
        let home = living.page.page.focus_home.as_deref();
        let focus = state.focus.as_deref().or(home);
        if let Some(id) = state.focus.as_deref().filter(|id| !living.page.has_element(&living.window, id)) {
            return Err((format!("the focus on element `{id}`"), "an element of this page".to_owned()));
        }
        Ok(Self {
            living,
            settled,
            patches: in_order(patches)?,
            texts,
            popup,
            offsets: checked_offsets(living, &state.offsets)?,
            focus,
            focus_moved: focus != home,
        })
    }

    /// What focus, pointer or button change at an element of the page; null if nothing is known to change.
    pub(super) fn layer(&self, kind: LayerKind, element: &str) -> Option<&'a Layer> {
        one_layer(&self.settled, self.living.page.layers.iter().filter(|l| l.kind == kind && l.element == element))
    }

    /// The same for an element of the open popup.
    pub(super) fn lit(&self, kind: LayerKind, element: &str) -> Option<&'a Layer> {
        let lit = self.popup.iter().flat_map(|popup| &popup.lit);
        one_layer(&self.settled, lit.filter(|l| l.kind == kind && l.element == element))
    }

    /// How far the content of a scroll area lies from where the page's picture shows it, px.
    pub(super) fn scrolled(&self, area: usize) -> Point {
        self.offsets[area] - self.living.page.scroll_areas[area].offset
    }

    /// The state with nothing in it that is as in the page's picture, and with numbers as the page writes them.
    pub(super) fn normalised(&self) -> PageState {
        let controls = self.living.page.controls.iter().enumerate();
        let set = controls.filter(|(at, c)| c.kind != ControlType::Derived && self.settled.differs(*at));
        let areas = self.living.page.scroll_areas.iter().zip(&self.offsets);
        PageState {
            values: set.map(|(at, control)| (control.id.clone(), self.settled.values[at].clone())).collect(),
            popup: self.popup.map(|popup| popup.id.clone()),
            focus: self.focus.filter(|_| self.focus_moved).map(str::to_owned),
            offsets: areas.filter(|(area, offset)| area.offset != **offset).map(|(a, &offset)| (a.id.clone(), offset)).collect(),
        }
    }
}

/// The layer that belongs to the values. Of two that fit equally well neither is known to.
fn one_layer<'a>(settled: &Settled<'a>, layers: impl Iterator<Item = &'a Layer>) -> Option<&'a Layer> {
    match settled.belonging(layers, |layer| &layer.when, |one, other| one.areas == other.areas) {
        Belonging::One(layer) => Some(layer),
        Belonging::None | Belonging::Several => None,
    }
}

fn shows_same(one: &Patch, other: &Patch) -> bool {
    one.areas == other.areas
        && one.focused == other.focused
        && one.elements == other.elements
        && one.added == other.added
        && one.over == other.over
}

/// The patch of each control, and texts that are set.
fn chosen<'a>(settled: &Settled<'a>) -> Result<(Vec<&'a Patch>, Vec<SetText<'a>>), Fault> {
    let living = settled.living;
    let (mut patches, mut texts) = (Vec::new(), Vec::new());
    for (at, control) in living.page.controls.iter().enumerate() {
        let patch_of = |value: &Value| {
            let own = living.places.patches[at].iter().map(|&patch| &living.page.patches[patch]);
            settled.belonging(own.filter(|patch| patch.value == *value), |patch| &patch.when, shows_same)
        };
        let value = settled.values[at];
        match patch_of(value) {
            Belonging::One(patch) => patches.push(patch),
            Belonging::Several => {
                let found = format!("several patches of control `{}` = {value} that fit equally well", control.id);
                return Err((found, "one with the most `when`".to_owned()));
            }
            Belonging::None if !settled.differs(at) || control.kind == ControlType::Derived => {}
            Belonging::None => {
                let unknown =
                    || (format!("control `{}` = {value}", control.id), "a value of which a patch shows the look".to_owned());
                let text = set_text(living, at, value).ok_or_else(unknown)?;
                // Letters stand on the empty field.
                let empty = Value::Text(String::new());
                match patch_of(&empty) {
                    Belonging::One(patch) => patches.push(patch),
                    Belonging::None if control.value == empty => {}
                    Belonging::None | Belonging::Several => return Err(unknown()),
                }
                if settled.holds(&text.place.when) {
                    texts.push(text);
                }
            }
        }
    }
    Ok((patches, texts))
}

/// A value that letters of the page can write.
fn set_text<'a>(living: &'a Living, control: usize, value: &'a Value) -> Option<SetText<'a>> {
    let Value::Text(text) = value else { return None };
    let place = living.page.controls[control].text.as_deref()?;
    let glyphs = living.page.glyphs.iter().find(|glyphs| glyphs.id == place.glyphs)?;
    let known = |letter: char| glyphs.glyphs.iter().any(|glyph| glyph.letter == letter);
    text.chars().all(known).then_some(SetText { control, text, place, glyphs })
}

/// Patches from bottom to top: each above those that it was captured over. What shares no pixel goes by its control's
/// id, so that nothing depends on the order of lines.
fn in_order(patches: Vec<&Patch>) -> Result<Vec<&Patch>, Fault> {
    let by_control: BTreeMap<&str, &Patch> = patches.iter().map(|patch| (patch.control.as_str(), *patch)).collect();
    let below = |patch: &'_ Patch| -> BTreeSet<&str> {
        patch.over.iter().filter_map(|id| by_control.get_key_value(id.as_str())).map(|(&id, _)| id).collect()
    };
    let mut left: BTreeMap<&str, BTreeSet<&str>> = by_control.iter().map(|(&id, patch)| (id, below(patch))).collect();
    let mut above: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (&id, under) in &left {
        under.iter().for_each(|&under| above.entry(under).or_default().push(id));
    }
    let mut ready: BTreeSet<&str> = left.iter().filter(|(_, under)| under.is_empty()).map(|(&id, _)| id).collect();
    let mut order = Vec::with_capacity(by_control.len());
    while let Some(id) = ready.pop_first() {
        order.push(by_control[id]);
        left.remove(id);
        for &next in above.get(id).into_iter().flatten() {
            let under = left.get_mut(next).expect("what lies above is placed later");
            under.remove(id);
            if under.is_empty() {
                ready.insert(next);
            }
        }
    }
    match left.first_key_value() {
        None => Ok(order),
        Some((id, _)) => Err((format!("patches `over` each other, one of them of control `{id}`"), "an order".to_owned())),
    }
}

/// Of the switches of a group one is on; none if none is in the page's picture.
fn check_groups(settled: &Settled) -> Result<(), Fault> {
    let on = Value::Switch(true);
    let controls = &settled.living.page.controls;
    for (group, members) in &settled.living.places.groups {
        let now: Vec<&str> =
            members.iter().filter(|&&at| *settled.values[at] == on).map(|&at| controls[at].id.as_str()).collect();
        let captured = members.iter().filter(|&&at| controls[at].value == on).count();
        if now.len() > 1 && now.len() > captured || now.is_empty() && captured > 0 {
            return Err((format!("{} switches of group `{group}` on {now:?}", now.len()), "one".to_owned()));
        }
    }
    Ok(())
}

fn check_conflicts(settled: &Settled) -> Result<(), Fault> {
    let both = settled.living.page.rules.iter().find_map(|rule| match rule {
        Rule::Conflict { controls } if controls.iter().all(|id| settled.differs(settled.index(id))) => Some(controls),
        _ => None,
    });
    both.map_or(Ok(()), |[one, other]| {
        Err((format!("other values of both `{one}` and `{other}`"), "one of them as captured: a rule `conflict`".to_owned()))
    })
}

fn checked_offsets(living: &Living, offsets: &BTreeMap<String, Point>) -> Result<Vec<Point>, Fault> {
    let areas = &living.page.scroll_areas;
    if let Some(id) = offsets.keys().find(|id| !areas.iter().any(|area| area.id == **id)) {
        return Err((format!("scroll area `{id}`"), "a scroll area of this page".to_owned()));
    }
    areas
        .iter()
        .map(|area| {
            let offset = offsets.get(&area.id).copied().unwrap_or(area.offset);
            let last = last_offset(area);
            let inside = (0..=last.x).contains(&offset.x) && (0..=last.y).contains(&offset.y);
            let found = || format!("scroll area `{}` at {:?}", area.id, <[i32; 2]>::from(offset));
            inside.then_some(offset).ok_or_else(|| (found(), format!("[0, 0] to {:?}", <[i32; 2]>::from(last))))
        })
        .collect()
}

/// The offset at which the end of the content shows.
pub(super) fn last_offset(area: &ScrollArea) -> Point {
    let content: Rect = area.content.size.expect("a living page that can be read names it").rect();
    Point { x: content.width() - area.viewport.width(), y: content.height() - area.viewport.height() }
}

/// How far a scroll bar's thumb lies from where the page's picture shows it, with the content at `offset`.
pub(super) fn thumb_moved(bar: &ScrollBar, offset: Point, last: Point) -> Point {
    let (offset, last, first_edge) = match bar.axis {
        Axis::X => (offset.x, last.x, bar.thumb.rect.x0()),
        Axis::Y => (offset.y, last.y, bar.thumb.rect.y0()),
    };
    let [start, end] = bar.travel.map(i64::from);
    // Rounded to the nearest.
    let (way, whole) = ((end - start) * i64::from(offset), i64::from(last.max(1)));
    let by = (start + (2 * way + whole) / (2 * whole)) as i32 - first_edge;
    match bar.axis {
        Axis::X => Point { x: by, y: 0 },
        Axis::Y => Point { x: 0, y: by },
    }
}

/// A value as the page's lines write it: sums of steps are not exact.
pub(super) fn as_written(living: &Living, control: usize, value: Value) -> Value {
    let line = &living.page.controls[control];
    let choices = match &line.values {
        Domain::Choices { values } => values.as_slice(),
        _ => &[],
    };
    let patches = living.places.patches[control].iter().map(|&patch| &living.page.patches[patch].value);
    let same = |other: &&Value| match (&value, other) {
        (Value::Number(one), Value::Number(other)) => is_same(*one, *other),
        (Value::Pair(one), Value::Pair(other)) => is_same(one[0], other[0]) && is_same(one[1], other[1]),
        (one, other) => one == *other,
    };
    std::iter::once(&line.value).chain(choices).chain(patches).find(same).cloned().unwrap_or(value)
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= SAME_NUMBER * one.abs().max(1.0)
}

fn listed(values: &Values) -> String {
    values.iter().map(|(id, value)| format!("`{id}` = {value}")).collect::<Vec<_>>().join(", ")
}

/// A domain in words.
fn told(domain: &Domain) -> String {
    /// How many values are listed.
    const MAX_VALUES: usize = 8;
    let several = |values: &mut dyn Iterator<Item = String>, count: usize| {
        let shown: Vec<String> = values.take(MAX_VALUES).collect();
        format!("{}{}", shown.join(", "), if count > MAX_VALUES { ", .." } else { "" })
    };
    match domain {
        Domain::Choices { values } => several(&mut values.iter().map(Value::to_string), values.len()),
        Domain::Range { min, max, step } => format!("{min} to {max} in steps of {step}"),
        Domain::Text { max_chars } => format!("a text of at most {max_chars} characters"),
        Domain::Plane { x, y } => format!("two numbers in {x:?} and {y:?}"),
        Domain::Order { items } => format!("an order of {}", several(&mut items.iter().cloned(), items.len())),
        Domain::Subset { items } => format!("some of {}", several(&mut items.iter().cloned(), items.len())),
    }
}
