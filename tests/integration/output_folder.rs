//! Where datasets go: what was there before stays as it was, and no partial file looks whole.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{done, finish, refused, tree, windesk};
use crate::mini_pack;
use crate::quick_runs::Workshop;

#[test]
fn another_run_is_refused_and_the_same_one_adds_nothing() {
    let workshop = Workshop::new();
    let out = workshop.path("out");
    done(workshop.synth(&out, "5", &[]));
    let before = tree(&out);
    let differs = ["holds another run", "hint: give another --out, or --force to start over"];
    refused(workshop.synth(&out, "6", &[]), &differs);
    refused(workshop.synth(&out, "5", &["--seed", "1"]), &differs);
    refused(workshop.synth(&out, "5", &["--format", "webp"]), &differs);
    refused(workshop.synth(&out, "5", &["--set", "visible_ratio=0.9..1.0", "--set", "windows=3..4"]), &differs);
    refused(workshop.synth(&out, "5", &["--range", "0..2"]), &differs);
    assert_eq!(tree(&out), before);
    assert!(done(workshop.synth(&out, "5", &["--threads", "1"])).stderr.contains("(0 made in this run"));
    assert_eq!(tree(&out), before);
    done(workshop.synth(&out, "5", &["--seed", "1", "--force"]));
    assert_ne!(tree(&out), before);
    done(workshop.synth(&out, "5", &["--force"]));
    assert_eq!(tree(&out), before);
}

/// A pipe was waited for without end.
#[cfg(unix)]
#[test]
fn pipes_in_the_output_are_no_datasets() {
    let workshop = Workshop::new();
    for name in ["manifest.json", ".windesk/run.json", ".windesk/part-00000.json"] {
        let pipe = workshop.path("out").join(name);
        fs::create_dir_all(pipe.parent().unwrap()).unwrap();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let finished = finish(workshop.synth(&workshop.path("out"), "2", &[]));
        let read = name != ".windesk/run.json";
        assert_eq!(finished.code, Some(if read { 2 } else { 0 }), "{name}: {}", finished.stderr);
        assert!(!read || finished.stderr.contains(name), "{name}: {}", finished.stderr);
        fs::remove_dir_all(workshop.path("out")).unwrap();
    }
}

