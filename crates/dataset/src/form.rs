//! What a dataset's files look like, apart from what they say: how much of the truth is written, whether its text is
//! compressed, how lossy its pictures are. Part of what tells runs apart.

use std::collections::BTreeSet;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_files::compressed::COMPRESSED;
use windesk_model::record::SceneRecord;

/// How much of the truth about a scene is written. Plans are always there: all of it can be made again from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Records {
    /// Every element.
    #[default]
    Full,
    /// Of elements those alone that targets name: themselves, their distractors and competitors.
    Targets,
    /// No scenes: annotations alone.
    None,
}

impl Records {
    fn are_full(&self) -> bool {
        *self == Self::Full
    }

    /// The name as options write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Targets => "targets",
            Self::None => "none",
        }
    }

    /// Leaves out what is not written.
    pub(super) fn reduce(self, record: &mut SceneRecord) {
        if self == Self::Full {
            return;
        }
        let targets = &record.truth.targets;
        let named = targets.iter().flat_map(|target| {
            let others = target.distractors.iter().map(|d| d.element.as_str());
            let competitor = target.nearest_competitor.iter().map(|c| c.element.as_str());
            target.element.as_deref().into_iter().chain(others).chain(competitor)
        });
        let named: BTreeSet<&str> = named.collect();
        let keep: Vec<bool> = record.truth.elements.iter().map(|e| named.contains(e.id.as_str())).collect();
        let mut keep = keep.into_iter();
        record.truth.elements.retain(|_| keep.next() == Some(true));
    }
}

/// What the files look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Form {
    /// Quality of lossy pictures, 1 to 100; the format's own where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// How much of the truth is written: `full` (if not given), `targets` or `none`.
    #[serde(default, skip_serializing_if = "Records::are_full")]
    pub records: Records,
    /// Whether files of lines (scenes, annotations, plans, tasks, states) are compressed with gzip.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub compressed: bool,
}

impl Form {
    /// Ending of files of lines, with its dot.
    pub fn ending(self) -> String {
        if self.compressed { format!(".jsonl.{COMPRESSED}") } else { ".jsonl".to_owned() }
    }

    /// A file of lines of a part: of `scenes`, `annotations`, `plans`, `tasks` or `states`.
    pub fn text_file(self, kind: &str, part: u64) -> String {
        format!("{kind}/part-{part:05}{}", self.ending())
    }
}
