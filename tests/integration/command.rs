//! Runs the program as a user would, and looks at what it leaves behind.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use windesk::model::digest::hex_digest;

/// What a finished run said.
#[derive(Debug)]
pub struct Finished {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The program, not yet started. It keeps no pictures unless asked to: what one test has kept must not hide from
/// another what it broke.
pub fn windesk(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_windesk"));
    command.args(args).stdin(Stdio::null()).env("WINDESK_CACHE_DIR", "none");
    command
}

/// Runs a command to its end.
pub fn finish(mut command: Command) -> Finished {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Finished { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs the program and expects exit code 0.
pub fn succeeds(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Finished {
    let finished = finish(windesk(args));
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    finished
}

/// Expects bad input to be refused: exit code 2, nothing on stdout, and an error that says all of `expected`.
pub fn refused(command: Command, expected: &[&str]) {
    let said = format!("{command:?}");
    let finished = finish(command);
    assert_eq!(finished.code, Some(2), "{said}: {}", finished.stderr);
    assert_eq!(finished.stdout, "", "{said}");
    assert!(finished.stderr.contains("error: "), "{said}: {}", finished.stderr);
    for part in expected {
        assert!(finished.stderr.contains(part), "{said}: expected `{part}` in: {}", finished.stderr);
    }
}

/// Every file of a folder with its digest. `run.json` holds time and machine and is left out.
pub fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    list(folder, "", &mut found);
    found.remove("run.json");
    found
}

fn list(folder: &Path, prefix: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            list(&entry.path(), &format!("{name}/"), found);
        } else {
            found.insert(name, hex_digest(&fs::read(entry.path()).unwrap()));
        }
    }
}
