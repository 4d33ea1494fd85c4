//! The layers of the code: at every level of the module tree, modules that stand side by side use each other in one
//! direction only.
//!
//! Crates can't form a cycle; modules of one crate can, and the compiler says nothing. A folder counts as one module to
//! those outside of it. A name that a folder's `mod.rs` imports or passes on counts as the name of the file that it
//! comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by the names on the way to it from the crate's root.
type Module = Vec<String>;

/// A source file of a crate.
struct SourceFile {
    module: Module,
    text: String,
}

/// Folders of all crates with Rust code that the program is made of, and the file at the root of each.
fn roots() -> Vec<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut roots: Vec<PathBuf> =
        fs::read_dir(package.join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src")).collect();
    roots.push(package.join("src"));
    roots.push(package.join("python/src"));
    roots.sort();
    roots
}

fn sources(root: &Path) -> Vec<SourceFile> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let inside = path.strip_prefix(root).unwrap().with_extension("");
                let mut module: Module = inside.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
                if ["mod", "lib", "main"].contains(&module.last().unwrap().as_str()) {
                    module.pop();
                }
                if module.last().is_none_or(|name| name != "tests") {
                    found.push(SourceFile { module, text: without_comments_and_tests(&fs::read_to_string(&path).unwrap()) });
                }
            }
        }
    }
    found.sort_by(|a, b| a.module.cmp(&b.module));
    found
}

fn without_comments_and_tests(text: &str) -> String {
    let code = text.split("\nmod tests {").next().unwrap();
    code.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// What an item `use` brings in.
struct Import {
    /// The name that it has from here on.
    name: String,
    path: Vec<String>,
}

/// What a tree of `use` brings in: `a::{b, c::d as e}` gives `b` from `a::b`, and `e` from `a::c::d`.
fn flattened(tree: &str, before: &[String], found: &mut Vec<Import>) {
    let (mut depth, mut from) = (0, 0);
    let mut parts = Vec::new();
    for (at, letter) in tree.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&tree[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tree[from..]);
    for part in parts.into_iter().map(str::trim).filter(|part| !part.is_empty()) {
        let names = |text: &str| -> Vec<String> {
            text.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
        };
        match part.split_once('{') {
            Some((path, inside)) => {
                let before: Vec<String> = before.iter().cloned().chain(names(path)).collect();
                flattened(inside.strip_suffix('}').unwrap(), &before, found);
            }
            None => {
                let (path, renamed) = part.split_once(" as ").map_or((part, None), |(path, name)| (path, Some(name)));
                let path: Vec<String> = before.iter().cloned().chain(names(path)).filter(|name| name != "self").collect();
                if let Some(last) = path.last() {
                    found.push(Import { name: renamed.unwrap_or(last).trim().to_owned(), path });
                }
            }
        }
    }
}

/// What all items `use` of a file bring in, public or not: children see the private ones of their folder too.
fn imports(text: &str) -> Vec<Import> {
    let mut found = Vec::new();
    for item in text.split_inclusive(';') {
        if let Some(at) = item.rfind("use ").filter(|&at| at == 0 || item[..at].ends_with(['\n', ' '])) {
            flattened(item[at + 4..].trim_end_matches(';').trim(), &[], &mut found);
        }
    }
    found
}

/// Paths of more than one name that stand in the code itself.
fn paths_in_code(text: &str) -> Vec<Vec<String>> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'))
        .map(|path| path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>())
        .filter(|path| path.len() > 1)
        .collect()
}

struct Crate {
    modules: BTreeSet<Module>,
    /// What a module passes on: name and where it comes from.
    passed_on: BTreeMap<(Module, String), Module>,
}

