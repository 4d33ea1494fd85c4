//! Living pages in states: what they show, and what events do to them. The pack is `tests/fixtures/living-pack`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use image::RgbaImage;
use serde_json::{Value, json};
use windesk::default_pack::open_default;
use windesk::engine::pack::living::{Composed, Living, PointerOn, View, act, compose, normalised, scattered};
use windesk::engine::pack::{Focus, Pack, open_place};
use windesk::model::geometry::{Point, Rect};
use windesk::model::key::{Decision, SampleKey};
use windesk::model::pack_format::living::Values;
use windesk::model::pack_format::{Outcome, Transition};
use windesk::model::page_state::{PageState, WindowEvent};

use crate::cached_pictures::kept;
use crate::living_pack::{change_lines, copy, line};
use windesk_naive::json_file;

fn open(folder: &Path) -> Pack {
    Pack::open(open_place(folder).unwrap()).unwrap()
}

fn state(value: Value) -> PageState {
    serde_json::from_value(value).unwrap()
}

fn event(value: Value) -> WindowEvent {
    serde_json::from_value(value).unwrap()
}

/// A pack with one page looked at.
struct Page {
    folder: tempfile::TempDir,
    pack: Pack,
    window: String,
}

impl Page {
    fn of(folder: tempfile::TempDir, window: &str) -> Self {
        let pack = open(folder.path());
        Self { folder, pack, window: window.to_owned() }
    }

    fn main() -> Self {
        Self::of(copy(), "dimmer/main")
    }

    fn changed(change: impl Fn(&mut Vec<Value>)) -> Self {
        let folder = copy();
        change_lines(folder.path(), change);
        Self::of(folder, "dimmer/main")
    }

    fn living(&self) -> std::sync::Arc<Living> {
        self.pack.living(self.pack.window_index(&self.window).unwrap()).unwrap()
    }

    fn compose<'a>(&self, at: Value, view: impl Into<View<'a>>) -> Composed {
        compose(&self.pack, &self.living(), &state(at), view.into()).unwrap()
    }

    fn refusal(&self, at: Value) -> String {
        compose(&self.pack, &self.living(), &state(at), Focus::Active.into()).expect_err("refused").to_string()
    }

    /// What an event does: the state after it and the kinds of its outcomes.
    fn act(&self, before: Value, what: Value) -> (Value, Vec<String>) {
        let acted = act(&self.living(), &state(before), &event(what)).unwrap();
        let kind = |outcome: &Outcome| serde_json::to_value(outcome).unwrap()["kind"].as_str().unwrap().to_owned();
        (serde_json::to_value(&acted.state).unwrap(), acted.outcomes.iter().map(kind).collect())
    }

    fn atlas(&self) -> RgbaImage {
        let capture = json_file(&self.folder.path().join(format!("windows/{}.json", self.window)));
        let file = capture["living"]["atlas"]["file"].as_str().unwrap().to_owned();
        image::open(self.folder.path().join("windows/dimmer").join(file)).unwrap().to_rgba8()
    }
}

/// A composed picture in px of the page.
fn pixel(composed: &Composed, x: i32, y: i32) -> [u8; 4] {
    let at = ((y - composed.rect.y0()) * composed.rect.width() + x - composed.rect.x0()) as usize * 4;
    composed.rgba[at..at + 4].try_into().unwrap()
}

fn element_state(composed: &Composed, id: &str) -> Option<Value> {
    let element = composed.elements.iter().find(|element| element.id == id)?;
    Some(serde_json::to_value(&element.state).unwrap())
}

#[test]
fn a_page_as_captured_is_its_capture_to_the_byte() {
    let folder = copy();
    let pack = open(folder.path());
    for (at, window) in pack.windows.iter_enumerated() {
        let living = pack.living(at).unwrap();
        for focus in [Focus::Active, Focus::Inactive] {
            let composed = compose(&pack, &living, &PageState::default(), focus.into()).unwrap();
            assert_eq!(composed.rect, window.size.rect(), "{}", window.id);
            assert_eq!(composed.rgba, pack.rgba_of(at, focus, window.size.rect()).unwrap(), "{} {focus:?}", window.id);
            assert_eq!(composed.popups, window.popups);
            let told = |elements: &dyn std::fmt::Debug| format!("{elements:?}");
            assert_eq!(told(&composed.elements), told(&window.elements), "{}", window.id);
        }
    }
}

