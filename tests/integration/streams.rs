//! What the program is connected to may fail: closed pipes, full disks, names that are no text, absurd numbers.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::command::{ends_within, finish, refused, windesk};
use crate::mini_pack;
use crate::quick_runs::LEVEL;

const LIMIT: Duration = Duration::from_secs(120);

/// A small dataset with predictions and an icon of its own, made once for all commands of a test.
struct Workshop {
    place: tempfile::TempDir,
}

impl Workshop {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at("quick.toml"), LEVEL).unwrap();
        let workshop = Self { place };
        let made = finish(workshop.command(&["synth", "--level", "quick.toml", "--n", "2", "--out", "data", "--pack", "PACK"]));
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let said = finish(workshop.command(&["predict", "data", "--agent", "oracle", "--out", "oracle.jsonl"]));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        workshop
    }

    fn path(&self) -> &Path {
        self.place.path()
    }

    /// `PACK` stands for the pack's folder.
    fn command(&self, args: &[&str]) -> Command {
        let pack = mini_pack::folder();
        let args = args.iter().map(|&arg| if arg == "PACK" { OsString::from(&pack) } else { arg.into() });
        let mut command = windesk(args);
        command.current_dir(self.path());
        command
    }
}

/// A command of every kind that prints.
const PRINTING: [&[&str]; 20] = [
    &["--help"],
    &["synth", "--help"],
    &["--version"],
    &["sweeps"],
    &["formats"],
    &["formats", "--json"],
    &["completions", "bash"],
    &["man"],
    &["config", "synth"],
    &["inspect", "data", "0"],
    &["stats", "data"],
    &["diff", "data", "data"],
    &["verify", "data", "--pack", "PACK"],
    &["eval", "data", "oracle.jsonl"],
    &["eval", "data", "oracle.jsonl", "--report", "json"],
    &["pack", "stats", "--pack", "PACK"],
    &["pack", "check", "--pack", "PACK"],
    &["synth", "--level", "quick.toml", "--n", "1", "--out", "once", "--force", "--pack", "PACK"],
    &["synth", "--level", "quick.toml", "--n", "1", "--dry-run", "--pack", "PACK"],
    &["export", "data", "--to", "coco", "--out", "coco", "--force", "--allow-lossy"],
];

/// Runs a command with these streams; its exit code.
fn code(mut command: Command, stdout: Stdio, stderr: Stdio) -> Option<i32> {
    let shown = format!("{command:?}");
    let mut child = command.stdout(stdout).stderr(stderr).spawn().unwrap();
    ends_within(&mut child, LIMIT).unwrap_or_else(|| panic!("{shown}: still running after {LIMIT:?}"))
}

/// A pipe that nobody reads.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn a_reader_that_stops_ends_nothing() {
    let workshop = Workshop::new();
    for args in PRINTING {
        let errors = workshop.path().join("errors");
        let usual = finish(workshop.command(args)).code;
        let file = fs::File::create(&errors).unwrap();
        assert_eq!(code(workshop.command(args), closed_pipe(), file.into()), usual, "{args:?}");
        let said = fs::read_to_string(&errors).unwrap();
        assert!(!said.contains("panicked") && !said.contains("pipe"), "{args:?}: {said}");
        assert_eq!(code(workshop.command(args), Stdio::null(), closed_pipe()), usual, "{args:?}: stderr closed");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_lost_messages_are_not() {
    let full = || Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap());
    let workshop = Workshop::new();
    for args in PRINTING {
        let errors = workshop.path().join("errors");
        let usual = finish(workshop.command(args)).code;
        let prints = !finish(workshop.command(args)).stdout.is_empty();
        let file = fs::File::create(&errors).unwrap();
        let with_full = code(workshop.command(args), full(), file.into());
        let said = fs::read_to_string(&errors).unwrap();
        assert_eq!(with_full, if prints { Some(2) } else { usual }, "{args:?}: {said}");
        assert!(!said.contains("panicked"), "{args:?}: {said}");
        assert_eq!(prints, said.contains("error: stdout: No space left on device"), "{args:?}: {said}");
        assert_eq!(code(workshop.command(args), Stdio::null(), full()), usual, "{args:?}: stderr full");
    }
}

