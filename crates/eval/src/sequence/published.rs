//! How the scripts judge a click that MedSPOT's authors released (github.com/Tajamul21/MedSPOT, `Evaluation_scripts`).
//!
//! The paper knows one rule; the sixteen scripts have eight. What they share with the paper is not repeated here: the
//! closed test against the box, the end of a task at the first miss, the weights. None knows of places besides the box.

use windesk_model::Error;
use windesk_model::spelling::nearest;

use super::{HitRule, Outside, Patch};

/// A released script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Script {
    /// Name of its file.
    pub file: &'static str,
    /// How it judges a click.
    pub rule: HitRule,
    /// Whether double clicks and drags count besides clicks.
    pub counts_drags: bool,
}

/// Half of a patch of 14 px, and the whole of it on each side: scripts take the same constant for either.
const HALF: Patch = Patch::Px(7.0);
const WHOLE: Patch = Patch::Px(14.0);

const fn script(file: &'static str, outside: Outside, patch: Patch, first_only: bool, counts_drags: bool) -> Script {
    Script { file, rule: HitRule { outside, patch, first_only, also_valid: false }, counts_drags }
}

/// All of them.
pub const SCRIPTS: [Script; 16] = [
    script("evaluate_Aguvis.py", Outside::Clamped, WHOLE, true, true),
    script("evaluate_cogagent.py", Outside::Clamped, WHOLE, true, true),
    script("evaluate_deepseek.py", Outside::Clamped, WHOLE, true, true),
    script("evaluate_gemma3_27B.py", Outside::Judged, HALF, true, false),
    script("evaluate_gpt4omini.py", Outside::Missed, HALF, true, false),
    script("evaluate_gpt5.py", Outside::Missed, HALF, true, false),
    script("evaluate_gui_actor.py", Outside::Clamped, WHOLE, false, false),
    script("evaluate_llama.py", Outside::Judged, HALF, true, false),
    script("evaluate_mistral.py", Outside::Clamped, WHOLE, true, true),
    script("evaluate_osatlas.py", Outside::Clamped, WHOLE, true, true),
    script("evaluate_qwen2_5vl.py", Outside::Judged, HALF, true, false),
    script("evaluate_qwen2vl.py", Outside::Clamped, WHOLE, true, true),
    script("evaluate_qwen3vl0.py", Outside::Judged, HALF, true, false),
    script("evaluate_seeclick.py", Outside::Clamped, Patch::Px(0.0), true, false),
    script("evaluate_tars.py", Outside::Judged, Patch::ShorterSide(0.02), true, false),
    script("evaluate_uground.py", Outside::Clamped, WHOLE, true, true),
];

/// `tars` of `evaluate_tars.py`.
fn short(file: &str) -> &str {
    let stem = file.strip_suffix(".py").unwrap_or(file);
    stem.strip_prefix("evaluate_").unwrap_or(stem)
}

impl Script {
    /// A script by the name of its file, with or without `evaluate_` and `.py`, in any case.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let found = SCRIPTS.into_iter().find(|s| short(s.file).eq_ignore_ascii_case(short(name)));
        found.ok_or_else(|| {
            let known = SCRIPTS.map(|s| short(s.file));
            let error = Error::config("option `published_code`", format!("found `{name}`, expected one of {}", known.join(", ")));
            match nearest(short(name), known) {
                Some(near) => error.with_hint(format!("did you mean {near}?")),
                None => error,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predictions::Prediction;

    #[test]
    fn nine_of_sixteen_clamp_two_leave_out_five_do_not_look() {
        let count = |outside| SCRIPTS.iter().filter(|s| s.rule.outside == outside).count();
        assert_eq!([Outside::Clamped, Outside::Missed, Outside::Judged].map(count), [9, 2, 5]);
    }

    #[test]
    fn scripts_are_named_as_their_files_or_shorter() {
        for name in ["evaluate_gpt5.py", "gpt5", "GPT5", "evaluate_gpt5"] {
            assert_eq!(Script::named(name).unwrap().file, "evaluate_gpt5.py");
        }
        let error = Script::named("seeclik").unwrap_err().to_string();
        assert!(error.contains("did you mean seeclick?") && error.contains("qwen3vl0"), "{error}");
    }

    /// A box at the right edge of an image of 1000x500 px.
    #[test]
    fn each_script_judges_the_same_click_in_its_own_way() {
        let hits = |name: &str, points: &[[f64; 2]]| {
            let rule = Script::named(name).unwrap().rule;
            rule.hits([980.0, 100.0, 1000.0, 140.0], [1000, 500], Some(&Prediction::Points(points.to_vec())))
        };
        let far_outside = [[1400.0, 120.0]];
        assert_eq!(
            ["uground", "seeclick", "gpt5", "gemma3_27B", "tars"].map(|s| hits(s, &far_outside)),
            [true, true, false, false, false]
        );
        let just_outside = [[1005.0, 120.0]];
        assert_eq!(
            ["uground", "seeclick", "gpt5", "gemma3_27B", "tars"].map(|s| hits(s, &just_outside)),
            [true, true, false, true, true]
        );
        let beside = |px: f64| [[980.0 - px, 120.0]];
        assert_eq!(["uground", "seeclick", "gpt5", "tars"].map(|s| hits(s, &beside(8.0))), [true, false, false, true]);
        assert_eq!(["uground", "seeclick", "gpt5", "tars"].map(|s| hits(s, &beside(12.0))), [true, false, false, false]);
        let second = [[10.0, 10.0], [990.0, 120.0]];
        assert_eq!(["uground", "gui_actor"].map(|s| hits(s, &second)), [false, true]);
    }
}
