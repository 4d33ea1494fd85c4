//! Prepared pictures that are kept for the next run change its speed, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use windesk::default_pack::open_starter;
use windesk::engine::pack::{Focus, IndexedPack, Pack, Pixels, open_place};
use windesk::engine::render::{Encoder, ImageFormat};
use windesk::model::geometry::Point;
use windesk::model::index::WindowIndex;
use windesk::{Condition, Pairing, Plan, Renderer, Study, TargetPool};

use crate::command::{finish, refused, succeeds, tree, windesk};
use crate::mini_pack;

/// Makes scenes of the mini pack.
fn synth(folder: &Path, out: &str, cache: &Path) -> PathBuf {
    let level = folder.join("mini.toml");
    fs::write(&level, mini_pack::LEVEL).unwrap();
    let (pack, out) = (mini_pack::folder(), folder.join(out));
    let paths = [&level, &pack, &out].map(|path| path.to_str().unwrap());
    let cache = cache.to_str().unwrap();
    succeeds(["synth", "--n", "8", "--level", paths[0], "--pack", paths[1], "--out", paths[2], "--cache-dir", cache]);
    out
}

/// Files of a folder of kept pictures.
pub(crate) fn kept(cache: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(cache).unwrap().map(|folder| folder.unwrap().path());
    let mut files: Vec<_> = folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn datasets_are_the_same_with_and_without() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let without = tree(&synth(folder.path(), "without", Path::new("none")));
    assert_eq!(without, tree(&synth(folder.path(), "first", &cache)));
    let files = tree(&cache);
    // A dozen windows and a wallpaper at least.
    assert!(files.len() > 12, "{files:?}");
    assert_eq!(without, tree(&synth(folder.path(), "second", &cache)));
    assert_eq!(files, tree(&cache));
}

/// What `pack prepare` makes is all that runs need; it may be killed, and begun again.
#[test]
fn pictures_are_prepared_ahead() {
    let folder = tempfile::tempdir().unwrap();
    let (cache, other) = (folder.path().join("cache"), folder.path().join("other"));
    let pack = mini_pack::folder();
    let prepare = |cache: &Path, more: &[&str]| {
        let args = ["pack", "prepare", pack.to_str().unwrap(), "--cache-dir", cache.to_str().unwrap()];
        let canvas = ["--canvas", "1280x720"];
        windesk(args.iter().chain(&canvas).copied().chain(more.iter().copied()))
    };
    let done = finish(prepare(&cache, &["--threads", "3"]));
    assert!(done.code == Some(0) && done.stderr.contains(" icons and ") && done.stderr.contains("1280x720"), "{}", done.stderr);
    let files = tree(&cache);
    let version = |path: &PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    let versions: Vec<_> = kept(&cache).iter().map(version).collect();
    // What is there is left alone, and what is gone or damaged is made again.
    assert_eq!(finish(prepare(&cache, &["--threads", "1"])).code, Some(0));
    assert_eq!((tree(&cache), kept(&cache).iter().map(version).collect::<Vec<_>>()), (files.clone(), versions));
    let paths = kept(&cache);
    fs::remove_file(&paths[0]).unwrap();
    fs::write(&paths[1], "half").unwrap();
    for (path, from_end) in [(&paths[2], 1), (&paths[3], 300)] {
        let mut bytes = fs::read(path).unwrap();
        let at = bytes.len() - from_end;
        bytes[at] ^= 1;
        fs::write(path, bytes).unwrap();
    }
    assert_eq!(finish(prepare(&cache, &[])).code, Some(0));
    assert_eq!(tree(&cache), files);
    // Killed at any time, it can be run again.
    for wait in [0, 5, 40] {
        let mut child = prepare(&other, &["--threads", "2"]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert_eq!(finish(prepare(&other, &[])).code, Some(0));
    assert_eq!(tree(&other), files);
    // A run adds nothing to it but wallpapers in another size.
    let made = synth(folder.path(), "made", &cache);
    assert_eq!(tree(&made), tree(&synth(folder.path(), "without", Path::new("none"))));
    let pictures_of_windows = files.len();
    assert!(kept(&cache).len() <= pictures_of_windows + 4, "{} and {pictures_of_windows}", kept(&cache).len());
    refused(prepare(Path::new("none"), &[]), &["--cache-dir none", "folder"]);
    let none = folder.path().join("full");
    fs::create_dir(&none).unwrap();
    (0..=255).for_each(|first| fs::write(none.join(format!("{first:02x}")), "").unwrap());
    refused(prepare(&none, &[]), &["could not keep every image"]);
}

#[test]
fn icon_probes_are_the_same_with_and_without() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let trees = ["none", cache.to_str().unwrap(), cache.to_str().unwrap()].map(|cache| {
        let out = folder.path().join("out");
        let paths = [out.to_str().unwrap(), cache];
        succeeds(["icons", "--n", "3", "--icons", "6", "--out", paths[0], "--cache-dir", paths[1], "--force"]);
        let made = tree(&out);
        fs::remove_dir_all(&out).unwrap();
        made
    });
    assert_eq!(trees[0], trees[1]);
    assert_eq!(trees[0], trees[2]);
}

/// Killed processes leave files under temporary names. A living one has locked its own. The next run that adds a
/// picture takes them away.
#[test]
fn what_killed_processes_left_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    synth(folder.path(), "first", &cache);
    let before = kept(&cache);
    let [left, living, other] =
        [".a.pixels.Ab12Cd.tmp", ".b.pixels.Ab12Cd.tmp", "notes.tmp"].map(|name| before[0].with_file_name(name));
    for path in [&left, &living, &other] {
        fs::write(path, "half").unwrap();
    }
    let held = fs::File::open(&living).unwrap();
    held.lock().unwrap();
    synth(folder.path(), "second", &cache);
    assert!(left.exists(), "a run that adds no picture sweeps nothing");
    fs::remove_file(&before[1]).unwrap();
    synth(folder.path(), "third", &cache);
    assert_eq!([&left, &living, &other].map(|path| path.exists()), [false, true, true]);
    assert!(before[1].exists());
}

