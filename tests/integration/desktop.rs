//! What clicks do on desktops: whatever is done, the state stays sound, and the same state and event give the same.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use windesk::desktop::{
    Acted, DesktopState, DesktopWindow, Effect, Event, Hit, WindowId, act, faults, frame_button, hit, of_plan,
};
use windesk::engine::pack::{IndexedPack, Shown, Window};
use windesk::model::geometry::{Point, Rect};
use windesk::model::key::{Decision, SampleKey, Stream};
use windesk::model::page_state::PageState;
use windesk::model::plan::Role;
use windesk::{Study, default_pack, shipped};

/// The default pack, opened once.
pub fn pack() -> &'static IndexedPack {
    static PACK: OnceLock<IndexedPack> = OnceLock::new();
    PACK.get_or_init(|| default_pack::open_default(&[]).unwrap().0.indexed().unwrap())
}

/// Desktops as levels make them.
fn desktops(level: &str, count: u64) -> Vec<DesktopState> {
    let study = Study::of_condition(shipped::level(level, &[]).unwrap(), 11);
    let pool = study.pool(pack()).unwrap();
    let plans = (0..count).filter_map(|index| study.outcome(pack(), &pool, index).unwrap().plans);
    plans.map(|plans| of_plan(pack(), &plans[0]).unwrap()).collect()
}

fn shown(window: &DesktopWindow) -> Shown<'static> {
    pack().shown(pack().window_index(&window.capture).unwrap(), Some(&window.page_state)).unwrap()
}

/// An event that a person might do: mostly clicks on what is known to do something, at times anything anywhere.
fn event(state: &DesktopState, stream: &mut Stream) -> Event {
    let anywhere = Point {
        x: stream.between(-20, i64::from(state.canvas.width) + 20) as i32,
        y: stream.between(-20, i64::from(state.canvas.height) + 20) as i32,
    };
    let mut known: Vec<Rect> = Vec::new();
    // Half of the time what is done goes on where the last thing was done, such as in a menu that opened.
    let goes_on = stream.chance(500);
    let front = state.windows.iter().rfind(|w| !w.minimised).map(|w| w.id);
    for window in state.windows.iter().filter(|w| !w.minimised && (!goes_on || Some(w.id) == front)) {
        let shown = shown(window);
        let acted_on: Vec<_> = pack().transitions.iter().filter(|t| t.from == shown.id).map(|t| t.element.clone()).collect();
        for (at, element) in shown.elements.iter_enumerated() {
            if acted_on.contains(&Some(element.id.clone())) || frame_button(&shown, at).is_some() {
                known.push(element.bbox.moved(window.origin + shown.at()));
            }
        }
    }
    known.extend(state.chrome.taskbar_elements(state.canvas).iter().map(|e| e.bbox));
    let at = if stream.chance(750) && !known.is_empty() { known[stream.below(known.len())].centre() } else { anywhere };
    match stream.below(20) {
        0 => Event::DoubleClick { at },
        1 => Event::RightClick { at },
        2 => Event::Key { key: ["Escape", "ctrl+f", "Return"][stream.below(3)].to_owned() },
        3 => Event::Scroll { at, by: Point { x: 0, y: 3 } },
        4 => Event::Drag { from: at, to: anywhere },
        5 => Event::Type { text: "words".to_owned() },
        _ => Event::Click { at },
    }
}

