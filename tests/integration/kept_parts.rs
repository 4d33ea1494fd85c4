//! Parts of packs as an earlier run made them change the speed of the next one, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use windesk::engine::pack::{IndexedPack, Pack, PackFiles};
use windesk::model::split::Split;

use crate::command::{done, tree, windesk};
use crate::kept_packs::told;

/// The starter pack as a folder: the mini pack is too small to be split. The checkout's wallpapers stand beside it, so
/// that both parts have some.
fn files_in(folder: &Path) -> PackFiles {
    let wallpapers = Path::new(env!("CARGO_MANIFEST_DIR")).join("wallpapers");
    PackFiles::folder(folder, Some(&wallpapers)).unwrap()
}

fn unpacked() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let archive = include_bytes!(concat!(env!("OUT_DIR"), "/starter.tar"));
    tar::Archive::new(&archive[..]).unpack(folder.path()).unwrap();
    folder
}

/// One for all tests, which has not changed for a while.
fn starter() -> &'static Path {
    static STARTER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let made = || {
        let folder = unpacked();
        std::thread::sleep(SETTLED);
        folder
    };
    STARTER.get_or_init(made).path()
}

/// Packs that changed a moment ago are not kept.
const SETTLED: Duration = Duration::from_secs(5);

fn fresh(pack: &Path, split: Split) -> IndexedPack {
    Pack::open(files_in(pack)).and_then(Pack::indexed).and_then(|pack| pack.restricted_to(split)).unwrap()
}

fn open(pack: &Path, folder: &Path, split: Split) -> IndexedPack {
    open_and_tell(pack, folder, split).0
}

/// The part, and whether its similar elements were ranked anew.
fn open_and_tell(pack: &Path, folder: &Path, split: Split) -> (IndexedPack, bool) {
    let mut ranked = false;
    let part = Pack::open_part_kept_in(folder, files_in(pack), split, || ranked = true).and_then(Pack::indexed).unwrap();
    (part, ranked)
}

/// The file of a part, or of the whole pack.
fn kept(folder: &Path, ending: &str) -> PathBuf {
    let files = fs::read_dir(folder.join("packs")).unwrap().map(|entry| entry.unwrap().path());
    let is_it = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().split_once('.').unwrap().1 == ending;
    let found: Vec<PathBuf> = files.filter(is_it).collect();
    let [file] = &found[..] else { panic!("{found:?}, expected one file that ends in {ending}") };
    file.clone()
}

#[test]
fn a_kept_part_is_the_part() {
    let folder = tempfile::tempdir().unwrap();
    for (split, ending) in [(Split::Train, "train.pack"), (Split::Test, "test.pack")] {
        let part = fresh(starter(), split);
        let wanted = told(&part);
        let (first, ranked) = open_and_tell(starter(), folder.path(), split);
        assert_eq!((told(&first), ranked), (wanted.clone(), true));
        let file = kept(folder.path(), ending);
        let written = fs::metadata(&file).unwrap().modified().unwrap();
        let (again, ranked) = open_and_tell(starter(), folder.path(), split);
        assert_eq!((told(&again), ranked), (wanted.clone(), false));
        assert_eq!((again.split, again.size_of_whole), (Some(split), part.size_of_whole));
        assert!(again.windows.len() < again.size_of_whole.windows);
        assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), written, "it was found");
        // Without the whole pack, too.
        fs::remove_file(kept(folder.path(), "pack")).unwrap();
        assert_eq!(told(&open(starter(), folder.path(), split)), wanted);
        assert!(!fs::read_dir(folder.path().join("packs")).unwrap().any(|e| !e.unwrap().path().to_str().unwrap().contains(".t")));
    }
}