impl Crate {
    /// The path from the crate's root, if it stays inside the crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Module> {
        let supers = path.iter().take_while(|name| *name == "super").count();
        let from_here = |name: &String| self.modules.contains(&[&module[..], std::slice::from_ref(name)].concat());
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "super" => Some([&module[..module.len().checked_sub(supers)?], &path[supers..]].concat()),
            _ if from_here(&path[0]) => Some([&module[..], path].concat()),
            _ => None,
        }
    }

    /// The same of a path in the code, which may begin with a name that the module imports: after `use crate::pack`,
    /// `pack::load` leads to `load` from inside of `pack` too.
    fn absolute_in_code(&self, module: &Module, path: &[String]) -> Option<Module> {
        let imported = || self.passed_on.get(&(module.clone(), path.first()?.clone()));
        self.absolute(module, path).or_else(|| Some([imported()?, &path[1..]].concat()))
    }

    /// The module that a path leads to, behind whatever passes it on. What is the name of a module leads there, even if
    /// something else of that name is passed on: `pub use audit::audit` hides nothing of what lies in `audit`.
    fn target(&self, mut path: Module) -> Module {
        for _ in 0..8 {
            let next = (0..path.len()).rev().filter(|&at| !self.modules.contains(&path[..=at])).find_map(|at| {
                let from = self.passed_on.get(&(path[..at].to_vec(), path[at].clone()))?;
                Some([&from[..], &path[at + 1..]].concat())
            });
            match next {
                Some(next) if next != path => path = next,
                _ => break,
            }
        }
        while !self.modules.contains(&path) {
            path.pop();
        }
        path
    }
}

/// Which modules each module uses, itself left out.
fn used_modules(root: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let sources = sources(root);
    let mut all = Crate { modules: sources.iter().map(|s| s.module.clone()).collect(), passed_on: BTreeMap::new() };
    for source in &sources {
        for import in imports(&source.text) {
            if let Some(from) = all.absolute(&source.module, &import.path) {
                all.passed_on.insert((source.module.clone(), import.name), from);
            }
        }
    }
    let mut used: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for source in &sources {
        let imported = imports(&source.text).into_iter().filter_map(|import| all.absolute(&source.module, &import.path));
        let in_code = paths_in_code(&source.text).into_iter().filter_map(|path| all.absolute_in_code(&source.module, &path));
        let targets: BTreeSet<Module> = imported.chain(in_code).map(|path| all.target(path)).collect();
        used.entry(source.module.clone()).or_default().extend(targets.into_iter().filter(|target| *target != source.module));
    }
    used
}

/// Which of the modules side by side use which, by the folder that they stand in.
fn uses(root: &Path) -> BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> {
    let mut uses: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, targets) in used_modules(root) {
        for target in targets {
            let shared = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            // A folder and what lies in it are one.
            if let (Some(user), Some(used)) = (module.get(shared), target.get(shared)) {
                uses.entry(target[..shared].to_vec()).or_default().entry(user.clone()).or_default().insert(used.clone());
            }
        }
    }
    uses
}

/// Imports of whole modules of the crate itself: what comes through them has no name that could be followed.
fn own_globs(root: &Path) -> Vec<String> {
    let own = ["crate", "self", "super"];
    let of = |source: &SourceFile| {
        let globs = imports(&source.text).into_iter().map(|import| import.path);
        let globs = globs.filter(|path| path.last().is_some_and(|name| name == "*") && own.contains(&path[0].as_str()));
        globs.map(|path| format!("{}: use {}", source.module.join("::"), path.join("::"))).collect::<Vec<_>>()
    };
    sources(root).iter().flat_map(of).collect()
}

/// A way from a module back to itself, if there is one.
fn cycle(uses: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn visit(at: &String, way: &mut Vec<String>, done: &mut BTreeSet<String>, uses: &BTreeMap<String, BTreeSet<String>>) -> bool {
        if let Some(from) = way.iter().position(|name| name == at) {
            way.drain(..from);
            return true;
        }
        if !done.insert(at.clone()) {
            return false;
        }
        way.push(at.clone());
        if uses.get(at).into_iter().flatten().any(|next| visit(next, way, done, uses)) {
            return true;
        }
        way.pop();
        false
    }
    let mut done = BTreeSet::new();
    uses.keys().find_map(|start| {
        let mut way = Vec::new();
        visit(start, &mut way, &mut done, uses).then_some(way)
    })
}

