//! The same dataset, byte for byte, however it is made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::command::{succeeds, tree, windesk};
use crate::killed::resumes_from_moments;
use crate::mini_pack;
use crate::quick_runs;

/// Arguments of a run over the mini pack.
fn synth(level: &Path, n: u64, out: &Path, more: &[&str]) -> Vec<String> {
    let n = n.to_string();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let mut args: Vec<String> = ["synth", "--n", &n, "--seed", "3"].map(str::to_owned).into();
    args.extend([
        "--level".to_owned(),
        text(level),
        "--pack".to_owned(),
        text(&mini_pack::folder()),
        "--out".to_owned(),
        text(out),
    ]);
    args.extend(more.iter().map(|m| (*m).to_owned()));
    args
}

/// A folder with a level file in it.
fn workshop(level: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mini.toml");
    fs::write(&path, level).unwrap();
    (folder, path)
}

/// Small scenes of few windows: hundreds take seconds.

#[test]
fn threads_change_no_byte() {
    let (folder, level) = workshop(mini_pack::LEVEL);
    let trees = ["1", "2", "16"].map(|threads| {
        let out = folder.path().join(threads);
        succeeds(synth(&level, 12, &out, &["--threads", threads, "--overlay"]));
        tree(&out)
    });
    assert_eq!(trees[0].keys().filter(|name| name.ends_with(".png")).count(), 24);
    assert_eq!(trees[0], trees[1]);
    assert_eq!(trees[0], trees[2]);
}

#[test]
fn shards_and_ranges_make_the_same_samples() {
    let (folder, level) = workshop(mini_pack::LEVEL);
    let whole = folder.path().join("whole");
    succeeds(synth(&level, 10, &whole, &[]));
    let check = |pieces: &[[&str; 2]]| {
        let mut lines = ["scenes", "annotations", "plans"].map(|kind| (kind, String::new()));
        let mut images = 0;
        for (at, piece) in pieces.iter().enumerate() {
            let out = folder.path().join(format!("{}-{at}", piece[0].trim_start_matches('-')));
            succeeds(synth(&level, 10, &out, piece));
            for (kind, lines) in &mut lines {
                *lines += &fs::read_to_string(out.join(format!("{kind}/part-00000.jsonl"))).unwrap();
            }
            for (name, digest) in tree(&out).into_iter().filter(|(name, _)| name.ends_with(".png")) {
                assert_eq!(tree(&whole).get(&name), Some(&digest), "{name}");
                images += 1;
            }
        }
        for (kind, lines) in lines {
            assert!(lines == fs::read_to_string(whole.join(format!("{kind}/part-00000.jsonl"))).unwrap(), "{kind} differ");
        }
        assert_eq!(images, 10);
    };
    check(&[["--shard", "0/3"], ["--shard", "1/3"], ["--shard", "2/3"]]);
    check(&[["--range", "0..1"], ["--range", "1..7"], ["--range", "7..10"]]);
}

#[test]
fn a_longer_run_extends_a_shorter_one() {
    let (folder, level) = workshop(mini_pack::LEVEL);
    let [short, long] = [4, 6].map(|n| {
        let out = folder.path().join(n.to_string());
        succeeds(synth(&level, n, &out, &[]));
        fs::read_to_string(out.join("scenes/part-00000.jsonl")).unwrap()
    });
    assert!(long.starts_with(&short) && long.len() > short.len());
}

/// Ends the program the hard way once it has written so many images.
fn kill_at(mut run: Child, out: &Path, images: usize) {
    let written = || {
        let parts = fs::read_dir(out.join("images")).into_iter().flatten().flatten();
        parts.flat_map(|part| fs::read_dir(part.path()).unwrap()).filter(|f| is_image(&f.as_ref().unwrap().path())).count()
    };
    while written() < images {
        assert!(run.try_wait().unwrap().is_none(), "the run ended before it could be killed at {images} images");
        std::thread::sleep(Duration::from_millis(1));
    }
    run.kill().unwrap();
    run.wait().unwrap();
}

fn is_image(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "png")
}

#[test]
fn a_killed_run_resumes_to_the_same_bytes() {
    let (folder, level) = workshop(quick_runs::LEVEL);
    let whole = folder.path().join("whole");
    succeeds(synth(&level, 520, &whole, &[]));
    let whole = tree(&whole);
    let out = folder.path().join("killed");
    for images in [1, 40, 270, 505] {
        let run = windesk(synth(&level, 520, &out, &["--threads", "2"])).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        kill_at(run.unwrap(), &out, images);
        let left = tree(&out);
        assert!(!left.contains_key("manifest.json"), "killed at {images} images, and yet it looks complete");
        for (name, digest) in &left {
            let own = name.ends_with(".tmp") || name.starts_with(".windesk/");
            assert!(own || whole.get(name) == Some(digest), "killed at {images} images: {name} looks whole and is not");
        }
    }
    let resumed = succeeds(synth(&level, 520, &out, &[]));
    assert!(!resumed.stderr.contains("(520 made in this run"), "complete parts are kept: {}", resumed.stderr);
    assert_eq!(tree(&out), whole);
}

#[test]
fn a_run_killed_at_twenty_moments_resumes_to_the_same_bytes() {
    let (_folder, level) = workshop(quick_runs::LEVEL);
    resumes_from_moments(20, |out| windesk(synth(&level, 253, out, &["--threads", "2"])));
}

#[test]
fn a_plan_replays_to_the_same_pixels() {
    let (folder, level) = workshop(mini_pack::LEVEL);
    let out = folder.path().join("dataset");
    succeeds(synth(&level, 3, &out, &[]));
    let pack = mini_pack::folder();
    let plans = out.join("plans/part-00000.jsonl");
    let replayed = folder.path().join("replayed");
    let said =
        succeeds(["replay", plans.to_str().unwrap(), "--pack", pack.to_str().unwrap(), "--out", replayed.to_str().unwrap()]);
    assert_eq!(said.stdout.lines().count(), 3);
    for index in 0..3 {
        let [first, again] =
            [out.join(format!("images/00000/mini-s3.mini-{index:06}.png")), replayed.join(format!("mini-{index:06}.png"))]
                .map(|path| image::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).into_rgb8());
        assert!(first == again, "scene {index} differs");
    }
}
