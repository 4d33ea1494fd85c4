//! Damaged archives through the code that `fuzz/` fuzzes, the same in every run; `WINDESK_MUTATIONS` sets how many.

use std::collections::BTreeMap;

use windesk::engine::pack::open_place;

use crate::hashed_words::mixed;
use crate::living_pack;
use crate::mini_pack;
use crate::mutated_files::{ODD, mutations};
use crate::use_pack::{FILES, LIVING_FILES, use_file, use_living, use_pack};

/// A stream of numbers of one damaged archive.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 += 1;
        mixed(self.0) as usize % limit.max(1)
    }
}

type Files = BTreeMap<String, Vec<u8>>;

/// Some programs of the mini pack: opening all of it hundreds of times would take minutes.
fn small_pack() -> Files {
    let files = open_place(&mini_pack::folder()).unwrap().without("index/");
    let wanted = |name: &&str| !name.starts_with("windows/") || ["/celluloid/", "/liferea/"].iter().any(|p| name.contains(p));
    files.names().filter(wanted).map(|name| (name.to_owned(), files.read(name).unwrap().into_owned())).collect()
}

fn archive(files: &Files) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, bytes.as_slice()).unwrap();
    }
    archive.into_inner().unwrap()
}

/// Flips bits, cuts, or repeats a piece.
fn damage_bytes(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    if bytes.is_empty() {
        return;
    }
    match numbers.below(3) {
        0 => (0..=numbers.below(8)).for_each(|_| {
            let at = numbers.below(bytes.len());
            bytes[at] ^= 1 << numbers.below(8);
        }),
        1 => bytes.truncate(numbers.below(bytes.len())),
        _ => {
            let (from, to) = (numbers.below(bytes.len()), numbers.below(bytes.len()));
            let piece = bytes[from..bytes.len().min(from + 600)].to_vec();
            bytes.splice(to..to, piece);
        }
    }
}

/// Puts something odd in the place of one value of a JSON text.
fn damage_value(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    let text = String::from_utf8(bytes.clone()).unwrap();
    let values: Vec<usize> = text.match_indices([':', '[', ',']).map(|(at, _)| at + 1).collect();
    if values.is_empty() {
        // Damage before this one has left nothing.
        return;
    }
    let start = values[numbers.below(values.len())];
    let length = text[start..].find([',', ']', '}']).unwrap_or(0);
    *bytes = [&text[..start], ODD[numbers.below(ODD.len())], &text[start + length..]].concat().into_bytes();
}

fn damaged(files: &Files, number: u64) -> Vec<u8> {
    let mut numbers = Numbers(number << 32);
    if numbers.below(4) == 0 {
        let mut bytes = archive(files);
        damage_bytes(&mut bytes, &mut numbers);
        return bytes;
    }
    let mut files = files.clone();
    let names: Vec<String> = files.keys().filter(|name| !name.starts_with("fonts/I")).cloned().collect();
    for _ in 0..=numbers.below(2) {
        let name = &names[numbers.below(names.len())];
        let bytes = files.get_mut(name).unwrap();
        if name.ends_with(".json") && numbers.below(3) > 0 && std::str::from_utf8(bytes).is_ok() {
            damage_value(bytes, &mut numbers);
        } else if numbers.below(10) == 0 {
            files.insert(name.clone(), Vec::new());
        } else {
            damage_bytes(bytes, &mut numbers);
        }
    }
    archive(&files)
}

#[test]
fn damaged_archives_are_refused_or_used_but_never_a_panic() {
    let files = small_pack();
    assert_eq!(use_pack(&archive(&files)).unwrap_or_else(|error| panic!("{error}")), 3);
    let (mut refused, mut used) = (0, 0);
    let all = mutations();
    for number in 0..all {
        let bytes = damaged(&files, number);
        let outcome =
            std::panic::catch_unwind(|| use_pack(&bytes)).unwrap_or_else(|_| panic!("archive {number} made the loader panic"));
        match outcome {
            Ok(_) => used += 1,
            Err(error) => {
                assert!(error.to_string().starts_with("a stranger's pack"), "archive {number}: {error}");
                refused += 1;
            }
        }
    }
    // Names, titles and pictures that nobody looks at may differ unnoticed.
    assert!(refused >= all / 4 && used >= all / 20, "{refused} refused, {used} used");
}

#[test]
fn damaged_files_are_refused_or_used_but_never_a_panic() {
    let files = open_place(&mini_pack::folder()).unwrap();
    let (mut refused, mut used) = (0, 0);
    for (kind, name) in FILES.iter().enumerate() {
        let whole = files.read(name).unwrap();
        let input = |content: &[u8]| [&[kind as u8], content].concat();
        assert!(use_file(&input(&whole)), "{name}");
        for number in 0..mutations() / FILES.len() as u64 {
            let (mut bytes, mut numbers) = (whole.to_vec(), Numbers((number << 32) + ((kind as u64) << 16)));
            if name.ends_with(".json") && numbers.below(3) > 0 {
                damage_value(&mut bytes, &mut numbers);
            } else {
                damage_bytes(&mut bytes, &mut numbers);
            }
            let outcome = std::panic::catch_unwind(|| use_file(&input(&bytes)));
            *(if outcome.unwrap_or_else(|_| panic!("{name} {number} made a reader panic")) {
                &mut used
            } else {
                &mut refused
            }) += 1;
        }
    }
    assert!(refused > used / 10 && used > 0, "{refused} refused, {used} used");
}

#[test]
fn damaged_living_pages_are_refused_or_read_but_never_a_panic() {
    let pack = living_pack::copy();
    let capture = windesk_naive::json_file(&pack.path().join("windows/dimmer/main.json"));
    let living = format!("windows/dimmer/{}", capture["living"]["file"].as_str().unwrap());
    let (mut refused, mut read) = (0, 0);
    for (kind, name) in LIVING_FILES.iter().enumerate() {
        let whole = std::fs::read(pack.path().join(if *name == "living" { &living } else { *name })).unwrap();
        let input = |content: &[u8]| [&[kind as u8], content].concat();
        assert!(use_living(&input(&whole)), "{name}");
        for number in 0..mutations() / LIVING_FILES.len() as u64 {
            let (mut bytes, mut numbers) = (whole.clone(), Numbers((number << 32) + ((kind as u64) << 16)));
            if numbers.below(3) > 0 {
                damage_value(&mut bytes, &mut numbers);
            } else {
                damage_bytes(&mut bytes, &mut numbers);
            }
            let outcome = std::panic::catch_unwind(|| use_living(&input(&bytes)));
            *(if outcome.unwrap_or_else(|_| panic!("{name} {number} made a reader panic")) {
                &mut read
            } else {
                &mut refused
            }) += 1;
        }
    }
    assert!(refused > read && read > 0, "{refused} refused, {read} read");
}