/// A kill between two of the last files leaves one under the name that it has until it is whole.
#[test]
fn what_a_killed_run_left_half_written_is_no_foreign_file() {
    let workshop = Workshop::new();
    let whole = workshop.path("whole");
    done(workshop.synth(&whole, "5", &[]));
    for more in [&[][..], &["--force"]] {
        let out = workshop.path("out");
        fs::create_dir(&out).unwrap();
        for name in ["README.md", "croissant.json", "manifest.json", "rejections.jsonl", "run.json", "stats.json"] {
            fs::write(out.join(format!(".{name}.a1B2c3.tmp")), "{").unwrap();
        }
        done(workshop.synth(&out, "5", more));
        assert_eq!(tree(&out), tree(&whole));
        fs::remove_dir_all(&out).unwrap();
    }
    let out = workshop.path("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("thesis.txt.tmp"), "years of work").unwrap();
    refused(workshop.synth(&out, "5", &["--force"]), &["found `thesis.txt.tmp`"]);
}

#[test]
fn folders_of_others_are_left_alone() {
    let workshop = Workshop::new();
    let out = workshop.path("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("thesis.txt"), "years of work").unwrap();
    let before = tree(&out);
    for more in [&[][..], &["--force"]] {
        refused(workshop.synth(&out, "2", more), &["found `thesis.txt`, expected an empty folder or a dataset of windesk"]);
        assert_eq!(tree(&out), before);
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
    }
}

#[test]
fn files_that_a_killed_run_left_are_taken_away() {
    let workshop = Workshop::new();
    let [whole, out] = ["whole", "out"].map(|name| workshop.path(name));
    done(workshop.synth(&whole, "2", &[]));
    let left = [".manifest.json.Ab12Cd.tmp", ".run.json.0xYzzZ.tmp", "images/00000/.quick-s0.quick-000001.png.A1b2C3.tmp"];
    for name in left {
        fs::create_dir_all(out.join(name).parent().unwrap()).unwrap();
        fs::write(out.join(name), "half").unwrap();
    }
    done(workshop.synth(&out, "2", &[]));
    assert_eq!(tree(&out), tree(&whole));
    // One of another program is none of ours.
    let other = workshop.path("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join(".thesis.txt.Ab12Cd.tmp"), "a year of work").unwrap();
    refused(workshop.synth(&other, "2", &[]), &["found `.thesis.txt.Ab12Cd.tmp`, expected an empty folder"]);
}

#[test]
fn two_runs_at_once() {
    let workshop = Workshop::new();
    let out = workshop.path("out");
    let mut first =
        workshop.synth(&out, "2000", &["--threads", "1"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !out.join("images/00000").exists() {
        assert!(first.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    for more in [&[][..], &["--force"]] {
        refused(workshop.synth(&out, "2000", more), &["another process is writing to this folder", "hint: wait for it"]);
    }
    if Path::new("/proc/locks").exists() {
        refused(workshop.synth(&out, "2000", &[]), &[&format!("(process {}, windesk)", first.id())]);
    }
    assert!(first.try_wait().unwrap().is_none(), "the first run goes on");
    first.kill().unwrap();
    first.wait().unwrap();
}

/// A run that has made all its parts and can't conclude: a folder lies where a file should.
fn all_but_concluded(workshop: &Workshop, out: &Path, more: &[&str]) {
    fs::create_dir_all(out.join("stats.json")).unwrap();
    refused(workshop.synth(out, "5", more), &["stats.json"]);
    fs::remove_dir(out.join("stats.json")).unwrap();
    assert!(out.join(".windesk/part-00000.json").is_file());
}

/// What a power cut leaves of files that were not on the disk.
#[test]
fn a_part_whose_files_are_not_what_its_marker_says_is_made_again() {
    let workshop = Workshop::new();
    let whole = workshop.path("whole");
    done(workshop.synth(&whole, "5", &["--overlay"]));
    let picture = "images/00000/quick-s0.quick-000003.png";
    let zeros = |path: &Path| fs::write(path, vec![0; fs::metadata(path).unwrap().len() as usize]).unwrap();
    let empty = |path: &Path| fs::write(path, b"").unwrap();
    let gone = |path: &Path| fs::remove_file(path).unwrap();
    type Damage<'a> = (&'a [&'a str], &'a str, &'a dyn Fn(&Path), u32);
    let damages: [Damage; 11] = [
        (&[], "scenes/part-00000.jsonl", &|_| {}, 0),
        (&[], ".windesk/part-00000.json", &empty, 5),
        (&[], ".windesk/part-00000.json", &zeros, 5),
        (&[], ".windesk/run.json", &empty, 0),
        (&[], picture, &empty, 5),
        (&[], picture, &gone, 5),
        (&[], "scenes/part-00000.jsonl", &empty, 5),
        (&[], "overlays/00000/quick-s0.quick-000000.png", &empty, 5),
        (&[], "images/00000/SHA256SUMS", &gone, 5),
        // Where nobody waited for the disk, a size proves nothing.
        (&["--no-sync"], picture, &zeros, 5),
        (&["--no-sync"], "plans/part-00000.jsonl", &|_| {}, 0),
    ];
    for (more, name, damage, made) in damages {
        let out = workshop.path("out");
        let more = [&["--overlay"], more].concat();
        all_but_concluded(&workshop, &out, &more);
        damage(&out.join(name));
        let said = done(workshop.synth(&out, "5", &more)).stderr;
        assert!(said.contains(&format!("({made} made in this run")), "{name}: {said}");
        assert_eq!(tree(&out), tree(&whole), "{name}");
        fs::remove_dir_all(&out).unwrap();
    }
}

/// A run that waits for the disk goes on where one that did not was interrupted: its parts are synced later.
#[test]
fn parts_that_were_not_synced_are_synced_later() {
    let workshop = Workshop::new();
    let out = workshop.path("out");
    for (more, synced) in [(&["--no-sync"][..], false), (&[], true), (&["--no-sync"], true)] {
        all_but_concluded(&workshop, &out, more);
        let marker = fs::read_to_string(out.join(".windesk/part-00000.json")).unwrap();
        assert!(marker.contains(&format!("\"synced\":{synced}")), "{more:?}: {marker}");
    }
}

#[test]
fn a_run_is_known_by_whatever_is_left_of_it() {
    let workshop = Workshop::new();
    let [whole, out] = ["whole", "out"].map(|name| workshop.path(name));
    done(workshop.synth(&whole, "5", &[]));
    all_but_concluded(&workshop, &out, &[]);
    for name in [".windesk/run.json", "manifest.json"] {
        fs::write(out.join(name), b"").unwrap();
    }
    refused(workshop.synth(&out, "5", &["--seed", "1"]), &["holds another run"]);
    done(workshop.synth(&out, "5", &[]));
    assert_eq!(tree(&out), tree(&whole));
    // With nothing but an empty manifest, nobody can tell.
    fs::write(out.join("manifest.json"), b"").unwrap();
    refused(workshop.synth(&out, "5", &[]), &["manifest.json", "hint: --force starts over"]);
    done(workshop.synth(&out, "5", &["--force"]));
    assert_eq!(tree(&out), tree(&whole));
}

/// `--force` removes file by file. What it had not removed when it was killed is no part of the new dataset.
#[test]
fn a_killed_removal_goes_on() {
    let workshop = Workshop::new();
    let [whole, out] = ["whole", "out"].map(|name| workshop.path(name));
    done(workshop.synth(&whole, "5", &[]));
    done(workshop.synth(&out, "9", &["--seed", "1"]));
    fs::create_dir(out.join(".windesk")).unwrap();
    fs::write(out.join(".windesk/clearing"), b"").unwrap();
    for name in ["manifest.json", "README.md", "scenes/part-00000.jsonl"] {
        fs::remove_file(out.join(name)).unwrap();
    }
    done(workshop.synth(&out, "5", &[]));
    assert_eq!(tree(&out), tree(&whole));
}

#[test]
fn folders_that_cannot_be_made() {
    let workshop = Workshop::new();
    fs::write(workshop.path("file"), "a file").unwrap();
    refused(workshop.synth(&workshop.path("file"), "2", &[]), &["file: can't make the folder"]);
    refused(workshop.synth(&workshop.path("file/out"), "2", &[]), &["file/out: can't make the folder"]);
    assert_eq!(fs::read_to_string(workshop.path("file")).unwrap(), "a file");
    if Path::new("/proc/self").exists() {
        refused(workshop.synth(Path::new("/proc/windesk"), "2", &[]), &["/proc/windesk: can't make the folder"]);
    }
}

/// No part, no image and no manifest may be there that differs from those of a run that had room.
fn check_what_is_left(left: &Path, whole: &Path) {
    let whole = tree(whole);
    let left = tree(left);
    assert!(!left.contains_key("manifest.json"));
    for (name, digest) in left {
        let own = name.ends_with(".tmp") || name.starts_with(".windesk/");
        assert!(own || whole.get(&name) == Some(&digest), "{name} looks whole and is not");
    }
}

/// The system refuses to write more than so much into a file.
#[test]
fn files_that_cannot_grow() {
    let workshop = Workshop::new();
    let [whole, out] = ["whole", "out"].map(|name| workshop.path(name));
    done(workshop.synth(&whole, "8", &[]));
    let wanted = workshop.synth(&out, "8", &[]);
    // In units of 512 bytes; without the signal, writing fails as on a full disk.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 32; exec \"$@\"", "sh"]).arg(wanted.get_program()).args(wanted.get_args());
    refused(limited, &["out/"]);
    check_what_is_left(&out, &whole);
    done(workshop.synth(&out, "8", &[]));
    assert_eq!(tree(&out), tree(&whole));
}

/// Needs the right to mount; elsewhere it says that it was skipped.
#[test]
fn a_full_disk() {
    let workshop = Workshop::new();
    let [whole, disk] = ["whole", "disk"].map(|name| workshop.path(name));
    fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(&disk).output();
    if !mounted.is_ok_and(|m| m.status.success()) {
        eprintln!("skipped: a full disk needs the right to mount one; `files_that_cannot_grow` comes near it");
        return;
    }
    done(workshop.synth(&whole, "40", &[]));
    let finished = finish(workshop.synth(&disk.join("out"), "40", &[]));
    let left = workshop.path("left");
    mini_pack::copy_folder(&disk.join("out"), &left);
    let unmounted = Command::new("umount").arg(&disk).status().unwrap();
    assert!(unmounted.success());
    assert_eq!(finished.code, Some(2), "{}", finished.stderr);
    assert!(finished.stderr.contains("No space left on device"), "{}", finished.stderr);
    check_what_is_left(&left, &whole);
}

#[test]
fn the_default_folder_is_named_after_the_run() {
    let workshop = Workshop::new();
    let pack = mini_pack::folder();
    let mut command = windesk(["synth", "--level", "quick.toml", "--n", "1", "--seed", "4", "--pack", pack.to_str().unwrap()]);
    command.current_dir(workshop.folder());
    let finished = finish(command);
    assert_eq!(finished.stdout, "windesk-quick-s4-n1\n", "{}", finished.stderr);
    assert!(workshop.path("windesk-quick-s4-n1/manifest.json").is_file());
}
