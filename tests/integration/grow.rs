//! `--extend` gives what one run would have made at once.

use std::fs;
use std::time::{Duration, Instant};

use crate::command::{done, ends_within, refused, tree, windesk};
use crate::mini_pack;
use crate::quick_runs::Workshop;

#[test]
fn a_dataset_grows_into_what_one_run_makes() {
    let workshop = Workshop::new();
    // Within a part, to the end of one, and over its border; a part holds 250.
    for more in [&["--overlay"][..], &["--compress-records"]] {
        let (grown, whole) = (workshop.path("grown"), workshop.path("whole"));
        for n in ["7", "8", "250", "255"] {
            if n == "250" {
                // As a kill leaves it between the manifest and the end.
                fs::create_dir(grown.join(".windesk")).unwrap();
                fs::write(grown.join(".windesk/part-00000.json"), "{}").unwrap();
            }
            let said = done(workshop.synth(&grown, n, &[more, &["--extend"]].concat())).stderr;
            let made = match n {
                "7" => "(7 made",
                "8" => "(1 made",
                "250" => "(242 made",
                _ => "(5 made",
            };
            assert!(said.contains(made), "{said}");
            done(workshop.synth(&whole, n, &[more, &["--force"]].concat()));
            assert_eq!(tree(&grown), tree(&whole), "{n} {more:?}");
        }
        assert!(done(workshop.synth(&grown, "255", &[more, &["--extend"]].concat())).stderr.contains("(0 made"));
        fs::remove_dir_all(&grown).unwrap();
        assert_eq!(workshop.entries(), ["quick.toml", "whole"]);
    }
}

/// The folder that a link leads to grows, and the link stays.
#[cfg(unix)]
#[test]
fn a_dataset_grows_behind_a_link() {
    let workshop = Workshop::new();
    let [elsewhere, real, link, whole] = ["elsewhere", "elsewhere/real", "link", "whole"].map(|name| workshop.path(name));
    fs::create_dir(&elsewhere).unwrap();
    done(workshop.synth(&real, "3", &[]));
    std::os::unix::fs::symlink(&real, &link).unwrap();
    done(workshop.synth(&link, "5", &["--extend"]));
    done(workshop.synth(&whole, "5", &[]));
    assert!(link.is_symlink());
    assert_eq!(tree(&real), tree(&whole));
    assert_eq!(workshop.entries(), ["elsewhere", "link", "quick.toml", "whole"]);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1);
}

#[test]
fn what_does_not_grow_is_left_as_it_is() {
    let workshop = Workshop::new();
    let out = workshop.path("out");
    done(workshop.synth(&out, "5", &[]));
    let before = tree(&out);
    refused(workshop.synth(&out, "6", &[]), &["holds another run"]);
    refused(workshop.synth(&out, "4", &["--extend"]), &["holds 5 samples", "expected no more than 4"]);
    refused(workshop.synth(&out, "6", &["--extend", "--seed", "1"]), &["holds another run"]);
    refused(workshop.synth(&out, "6", &["--extend", "--format", "webp"]), &["holds another run"]);
    refused(workshop.synth(&out, "6", &["--extend", "--force"]), &["--force"]);
    refused(windesk(["synth", "--level", "L1", "--n", "6", "--extend"]), &["--out"]);
    let shard = workshop.path("shard");
    done(workshop.synth(&shard, "6", &["--range", "0..3"]));
    refused(workshop.synth(&shard, "9", &["--extend"]), &["holds indices 0..3 of 6, expected all", "merge"]);
    assert_eq!(tree(&out), before);
    assert_eq!(workshop.entries(), ["out", "quick.toml", "shard"]);
    // What others have put there would go with the old folder.
    for name in ["predictions.jsonl", "images/00000/notes.txt", "scenes/mine.jsonl"] {
        fs::write(out.join(name), "years of work").unwrap();
        refused(workshop.synth(&out, "6", &["--extend"]), &[name, "not a file of this dataset"]);
        assert_eq!(fs::read_to_string(out.join(name)).unwrap(), "years of work");
        fs::remove_file(out.join(name)).unwrap();
    }
    // A damaged dataset is not built upon.
    let picture = fs::read_dir(out.join("images/00000"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .find(|p| p.ends_with("quick-s0.quick-000001.png"));
    let picture = picture.unwrap();
    let bytes = fs::read(&picture).unwrap();
    fs::remove_file(&picture).unwrap();
    refused(workshop.synth(&out, "6", &["--extend"]), &["quick-s0.quick-000001.png"]);
    fs::write(&picture, bytes).unwrap();
    let plans = out.join("plans/part-00000.jsonl");
    fs::write(&plans, fs::read_to_string(&plans).unwrap() + "\n").unwrap();
    refused(workshop.synth(&out, "6", &["--extend"]), &["plans/part-00000.jsonl", "manifest"]);
}

/// A growth may take hours, and the folder that it replaces is a place to put things.
#[test]
fn what_is_put_there_meanwhile_is_not_lost() {
    let workshop = Workshop::new();
    let out = workshop.path("out");
    done(workshop.synth(&out, "5", &[]));
    let mut command = workshop.synth(&out, "600", &["--extend", "--threads", "1"]);
    let mut child = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    // Its working folder is made after the dataset was looked at.
    let end = Instant::now() + Duration::from_secs(10);
    while !workshop.entries().iter().any(|name| name.ends_with(".more.tmp")) && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    fs::write(out.join("predictions.jsonl"), "years of work").unwrap();
    assert_eq!(ends_within(&mut child, Duration::from_secs(60)), Some(Some(2)));
    assert_eq!(fs::read_to_string(out.join("predictions.jsonl")).unwrap(), "years of work");
    fs::remove_file(out.join("predictions.jsonl")).unwrap();
    assert!(done(workshop.synth(&out, "600", &["--extend"])).stderr.contains("(0 made"));
}

/// Killed at any time: the dataset is the old one or the new one, and the same command goes on.
#[test]
fn a_killed_growth_goes_on() {
    let workshop = Workshop::new();
    let (grown, whole, small) = (workshop.path("grown"), workshop.path("whole"), workshop.path("small"));
    done(workshop.synth(&small, "40", &[]));
    done(workshop.synth(&whole, "300", &[]));
    let sizes = [tree(&small), tree(&whole)];
    mini_pack::copy_folder(&small, &grown);
    let mut wait = Duration::from_millis(40);
    let end = Instant::now() + Duration::from_secs(12);
    loop {
        let mut command = workshop.synth(&grown, "300", &["--extend", "--threads", "1"]);
        let mut child = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
        let ended = ends_within(&mut child, wait);
        // Gone for the moment between two renames: the next start puts it back.
        assert!(!grown.exists() || sizes.contains(&tree(&grown)), "neither the old nor the new dataset");
        if ended.is_some() || Instant::now() > end {
            break;
        }
        wait = wait * 5 / 3;
    }
    done(workshop.synth(&grown, "300", &["--extend"]));
    assert_eq!(tree(&grown), sizes[1]);
    // Killed between the two renames.
    fs::rename(&grown, workshop.path(".grown.old.tmp")).unwrap();
    mini_pack::copy_folder(&small, &workshop.path(".grown.new.tmp"));
    // And after them, before what the new folder was made of had gone.
    mini_pack::copy_folder(&small, &workshop.path(".grown.0123abcd.more.tmp"));
    assert!(done(workshop.synth(&grown, "300", &["--extend"])).stderr.contains("(0 made"));
    assert_eq!(tree(&grown), sizes[1]);
    assert_eq!(workshop.entries(), ["grown", "quick.toml", "small", "whole"]);
}