#[test]
fn modules_side_by_side_form_no_cycle() {
    let mut found = Vec::new();
    let mut arrows = 0;
    for root in roots() {
        found.extend(own_globs(&root));
        for (folder, uses) in uses(&root) {
            arrows += uses.values().map(BTreeSet::len).sum::<usize>();
            if let Some(way) = cycle(&uses) {
                found.push(format!("{}, in `{}`: {}", root.display(), folder.join("::"), way.join(" -> ")));
            }
        }
    }
    // A reader of `use` that sees nothing finds no cycle either.
    assert!(arrows > 200, "{arrows} uses of one module by another");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_cycle_is_found() {
    let uses = |pairs: &[(&str, &str)]| {
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        pairs.iter().for_each(|(a, b)| {
            uses.entry((*a).to_owned()).or_default().insert((*b).to_owned());
        });
        uses
    };
    assert_eq!(cycle(&uses(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    assert_eq!(cycle(&uses(&[("a", "b"), ("b", "c"), ("c", "b")])), Some(vec!["b".to_owned(), "c".to_owned()]));
}

/// The arrows between files of the folder `audit` in a crate of these files.
fn arrows_in_audit(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let crate_root = tempfile::tempdir().unwrap();
    fs::create_dir(crate_root.path().join("audit")).unwrap();
    for (path, text) in files {
        fs::write(crate_root.path().join(path), text).unwrap();
    }
    let uses = uses(crate_root.path());
    let arrows = uses.get(&vec!["audit".to_owned()]).into_iter().flatten();
    arrows.flat_map(|(user, used)| used.iter().map(|used| (user.clone(), used.clone()))).collect()
}

#[test]
fn arrows_are_read_whatever_passes_names_on() {
    let both = [("files".to_owned(), "remake".to_owned()), ("remake".to_owned(), "files".to_owned())];
    let remake = ("audit/remake.rs", "use super::files::compare;\npub struct Remake;\n");
    let files = ("audit/files.rs", "use super::remake::Remake;\npub fn compare() {}\n");
    // A function of the folder's own name is passed on beside the folder.
    let found = arrows_in_audit(&[
        ("lib.rs", "mod audit;\npub use audit::{audit, Report};\n"),
        ("audit/mod.rs", "mod files;\nmod remake;\npub fn audit() {}\npub struct Report;\n"),
        remake,
        files,
    ]);
    assert_eq!(found, both);
    // Children see what their folder imports for itself, under its new name.
    let found = arrows_in_audit(&[
        ("lib.rs", "mod audit;\n"),
        ("audit/mod.rs", "mod files;\nmod remake;\nuse files::compare;\npub(crate) use self::remake::Remake as Again;\n"),
        ("audit/remake.rs", "pub struct Remake;\nfn f() { super::compare() }\n"),
        ("audit/files.rs", "use super::Again;\npub fn compare() {}\n"),
    ]);
    assert_eq!(found, both);
    // A folder that is imported as a whole leads to what lies in it, by a name of its own too.
    for import in ["use crate::audit;", "use crate::{audit};", "use super::super::audit;", "use crate::audit as audit;"] {
        let found = arrows_in_audit(&[
            ("lib.rs", "mod audit;\n"),
            ("audit/mod.rs", "mod files;\nmod remake;\n"),
            remake,
            ("audit/files.rs", &format!("{import}\npub fn compare() {{ audit::remake::Remake::new() }}\n")),
        ]);
        assert_eq!(found, both, "{import}");
    }
}

#[test]
fn imports_of_all_that_a_module_has_are_found() {
    let crate_root = tempfile::tempdir().unwrap();
    let text =
        "use rayon::prelude::*;\nuse super::*;\nuse crate::{a::*, b::C};\n#[cfg(test)]\nmod tests {\n    use super::*;\n}\n";
    fs::write(crate_root.path().join("d.rs"), text).unwrap();
    assert_eq!(own_globs(crate_root.path()), ["d: use super::*", "d: use crate::a::*"]);
}

#[test]
fn the_referee_stands_apart() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/engine/src");
    let uses = &uses(&engine)[&Vec::new()];
    let of = |module: &str| uses.get(module).cloned().unwrap_or_default();
    assert_eq!(of("referee"), BTreeSet::from(["pack".to_owned()]));
    for judged in ["planner", "annotate", "render", "visibility", "pack", "config"] {
        assert!(!of(judged).contains("referee"), "{judged} uses the referee, which judges it");
    }
    // That of icon probes lies beside what it judges: icons, designs and plans it must see, pictures it composes
    // itself.
    let probes = &used_modules(&engine)[&vec!["icon_probe".to_owned(), "verify".to_owned()]];
    let seen = |module: &Module| {
        let beside = ["assets", "contrast", "design", "plan"].map(|file| ["icon_probe", file]);
        module[0] == "pack" || beside.iter().any(|file| module == file)
    };
    assert!(probes.iter().all(seen), "{probes:?}");
}
