//! Runs that are killed at moments spread over their whole length, their first and last files included.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::command::{finish, tree};

/// How often a moment is tried, since a run may be over before it.
const TRIES: usize = 3;

/// Kills runs at so many moments, the same in every test run, and finishes each with another one. Their files must be
/// those of a run that was not killed, which are returned with their digests.
pub fn resumes_from_moments(moments: u32, begin: impl Fn(&Path) -> Command) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let started = Instant::now();
    assert_eq!(finish(begin(&whole)).code, Some(0));
    let mut length = started.elapsed();
    let whole = tree(&whole);
    let mut cut_short = 0;
    for moment in 0..moments {
        // A fixed shuffle within the moment's share.
        let within = (moment * 7919 + 13) % 100;
        let share = (f64::from(moment) + f64::from(within) / 100.0) / f64::from(moments);
        for _ in 0..TRIES {
            let until = length.mul_f64(share);
            let mut run = begin(&killed).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(until);
            run.kill().unwrap();
            run.wait().unwrap();
            let was_over = killed.join("manifest.json").exists();
            assert_eq!(finish(begin(&killed)).code, Some(0));
            assert_eq!(tree(&killed), whole, "killed after {until:?} of {length:?}");
            fs::remove_dir_all(&killed).unwrap();
            if !was_over {
                cut_short += 1;
                break;
            }
            // The run that was timed had other tests beside it, and took longer.
            length = until;
        }
    }
    assert!(cut_short * 5 >= moments * 3, "only {cut_short} of {moments} runs were cut short");
    whole
}
