//! The index of a pack: its targets with their words, their embeddings, and the similar elements of each.

use std::collections::BTreeMap;

use ndarray::Array2;

use windesk_engine::pack::{ModelDescription, Pack, index_files};

use crate::drafts::drafts;

/// Makes the index of a pack. Returns its files by path inside the pack.
///
/// `embed` turns texts into one unit vector each (`[texts, dimensions]`).
///
/// # Errors
/// Those of `embed`.
pub fn build_index<E>(
    pack: &Pack,
    model: ModelDescription,
    embed: impl FnOnce(&[&str]) -> Result<Array2<f32>, E>,
) -> Result<BTreeMap<String, Vec<u8>>, E> {
    index_files(pack, drafts(pack), model, embed)
}