/// Every patch shows its part of the atlas at its place and nothing else changes: told pixel by pixel.
#[test]
fn each_value_shows_its_patch() {
    let page = Page::main();
    let atlas = page.atlas();
    let cases = [
        (json!({"dim": true}), vec![([20, 50, 33, 63], [0, 0], Some([20, 0])), ([280, 260, 341, 283], [0, 80], None)]),
        (json!({"level": 50}), vec![([15, 84, 125, 97], [0, 40], None), ([280, 260, 341, 283], [0, 80], None)]),
        (json!({"hours": 4}), vec![([140, 205, 231, 216], [0, 185], None)]),
        // The patch of `warm` lies over that of `cold`.
        (json!({"warm": false, "cold": true}), vec![([60, 110, 71, 121], [40, 60], None), ([20, 110, 71, 121], [0, 60], None)]),
    ];
    for (values, areas) in cases {
        for focus in [Focus::Active, Focus::Inactive] {
            let composed = page.compose(json!({"values": values}), focus);
            let before = page.compose(json!({}), focus);
            for (y, x) in (0..300).flat_map(|y| (0..360).map(move |x| (y, x))) {
                let mut expected = pixel(&before, x, y);
                for (rect, at, inactive) in &areas {
                    let rect = Rect::try_from(*rect).unwrap();
                    let [left, top] = inactive.filter(|_| focus == Focus::Inactive).unwrap_or(*at);
                    if rect.contains(Point { x, y }) {
                        expected = atlas.get_pixel((left + x - rect.x0()) as u32, (top + y - rect.y0()) as u32).0;
                    }
                }
                assert_eq!(pixel(&composed, x, y), expected, "{values} {focus:?}: {x},{y}");
            }
        }
    }
}

#[test]
fn elements_say_what_the_picture_shows() {
    let page = Page::main();
    let composed = page.compose(json!({"values": {"dim": true}}), Focus::Active);
    // `core` stands in the capture alone, and the patch says the whole state.
    assert_eq!(element_state(&composed, "e2"), Some(json!({"checked": true})));
    // Apply follows, and a rule takes the combo box its input.
    assert_eq!(element_state(&composed, "e10"), Some(json!({})));
    assert_eq!(element_state(&composed, "e6"), Some(json!({"text": "Hall", "enabled": false})));
    let night = page.compose(json!({"values": {"tab": "Night"}}), Focus::Active);
    assert_eq!(element_state(&night, "e13"), None);
    assert_eq!(element_state(&night, "e30"), Some(json!({"selected": true})));
    let half = page.compose(json!({"values": {"level": 50}}), Focus::Active);
    let slider = half.elements.iter().find(|element| element.id == "e3").unwrap();
    assert_eq!((slider.description.as_str(), &slider.state["value"]), ("half", &json!(50)));
    let moved = page.compose(json!({"focus": "e6"}), Focus::Active);
    assert_eq!(element_state(&moved, "e6").unwrap()["focused"], true);
    assert_eq!(element_state(&moved, "e9").unwrap()["focused"], Value::Null);
    assert_ne!(pixel(&moved, 141, 51), pixel(&page.compose(json!({}), Focus::Active), 141, 51));
}

#[test]
fn popups_lie_over_the_page_and_reach_beyond_it() {
    let page = Page::main();
    let (open, closed) = (page.compose(json!({"popup": "menu"}), Focus::Active), page.compose(json!({}), Focus::Active));
    assert_eq!(open.rect, Rect::at(0, 0, 360, 346));
    assert_eq!(open.popups, [Rect::at(20, 283, 61, 63)]);
    let atlas = page.atlas();
    for (y, x) in (0..346).flat_map(|y| (0..360).map(move |x| (y, x))) {
        let below = if y < 300 { pixel(&closed, x, y) } else { [0; 4] };
        let expected = if Rect::at(20, 283, 61, 63).contains(Point { x, y }) {
            let above = atlas.get_pixel((70 + x - 20) as u32, (60 + y - 283) as u32).0;
            match above[3] {
                255 => above,
                0 => below,
                _ if below[3] == 0 => above,
                alpha => {
                    let mix = |at: usize| {
                        ((u32::from(above[at]) * u32::from(alpha) + u32::from(below[at]) * u32::from(255 - alpha) + 127) / 255)
                            as u8
                    };
                    [mix(0), mix(1), mix(2), 255]
                }
            }
        } else {
            below
        };
        assert_eq!(pixel(&open, x, y), expected, "{x},{y}");
    }
    let names: Vec<&str> = open.elements.iter().filter(|e| e.popup == Some(0)).map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["Preferences", "Close"]);
    let view = View { focus: Focus::Active, pointer: Some(PointerOn { element: "m1", pressed: false }) };
    let lit = page.compose(json!({"popup": "menu"}), view);
    assert_eq!(pixel(&lit, 30, 290), atlas.get_pixel(80, 131).0);
    // The pointer shows on the page too, where its `when` holds.
    let over = |element| View { focus: Focus::Active, pointer: Some(PointerOn { element, pressed: true }) };
    assert_ne!(pixel(&page.compose(json!({}), over("e11")), 25, 265), pixel(&closed, 25, 265));
    let dimmed = json!({"values": {"dim": true}});
    assert_eq!(page.compose(dimmed.clone(), over("e11")).rgba, page.compose(dimmed, Focus::Active).rgba);
    assert_ne!(pixel(&page.compose(json!({}), over("e10")), 285, 265), pixel(&closed, 285, 265));
}

