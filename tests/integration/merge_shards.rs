//! `windesk merge` gives what one machine would have written.

use std::fs;
use std::path::Path;

use crate::command::{refused, succeeds, tree, windesk};
use crate::mini_pack;
use crate::quick_runs;

/// Makes a shard (or all) of a small run that crosses the border of two parts.
fn synth(place: &Path, name: &str, more: &[&str]) -> String {
    synth_of(260, place, name, more)
}

/// The same of so many samples.
fn synth_of(n: u32, place: &Path, name: &str, more: &[&str]) -> String {
    let level = place.join("mini.toml");
    fs::write(&level, quick_runs::LEVEL).unwrap();
    let (n, out) = (n.to_string(), place.join(name).to_str().unwrap().to_owned());
    let pack = mini_pack::folder();
    let args =
        ["synth", "--n", &n, "--seed", "3", "--level", level.to_str().unwrap(), "--pack", pack.to_str().unwrap(), "--out", &out];
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
    refused(
        merge("first", &[&shards[1], &shards[2]]),
        &["hold indices 86..260, expected 0..260", "no shard has 0..86", "--partial"],
    );
    refused(merge("last", &[&shards[0], &shards[1]]), &["no shard has 173..260"]);
    refused(merge("middle", &[&shards[1]]), &["no shard has 0..86 or 173..260"]);
    succeeds([
        "merge",
        "--partial",
        "--pack",
        pack,
        "--out",
        place.path().join("partial").to_str().unwrap(),
        &shards[0],
        &shards[1],
    ]);

    // The same command again: a merge that was killed after its last step, or that somebody doubts.
    let before = tree(merged.as_ref());
    succeeds(["merge", "--pack", pack, "--out", merged].into_iter().chain(order));
    assert_eq!(tree(merged.as_ref()), before);
    // One that was killed before: its folder in progress is thrown away.
    fs::create_dir_all(place.path().join(".again.new.tmp/images/00000")).unwrap();
    let again = place.path().join("again");
    succeeds(["merge", "--pack", pack, "--out", again.to_str().unwrap()].into_iter().chain(order));
    assert_eq!(tree(&again), before);
    // A folder that holds something else is never taken for it.
    fs::write(again.join("README.md"), "mine").unwrap();
    refused(merge("again", &[&shards[0], &shards[1], &shards[2]]), &["a folder with files"]);
}

/// Whatever `verify --files-only` finds in a shard, `merge` refuses.
#[test]
fn shards_that_are_not_whole_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let shards: Vec<String> =
        (0..3).map(|at| synth_of(6, place.path(), &format!("shard-{at}"), &["--shard", &format!("{at}/3")])).collect();
    let pack = mini_pack::folder();
    let pack = pack.to_str().unwrap();
    let merge = |out: &str, shards: &[&str]| {
        let out = place.path().join(out).to_str().unwrap().to_owned();
        windesk(["merge", "--pack", pack, "--out", &out].into_iter().chain(shards.iter().copied()))
    };
    let all = [&*shards[0], &shards[1], &shards[2]];
    let picture = fs::read_dir(place.path().join("shard-1/images/00000"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "png"));
    let picture = picture.unwrap();
    let name = picture.file_name().unwrap().to_str().unwrap().to_owned();
    let spoil = |path: &Path, how: &dyn Fn(&Path), expected: &[&str]| {
        let kept = fs::read(path).unwrap();
        // Pictures of the merged folders are links to the same file.
        fs::remove_file(path).unwrap();
        fs::write(path, &kept).unwrap();
        how(path);
        refused(merge("spoilt", &all), &[&["shard-1", "hint: `windesk verify "], expected].concat());
        assert!(!place.path().join("spoilt").exists());
        drop(fs::remove_file(path));
        fs::write(path, kept).unwrap();
    };
    let flip = |path: &Path| {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    spoil(&picture, &|p| fs::remove_file(p).unwrap(), &[&name, "missing"]);
    spoil(&picture, &|p| fs::write(p, "").unwrap(), &[&name, "SHA256SUMS says"]);
    spoil(&picture, &flip, &[&name, "SHA256SUMS says"]);
    #[cfg(unix)]
    spoil(
        &picture,
        &|p| {
            fs::remove_file(p).unwrap();
            std::os::unix::fs::symlink("/etc/hostname", p).unwrap();
        },
        &[&name, "neither a file nor a folder"],
    );
    let shard = place.path().join("shard-1");
    let append = |p: &Path| fs::write(p, [fs::read(p).unwrap(), b"{}\n".to_vec()].concat()).unwrap();
    for file in ["plans/part-00000.jsonl", "rejections.jsonl", "README.md", "croissant.json", "stats.json"] {
        spoil(&shard.join(file), &append, &[file]);
    }
}
