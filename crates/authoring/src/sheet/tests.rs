//! A whole review of one window: written, asked, answered, counted.

use windesk::default_pack::open_starter;
use windesk_model::index::{ElementIndex, WindowIndex};
use windesk_model::pack_format::{AuthorKind, InstructionStyle};

use super::candidates::{is_frame_button, places, shuffled_numbers, worth_writing};
use super::check::reviewed_questions;
use super::*;

fn review() -> Review {
    Review { pack: open_starter().expect("the binary's own"), instructions: Vec::new() }
}

fn author() -> Author {
    Author::new(AuthorKind::Person, "2026-11-21").expect("a day")
}

/// The first window with at least `least` places, and its places.
fn busy_window(review: &Review, least: usize) -> (WindowIndex, Vec<ElementIndex>) {
    let windows = review.pack.windows.iter_enumerated().map(|(at, window)| (at, places(window)));
    windows.into_iter().find(|(_, places)| places.len() >= least).expect("a window with a tool bar")
}

fn sheet(review: &Review, at: WindowIndex, words: &[(ElementIndex, &str, &str)]) -> (String, Vec<u8>) {
    let window = &review.pack.windows[at];
    let candidates: Vec<_> = words
        .iter()
        .map(|&(e, instruction, style)| {
            let element = &window.elements[e];
            serde_json::json!({"number": 1, "element": element.id, "role": element.role, "name": element.name, "description": "",
                "bbox": element.bbox, "state": {}, "called_alike": 1, "instruction": instruction, "paraphrases": [], "style": style})
        })
        .collect();
    let sheet = serde_json::json!({"sheet": "write", "window": window.id,
        "capture": crate::instructions::capture_digest(window), "program": review.pack.program_of(at).record.name,
        "title": window.title, "pictures": [], "candidates": candidates});
    ("sheet.json".to_owned(), serde_json::to_vec(&sheet).expect("plain data"))
}

/// Answers each standing instruction with the number of the element that `pick` names.
fn answer(review: &mut Review, pick: impl Fn(ElementIndex) -> ElementIndex) -> Taken {
    let mut answers = serde_json::Map::new();
    for instruction in &review.instructions {
        for (at, question) in reviewed_questions(review, instruction, false) {
            let numbers = shuffled_numbers(&review.pack.windows[at]);
            answers.insert(question.key, numbers[&pick(question.element)].into());
        }
    }
    let bytes = serde_json::to_vec(&answers).expect("plain data");
    take_answers(review, &[("answers.json".to_owned(), bytes)], &author()).expect("numbers of the sheet")
}

#[test]
fn a_disagreement_is_mended_and_the_first_pass_remembered() {
    let mut review = review();
    let (at, places) = busy_window(&review, 8);
    let (one, two) = (places[0], places[3]);
    let first = sheet(&review, at, &[(one, "Do the first thing", "function"), (two, "Do the other thing", "intent")]);
    let taken = take_written(&mut review, &[first], &author()).expect("a sound sheet");
    assert_eq!((taken.new, taken.changed), (2, 0));
    // The reader picks the first element both times.
    assert_eq!(answer(&mut review, |_| one).checks, 2);
    let state = report(&review);
    assert_eq!((state.first_pass, state.current), (Agreement { checked: 2, agreed: 1 }, Agreement { checked: 2, agreed: 1 }));
    assert_eq!(state.open_disagreements.len(), 1);

    let mended = sheet(&review, at, &[(two, "Do quite another thing", "intent")]);
    assert_eq!(take_written(&mut review, &[mended], &author()).expect("a sound sheet").changed, 1);
    assert_eq!(answer(&mut review, |meant| meant).checks, 1, "the other answer is known");
    let state = report(&review);
    assert_eq!((state.first_pass, state.current), (Agreement { checked: 2, agreed: 1 }, Agreement { checked: 2, agreed: 2 }));
    assert_eq!((state.pairs, state.open_disagreements.len(), state.stale.len()), (2, 0, 0));
    assert_eq!(state.by_style["intent"], (1, Agreement { checked: 1, agreed: 0 }));
}

#[test]
fn several_numbers_and_none_are_disagreement() {
    let mut review = review();
    let (at, places) = busy_window(&review, 8);
    let written = sheet(&review, at, &[(places[0], "Do it", "function")]);
    take_written(&mut review, &[written], &author()).expect("a sound sheet");
    let (_, question) = reviewed_questions(&review, &review.instructions[0], false).remove(0);
    let number = shuffled_numbers(&review.pack.windows[at])[&places[0]];
    for (given, agreed) in [(format!("[{number}]"), 1), (format!("[{number}, 2, 3]"), 0), ("\"none\"".to_owned(), 0)] {
        let mut asked = Review { pack: open_starter().expect("the binary's own"), instructions: review.instructions.clone() };
        let file = ("a.json".to_owned(), format!("{{\"{}\": {given}}}", question.key).into_bytes());
        take_answers(&mut asked, &[file], &author()).expect("sound answers");
        assert_eq!(report(&asked).current, Agreement { checked: 1, agreed }, "{given}");
    }
}