#[test]
fn scroll_areas_show_another_part_of_their_content() {
    let page = Page::main();
    let scrolled = page.compose(json!({"offsets": {"rooms": [0, 160]}}), Focus::Active);
    let content = image::open(page.folder.path().join("windows/dimmer/b6c3f7d30283fefd.webp")).unwrap().to_rgba8();
    for (y, x) in (51..130).flat_map(|y| (241..331).map(move |x| (y, x))) {
        assert_eq!(pixel(&scrolled, x, y), content.get_pixel((x - 241) as u32, (y - 51 + 160) as u32).0, "{x},{y}");
    }
    let cellar = scrolled.elements.iter().find(|element| element.name == "Cellar").unwrap();
    assert_eq!(cellar.bbox, Rect::at(241, 51 + 40, 90, 20));
    assert_eq!(scrolled.elements[cellar.parent.unwrap()].id, "e14");
    assert!(!page.compose(json!({"offsets": {"rooms": [0, 40]}}), Focus::Active).elements.iter().any(|e| e.name == "Cellar"));
    // 221 px are left to scroll, along which the thumb goes 48 px.
    let thumb = page.atlas().get_pixel(0, 120).0;
    let ends = [(json!({"offsets": {"rooms": [0, 221]}}), 100), (json!({"offsets": {"rooms": [0, 111]}}), 76)];
    for (at, top) in ends {
        assert_eq!(pixel(&page.compose(at, Focus::Active), 332, top), thumb, "{top}");
    }
    assert!(page.refusal(json!({"offsets": {"rooms": [0, 222]}})).contains("expected [0, 0] to [0, 221]"));
}

#[test]
fn pictures_of_pages_are_kept_in_files_and_made_again() {
    let states = [
        json!({"values": {"tab": "Night"}}),
        json!({"values": {"dim": true, "level": 50, "name": "ab"}}),
        json!({"offsets": {"rooms": [0, 160]}}),
    ];
    let compose_all = |pack: &Pack| -> Vec<Vec<u8>> {
        let living = pack.living(pack.window_index("dimmer/main").unwrap()).unwrap();
        let looks = states.iter().flat_map(|at| [Focus::Active, Focus::Inactive].map(|focus| (state(at.clone()), focus)));
        looks.map(|(at, focus)| compose(pack, &living, &at, focus.into()).unwrap().rgba).collect()
    };
    let expected = compose_all(&Page::main().pack);
    let (folder, cache) = (copy(), tempfile::tempdir().unwrap());
    let keeping = || {
        let mut pack = open(folder.path());
        pack.cache_pictures_in(cache.path().to_owned());
        pack
    };
    let pack = keeping();
    for window in pack.windows.keys() {
        assert!(pack.prepare_pictures(window).unwrap());
    }
    let files = kept(cache.path());
    assert!(compose_all(&keeping()) == expected);
    assert_eq!(kept(cache.path()), files, "all that states need was prepared");
    // More often than the pack goes on using files.
    for round in 0..6 {
        for path in kept(cache.path()) {
            if round % 2 == 0 { fs::remove_file(path).unwrap() } else { fs::write(path, "nothing").unwrap() }
        }
        assert!(compose_all(&pack) == expected, "{round}");
    }
}

