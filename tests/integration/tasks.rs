//! Tasks: what each kind promises, counted again from records, plans and pictures; datasets of them are as all others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, RgbImage};
use windesk::desktop::task::{Goals, PathClick, TaskPool, TaskStudy};
use windesk::desktop::{DesktopState, DesktopWindow, Effect, Event, WindowId, act, of_plan};
use windesk::engine::render::Renderer;
use windesk::model::condition::ChromeMode;
use windesk::model::desktop::Chrome;
use windesk::model::geometry::{Point, Rect};
use windesk::model::pack_format::living::Value;
use windesk::model::page_state::PageState;
use windesk::model::plan::{Placement, Plan, Role};
use windesk::model::record::SceneRecord;
use windesk::model::task::{StepKind, TaskKind, TaskLine};
use windesk::shipped;

use crate::command::{done, finish, refused, succeeds, tree, windesk};
use crate::desktop::pack;
use crate::killed::resumes_from_moments;

/// Makes tasks of the default pack, on a small screen.
fn make(out: &Path, more: &[&str]) {
    let args = ["tasks", "--seed", "3", "--canvas", "1920x1080", "--out", out.to_str().unwrap()];
    succeeds(args.into_iter().chain(more.iter().copied()));
}

fn lines<T: serde::de::DeserializeOwned>(folder: &Path, kind: &str) -> Vec<T> {
    let mut parts: Vec<PathBuf> = fs::read_dir(folder.join(kind)).unwrap().map(|e| e.unwrap().path()).collect();
    parts.sort();
    let text: String = parts.iter().map(|part| fs::read_to_string(part).unwrap()).collect();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// Everything that a dataset of tasks says.
struct Told {
    folder: PathBuf,
    tasks: Vec<TaskLine>,
    scenes: Vec<SceneRecord<'static>>,
    plans: Vec<Plan>,
}

impl Told {
    fn read(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            tasks: lines(folder, "tasks"),
            scenes: lines(folder, "scenes"),
            plans: lines(folder, "plans"),
        }
    }

    fn scene(&self, id: &str) -> usize {
        self.scenes.iter().position(|s| s.id == id).unwrap_or_else(|| panic!("no scene {id}"))
    }
}

/// Visible pixels of an element, one by one: the topmost window that owns a pixel shows it.
fn visible_px(plan: &Plan, placement: usize, element: &str) -> u64 {
    let placements = &plan.placements.raw;
    let shown = |p: &Placement| pack().shown(pack().window_index(&p.window).unwrap(), p.state.as_ref()).unwrap();
    let own = shown(&placements[placement]);
    let bbox = own.elements[own.element_index(element).unwrap()].bbox.moved(placements[placement].origin);
    let pixels = |p: &Placement| {
        let shown = shown(p);
        (shown.pixels(pack(), pack().focus_of(shown.index(), p.active)).unwrap(), p.origin)
    };
    let shapes: Vec<_> = placements.iter().map(pixels).collect();
    let bars: Vec<Rect> = plan.chrome.bars(plan.canvas).collect();
    let pointer = plan.pointer.as_ref().map(|p| (pack().pointer_pixels(&p.icon, p.side_px).unwrap(), p.origin));
    let owns =
        |(pixels, origin): &(std::sync::Arc<windesk::engine::pack::Pixels>, windesk::model::geometry::Point), x: i32, y: i32| {
            pixels.shape().row(y - origin.y).iter().any(|&(a, b)| (a..b).contains(&(x - origin.x)))
        };
    let mut count = 0;
    for y in bbox.y0().max(0)..bbox.y1().min(plan.canvas.height as i32) {
        for x in bbox.x0().max(0)..bbox.x1().min(plan.canvas.width as i32) {
            let covered = bars.iter().any(|bar| bar.contains([x, y].into())) || pointer.as_ref().is_some_and(|p| owns(p, x, y));
            let top = (0..shapes.len()).rev().find(|&at| owns(&shapes[at], x, y));
            count += u64::from(!covered && top == Some(placement));
        }
    }
    count
}

