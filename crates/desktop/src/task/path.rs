//! A path of clicks, with its words.

use windesk_engine::pack::IndexedPack;
use windesk_model::index::{ProgramIndex, WindowIndex};
use windesk_model::instruction::InstructionSource;
use windesk_model::task::GoalSource;

/// Clicks in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// What is clicked.
    pub clicks: Vec<PathClick>,
    /// Words of its own; null if it is asked for in the words of what it clicks.
    pub words: Option<PathWords>,
}

impl Path {
    /// Whether controls of a living page are set, in words of their names.
    pub(super) fn is_of_settings(&self) -> bool {
        self.words.as_ref().is_some_and(|words| words.workflow.is_none())
    }
}

/// A click on an element of a page, in whatever state the clicks before it left that.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathClick {
    /// The page.
    pub page: WindowIndex,
    /// The element by id.
    pub element: String,
}

/// The words of a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepWords {
    /// What to do.
    pub instruction: String,
    /// The element of the page, by id, that shows what the words call the target; null if it is the target itself, or
    /// not known.
    pub label: Option<String>,
}

/// The words of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathWords {
    /// What is to be done.
    pub goal: String,
    /// Who says so.
    pub goal_source: GoalSource,
    /// What to do at each click; null where the words of single targets are used.
    pub steps: Option<Vec<StepWords>>,
    /// Where the words of the steps come from.
    pub steps_source: InstructionSource,
    /// The workflow of the pack that it follows, by id.
    pub workflow: Option<String>,
}

/// The programs of a path's clicks, each once.
pub(super) fn programs(pack: &IndexedPack, path: &Path) -> Vec<ProgramIndex> {
    let mut programs = Vec::new();
    for click in &path.clicks {
        let program = pack.windows[click.page].program;
        if !programs.contains(&program) {
            programs.push(program);
        }
    }
    programs
}
