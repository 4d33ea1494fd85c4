//! Tasks as they are scored and asked for, whoever wrote them.

use std::collections::HashMap;
use std::path::{Component, Path};

use windesk_files::{Picture, Root};
use windesk_model::Error;
use windesk_model::geometry::Point;
use windesk_model::spelling::nearest;
use windesk_model::task::{StepKind, TaskKind};

/// All tasks of a dataset.
#[derive(Clone, Debug)]
pub struct Tasks {
    /// In the order of the files.
    pub tasks: Vec<Task>,
    /// SHA-256 over the text of the files.
    pub digest: String,
    /// Name of the dataset.
    pub name: String,
    /// Where pictures are looked up.
    pub root: Root,
}

/// A task.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its id; predictions name it.
    pub id: String,
    /// The program.
    pub application: String,
    /// What is to be done.
    pub goal: Option<String>,
    /// What sort of task it is; null where the file does not say.
    pub kind: Option<TaskKind>,
    /// Name of its condition; null where the file does not say.
    pub condition: Option<String>,
    /// Steps that count and steps that do not.
    pub steps: Vec<Step>,
}

/// A step of a task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// Width and height of its image, px.
    pub size: [u32; 2],
    /// Box of what is to be clicked, `[x0, y0, x1, y1]` px; null for a step that does not count.
    pub bbox: Option<[f64; 4]>,
    /// Boxes of other places where a click is as good.
    pub also_valid: Vec<[f64; 4]>,
    /// What the click does; null where the file does not say.
    pub kind: Option<StepKind>,
    /// What is to be done.
    pub instruction: String,
    /// Path of its image.
    pub image: Option<String>,
    /// A visible pixel of what is to be clicked.
    pub click_point: Option<Point>,
    /// Id of its scene.
    pub scene: Option<String>,
    /// Id of the target in the scene.
    pub target: Option<String>,
}

/// How to read tasks.
#[derive(Clone, Debug, Default)]
pub struct TaskOptions {
    /// Actions that count besides clicks, such as `double_click` and `drag` (their start).
    pub other_actions: Vec<String>,
    /// Size of all images.
    pub image_size: Option<[u32; 2]>,
    /// Size of images by the stem of the annotation file.
    pub image_sizes: HashMap<String, [u32; 2]>,
}

/// Actions that steps have besides clicks, as MedSPOT's files and those of other makers call them.
pub const OTHER_ACTIONS: [&str; 8] =
    ["double_click", "right_click", "middle_click", "triple_click", "drag", "hover", "scroll", "long_press"];

/// An action's name however it is written.
fn plain(action: &str) -> String {
    action.trim().to_ascii_lowercase().replace([' ', '-'], "_")
}

impl TaskOptions {
    /// # Errors
    /// If one of the other actions is none.
    pub(super) fn check_actions(&self) -> Result<(), Error> {
        let Some(unknown) = self.other_actions.iter().find(|action| !OTHER_ACTIONS.contains(&&*plain(action))) else {
            return Ok(());
        };
        let problem = format!("found `{unknown}`, expected some of {}", OTHER_ACTIONS.join(", "));
        let error = Error::config("option `other_actions`", problem);
        Err(match nearest(&plain(unknown), OTHER_ACTIONS) {
            Some(near) => error.with_hint(format!("did you mean {near}?")),
            None => error,
        })
    }

    /// Whether steps with this action are scored.
    pub(super) fn counts(&self, action: &str) -> bool {
        let action = plain(action);
        matches!(action.as_str(), "click" | "left_click" | "single_click")
            || self.other_actions.iter().any(|other| plain(other) == action)
    }
}

impl Tasks {
    /// The picture of a step, at the places that published sets use.
    ///
    /// # Errors
    /// If there is none, or what is there is no picture of the recorded size below the dataset's folder.
    pub fn picture(&self, step: &Step) -> Result<Picture, Error> {
        let image = step.image.as_deref().ok_or_else(|| Error::path(self.root.folder(), "found a step without an image"))?;
        let missing = || Error::path(self.root.place(image), "no such file, expected the picture of a step");
        picture_of(&self.root, image, Some(step.size))?.ok_or_else(missing)
    }
}

/// The folder that a file lies in.
pub(super) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Opens the picture that a file names, at the places that published sets use: beside the file; beside its folder, as
/// `Annotations/` and `Images/` lie; and under its last name, as files tell where pictures were on their makers'
/// machines.
pub(super) fn picture_of(root: &Root, image: &str, size: Option<[u32; 2]>) -> Result<Option<Picture>, Error> {
    let path = Path::new(image);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if is_inside {
        if let Some(picture) = root.picture_if_any(path, size)? {
            return Ok(Some(picture));
        }
        let above = root.folder().canonicalize().ok().and_then(|folder| folder.parent().map(Root::new));
        if let Some(picture) = above.map(|above| above.picture_if_any(path, size)).transpose()?.flatten() {
            return Ok(Some(picture));
        }
    }
    let last = path.file_name().map(Path::new);
    last.map(|name| root.picture_if_any(name, size)).transpose().map(Option::flatten)
}
