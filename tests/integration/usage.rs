//! The command line as people and scripts meet it: files of flags, dry runs, JSON, completions, manual pages.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::command::{done, finish, refused, windesk};
use crate::mini_pack;
use crate::quick_runs::LEVEL;

/// The level as the file of flags changes it.
const CHANGED: &str = "quick-windows-2-3-9ce0ec07";

/// A folder with a level and a file of flags.
fn workshop(flags: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("quick.toml"), LEVEL).unwrap();
    fs::write(place.path().join("windesk.toml"), flags).unwrap();
    place
}

fn within(place: &Path, args: &[&str]) -> Command {
    let mut command = windesk(args);
    command.current_dir(place);
    command
}

fn flags() -> String {
    let pack = mini_pack::folder();
    format!(
        "[all]\npack = {:?}\nseed = 5\n[synth]\nlevel = \"quick.toml\"\nn = 3\nseed = 6\noverlay = true\nset = [\"windows=2..3\"]\n",
        pack
    )
}

#[test]
fn typed_flags_win_over_the_file_and_the_file_over_defaults() {
    let place = workshop(&flags());
    let said = done(within(place.path(), &["synth"]));
    assert_eq!(said.stdout, format!("windesk-{CHANGED}-s6-n3\n"));
    assert!(said.stderr.contains("config: windesk.toml"), "{}", said.stderr);
    assert!(place.path().join(format!("windesk-{CHANGED}-s6-n3/overlays")).is_dir());
    let said = done(within(place.path(), &["synth", "--seed", "9", "--n", "2"]));
    assert_eq!(said.stdout, format!("windesk-{CHANGED}-s9-n2\n"));
    // Another file instead of the one that lies there.
    fs::write(place.path().join("other.toml"), flags().replace("seed = 6", "seed = 7")).unwrap();
    let said = done(within(place.path(), &["--config", "other.toml", "synth"]));
    assert_eq!(said.stdout, format!("windesk-{CHANGED}-s7-n3\n"));
}

