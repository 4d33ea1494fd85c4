//! What the command line refuses, and what it says.

use std::fs;

use crate::command::{finish, refused, succeeds, windesk};
use crate::mini_pack;

/// Arguments that must be refused before anything is written; the level file is `mini.toml` in the working folder.
fn check(args: &[&str], expected: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mini.toml"), mini_pack::LEVEL).unwrap();
    let pack = mini_pack::folder();
    let whole = ["synth", "--n", "3", "--pack", pack.to_str().unwrap(), "--out", "out"].into_iter().chain(args.iter().copied());
    let mut command = windesk(whole);
    command.current_dir(folder.path()).env_remove("JOB_COMPLETION_INDEX").env_remove("SLURM_ARRAY_TASK_ID");
    refused(command, expected);
    assert!(!folder.path().join("out").exists(), "{args:?}: an output folder was made");
}

/// A change of the level that must be refused.
fn check_set(set: &str, expected: &[&str]) {
    check(&["--level", "mini.toml", "--set", set], expected);
}

#[test]
fn levels() {
    check(&["--level", "L9"], &["--level L9", "expected L1, L2, L3, L4, L5, `all` or a TOML file"]);
    check(&["--level", "nofile.toml"], &["nofile.toml: ", "expected a readable text file"]);
    check_set("windws=1..2", &["unknown field `windws`", "did you mean `windows`?"]);
    check_set("distractor.layr=any", &["unknown field `layr`", "in `distractor`", "did you mean `layer`?"]);
    check_set("visible_ratio=0.9..0.8", &["visible_ratio min 0.9 exceeds max 0.8", "hint: swap the two values"]);
    check_set("visible_ratio=0.5..1.5", &["share 1.5 is not within 0..=1", "in `visible_ratio`"]);
    check_set("visible_ratio=[nan, 0.5]", &["share NaN is not within 0..=1", "in `visible_ratio`"]);
    check_set("windows=6..4", &["windows min 6 exceeds max 4", "hint: swap the two values"]);
    check_set("windows=0..3", &["windows is [0, 3], expected 1..=60"]);
    check_set("windows=2..2", &["windows starts at 2, expected at least 3", "hint: a target, 1 distractors and 1 occluder"]);
    check_set("windows=2", &["windows starts at 2, expected at least 3"]);
    let form = "hint: a range is 4..8 or [4, 8] with --set";
    check_set("visible_ratio=0.5,0.6", &["\"0.5,0.6\", expected a number or a range [min, max]", "in `visible_ratio`", form]);
    check_set("windows=[1, 2, 3]", &["expected a number or a range [min, max]", "in `windows`", form]);
    check_set("distractor.similarity=high", &["expected a number or a range [min, max]", form]);
    check_set("windows=3.5", &["floating point `3.5`", "in `windows`"]);
    check_set("name+=x", &["--set name+=x: `name` is \"mini\", expected a list", "hint: without the `+`"]);
    check_set("distractor.rank=99", &["distractor.rank is 99", "expected rank from 1"]);
    check_set("layout.free=0", &["layout has no weight above 0"]);
    check_set("canvas=[1, 1]", &["canvas is 1x1, expected 640x480 to 8192x8192"]);
    check_set("canvas=[8192, 8192]", &["canvas is 8192x8192, expected", "at most 40000000 px"]);
    check_set("canvas=[8192, 500]", &["canvas is 8192x500, expected", "no side more than 8 times the other"]);
    check_set("name=../evil", &["name is `../evil`"]);
    check_set("priors=nowhere", &["priors is `nowhere`"]);
    check_set("category_weights.Gamng=2", &["unknown variant `Gamng`", "did you mean `Gaming`?"]);
    check_set("novalue", &["--set novalue: found no `=`"]);
}

