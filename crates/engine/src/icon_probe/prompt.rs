//! How icons are asked for: templates, shipped ones or a user's own.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use windesk_model::Error;
use windesk_model::icon_probe::Prompt;

use super::library::ProbeIcon;

/// What stands for the icon in the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ObjectWords {
    /// Its name.
    Name,
    /// A synonym; icons without one are not asked for.
    Synonym,
    /// Its name and whether it is drawn in one colour or many.
    Style,
}

/// A template. `{object}` stands for the icon, `{instruction}` for the finished instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PromptTemplate {
    /// Short name; recorded per sample.
    pub name: String,
    /// What `{object}` stands for.
    pub object: ObjectWords,
    /// The instruction alone.
    pub instruction: String,
    /// What the model is told first, if anything.
    #[serde(default)]
    pub system: Option<String>,
    /// The user's words.
    pub user: String,
    /// Added to the last of the two where the icon may be missing.
    pub refusal: String,
}

impl PromptTemplate {
    /// Reads a template. `place` names it in messages.
    ///
    /// # Errors
    /// Unknown keys, wrong types, and texts without a place for what they are to hold.
    pub fn read(place: &str, text: &str) -> Result<Self, Error> {
        let template: Self = toml::from_str(text).map_err(|e| Error::config(place, e.to_string().trim_end()))?;
        for (key, text, part) in [("instruction", &template.instruction, "{object}"), ("user", &template.user, "{instruction}")] {
            if !text.contains(part) {
                return Err(Error::config(place, format!("{key} is {text:?}, expected `{part}` in it")));
            }
        }
        Ok(template)
    }

    /// The words for an icon: one of its synonyms if `synonym` picks one. `None` if the icon has none of the kind asked
    /// for.
    pub fn object(&self, icon: &ProbeIcon, synonym: impl FnOnce(usize) -> usize) -> Option<String> {
        match self.object {
            ObjectWords::Name => Some(icon.name.clone()),
            ObjectWords::Synonym if icon.synonyms.is_empty() => None,
            ObjectWords::Synonym => Some(icon.synonyms[synonym(icon.synonyms.len())].clone()),
            ObjectWords::Style if icon.one_colour => Some(format!("{}, in a single colour", icon.name)),
            ObjectWords::Style => Some(format!("{}, in several colours", icon.name)),
        }
    }

    /// The instruction for an icon called so.
    pub fn instruction(&self, object: &str) -> String {
        self.instruction.replace("{object}", object)
    }

    /// The whole prompt.
    pub fn prompt(&self, instruction: &str, refusal_allowed: bool) -> Prompt {
        let mut system = self.system.clone();
        let mut user = self.user.replace("{instruction}", instruction);
        if refusal_allowed {
            let last = system.as_mut().unwrap_or(&mut user);
            *last = format!("{last} {}", self.refusal);
        }
        Prompt { template: self.name.clone(), system, user, refusal_allowed }
    }
}
