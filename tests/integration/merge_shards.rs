//! `windesk merge` gives what one machine would have written.

use std::fs;
use std::path::Path;

use crate::command::{refused, succeeds, tree, windesk};
use crate::mini_pack;

/// Makes a shard (or all) of a small run that crosses the border of two parts.
fn synth(place: &Path, name: &str, more: &[&str]) -> String {
    let level = place.join("mini.toml");
    fs::write(&level, "name = \"quick\"\nwindows = [2, 2]\nvisible_ratio = [1.0, 1.0]\ncanvas = [800, 600]\nchrome = \"none\"\n")
        .unwrap();
    let out = place.join(name).to_str().unwrap().to_owned();
    let pack = mini_pack::folder();
    let args = [
        "synth",
        "--n",
        "260",
        "--seed",
        "3",
        "--level",
        level.to_str().unwrap(),
        "--pack",
        pack.to_str().unwrap(),
        "--out",
        &out,
    ];
    succeeds(args.into_iter().chain(more.iter().copied()));
    out
}

#[test]
fn merged_shards_are_the_whole_run() {
    let place = tempfile::tempdir().unwrap();
    let whole = synth(place.path(), "whole", &[]);
    let shards: Vec<String> =
        (0..3).map(|at| synth(place.path(), &format!("shard-{at}"), &["--shard", &format!("{at}/3")])).collect();
    let pack = mini_pack::folder();
    let pack = pack.to_str().unwrap();
    let merged = place.path().join("merged");
    let merged = merged.to_str().unwrap();
    let order = [&shards[2], &shards[0], &shards[1]].map(String::as_str);
    succeeds(["merge", "--pack", pack, "--out", merged].into_iter().chain(order));
    assert_eq!(tree(merged.as_ref()), tree(whole.as_ref()));
    let said = succeeds(["verify", merged, "--pack", pack, "--sample", "5"]);
    assert_eq!(said.stdout, "");

    let merge = |out: &str, shards: &[&str]| {
        let out = place.path().join(out).to_str().unwrap().to_owned();
        windesk(["merge", "--pack", pack, "--out", &out].into_iter().chain(shards.iter().copied()))
    };
    refused(merge("gap", &[&shards[0], &shards[2]]), &["begins at index 173, expected 86", "missing"]);
    refused(merge("twice", &[&shards[0], &shards[0]]), &["begins at index 0, expected 86", "overlap"]);
    let other = synth(place.path(), "other", &["--range", "86..173", "--set", "windows=2..3"]);
    refused(merge("other", &[&shards[0], &other]), &["of another run", "study differs"]);
    let spoilt = place.path().join("shard-1/plans/part-00000.jsonl");
    fs::write(&spoilt, fs::read_to_string(&spoilt).unwrap().replacen("Background", "background", 1) + "\n").unwrap();
    refused(merge("spoilt", &[&shards[0], &shards[1]]), &["shard-1/plans/part-00000.jsonl", "its manifest says"]);
    assert!(!place.path().join("spoilt").exists());
}