/// What holds of tasks of every kind.
fn check_tasks(told: &Told, wanted: u64) {
    assert_eq!(told.tasks.len() as u64, wanted, "{}", told.folder.display());
    assert_eq!(told.scenes.len(), told.tasks.iter().map(|t| t.steps.len()).sum::<usize>());
    // Keyframes are encoded one from the other: the files are those of each by itself.
    let renderer = Renderer::new(pack()).unwrap();
    for (scene, plan) in told.scenes.iter().zip(&told.plans) {
        let alone = renderer.encode_png(plan).unwrap();
        assert!(fs::read(told.folder.join(&scene.image)).unwrap() == alone, "{}: another file than alone", scene.id);
    }
    for task in &told.tasks {
        assert!((2..=6).contains(&task.steps.len()), "{}", task.id);
        assert!(task.task_overview.as_ref().is_some_and(|goal| !goal.is_empty()), "{}", task.id);
        assert!(
            !task.applications.is_empty() && task.applications[0] == task.application,
            "{}: {:?}",
            task.id,
            task.applications
        );
        for (number, step) in task.steps.iter().enumerate() {
            let at = told.scene(step.scene.as_ref().unwrap());
            let (scene, plan) = (&told.scenes[at], &told.plans[at]);
            let place = scene.sequence.as_ref().unwrap();
            assert_eq!(
                (place.id.as_str(), place.step as usize, place.steps as usize),
                (task.id.as_str(), number, task.steps.len())
            );
            let target = &scene.truth.targets[0];
            assert_eq!(Some(&target.id), step.target.as_ref());
            assert_eq!(target.instruction, step.instruction);
            let bbox = target.bbox.unwrap();
            assert_eq!(step.bbox.unwrap(), <[i32; 4]>::from(bbox).map(f64::from));
            assert!(bbox.contains(step.click_point.unwrap()), "{}: the click misses", step.instruction);
            assert!(target.visible_ratio >= 0.3 && target.visible_px >= 48, "{}: {}", scene.id, target.visible_ratio);
            if plan.step.as_ref().unwrap().shell.is_none() {
                let seen = visible_px(plan, plan.target.placement.into(), &plan.target.element);
                assert_eq!(seen, target.visible_px, "{}: counted pixel by pixel", scene.id);
            }
            let screen = Rect::at(0, 0, scene.width as i32, scene.height as i32);
            for also in &step.also_valid {
                assert!(screen.covers(also.bbox) && !also.why.is_empty(), "{}: {:?}", scene.id, also.bbox);
            }
            assert!(scene.truth.windows.iter().filter(|w| w.active).count() <= 1, "{}", scene.id);
        }
        for pair in task.steps.windows(2) {
            check_pair(told, [&pair[0], &pair[1]].map(|step| told.scene(step.scene.as_ref().unwrap())));
        }
    }
}

