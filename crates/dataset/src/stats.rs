//! What a dataset holds, in numbers. Parts are counted alone and added up.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_engine::study::Rejection;
use windesk_model::condition::TargetSize;
use windesk_model::geometry::Size;
use windesk_model::plan::Role;
use windesk_model::record::{SceneRecord, TargetKind};

use super::shortcuts::Shortcuts;

/// `stats.json`: counts and sums per condition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Stats {
    /// By condition.
    pub conditions: BTreeMap<String, ConditionStats>,
}

/// Counts of one condition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ConditionStats {
    /// The sweep that it belongs to, or null.
    pub sweep: Option<String>,
    /// Scenes written.
    pub scenes: u64,
    /// Tasks whose keyframes they are; 0 for scenes that stand alone.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tasks: u64,
    /// Draws spent, rejected ones included.
    pub draws: u64,
    /// Elements in all scenes.
    pub elements: u64,
    /// Scenes whose target's window is active.
    pub target_active: u64,
    /// Scenes whose target's window is topmost.
    pub target_topmost: u64,
    /// Rejected draws by reason.
    pub rejections: BTreeMap<String, u64>,
    /// Targets by category.
    pub category: BTreeMap<String, u64>,
    /// Targets by program.
    pub app: BTreeMap<String, u64>,
    /// Targets by role.
    pub role: BTreeMap<String, u64>,
    /// Targets by stratum of size.
    pub target_size: BTreeMap<String, u64>,
    /// Targets that show their name, and those that do not.
    pub ui_type: BTreeMap<String, u64>,
    /// Targets by wording.
    pub wording: BTreeMap<String, u64>,
    /// Targets by who wrote the instruction.
    pub instruction_source: BTreeMap<String, u64>,
    /// Scenes by number of windows.
    pub windows: BTreeMap<String, u64>,
    /// Scenes by layout.
    pub layout: BTreeMap<String, u64>,
    /// Scenes by number of occluders.
    pub occluders: BTreeMap<String, u64>,
    /// Scenes by session, where all windows are of one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub session: BTreeMap<String, u64>,
    /// Scenes by wallpaper.
    pub wallpaper: BTreeMap<String, u64>,
    /// Scenes by what the desktop shows.
    pub chrome: BTreeMap<String, u64>,
    /// Windows in light and dark themes.
    pub theme: BTreeMap<String, u64>,
    /// Scenes by number of similar distractors.
    pub distractors: BTreeMap<String, u64>,
    /// Similar distractors by rank.
    pub distractor_rank: BTreeMap<String, u64>,
    /// Similar distractors behind the target's window and in front of it.
    pub distractor_layer: BTreeMap<String, u64>,
    /// Scenes of icons by number of icons.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub icons: BTreeMap<String, u64>,
    /// Icons asked for by library.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub library: BTreeMap<String, u64>,
    /// Targets by visible ratio, in bins of 0.05 named by their lower end.
    pub visible_ratio: BTreeMap<String, u64>,
    /// Targets by visible ink, in bins of 0.1; `none` where there is next to nothing to see.
    pub visible_ink: BTreeMap<String, u64>,
    /// Distractors by similarity, in bins of 0.01, so that medians can be read off.
    pub similarity: BTreeMap<String, u64>,
    /// Screen tenths in which target centres lie, as `column,row` of a 10x10 grid.
    pub target_place: BTreeMap<String, u64>,
    /// What readers of the words go by, by kind and visible ratio, in bins of 0.1 named by their lower end: `title
    /// 0.80`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub evidence: BTreeMap<String, u64>,
    /// Scenes that ask for something that is not there.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub absent: u64,
    /// Targets besides the promised ones; no other count holds them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub extra_targets: u64,
    /// What guesses hit that read no instruction.
    #[serde(default)]
    pub shortcuts: Shortcuts,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Every table of counts with its name; one list for reading and for adding up.
