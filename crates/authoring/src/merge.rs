//! Several packs as one: windows side by side, shared assets once, and an index from the vectors that the packs hold.
//!
//! Wordings depend on all programs of a pack (a rare name needs no context), so targets are drafted anew; what a model
//! once made of their texts is taken from the packs. Nothing is renamed: what clashes is refused.

use std::collections::BTreeMap;
use std::fmt::Display;

use ndarray::{Array1, Array2, Axis};
use serde::Serialize;

use windesk_engine::pack::{Index, Pack, PackFiles, WORKFLOW_FILE};
use windesk_files::StagedFolder;
use windesk_model::Error;
use windesk_model::digest::hex_digest;
use windesk_model::finding::Finding;
use windesk_model::pack_format::Header;

use crate::archive::own_names;
use crate::check::check;
use crate::drafts::drafts;
use crate::index::build_index;
use crate::licences::{LICENCE_LIST, licence_list};
use crate::pretty_json;

/// What a merge gave.
#[derive(Debug)]
pub struct Merged {
    /// Windows of the new pack.
    pub windows: usize,
    /// Its programs.
    pub programs: usize,
    /// Packs that have no index, for which the new one has none either.
    pub without_index: Vec<String>,
    /// What [`check`] finds in the new pack.
    pub findings: Vec<Finding>,
}

/// Files that are made anew rather than copied.
const LISTS: [&str; 3] = ["wallpapers/wallpapers.json", "icons/icons.json", "fonts/fonts.json"];
const HEADER: &str = "pack.json";
const INDEX: &str = "index/";

/// Merges packs into a staged folder, which the caller commits.
///
/// # Errors
/// If two packs have a program of one id, or different files or assets of one name; if their languages or versions
/// differ, their indexes come from different models, or a file can't be read or written.
pub fn merge_packs(packs: &[Pack], name: &str, folder: &StagedFolder, threads: usize) -> Result<Merged, Error> {
    let Some(first) = packs.first() else { return Err(Error::caller("packs to merge", "none, expected at least one")) };
    check_programs(packs)?;
    if let Some(other) = packs.iter().find(|pack| pack.header.language != first.header.language) {
        let found = format!("language {}", other.header.language);
        return Err(Error::file(
            other.files().full_name(HEADER),
            found,
            format!("{}, as in {}", first.header.language, place(first)),
        ));
    }
    if let Some(other) = packs.iter().find(|pack| pack.header.format_version != first.header.format_version) {
        let found = format!("format_version {}", other.header.format_version);
        let expected = format!("{}, as in {}", first.header.format_version, place(first));
        return Err(Error::file(other.files().full_name(HEADER), found, expected)
            .with_hint("`windesk pack migrate` makes a pack of the current version"));
    }
    copy_files(packs, folder)?;
    join_workflows(packs, folder)?;
    write_list(folder, LISTS[0], packs, |pack| &pack.wallpapers, |w| w.id.clone())?;
    write_list(folder, LISTS[1], packs, |pack| &pack.icons, |i| i.id.clone())?;
    write_list(folder, LISTS[2], packs, |pack| &pack.fonts, |f| format!("{} {}", f.family, f.style))?;
    let parts: Vec<String> = packs.iter().map(|pack| format!("{} {}", pack.header.name, pack.header.version)).collect();
    let header = Header {
        format_version: first.header.format_version,
        name: name.to_owned(),
        version: "0.1.0".to_owned(),
        description: format!("merged from {}", parts.join(" and ")),
        language: first.header.language.clone(),
    };
    write_json(folder, HEADER, &header)?;
    // Files are reopened as any other pack, so that nothing is taken for sound that a reader would refuse.
    let open = || PackFiles::folder(folder.path(), None).and_then(Pack::open).map_err(|e| folder.in_its_place(e));
    let merged = open()?;
    folder.write(LICENCE_LIST, licence_list(&merged).as_bytes())?;
    let without_index: Vec<String> = packs.iter().filter(|pack| pack.index_if_any().is_none()).map(place).collect();
    if without_index.is_empty() {
        for (name, bytes) in merged_index(&merged, packs)? {
            folder.write(&name, &bytes)?;
        }
    }
    let merged = open()?;
    let findings = check(&merged, threads).findings;
    Ok(Merged { windows: merged.windows.len(), programs: merged.programs.len(), without_index, findings })
}

fn place(pack: &Pack) -> String {
    pack.files().place().to_owned()
}

/// Something that two packs have under one name.
fn clash(one: &Pack, other: &Pack, what: impl Display, hint: &str) -> Error {
    let found = format!("{what}, which {} has as well", place(one));
    Error::file(place(other), found, "another in each pack").with_hint(hint)
}

fn check_programs(packs: &[Pack]) -> Result<(), Error> {
    let mut owners: BTreeMap<&str, &Pack> = BTreeMap::new();
    for pack in packs {
        for program in &pack.programs {
            if let Some(one) = owners.insert(&program.record.id, pack) {
                let hint = "rename the program in one of them: its folder, `id` in program.json and the ids of its windows";
                return Err(clash(one, pack, format!("program `{}`", program.record.id), hint));
            }
        }
    }
    Ok(())
}

