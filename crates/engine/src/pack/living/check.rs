//! What must hold of a living file by itself: ids, values, boxes, maps, references.

use std::collections::{BTreeMap, BTreeSet};

use windesk_model::Error;
use windesk_model::geometry::{Point, Rect, Size};
use windesk_model::pack_format::living::{
    Area, Control, ControlType, Domain, DragMap, ElementChange, Glyphs, Layer, LivingPopup, PATCH_VERSION, Patch, PointMap, Rule,
    Scale, ScrollArea, Test, Value, Values,
};
use windesk_model::pack_format::{Action, Change, ElementRecord, Outcome, Picture, Transition, living as format};

use super::super::Window;
use super::super::limits::{check_sized_picture, is_near};
use super::maps::{areas, number_at};
use super::{At, LivingPage};

/// Most lines of each kind on a page.
const MAX_LINES: usize = 20_000;
/// Most controls of a page.
const MAX_CONTROLS: usize = 2_000;
/// Most values of a control that has several, most regions and stops of a map.
const MAX_VALUES: usize = 4_096;
/// Most steps of a range.
const MAX_STEPS: f64 = 1e6;
/// Largest number that a control can have.
const MAX_NUMBER: f64 = 1e12;
/// Most characters of a text.
const MAX_TEXT_CHARS: usize = 10_000;
/// How deep tests may be nested.
const MAX_TEST_DEPTH: usize = 8;
/// How far a popup may reach beyond the page's picture, px.
const MAX_BEYOND_PX: i32 = 4_096;
/// Most parts of a px in which advances are told, and most pictures that a letter has within one.
const MAX_PARTS: i32 = 1 << 16;
const MAX_PHASES: i32 = 16;
/// Most px that a letter advances, or that two letters are moved.
const MAX_ADVANCE_PX: i32 = 1 << 10;

/// The lines of a living file after the first, by kind.
#[derive(Default)]
pub(super) struct Written {
    pub(super) controls: Vec<At<Control>>,
    pub(super) patches: Vec<At<Patch>>,
    pub(super) layers: Vec<At<Layer>>,
    pub(super) rules: Vec<At<Rule>>,
    pub(super) popups: Vec<At<LivingPopup>>,
    pub(super) scroll_areas: Vec<At<ScrollArea>>,
    pub(super) glyphs: Vec<At<Glyphs>>,
}

/// What is wrong: where in a line, what was found, what is expected.
type Fault = (String, String, String);

fn fault(field: impl Into<String>, found: impl ToString, expected: impl Into<String>) -> Fault {
    (field.into(), found.to_string(), expected.into())
}

fn boxed(rect: Rect) -> String {
    format!("{:?}", <[i32; 4]>::from(rect))
}

/// Checks a page by its lines.
pub(super) fn check(file: &str, window: &Window, page: &format::LivingPage, written: &Written) -> Result<(), Error> {
    let first = |(field, found, expected): Fault| Error::file(format!("{file}:1: {field}"), found, expected);
    let lengths = [
        written.patches.len(),
        written.layers.len(),
        written.rules.len(),
        written.popups.len(),
        written.scroll_areas.len(),
        written.glyphs.len(),
    ];
    if let Some(length) = lengths.into_iter().find(|&length| length > MAX_LINES) {
        return Err(Error::limit(file, format!("{length} lines of one kind"), format!("at most {MAX_LINES}")));
    }
    if written.controls.len() > MAX_CONTROLS {
        return Err(Error::limit(file, format!("{} controls", written.controls.len()), format!("at most {MAX_CONTROLS}")));
    }
    let context = Context::of(window, page, written).map_err(first)?;
    context.first_line(page).map_err(first)?;
    each(&written.controls, |control| context.control(control))?;
    each(&written.glyphs, |glyphs| context.glyphs(glyphs))?;
    each(&written.popups, |popup| context.popup(popup))?;
    each(&written.scroll_areas, |area| context.scroll_area(area))?;
    each(&written.patches, |patch| context.patch(patch))?;
    each(&written.layers, |layer| context.layer(layer))?;
    each(&written.rules, |rule| context.rule(rule))?;
    unique(&written.patches, |patch| format!("a patch for {} = {} when {:?}", patch.control, patch.value, patch.when))?;
    dependencies_end(written)
}

