//! An embedding without a model: each word has a fixed direction, a text the sum of its words' directions. Texts that
//! share words are similar, as with the real model, and the numbers are the same everywhere.

use std::path::Path;

use ndarray::Array2;
use windesk::authoring::index::build_index;
use windesk::engine::pack::{ModelDescription, Pack, Pooling, open_place};

/// Makes `index/` of the pack in this folder.
pub fn write_index(root: &Path, dimensions: usize) {
    let pack = Pack::open(open_place(root).unwrap().without("index/")).unwrap_or_else(|error| panic!("{error}"));
    let files = build_index(&pack, model(dimensions), |texts| Ok(embed(texts, dimensions))).unwrap();
    std::fs::create_dir_all(root.join("index")).unwrap();
    for (name, bytes) in files {
        std::fs::write(root.join(name), bytes).unwrap();
    }
}

/// What the index says of this embedding.
pub fn model(dimensions: usize) -> ModelDescription {
    ModelDescription {
        id: "hashed-words".to_owned(),
        weights_sha256: "0".repeat(64),
        tokenizer_sha256: "0".repeat(64),
        pooling: Pooling::Mean,
        max_length: 64,
        dimensions,
    }
}

/// One row per text.
pub fn embed(texts: &[&str], dimensions: usize) -> Array2<f32> {
    let mut vectors: Array2<f32> = Array2::zeros((texts.len(), dimensions));
    for (text, mut row) in texts.iter().zip(vectors.rows_mut()) {
        for word in text.to_lowercase().split_whitespace() {
            let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
            for (at, value) in row.iter_mut().enumerate() {
                *value += mixed(hash.wrapping_add(at as u64)) as f32 / u32::MAX as f32 - 0.5;
            }
        }
        let length = row.dot(&row).sqrt().max(1e-6);
        row.mapv_inplace(|v| v / length);
    }
    vectors
}

/// 32 well-mixed bits of a number (SplitMix64's finish).
pub fn mixed(number: u64) -> u32 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 32) as u32
}