fn check(before: &DesktopState, event: &Event, done: &Acted) {
    let after = &done.state;
    assert_eq!(faults(pack(), after), Vec::<String>::new(), "{event:?} on {before:?}");
    assert!(!done.effects.is_empty(), "{event:?}: nothing is said");
    let mut ids: Vec<WindowId> = after.windows.iter().map(|w| w.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), after.windows.len(), "windows are a permutation");
    assert!(after.next_id >= before.next_id);
    if let Some(active) = after.active {
        assert!(after.shown().any(|w| w.id == active), "the active window shows");
    }
    let menus: Vec<WindowId> = after.shown().filter(|w| shown(w).has_popup()).map(|w| w.id).collect();
    assert!(menus.len() <= 1 && menus.iter().all(|&m| after.shown().next_back().map(|w| w.id) == Some(m)), "{menus:?}");
    let work = after.work_area();
    for window in after.shown() {
        let frame = window.frame(pack());
        let fits = frame.width() <= work.width() && frame.height() <= work.height();
        let was_there = before.window(window.id).map(|w| work.covers(w.frame(pack())));
        assert!(
            !fits || was_there == Some(false) || work.covers(frame),
            "{event:?} moves {} beyond the work area",
            window.capture
        );
    }
    if !done.is_modelled() {
        // Windows may come to the front, but show what they showed.
        let shows = |state: &DesktopState| -> BTreeMap<WindowId, (String, PageState, Point)> {
            state.windows.iter().map(|w| (w.id, (w.capture.clone(), w.page_state.clone(), w.origin))).collect()
        };
        assert_eq!(shows(before), shows(after), "{event:?} is not modelled and changes something");
    }
    // Each item of the shell says what is there.
    for item in &after.chrome.items {
        let of_program = |w: &&windesk::desktop::DesktopWindow| {
            pack().program_of(pack().window_index(&w.capture).unwrap()).record.name == item.name
        };
        let own = || after.windows.iter().filter(of_program);
        if own().next().is_some() {
            assert_eq!(item.windows as usize, own().filter(|w| !w.minimised).count(), "{}", item.name);
            assert_eq!(item.active, own().any(|w| Some(w.id) == after.active), "{}", item.name);
        }
    }
}

/// Does what an event says, checks what it did, and counts its effects by their kind.
fn checked(state: &DesktopState, event: &Event, seen: &mut BTreeMap<String, u32>) -> Acted {
    let done = act(pack(), state, event).unwrap();
    check(state, event, &done);
    assert_eq!(done, act(pack(), state, event).unwrap(), "the same state and event give the same");
    let written = serde_json::to_string(&done).unwrap();
    assert_eq!(serde_json::from_str::<Acted>(&written).unwrap(), done, "what is written reads the same");
    for effect in &done.effects {
        let kind = serde_json::to_value(effect).unwrap()["kind"].as_str().unwrap().to_owned();
        *seen.entry(kind).or_default() += 1;
    }
    done
}

#[test]
fn whatever_is_done_the_desktop_stays_sound() {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for (number, start) in ["L1", "L4"].iter().flat_map(|level| desktops(level, 60)).enumerate() {
        let mut state = start;
        let mut stream = SampleKey { seed: 5, index: number as u64, draw: 0 }.stream(Decision::TaskPath, 99);
        for _ in 0..40 {
            let event = event(&state, &mut stream);
            state = checked(&state, &event, &mut seen).state;
        }
    }
    for kind in ["raised", "page", "menu_closed", "opened", "closed", "minimised", "inert", "unmodelled", "unfocused"] {
        assert!(seen.contains_key(kind), "{kind} never happened: {seen:?}");
    }
}

/// Desktops with a living page in front, one for each page of the pack that stands on desktops.
fn living_desktops() -> Vec<DesktopState> {
    let has_menu = |w: &DesktopWindow| pack().windows[pack().window_index(&w.capture).unwrap()].has_popup();
    let start = desktops("L2", 8).into_iter().find(|state| !state.windows.iter().any(has_menu)).unwrap();
    let pages = pack().windows.iter().filter(|window| window.living.is_some() && window.is_of_desktop());
    let put = |window: &Window| {
        let mut state = start.clone();
        let work = state.work_area();
        state.windows.push(DesktopWindow {
            id: WindowId(state.next_id),
            capture: window.id.clone(),
            page_state: PageState::default(),
            origin: work.centre() - window.frame.centre(),
            parent: None,
            minimised: false,
            snap: window.snap,
            former: None,
            role: Role::Background,
            behind_menu: None,
        });
        state.active = Some(WindowId(state.next_id));
        state.next_id += 1;
        state
    };
    pages.map(put).collect()
}