/// Copies what is not made anew. A file that several packs have is the same in all of them.
fn copy_files(packs: &[Pack], folder: &StagedFolder) -> Result<(), Error> {
    let mut written: BTreeMap<String, (String, &Pack)> = BTreeMap::new();
    for pack in packs {
        let own = own_names(pack.files()).filter(|name| {
            !LISTS.contains(name) && ![HEADER, LICENCE_LIST, WORKFLOW_FILE].contains(name) && !name.starts_with(INDEX)
        });
        for name in own {
            let bytes = pack.files().read(name)?;
            let digest = hex_digest(&bytes);
            match written.get(name) {
                Some((held, _)) if *held == digest => {}
                Some((_, one)) => {
                    let hint = "rename the file in one of them; texts of licences may be called <SPDX id>-<package>.txt";
                    return Err(clash(one, pack, format!("another file `{name}`"), hint));
                }
                None => {
                    folder.write(name, &bytes)?;
                    written.insert(name.to_owned(), (digest, pack));
                }
            }
        }
    }
    Ok(())
}

/// The workflows over several programs of all packs, one file after the other. A program is of one pack, so that those
/// of a program alone are copied as they are.
fn join_workflows(packs: &[Pack], folder: &StagedFolder) -> Result<(), Error> {
    let mut joined = Vec::new();
    let mut owners: BTreeMap<String, &Pack> = BTreeMap::new();
    for pack in packs {
        for workflow in pack.workflows()?.list {
            if let Some(one) = owners.insert(workflow.id.clone(), pack) {
                return Err(clash(one, pack, format!("workflow `{}`", workflow.id), "rename it in one of them"));
            }
        }
        if pack.files().has(WORKFLOW_FILE) {
            let bytes = pack.files().read(WORKFLOW_FILE)?;
            joined.extend_from_slice(&bytes);
            if !bytes.ends_with(b"\n") {
                joined.push(b'\n');
            }
        }
    }
    if joined.is_empty() { Ok(()) } else { folder.write(WORKFLOW_FILE, &joined) }
}

/// The entries of all packs by their names; those that are the same are kept once.
fn write_list<T: Serialize>(
    folder: &StagedFolder,
    name: &str,
    packs: &[Pack],
    entries: impl Fn(&Pack) -> &Vec<T>,
    key: impl Fn(&T) -> String,
) -> Result<(), Error> {
    let mut all: BTreeMap<String, (serde_json::Value, &Pack)> = BTreeMap::new();
    for pack in packs {
        for entry in entries(pack) {
            let (key, value) = (key(entry), serde_json::to_value(entry).expect("plain data"));
            match all.get(&key) {
                Some((held, _)) if *held == value => {}
                Some((_, one)) => return Err(clash(one, pack, format!("another `{key}` in {name}"), "rename it in one of them")),
                None => {
                    all.insert(key, (value, pack));
                }
            }
        }
    }
    write_json(folder, name, &all.into_values().map(|(value, _)| value).collect::<Vec<_>>())
}

fn write_json(folder: &StagedFolder, name: &str, value: &impl Serialize) -> Result<(), Error> {
    folder.write(name, &pretty_json(value))
}

/// The index of the new pack: its own targets and neighbours, and the vectors of its parts.
fn merged_index(merged: &Pack, parts: &[Pack]) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let mut known: BTreeMap<String, Array1<f32>> = BTreeMap::new();
    let mut model = None;
    for part in parts {
        let Some(index) = part.index_if_any() else { continue };
        let stated = &index.header.model;
        if model.get_or_insert(stated) != &stated {
            let found = format!("vectors of model {}", stated.id);
            return Err(Error::file(part.files().full_name("index/index.json"), found, "those of the same model in all packs")
                .with_hint("run `windesk pack embed` on all of them with one model"));
        }
        known.extend(known_texts(part, index));
    }
    let model = model.expect("all packs have an index").clone();
    let dimensions = model.dimensions;
    build_index(merged, model, |texts| {
        let mut rows: Array2<f32> = Array2::zeros((texts.len(), dimensions));
        for (text, mut row) in texts.iter().zip(rows.axis_iter_mut(Axis(0))) {
            let vector = known.get(*text).ok_or_else(|| {
                Error::file(place(merged), format!("no vector of `{text}`"), "one in the index of a merged pack")
                    .with_hint("run `windesk pack embed` on the packs again, then merge them")
            })?;
            row.assign(vector);
        }
        Ok(rows)
    })
}

/// The texts of a pack's targets with their vectors.
fn known_texts(part: &Pack, index: &Index) -> BTreeMap<String, Array1<f32>> {
    let with_vector = drafts(part).into_iter().filter_map(|draft| {
        let target = &index.targets[index.target_at(draft.target.window, draft.target.element)?];
        // An index of other words than those of today knows nothing of this text.
        (target.instruction == draft.target.instruction).then(|| (draft.bare().to_owned(), index.vector(target.text)))
    });
    with_vector.collect()
}
