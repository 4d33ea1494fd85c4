//! The files of a model: where they lie and which content they must have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use etcetera::base_strategy::{BaseStrategy, Xdg};
use serde::Deserialize;

use windesk_engine::pack::Pooling;
use windesk_model::Error;
use windesk_model::digest::hex_digest;

use super::{MAX_LENGTH, MODEL_ID};

/// Names the directory of the model, unless the caller does.
pub const MODEL_DIR_VARIABLE: &str = "WINDESK_MODEL_DIR";

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
    /// Looks in `dir`, else in `WINDESK_MODEL_DIR`, else in `windesk/model` of the user's cache directory, which is
    /// where `scripts/model/fetch.sh` puts it.
    pub fn locate(dir: Option<&Path>) -> Result<Self, Error> {
        let dir = match dir {
            Some(dir) => dir.to_path_buf(),
            None => default_directory().ok_or_else(|| {
                Error::config(
                    MODEL_DIR_VARIABLE,
                    "not set, and there is no home directory, expected the directory of an embedding model",
                )
            })?,
        };
        let files = Self { dir };
        for name in [WEIGHTS, TOKENIZER, CONFIG, SPECIAL_TOKENS, TOKENIZER_CONFIG, &library_name()] {
            if !files.dir.join(name).is_file() {
                let hint = format!("run scripts/model/fetch.sh, or set {MODEL_DIR_VARIABLE} to a directory that has it");
                return Err(
                    Error::file(files.dir.display(), format!("no {name}"), "the files of an embedding model").with_hint(hint)
                );
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
    /// Of the model whose files have these digests.
    pub(super) fn pinned(pinned: &str) -> Self {
        let lines = pinned.lines().filter_map(|line| line.split_once("  "));
        Self {
            id: MODEL_ID.into(),
            pooling: Pooling::Mean,
            max_length: MAX_LENGTH,
            dimensions: 384,
            files: lines.map(|(digest, name)| (name.into(), digest.into())).collect(),
        }
    }

    /// Of another model, as its directory describes it.
    pub(super) fn read(files: &ModelFiles) -> Result<Self, Error> {
        let path = files.dir.join(MANIFEST);
        let wrong = |problem: String| Error::path(&path, problem);
        let manifest: Self = serde_json::from_slice(&read(&path)?).map_err(|error| wrong(error.to_string()))?;
        if manifest.max_length < SHORTEST_MAX_LENGTH {
            let found = manifest.max_length;
            return Err(wrong(format!("max_length is {found}, expected at least {SHORTEST_MAX_LENGTH}")));
        }
        Ok(manifest)
    }

    /// Reads a file if it has the digest that is promised here.
    pub(super) fn read_file(&self, files: &ModelFiles, name: &str) -> Result<Vec<u8>, Error> {
        let expected = self
            .files
            .get(name)
            .ok_or_else(|| Error::path(files.dir.join(MANIFEST), format!("files: no SHA-256 of {name}, expected one")))?;
        let path = files.dir.join(name);
        let bytes = read(&path)?;
        let found = hex_digest(&bytes);
        if found == *expected {
            return Ok(bytes);
        }
        let hint =
            format!("fetch it again with scripts/model/fetch.sh, or accept another model by giving the digest of its {WEIGHTS}");
        Err(Error::file(path.display(), format!("SHA-256 {found}"), format!("SHA-256 {expected}")).with_hint(hint))
    }
}

#[allow(clippy::disallowed_methods, reason = "where a model lies decides no pixel")]
fn default_directory() -> Option<PathBuf> {
    let named = std::env::var_os(MODEL_DIR_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    // On every system where `scripts/model/fetch.sh` puts it.
    named.or_else(|| Some(Xdg::new().ok()?.cache_dir().join("windesk").join("model")))
}

fn library_name() -> String {
    format!("{}onnxruntime{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|e| Error::io(path, e))
}
