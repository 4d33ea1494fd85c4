//! Paths of clicks on living pages: controls that are set to other values, through the tabs they lie on and the lists
//! they are chosen from.

use std::collections::BTreeSet;
use std::rc::Rc;

use typed_index_collections::TiVec;

use windesk_engine::pack::living::{Living, act, elements_in, known_values, reach, when_shown};
use windesk_engine::pack::{Element, IndexedPack, normalised_name};
use windesk_model::Error;
use windesk_model::digest::stable_id;
use windesk_model::geometry::{Point, Rect};
use windesk_model::index::{ElementIndex, WindowIndex};
use windesk_model::instruction::InstructionSource;
use windesk_model::key::{Decision, SampleKey};
use windesk_model::pack_format::Action;
use windesk_model::pack_format::living::{Control, ControlType, Value};
use windesk_model::page_state::{PageState, WindowEvent};
use windesk_model::plan::Reason;
use windesk_model::task::GoalSource;

use super::path::{Path, PathClick, PathWords, StepWords};
use crate::setting::{Asked, Named, box_around, continued, in_app, named, opened, request};

/// Types of controls that are set, each by a click on one element.
const SET: [ControlType; 6] = [
    ControlType::CheckBox,
    ControlType::Switch,
    ControlType::RadioGroup,
    ControlType::ListBox,
    ControlType::ComboBox,
    ControlType::SegmentedControl,
];
/// Which wordings of a request ask for a step, and for a goal: goals are not said in the words of their last step.
const STEP_VOICE: u32 = 0;
const GOAL_VOICE: u32 = 1;
/// Most values that are tried in a draw, so that a page with long lists costs no more than another.
const MAX_TRIED: usize = 60;

/// A living page on which controls can be set.
#[derive(Clone, Debug)]
pub(super) struct SettingsPage {
    pub(super) window: WindowIndex,
    /// Elements that a first click may go to, by id.
    pub(super) begin: BTreeSet<String>,
}

/// One control that is set.
struct Setting {
    /// What is clicked, and what to do there.
    clicks: Vec<(String, StepWords)>,
    /// What is to be set, in other words.
    request: String,
    after: PageState,
}

impl SettingsPage {
    /// Whether anything can be set on a page by a click.
    pub(super) fn bears_any(living: &Living) -> bool {
        living.page.controls.iter().any(|control| SET.contains(&control.kind) && known_values(living, &control.id).len() > 1)
    }

    /// Draws what is set and in which order: as many clicks as a number drawn between these. Null if the page bears
    /// nothing of that length.
    ///
    /// # Errors
    /// If a file of the page can't be read.
    pub(super) fn draw(&self, pack: &IndexedPack, lengths: [usize; 2], key: SampleKey) -> Result<Option<Path>, Error> {
        let living = pack.living(self.window)?;
        let [fewest, most] = lengths;
        let wanted = key.stream(Decision::TaskSettings, 0).between(fewest as i64, most as i64) as usize;
        let mut page = Page::new(pack, &living, self.window, PageState::default())?;
        let (mut clicks, mut requests) = (Vec::new(), Vec::new());
        let mut set: Vec<(&str, &Value)> = Vec::new();
        for (control, value) in ranked(&living, key).into_iter().take(MAX_TRIED) {
            if clicks.len() >= wanted {
                break;
            }
            if set.iter().any(|(id, _)| *id == control.id) {
                continue;
            }
            let Some(setting) = page.setting(control, value)? else { continue };
            let fits = clicks.len() + setting.clicks.len() <= most;
            let begins = !clicks.is_empty() || self.begin.contains(&setting.clicks[0].0);
            if !(fits && begins) {
                continue;
            }
            let after = page.in_state(setting.after)?;
            if after.keeps(&set) {
                page = after;
                set.push((&control.id, value));
                clicks.extend(setting.clicks);
                requests.push(continued(&setting.request));
            }
        }
        Ok((fewest..=most).contains(&clicks.len()).then(|| self.path(pack, clicks, &requests)))
    }

    fn path(&self, pack: &IndexedPack, clicks: Vec<(String, StepWords)>, requests: &[String]) -> Path {
        let app = &pack.program_of(self.window).record.name;
        let goal = match requests {
            [one] => one.clone(),
            all => format!("first {}", all.join(", then ")),
        };
        let (elements, steps): (Vec<String>, Vec<StepWords>) = clicks.into_iter().unzip();
        let in_app_too = |step: StepWords| StepWords { instruction: in_app(app, &step.instruction), ..step };
        let clicks = elements.into_iter().map(|element| PathClick { page: self.window, element });
        Path {
            clicks: clicks.collect(),
            words: Some(PathWords {
                goal: in_app(app, &goal),
                goal_source: GoalSource::Composed,
                steps: Some(steps.into_iter().map(in_app_too).collect()),
                steps_source: InstructionSource::Accessibility,
                workflow: None,
            }),
        }
    }
}

