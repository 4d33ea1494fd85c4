//! Tasks as users ask for them: sorts, levels and numbers of steps by name.

use windesk_dataset::TaskScenes;
use windesk_desktop::task::{Goals, MAX_STEPS, TaskStudy};
use windesk_engine::pack::IndexedPack;
use windesk_model::condition::Condition;
use windesk_model::task::TaskKind;
use windesk_model::{Error, Result};

use super::{Narrowing, condition_as_captured, named};

/// What tasks are made of every sort that the pack bears.
const MIXED: &str = "mixed";
const GOALS: [&str; 2] = ["reviewed", "all"];

/// Tasks as they were asked for. Their study is complete once the pack is known, which says of what sorts they can be
/// and whose workflows are a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskRequest {
    /// One sort of tasks; none for all that the pack bears.
    pub kind: Option<TaskKind>,
    /// The level that first keyframes keep.
    pub condition: Condition,
    /// Fewest and most clicks of a task, both within 2..=6.
    pub steps: [u32; 2],
    /// Whose goals are asked.
    pub goals: Goals,
}

/// Tasks of a kind (workflow, reveal, across, or mixed), with clicks from `steps` (`2..6`, both included, or `3`),
/// whose first keyframes are scenes of a level.
///
/// # Errors
/// If there is no such kind or level, the number of clicks is impossible, or changes or names make the level
/// impossible.
pub fn of_tasks(
    kind: &str,
    level: &str,
    steps: &str,
    goals: Goals,
    sets: &[String],
    narrowing: &Narrowing,
) -> Result<TaskRequest> {
    let condition = condition_as_captured(level, sets, narrowing)?;
    Ok(TaskRequest { kind: named_kind(kind)?, condition, steps: parse_steps(steps)?, goals })
}

/// Whose goals are asked, by name: `reviewed` or `all`.
///
/// # Errors
/// If it is neither.
pub fn named_goals(name: &str) -> Result<Goals> {
    Ok(named("goals", &[name.to_owned()], &GOALS)?[0])
}

impl TaskRequest {
    /// What the folder is called, and the dataset but for its seed: what is as usual is not said.
    pub fn label(&self) -> String {
        let mut label = format!("tasks-{}-{}", self.kind.map_or(MIXED, TaskKind::name), self.condition.name);
        let [fewest, most] = self.steps;
        if (fewest, most) != (2, MAX_STEPS) {
            label += &format!("-{fewest}to{most}");
        }
        if self.goals == Goals::Reviewed {
            label += "-reviewed";
        }
        label
    }

    /// The tasks over a pack, which must be the part that the condition wants. Of all sorts those are left that it
    /// bears; one that was asked for by name must be among them.
    ///
    /// # Errors
    /// If the pack's workflows can't be read or are at fault, or those of [`TaskScenes::new`].
    pub fn source<'p>(&self, pack: &'p IndexedPack, seed: u64) -> Result<TaskScenes<'p>> {
        let study = TaskStudy {
            name: format!("{}-s{seed}", self.label()),
            conditions: vec![self.condition.clone()],
            seed,
            kinds: self.kind.map_or(TaskKind::ALL.to_vec(), |kind| vec![kind]),
            steps: self.steps,
            goals: self.goals,
            workflows_sha256: pack.workflows()?.sha256,
        };
        if self.kind.is_some() { TaskScenes::new(pack, study) } else { TaskScenes::of_kinds_with_paths(pack, study) }
    }
}

fn named_kind(name: &str) -> Result<Option<TaskKind>> {
    if name == MIXED {
        return Ok(None);
    }
    let [workflow, reveal, across] = TaskKind::ALL.map(TaskKind::name);
    Ok(Some(named("kind", &[name.to_owned()], &[workflow, reveal, across, MIXED])?[0]))
}

fn parse_steps(text: &str) -> Result<[u32; 2]> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let number = |part: &str| part.trim_start_matches('=').parse::<u32>();
    match (number(from), number(to)) {
        (Ok(from), Ok(to)) if 2 <= from && from <= to && to <= MAX_STEPS => Ok([from, to]),
        _ => {
            let expected = format!("expected a number or a range within 2..{MAX_STEPS}");
            Err(Error::config(format!("option `steps` {text}"), expected))
        }
    }
}

#[cfg(test)]
mod tests {
    use windesk_model::condition::StatesKnob;

    use super::*;

    fn check(kind: &str, steps: &str, goals: Goals, expected: &str) {
        let asked = of_tasks(kind, "L3", steps, goals, &[], &Narrowing::default()).expect("all of it is known");
        assert_eq!(asked.label(), expected);
    }

    #[test]
    fn labels_say_what_is_not_as_usual() {
        check("mixed", "2..6", Goals::All, "tasks-mixed-L3");
        check("reveal", "3", Goals::Reviewed, "tasks-reveal-L3-3to3-reviewed");
        check("workflow", "2..=4", Goals::All, "tasks-workflow-L3-2to4");
    }

    #[test]
    fn windows_about_a_task_are_as_captured() {
        let of_level = |level: &str, sets: &[&str]| {
            let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
            let asked = of_tasks("mixed", level, "2..6", Goals::All, &sets, &Narrowing::default());
            let asked = asked.expect("all of it is known");
            (asked.label(), asked.condition.states)
        };
        let usual = ("tasks-mixed-L3".to_owned(), StatesKnob::Captured);
        assert_eq!(of_level("L3", &[]), usual);
        assert_eq!(of_level("L3", &["states=captured"]), usual);
        // What is named is left for the study to refuse.
        assert_eq!(of_level("L3", &["states=varied"]).1, StatesKnob::Varied);
        let folder = tempfile::tempdir().expect("a folder");
        let own = |name: &str, states: &str| {
            let path = folder.path().join(name);
            let text = format!("name = \"own\"\nwindows = 3\nvisible_ratio = 1.0\ndistractor.count = 0\n{states}");
            std::fs::write(&path, text).expect("it is written");
            of_level(path.to_str().expect("plain letters"), &[]).1
        };
        assert_eq!(own("plain.toml", ""), StatesKnob::Captured);
        assert_eq!(own("varied.toml", "states = \"varied\"\n"), StatesKnob::Varied);
    }

    #[test]
    fn what_is_not_known_is_named() {
        let refused = |kind: &str, steps: &str| {
            let error = of_tasks(kind, "L3", steps, Goals::All, &[], &Narrowing::default()).expect_err("refused");
            (error.place, error.hint)
        };
        assert_eq!(refused("revela", "2"), ("option `kind` revela".to_owned(), Some("did you mean reveal?".to_owned())));
        for steps in ["1..3", "2..7", "4..3", "", "two", "..", "2..3..4"] {
            assert_eq!(refused("mixed", steps).0, format!("option `steps` {steps}"));
        }
        assert!(named_goals("reviewd").expect_err("refused").hint.expect("near").contains("reviewed"));
        assert_eq!(named_goals("all").expect("known"), Goals::All);
    }
}