#[test]
fn texts_are_set_from_letters() {
    let page = Page::main();
    let (composed, before) =
        (page.compose(json!({"values": {"name": "ab"}}), Focus::Active), page.compose(json!({}), Focus::Active));
    let atlas = page.atlas();
    // "a" at 24, "b" 8 px on and half a px back, rounded to the nearest.
    for (letter, left, at) in [("a", 24, 10), ("b", 32, 20)] {
        let expected = atlas.get_pixel(at, 150).0;
        let shown = pixel(&composed, left, 144);
        assert!(expected[3] != 255 || shown == expected, "{letter}: {shown:?}, expected {expected:?}");
    }
    assert_ne!(composed.rgba, before.rgba);
    assert_eq!(element_state(&composed, "e9").unwrap()["text"], "ab");
    assert!(page.refusal(json!({"values": {"name": "xyz"}})).contains("control `name` = \"xyz\""));
}

#[test]
fn letters_between_two_px_take_the_picture_of_their_place() {
    let page = Page::changed(|l| {
        let glyphs = line(l, "glyphs", "plain");
        glyphs["parts"] = 100.into();
        glyphs["phases"] = 2.into();
        glyphs["glyphs"][0]["advance"] = 830.into();
        line(l, "control", "name")["text"]["shift"] = 20.into();
    });
    let (composed, before) =
        (page.compose(json!({"values": {"name": "aa"}}), Focus::Active), page.compose(json!({}), Focus::Active));
    let atlas = page.atlas();
    // Origins at 24.2 and 32.5 px: the first letter's picture, and the one beside it.
    for (left, at) in [(24, 10), (32, 17)] {
        for (y, x) in (0..10).flat_map(|y| (0..7).map(move |x| (y, x))) {
            let (letter, place) = (atlas.get_pixel(at + x as u32, 150 + y as u32).0, (left + x, 144 + y));
            let shown = pixel(&composed, place.0, place.1);
            match letter[3] {
                255 => assert_eq!(shown, letter, "{place:?}"),
                0 => assert_eq!(shown, pixel(&before, place.0, place.1), "{place:?}"),
                _ => {}
            }
        }
    }
}

#[test]
fn a_caret_stands_behind_a_text_that_has_the_focus() {
    let page = Page::changed(|l| {
        line(l, "control", "name")["text"]["caret"] = json!({"rect": [1, -9, 2, 2], "shift": -8, "at": [13, 155]});
    });
    let atlas = page.atlas();
    let caret = atlas.get_pixel(13, 155).0;
    // "a" and "b" end 16 - 0.5 px behind 24; an eighth less is rounded to 39.
    let shown = |view: Focus, focus: &str| pixel(&page.compose(json!({"values": {"name": "ab"}, "focus": focus}), view), 40, 145);
    assert_eq!(shown(Focus::Active, "e9"), caret);
    assert_ne!(shown(Focus::Inactive, "e9"), caret);
    assert_ne!(shown(Focus::Active, "e6"), caret);
}

#[test]
fn a_text_shows_under_values_that_its_field_needs() {
    let page = Page::changed(|l| line(l, "control", "name")["text"]["when"] = json!({"dim": true}));
    let compose = |values: Value| page.compose(json!({ "values": values }), Focus::Active);
    assert_eq!(compose(json!({"name": "ab"})).rgba, compose(json!({})).rgba);
    assert_ne!(compose(json!({"name": "ab", "dim": true})).rgba, compose(json!({"dim": true})).rgba);
}

#[test]
fn looks_without_the_focus_follow_the_page_s_rule() {
    let plain =
        |lines: &mut Vec<Value>| drop(line(lines, "patch", "dim")["areas"][0].as_object_mut().unwrap().remove("inactive"));
    let at = || json!({"values": {"dim": true}});
    let same = Page::changed(|l| {
        plain(l);
        line(l, "page", "")["inactive"] = json!({"kind": "same"});
    });
    let atlas = same.atlas();
    for (y, x) in (50..63).flat_map(|y| (20..33).map(move |x| (y, x))) {
        assert_eq!(pixel(&same.compose(at(), Focus::Inactive), x, y), atlas.get_pixel((x - 20) as u32, (y - 50) as u32).0);
    }
    let [r, g, b, alpha] = atlas.get_pixel(6, 6).0;
    let colour = format!("#{r:02x}{g:02x}{b:02x}");
    let mapped = Page::changed(|l| {
        plain(l);
        line(l, "page", "")["inactive"] = json!({"kind": "colours", "pairs": [[colour, "#123456"]]});
    });
    assert_eq!(pixel(&mapped.compose(at(), Focus::Inactive), 26, 56), [0x12, 0x34, 0x56, alpha]);
    assert_eq!(pixel(&mapped.compose(at(), Focus::Active), 26, 56), [r, g, b, alpha]);
}

