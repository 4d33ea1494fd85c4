//! Prompt templates, one per family, in `configs/prompts/families/`.

use serde::Deserialize;

use windesk_model::Error;

use crate::parse::Convention;

/// A checked template.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// The family's name, or the file's.
    pub family: String,
    /// Convention of the answers.
    pub coords: Convention,
    /// System message.
    pub system: Option<String>,
    /// User message, with `{instruction}`, and `{width}` and `{height}` where the family wants them; the system message
    /// may hold them too.
    pub user: String,
    /// Whether it allows the answer that the target is not there.
    pub refusals: bool,
    /// Most keyframes of earlier steps that are sent with a question about a step of a task.
    pub history_images: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PromptFile {
    coords: String,
    system: Option<String>,
    user: String,
    #[serde(default)]
    refusals: bool,
    #[serde(default)]
    history_images: u32,
}

impl Prompt {
    /// Reads a template; `place` is named in errors.
    ///
    /// # Errors
    /// If it is no template, or has no place for the instruction.
    pub fn read(place: &str, family: &str, text: &str) -> Result<Self, Error> {
        let file: PromptFile =
            toml::from_str(text).map_err(|e| Error::at(place, format!("{e}, expected coords, user and perhaps system")))?;
        let coords = file.coords.parse().map_err(|e: crate::parse::ConventionError| Error::at(place, e))?;
        if !file.user.contains("{instruction}") {
            return Err(Error::at(place, "`user` without {instruction}, expected a place for it"));
        }
        let PromptFile { system, user, refusals, history_images, .. } = file;
        Ok(Self { family: family.to_owned(), coords, system, user, refusals, history_images })
    }

    /// The user message for an instruction about an image. The size that it names is that of the pixels which the
    /// answer is read in: a model that resizes the image is told what it sees.
    pub fn user_message(&self, instruction: &str, image_size: [u32; 2]) -> String {
        // The instruction comes last: braces in it are its own.
        self.sized(&self.user, image_size).replace("{instruction}", instruction)
    }

    /// The system message about an image.
    pub fn system_message(&self, image_size: [u32; 2]) -> Option<String> {
        self.system.as_ref().map(|system| self.sized(system, image_size))
    }

    fn sized(&self, text: &str, image_size: [u32; 2]) -> String {
        let [width, height] = self.coords.scale.told_size(image_size);
        text.replace("{width}", &width.to_string()).replace("{height}", &height.to_string())
    }

    /// The whole template as one text, for the record.
    pub fn described(&self) -> String {
        self.system.as_ref().map_or_else(|| self.user.clone(), |system| format!("[system] {system}\n[user] {}", self.user))
    }
}
