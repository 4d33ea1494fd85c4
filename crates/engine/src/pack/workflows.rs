//! Workflows: read when they are asked for, so that opening a pack costs nothing more. They are no part of the pack's
//! digest: scenes do not depend on them. Tasks do, and say so by a digest of their own.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use windesk_model::Error;
use windesk_model::digest::hex;
use windesk_model::pack_format::{Action, Workflow, WorkflowClick};

use super::Pack;
use super::read::{WORKFLOW_FILE, lines_of};

/// Most clicks of a workflow.
const MAX_CLICKS: usize = 16;

/// All workflows of a pack.
#[derive(Clone, Debug)]
pub struct Workflows {
    /// In the order of their files' names and lines.
    pub list: Vec<Workflow>,
    /// SHA-256 over the files (64 hex digits); nothing's where there are none.
    pub sha256: String,
}

impl Pack {
    /// Reads and checks the workflows: each click has a transition, and leads to a window in which the next one can be.
    /// Those of programs that are not in this part of the pack are left out.
    ///
    /// # Errors
    /// Names the file, the line and the click at fault.
    pub fn workflows(&self) -> Result<Workflows, Error> {
        let is_one = |name: &&str| {
            let parts: Vec<&str> = name.split('/').collect();
            matches!(parts[..], [WORKFLOW_FILE] | ["windows", _, WORKFLOW_FILE])
        };
        let names: Vec<String> = self.files().names().filter(is_one).map(str::to_owned).collect();
        let (mut list, mut ids, mut digest) = (Vec::new(), BTreeSet::new(), Sha256::new());
        for name in names {
            let bytes = self.files().read(&name)?;
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(&bytes);
            let folder = name.strip_prefix("windows/").and_then(|rest| rest.split('/').next());
            for (number, line) in lines_of::<Workflow>(self.files(), &name, &bytes)? {
                let place = format!("{}:{number}", self.files().full_name(&name));
                if !ids.insert(line.id.clone()) {
                    return Err(Error::file(place, format!("workflow `{}` a second time", line.id), "ids that differ"));
                }
                let left_out = |click: &WorkflowClick| self.split.is_some() && self.window_index(&click.page).is_none();
                if line.clicks.iter().any(left_out) {
                    continue;
                }
                self.check_workflow(&place, folder, &line)?;
                list.push(line);
            }
        }
        Ok(Workflows { list, sha256: hex(&digest.finalize()) })
    }

    fn check_workflow(&self, place: &str, folder: Option<&str>, line: &Workflow) -> Result<(), Error> {
        let bad = |found: String, expected: &str| Err(Error::file(place, found, expected));
        if line.clicks.is_empty() || line.clicks.len() > MAX_CLICKS {
            return bad(format!("{} clicks", line.clicks.len()), "1 to 16");
        }
        if line.goal.trim().is_empty() || line.steps.iter().flatten().any(|step| step.trim().is_empty()) {
            return bad("an empty goal or step".to_owned(), "words");
        }
        if let Some(steps) = line.steps.as_ref().filter(|steps| steps.len() != line.clicks.len()) {
            return bad(format!("{} steps for {} clicks", steps.len(), line.clicks.len()), "one per click, or none");
        }
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        for (number, click) in line.clicks.iter().enumerate() {
            let WorkflowClick { page, element } = click;
            let Some(window) = self.window_index(page).map(|at| &self.windows[at]) else {
                return bad(format!("click {number}: window `{page}`"), "the id of a capture of this pack");
            };
            if folder.is_some_and(|folder| page.split('/').next() != Some(folder)) {
                return bad(format!("click {number}: window `{page}`"), "captures of the program in whose folder this is");
            }
            if window.element_index(element).is_none() {
                return bad(format!("click {number}: element `{element}`"), "the id of an element of that window");
            }
            let begins = !window.has_popup() && window.parent.is_none();
            if !begins && !reached.contains(page.as_str()) {
                return bad(
                    format!("click {number}: `{page}` does not follow from the clicks before"),
                    "a page that one of them leads to",
                );
            }
            let mut own = self.transitions.of(page);
            let Some(transition) = own.find(|t| t.element.as_ref() == Some(element) && t.action == Action::Click) else {
                return bad(format!("click {number}: no transition from `{page}` by `{element}`"), "one of transitions.jsonl");
            };
            reached.extend(transition.to());
        }
        Ok(())
    }
}
