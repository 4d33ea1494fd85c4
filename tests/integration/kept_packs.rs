//! Packs as an earlier run opened them change the speed of the next one, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use windesk::default_pack::open_default_with;
use windesk::engine::pack::{IndexedPack, Pack, PackFiles, name_key, open_place};
use windesk::model::condition::SessionsKnob;
use windesk::model::digest::hex_digest;

use crate::mini_pack;

/// The files that are kept in a folder.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let Ok(packs) = fs::read_dir(folder.join("packs")) else { return Vec::new() };
    packs.map(|entry| entry.unwrap().path()).collect()
}

/// All that can be asked of a pack, in words.
pub fn told(pack: &IndexedPack) -> Vec<String> {
    let index = pack.index();
    let mut told = vec![
        format!("{:?}", (&pack.header, &pack.digest, &pack.sessions, &pack.programs, &pack.split)),
        format!("{:?}", (&pack.wallpapers, &pack.icons, &pack.fonts)),
        format!("{:?}", (&pack.transitions, &pack.instructions, &pack.evidence, &pack.competitors)),
        format!("{:?}", index.header),
    ];
    for (at, window) in pack.windows.iter_enumerated() {
        assert_eq!(pack.window_index(&window.id), Some(at));
        told.push(format!("{window:?} {:?} {:?}", index.name_keys(at), index.title(at)));
        // Keys are numbers of names, which are looked up by what elements are called.
        let named = window.elements.keys().filter(|&element| index.name_keys(at)[element].is_some());
        for element in named.take(2) {
            let number = name_key(window, element).and_then(|key| index.number_of(&key));
            assert_eq!(number, index.name_keys(at)[element], "{}", window.id);
        }
        told.push(format!("{:?}", index.targets_in(at).collect::<Vec<_>>()));
    }
    for (at, target) in index.targets.iter_enumerated() {
        let [own, mixed] = [SessionsKnob::One, SessionsKnob::Mixed].map(|sessions| index.neighbours(at, sessions));
        let cosine = mixed.first().map(|&other| index.cosine(at, other));
        told.push(format!("{target:?} {own:?} {mixed:?} {cosine:?}"));
    }
    told
}

fn open(folder: &Path) -> IndexedPack {
    Pack::open_kept_in(folder, open_place(&mini_pack::folder()).unwrap()).and_then(Pack::indexed).unwrap()
}

#[test]
fn a_kept_pack_is_the_pack() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = told(&Pack::open(open_place(&mini_pack::folder()).unwrap()).and_then(Pack::indexed).unwrap());
    assert_eq!(told(&open(folder.path())), wanted);
    let files = kept(folder.path());
    let [file] = &files[..] else { panic!("{files:?}, expected one file") };
    let written = fs::metadata(file).unwrap().modified().unwrap();
    assert_eq!(told(&open(folder.path())), wanted);
    assert_eq!(fs::metadata(file).unwrap().modified().unwrap(), written, "it was found");
    // Magic bytes, the state of the files and the program's version stand before it.
    let head = 40 + 12 + env!("CARGO_PKG_VERSION").len();
    let digest = hex_digest(&fs::read(file).unwrap()[head..]);
    let advice = "what is kept of packs has changed: give `MAGIC` of `pack/kept` another number, then write this digest here";
    assert_eq!(digest, KEPT_OF_MINI_PACK, "{advice}");
}

/// Of what is kept of the mini pack.
const KEPT_OF_MINI_PACK: &str = "7767a1913bda05fc35f8a8dc96d0be8849ce2d9a4819072576245b518a01fc33";

#[test]
fn a_broken_file_is_as_good_as_none() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = told(&open(folder.path()));
    let file = kept(folder.path()).remove(0);
    let sound = fs::read(&file).unwrap();
    let flipped = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let more = [&sound[..], b"more"].concat();
    let broken = [vec![], sound[..sound.len() / 2].to_vec(), sound[..sound.len() - 1].to_vec(), more];
    // In the magic bytes, the state of the files, lengths, checksums and contents.
    let flips = (0..120).step_by(5).chain((120..sound.len()).step_by(sound.len() / 20)).map(flipped);
    for bytes in broken.into_iter().chain(flips) {
        fs::write(&file, &bytes).unwrap();
        assert!(told(&open(folder.path())) == wanted);
        assert!(fs::read(&file).unwrap() == sound, "it was made again");
    }
    // Where nothing can be kept the pack opens all the same.
    let full = folder.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("packs"), "no folder").unwrap();
    assert_eq!(told(&open(&full)), wanted);
}

/// A file that was just written may be written again without a trace.
#[test]
fn a_pack_that_has_just_changed_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let copy = mini_pack::copy();
    let open = || Pack::open_kept_in(folder.path(), open_place(copy.path())?).map(|pack| pack.header.description);
    let before = open().unwrap();
    assert!(kept(folder.path()).is_empty());
    let header = copy.path().join("pack.json");
    fs::write(&header, fs::read_to_string(&header).unwrap().replace(&before, "changed")).unwrap();
    // The index was made for the header as it was: the change is seen.
    assert!(open().unwrap_err().to_string().contains("the pack has changed since"));
    let archive = PackFiles::archive("no pack", &[0; 1024][..]).unwrap();
    assert!(Pack::open_kept_in(folder.path(), archive).is_err() && kept(folder.path()).is_empty());
}

#[test]
fn the_default_pack_is_the_same_when_kept() {
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        let (pack, _) = open_default_with(&[], |files| Pack::open_kept_in(folder.path(), files)).unwrap();
        told(&pack.indexed().unwrap())
    };
    let first = open();
    assert_eq!(kept(folder.path()).len(), 1);
    let second = open();
    assert!(first.len() == second.len());
    for (first, second) in first.iter().zip(&second) {
        assert_eq!(first, second);
    }
}