fn each<T>(lines: &[At<T>], check: impl Fn(&T) -> Result<(), Fault>) -> Result<(), Error> {
    lines.iter().try_for_each(|at| {
        check(&at.line).map_err(|(field, found, expected)| Error::file(format!("{}: {field}", at.place), found, expected))
    })
}

fn unique<T>(lines: &[At<T>], name: impl Fn(&T) -> String) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    lines.iter().try_for_each(|at| {
        let name = name(&at.line);
        let again = format!("{name} twice");
        if seen.insert(name) { Ok(()) } else { Err(Error::file(&at.place, again, "lines that differ")) }
    })
}

/// What lines refer to.
struct Context<'a> {
    /// The page's picture.
    bounds: Rect,
    /// Where popups may lie.
    reach: Rect,
    atlas: Option<Size>,
    /// All elements that the page can have.
    elements: BTreeSet<&'a str>,
    controls: BTreeMap<&'a str, &'a Control>,
    glyphs: BTreeSet<&'a str>,
    /// Boxes that clicks can fall into: the picture and the popups.
    clickable: Vec<Rect>,
}

impl<'a> Context<'a> {
    fn of(window: &'a Window, page: &format::LivingPage, written: &'a Written) -> Result<Self, Fault> {
        if page.patch_version != PATCH_VERSION {
            return Err(fault("patch_version", page.patch_version, PATCH_VERSION.to_string()));
        }
        if page.page != window.id {
            return Err(fault("page", &page.page, format!("{}, whose capture names this file", window.id)));
        }
        let bounds = window.size.rect();
        let beyond = Point { x: MAX_BEYOND_PX, y: MAX_BEYOND_PX };
        let mut elements: BTreeSet<&str> = window.elements.iter().map(|element| element.id.as_str()).collect();
        let popups = written.popups.iter().flat_map(|popup| &popup.line.elements);
        let contents = written.scroll_areas.iter().flat_map(|area| &area.line.elements);
        for element in popups.chain(contents) {
            if !elements.insert(&element.id) {
                return Err(fault("elements", format!("element `{}` twice on this page", element.id), "ids that differ"));
            }
        }
        // Several patches may add the same element: one for each value.
        let added: Vec<&str> = written.patches.iter().flat_map(|p| &p.line.added).map(|e| e.id.as_str()).collect();
        if let Some(id) = added.iter().find(|id| elements.contains(*id)) {
            return Err(fault("added", format!("element `{id}` twice on this page"), "ids that differ"));
        }
        elements.extend(added);
        let mut controls = BTreeMap::new();
        for control in &written.controls {
            if controls.insert(control.line.id.as_str(), &control.line).is_some() {
                return Err(fault("controls", format!("control `{}` twice", control.line.id), "ids that differ"));
            }
        }
        let mut ids = BTreeSet::new();
        let glyphs = written.glyphs.iter().map(|g| g.line.id.as_str());
        let others =
            written.popups.iter().map(|p| p.line.id.as_str()).chain(written.scroll_areas.iter().map(|a| a.line.id.as_str()));
        if let Some(id) = others.chain(glyphs.clone()).find(|id| !ids.insert(*id)) {
            return Err(fault("id", format!("`{id}` twice among popups, scroll areas and glyphs"), "ids that differ"));
        }
        Ok(Self {
            bounds,
            reach: bounds.moved(-beyond).union(bounds.moved(beyond)),
            atlas: window.living.as_ref().and_then(|living| living.atlas.as_ref()).and_then(|atlas| atlas.size),
            elements,
            controls,
            glyphs: glyphs.collect(),
            clickable: std::iter::once(bounds).chain(written.popups.iter().map(|popup| popup.line.rect)).collect(),
        })
    }