/// Two keyframes differ where the click did something, and nowhere else: in the windows that it changed, in the windows
/// of their programs, under the pointer, and in the shell.
fn check_pair(told: &Told, pair: [usize; 2]) {
    let [before, after] = pair.map(|at| &told.scenes[at]);
    let known = |at: usize| -> BTreeSet<(String, [i32; 4], bool, Option<PageState>)> {
        let windows = told.scenes[at].truth.windows.iter().zip(&told.plans[at].placements);
        windows.map(|(w, p)| (w.window.clone(), w.rect.into(), w.active, p.state.clone())).collect()
    };
    let changed: BTreeSet<_> = known(pair[0]).symmetric_difference(&known(pair[1])).cloned().collect();
    assert!(!changed.is_empty(), "{} and {}: the same windows", before.id, after.id);
    let programs: BTreeSet<&str> = changed.iter().filter_map(|(id, ..)| id.split('/').next()).collect();
    let mut free: Vec<Rect> = Vec::new();
    for scene in [before, after] {
        for window in scene.truth.windows.iter().filter(|w| programs.contains(w.window.split('/').next().unwrap())) {
            // Shadows reach beyond frames and popups.
            let around = |r: Rect| Rect::at(r.x0() - 96, r.y0() - 96, r.width() + 192, r.height() + 192);
            free.extend(window.popup_rects.iter().copied().chain([window.rect]).map(around));
        }
        free.extend(scene.truth.pointer.map(|pointer| pointer.bbox));
        free.extend(scene.truth.elements.iter().filter(|e| e.id.starts_with("taskbar.")).map(|e| e.bbox));
    }
    let [one, other]: [RgbImage; 2] = [before, after].map(|s| image::open(told.folder.join(&s.image)).unwrap().into_rgb8());
    for (x, y, pixel) in one.enumerate_pixels() {
        if pixel != other.get_pixel(x, y) {
            let at = [x as i32, y as i32].into();
            assert!(free.iter().any(|rect| rect.contains(at)), "{} and {}: ({x}, {y}) differs", before.id, after.id);
        }
    }
}

#[test]
fn workflows_begin_at_their_level_and_follow_the_clicks() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("workflow");
    make(&out, &["--n", "6", "--kind", "workflow", "--level", "L3"]);
    let told = Told::read(&out);
    check_tasks(&told, 6);
    for task in &told.tasks {
        assert_eq!(task.kind, Some(TaskKind::Workflow));
        let first = &told.scenes[told.scene(task.steps[0].scene.as_ref().unwrap())];
        let ratio = first.truth.targets[0].visible_ratio;
        assert!((0.7..=0.8).contains(&ratio) && (6..=9).contains(&first.truth.windows.len()), "{}: {ratio}", task.id);
        // Once clicked, its window is the active one.
        for step in &task.steps[1..] {
            let scene = &told.scenes[told.scene(step.scene.as_ref().unwrap())];
            let window = &scene.truth.windows[scene.truth.targets[0].window.unwrap()];
            assert!(window.active && Some(&window.app) == step.window.as_ref(), "{}", scene.id);
        }
    }
    let said = finish(windesk(["verify", out.to_str().unwrap()]));
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{}", said.stderr);
    succeeds(["inspect", out.to_str().unwrap(), told.tasks[0].steps[1].scene.as_deref().unwrap()]);
    let picture = folder.path().join("again.png");
    let id = told.tasks[0].steps[1].scene.clone().unwrap();
    succeeds(["replay", out.to_str().unwrap(), "--id", id.as_str(), "--out", picture.to_str().unwrap()]);
    let stored = image::open(out.join(told.tasks[0].steps[1].image.as_ref().unwrap())).unwrap().into_rgb8();
    assert_eq!(image::open(&picture).unwrap().into_rgb8(), stored);
}

