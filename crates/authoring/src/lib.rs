//! Making packs: importing windows, composing and checking instructions, embeddings, sheets for readers, fidelity.

pub mod archive;
pub mod build;
pub mod check;
mod compose;
mod drafts;
mod eligible;
#[cfg(feature = "embed")]
pub mod embed;
mod evidence;
pub mod fidelity;
pub mod import;
pub mod index;
mod instructions;
pub mod licences;
pub mod merge;
pub mod migrate;
pub mod preview;
pub mod sheet;
pub mod starter;
pub mod stats;
pub mod walk;

/// The text of a JSON file of a pack.
fn pretty_json(value: &impl serde::Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).expect("plain data");
    text.push(b'\n');
    text
}