#[test]
fn nothing_depends_on_the_order_of_lines() {
    let (page, turned) = (Page::main(), Page::changed(|lines| lines[1..].reverse()));
    let states = [
        json!({"values": {"dim": true, "room": "Attic", "level": 50}}),
        json!({"values": {"warm": false, "cold": true, "name": "ba", "hours": 4}, "focus": "e6"}),
        json!({"values": {"tab": "Night"}, "popup": "menu", "offsets": {"rooms": [0, 80]}}),
    ];
    for at in states {
        for focus in [Focus::Active, Focus::Inactive] {
            let (one, other) = (page.compose(at.clone(), focus), turned.compose(at.clone(), focus));
            assert!(one.rgba == other.rgba, "{at}");
            let ids = |composed: &Composed| {
                composed
                    .elements
                    .iter()
                    .map(|e| (e.id.clone(), format!("{e:?}")))
                    .collect::<BTreeMap<_, _>>()
                    .into_keys()
                    .collect::<Vec<_>>()
            };
            assert_eq!(ids(&one), ids(&other));
        }
    }
}

#[test]
fn states_that_a_page_can_t_have_are_refused() {
    let page = Page::main();
    for (at, expected) in [
        (json!({"values": {"lamp": true}}), "found control `lamp`, expected a control of this page"),
        (json!({"values": {"dim": 3}}), "found control `dim` = 3, expected one of its values, false, true"),
        (json!({"values": {"level": 101}}), "expected one of its values, 0 to 100 in steps of 1"),
        (json!({"values": {"level": 37}}), "expected a value of which a patch shows the look"),
        (json!({"values": {"apply": true}}), "expected none: it follows from others"),
        (json!({"values": {"dim": true, "tab": "Night"}}), "a rule `conflict`"),
        (json!({"values": {"cold": true}}), "2 switches of group `tone` on"),
        (json!({"values": {"warm": false}}), "0 switches of group `tone` on"),
        (json!({"popup": "list"}), "popup `list`"),
        (json!({"focus": "e99"}), "the focus on element `e99`"),
        (json!({"offsets": {"list": [0, 0]}}), "scroll area `list`"),
    ] {
        let refusal = page.refusal(at);
        assert!(refusal.starts_with("a state of dimmer/main: ") && refusal.contains(expected), "{expected}: {refusal}");
    }
}