/// Controls of living pages: the clicks do on the desktop what the words say, and nothing else.
#[test]
fn tasks_on_living_pages_set_what_they_ask_for() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("settings");
    let apps = "chromium,gitg,gnome-calculator,mousepad,nemo,orthanc,pcmanfm-qt,qbittorrent,tali";
    make(&out, &["--n", "40", "--kind", "workflow", "--level", "L2", "--app", apps]);
    let told = Told::read(&out);
    check_tasks(&told, 40);
    let (mut kinds, mut settings) = (BTreeSet::new(), 0);
    for task in &told.tasks {
        let plans: Vec<&Plan> = task.steps.iter().map(|step| &told.plans[told.scene(step.scene.as_ref().unwrap())]).collect();
        let step_of = |plan: &Plan| plan.step.clone().unwrap();
        let is_of_settings = plans.iter().skip(1).any(|plan| plan.placements.iter().any(|p| p.state.is_some()));
        if !is_of_settings || step_of(plans[0]).workflow.is_some() {
            continue;
        }
        settings += 1;
        let mut state = of_plan(pack(), plans[0]).unwrap();
        let mut set: BTreeMap<String, Value> = BTreeMap::new();
        for (at, plan) in plans.iter().enumerate() {
            let step = step_of(plan);
            let done = act(pack(), &state, &Event::Click { at: step.click }).unwrap();
            kinds.insert(step.step_kind.name());
            for effect in &done.effects {
                match effect {
                    Effect::Set { control, value, .. } => drop(set.insert(control.clone(), value.clone())),
                    Effect::Raised { .. } | Effect::Focused { .. } | Effect::PopupOpened { .. } | Effect::MenuClosed { .. } => {}
                    other => panic!("{}: {other:?}", step.instruction),
                }
            }
            // Every other place said to be as good is.
            for also in &step.also_valid {
                let same = act(pack(), &state, &Event::Click { at: also.bbox.centre() }).unwrap().state;
                assert_eq!(same.windows, done.state.windows, "{}: {}", step.instruction, also.why);
            }
            state = done.state;
            if let Some(next) = plans.get(at + 1) {
                let shown: Vec<_> =
                    state.placements(pack()).unwrap().into_iter().map(|p| (p.window, p.origin, p.state)).collect();
                let planned: Vec<_> = next.placements.iter().map(|p| (p.window.clone(), p.origin, p.state.clone())).collect();
                assert_eq!(shown, planned, "{}", step.instruction);
            }
        }
        let last = state.shown().next_back().unwrap();
        assert_eq!(last.page_state.popup, None, "{}: a list stays open", task.id);
        let wishes = task.task_overview.as_ref().unwrap().split(", then ").count();
        assert!(set.len() >= wishes, "{}: {} controls set for {:?}", task.id, set.len(), task.task_overview);
        for (control, value) in &set {
            let now = last.page_state.values.get(control);
            assert!(now.is_none_or(|now| now == value), "{}: `{control}` did not stay {value}", task.id);
        }
    }
    assert!(settings >= 8, "{settings} of 40 tasks set something");
    for kind in ["set", "open_menu", "choose", "switch"] {
        assert!(kinds.contains(kind), "no step of kind {kind}: {kinds:?}");
    }
    let said = finish(windesk(["verify", out.to_str().unwrap()]));
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{}", said.stderr);
}

#[test]
fn what_is_to_be_revealed_is_hidden_at_first() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("reveal");
    make(&out, &["--n", "24", "--kind", "reveal", "--level", "L2", "--steps", "2..3"]);
    let told = Told::read(&out);
    check_tasks(&told, 24);
    let mut put_away = 0;
    for task in &told.tasks {
        assert_eq!(task.kind, Some(TaskKind::Reveal));
        assert!(matches!(
            task.steps[0].step_kind,
            Some(StepKind::Raise | StepKind::Restore | StepKind::Minimise | StepKind::Close)
        ));
        let scene = &told.scenes[told.scene(task.steps[0].scene.as_ref().unwrap())];
        let plan = &told.plans[told.scene(task.steps[0].scene.as_ref().unwrap())];
        let next = &told.plans[told.scene(task.steps[1].scene.as_ref().unwrap())];
        if let Some(away) = &plan.step.as_ref().unwrap().put_away {
            // No window shows it; its program's button in the shell, which is what is clicked, says that it is there.
            put_away += 1;
            assert_eq!(task.steps[0].step_kind, Some(StepKind::Restore), "{}", task.id);
            assert!(plan.placements.iter().all(|p| p.window != away.window), "{}: {} shows", task.id, away.window);
            assert!(scene.truth.windows.iter().all(|w| w.window != away.window && w.role != Role::Target), "{}", task.id);
            let button = task.steps[0].element.as_ref().unwrap().strip_prefix("taskbar.").unwrap();
            assert_eq!(plan.step.as_ref().unwrap().shell.as_deref(), Some(button));
            let name = &pack().program_of(pack().window_index(&away.window).unwrap()).record.name;
            let item = plan.chrome.items.iter().find(|item| item.name == *name).unwrap();
            assert_eq!((item.windows, item.minimised, item.active), (0, 1, false), "{}", task.id);
            assert_eq!((&next.target.element, &next.placements[next.target.placement].window), (&away.element, &away.window));
            assert_eq!(next.placements.len(), plan.placements.len() + 1, "{}", task.id);
            continue;
        }
        let wanted = plan.step.as_ref().unwrap().wanted.as_ref().unwrap();
        let seen = visible_px(plan, wanted.placement.into(), &wanted.element);
        assert!(seen < 48 && seen == wanted.visible_px, "{}: {seen} px show", task.id);
        assert_eq!(next.target.element, wanted.element, "{}: what is clicked next is what was wanted", task.id);
    }
    assert!(put_away > 0, "no window was put away at first");
}

