//! Every command of the README runs as it stands there, but for large numbers of samples.

use std::fs;
use std::path::Path;

use crate::command::{finish, windesk};

const MAIN_JOB: &str = "synth --level L4 --n 500";

/// Lines of the README's `sh` blocks that call the program, without the program's name.
fn commands(readme: &str) -> Vec<Vec<String>> {
    let mut in_block = false;
    let mut found = Vec::new();
    for line in readme.lines() {
        if line.starts_with("```") {
            in_block = line == "```sh";
        } else if let Some(arguments) = ["windesk ", "cargo run --release -- "].iter().find_map(|start| line.strip_prefix(start))
            && in_block
        {
            // A built binary stands in for `cargo run`, which would build it once more.
            assert!(!arguments.contains(['\'', '"', '\\', '|', '>', '<', '$', '&', ';', '#', '*']), "`{line}` needs a shell");
            found.push(arguments.split_whitespace().map(str::to_owned).collect());
        }
    }
    found
}

/// The command with `--n` cut to what shows that it works; the main job stays whole, as others read its folder.
fn with_few_samples(command: &[String]) -> Vec<String> {
    if command.join(" ") == MAIN_JOB {
        return command.to_vec();
    }
    // A bench has more than twenty conditions.
    let enough: u64 = if command[0] == "bench" { 3 } else { 40 };
    let mut command = command.to_vec();
    if let Some(at) = command.iter().position(|argument| argument == "--n") {
        let written: u64 = command[at + 1].parse().expect("a number of samples after --n");
        command[at + 1] = written.min(enough).to_string();
    }
    command
}

#[test]
fn every_command_runs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let commands = commands(&readme);
    assert!(commands.iter().any(|c| c.join(" ") == MAIN_JOB), "the main job is in the README");
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (at, command) in commands.iter().enumerate() {
        let command = with_few_samples(command);
        let mut run = windesk(&command);
        // As for a reader, who has images of earlier commands: without them each would be decoded again and again.
        run.current_dir(folder.path()).env("WINDESK_CACHE_DIR", cache.path());
        let finished = finish(run);
        assert_eq!(finished.code, Some(0), "windesk {}: {}", command.join(" "), finished.stderr);
        // Thousands of pictures: what no later command reads goes at once.
        let later = commands[at + 1..].concat().join(" ");
        for entry in fs::read_dir(folder.path()).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() && !later.contains(entry.file_name().to_str().unwrap()) {
                fs::remove_dir_all(entry.path()).unwrap();
            }
        }
    }
}