    fn first_line(&self, page: &format::LivingPage) -> Result<(), Fault> {
        page.focus_home.iter().try_for_each(|id| self.element("focus_home", id))?;
        page.volatile.iter().try_for_each(|&rect| self.on_page("volatile", rect))?;
        if page.coverage.known > page.coverage.elements {
            let found = format!("{} known of {} elements", page.coverage.known, page.coverage.elements);
            return Err(fault("coverage", found, "no more known than there are"));
        }
        Ok(())
    }

    fn element(&self, field: &str, id: &str) -> Result<(), Fault> {
        if self.elements.contains(id) { Ok(()) } else { Err(fault(field, format!("element `{id}`"), "an element of this page")) }
    }

    fn find(&self, field: &str, id: &str) -> Result<&'a Control, Fault> {
        self.controls.get(id).copied().ok_or_else(|| fault(field, format!("control `{id}`"), "a control of this page"))
    }

    fn on_page(&self, field: &str, rect: Rect) -> Result<(), Fault> {
        if self.bounds.covers(rect) {
            Ok(())
        } else {
            Err(fault(field, boxed(rect), format!("a box inside the page {}", boxed(self.bounds))))
        }
    }

    fn near_page(&self, field: &str, rect: Rect) -> Result<(), Fault> {
        if self.reach.covers(rect) {
            Ok(())
        } else {
            Err(fault(field, boxed(rect), format!("a box at most {MAX_BEYOND_PX} px beyond the page {}", boxed(self.bounds))))
        }
    }

    fn values(&self, field: &str, values: &Values) -> Result<(), Fault> {
        values.iter().try_for_each(|(id, value)| value_of(self.find(field, id)?, field, value))
    }

    fn control(&self, control: &Control) -> Result<(), Fault> {
        self.element("element", &control.element)?;
        check_domain(&control.values)?;
        value_of(control, "value", &control.value)?;
        if control.kind == ControlType::Derived && (control.click_map.is_some() || control.drag_map.is_some()) {
            return Err(fault("type", "a derived control with a map", "a control that nobody sets"));
        }
        if control.group.is_some() && !control.values.contains(&Value::Switch(true)) {
            return Err(fault("group", format!("a control without the value true in {:?}", control.group), "switches"));
        }
        control.click_map.iter().try_for_each(|map| self.map("click_map", control, map))?;
        if let Some(DragMap { handle, release, .. }) = &control.drag_map {
            handle.iter().try_for_each(|&rect| self.on_page("drag_map.handle", rect))?;
            self.map("drag_map.release", control, release)?;
        }
        if let Some(text) = &control.text {
            if !matches!(control.values, Domain::Text { .. }) || !self.glyphs.contains(text.glyphs.as_str()) {
                return Err(fault("text", format!("glyphs `{}`", text.glyphs), "glyphs of this page, and values that are texts"));
            }
            self.on_page("text.clip", text.clip)?;
            if !is_near(text.origin) {
                return Err(fault("text.origin", format!("{:?}", text.origin), "a point near the page"));
            }
            if !(-MAX_PARTS..=MAX_PARTS).contains(&text.shift) {
                return Err(fault("text.shift", text.shift, "-65536 to 65536 parts of a px"));
            }
            if let Some(caret) = &text.caret {
                if !is_near(caret.rect.origin()) || !(-MAX_PARTS..=MAX_PARTS).contains(&caret.shift) {
                    let found = format!("{} with shift {}", boxed(caret.rect), caret.shift);
                    return Err(fault("text.caret", found, "a box near a text, and a shift of 65536 at most"));
                }
                self.in_atlas("text.caret", caret.at, caret.rect.size())?;
            }
            self.values("text.when", &text.when)?;
            if text.when.contains_key(&control.id) {
                return Err(fault("text.when", format!("control `{}` itself", control.id), "other controls"));
            }
        }
        Ok(())
    }

    fn map(&self, field: &str, control: &Control, map: &PointMap) -> Result<(), Fault> {
        let rects = areas(map);
        if let Some(&rect) = rects.iter().find(|&&rect| !self.clickable.iter().any(|inside| inside.covers(rect))) {
            return Err(fault(field, boxed(rect), "a box inside the page or one of its popups"));
        }
        let scale = |name: &str, scale: &Scale| {
            check_scale(scale).map_err(|found| fault(format!("{field}.{name}"), found, "an even scale"))
        };
        match map {
            PointMap::Regions { regions } => {
                if regions.is_empty() || regions.len() > MAX_VALUES {
                    return Err(fault(field, format!("{} regions", regions.len()), format!("1 to {MAX_VALUES}")));
                }
                for (at, region) in regions.iter().enumerate() {
                    value_of(control, field, &region.value)?;
                    if let Some(other) = regions[at + 1..].iter().find(|other| other.rect.touches(region.rect)) {
                        let found = format!("{} and {}", boxed(region.rect), boxed(other.rect));
                        return Err(fault(field, found, "regions that share no pixel"));
                    }
                }
            }
            PointMap::Linear { scale: numbers, .. } => {
                scale("scale", numbers)?;
                for position in [numbers.from, numbers.to] {
                    value_of(control, field, &Value::Number(number_at(numbers, position)))?;
                }
            }
            PointMap::Stops { stops, .. } => {
                if stops.is_empty() || stops.len() > MAX_VALUES {
                    return Err(fault(field, format!("{} stops", stops.len()), format!("1 to {MAX_VALUES}")));
                }
                stops.iter().try_for_each(|stop| value_of(control, field, &stop.value))?;
                if let Some(pair) = stops.windows(2).find(|pair| pair[0].from >= pair[1].from) {
                    return Err(fault(
                        field,
                        format!("a stop at {} after one at {}", pair[1].from, pair[0].from),
                        "growing positions",
                    ));
                }
                let grows = stops.windows(2).all(|pair| pair[0].value <= pair[1].value);
                let falls = stops.windows(2).all(|pair| pair[0].value >= pair[1].value);
                if matches!(control.values, Domain::Range { .. }) && !grows && !falls {
                    return Err(fault(field, "numbers that grow and fall", "numbers that only grow or only fall"));
                }
            }
            PointMap::Plane { area, x, y } => {
                scale("x", x)?;
                scale("y", y)?;
                for corner in area.corners() {
                    let value = Value::Pair([number_at(x, corner.x), number_at(y, corner.y)]);
                    value_of(control, field, &value)?;
                }
            }
        }
        Ok(())
    }

    fn areas(&self, field: &str, areas: &[Area], may_reach_beyond: bool) -> Result<(), Fault> {
        areas.iter().enumerate().try_for_each(|(at, area)| {
            let field = format!("{field}[{at}]");
            if may_reach_beyond {
                self.near_page(&field, area.rect)?
            } else {
                self.on_page(&field, area.rect)?
            };
            self.in_atlas(&field, area.at, area.rect.size())?;
            area.inactive.iter().try_for_each(|&at| self.in_atlas(&field, at, area.rect.size()))?;
            let Some(mask) = &area.mask else { return Ok(()) };
            let sum: u64 = mask.iter().map(|&run| u64::from(run)).sum();
            let broken = mask.iter().skip(1).any(|&run| run == 0);
            if sum != area.rect.area() || broken {
                let found = format!("a mask of {sum} px");
                return Err(fault(field, found, format!("{} px in runs that are not empty", area.rect.area())));
            }
            Ok(())
        })
    }

    fn in_atlas(&self, field: &str, at: Point, size: Size) -> Result<(), Fault> {
        let inside = self.atlas.is_some_and(|atlas| is_near(at) && atlas.rect().covers(size.rect().moved(at)));
        if inside {
            return Ok(());
        }
        let atlas =
            self.atlas.map_or_else(|| "no atlas".to_owned(), |atlas| format!("an atlas of {}x{}", atlas.width, atlas.height));
        let found = format!("{}x{} at [{}, {}] of {atlas}", size.width, size.height, at.x, at.y);
        Err(fault(field, found, "a box inside the atlas that the capture names"))
    }

    fn records(&self, field: &str, records: &[ElementRecord], bounds: Rect) -> Result<(), Fault> {
        let mut before = BTreeSet::new();
        records.iter().try_for_each(|record| {
            let field = format!("{field} `{}`", record.id);
            if !bounds.covers(record.bbox) {
                return Err(fault(field, boxed(record.bbox), format!("a box inside {}", boxed(bounds))));
            }
            if let Some(parent) =
                record.parent.as_deref().filter(|parent| !before.contains(parent) && !self.elements.contains(parent))
            {
                return Err(fault(field, format!("parent `{parent}`"), "an earlier element"));
            }
            if record.popup.is_some() {
                return Err(fault(field, "popup", "null: its line says in which popup it lies"));
            }
            before.insert(record.id.as_str());
            Ok(())
        })
    }

    fn patch(&self, patch: &Patch) -> Result<(), Fault> {
        let control = self.find("control", &patch.control)?;
        value_of(control, "value", &patch.value)?;
        self.values("when", &patch.when)?;
        if patch.when.contains_key(&patch.control) {
            return Err(fault("when", format!("control `{}` itself", patch.control), "other controls"));
        }
        if patch.value == control.value && patch.when.is_empty() {
            return Err(fault("value", &patch.value, "another value than that of the page's picture, or a `when`"));
        }
        self.areas("areas", &patch.areas, false)?;
        patch.focused.iter().try_for_each(|areas| self.areas("focused", areas, false))?;
        patch.elements.iter().try_for_each(|change| self.change(change))?;
        self.records("added", &patch.added, self.bounds)?;
        patch.over.iter().try_for_each(|id| self.find("over", id).map(|_| ()))
    }

    fn change(&self, change: &ElementChange) -> Result<(), Fault> {
        self.element("elements", &change.id)?;
        change.bbox.iter().try_for_each(|&rect| self.on_page(&format!("elements `{}`", change.id), rect))
    }

    fn layer(&self, layer: &Layer) -> Result<(), Fault> {
        self.element("element", &layer.element)?;
        self.values("when", &layer.when)?;
        self.areas("areas", &layer.areas, false)
    }

    fn popup(&self, popup: &LivingPopup) -> Result<(), Fault> {
        self.near_page("rect", popup.rect)?;
        self.element("opener", &popup.opener)?;
        self.values("when", &popup.when)?;
        self.areas("areas", &popup.areas, true)?;
        self.records("elements", &popup.elements, popup.rect)?;
        popup.lit.iter().try_for_each(|layer| {
            if !popup.elements.iter().any(|element| element.id == layer.element) {
                return Err(fault("lit", format!("element `{}`", layer.element), "an element of the popup"));
            }
            self.values("lit.when", &layer.when)?;
            self.areas("lit.areas", &layer.areas, true)
        })
    }

    fn scroll_area(&self, area: &ScrollArea) -> Result<(), Fault> {
        self.element("element", &area.element)?;
        self.on_page("viewport", area.viewport)?;
        let sized = |field: &str, (found, expected): (String, String)| fault(field, found, expected);
        check_sized_picture(&area.content).map_err(|problem| sized("content", problem))?;
        let content = area.content.size.expect("checked").rect();
        if let Some(inactive) = &area.inactive {
            // The delta is as large as the content and names no size of its own.
            let delta = Picture { size: area.content.size, ..inactive.clone() };
            check_sized_picture(&delta).map_err(|problem| sized("inactive", problem))?;
        }
        if !is_near(area.offset) || !content.covers(area.viewport.size().rect().moved(area.offset)) {
            let found = format!("{:?} of a content {}", <[i32; 2]>::from(area.offset), boxed(content));
            return Err(fault("offset", found, "an offset at which the viewport lies inside the content"));
        }
        if !is_near(area.step) || area.step.x < 0 || area.step.y < 0 {
            return Err(fault("step", format!("{:?}", <[i32; 2]>::from(area.step)), "px to the right and down"));
        }
        self.records("elements", &area.elements, content)?;
        area.bars.iter().try_for_each(|bar| {
            self.element("bars.element", &bar.element)?;
            self.areas("bars.track", std::slice::from_ref(&bar.track), false)?;
            self.areas("bars.thumb", std::slice::from_ref(&bar.thumb), false)?;
            let ends = bar.travel.map(|at| Point { x: at, y: at });
            if bar.travel[0] > bar.travel[1] || !ends.into_iter().all(is_near) {
                return Err(fault("bars.travel", format!("{:?}", bar.travel), "the first and the last position of the thumb"));
            }
            Ok(())
        })
    }

    fn glyphs(&self, glyphs: &Glyphs) -> Result<(), Fault> {
        if !(1..=MAX_PARTS).contains(&glyphs.parts) {
            return Err(fault("parts", glyphs.parts, "1 to 65536 parts of a px"));
        }
        if !(1..=MAX_PHASES).contains(&glyphs.phases) {
            return Err(fault("phases", glyphs.phases, "1 to 16 pictures of a letter"));
        }
        let longest = MAX_ADVANCE_PX * glyphs.parts;
        let mut letters = BTreeSet::new();
        for glyph in &glyphs.glyphs {
            let field = format!("glyphs {:?}", glyph.letter);
            if !letters.insert(glyph.letter) {
                return Err(fault(field, "it twice", "each letter once"));
            }
            if !(0..=longest).contains(&glyph.advance) || !is_near(glyph.bearing) {
                return Err(fault(field, format!("advance {}", glyph.advance), format!("0 to {longest} parts of a px")));
            }
            let pictures = |size: Size| Size { width: size.width.saturating_mul(glyphs.phases as u32), ..size };
            glyph.size.iter().try_for_each(|&size| self.in_atlas(&field, glyph.at, pictures(size)))?;
        }
        let unknown = glyphs
            .kerning
            .iter()
            .find(|(one, other, by)| !letters.contains(one) || !letters.contains(other) || by.unsigned_abs() > longest as u32);
        unknown.map_or(Ok(()), |pair| Err(fault("kerning", format!("{pair:?}"), "two letters of these glyphs")))
    }

    fn rule(&self, rule: &Rule) -> Result<(), Fault> {
        match rule {
            Rule::Derived { control, value, test } => {
                let found = self.find("control", control)?;
                if found.kind != ControlType::Derived {
                    return Err(fault("control", format!("`{control}` of type {:?}", found.kind), "a control of type derived"));
                }
                value_of(found, "value", value)?;
                self.test(test, 0)
            }
            Rule::Enables { test, controls } => {
                controls.iter().try_for_each(|id| self.find("controls", id).map(|_| ()))?;
                self.test(test, 0)
            }
            Rule::Conflict { controls } => {
                controls.iter().try_for_each(|id| self.find("controls", id).map(|_| ()))?;
                if controls[0] == controls[1] {
                    return Err(fault("controls", format!("`{}` twice", controls[0]), "two controls"));
                }
                Ok(())
            }
        }
    }

    fn test(&self, test: &Test, depth: usize) -> Result<(), Fault> {
        if depth > MAX_TEST_DEPTH {
            return Err(fault("test", "tests in tests", format!("at most {MAX_TEST_DEPTH} in each other")));
        }
        match test {
            Test::Equal { control, value } => value_of(self.find("test", control)?, "test", value),
            Test::Changed { controls } => controls.iter().try_for_each(|id| self.find("test", id).map(|_| ())),
            Test::Not { test } => self.test(test, depth + 1),
            Test::All { tests } | Test::Any { tests } => tests.iter().try_for_each(|test| self.test(test, depth + 1)),
        }
    }
}