/// Controls with the values that they can be set to, other than those of the page's picture, in an order that depends
/// on the key. Controls take turns before values do: lists have the most.
fn ranked(living: &Living, key: SampleKey) -> Vec<(&Control, &Value)> {
    let rank = |name: &str| key.rank(Decision::TaskSettings, stable_id(name));
    let controls = living.page.controls.iter().filter(|control| SET.contains(&control.kind));
    let mut turns: Vec<(usize, u64, &Control, &Value)> = Vec::new();
    for control in controls {
        let mut values: Vec<&Value> = known_values(living, &control.id).into_iter().skip(1).collect();
        values.sort_by_cached_key(|value| rank(&format!("{}/{value}", control.id)));
        turns.extend(values.into_iter().enumerate().map(|(turn, value)| (turn, rank(&control.id), control, value)));
    }
    turns.sort_by_key(|&(turn, rank, ..)| (turn, rank));
    turns.into_iter().map(|(_, _, control, value)| (control, value)).collect()
}

/// A page in a state.
#[derive(Clone)]
struct Page<'a> {
    pack: &'a IndexedPack,
    living: &'a Living,
    window: WindowIndex,
    state: PageState,
    /// What it shows then.
    shown: Rc<PageContent>,
}

/// What a page shows, px of the page.
struct PageContent {
    /// Open popups, bottom to top.
    popups: Vec<Rect>,
    elements: TiVec<ElementIndex, Element>,
}

impl<'a> Page<'a> {
    fn new(pack: &'a IndexedPack, living: &'a Living, window: WindowIndex, state: PageState) -> Result<Self, Error> {
        let (popups, elements) = elements_in(living, &state)?;
        Ok(Page { pack, living, window, state, shown: Rc::new(PageContent { popups, elements }) })
    }

    fn in_state(&self, state: PageState) -> Result<Self, Error> {
        Self::new(self.pack, self.living, self.window, state)
    }

    fn value(&self, control: &str) -> Option<&Value> {
        self.state.values.get(control).or_else(|| self.living.page.control(control).map(|control| &control.value))
    }

    fn element(&self, id: &str) -> Option<&Element> {
        self.shown.elements.iter().find(|element| element.id == id)
    }

    /// The clicks that give a control a value: first the tab that it lies on is chosen, and its list opened if it has
    /// one. Null if no clicks are known, or nothing on the screen says what the control is called.
    fn setting(&self, control: &'a Control, value: &'a Value) -> Result<Option<Setting>, Error> {
        if self.value(&control.id) == Some(value) {
            return Ok(None);
        }
        let mut page = self.clone();
        let mut clicks = Vec::new();
        for (before, needed) in when_shown(self.living, &control.id, value) {
            if page.value(&before) == Some(&needed) {
                continue;
            }
            let Some(tab) = self.living.page.control(&before).filter(|before| before.kind == ControlType::Tabs) else {
                return Ok(None);
            };
            let Some(chosen) = page.click(tab, &needed)? else { return Ok(None) };
            let Some(words) = page.said(tab, &needed, |asked| request(asked, STEP_VOICE))? else { return Ok(None) };
            clicks.push((chosen.element, StepWords { instruction: words, label: None }));
            page = page.in_state(chosen.after)?;
        }
        let [words, wanted] = [STEP_VOICE, GOAL_VOICE].map(|voice| page.said(control, value, |asked| request(asked, voice)));
        let (Some(words), Some(request)) = (words?, wanted?) else { return Ok(None) };
        let Some(Named { name, group }) = page.said(control, value, named)? else { return Ok(None) };
        let Some(label) = page.label(control, &name) else { return Ok(None) };
        if group.is_none() && page.says_name_twice(control, &name) {
            return Ok(None);
        }
        if control.kind == ControlType::ComboBox {
            let Some(open) = opened(self.living, control, page.state.clone()) else { return Ok(None) };
            let of_group = group.map(|group| format!(" under “{group}”")).unwrap_or_default();
            if !page.is_whole(&control.element) {
                return Ok(None);
            }
            let instruction = format!("Open the list “{name}”{of_group}");
            clicks.push((control.element.clone(), StepWords { instruction, label: label.clone() }));
            page = page.in_state(open)?;
        }
        let Some(chosen) = page.click(control, value)? else { return Ok(None) };
        clicks.push((chosen.element, StepWords { instruction: words, label }));
        Ok(Some(Setting { clicks, request, after: chosen.after }))
    }

    /// Hands what is asked for to `say`, as the page is now. Null where nothing on the screen says it.
    fn said<T>(&self, control: &Control, target: &Value, say: impl Fn(&Asked) -> Result<T, Reason>) -> Result<Option<T>, Error> {
        let shown = self.pack.shown(self.window, Some(&self.state))?;
        let current = self.value(&control.id).unwrap_or(&control.value);
        Ok(say(&Asked { living: self.living, shown: &shown, control, current, target, place: None }).ok())
    }

