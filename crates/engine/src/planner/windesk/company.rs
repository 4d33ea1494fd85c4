//! Which programs come together by chance.

use windesk_model::condition::{Condition, SessionsKnob};
use windesk_model::index::{ProgramIndex, TargetIndex};
use windesk_model::key::{Decision, SampleKey};

use crate::pack::{IndexedPack, Pack, Program, Window};

/// Of 1000 scenes, so many may show games that nothing asks for.
const GAMES_PER_MILLE: u32 = 150;
/// The purpose of games.
const GAME: &str = "game";
/// Of 1000 scenes, so many show two windows of a program where one fits.
const TWO_WINDOWS_PER_MILLE: u32 = 150;
/// Purposes of programs of which people have several windows open.
const SEVERAL_WINDOWS: [&str; 7] =
    ["file_manager", "terminal", "browser", "text_editor", "document_viewer", "spreadsheet", "word_processor"];
/// The role of tabs.
const TAB: &str = "page tab";
/// Of 1000 scenes, so many may show a tool of another field than the scene's.
const FOREIGN_PER_MILLE: u32 = 450;
/// Fields of work, each by the purposes of its tools. Other programs are those that anybody may use.
const FIELDS: [&[&str]; 5] = [
    &[
        "bus_inspector",
        "comparison",
        "database_browser",
        "diagram",
        "flow_editor",
        "hex_editor",
        "ide",
        "interface_designer",
        "notebook",
        "profiler",
        "serial_terminal",
        "version_control",
        "virtual_machines",
    ],
    &["cad", "diagram", "flow_editor", "maps", "mathematics", "serial_terminal", "signal_processing", "visualisation"],
    &["latex_editor", "maps", "mathematics", "notebook", "visualisation"],
    &["medical_converter", "medical_viewer", "signal_viewer"],
    &["cleaner", "file_transfer", "keys", "network_analyser", "remote_desktop", "virtual_machines"],
];

/// In which share of scenes a program may come.
pub(in crate::planner) fn usual_share(pack: &Pack, program: ProgramIndex) -> f64 {
    let tools = |fields: &mut dyn Iterator<Item = &&[&str]>| fields.map(|tools| tools.len()).sum::<usize>() as f64;
    let foreign = f64::from(FOREIGN_PER_MILLE) / 1000.0;
    match pack.programs[program].record.purpose.as_deref() {
        Some(GAME) => f64::from(GAMES_PER_MILLE) / 1000.0,
        Some(purpose) => {
            // The share of scenes that are about one of its fields.
            let own = tools(&mut FIELDS.iter().filter(|tools| tools.contains(&purpose))) / tools(&mut FIELDS.iter());
            if own > 0.0 { own + (1.0 - own) * foreign } else { 1.0 }
        }
        None => 1.0,
    }
}

/// Whether one program may show these two windows at once. The same document or the same tabs twice is nothing that
/// people have open.
pub(in crate::planner) fn may_show_both(pack: &Pack, one: &Window, other: &Window) -> bool {
    let has_several = |purpose: &str| SEVERAL_WINDOWS.contains(&purpose);
    one.program == other.program
        && one.title != other.title
        && pack.programs[one.program].record.purpose.as_deref().is_some_and(has_several)
        && tabs(one).all(|tab| tabs(other).all(|of_other| tab != of_other))
}

/// The names of a window's tabs.
fn tabs(window: &Window) -> impl Iterator<Item = &str> {
    window.elements.iter().filter(|element| element.role == TAB).map(|element| element.name.as_str())
}

/// Who may come to a scene by chance.
#[derive(Clone, Copy, Debug)]
pub(in crate::planner) struct Company {
    /// Whether games may.
    games: bool,
    /// Whether a program shows two windows, where one can.
    two_windows: bool,
    /// The field whose tools may: the target's, so that a desktop is one person's. Nothing where everybody's may.
    field: Option<usize>,
    key: SampleKey,
}

impl Company {
    pub(in crate::planner) fn new(pack: &IndexedPack, condition: &Condition, key: SampleKey, target: TargetIndex) -> Self {
        let mixed = condition.sessions == SessionsKnob::Mixed;
        let games = mixed || key.stream(Decision::Company, 0).chance(GAMES_PER_MILLE);
        let purpose = pack.program_of(pack.index().targets[target].window).record.purpose.as_deref();
        let own: Vec<usize> = (0..FIELDS.len()).filter(|&field| purpose.is_some_and(|p| FIELDS[field].contains(&p))).collect();
        let mut stream = key.stream(Decision::Company, 2);
        let field = match own.as_slice() {
            [] => stream.weighted(&FIELDS.map(|tools| tools.len() as u32)).expect("fields have tools"),
            own => own[stream.below(own.len())],
        };
        let two_windows = !mixed && key.stream(Decision::Company, 1).chance(TWO_WINDOWS_PER_MILLE);
        Self { games, two_windows, field: (!mixed).then_some(field), key }
    }

    /// Whether a program shows two windows, if one can: [`may_show_both`].
    pub(in crate::planner) fn shows_two_windows(&self) -> bool {
        self.two_windows
    }

    /// Whether a program may come: no game while others work, and tools of another field less often.
    pub(in crate::planner) fn admits(&self, pack: &Pack, program: ProgramIndex) -> bool {
        let Program { record, stable_id, .. } = &pack.programs[program];
        let Some(purpose) = record.purpose.as_deref() else { return true };
        if purpose == GAME {
            return self.games;
        }
        let is_of = |tools: &&[&str]| tools.contains(&purpose);
        let is_foreign = self.field.is_some_and(|field| !is_of(&FIELDS[field]) && FIELDS.iter().any(is_of));
        !is_foreign || self.key.stream(Decision::Company, *stable_id).chance(FOREIGN_PER_MILLE)
    }
}
