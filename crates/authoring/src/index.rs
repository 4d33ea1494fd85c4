//! The index of a pack: its targets with their words and what these need, their embeddings, and the similar elements of
//! each.

use std::collections::BTreeMap;

use ndarray::Array2;

use windesk_engine::pack::{ModelDescription, Pack, index_files};
use windesk_model::Error;

use crate::drafts::drafts;
use crate::evidence::describe;

/// Makes the index of a pack. Returns its files by path inside the pack.
///
/// `embed` turns texts into one unit vector each (`[texts, dimensions]`).
///
/// # Errors
/// Those of `embed`, or if a picture of the pack can't be read.
pub fn build_index(
    pack: &Pack,
    model: ModelDescription,
    embed: impl FnOnce(&[&str]) -> Result<Array2<f32>, Error>,
) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let mut drafts = drafts(pack);
    let titles = describe(pack, &mut drafts)?;
    index_files(pack, drafts, &titles, model, embed)
}
