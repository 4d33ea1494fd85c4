//! Datasets that were interrupted or cut are no datasets: none is scored, asked, reviewed, exported or looked at.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::command::{finish, refused, succeeds, windesk};
use crate::mini_pack;
use crate::quick_runs::LEVEL;

/// A small sound dataset, made once.
fn sound() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("whole-dataset");
        fs::create_dir_all(&place).unwrap();
        let (level, out, pack) = (place.join("quick.toml"), place.join("sound"), mini_pack::folder());
        fs::write(&level, LEVEL).unwrap();
        let [level, text, pack] = [&level, &out, &pack].map(|path| path.to_str().unwrap());
        succeeds(["synth", "--n", "3", "--force", "--level", level, "--out", text, "--pack", pack]);
        out
    })
}

fn copy() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("dataset");
    mini_pack::copy_folder(sound(), &copy);
    (folder, copy)
}

fn cut(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, text.lines().take(2).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

/// What reads the scenes of a dataset; nothing may be left where it was to write.
fn refuses(change: impl Fn(&Path), commands: &[&str], expected: &[&str]) {
    for what in commands {
        let (folder, dataset) = copy();
        change(&dataset);
        let answers = folder.path().join("answers.jsonl");
        fs::write(&answers, "").unwrap();
        let (out, pack) = (folder.path().join("out"), mini_pack::folder());
        let [data, answers, out_text, pack] = [&dataset, &answers, &out, &pack].map(|path| path.to_str().unwrap());
        let command = match *what {
            "eval" => windesk(["eval", data, answers, "--out", out_text]),
            "predict" => windesk(["predict", data, "--agent", "center", "--out", out_text]),
            "review" => windesk(["review", data, "--out", out_text]),
            "export" => windesk(["export", data, "--to", "coco", "--allow-lossy", "--out", out_text]),
            "view" => windesk(["view", data, "--out", out_text]),
            "overlay" => windesk(["overlay", data, "--pack", pack, "--out", out_text]),
            other => panic!("{other}"),
        };
        refused(command, expected);
        assert!(!out.exists(), "{what}");
    }
}

const ALL: [&str; 6] = ["eval", "predict", "review", "export", "view", "overlay"];
const SCORED: [&str; 3] = ["eval", "predict", "review"];

#[test]
fn cut_scenes() {
    let part = "scenes/part-00000.jsonl";
    let expected = ["part-00000.jsonl: found 2 lines, expected 3 as its manifest.json says", "`windesk verify`"];
    refuses(|dataset| cut(&dataset.join(part)), &ALL, &expected);
    refuses(|dataset| fs::remove_file(dataset.join(part)).unwrap(), &ALL, &[part, "`windesk verify`"]);
    // A file that is named is all that there is.
    let (folder, dataset) = copy();
    cut(&dataset.join(part));
    let out = folder.path().join("out.jsonl");
    succeeds(["predict", dataset.join(part).to_str().unwrap(), "--agent", "center", "--out", out.to_str().unwrap()]);
}

#[test]
fn manifests_that_are_lost_or_broken() {
    let interrupted = |dataset: &Path| {
        fs::remove_file(dataset.join("manifest.json")).unwrap();
        fs::create_dir(dataset.join(".windesk")).unwrap();
    };
    refuses(interrupted, &SCORED, &["manifest.json: not found", "the run was interrupted"]);
    let lost = |dataset: &Path| fs::remove_file(dataset.join("manifest.json")).unwrap();
    refuses(lost, &SCORED, &["manifest.json: not found", "name it: ", "scenes/part-00000.jsonl"]);
    for text in ["", "{\"dataset\": \"x\"}", "[]"] {
        let broken = |dataset: &Path| fs::write(dataset.join("manifest.json"), text).unwrap();
        refuses(broken, &SCORED, &["manifest.json: ", "expected the manifest of a dataset"]);
    }
}

#[test]
fn cut_tasks_and_states() {
    use super::fixtures::{example, finished};
    for (kind, protocol, dataset, answers) in
        [("tasks", "sequence", "tasks.jsonl", "task-answers.jsonl"), ("states", "state", "states.jsonl", "state-answers.jsonl")]
    {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(kind)).unwrap();
        let part = folder.path().join(kind).join("part-00000.jsonl");
        fs::copy(example(dataset), &part).unwrap();
        let eval = || {
            let mut command = windesk(["eval", "--protocol", protocol]);
            command.arg(folder.path()).arg(example(answers));
            command
        };
        refused(eval(), &["manifest.json: not found"]);
        finished(folder.path());
        let done = finish(eval());
        assert!(done.code == Some(0) || done.code == Some(1), "{}", done.stderr);
        cut(&part);
        refused(eval(), &["part-00000.jsonl: found 2 lines, expected", "`windesk verify`"]);
    }
}

/// A picture of a dataset used to be replaced by one with boxes drawn over it.
#[test]
fn files_of_a_dataset_are_not_written_over() {
    let (folder, dataset) = copy();
    let scene = fs::read_dir(dataset.join("images/00000")).unwrap().map(|entry| entry.unwrap().path());
    let picture = scene.into_iter().find(|path| path.extension().is_some_and(|e| e == "png")).unwrap();
    let id = picture.file_stem().unwrap().to_str().unwrap().to_owned();
    let pack = mini_pack::folder();
    let [data, picture, pack] = [&dataset, &picture, &pack].map(|path| path.to_str().unwrap());
    let before = crate::command::tree(&dataset);
    let pictures = format!("{data}/images/00000");
    let [manifest, scenes] = ["manifest.json", "scenes/new.jsonl"].map(|name| format!("{data}/{name}"));
    let answers = folder.path().join("answers.jsonl");
    fs::write(&answers, "").unwrap();
    let answers = answers.to_str().unwrap();
    for args in [
        &["replay", data, "--id", &id, "--pack", pack, "--out", picture][..],
        &["replay", data, "--pack", pack, "--out", &pictures],
        &["overlay", data, "--id", &id, "--pack", pack, "--out", picture],
        &["predict", data, "--agent", "center", "--out", &scenes],
        &["review", data, "--out", &pictures],
        &["eval", data, answers, "--out", &manifest],
        &["eval", data, answers, "--outcomes", &scenes],
        &["eval", data, answers, "--export", &pictures],
    ] {
        refused(windesk(args), &["found a place of the dataset", "expected one outside its files"]);
    }
    assert_eq!(crate::command::tree(&dataset), before);
    // Beside its own files there is room.
    succeeds(["predict", data, "--agent", "center", "--out", &format!("{data}/answers.jsonl")]);
}
