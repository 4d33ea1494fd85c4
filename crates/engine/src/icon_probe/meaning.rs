//! Which icons have names of like meaning: cosines of sentence embeddings, computed when a pack is built (`windesk pack
//! embed`) and kept in `icons/probe/meanings.json`. Making probes needs no model.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use windesk_model::Error;
use windesk_model::digest::hex_digest;

use super::folder::OWN_LIBRARY;
use super::library::{IconSet, SHIPPED};
use super::similarity::Neighbours;
use crate::pack::{MEANINGS, ModelDescription, Pack};

/// Neighbours kept per name.
const MAX_NEIGHBOURS: usize = 24;

/// `icons/probe/meanings.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Meanings {
    format_version: u32,
    /// The model that made the vectors.
    model: ModelDescription,
    /// SHA-256 of all names, to tell when they have changed.
    names_sha256: String,
    /// For each library and name the library's names nearest in meaning, with the cosine in ten-thousandths.
    neighbours: BTreeMap<String, BTreeMap<String, Vec<(String, i32)>>>,
}

/// Names by library, sorted.
fn names(pack: &Pack) -> Result<BTreeMap<String, BTreeSet<String>>, Error> {
    let present = pack.probe_libraries();
    let of = |library: &&str| {
        Ok((library.to_string(), pack.probe_library(library)?.0.icons.into_iter().map(|icon| icon.name).collect()))
    };
    SHIPPED.iter().filter(|library| present.contains(library)).map(of).collect()
}

fn names_digest(names: &BTreeMap<String, BTreeSet<String>>) -> String {
    hex_digest(serde_json::to_string(names).expect("plain data").as_bytes())
}

/// Makes the contents of [`MEANINGS`] with a model's `embed`, which gives a vector of length 1 per text. `None` if the
/// pack has no icons.
///
/// # Errors
/// If the pack's libraries can't be read; the model's own.
pub fn meanings_of<E: From<Error>>(
    pack: &Pack,
    model: ModelDescription,
    embed: impl FnOnce(&[&str]) -> Result<ndarray::Array2<f32>, E>,
) -> Result<Option<Vec<u8>>, E> {
    let names = names(pack)?;
    let texts: Vec<&str> = names.values().flatten().map(String::as_str).collect::<BTreeSet<_>>().into_iter().collect();
    if texts.is_empty() {
        return Ok(None);
    }
    let vectors = embed(&texts)?;
    let row = |name: &String| vectors.row(texts.binary_search(&name.as_str()).expect("a row per name"));
    let near = |name: &String, others: &BTreeSet<String>| {
        let mut found: Vec<(i32, &String)> = others
            .iter()
            .filter(|other| *other != name)
            .map(|other| {
                let cosine: f64 = row(name).iter().zip(row(other)).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
                (-(cosine.clamp(-1.0, 1.0) * 10_000.0).round() as i32, other)
            })
            .collect();
        found.sort_unstable();
        found.into_iter().take(MAX_NEIGHBOURS).map(|(cosine, other)| (other.clone(), -cosine)).collect()
    };
    let neighbours =
        names.iter().map(|(library, own)| (library.clone(), own.iter().map(|name| (name.clone(), near(name, own))).collect()));
    let meanings = Meanings { format_version: 1, model, names_sha256: names_digest(&names), neighbours: neighbours.collect() };
    let mut text = serde_json::to_vec(&meanings).expect("plain data");
    text.push(b'\n');
    Ok(Some(text))
}

/// Neighbours of meaning of all icons of a set.
///
/// # Errors
/// If the pack has no such list, it was made for other names, or the set is a user's own.
pub(super) fn by_meaning(pack: &Pack, set: &IconSet) -> Result<Neighbours, Error> {
    let place = pack.files().full_name(MEANINGS);
    if set.icons.iter().any(|icon| icon.library == OWN_LIBRARY) {
        return Err(Error::file(
            &place,
            "icons of a folder of one's own",
            "a library of the pack: only its names have embeddings",
        ));
    }
    let again = "run `windesk pack embed` on the pack";
    if !pack.files().has(MEANINGS) {
        return Err(Error::file(&place, "no such file", "names nearest in meaning").with_hint(again));
    }
    let meanings: Meanings = serde_json::from_slice(&pack.files().read(MEANINGS)?)
        .map_err(|e| Error::file(&place, e, "the form described in docs/pack.md"))?;
    if meanings.names_sha256 != names_digest(&names(pack)?) {
        return Err(Error::file(&place, "names of other icons", "those of the pack's libraries").with_hint(again));
    }
    let near = |icon: &super::library::ProbeIcon| {
        let names = meanings.neighbours.get(&icon.library).and_then(|l| l.get(&icon.name)).map_or(&[][..], Vec::as_slice);
        let icons = names.iter().flat_map(|(name, cosine)| {
            let same =
                set.icons.iter().enumerate().filter(move |(_, other)| other.library == icon.library && other.name == *name);
            same.map(|(at, _)| (at, f64::from(*cosine) / 10_000.0))
        });
        icons.collect()
    };
    Ok(set.icons.iter().map(near).collect())
}
