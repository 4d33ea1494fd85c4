//! What can go wrong before there is a vector.

use std::path::PathBuf;

use super::files::{MODEL_DIR_VARIABLE, WEIGHTS};

/// Why there is no embedding.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The user's environment names no place to look at.
    #[error(
        "no directory of an embedding model: {MODEL_DIR_VARIABLE} is not set and there is no home directory\n\
         hint: set {MODEL_DIR_VARIABLE}"
    )]
    NoDirectory,
    /// A file of the model is not there.
    #[error(
        "{}: expected {name} of the embedding model, found no such file\n\
         hint: run scripts/model/fetch.sh, or set {MODEL_DIR_VARIABLE} to a directory that has it",
        dir.display()
    )]
    Missing {
        /// Where it was looked for.
        dir: PathBuf,
        /// The file's name.
        name: String,
    },
    /// A file of the model cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is not the one that was promised.
    #[error(
        "{}: expected SHA-256 {expected}, found {found}\n\
         hint: fetch it again with scripts/model/fetch.sh, or accept another model by giving the digest of its {WEIGHTS}",
        path.display()
    )]
    Digest {
        /// The file.
        path: PathBuf,
        /// 64 hex digits.
        expected: String,
        /// 64 hex digits.
        found: String,
    },
    /// `model.json`, which describes a model that is not the pinned one, is wrong.
    #[error("{}: {problem}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// Expected and found.
        problem: String,
    },
    /// ONNX Runtime's library cannot be used.
    #[error(
        "{}: expected ONNX Runtime 1.24 or later: {problem}\n\
         hint: run scripts/model/fetch.sh",
        path.display()
    )]
    Library {
        /// The library.
        path: PathBuf,
        /// What the loader says.
        problem: String,
    },
    /// ONNX Runtime or the tokenizer refuses the model.
    #[error("model {id}: {problem}")]
    Model {
        /// The model.
        id: String,
        /// Expected and found.
        problem: String,
    },
    /// A text could not be embedded.
    #[error("text {index} ({text:?}): {problem}")]
    Text {
        /// Its place in the list.
        index: usize,
        /// The text.
        text: String,
        /// Expected and found.
        problem: String,
    },
}