/// As `/dev/stdout` is one: whoever puts a file in its place has taken it away.
#[cfg(unix)]
#[test]
fn an_output_that_is_a_link_stays_one() {
    let workshop = Workshop::new();
    let target = workshop.path().join("target");
    for args in [
        &["eval", "data", "oracle.jsonl", "--report", "json", "--out", "link"][..],
        &["eval", "data", "oracle.jsonl", "--outcomes", "link"],
        &["pack", "archive", "PACK", "--out", "link"],
        &["replay", "data", "--pack", "PACK", "--index", "0", "--out", "link.png"],
        &["overlay", "data", "--pack", "PACK", "--id", "quick-s0.quick-000001", "--out", "link.png"],
    ] {
        let link = workshop.path().join(args[args.len() - 1]);
        fs::write(&target, "").unwrap();
        std::os::unix::fs::symlink("target", &link).unwrap();
        let finished = finish(workshop.command(args));
        assert_eq!(finished.code, Some(0), "{args:?}: {}", finished.stderr);
        assert!(link.is_symlink() && fs::metadata(&target).unwrap().len() > 100, "{args:?}");
        fs::remove_file(&link).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStringExt;
    let workshop = Workshop::new();
    let odd = |name: &str| OsString::from_vec([name.as_bytes(), b"-\xff"].concat());
    let runs: [(&[&str], &str); 9] = [
        (&["synth", "--level", "quick.toml", "--n", "2", "--pack", "PACK", "--json", "--out"], "data"),
        (&["merge", "data", "--pack", "PACK", "--json", "--out"], "merged"),
        (&["export", "data", "--to", "coco", "--allow-lossy", "--out"], "coco"),
        (&["predict", "data", "--agent", "random", "--out"], "random"),
        (&["eval", "data", "oracle.jsonl", "--out"], "report"),
        (&["view", "data", "--out"], "pages"),
        (&["review", "data", "--raters", "1", "--out"], "kit"),
        (&["icons", "--n", "1", "--icons", "4", "--json", "--out"], "icons"),
        (&["replay", "data/plans/part-00000.jsonl", "--pack", "PACK", "--out"], "replayed"),
    ];
    for (args, name) in runs {
        let mut command = workshop.command(args);
        command.arg(odd(name));
        let finished = finish(command);
        assert!(!finished.stderr.contains("panicked"), "{args:?}: {}", finished.stderr);
        assert_eq!(finished.code, Some(0), "{args:?}: {}", finished.stderr);
        assert!(workshop.path().join(PathBuf::from(odd(name))).exists(), "{args:?}");
    }
    // What was written under such a name can be read again.
    let mut verify = workshop.command(&["verify", "--pack", "PACK"]);
    verify.arg(odd("data"));
    let finished = finish(verify);
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), ""), "{}", finished.stderr);
}

#[test]
fn absurd_numbers_are_refused_before_anything_is_written() {
    let workshop = Workshop::new();
    for n in ["18446744073709551615", "100000000000", "1000000001"] {
        for more in [&[][..], &["--dry-run"], &["--shard", "3/4"]] {
            let args = ["synth", "--level", "quick.toml", "--n", n, "--pack", "PACK", "--out", "huge"];
            let all: Vec<&str> = args.iter().chain(more).copied().collect();
            refused(workshop.command(&all), &["--n: found", n, "expected at most 1000000000 samples"]);
            assert!(!workshop.path().join("huge").exists());
        }
    }
    refused(
        workshop.command(&["synth", "--level", "quick.toml", "--n", "99999999999999999999999", "--pack", "PACK"]),
        &["--n", "99999999999999999999999"],
    );
}