#[test]
fn what_is_damaged_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let whole = tree(&synth(folder.path(), "whole", &cache));
    let files = tree(&cache);
    for (at, path) in kept(&cache).into_iter().enumerate() {
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        match at % 5 {
            0 => bytes.truncate(middle),
            1 => bytes.clear(),
            2 => *bytes.last_mut().unwrap() ^= 1,
            3 => bytes[middle] ^= 0x10,
            _ => bytes[40] ^= 0x80,
        }
        fs::write(&path, bytes).unwrap();
    }
    let damaged = tree(&cache);
    assert!(files.iter().all(|(name, digest)| damaged[name] != *digest));
    assert_eq!(whole, tree(&synth(folder.path(), "again", &cache)));
    // Where one damage was found, all that is at hand is looked at. What is damaged is taken away; if no scene needs it
    // any more, the next run makes it.
    assert_eq!(whole, tree(&synth(folder.path(), "third", &cache)));
    // Damage that no scene comes across may stay: where a file's head is whole, its parts are looked at when they are
    // needed.
    let after = tree(&cache);
    assert!(files.keys().eq(after.keys()));
    let stayed: Vec<usize> = (0..).zip(&files).filter(|(_, (name, digest))| after[*name] != **digest).map(|(at, _)| at).collect();
    assert!(stayed.iter().all(|at| matches!(at % 5, 2 | 3)), "{stayed:?} of {}", files.len());
}

#[test]
fn a_folder_that_takes_nothing_costs_only_time() {
    let folder = tempfile::tempdir().unwrap();
    let without = tree(&synth(folder.path(), "without", Path::new("none")));
    // Files stand where folders of pictures should.
    let cache = folder.path().join("cache");
    fs::create_dir(&cache).unwrap();
    for first in 0..=255 {
        fs::write(cache.join(format!("{first:02x}")), "").unwrap();
    }
    assert_eq!(without, tree(&synth(folder.path(), "with", &cache)));
}

#[test]
fn a_folder_that_can_not_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let mut command = windesk(["synth", "--level", "L1", "--n", "1", "--cache-dir", "file/cache"]);
    command.current_dir(folder.path());
    refused(command, &["--cache-dir file/cache", "expected a folder to write to"]);
}