/// The desktop of a window alone.
fn alone(window: windesk::model::index::WindowIndex) -> DesktopState {
    let captured = &pack().windows[window];
    let canvas = windesk::model::geometry::Size { width: 3840, height: 2160 };
    let work = canvas.rect();
    let corner = [(work.width() - captured.frame.width()) / 2, (work.height() - captured.frame.height()) / 2];
    DesktopState {
        canvas,
        session: None,
        wallpaper: String::new(),
        chrome: Chrome::bare(ChromeMode::None),
        windows: vec![DesktopWindow {
            id: WindowId(0),
            capture: captured.id.clone(),
            page_state: PageState::default(),
            origin: Point::from(corner) - captured.frame.origin(),
            parent: None,
            minimised: false,
            snap: captured.snap,
            former: None,
            role: Role::Target,
            behind_menu: None,
        }],
        active: Some(WindowId(0)),
        pointer: None,
        next_id: 1,
    }
}

#[test]
fn paths_of_the_default_pack_lead_where_they_say() {
    let study = TaskStudy {
        name: "paths".to_owned(),
        conditions: vec![shipped::level("L1", &[]).unwrap()],
        seed: 0,
        kinds: vec![TaskKind::Workflow],
        steps: [2, 6],
        goals: Goals::All,
        workflows_sha256: String::new(),
    };
    let pool = TaskPool::new(pack(), &study, &pack().workflows().unwrap()).unwrap();
    let (mut all, mut programs) = (BTreeSet::new(), BTreeSet::new());
    let mut lost = Vec::new();
    for path in pool.paths(TaskKind::Workflow) {
        let mut state = alone(path.clicks[0].page);
        let followed = path.clicks.iter().all(|PathClick { page, element }| {
            let captured = &pack().windows[*page];
            let Some(open) = state.shown().rev().find(|w| w.capture == captured.id) else { return false };
            let element = captured.element_index(element).expect("found paths go over pages as captured");
            let at = captured.elements[element].bbox.moved(open.origin).centre();
            let done = act(pack(), &state, &Event::Click { at }).unwrap();
            state = done.state.clone();
            done.is_modelled()
        });
        if followed {
            all.insert(path.clicks.clone());
            programs.insert(pack().windows[path.clicks[0].page].program);
        } else {
            let names = path.clicks.iter().map(|click| format!("{}#{}", pack().windows[click.page].id, click.element));
            lost.push(names.collect::<Vec<_>>().join(" > "));
        }
    }
    println!("{} paths over {} programs, {} lost: {:#?}", all.len(), programs.len(), lost.len(), &lost[..lost.len().min(40)]);
    assert!(all.len() >= 400 && programs.len() >= 60, "{} paths over {} programs", all.len(), programs.len());
    assert!(lost.len() * 10 < all.len(), "{} of {} paths are lost: {lost:#?}", lost.len(), all.len());
}