macro_rules! tables {
    ($stats:ident, $($borrow:tt)+) => {
        [
            ("rejections", $($borrow)+ $stats.rejections),
            ("category", $($borrow)+ $stats.category),
            ("app", $($borrow)+ $stats.app),
            ("role", $($borrow)+ $stats.role),
            ("target_size", $($borrow)+ $stats.target_size),
            ("ui_type", $($borrow)+ $stats.ui_type),
            ("wording", $($borrow)+ $stats.wording),
            ("instruction_source", $($borrow)+ $stats.instruction_source),
            ("windows", $($borrow)+ $stats.windows),
            ("layout", $($borrow)+ $stats.layout),
            ("occluders", $($borrow)+ $stats.occluders),
            ("session", $($borrow)+ $stats.session),
            ("wallpaper", $($borrow)+ $stats.wallpaper),
            ("chrome", $($borrow)+ $stats.chrome),
            ("theme", $($borrow)+ $stats.theme),
            ("distractors", $($borrow)+ $stats.distractors),
            ("distractor_rank", $($borrow)+ $stats.distractor_rank),
            ("distractor_layer", $($borrow)+ $stats.distractor_layer),
            ("icons", $($borrow)+ $stats.icons),
            ("library", $($borrow)+ $stats.library),
            ("visible_ratio", $($borrow)+ $stats.visible_ratio),
            ("visible_ink", $($borrow)+ $stats.visible_ink),
            ("similarity", $($borrow)+ $stats.similarity),
            ("target_place", $($borrow)+ $stats.target_place),
            ("evidence", $($borrow)+ $stats.evidence),
        ]
    };
}

impl Stats {
    /// Counts a scene.
    pub fn add(&mut self, scene: &SceneRecord) {
        let stats = self.conditions.entry(scene.condition.clone()).or_default();
        let canvas = Size { width: scene.width, height: scene.height };
        stats.sweep.clone_from(&scene.sweep);
        stats.scenes += 1;
        stats.tasks += u64::from(scene.sequence.as_ref().is_some_and(|place| place.step == 0));
        stats.elements += scene.truth.elements.len() as u64;
        let count = |map: &mut BTreeMap<String, u64>, key: String| *map.entry(key).or_default() += 1;
        count(&mut stats.windows, format!("{:02}", scene.truth.windows.len()));
        count(&mut stats.layout, named(&scene.layout));
        if let Some(session) = &scene.session {
            count(&mut stats.session, session.clone());
        }
        count(&mut stats.wallpaper, scene.wallpaper.clone());
        count(&mut stats.chrome, named(&scene.knobs.chrome));
        for window in &scene.truth.windows {
            count(&mut stats.theme, if window.dark { "dark" } else { "light" }.to_owned());
        }
        let occluders = scene.truth.windows.iter().filter(|w| w.role == Role::Occluder).count();
        count(&mut stats.occluders, occluders.to_string());
        if let Some(probe) = &scene.knobs.probe {
            count(&mut stats.icons, format!("{:02}", probe.icons));
        }
        stats.shortcuts.add(scene);
        stats.extra_targets += scene.truth.targets.iter().filter(|t| !t.promised).count() as u64;
        for target in scene.truth.targets.iter().filter(|t| t.promised) {
            stats.absent += u64::from(target.kind == TargetKind::Absent);
            count(&mut stats.wording, named(&target.wording));
            count(&mut stats.instruction_source, named(&target.instruction_source));
            count(&mut stats.ui_type, named(&target.ui_type));
            if target.kind == TargetKind::Present {
                count(&mut stats.visible_ratio, bin(target.visible_ratio, 20));
                count(&mut stats.visible_ink, target.visible_ink.map_or("none".to_owned(), |ink| bin(ink, 10)));
            }
            for part in &target.evidence {
                count(&mut stats.evidence, format!("{} {}", named(&part.kind), bin(part.visible_ratio, 10)));
            }
            count(&mut stats.distractors, format!("{:02}", target.distractors.len()));
            for distractor in &target.distractors {
                count(&mut stats.similarity, bin(distractor.similarity, 100));
                count(&mut stats.distractor_rank, format!("{:02}", distractor.rank));
                if let (Some(distractor), Some(target)) = (distractor.window, target.window) {
                    count(&mut stats.distractor_layer, if distractor > target { "front" } else { "behind" }.to_owned());
                }
            }
            if let Some(window) = target.window.map(|w| &scene.truth.windows[w]) {
                stats.target_active += u64::from(window.active);
                stats.target_topmost += u64::from(scene.truth.windows.last_key() == Some(window.z));
                count(&mut stats.category, window.category.name().to_owned());
                count(&mut stats.app, window.app.clone());
            }
            if let Some(icon) =
                target.element.as_ref().and_then(|id| scene.truth.elements.iter().find(|e| e.id == *id)?.icon.as_ref())
            {
                count(&mut stats.library, icon.library.clone());
                icon.category.iter().for_each(|category| count(&mut stats.category, category.clone()));
            }
            if let Some(element) = target.element.as_ref().and_then(|id| scene.truth.elements.iter().find(|e| e.id == *id)) {
                count(&mut stats.role, element.role.to_string());
            }
            if let Some(bbox) = target.bbox {
                count(&mut stats.target_size, named(&TargetSize::of(bbox.area(), canvas)));
                let tenth = |at: i32, length: u32| (at.max(0) as u32 * 10 / length).min(9);
                let centre = bbox.centre();
                count(&mut stats.target_place, format!("{},{}", tenth(centre.x, scene.width), tenth(centre.y, scene.height)));
            }
        }
    }

