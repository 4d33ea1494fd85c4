//! Runs the program as a user would, and looks at what it leaves behind.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

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

/// Longer than any command of a test takes, on a busy machine too.
const LIMIT: Duration = Duration::from_secs(300);

/// Runs a command to its end. One that never ends fails its test: it would keep all others from being reported.
pub fn finish(mut command: Command) -> Finished {
    let shown = format!("{command:?}");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap_or_else(|e| panic!("{shown}: {e}"));
    let readers = (read_all(child.stdout.take().unwrap()), read_all(child.stderr.take().unwrap()));
    let code = ends_within(&mut child, LIMIT);
    let text = |reader: JoinHandle<Vec<u8>>| String::from_utf8(reader.join().unwrap()).expect("UTF-8");
    let (stdout, stderr) = (text(readers.0), text(readers.1));
    let code = code.unwrap_or_else(|| panic!("{shown}: still running after {LIMIT:?}: {stderr}"));
    Finished { code, stdout, stderr }
}

/// The exit code of a process, `None` for a signal; nothing for one that had to be killed, since it ran too long.
pub fn ends_within(child: &mut Child, limit: Duration) -> Option<Option<i32>> {
    let end = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status.code());
        }
        if Instant::now() > end {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn read_all(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

/// Runs the program and expects exit code 0.
pub fn succeeds(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Finished {
    done(windesk(args))
}

/// The same of a command that is put together already.
pub fn done(command: Command) -> Finished {
    let finished = finish(command);
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