#[test]
fn whatever_is_not_the_part_is_as_good_as_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = told(&fresh(starter(), Split::Train));
    // Several at once, none of which finds a file.
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..3).map(|_| scope.spawn(|| told(&open(starter(), folder.path(), Split::Train)))).collect();
        all.into_iter().for_each(|one| assert!(one.join().unwrap() == wanted));
    });
    open(starter(), folder.path(), Split::Test);
    let [train, test, whole] = ["train.pack", "test.pack", "pack"].map(|ending| kept(folder.path(), ending));
    let [sound, of_test, of_whole] = [&train, &test, &whole].map(|file| fs::read(file).unwrap());
    let flipped = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let cut = |bytes: usize| sound[..bytes].to_vec();
    let more = [&sound[..], b"more"].concat();
    let ends = [vec![], cut(sound.len() / 2), cut(sound.len() - 1), more];
    let flips = [3, 20, 44, 70, sound.len() / 3, sound.len() - 9].map(flipped);
    for bytes in ends.into_iter().chain(flips).chain([of_test, of_whole.clone()]) {
        fs::write(&train, &bytes).unwrap();
        assert!(told(&open(starter(), folder.path(), Split::Train)) == wanted);
        assert!(fs::read(&train).unwrap() == sound, "it was made again");
    }
    // Nor does a part stand for the pack.
    fs::write(&whole, &sound).unwrap();
    let pack = Pack::open_kept_in(folder.path(), files_in(starter())).unwrap();
    assert_eq!((pack.split, pack.windows.len()), (None, pack.size_of_whole.windows));
    assert!(fs::read(&whole).unwrap() == of_whole, "it was made again");
    // Where nothing can be kept the part opens all the same.
    let full = folder.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("packs"), "no folder").unwrap();
    assert!(told(&open(starter(), &full, Split::Train)) == wanted);
}

#[test]
fn a_part_of_a_changed_pack_is_made_anew() {
    let (folder, pack) = (tempfile::tempdir().unwrap(), unpacked());
    let fonts = pack.path().join("fonts/fonts.json");
    let before = fs::read_to_string(&fonts).unwrap();
    std::thread::sleep(SETTLED);
    let wanted = told(&open(pack.path(), folder.path(), Split::Test));
    let file = kept(folder.path(), "test.pack");
    let sound = fs::read(&file).unwrap();
    fs::write(&fonts, before.replacen("\"licence\": \"", "\"licence\": \"Another-", 1)).unwrap();
    let changed = told(&open(pack.path(), folder.path(), Split::Test));
    assert!(changed != wanted, "the fonts are other ones");
    assert!(changed == told(&fresh(pack.path(), Split::Test)));
    assert!(fs::read(&file).unwrap() == sound, "what changed a moment ago is not kept");
    std::thread::sleep(SETTLED);
    assert!(told(&open(pack.path(), folder.path(), Split::Test)) == changed);
    assert!(fs::read(&file).unwrap() != sound, "the part that it is now");
}

#[test]
fn datasets_of_a_part_have_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let made = |name: &str, cache: &Path| {
        let out = folder.path().join(name);
        let mut command = windesk(["synth", "--level", "L2", "--n", "2", "--split", "train", "--no-sync"]);
        command.arg("--pack").arg(starter()).arg("--cache-dir").arg(cache).arg("--out").arg(&out);
        let said = done(command).stderr;
        let (ranking, others): (Vec<String>, Vec<String>) =
            said.lines().map(str::to_owned).partition(|line| line.starts_with("split: ranking"));
        let told: Vec<String> = others.into_iter().filter(|l| l.starts_with("pack") || l.starts_with("split")).collect();
        assert_eq!(told.len(), 2, "{said}");
        (ranking.len(), (told, tree(&out)))
    };
    let cache = folder.path().join("cache");
    let (ranked, wanted) = made("none", Path::new("none"));
    assert_eq!(ranked, 1);
    assert_eq!(made("first", &cache), (1, wanted.clone()));
    assert!(kept(&cache, "train.pack").is_file());
    assert_eq!(made("second", &cache), (0, wanted));
}