#[test]
fn events_do_what_the_lines_say() {
    let page = Page::main();
    let cases = [
        // A box is ticked by its click map, and cleared by a transition that says so.
        (json!({}), json!({"click": [25, 55]}), json!({"values": {"dim": true}}), "mapped"),
        (json!({"values": {"dim": true}}), json!({"click": [25, 55]}), json!({}), "value"),
        // Beside its box the map says nothing.
        (json!({}), json!({"click": [60, 55]}), json!({}), "unmodelled"),
        // Of the switches of a group one is on.
        (json!({}), json!({"click": [65, 115]}), json!({"focus": "e5", "values": {"cold": true, "warm": false}}), "mapped focus"),
        (json!({"values": {"cold": true, "warm": false}}), json!({"click": [25, 115]}), json!({}), "mapped"),
        // A disabled combo box takes nothing; else it goes to its next choice, and around.
        (json!({"values": {"dim": true}}), json!({"click": [150, 55]}), json!({"values": {"dim": true}}), "inert"),
        (json!({}), json!({"click": [150, 55]}), json!({"values": {"room": "Attic"}}), "value"),
        (json!({"values": {"room": "Attic"}}), json!({"click": [150, 55]}), json!({}), "value"),
        // Clicks and drags of a slider: only values that have a look.
        (json!({}), json!({"click": [71, 90]}), json!({"values": {"level": 50}}), "mapped"),
        (json!({}), json!({"click": [60, 90]}), json!({}), "unmodelled"),
        (json!({}), json!({"drag": [[48, 90], [71, 90]]}), json!({"values": {"level": 50}}), "mapped"),
        (json!({"values": {"level": 50}}), json!({"drag": [[48, 90], [23, 90]]}), json!({"values": {"level": 50}}), "unmodelled"),
        (json!({"values": {"level": 50}}), json!({"drag": [[70, 90], [23, 90]]}), json!({"values": {"level": 0}}), "mapped"),
        (json!({}), json!({"click": [150, 270]}), json!({"values": {"level": 0}}), "value"),
        (json!({}), json!({"click": [200, 140]}), json!({"values": {"tint": [1.0, 0.0]}}), "mapped"),
        (json!({}), json!({"click": [150, 90]}), json!({}), "unmodelled"),
        (
            json!({}),
            json!({"drag": [[150, 155], [180, 155]]}),
            json!({"values": {"columns": ["Size", "Name", "Date"]}}),
            "mapped",
        ),
        (json!({}), json!({"drag": [[180, 155], [150, 155]]}), json!({}), "unmodelled"),
        (json!({}), json!({"click": [250, 160]}), json!({"values": {"picked": ["Lamp"]}}), "value"),
        (json!({}), json!({"click": [280, 160]}), json!({}), "unmodelled"),
        (json!({}), json!({"click": [145, 210]}), json!({"values": {"hours": 0}}), "mapped"),
        (json!({"values": {"hours": 0}}), json!({"click": [180, 210]}), json!({}), "mapped"),
        // The menu: opened, closed by a click beside it and by a key, used.
        (json!({}), json!({"click": [30, 270]}), json!({"popup": "menu"}), "popup"),
        (json!({"popup": "menu"}), json!({"click": [300, 100]}), json!({}), "popup_closed"),
        (json!({"popup": "menu"}), json!({"key": "Escape"}), json!({}), "popup_closed"),
        (json!({"popup": "menu"}), json!({"key": "Down"}), json!({"popup": "menu"}), "unmodelled"),
        (json!({}), json!({"key": "Escape"}), json!({}), "unmodelled"),
        (json!({"popup": "menu"}), json!({"click": [30, 290]}), json!({}), "popup_closed window"),
        // Keys go to what has the focus.
        (
            json!({"focus": "e22", "values": {"level": 0}}),
            json!({"key": "Up"}),
            json!({"focus": "e22", "values": {"level": 0}}),
            "unmodelled",
        ),
        (json!({}), json!({"type": "ba"}), json!({"values": {"name": "ba"}}), "typed"),
        (json!({"values": {"name": "ba"}}), json!({"type": "ab a"}), json!({"values": {"name": "baab a"}}), "typed"),
        (json!({}), json!({"type": "xyz"}), json!({}), "unmodelled"),
        (json!({}), json!({"type": "aaaaaaaaaaaa"}), json!({}), "unmodelled"),
        (json!({"focus": "e22"}), json!({"type": "ab"}), json!({"focus": "e22"}), "unmodelled"),
        // Scrolling ends where the content does.
        (json!({}), json!({"scroll": {"at": [260, 100], "notches": [0, 1]}}), json!({"offsets": {"rooms": [0, 40]}}), "scrolled"),
        (
            json!({}),
            json!({"scroll": {"at": [260, 100], "notches": [0, 3]}}),
            json!({"offsets": {"rooms": [0, 120]}}),
            "scrolled",
        ),
        (
            json!({}),
            json!({"scroll": {"at": [260, 100], "notches": [0, 99]}}),
            json!({"offsets": {"rooms": [0, 221]}}),
            "scrolled",
        ),
        (json!({}), json!({"scroll": {"at": [260, 100], "notches": [0, -1]}}), json!({}), "scrolled"),
        (json!({}), json!({"click": [335, 120]}), json!({"offsets": {"rooms": [0, 79]}}), "scrolled"),
        // What was recorded as doing nothing, what leads away, and what nobody knows.
        (json!({}), json!({"double_click": [150, 240]}), json!({}), "inert"),
        (json!({}), json!({"click": [290, 270]}), json!({}), "inert"),
        (json!({}), json!({"click": [305, 10]}), json!({}), "minimised"),
        (json!({}), json!({"click": [245, 205]}), json!({}), "launch"),
        (json!({}), json!({"click": [245, 225]}), json!({}), "unmodelled"),
        (json!({}), json!({"click": [5, 290]}), json!({}), "unmodelled"),
        (json!({}), json!({"right_click": [25, 55]}), json!({}), "unmodelled"),
        // Values that would conflict have no look.
        (json!({"values": {"dim": true}}), json!({"click": [125, 185]}), json!({"values": {"dim": true}}), "unmodelled"),
    ];
    for (before, what, after, outcomes) in cases {
        let (found, kinds) = page.act(before.clone(), what.clone());
        assert_eq!((found, kinds.join(" ").as_str()), (after, outcomes), "{before} {what}");
    }
}