#[test]
fn flags() {
    let flag = |flag: &str, value: &str, expected: &[&str]| check(&["--level", "mini.toml", flag, value], expected);
    flag("--canvas", "12", &["--canvas 12: expected WIDTHxHEIGHT"]);
    flag("--canvas", "99999x99999", &["size 99999x99999 is not within 1..=32768 px"]);
    flag("--protocol", "windsk", &["unknown variant `windsk`", "did you mean `windesk`?"]);
    flag("--format", "gif", &["[possible values: png, jpeg, webp]"]);
    flag("--range", "5..3", &["--range 5..3: expected A below B"]);
    flag("--range", "0..4", &["--range 0..4: expected A below B and B at most 3"]);
    flag("--shard", "4/4", &["--shard 4/4", "at most 3 shards for 3 samples"]);
    flag("--shard", "x/2", &["--shard x/2: expected I/N"]);
    flag("--shard", "auto", &["found neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID"]);
    flag("--app", "Gajm", &["--app Gajm: expected the id or name of a program of the pack", "did you mean Gajim?"]);
    flag("--category", "Gamng", &["--category Gamng: expected one of", "did you mean Gaming?"]);
    flag("--role", "buttn", &["--role buttn: expected one of", "did you mean button?"]);
    flag("--target-size", "tiny", &["--target-size tiny: expected one of small, medium, large"]);
    flag("--wallpaper", "nope", &["wallpaper nope: expected one of slope"]);
    flag("--instructions", "reviewed", &["the pack `mini` has no reviewed instructions"]);
    flag("--no-such-flag", "1", &["unexpected argument '--no-such-flag'"]);
    let impossible = ["--level", "mini.toml", "--app", "mate-calc", "--role", "slider"];
    check(&impossible, &["no target of the pack `mini` is left", "hint: loosen --app, --role\n"]);
}

#[test]
fn no_samples_are_no_dataset() {
    let folder = tempfile::tempdir().unwrap();
    let pack = mini_pack::folder();
    let mut command = windesk(["synth", "--n", "0", "--level", "L1", "--out", "out", "--pack", pack.to_str().unwrap()]);
    command.current_dir(folder.path());
    refused(command, &["--n 0: expected at least 1"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn plans_that_do_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let pack = mini_pack::folder();
    let replay = |name: &str, expected: &[&str]| {
        let plans = folder.path().join(name);
        let out = folder.path().join("out");
        let args = ["replay", plans.to_str().unwrap(), "--pack", pack.to_str().unwrap(), "--out", out.to_str().unwrap()];
        refused(windesk(args), expected);
        assert!(!out.exists());
    };
    replay("none.jsonl", &["none.jsonl: ", "expected a readable text file"]);
    fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    replay("empty.jsonl", &["empty.jsonl: found no plan"]);
    fs::write(folder.path().join("broken.jsonl"), "{\"engine\": 1}\n").unwrap();
    replay("broken.jsonl", &["broken.jsonl:1: expected a plan"]);
    let out = folder.path().join("made");
    fs::write(folder.path().join("mini.toml"), mini_pack::LEVEL).unwrap();
    let level = folder.path().join("mini.toml");
    let [level, made, mini] = [&level, &out, &pack].map(|p| p.to_str().unwrap());
    succeeds(["synth", "--n", "1", "--level", level, "--pack", mini, "--out", made]);
    let plan = fs::read_to_string(out.join("plans/part-00000.jsonl")).unwrap();
    let digest = mini_pack::pack().digest.clone();
    fs::write(folder.path().join("other.jsonl"), plan.replace(&digest, &"0".repeat(64))).unwrap();
    replay("other.jsonl", &["a plan for pack 0000", &format!("pack {digest}")]);
}

#[test]
fn help_shows_every_command() {
    let help = succeeds(["--help"]);
    assert_eq!(help.stderr, "");
    for command in ["synth", "replay", "pack"] {
        assert!(help.stdout.contains(&format!("\n  {command} ")), "{}", help.stdout);
        let of_command = succeeds([command, "--help"]).stdout;
        assert!(of_command.contains(&format!("Usage: windesk {command}")), "{of_command}");
    }
    let version = succeeds(["--version"]).stdout;
    assert_eq!(version, format!("windesk {}\n", env!("CARGO_PKG_VERSION")));
    let nothing = finish(windesk([""; 0]));
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.stderr.contains("Usage: windesk [OPTIONS] <COMMAND>"), "{}", nothing.stderr);
}
