//! Changed conditions have names of their own: in the default folder, the ids and the records.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::command::{finish, windesk};
use crate::mini_pack;

/// Makes one sample in the default folder and gives the names that it bears: the folder's, the dataset's, the
/// condition's, the sample's id.
fn names(place: &Path, args: &[&str]) -> [String; 4] {
    let mut command = windesk(args.iter().chain(&["--n", "1"]));
    if args[0] != "icons" {
        command.args(["--pack", mini_pack::folder().to_str().unwrap()]);
    }
    command.current_dir(place);
    let finished = finish(command);
    assert_eq!(finished.code, Some(0), "{args:?}: {}", finished.stderr);
    let folder = finished.stdout.trim_end().to_owned();
    let scenes = std::fs::read_to_string(place.join(&folder).join("scenes/part-00000.jsonl")).unwrap();
    let scene: Value = serde_json::from_str(scenes.lines().last().unwrap()).unwrap();
    let text = |key: &str| scene[key].as_str().unwrap().to_owned();
    [folder, text("dataset"), text("condition"), text("id")]
}

const LEVEL: &str = "name = \"L1\"\nwindows = [2, 2]\nvisible_ratio = [1.0, 1.0]\nchrome = \"none\"\n";

/// Level files: a name of their own is kept, that of a shipped level is not, and a change of theirs is told.
#[test]
fn a_changed_condition_does_not_bear_the_name_of_the_genuine_one() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("own.toml"), LEVEL.replace("L1", "own").replace("chrome", "canvas = [1280, 800]\nchrome"))
        .unwrap();
    std::fs::write(place.path().join("l1.toml"), LEVEL).unwrap();
    let own = names(place.path(), &["synth", "--level", "own.toml"]);
    assert_eq!(own, ["windesk-own-s0-n1", "own-s0", "own", "own-s0.own-000000"]);
    let changed = [
        &["synth", "--level", "own.toml", "--set", "windows=3..3"][..],
        &["synth", "--level", "own.toml", "--set", "windows=3..4"],
        &["synth", "--level", "own.toml", "--ui-type", "text"],
        &["synth", "--level", "l1.toml"],
    ];
    let mut seen = BTreeSet::from([own]);
    for args in changed {
        let [folder, dataset, condition, id] = names(place.path(), args);
        assert!(condition.starts_with("own-") || condition.starts_with("L1-"), "{args:?}: {condition}");
        assert_eq!(folder, format!("windesk-{condition}-s0-n1"));
        assert_eq!(dataset, format!("{condition}-s0"));
        assert_eq!(id, format!("{dataset}.{condition}-000000"));
        assert!(seen.insert([folder, dataset, condition, id]), "{args:?}");
    }
    let said: Vec<&str> = seen.iter().map(|names| names[2].as_str()).collect();
    assert!(said.iter().any(|name| name.starts_with("own-windows-3-4-")), "{said:?}");
    assert!(said.iter().any(|name| name.starts_with("own-filters.ui_types-text-")), "{said:?}");
    // A name that the user gives is the user's.
    let given = names(place.path(), &["synth", "--level", "own.toml", "--set", "name=mine", "--set", "windows=3..3"]);
    assert_eq!(given[2], "mine");
    let mut command =
        windesk(["synth", "--level", "L1", "--set", "name=mine", "--set", "windows=3..4", "--n", "1", "--dry-run", "--json"]);
    command.current_dir(place.path());
    let estimate: Value = serde_json::from_str(&finish(command).stdout).unwrap();
    assert_eq!(estimate["dataset"], "mine-s0");
}

#[test]
fn changed_icon_probes_have_a_name_of_their_own() {
    let place = tempfile::tempdir().unwrap();
    let genuine = names(place.path(), &["icons", "--icons", "20"]);
    assert_eq!(genuine, ["windesk-icons-rare-s0-n1", "icons-rare-s0", "rare", "icons-rare-s0.rare-000000"]);
    let [folder, dataset, condition, id] = names(place.path(), &["icons", "--library", "emoji"]);
    assert!(condition.starts_with("rare-library-emoji-"), "{condition}");
    assert_eq!(folder, format!("windesk-icons-{condition}-s0-n1"));
    assert_eq!(dataset, format!("icons-{condition}-s0"));
    assert_eq!(id, format!("{dataset}.{condition}-000000"));
    // Two folders of icons are two libraries.
    let own = ["a", "b"].map(|name| {
        let folder = place.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        for number in 0..6 {
            let side = 8 + number * 3 + i32::from(name == "b");
            let icon = format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\"><path d=\"M2 2h{side}v28h-{side}z\" fill=\"#d03020\"/></svg>"
            );
            std::fs::write(folder.join(format!("icon-{number}.svg")), icon).unwrap();
        }
        names(place.path(), &["icons", "--library", &format!("./{name}"), "--icons", "3"])[2].clone()
    });
    assert_ne!(own[0], own[1]);
    assert!(own[0].contains("library-folder"), "{own:?}");
}

/// A sweep's conditions mean something within their sweep: the sweep gets the name.
#[test]
fn changed_sweeps_have_a_name_of_their_own() {
    use windesk::engine::config::Scan;
    use windesk::shipped::{LEVELS, SWEEPS, level, named_level, named_sweep_of, sweep};
    for (name, _) in LEVELS {
        assert_eq!(named_level(None, level(name, &[]).unwrap()), level(name, &[]).unwrap());
        let changed = named_level(None, level(name, &["target.min_visible_px=96".to_owned()]).unwrap());
        assert!(changed.name.starts_with(&format!("{name}-target.min_visible_px-96-")), "{}", changed.name);
    }
    for (name, _) in SWEEPS {
        let genuine = sweep(name, &[], &[]).unwrap();
        assert_eq!(named_sweep_of(None, genuine.clone()), genuine);
        let changed = named_sweep_of(None, sweep(name, &["target.min_visible_px=96".to_owned()], &[]).unwrap());
        assert!(changed.name.starts_with(&format!("{name}-target.min_visible_px-96-")), "{}", changed.name);
        assert_eq!(changed.conditions.len(), genuine.conditions.len());
    }
    let scanned = |scan: &str| named_sweep_of(None, sweep("clutter", &[], &[Scan::list(scan).unwrap()]).unwrap()).name;
    assert!(scanned("windows=4,5").starts_with("clutter-scan-"));
    assert_ne!(scanned("windows=4,5"), scanned("windows=4,6"));
}

/// A bench over other sweeps draws other targets.
#[test]
fn changed_benches_have_a_name_of_their_own() {
    let place = tempfile::tempdir().unwrap();
    let mut folders = BTreeSet::new();
    for more in [&[][..], &["--sweeps", "clutter"], &["--chrome", "none"], &["--traverse", "--range", "0..1"]] {
        let mut command = windesk(["bench", "windesk", "--dry-run", "--json"].iter().chain(more));
        if !more.contains(&"--traverse") {
            command.args(["--n", "1"]);
        }
        command.current_dir(place.path());
        let finished = finish(command);
        assert_eq!(finished.code, Some(0), "{more:?}: {}", finished.stderr);
        let estimate: Value = serde_json::from_str(&finished.stdout).unwrap();
        let name = estimate["dataset"].as_str().unwrap().to_owned();
        assert_eq!(name == "bench-windesk-s0", more.is_empty(), "{name}");
        assert!(folders.insert(name));
    }
}