#[test]
fn living_pages_answer_whatever_is_done_to_them() {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for (number, start) in living_desktops().into_iter().enumerate() {
        let mut state = start;
        let mut stream = SampleKey { seed: 6, index: number as u64, draw: 0 }.stream(Decision::TaskPath, 99);
        for _ in 0..30 {
            let Some(top) = state.shown().next_back().cloned() else { break };
            let event = if stream.chance(700) {
                // Anything that shows on the window in front.
                let (window, by) = (shown(&top), top.origin);
                let boxes: Vec<Rect> = window.elements.iter().filter(|e| e.interactive).map(|e| e.bbox).collect();
                if boxes.is_empty() {
                    continue;
                }
                let at = boxes[stream.below(boxes.len())].moved(by + window.at()).centre();
                let up = Point { x: at.x + 40, y: at.y };
                match stream.below(12) {
                    0 => Event::Scroll { at, by: Point { x: 0, y: 1 } },
                    1 => Event::Drag { from: at, to: up },
                    2 => Event::Key { key: ["Escape", "Down", "space"][stream.below(3)].to_owned() },
                    3 => Event::Type { text: "7".to_owned() },
                    _ => Event::Click { at },
                }
            } else {
                event(&state, &mut stream)
            };
            let done = checked(&state, &event, &mut seen);
            for effect in &done.effects {
                if let Effect::Set { window, control, value } = effect {
                    let window = done.state.window(*window).unwrap();
                    let now = window.page_state.values.get(control);
                    let living = pack().living(pack().window_index(&window.capture).unwrap()).unwrap();
                    assert_eq!(now.unwrap_or(&living.page.control(control).unwrap().value), value);
                }
            }
            state = done.state;
        }
    }
    for kind in ["set", "popup_opened", "menu_closed", "focused", "resized", "closed", "inert", "unmodelled"] {
        assert!(seen.contains_key(kind), "{kind} never happened: {seen:?}");
    }
}

/// What is set in a window of its usual size shows when it fills the work area, and what is set there shows afterwards.
#[test]
fn what_is_set_stays_set_as_a_window_changes_its_size() {
    let is_page = |state: &DesktopState| state.windows.last().unwrap().capture == "nemo/live-preferences--gnome-light";
    let mut state = living_desktops().into_iter().find(is_page).unwrap();
    let own = state.windows.last().unwrap().id;
    let click = |state: &DesktopState, name: &str| {
        let window = state.window(own).unwrap();
        let page = shown(window);
        let element = page.elements.iter().find(|e| e.name == name && e.interactive).unwrap_or_else(|| panic!("{name}"));
        act(pack(), state, &Event::Click { at: element.bbox.moved(window.origin + page.at()).centre() }).unwrap()
    };
    let values = |state: &DesktopState| state.window(own).unwrap().page_state.values.clone();
    let small = state.window(own).unwrap().clone();
    state = click(&state, "Show only folders").state;
    let set = values(&state);
    assert_eq!(set.len(), 1);
    let large = click(&state, "Maximize");
    assert!(large.effects.iter().any(|e| matches!(e, Effect::Resized { .. })), "{:?}", large.effects);
    assert_eq!(values(&large.state), set);
    let more = click(&large.state, "Sort folders before files").state;
    assert_eq!(values(&more).len(), 2);
    let back = click(&more, "Restore").state;
    assert_eq!(values(&back), values(&more));
    assert_eq!((&back.window(own).unwrap().capture, back.window(own).unwrap().origin), (&small.capture, small.origin));
}

#[test]
fn a_button_of_the_shell_puts_away_and_brings_back() {
    let with_taskbar = |state: &DesktopState| state.chrome.shell != windesk::model::pack_format::ShellKind::TopBarAndDock;
    // An open menu takes the first click.
    let without_menu =
        |state: &DesktopState| !state.shown().any(|w| pack().windows[pack().window_index(&w.capture).unwrap()].has_popup());
    let button = |state: &DesktopState| {
        let elements = state.chrome.taskbar_elements(state.canvas);
        let item = state.chrome.items.iter().find(|item| item.windows == 1 && item.active)?.name.clone();
        let found = elements.iter().find(|e| matches!(e.part, windesk::model::desktop::Part::Item(i) if i.name == item));
        found.map(|e| e.bbox.centre())
    };
    let fitting = desktops("L1", 30).into_iter().filter(|state| with_taskbar(state) && without_menu(state));
    let found = fitting.filter_map(|state| Some((button(&state)?, state))).next();
    let (at, state) = found.expect("a desktop with a bar on which the active window is the only one of its program");
    let away = act(pack(), &state, &Event::Click { at }).unwrap();
    assert!(matches!(away.effects[..], [Effect::Minimised { .. }]), "{:?}", away.effects);
    let back = act(pack(), &away.state, &Event::Click { at }).unwrap();
    assert!(back.effects.iter().any(|e| matches!(e, Effect::Restored { .. })), "{:?}", back.effects);
    let shown = |state: &DesktopState| state.shown().map(|w| (w.id, w.origin)).collect::<Vec<_>>();
    assert_eq!(shown(&back.state), shown(&state));
}