    /// Whether controls have these values, and those that show still take input: what a later click puts out of use was
    /// set for nothing.
    fn keeps(&self, set: &[(&str, &Value)]) -> bool {
        let is_off = |id: &str| {
            let shown = self.living.page.control(id).and_then(|control| self.element(&control.element));
            shown.is_some_and(|shown| shown.state.get("enabled") == Some(&serde_json::Value::Bool(false)))
        };
        set.iter().all(|(id, value)| self.value(id) == Some(*value) && !is_off(id))
    }

    /// Whether something else that takes clicks has the name of a control that is on or off: a reader would not know
    /// which is meant.
    fn says_name_twice(&self, control: &Control, name: &str) -> bool {
        let is_rival =
            |e: &Element| e.interactive && e.id != control.element && normalised_name(&e.name) == normalised_name(name);
        matches!(control.value, Value::Switch(_)) && self.shown.elements.iter().any(is_rival)
    }

    /// The element beside a control that shows its name: null inside if the control shows it by itself, null if nothing
    /// does.
    fn label(&self, control: &Control, name: &str) -> Option<Option<String>> {
        let own = self.element(&control.element)?;
        let named = |element: &Element| {
            let read = normalised_name(&element.name);
            let read = read.trim_end_matches(':').trim_end();
            read == normalised_name(name).trim_end_matches(':').trim_end()
        };
        let shows_text = |element: &&Element| element.id != own.id && !element.interactive && element.popup.is_none();
        let (at, distance) = (own.bbox.centre(), |a: Point, b: Point| (a.x - b.x).pow(2) + (a.y - b.y).pow(2));
        let beside = self.shown.elements.iter().filter(shows_text).filter(|element| named(element));
        let nearest = beside.min_by_key(|element| distance(element.bbox.centre(), at)).map(|element| element.id.clone());
        // Boxes, tabs and buttons hold their text.
        let holds_text = matches!(control.kind, ControlType::CheckBox | ControlType::Switch) && named(own);
        (nearest.is_some() || holds_text).then_some(nearest)
    }

    /// The largest element of which every pixel gives a control a value when it is clicked, and the state after that.
    fn click(&self, control: &Control, value: &Value) -> Result<Option<Chosen>, Error> {
        let Some(around) = box_around(self.living, control, &self.state) else { return Ok(None) };
        let reached = reach(self.living, &self.state, &control.id, around)?;
        let boxes: Vec<Rect> = reached.clicks.iter().filter(|(_, set)| set == value).map(|(rect, _)| *rect).collect();
        let is_covered = |bbox: Rect| {
            let covered: u64 = boxes.iter().filter_map(|part| part.intersection(bbox)).map(Rect::area).sum();
            bbox.area() > 0 && covered == bbox.area()
        };
        let of_front = |element: &&Element| element.popup == self.shown.popups.len().checked_sub(1);
        // What is chosen by a text must show that text: nobody can see what an entry without a name stands for.
        let says_so = |element: &&Element| match value {
            Value::Text(text) => normalised_name(&element.name) == normalised_name(text),
            _ => true,
        };
        let fitting =
            self.shown.elements.iter().filter(of_front).filter(|element| element.interactive && is_covered(element.bbox));
        let fitting = fitting.filter(says_so);
        let Some(element) = fitting.max_by_key(|element| element.bbox.area()) else { return Ok(None) };
        let acted = act(self.living, &self.state, &WindowEvent::Click(element.bbox.centre()))?;
        let stays = acted.window.as_deref() == Some(&self.living.window.id);
        let sets = acted.state.values.get(&control.id).unwrap_or(&control.value) == value;
        Ok((stays && sets).then(|| Chosen { element: element.id.clone(), after: acted.state }))
    }

    /// Whether a click anywhere on an element reaches that element, and does the same everywhere.
    fn is_whole(&self, id: &str) -> bool {
        let Some(own) = self.element(id) else { return false };
        let is_acted_on = |id: &str| self.living.transitions.iter().any(|t| t.element.as_deref() == Some(id));
        let in_the_way = self.shown.elements.iter().any(|other| {
            let takes = other.interactive || is_acted_on(&other.id);
            takes && other.id != own.id && other.bbox.area() <= own.bbox.area() && other.bbox.touches(own.bbox)
        });
        let in_parts = self
            .living
            .transitions
            .iter()
            .any(|t| t.element.as_deref() == Some(id) && t.action == Action::Click && t.part.is_some());
        own.interactive && !in_the_way && !in_parts
    }
}

/// An element that was clicked, and the state after it.
struct Chosen {
    element: String,
    after: PageState,
}