fn value_of(control: &Control, field: &str, value: &Value) -> Result<(), Fault> {
    if value.is_finite() && control.values.contains(value) {
        Ok(())
    } else {
        Err(fault(field, value, format!("a value of control `{}`", control.id)))
    }
}

fn check_domain(domain: &Domain) -> Result<(), Fault> {
    let bad = |found: String, expected: String| Err(fault("values", found, expected));
    let numbers = |numbers: &[f64]| numbers.iter().all(|n| n.is_finite() && n.abs() <= MAX_NUMBER);
    match domain {
        Domain::Choices { values } => {
            let different: BTreeSet<&Value> = values.iter().collect();
            if values.is_empty() || values.len() > MAX_VALUES || different.len() != values.len() {
                return bad(
                    format!("{} choices, {} different", values.len(), different.len()),
                    format!("1 to {MAX_VALUES} that differ"),
                );
            }
            if let Some(value) = values.iter().find(|value| !value.is_finite()) {
                return bad(value.to_string(), "numbers".to_owned());
            }
            Ok(())
        }
        Domain::Range { min, max, step } => {
            if !numbers(&[*min, *max, *step]) || min >= max || *step <= 0.0 || (max - min) / step > MAX_STEPS {
                return bad(
                    format!("{min} to {max} in steps of {step}"),
                    format!("min below max, at most {MAX_STEPS} steps above 0"),
                );
            }
            Ok(())
        }
        Domain::Text { max_chars } => {
            if *max_chars == 0 || *max_chars as usize > MAX_TEXT_CHARS {
                return bad(format!("{max_chars} characters"), format!("1 to {MAX_TEXT_CHARS}"));
            }
            Ok(())
        }
        Domain::Plane { x, y } => {
            if !numbers(x) || !numbers(y) || x[0] >= x[1] || y[0] >= y[1] {
                return bad(format!("{x:?} and {y:?}"), "two ranges, smallest number first".to_owned());
            }
            Ok(())
        }
        Domain::Order { items } | Domain::Subset { items } => {
            let different: BTreeSet<&String> = items.iter().collect();
            if items.is_empty() || items.len() > MAX_VALUES || different.len() != items.len() {
                return bad(
                    format!("{} items, {} different", items.len(), different.len()),
                    format!("1 to {MAX_VALUES} that differ"),
                );
            }
            Ok(())
        }
    }
}

