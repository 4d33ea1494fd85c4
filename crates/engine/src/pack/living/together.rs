//! Controls that change together: a click on a place of a window that opens files shows its folder, which names the
//! path above the list and chooses a row of it. What such controls can be at the same time, transitions say.

use std::collections::{BTreeSet, VecDeque};

use windesk_model::pack_format::living::{ControlType, Value, Values};
use windesk_model::pack_format::{Outcome, Transition};
use windesk_model::page_state::PageState;

use super::outcomes::{changed, set};
use super::page::{Living, Together};

/// Most combinations of a page's controls that are looked for. More are never wrong, only not known.
const MAX_COMBINATIONS: usize = 2_000;

/// All of a page, found when somebody first asks.
pub(super) fn together(living: &Living) -> &[Together] {
    living.together.get_or_init(|| Together::all_of(living))
}

impl Together {
    fn all_of(living: &Living) -> Vec<Self> {
        let mut sets: Vec<BTreeSet<usize>> = Vec::new();
        for together in living.transitions.iter().map(|t| set_by(living, t)).filter(|set| set.len() > 1) {
            let (touching, mut others): (Vec<_>, Vec<_>) = sets.into_iter().partition(|set| !set.is_disjoint(&together));
            others.push(touching.into_iter().flatten().chain(together).collect());
            sets = others;
        }
        sets.retain(|set| set.iter().any(|&at| !is_free(living, at, set)));
        sets.iter().map(|set| Self::of(living, set)).collect()
    }

    fn of(living: &Living, set: &BTreeSet<usize>) -> Self {
        let members: Vec<String> = set.iter().map(|&at| living.page.controls[at].id.clone()).collect();
        let transitions: Vec<&Transition> = living
            .transitions
            .iter()
            .map(|t| &**t)
            .filter(|t| !set_by(living, t).is_disjoint(set) && changes_values_alone(t))
            .collect();
        let mut found = Self { members, combinations: Vec::new() };
        let captured = PageState::default();
        let mut known = BTreeSet::from([found.values_in(living, &captured)]);
        let mut waiting = VecDeque::from([captured]);
        while let Some(state) = waiting.pop_front() {
            found.combinations.push(found.values_in(living, &state));
            for transition in &transitions {
                let Some(next) = found.after(living, &state, transition) else { continue };
                if known.len() < MAX_COMBINATIONS && known.insert(found.values_in(living, &next)) {
                    waiting.push_back(next);
                }
            }
        }
        found
    }

    /// What a transition makes of a state; null where other values of these controls are needed for it.
    fn after(&self, living: &Living, state: &PageState, transition: &Transition) -> Option<PageState> {
        let own = |id: &String| self.members.contains(id);
        let holds = |(id, value): (&String, &Value)| !own(id) || value_in(living, state, id) == value;
        if !transition.when.iter().all(holds) {
            return None;
        }
        let mut next = state.clone();
        for outcome in &transition.outcomes {
            let Outcome::Value { control, change } = outcome else { continue };
            if own(control) {
                let now = value_in(living, &next, control).clone();
                let control = living.page.control(control)?;
                set(living, &mut next, control, changed(control, now, change).ok()?).ok()?;
            }
        }
        Some(next)
    }

    fn values_in(&self, living: &Living, state: &PageState) -> Vec<Value> {
        self.members.iter().map(|id| value_in(living, state, id).clone()).collect()
    }

    /// Whether a control is one of them.
    pub(super) fn has(&self, control: &str) -> bool {
        self.members.iter().any(|id| id == control)
    }

    /// Whether they can be what they are in a state.
    pub(super) fn holds(&self, living: &Living, state: &PageState) -> bool {
        let values = self.values_in(living, state);
        self.combinations.contains(&values)
    }

    /// What all of them can be where some have these values.
    pub(super) fn with(&self, fixed: &Values) -> Vec<Values> {
        let fits = |values: &&Vec<Value>| {
            self.members.iter().zip(*values).all(|(id, value)| fixed.get(id).is_none_or(|fixed| fixed == value))
        };
        let named = |values: &Vec<Value>| self.members.iter().cloned().zip(values.iter().cloned()).collect();
        self.combinations.iter().filter(fits).map(named).collect()
    }
}

/// Controls to which a transition gives a value.
fn set_by(living: &Living, transition: &Transition) -> BTreeSet<usize> {
    let set = transition.outcomes.iter().filter_map(|outcome| match outcome {
        Outcome::Value { control, .. } | Outcome::Mapped { control } | Outcome::Typed { control } => Some(control),
        _ => None,
    });
    set.filter_map(|id| living.control_index(id)).filter(|&at| living.page.controls[at].kind != ControlType::Derived).collect()
}

/// Whether something changes a control and no other one of these, whatever they are.
fn is_free(living: &Living, at: usize, set: &BTreeSet<usize>) -> bool {
    let control = &living.page.controls[at];
    let is_member = |id: &String| living.control_index(id).is_some_and(|at| set.contains(&at));
    let alone = |t: &Transition| set_by(living, t) == BTreeSet::from([at]) && !t.when.keys().any(is_member);
    control.click_map.is_some() || control.drag_map.is_some() || living.transitions.iter().any(|t| alone(t))
}

/// Whether nothing comes of it but values, the focus and a popup that closes.
fn changes_values_alone(transition: &Transition) -> bool {
    let is_plain = |outcome: &Outcome| {
        matches!(outcome, Outcome::Value { .. } | Outcome::Focus { .. } | Outcome::PopupClosed {} | Outcome::Inert {})
    };
    transition.outcomes.iter().all(is_plain)
}

fn value_in<'a>(living: &'a Living, state: &'a PageState, id: &str) -> &'a Value {
    let captured = || &living.page.controls[living.control_index(id).expect("one of the page's")].value;
    state.values.get(id).unwrap_or_else(captured)
}