#[test]
fn config_shows_every_origin_and_is_a_file_of_flags_itself() {
    let place = workshop(&flags());
    let said = done(within(place.path(), &["config", "synth", "--n", "4", "--category", "Gaming,Utilities"]));
    for line in [
        "n = 4  # command line",
        "category = [\"Gaming\", \"Utilities\"]  # command line",
        "seed = 6  # file, [synth]",
        "overlay = true  # file, [synth]",
        "cache-mb = 384  # default",
        "# out is not set",
    ] {
        assert!(said.stdout.lines().any(|l| l == line), "expected `{line}` in:\n{}", said.stdout);
    }
    assert!(said.stdout.contains("mini-pack\"  # file, [all]"), "{}", said.stdout);
    fs::write(place.path().join("again.toml"), &said.stdout).unwrap();
    let again = done(within(place.path(), &["--config", "again.toml", "config", "synth"]));
    let values = |text: &str| {
        text.lines().filter(|l| !l.starts_with('#')).map(|l| l.split("  #").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(values(&again.stdout), values(&said.stdout));
}

#[test]
fn the_file_counts_for_commands_of_two_words() {
    let place = workshop("[all]\npack = \"nowhere\"\n");
    refused(within(place.path(), &["pack", "check"]), &["nowhere"]);
    // A place that was typed stands for the flag.
    let pack = mini_pack::folder();
    let said = finish(within(place.path(), &["pack", "check", pack.to_str().unwrap()]));
    assert!(!said.stderr.contains("nowhere") && !said.stderr.contains("cannot be used"), "{}", said.stderr);
    // The table of the first word comes before `all`.
    fs::write(place.path().join("windesk.toml"), format!("[all]\npack = \"nowhere\"\n[pack]\npack = {pack:?}\n")).unwrap();
    let shown = done(within(place.path(), &["config", "pack", "check"]));
    assert!(shown.stdout.lines().any(|l| l.starts_with("pack = ") && l.ends_with("# file, [pack]")), "{}", shown.stdout);
    let said = finish(within(place.path(), &["pack", "check"]));
    assert!(!said.stderr.contains("nowhere") && said.stderr.contains("config: windesk.toml"), "{}", said.stderr);
}

#[test]
fn mistakes_in_a_file_of_flags_are_named() {
    let check = |flags: &str, expected: &[&str]| refused(within(workshop(flags).path(), &["synth"]), expected);
    check("[snyth]\nn = 3\n", &["windesk.toml: `snyth`", "did you mean `synth`?"]);
    check("[synth]\nsede = 3\n", &["windesk.toml: [synth] sede: no such option", "did you mean `seed`?"]);
    check("[synth]\noverlay = 3\n", &["overlay", "found 3, expected true or false"]);
    check("[synth]\nn = [3]\n", &["found a list, expected one value"]);
    check("[synth\n", &["windesk.toml", "TOML parse error"]);
    check("n = 3\n", &["windesk.toml: `n`", "expected the name of a command"]);
    let place = workshop("");
    refused(within(place.path(), &["--config", "absent.toml", "synth"]), &["absent.toml", "expected a readable file of flags"]);
    refused(within(place.path(), &["config", "snyth"]), &["config snyth", "did you mean synth?"]);
}

#[test]
fn a_dry_run_writes_nothing_and_comes_near_the_truth() {
    let place = workshop(&flags());
    let said = done(within(place.path(), &["synth", "--n", "40", "--dry-run", "--json"]));
    let estimate: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2, "nothing but the two files that were there");
    assert_eq!((&estimate["samples"], &estimate["parts"]), (&40.into(), &1.into()));
    let made = done(within(place.path(), &["synth", "--n", "40", "--json"]));
    let made: Value = serde_json::from_str(&made.stdout).unwrap();
    assert_eq!((&made["samples"], &made["made"], &made["holes"]), (&40.into(), &40.into(), &Value::Array(Vec::new())));
    let images = place.path().join(made["out"].as_str().unwrap()).join("images/00000");
    let bytes: u64 = fs::read_dir(images).unwrap().map(|e| e.unwrap().metadata().unwrap().len()).sum();
    let guessed = estimate["image_bytes"].as_u64().unwrap();
    assert!((bytes / 2..bytes * 2).contains(&guessed), "guessed {guessed}, made {bytes}");
    let told = done(within(place.path(), &["synth", "--n", "40", "--dry-run"])).stdout;
    assert!(told.starts_with(&format!("{CHANGED}-s6: 40 samples (indices 0..40, 1 condition) in 1 part\nabout ")), "{told}");
}

#[test]
fn parts_of_a_run_have_folders_of_their_own() {
    let place = workshop(&flags());
    let shard = |environment: &[(&str, &str)], args: &[&str]| {
        let mut command = within(place.path(), &[&["synth", "--n", "9"], args].concat());
        command.envs(environment.iter().copied());
        command
    };
    let slurm = [("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_COUNT", "3")];
    assert_eq!(done(shard(&slurm, &["--shard", "auto"])).stdout, format!("windesk-{CHANGED}-s6-n9-i3-6\n"));
    assert_eq!(
        done(shard(&[("JOB_COMPLETION_INDEX", "2")], &["--shard", "auto/3"])).stdout,
        format!("windesk-{CHANGED}-s6-n9-i6-9\n")
    );
    assert_eq!(done(shard(&[], &["--range", "0..3"])).stdout, format!("windesk-{CHANGED}-s6-n9-i0-3\n"));
    refused(shard(&[], &["--shard", "auto"]), &["found neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID"]);
    refused(shard(&[("JOB_COMPLETION_INDEX", "3")], &["--shard", "auto/3"]), &["expected a shard below 3"]);
}

#[test]
fn completions_and_manual_pages_know_the_flags() {
    for shell in ["bash", "zsh", "fish"] {
        let said = done(windesk(["completions", shell]));
        assert!(said.stdout.contains("targets-per-scene") && said.stdout.contains("verify"), "{shell}");
    }
    let said = done(windesk(["man"]));
    assert!(said.stdout.contains(".TH windesk 1"), "{}", said.stdout);
    let place = tempfile::tempdir().unwrap();
    done(windesk(["man", "--out", place.path().to_str().unwrap()]));
    let page = fs::read_to_string(place.path().join("windesk-synth.1")).unwrap();
    assert!(page.contains("absent\\-share"), "{page}");
}

#[test]
fn words_that_are_nearly_right_get_a_hint() {
    refused(windesk(["synth", "--level", "L6", "--n", "1"]), &["--level L6", "did you mean L"]);
    refused(windesk(["synth", "--level", "L4", "--n", "1", "--set", "windwos=3..4"]), &["windwos", "did you mean `windows`?"]);
    refused(windesk(["synth", "--level", "L4", "--n", "1", "--chrome", "taksbar"]), &["taksbar", "did you mean `taskbar`?"]);
    refused(windesk(["sweep", "oclusion", "--n", "1"]), &["oclusion", "did you mean occlusion"]);
    // clap's own.
    let said = finish(windesk(["synth", "--level", "L4", "--threds", "1"]));
    assert!(said.code == Some(2) && said.stderr.contains("--threads"), "{}", said.stderr);
    assert!(!said.stderr.contains('\u{1b}'), "no colour in a pipe");
}