fn check_scale(scale: &Scale) -> Result<(), String> {
    let numbers = [scale.first, scale.last, scale.step];
    let positions = [scale.from, scale.to].iter().all(|&at| is_near(Point { x: at, y: at }));
    let sound = numbers.iter().all(|n| n.is_finite() && n.abs() <= MAX_NUMBER)
        && positions
        && scale.from != scale.to
        && scale.first != scale.last
        && scale.step > 0.0
        && (scale.last - scale.first).abs() / scale.step <= MAX_STEPS;
    if sound { Ok(()) } else { Err(format!("{scale:?}")) }
}

/// No look of a control depends, over others, on its own value.
fn dependencies_end(written: &Written) -> Result<(), Error> {
    let mut needs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for patch in &written.patches {
        needs.entry(&patch.line.control).or_default().extend(patch.line.when.keys().map(String::as_str));
    }
    for rule in &written.rules {
        if let Rule::Derived { control, test, .. } = &rule.line {
            needs.entry(control).or_default().extend(test.controls());
        }
    }
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for at in &written.controls {
        let start = at.line.id.as_str();
        // A path from the start, each step with the needs that are left to visit.
        let mut path: Vec<(&str, &[&str])> = Vec::new();
        let needs_of = |id: &str| needs.get(id).map_or(&[][..], Vec::as_slice);
        if !done.contains(start) {
            path.push((start, needs_of(start)));
        }
        while let Some((id, left)) = path.last_mut() {
            let Some((&next, rest)) = left.split_first() else {
                done.insert(id);
                path.pop();
                continue;
            };
            *left = rest;
            if path.iter().any(|(id, _)| *id == next) {
                let found = format!("control `{next}`, whose look depends on itself");
                return Err(Error::file(&at.place, found, "`when` and rules without cycles"));
            }
            if !done.contains(next) {
                path.push((next, needs_of(next)));
            }
        }
    }
    Ok(())
}

