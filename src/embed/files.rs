//! The files of a model: where they lie and which content they must have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{EmbedError, MAX_LENGTH, MODEL_ID};
use crate::pack::Pooling;

/// Names the directory of the model, unless the caller does.
pub const MODEL_DIR_VARIABLE: &str = "WINDESK_MODEL_DIR";

/// Digest and name of each file, one a line, as `sha256sum` writes them.
const PINNED: &str = include_str!("../../scripts/model/SHA256SUMS");

/// The two word pieces that frame a text and one of its own; the tokenizer panics when it cannot cut to less.
const SHORTEST_MAX_LENGTH: usize = 3;

pub(super) const WEIGHTS: &str = "model.onnx";
pub(super) const TOKENIZER: &str = "tokenizer.json";
pub(super) const CONFIG: &str = "config.json";
pub(super) const SPECIAL_TOKENS: &str = "special_tokens_map.json";
pub(super) const TOKENIZER_CONFIG: &str = "tokenizer_config.json";
const MANIFEST: &str = "model.json";

/// A directory that has every file of a model and ONNX Runtime's library. Their content is not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFiles {
    dir: PathBuf,
}

impl ModelFiles {
    /// Looks in `dir`, else in `WINDESK_MODEL_DIR`, else in `windesk/model` of the user's cache directory, which is where
    /// `scripts/model/fetch.sh` puts it.
    pub fn locate(dir: Option<&Path>) -> Result<Self, EmbedError> {
        let dir = match dir {
            Some(dir) => dir.to_path_buf(),
            None => default_directory().ok_or(EmbedError::NoDirectory)?,
        };
        let files = Self { dir };
        for name in [WEIGHTS, TOKENIZER, CONFIG, SPECIAL_TOKENS, TOKENIZER_CONFIG, &library_name()] {
            if !files.dir.join(name).is_file() {
                return Err(EmbedError::Missing { dir: files.dir, name: name.into() });
            }
        }
        Ok(files)
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// ONNX Runtime's library in it.
    pub fn library(&self) -> PathBuf {
        self.dir.join(library_name())
    }
}

/// `model.json`; it also says where the files came from, which is for people.
#[derive(Debug, Deserialize)]
pub(super) struct Manifest {
    pub(super) id: String,
    pub(super) pooling: Pooling,
    pub(super) max_length: usize,
    pub(super) dimensions: usize,
    pub(super) files: BTreeMap<String, String>,
}

impl Manifest {
    /// Of the model whose digests are part of the program.
    pub(super) fn pinned() -> Self {
        let lines = PINNED.lines().filter_map(|line| line.split_once("  "));
        Self {
            id: MODEL_ID.into(),
            pooling: Pooling::Mean,
            max_length: MAX_LENGTH,
            dimensions: 384,
            files: lines.map(|(digest, name)| (name.into(), digest.into())).collect(),
        }
    }

    /// Of another model, as its directory describes it.
    pub(super) fn read(files: &ModelFiles) -> Result<Self, EmbedError> {
        let path = files.dir.join(MANIFEST);
        let wrong = |problem| EmbedError::Manifest { path: path.clone(), problem };
        let manifest: Self = serde_json::from_slice(&read(&path)?).map_err(|error| wrong(error.to_string()))?;
        if manifest.max_length < SHORTEST_MAX_LENGTH {
            let found = manifest.max_length;
            return Err(wrong(format!("max_length: expected at least {SHORTEST_MAX_LENGTH}, found {found}")));
        }
        Ok(manifest)
    }

    /// Reads a file if it has the digest that is promised here.
    pub(super) fn read_file(&self, files: &ModelFiles, name: &str) -> Result<Vec<u8>, EmbedError> {
        let expected = self.files.get(name).ok_or_else(|| EmbedError::Manifest {
            path: files.dir.join(MANIFEST),
            problem: format!("files: expected the SHA-256 of {name}, found none"),
        })?;
        let path = files.dir.join(name);
        let bytes = read(&path)?;
        let found = sha256(&bytes);
        if found == *expected { Ok(bytes) } else { Err(EmbedError::Digest { path, expected: expected.clone(), found }) }
    }
}

#[allow(clippy::disallowed_methods, reason = "where a model lies decides no pixel")]
fn default_directory() -> Option<PathBuf> {
    let named = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    named(MODEL_DIR_VARIABLE).or_else(|| {
        let cache = named("XDG_CACHE_HOME").or_else(|| Some(std::env::home_dir()?.join(".cache")))?;
        Some(cache.join("windesk").join("model"))
    })
}

fn library_name() -> String {
    format!("{}onnxruntime{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, EmbedError> {
    std::fs::read(path).map_err(|source| EmbedError::Unreadable { path: path.into(), source })
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