/// Every look of every window.
fn all_looks(pack: &Pack) -> impl Iterator<Item = (WindowIndex, Focus)> {
    pack.windows.keys().flat_map(|at| [(at, Focus::Active), (at, Focus::Inactive)])
}

#[test]
fn a_small_budget_lets_pictures_go_and_changes_none() {
    let (roomy, mut narrow) = (open_starter().unwrap(), open_starter().unwrap());
    narrow.set_cache_bytes(0);
    let mut seen = Vec::new();
    for round in 0..2 {
        for (at, focus) in all_looks(&roomy) {
            let [expected, found] = [&roomy, &narrow].map(|pack| pack.pixels(at, focus).unwrap());
            if round == 0 && at.0 % 4 == 0 {
                let all = roomy.windows[at].size.rect();
                assert!(found.rgba_in(all).unwrap() == expected.rgba_in(all).unwrap(), "{at} {focus:?}");
            }
            assert!(Arc::ptr_eq(&expected, &roomy.pixels(at, focus).unwrap()), "{at} {focus:?}: what fits is kept");
            seen.push(Arc::downgrade(&found));
        }
    }
    let alive = seen.iter().filter(|picture| picture.strong_count() > 0).count();
    assert!((1..seen.len() / 2).contains(&alive), "{alive} of {} are alive", seen.len());
}

#[test]
fn a_picture_is_prepared_once_however_many_ask_for_it() {
    let pack = Pack::open(open_place(&mini_pack::folder()).unwrap()).unwrap();
    let ask = || -> Vec<Arc<Pixels>> { all_looks(&pack).map(|(at, focus)| pack.pixels(at, focus).unwrap()).collect() };
    let all: Vec<_> = std::thread::scope(|scope| {
        let askers: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        askers.into_iter().map(|asker| asker.join().unwrap()).collect()
    });
    let first = ask();
    for found in all {
        assert!(first.iter().zip(&found).all(|(a, b)| Arc::ptr_eq(a, b)));
    }
}

#[test]
fn kept_pictures_are_those_of_the_pack() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Pack::open(open_place(&mini_pack::folder()).unwrap()).unwrap();
    let (mut first, mut second) = (open(), open());
    for pack in [&mut first, &mut second] {
        pack.cache_pictures_in(folder.path().to_owned());
    }
    let mut looks = [0, 0];
    // The second finds what the first has kept.
    for pack in [&first, &second] {
        for (at, window) in pack.windows.iter_enumerated() {
            let expected = mini_pack::pack();
            let has_inactive = pack.focus_of(at, false) == Focus::Inactive;
            for focus in [Focus::Active, Focus::Inactive] {
                let (found, expected) = (pack.pixels(at, focus).unwrap(), expected.pixels(at, focus).unwrap());
                let all = window.size.rect();
                assert!(found.rgba_in(all).unwrap() == expected.rgba_in(all).unwrap(), "{} {focus:?}", window.id);
                assert_eq!(found.shape(), expected.shape(), "{} {focus:?}", window.id);
                assert!((0..found.shape().rows()).all(|y| found.runs(y) == expected.runs(y)), "{} {focus:?}", window.id);
                // A part that begins and ends inside of bands and tiles, and reaches out of the picture.
                let part = all.moved(Point { x: 37, y: 45 });
                assert!(found.rgba_in(part).unwrap() == expected.rgba_in(part).unwrap(), "{} {focus:?}", window.id);
                looks[focus as usize] += usize::from(focus == Focus::Active || has_inactive);
            }
        }
    }
    assert!(looks.iter().all(|&count| count > 10), "{looks:?}");
}

/// The first plan of a level that a pack has.
fn first_plan(pack: &IndexedPack, level: Condition) -> Plan {
    let conditions = vec![level];
    let pool = TargetPool::new(pack, &conditions).unwrap();
    let name = "lost".to_owned();
    let study = Study { name, sweep: None, pairing: Pairing::Targets, conditions, seed: 1, traverse: false };
    study.outcome(pack, &pool, 0).unwrap().plans.expect("a sample").remove(0)
}

/// The mini pack, which keeps its pictures in this folder.
fn caching_in(folder: &Path) -> IndexedPack {
    let mut pack = Pack::open(open_place(&mini_pack::folder()).unwrap()).unwrap();
    pack.cache_pictures_in(folder.to_owned());
    pack.indexed().unwrap()
}

