//! Runs of a level whose scenes take milliseconds, in a folder of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::windesk;
use crate::mini_pack;

/// Two small windows, nothing covered.
pub const LEVEL: &str =
    "name = \"quick\"\nwindows = [2, 2]\nvisible_ratio = [1.0, 1.0]\ncanvas = [800, 600]\nchrome = \"none\"\n";

/// A folder that holds the level as `quick.toml`.
pub struct Workshop(tempfile::TempDir);

impl Workshop {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("quick.toml"), LEVEL).unwrap();
        Self(folder)
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// `windesk synth` of the level with windows of the mini pack, not yet started.
    pub fn synth(&self, out: &Path, n: &str, more: &[&str]) -> Command {
        let (level, pack) = (self.path("quick.toml"), mini_pack::folder());
        let [level, pack, out] = [&level, &pack, out].map(|p| p.to_str().unwrap());
        windesk(["synth", "--level", level, "--n", n, "--pack", pack, "--out", out].iter().chain(more))
    }

    /// Names of what lies in the folder, in order.
    pub fn entries(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder()).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}