#[test]
fn a_line_may_hold_only_while_something_has_the_focus() {
    let folder = copy();
    let path = folder.path().join("windows/dimmer/transitions.jsonl");
    let line = json!({
        "from": "dimmer/main", "focused": ["e21", "e22"], "element": "e6", "action": "click", "outcomes": [{"kind": "inert"}]
    });
    fs::write(&path, format!("{}{line}\n", fs::read_to_string(&path).unwrap())).unwrap();
    let page = Page::of(folder, "dimmer/main");
    let click = json!({"click": [150, 55]});
    assert_eq!(page.act(json!({}), click.clone()), (json!({"values": {"room": "Attic"}}), vec!["value".to_owned()]));
    assert_eq!(page.act(json!({"focus": "e22"}), click.clone()), (json!({"focus": "e22"}), vec!["inert".to_owned()]));
    assert_eq!(page.act(json!({"focus": "e5"}), click).1, ["value"]);
}

#[test]
fn windows_close_and_become_other_pages() {
    let page = Page::main();
    let at = |window: &str, what: Value| {
        let living = page.pack.living(page.pack.window_index(window).unwrap()).unwrap();
        let acted = act(&living, &PageState::default(), &event(what)).unwrap();
        (acted.window, acted.element.unwrap_or_default())
    };
    assert_eq!(at("dimmer/main", json!({"click": [345, 10]})), (None, "e1".to_owned()));
    assert_eq!(at("dimmer/main", json!({"click": [325, 10]})), (Some("dimmer/maximized".to_owned()), "e18".to_owned()));
    // A window without a living file has transitions too.
    assert_eq!(at("dimmer/preferences", json!({"click": [140, 110]})), (None, "e2".to_owned()));
}

/// What is set goes along when the window fills the work area, and comes back: values, and the focus.
#[test]
fn a_larger_window_shows_what_was_set() {
    let page = Page::main();
    let enlarge = json!({"click": [325, 10]});
    let on = |window: &str, before: Value, what: Value| {
        let living = page.pack.living(page.pack.window_index(window).unwrap()).unwrap();
        let acted = act(&living, &state(before), &event(what)).unwrap();
        let why = acted.outcomes.iter().find_map(|outcome| match outcome {
            Outcome::Unmodelled { why } => Some(why.clone()),
            _ => None,
        });
        (acted.window.unwrap(), serde_json::to_value(&acted.state).unwrap(), why.unwrap_or_default())
    };
    let (small, large) = ("dimmer/main", "dimmer/maximized");
    let both = json!({"values": {"dim": true, "level": 50}, "focus": "e2"});
    assert_eq!(on(small, both.clone(), enlarge.clone()), (large.to_owned(), both.clone(), String::new()));
    let shown = page.pack.living(page.pack.window_index(large).unwrap()).unwrap();
    let composed = compose(&page.pack, &shown, &state(both.clone()), Focus::Active.into()).unwrap();
    let of = |id: &str| element_state(&composed, id).unwrap();
    assert_eq!((&of("e2")["checked"], &of("e3")["value"]), (&json!(true), &json!(50)));
    assert_eq!(of("e2")["focused"], json!(true));
    // What is set there comes back.
    let cleared = json!({"values": {"level": 50}, "focus": "e2"});
    assert_eq!(on(large, both, json!({"click": [25, 95]})), (large.to_owned(), cleared.clone(), String::new()));
    assert_eq!(on(large, cleared.clone(), json!({"click": [605, 10]})), (small.to_owned(), cleared, String::new()));
    // A value that the other page does not show, one of a control that it lacks, and a focus that it can't have.
    for (before, expected) in [
        (json!({"values": {"level": 0}}), "control `level` = 0"),
        (json!({"values": {"hours": 4}}), "control `hours`"),
        (json!({"offsets": {"rooms": [0, 40]}}), "not carried"),
        (json!({"focus": "e6"}), "element `e6`"),
    ] {
        let (window, after, why) = on(small, before.clone(), enlarge.clone());
        assert!(window == small && after == before && why.contains(expected), "{before}: {why}");
    }
}