#[test]
fn what_is_wrong_is_said_and_nothing_taken() {
    let mut review = review();
    let (at, places) = busy_window(&review, 8);
    let program = review.pack.program_of(at).record.name.clone();
    for (words, expected) in [
        (vec![(places[0], "Do it", "")], "function, appearance, position, intent"),
        (vec![(places[0], "", "function")], "an instruction in words"),
        (vec![(places[0], "Do\nit", "function")], "one line of plain text"),
        (vec![(places[0], "Do it", "function"), (places[1], "do it!", "position")], "words that fit one element"),
        (vec![(places[0], &*format!("In {program}, do it"), "function")], "without the program's name"),
    ] {
        let mut words = words;
        words.push((places[2], "A sound one", "function"));
        let written = sheet(&review, at, &words);
        let errors = take_written(&mut review, &[written], &author()).expect_err(expected);
        assert!(errors.iter().any(|error| error.to_string().contains(expected)), "{errors:?}");
        assert!(review.instructions.is_empty(), "{expected}");
    }
}

#[test]
fn a_changed_capture_makes_sheets_and_answers_stale() {
    let mut review = review();
    let (at, places) = busy_window(&review, 8);
    let written = sheet(&review, at, &[(places[0], "Do it", "function")]);
    take_written(&mut review, std::slice::from_ref(&written), &author()).expect("a sound sheet");
    let (_, question) = reviewed_questions(&review, &review.instructions[0], false).remove(0);
    review.pack.windows[at].elements[places[1]].name.push_str(" changed");
    let answers = ("a.json".to_owned(), format!("{{\"{}\": 1}}", question.key).into_bytes());
    let taken = take_answers(&mut review, &[answers], &author()).expect("sound answers");
    assert_eq!((taken.checks, taken.stale.len()), (0, 1));
    assert_eq!(report(&review).stale.len(), 1);
    let taken = take_written(&mut review, &[written], &author()).expect("nothing wrong but old");
    assert_eq!((taken.new + taken.changed, taken.stale.len()), (0, 1));
}

#[test]
fn candidates_are_spread_over_roles_and_windows() {
    let review = review();
    let pack = &review.pack;
    for program in pack.programs.keys() {
        for (at, chosen) in worth_writing(pack, program, 14, |_, _| false) {
            let window = &pack.windows[at];
            let all = places(window);
            assert_eq!(chosen.len(), all.len().min(14), "{}", window.id);
            let groups = |elements: &[ElementIndex]| -> std::collections::BTreeSet<String> {
                let worth = elements.iter().map(|&e| &window.elements[e]).filter(|element| !is_frame_button(element));
                worth.map(|element| format!("{:?}", windesk_model::role::RoleGroup::of(&element.role))).collect()
            };
            assert!(
                groups(&chosen).len() >= groups(&all).len().min(6),
                "{}: {:?} of {:?}",
                window.id,
                groups(&chosen),
                groups(&all)
            );
        }
    }
}

#[test]
fn shards_hold_every_window_once() {
    let review = review();
    let mut seen = Vec::new();
    for index in 1..=3 {
        let selection = Selection { shard: Some(Shard { index, count: 3 }), ..Selection::default() };
        seen.extend(selection.resolve(&review).expect("a shard"));
    }
    seen.sort_unstable();
    assert_eq!(seen, review.pack.windows.keys().collect::<Vec<_>>());
    assert!("0/3".parse::<Shard>().is_err() && "4/3".parse::<Shard>().is_err() && "1/3".parse::<Shard>().is_ok());
    let unknown = Selection { windows: vec!["nothing/here".to_owned()], shard: None };
    assert!(unknown.resolve(&review).is_err());
}

#[test]
fn files_read_back_as_they_were_written() {
    let mut review = review();
    let (at, places) = busy_window(&review, 8);
    let written = sheet(&review, at, &[(places[4], "Do it", "appearance"), (places[0], "Do that", "position")]);
    take_written(&mut review, &[written], &author()).expect("a sound sheet");
    let files = review.instruction_files();
    let (name, bytes) = files.first_key_value().expect("one program");
    assert_eq!(*name, instruction_file(&review.pack.windows[at].id));
    let back = read_all(&PackFiles::in_memory("test", files.clone())).expect("our own");
    assert_eq!(back.len(), 2);
    assert_eq!(
        (back[0].style, back[1].style),
        (InstructionStyle::Position, InstructionStyle::Appearance),
        "in the order of the window"
    );
    assert_eq!(bytes.iter().filter(|&&b| b == b'\n').count(), 2);
}