/// Checks what a transition asks of the living page that it begins at.
///
/// # Errors
/// If it names an element, control, popup or scroll area that the page has not, or a value that a control can't have.
pub fn check_transition(place: &str, window: &Window, page: &LivingPage, transition: &Transition) -> Result<(), Error> {
    let bad = |found: String, expected: &str| Err(Error::file(format!("{place}: from {}", window.id), found, expected));
    let has_element = |id: &String| page.has_element(window, id);
    if let Some(id) = transition.element.as_ref().filter(|id| !has_element(id)) {
        return bad(format!("element `{id}`"), "an element of this page");
    }
    if let Some(id) = transition.focused.iter().find(|id| !has_element(id)) {
        return bad(format!("focused `{id}`"), "elements of this page");
    }
    for (id, value) in &transition.when {
        match page.control(id) {
            Some(control) if control.values.contains(value) => {}
            _ => return bad(format!("when `{id}` is {value}"), "controls of this page and values that they can have"),
        }
    }
    let reach = page.popups.iter().fold(window.size.rect(), |all, popup| all.union(popup.rect));
    if let Some(part) = transition.part.filter(|part| !reach.covers(*part)) {
        return bad(format!("part {}", boxed(part)), "a box on the page or its popups");
    }
    if let Action::Drag(points) = &transition.action
        && !points.iter().all(|&point| reach.contains(point))
    {
        return bad(format!("a drag {points:?}"), "points on the page or its popups");
    }
    let sets = |outcome: &Outcome| match outcome {
        Outcome::Value { control, .. } | Outcome::Mapped { control } | Outcome::Typed { control } => page.control(control),
        _ => None,
    };
    if let Some(derived) = transition.outcomes.iter().filter_map(sets).find(|control| control.kind == ControlType::Derived) {
        return bad(format!("an outcome that sets `{}`", derived.id), "a control that does not follow from others");
    }
    for outcome in &transition.outcomes {
        match outcome {
            Outcome::Popup { popup } if !page.popups.iter().any(|p| p.id == *popup) => {
                return bad(format!("popup `{popup}`"), "a popup of this page");
            }
            Outcome::Focus { element } if !has_element(element) => {
                return bad(format!("focus on `{element}`"), "an element of this page");
            }
            Outcome::Scrolled { area, .. } if !page.scroll_areas.iter().any(|a| a.id == *area) => {
                return bad(format!("scroll area `{area}`"), "a scroll area of this page");
            }
            Outcome::Value { control, change } => {
                let Some(control) = page.control(control) else {
                    return bad(format!("control `{control}`"), "a control of this page");
                };
                let fits = match change {
                    Change::To(value) => control.values.contains(value),
                    Change::By(_) => matches!(control.values, Domain::Range { .. } | Domain::Choices { .. }),
                    Change::Next(_) => matches!(control.values, Domain::Choices { .. }),
                };
                if !fits {
                    return bad(format!("{change:?} of control `{}`", control.id), "a change that its values allow");
                }
            }
            Outcome::Mapped { control }
                if !page.control(control).is_some_and(|c| c.click_map.is_some() || c.drag_map.is_some()) =>
            {
                return bad(format!("control `{control}`"), "a control of this page with a click map or drag map");
            }
            Outcome::Typed { control } if !page.control(control).is_some_and(|c| matches!(c.values, Domain::Text { .. })) => {
                return bad(format!("control `{control}`"), "a control of this page whose values are texts");
            }
            _ => {}
        }
    }
    Ok(())
}