/// A key of a button of the mouse or the keyboard, anywhere.
fn random_event(key: SampleKey, step: u64, transitions: &[Arc<Transition>]) -> WindowEvent {
    let mut stream = key.stream(Decision::Target, step);
    let mut point = || Point { x: stream.between(-5, 364) as i32, y: stream.between(-5, 350) as i32 };
    let (one, other) = (point(), point());
    let mut stream = key.stream(Decision::Wording, step);
    match stream.below(8) {
        0..4 => WindowEvent::Click(one),
        4 => WindowEvent::Drag([one, other]),
        5 => WindowEvent::Scroll { at: one, notches: Point { x: 0, y: stream.between(-3, 3) as i32 } },
        6 => WindowEvent::Type(["a", "b ", "q"][stream.below(3)].to_owned()),
        _ => {
            let keys: Vec<String> = transitions
                .iter()
                .filter_map(|t| serde_json::to_value(&t.action).unwrap()["key"].as_str().map(str::to_owned))
                .collect();
            WindowEvent::Key(keys[stream.below(keys.len())].clone())
        }
    }
}

#[test]
fn whatever_is_done_the_page_stays_one_that_can_be_shown() {
    let page = Page::main();
    let living = page.living();
    let mut reached = std::collections::BTreeSet::new();
    for walk in 0..40 {
        let key = SampleKey { seed: 19, index: walk, draw: 0 };
        let mut now = PageState::default();
        for step in 0..40 {
            let event = random_event(key, step, &living.transitions);
            let acted = act(&living, &now, &event).unwrap();
            assert!(!acted.outcomes.is_empty());
            assert_eq!(act(&living, &now, &event).unwrap(), acted);
            if acted.window.as_deref() != Some("dimmer/main") {
                now = PageState::default();
                continue;
            }
            assert_eq!(normalised(&living, &acted.state).unwrap(), acted.state, "{event:?}");
            let surely_same = [Outcome::Inert {}];
            if acted.outcomes == surely_same || matches!(acted.outcomes[..], [Outcome::Unmodelled { .. }]) {
                assert_eq!(acted.state, now, "{event:?}");
            }
            if reached.insert(acted.state.clone()) && reached.len() % 5 == 0 {
                let composed = compose(&page.pack, &living, &acted.state, Focus::Active.into()).unwrap();
                assert_eq!(composed.rgba.len() as u64, composed.rect.area() * 4);
                assert!(composed.elements.iter().all(|e| composed.rect.covers(e.bbox)), "{:?}", acted.state);
            }
            now = acted.state;
        }
    }
    assert!(reached.len() > 60, "{}", reached.len());
}

/// What controls of a page of the default pack are in states at random, if they can have these values.
fn scattered_over(living: &Living, index: u64, fixed: Value) -> Option<BTreeMap<String, String>> {
    let mut stream = SampleKey { seed: 21, index, draw: 0 }.stream(Decision::SettingPage, 0);
    let fixed: Values = serde_json::from_value(fixed).unwrap();
    let state = scattered(living, &mut stream, &fixed).ok()?;
    let captured = living.page.controls.iter().map(|control| (control.id.clone(), control.value.clone()));
    let now: BTreeMap<_, _> = captured.chain(state.values).collect();
    assert!(fixed.iter().all(|(id, value)| now[id] == *value));
    Some(now.into_iter().map(|(id, value)| (id, value.to_string().trim_matches('"').to_owned())).collect())
}

#[test]
fn controls_that_clicks_change_together_have_values_that_go_together() {
    let (pack, _) = open_default(&[]).unwrap();
    for (window, places, row, bar) in [
        ("mousepad/live-open--gnome-light", "places-e5", "row-e34", "bar-e29"),
        ("geany/live-open--kde-light", "places-e6", "row-e37", "bar-e32"),
    ] {
        let living = pack.living(pack.window_index(window).unwrap()).unwrap();
        let mut seen = [(); 3].map(|()| std::collections::BTreeSet::new());
        for index in 0..200 {
            let now = scattered_over(&living, index, json!({})).unwrap();
            let [place, chosen, path] = [places, row, bar].map(|id| now[id].clone());
            let folder = if place == "Home" { "alex" } else { &place };
            assert!(path.contains(&format!("[{folder}]")), "{window}: {place}, {path}");
            assert!(chosen.is_empty() || chosen.starts_with(&format!("{place}/")), "{window}: {place}, {chosen}");
            for (seen, value) in seen.iter_mut().zip([place, chosen, path]) {
                seen.insert(value);
            }
        }
        assert!(seen.iter().all(|values| values.len() >= 5), "{window}: {seen:?}");
        // What is given decides the rest, or can't be.
        let music = scattered_over(&living, 0, json!({ places: "Music" })).unwrap();
        assert!(music[bar].contains("[Music]"), "{music:?}");
        let apart = json!({ places: "Music", bar: music[bar].replace("Music", "Pictures") });
        assert_eq!(scattered_over(&living, 0, apart), None);
    }
}
