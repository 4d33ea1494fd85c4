//! From a key to the keyframes of a task: the scene of the first click, and what each click makes of it.

use windesk_engine::annotate::counted_in;
use windesk_engine::pack::IndexedPack;
use windesk_engine::planner::{Click, PlanError, hidden_condition, keyframe, plan_about};
use windesk_engine::referee::{verify, verify_keyframe};
use windesk_model::Error;
use windesk_model::condition::{Condition, Ratio};
use windesk_model::geometry::Point;
use windesk_model::index::{PlacementIndex, WindowIndex};
use windesk_model::instruction::{InstructionSource, Wording};
use windesk_model::key::{Decision, SampleKey};
use windesk_model::plan::{Plan, PlannedPutAway, PlannedStep, PlannedTarget, PlannedWanted, Reason, Role};
use windesk_model::task::{AlsoValid, GoalSource, StepKind, TaskKind};

use super::also::{self, Also};
use super::path::{Path, PathClick, programs};
use super::paths::TaskPool;
use super::reveal::{Way, ways};
use super::words::{self, Asked, step_kind};
use super::{MAX_STEPS, TaskStudy};
use crate::act::act;
use crate::buttons::FrameButton;
use crate::event::{Acted, Effect, Event};
use crate::scene::of_plan;
use crate::shell::follow;
use crate::state::{DesktopState, WindowId};

/// Of 1000 tasks of kind reveal on desktops with bars, in so many the window is put away at first.
const PUT_AWAY_PER_MILLE: u32 = 250;

/// Of ten px of the label beside a control, so many must be visible where the words go by it.
const LABEL_TENTHS: u64 = 9;

/// A task while it is made.
struct Making<'a> {
    pack: &'a IndexedPack,
    condition: &'a Condition,
    kind: TaskKind,
    path: &'a Path,
    key: SampleKey,
    /// The scene that it began with.
    base: Plan,
    state: DesktopState,
    plans: Vec<Plan>,
}

/// What a click goes to, on the desktop as it is.
enum Goes {
    /// An element of a window.
    Element(WindowId, String),
    /// An element of the shell, with what the task is after.
    Shell(String, WindowId, String),
}

/// Plans the keyframes of one draw.
pub(super) fn plan_task(pack: &IndexedPack, pool: &TaskPool, study: &TaskStudy, key: SampleKey) -> Result<Vec<Plan>, PlanError> {
    let (kind, path) = pool.pick(pack, key)?;
    let path = &*path.ok_or(Reason::NothingToSet)?;
    let condition = study.condition();
    let PathClick { page: first_window, element: first_element } = &path.clicks[0];
    let first_window = *first_window;
    let first = pack.windows[first_window].element_index(first_element).ok_or(Reason::StepAstray)?;
    let target = pack.index().target_at(first_window, first).ok_or(Reason::StepAstray)?;
    let area = pack.windows[first_window].elements[first].bbox.area();
    let scene_condition = match kind {
        TaskKind::Reveal => hidden_condition(condition, area),
        TaskKind::Workflow | TaskKind::Across => unread(condition),
    };
    let base = plan_about(pack, &scene_condition, key, target, &company(pack, path))?;
    if !verify(pack, &scene_condition, &base)?.is_empty() {
        return Err(Reason::NotVerified.into());
    }
    let base = Plan { condition_sha256: condition.digest(), ..base };
    let state = of_plan(pack, &base)?;
    let mut making = Making { pack, condition, kind, path, key, base, state, plans: Vec::new() };
    if kind == TaskKind::Reveal {
        let window = making.shown(first_window).ok_or(Reason::StepAstray)?;
        if condition.chrome.has_bars() && key.stream(Decision::TaskPutAway, 0).chance(PUT_AWAY_PER_MILLE) {
            making.put_away(window);
        }
        making.reveal(window, first_element)?;
    }
    for step in 0..path.clicks.len() {
        making.step(step)?;
    }
    making.finished(study)
}

/// The level for words of tasks: what a reader of them goes by is not known.
fn unread(condition: &Condition) -> Condition {
    Condition { evidence: None, ..condition.clone() }
}

/// The first windows of the other programs of a path.
fn company(pack: &IndexedPack, path: &Path) -> Vec<WindowIndex> {
    let programs = programs(pack, path);
    let first = |program: &_| path.clicks.iter().map(|click| click.page).find(|&w| pack.windows[w].program == *program);
    programs.iter().skip(1).filter_map(first).collect()
}