#[test]
fn datasets_of_tasks_are_the_same_however_they_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let all = ["--n", "5", "--kind", "mixed", "--level", "L1", "--steps", "2..4"];
    let with = |name: &str, more: &[&str]| make(&place(name), &[&all[..], more].concat());
    with("one", &["--threads", "1"]);
    with("four", &["--threads", "4"]);
    assert_eq!(tree(&place("one")), tree(&place("four")));
    with("first", &["--shard", "0/2"]);
    with("second", &["--shard", "1/2"]);
    let shards = ["first", "second"].map(|name| place(name).to_str().unwrap().to_owned());
    succeeds(["merge", &shards[0], &shards[1], "--out", place("merged").to_str().unwrap()]);
    assert_eq!(tree(&place("one")), tree(&place("merged")));
    // The same command again finds it complete.
    with("one", &["--threads", "2"]);
    assert_eq!(tree(&place("one")), tree(&place("four")));
}

/// Moments spread over the whole run, within a part, at its end and at the last files.
#[test]
fn tasks_killed_at_twenty_moments_resume_to_the_same_bytes() {
    let whole = resumes_from_moments(20, |out| {
        // Index 41 begins a part.
        let args =
            ["tasks", "--n", "45", "--range", "37..45", "--seed", "3", "--kind", "workflow", "--level", "L1", "--steps", "2..3"];
        let own = ["--canvas", "1280x720", "--chrome", "none", "--app", "gnome-calculator,kcalc,mousepad", "--threads", "2"];
        windesk(args.into_iter().chain(own).chain(["--out", out.to_str().unwrap()]))
    });
    assert!(whole.contains_key("tasks/part-00001.jsonl"));
}

#[test]
fn overlays_and_animations_of_tasks_show_every_step() {
    let folder = tempfile::tempdir().unwrap();
    let [out, overlays, animations] = ["tasks", "overlays", "animations"].map(|name| folder.path().join(name));
    make(&out, &["--n", "2", "--kind", "reveal", "--level", "L2", "--steps", "2..3"]);
    let told = Told::read(&out);
    let dataset = out.to_str().unwrap();
    succeeds(["overlay", dataset, "--out", overlays.to_str().unwrap()]);
    let colours = |id: &str| -> BTreeSet<[u8; 3]> {
        let picture = image::open(overlays.join(format!("{id}.png"))).unwrap().into_rgb8();
        picture.pixels().map(|pixel| pixel.0).collect()
    };
    let (yellow, cyan, green) = ([250, 220, 0], [0, 190, 210], [0, 200, 60]);
    let mut others = 0;
    for step in told.tasks.iter().flat_map(|task| &task.steps) {
        let id = step.scene.as_ref().unwrap();
        let seen = colours(id);
        let is_first = told.scenes[told.scene(id)].sequence.as_ref().unwrap().step == 0;
        assert_eq!(seen.contains(&yellow), !is_first, "{id}: what changed");
        assert!(!seen.contains(&cyan) || !step.also_valid.is_empty(), "{id}: other places");
        others += u32::from(seen.contains(&cyan));
        assert!(seen.contains(&green), "{id}: the target's box");
    }
    assert!(others > 0 || told.tasks.iter().flat_map(|task| &task.steps).all(|step| step.also_valid.is_empty()));
    let id = told.tasks[1].id.as_str();
    succeeds(["overlay", dataset, "--animation", "--id", id, "--out", animations.to_str().unwrap()]);
    let names: Vec<String> = tree(&animations).into_keys().collect();
    assert_eq!(names, ["overlays.jsonl".to_owned(), format!("{id}.webp")]);
    let file = fs::read(animations.join(&names[1])).unwrap();
    let frames = WebPDecoder::new(std::io::Cursor::new(file)).unwrap().into_frames().collect_frames().unwrap();
    assert_eq!(frames.len(), told.tasks[1].steps.len());
    for (frame, step) in frames.iter().zip(&told.tasks[1].steps) {
        let [x, y] = <[i32; 2]>::from(step.click_point.unwrap()).map(|at| at as u32);
        assert_eq!(frame.buffer().get_pixel(x, y).0[..3], [230, 20, 30], "the click of {}", step.instruction);
    }
    let refused_with = |more: &[&str], expected: &str| {
        refused(windesk(["overlay", dataset, "--animation"].into_iter().chain(more.iter().copied())), &[expected]);
    };
    refused_with(&["--id", "nothing", "--out", "elsewhere"], "found no task, scene or target `nothing`");
    refused_with(&["--out", "one.png"], "expected a folder");
}