/// The button that fills the work area gives the former size and place back; where it was before is not known of a
/// window that fills it from the beginning.
#[test]
fn a_window_that_was_enlarged_gets_its_former_size_back() {
    let fits = |state: &DesktopState| {
        let work = state.work_area();
        state.session.as_deref() == Some("gnome-light") && (work.width(), work.height()) == (2560, 1392)
    };
    let mut state = desktops("L1", 60).into_iter().find(fits).expect("a desktop of the session on the screen of its captures");
    let captured = |id: &str| &pack().windows[pack().window_index(id).unwrap()];
    let click = |state: &DesktopState, name: &str| {
        let shown = captured(&state.windows[0].capture);
        let button = shown.elements.iter().find(|e| e.role == "push button" && e.name == name).expect("a button of the frame");
        act(pack(), state, &Event::Click { at: button.bbox.moved(state.windows[0].origin).centre() }).unwrap()
    };
    state.windows.truncate(1);
    let window = &mut state.windows[0];
    (window.capture, window.origin) = ("geany/live-find--gnome-light".to_owned(), Point { x: 300, y: 200 });
    (window.parent, window.former, window.behind_menu) = (None, None, None);
    (window.snap, window.minimised) = (windesk::model::pack_format::SnapState::Floating, false);
    state.active = Some(state.windows[0].id);
    let enlarged = click(&state, "Maximize");
    assert!(matches!(enlarged.effects[..], [Effect::Resized { .. }]), "{:?}", enlarged.effects);
    assert_eq!(enlarged.state.windows[0].capture, "geany/live-find-max--gnome-light");
    let back = click(&enlarged.state, "Restore");
    assert_eq!(back.state.windows, state.windows);
    let mut large = enlarged.state;
    large.windows[0].former = None;
    let stays = click(&large, "Restore");
    assert!(matches!(stays.effects[..], [Effect::Unmodelled { .. }]), "{:?}", stays.effects);
    assert_eq!(stays.state.windows, large.windows);
}

#[test]
fn a_click_beside_an_open_menu_closes_it_and_does_nothing_else() {
    let mut tried = 0;
    for state in desktops("L1", 60) {
        let top = state.shown().next_back().unwrap();
        let captured = &pack().windows[pack().window_index(&top.capture).unwrap()];
        let opens = pack().transitions.iter().find(|t| {
            let to = t.to().and_then(|to| pack().window_index(to)).map(|to| &pack().windows[to]);
            t.from == captured.id && to.is_some_and(|to| to.has_popup() && to.popups.len() == 1)
        });
        let Some(opens) = opens else { continue };
        let element = &captured.elements[captured.element_index(opens.element.as_ref().unwrap()).unwrap()];
        let opened = act(pack(), &state, &Event::Click { at: element.bbox.moved(top.origin).centre() }).unwrap();
        if !opened.effects.iter().any(|e| matches!(e, Effect::Page { .. })) {
            continue;
        }
        let corner = Point { x: state.canvas.width as i32 - 3, y: 3 };
        assert!(!matches!(hit(pack(), &opened.state, corner).unwrap(), Hit::Window { in_menu: true, .. }));
        let closed = act(pack(), &opened.state, &Event::Click { at: corner }).unwrap();
        assert!(matches!(closed.effects[..], [Effect::MenuClosed { .. }]), "{:?}", closed.effects);
        assert_eq!(closed.state.windows, state.windows);
        let escaped = act(pack(), &opened.state, &Event::Key { key: "Escape".to_owned() }).unwrap();
        assert_eq!(escaped.state.windows, state.windows);
        tried += 1;
    }
    assert!(tried > 0, "no desktop with a menu to open");
}

#[test]
fn dialogs_lie_over_their_parents() {
    let floats = |window: &&Window| window.snap == windesk::model::pack_format::SnapState::Floating;
    let mut dialogs = 0;
    for window in pack().windows.iter().filter(floats) {
        let Some((parent, offset)) = window.parent else { continue };
        let middle = window.frame.size().rect().moved(offset).centre();
        assert!(pack().windows[parent].frame.size().rect().contains(middle), "{} lies beside its parent", window.id);
        dialogs += 1;
    }
    assert!(dialogs > 100, "{dialogs} dialogs");
}

#[test]
fn a_state_of_another_pack_is_refused() {
    let mut state = desktops("L1", 1).remove(0);
    state.windows[0].capture = "nothing/main".to_owned();
    let error = act(pack(), &state, &Event::Click { at: Point { x: 5, y: 5 } }).unwrap_err().to_string();
    assert!(error.contains("nothing/main"), "{error}");
}