/// What can happen to a file of a kept picture while a run uses it.
type Loss = (&'static str, fn(&Path));

const LOSSES: [Loss; 5] = [
    ("gone", |path| fs::remove_file(path).unwrap()),
    ("empty", |path| fs::write(path, "").unwrap()),
    ("cut short", |path| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    }),
    ("overwritten", |path| {
        let length = fs::metadata(path).unwrap().len();
        fs::write(path, vec![0x5A; length as usize]).unwrap();
    }),
    ("another", |path| {
        let length = fs::metadata(path).unwrap().len();
        fs::remove_file(path).unwrap();
        fs::write(path, vec![0xFF; length as usize]).unwrap();
    }),
];

#[test]
fn a_picture_that_is_lost_during_a_run_is_made_again() {
    let level = mini_pack::level(&[]);
    for (name, lose) in LOSSES {
        let folder = tempfile::tempdir().unwrap();
        let pack = caching_in(folder.path());
        let plan = first_plan(&pack, level.clone());
        let expected = Renderer::new(mini_pack::pack()).unwrap().render(&plan).unwrap();
        let renderer = Renderer::new(&pack).unwrap();
        let (file, frame) = (renderer.encode_png(&plan).unwrap(), renderer.render(&plan).unwrap());
        assert!(frame == expected);
        let jpeg = ImageFormat::Jpeg.encode(&frame);
        // More often than the pack goes on using files.
        for round in 0..4 {
            let files = kept(folder.path());
            assert!(round > 0 || files.len() > 2, "{name}: {files:?}");
            files.iter().for_each(|path| lose(path));
            assert!(renderer.encode_png(&plan).unwrap() == file, "{name}");
            files.iter().filter(|path| path.exists()).for_each(|path| lose(path));
            assert!(renderer.render(&plan).unwrap() == expected, "{name}");
            files.iter().filter(|path| path.exists()).for_each(|path| lose(path));
            assert!(renderer.encode(&plan, ImageFormat::Jpeg.into()).unwrap() == jpeg, "{name}");
        }
    }
}

#[test]
fn one_file_after_the_other_is_lost() {
    let level = mini_pack::level(&[]);
    let folder = tempfile::tempdir().unwrap();
    let pack = caching_in(folder.path());
    let plan = first_plan(&pack, level);
    let renderer = Renderer::new(&pack).unwrap();
    let file = renderer.encode_png(&plan).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Somebody who never stops writing to the folder.
        scope.spawn(|| {
            for round in 0.. {
                for path in kept(folder.path()) {
                    // Files come and go meanwhile.
                    if round % 2 == 0 { drop(fs::remove_file(path)) } else { drop(fs::write(path, "nothing")) }
                }
                if stop.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        for _ in 0..20 {
            assert!(renderer.encode_png(&plan).unwrap() == file);
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[cfg(unix)]
#[test]
fn few_files_may_be_open() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let expected = tree(&synth(folder.path(), "whole", &cache));
    let paths = ["mini.toml", "cache"].map(|name| folder.path().join(name));
    for (limit, threads, said) in [("48", "2", None), ("48", "96", Some("threads: 2 instead of 96")), ("1024", "96", None)] {
        let out = folder.path().join(format!("{limit}-{threads}"));
        let mut limited = std::process::Command::new("sh");
        limited.args(["-c", "ulimit -n \"$1\"; shift; exec \"$@\"", "sh", limit]).arg(env!("CARGO_BIN_EXE_windesk"));
        limited.args(["synth", "--n", "8", "--threads", threads, "--level"]).arg(&paths[0]).arg("--pack");
        limited.arg(mini_pack::folder()).arg("--cache-dir").arg(&paths[1]).arg("--out").arg(&out);
        let finished = finish(limited);
        assert_eq!(finished.code, Some(0), "{limit} {threads}: {}", finished.stderr);
        assert_eq!(finished.stderr.contains("threads: "), said.is_some(), "{}", finished.stderr);
        assert!(finished.stderr.contains(said.unwrap_or_default()), "{}", finished.stderr);
        assert_eq!(tree(&out), expected);
    }
}