impl Making<'_> {
    /// The topmost window that shows a capture.
    fn shown(&self, capture: WindowIndex) -> Option<WindowId> {
        let id = &self.pack.windows[capture].id;
        self.state.shown().rev().find(|w| w.capture == *id).map(|w| w.id)
    }

    /// A click of the path.
    fn step(&mut self, step: usize) -> Result<(), PlanError> {
        let PathClick { page, element } = &self.path.clicks[step];
        let window = self.shown(*page).ok_or(Reason::StepAstray)?;
        let asked = words::asked(self.pack, self.path, step);
        match self.click(&Goes::Element(window, element.clone()), asked.clone(), false) {
            // A window that the task comes to later may be hidden by those that it went through.
            Err(PlanError::Rejected(Reason::StepHidden)) if self.kind == TaskKind::Across && step > 0 => {
                self.reveal(window, element)?;
                self.click(&Goes::Element(window, element.clone()), asked, false)
            }
            done => done,
        }
    }

    /// What the program of a window is called.
    fn app(&self, id: WindowId) -> String {
        let shown = self.state.window(id).map(|w| w.captured(self.pack).0);
        shown.map(|at| self.pack.program_of(at).record.name.clone()).unwrap_or_default()
    }

    /// Puts a window away before the task begins, with all that belongs to it.
    fn put_away(&mut self, window: WindowId) {
        let mut state = self.state.clone();
        state.minimise(window, &mut Vec::new());
        follow(self.pack, &self.state, &mut state);
        self.state = state;
    }

    /// Something of the topmost window, for plans whose click goes to the shell while what is wanted does not show.
    fn anything_shown(&self) -> Option<(PlacementIndex, String)> {
        let top = self.state.shown().next_back()?;
        let element = top.captured(self.pack).1.elements.iter().find(|e| e.popup.is_none())?;
        Some((self.state.placement_of(top.id)?, element.id.clone()))
    }

    /// Brings a window to light, so that an element of it can be clicked.
    fn reveal(&mut self, window: WindowId, element: &str) -> Result<(), PlanError> {
        let pack = self.pack;
        let own = self.app(window);
        let ways = ways(pack, &self.state, &self.base, window, self.key)?;
        let mut why = Reason::NoWayToReveal;
        for way in ways {
            let (goes, instruction) = match way {
                Way::TitleBar(id, bar) => (Goes::Element(id, bar), format!("Bring the {own} window to the front")),
                Way::Shell(button, _) if self.state.placement_of(window).is_none() => {
                    (Goes::Shell(button, window, element.to_owned()), format!("Bring back the minimised {own} window"))
                }
                Way::Shell(button, _) => {
                    (Goes::Shell(button, window, element.to_owned()), format!("Bring the {own} window to the front"))
                }
                Way::InFront(id, button, FrameButton::Minimise) => {
                    (Goes::Element(id, button), format!("Minimise the {} window", self.app(id)))
                }
                Way::InFront(id, button, _) => (Goes::Element(id, button), format!("Close the {} window", self.app(id))),
            };
            let asked = Asked { instruction, wording: Wording::InContext, source: InstructionSource::Accessibility, label: None };
            let (state, made) = (self.state.clone(), self.plans.len());
            let wanted = Some((window, element));
            let done = self.click_wanting(&goes, asked, wanted).and_then(|()| self.can_be_seen(window, element));
            match done {
                Ok(()) => return Ok(()),
                Err(PlanError::Pack(error)) => return Err(error.into()),
                Err(PlanError::Rejected(reason)) => {
                    if reason == Reason::NothingToReveal {
                        return Err(reason.into());
                    }
                    why = reason;
                    self.state = state;
                    self.plans.truncate(made);
                }
            }
        }
        Err(if why == Reason::StepHidden { Reason::NoWayToReveal } else { why }.into())
    }

    /// Whether an element can be clicked now.
    fn can_be_seen(&self, window: WindowId, element: &str) -> Result<(), PlanError> {
        let at = self.state.placement_of(window).ok_or(Reason::StepHidden)?;
        let (wording, source) = (Wording::InContext, InstructionSource::Accessibility);
        let plan = self.frame(at, element, Asked { instruction: String::new(), wording, source, label: None })?;
        match keyframe(self.pack, self.condition, plan, &Click::Target, &[]) {
            // Whether the words are clear is asked when they are said.
            Ok(_) | Err(PlanError::Rejected(Reason::Ambiguous)) => Ok(()),
            Err(PlanError::Rejected(_)) => Err(Reason::StepHidden.into()),
            Err(error) => Err(error),
        }
    }

    fn click_wanting(&mut self, goes: &Goes, asked: Asked, wanted: Option<(WindowId, &str)>) -> Result<(), PlanError> {
        self.make(goes, asked, wanted.filter(|_| self.kind == TaskKind::Reveal && self.plans.is_empty()), true)
    }

    fn click(&mut self, goes: &Goes, asked: Asked, reveals: bool) -> Result<(), PlanError> {
        self.make(goes, asked, None, reveals)
    }

    /// A plan of the desktop as it is, with what is asked.
    fn frame(&self, at: PlacementIndex, element: &str, asked: Asked) -> Result<Plan, Error> {
        let mut placements = self.state.placements(self.pack)?;
        let first = self.plans.is_empty() && self.kind != TaskKind::Reveal;
        if !first {
            let parent = placements[at].parent;
            for (position, placement) in placements.iter_mut_enumerated() {
                placement.role = match placement.role {
                    _ if position == at => Role::Target,
                    _ if Some(position) == parent => Role::Parent,
                    Role::Target | Role::Parent => Role::Background,
                    role => role,
                };
            }
        }
        Ok(Plan {
            chrome: self.state.chrome.clone(),
            target: PlannedTarget {
                placement: at,
                element: element.to_owned(),
                instruction: asked.instruction,
                wording: asked.wording,
                variant: 0,
                instruction_source: asked.source,
                total_px: 0,
                visible_px: 0,
                visible_ink: None,
                ambiguous: false,
                evidence: Vec::new(),
            },
            distractors: if first { self.base.distractors.clone() } else { Vec::new() },
            nearest_competitor: None,
            pointer: self.state.pointer.clone(),
            placements,
            step: None,
            ..self.base.clone()
        })
    }

    /// Makes a keyframe and does its click.
    fn make(&mut self, goes: &Goes, asked: Asked, wanted: Option<(WindowId, &str)>, reveals: bool) -> Result<(), PlanError> {
        let (pack, condition) = (self.pack, self.condition);
        if self.plans.len() >= MAX_STEPS as usize {
            return Err(Reason::StepAstray.into());
        }
        let shows = |id: WindowId, element: &str| -> Result<bool, Error> {
            let window = self.state.window(id).map(|window| window.shown(pack)).transpose()?;
            Ok(window.is_some_and(|window| window.element_index(element).is_some()))
        };
        if let Goes::Element(window, element) = goes
            && !shows(*window, element)?
        {
            return Err(Reason::StepAstray.into());
        }
        let (window, element, click) = match goes {
            Goes::Element(window, element) => (*window, element.as_str(), Click::Target),
            Goes::Shell(button, window, element) => (*window, element.as_str(), Click::Shell(button.clone())),
        };
        let (words, label) = (asked.instruction.clone(), asked.label.clone());
        let (mut plan, at, put_away) = match (self.state.placement_of(window), &click) {
            (Some(at), _) => (self.frame(at, element, asked)?, at, None),
            (None, Click::Target) => return Err(Reason::StepAstray.into()),
            (None, Click::Shell(_)) => {
                let (at, anything) = self.anything_shown().ok_or(Reason::NoWayToReveal)?;
                let captured = self.state.window(window).ok_or(Reason::StepAstray)?.captured(pack).1;
                let mut plan = self.frame(at, &anything, asked)?;
                plan.placements
                    .iter_mut()
                    .filter(|p| matches!(p.role, Role::Target | Role::Parent))
                    .for_each(|p| p.role = Role::Background);
                (plan, at, Some(PlannedPutAway { window: captured.id.clone(), element: element.to_owned() }))
            }
        };
        let wanted = wanted.and_then(|(window, element)| {
            let at = self.state.placement_of(window)?;
            Some(PlannedWanted { placement: at, element: element.to_owned(), total_px: 0, visible_px: 0 })
        });
        plan.step = Some(Box::new(PlannedStep {
            step: self.plans.len() as u32,
            steps: 0,
            kind: self.kind,
            goal: String::new(),
            goal_source: GoalSource::Composed,
            workflow: None,
            step_kind: StepKind::Press,
            instruction: words,
            shell: match &click {
                Click::Shell(button) => Some(button.clone()),
                Click::Target => None,
            },
            wanted,
            put_away,
            click: Point::default(),
            also_valid: Vec::new(),
        }));
        // Where words fit two elements that do the same, either will do: what else leads there is found first.
        let (point, acted, also) = self.try_click(&plan, at, element, &click, reveals, window)?;
        let (mut plan, point_again) = keyframe(pack, condition, plan, &click, &also.elements)?;
        if let Some(label) = label {
            self.check_label(&plan, &label)?;
        }
        debug_assert_eq!(point, point_again);
        let shown = self.state.window(window).expect("it is open").shown(pack)?;
        let role = shown.element_index(element).map_or("", |at| &shown.elements[at].role);
        if let Some(step) = plan.step.as_mut() {
            step.click = point;
            step.also_valid = also.boxes;
            step.step_kind = match click {
                Click::Shell(_) => step_kind(pack, &acted.effects, "push button", false),
                Click::Target => step_kind(pack, &acted.effects, role, shown.has_popup()),
            };
        }
        let first_of_level = self.plans.is_empty() && self.kind != TaskKind::Reveal;
        let broken = if first_of_level {
            verify(pack, condition, &plan)?
        } else {
            verify_keyframe(pack, condition, &plan, &also.elements)?
        };
        if !broken.is_empty() {
            return Err(Reason::NotVerified.into());
        }
        self.plans.push(plan);
        self.state = acted.state;
        Ok(())
    }

    /// Whether enough of the element that says what the target is called can be seen.
    fn check_label(&self, plan: &Plan, label: &str) -> Result<(), PlanError> {
        let at = plan.target.placement;
        let placement = &plan.placements[at];
        let window = self.pack.window_index(&placement.window).expect("it is open");
        let shown = self.pack.shown(window, placement.state.as_ref())?;
        let element = shown.element_index(label).ok_or(Reason::ContextHidden)?;
        let (total_px, visible_px) = counted_in(self.pack, plan, at, shown.elements[element].bbox.moved(placement.origin))?;
        if Ratio::within(LABEL_TENTHS, 10).reached_by(visible_px, total_px) { Ok(()) } else { Err(Reason::ContextHidden.into()) }
    }

    /// Where a click goes, what it does, and where else it could go.
    fn try_click(
        &self,
        plan: &Plan,
        at: PlacementIndex,
        element: &str,
        click: &Click,
        reveals: bool,
        window: WindowId,
    ) -> Result<(Point, Acted, Also), PlanError> {
        let pack = self.pack;
        let point = match click {
            Click::Target => windesk_engine::annotate::click_point_in(pack, plan)?.ok_or(Reason::StepHidden)?,
            Click::Shell(_) => keyframe(pack, self.condition, plan.clone(), click, &[])?.1,
        };
        let acted = act(pack, &self.state, &Event::Click { at: point })?;
        let nothing = acted.effects.iter().all(|e| matches!(e, Effect::Inert { .. } | Effect::Blocked { .. }));
        if !acted.is_modelled() || nothing {
            return Err(Reason::StepUnmodelled.into());
        }
        // A menu that is open elsewhere takes the click.
        if acted.effects.iter().all(|e| matches!(e, Effect::MenuClosed { window: owner } if *owner != window)) {
            return Err(Reason::StepAstray.into());
        }
        let mut also = Also::default();
        if reveals && acted.effects.iter().all(|e| matches!(e, Effect::Raised { .. })) {
            also.boxes = also::plain_surface(pack, &self.state, plan, window, &acted.state)?;
            also.boxes.extend(self.shell_button(window, &acted.state)?);
        }
        if matches!(click, Click::Target) {
            let other = also::other_places(pack, &self.state, plan, at, element, &acted)?;
            also.boxes.extend(other.boxes);
            also.elements = other.elements;
        }
        // What is asked for is no other place.
        let own = match click {
            Click::Target => None,
            Click::Shell(id) => plan.chrome.taskbar_elements(plan.canvas).into_iter().find(|e| e.id == *id).map(|e| e.bbox),
        };
        also.boxes.retain(|valid| Some(valid.bbox) != own && !(own.is_none() && valid.bbox.contains(point)));
        Ok((point, acted, also))
    }

    /// The button of the shell that leads to the same.
    fn shell_button(&self, window: WindowId, next: &DesktopState) -> Result<Option<AlsoValid>, PlanError> {
        for way in ways(self.pack, &self.state, &self.base, window, self.key)? {
            if let Way::Shell(id, middle) = way
                && also::same(&act(self.pack, &self.state, &Event::Click { at: middle })?.state, next)
            {
                let buttons = self.state.chrome.taskbar_elements(self.state.canvas);
                let bbox = buttons.iter().find(|e| e.id == id).map(|e| e.bbox);
                return Ok(bbox.map(|bbox| AlsoValid { bbox, why: "the program's button in the shell".to_owned() }));
            }
        }
        Ok(None)
    }

    /// All keyframes, each knowing the whole.
    fn finished(self, study: &TaskStudy) -> Result<Vec<Plan>, PlanError> {
        let [fewest, most] = study.steps;
        let steps = self.plans.len() as u32;
        if !(fewest..=most).contains(&steps) {
            return Err(Reason::StepAstray.into());
        }
        let words = self.path.words.as_ref();
        let goal = words.map_or_else(|| words::goal(self.pack, self.path), |words| words.goal.clone());
        let mut plans = self.plans;
        for step in plans.iter_mut().filter_map(|plan| plan.step.as_mut()) {
            step.steps = steps;
            step.goal.clone_from(&goal);
            step.goal_source = words.map_or(GoalSource::Composed, |words| words.goal_source);
            step.workflow = words.and_then(|words| words.workflow.clone());
        }
        Ok(plans)
    }
}