    /// Adds a sample with the draws that its index took.
    pub fn add_sample(&mut self, scene: &SceneRecord) {
        self.add(scene);
        // The keyframes of a task are of one draw.
        if scene.sequence.as_ref().is_none_or(|place| place.step == 0) {
            self.add_draws(&scene.condition, u64::from(scene.key.draw) + 1);
        }
    }

    /// Counts the draws of an index for a condition: those rejected before it, and its own.
    pub fn add_draws(&mut self, condition: &str, draws: u64) {
        self.conditions.entry(condition.to_owned()).or_default().draws += draws;
    }

    /// Counts a rejected draw.
    pub fn add_rejection(&mut self, rejection: &Rejection) {
        let stats = self.conditions.entry(rejection.condition.clone()).or_default();
        *stats.rejections.entry(named(&rejection.reason)).or_default() += 1;
    }

    /// Adds the counts of another part.
    pub fn merge(&mut self, other: &Self) {
        for (name, from) in &other.conditions {
            self.conditions.entry(name.clone()).or_default().merge(from);
        }
    }
}

impl ConditionStats {
    fn merge(&mut self, other: &Self) {
        self.shortcuts.merge(&other.shortcuts);
        // A part may know a condition by rejected draws alone.
        if other.sweep.is_some() {
            self.sweep.clone_from(&other.sweep);
        }
        for (to, from) in [
            (&mut self.scenes, other.scenes),
            (&mut self.tasks, other.tasks),
            (&mut self.draws, other.draws),
            (&mut self.elements, other.elements),
            (&mut self.target_active, other.target_active),
            (&mut self.target_topmost, other.target_topmost),
            (&mut self.absent, other.absent),
            (&mut self.extra_targets, other.extra_targets),
        ] {
            *to += from;
        }
        for ((_, to), (_, from)) in self.tables_mut().into_iter().zip(other.tables()) {
            for (key, count) in from {
                *to.entry(key.clone()).or_default() += count;
            }
        }
    }

    /// All tables with their names.
    pub(super) fn tables(&self) -> [(&'static str, &BTreeMap<String, u64>); 25] {
        tables!(self, &)
    }

    fn tables_mut(&mut self) -> [(&'static str, &mut BTreeMap<String, u64>); 25] {
        tables!(self, &mut)
    }

    /// What draws are spent on: tasks, or scenes that stand alone.
    pub fn samples(&self) -> u64 {
        if self.tasks > 0 { self.tasks } else { self.scenes }
    }

    /// Mean number of draws per task, or per scene that stands alone.
    pub fn draws_per_sample(&self) -> f64 {
        self.draws as f64 / self.samples().max(1) as f64
    }

    /// Lower end of the bin that holds the median similarity of the distractors.
    pub fn median_similarity(&self) -> Option<f64> {
        let mut bins: Vec<(f64, u64)> = self.similarity.iter().filter_map(|(k, &n)| Some((k.parse().ok()?, n))).collect();
        bins.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total: u64 = bins.iter().map(|&(_, n)| n).sum();
        let mut before = 0;
        bins.into_iter()
            .find(|&(_, n)| {
                before += n;
                before * 2 >= total
            })
            .map(|(bin, _)| bin)
    }
}

/// A value's name as records write it.
fn named(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        other => format!("{other:?}"),
    }
}

/// Lower end of the bin that holds `value`, with `bins` bins per 1.
fn bin(value: f64, bins: u32) -> String {
    let low = (value * f64::from(bins)).floor() / f64::from(bins);
    format!("{low:.2}")
}