#[test]
fn tasks_on_both_sides_of_a_part_are_where_they_are_looked_for() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("tasks");
    make(&out, &["--n", "43", "--range", "40..43", "--kind", "workflow", "--level", "L1"]);
    let parts = ["images/00000", "images/00001"].map(|part| out.join(part).is_dir());
    assert_eq!(parts, [true, true], "index 41 begins a part");
    assert_eq!(succeeds(["verify", out.to_str().unwrap()]).stdout, "");
}

#[test]
fn a_changed_step_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("tasks");
    make(&out, &["--n", "2", "--kind", "workflow", "--level", "L1"]);
    let part = out.join("tasks/part-00000.jsonl");
    let text = fs::read_to_string(&part).unwrap();
    let mut task: TaskLine = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    task.steps.swap(0, 1);
    let changed = serde_json::to_string(&task).unwrap();
    fs::write(&part, text.replacen(text.lines().next().unwrap(), &changed, 1)).unwrap();
    let said = finish(windesk(["verify", out.to_str().unwrap()]));
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    for expected in ["tasks/part-00000.jsonl: SHA-256", "tasks/part-00000.jsonl:1: "] {
        assert!(said.stdout.contains(expected), "expected {expected} in:\n{}", said.stdout);
    }
}

#[test]
fn what_can_not_be_is_named() {
    let check = |more: &[&str], expected: &str| {
        refused(windesk(["tasks", "--n", "2"].into_iter().chain(more.iter().copied())), &[expected]);
    };
    check(&["--kind", "revela"], "did you mean reveal?");
    check(&["--steps", "1..3"], "--steps 1..3");
    check(&["--steps", "2..9"], "2..6");
    check(&["--protocol", "windeskground"], "windeskground");
    check(&["--targets-per-scene", "3"], "targets_per_scene");
    check(&["--app", "no-such-program"], "--app no-such-program");
    check(&["--states", "varied"], "`states` varied is not known of tasks");
    check(&["--balance", "app"], "`balance` and `instructions` don't apply");
    check(&["--instructions", "all"], "`balance` and `instructions` don't apply");
    // Levels that are planned jointly are scenes' alone.
    check(&["--level", "all"], "--level all: expected L1, L2, L3, L4, L5, or a TOML file");
}

/// Of all kinds those are left that the part of the pack bears; a kind that is named must be there.
#[test]
fn kinds_without_a_path_are_left_out() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let out = folder.path().join("tasks");
    // The part of the pack is ranked once.
    let made = |more: &[&str]| {
        let mut command = windesk(["tasks", "--n", "1", "--split", "test", "--out", out.to_str().unwrap()].iter().chain(more));
        command.env("WINDESK_CACHE_DIR", cache.path());
        command
    };
    let said = done(made(&[])).stderr;
    assert!(said.contains("across: left out") && said.contains("workflow: ") && said.contains("reveal: "), "{said}");
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["study"]["kinds"], serde_json::json!(["workflow", "reveal"]));
    assert!(manifest["dataset"].as_str().unwrap().starts_with("tasks-mixed-L3-split-test-"), "{}", manifest["dataset"]);
    assert_eq!(succeeds(["verify", out.to_str().unwrap()]).stdout, "");
    refused(made(&["--force", "--kind", "across"]), &["no path of 2 to 6 clicks for tasks of kind across"]);
}
