//! Sentence embeddings of element names and instructions: the only user of `fastembed` and of ONNX Runtime.
//!
//! They are computed when a pack is built and stored in its index; making scenes needs no model and comes nowhere near
//! here.
//!
//! - A vector depends on its own text alone. Each text goes through the model by itself and on one thread, so no
//!   neighbour, batch size, order or number of cores can change a bit of it. (Another processor or ONNX Runtime may
//!   change the last ones.)
//! - No file of a model is used before its SHA-256 was compared with the expected one, and no weights are used whose
//!   digest is neither pinned here nor given by the caller.
//! - Nothing is downloaded and no other model stands in for a missing one. `Embedder::from_hub` is the exception to
//!   this and the line above; it exists only with the feature `hub`, for those who ask for it by name.
//! - No quantised arithmetic: 8-bit activations make a vector depend on its batch, and reorder the nearest neighbours.

mod files;

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use fastembed::{InitOptionsUserDefined, TextEmbedding, TokenizerFiles, UserDefinedEmbeddingModel};
use ndarray::Array2;
use ort::environment::Environment;

use windesk_engine::pack::{ModelDescription, Pooling};
use windesk_model::Error;

use files::{CONFIG, Manifest, SPECIAL_TOKENS, TOKENIZER, TOKENIZER_CONFIG, WEIGHTS};

#[cfg(feature = "hub")]
use windesk_model::digest::hex_digest;

pub use files::{MODEL_DIR_VARIABLE, ModelFiles};

/// The model whose files are pinned.
pub const MODEL_ID: &str = "sentence-transformers/all-MiniLM-L6-v2";
/// In word pieces, the two that frame every text included: what the model's authors cut at.
const MAX_LENGTH: usize = 256;

/// Turns texts into vectors.
pub struct Embedder {
    model: TextEmbedding,
    description: ModelDescription,
}

impl Embedder {
    /// Opens the pinned model, [`MODEL_ID`]. `pinned` holds the digest and the name of each of its files, one a line,
    /// as `sha256sum` writes them.
    ///
    /// # Errors
    /// If a file has another content, or the model does not run.
    pub fn open(files: &ModelFiles, pinned: &str) -> Result<Self, Error> {
        Self::load(files, Manifest::pinned(pinned))
    }

    /// Opens the model that the directory's `model.json` describes, if its `model.onnx` has the digest that the caller
    /// accepts.
    pub fn open_other(files: &ModelFiles, weights_sha256: &str) -> Result<Self, Error> {
        let mut manifest = Manifest::read(files)?;
        manifest.files.insert(WEIGHTS.into(), weights_sha256.to_ascii_lowercase());
        Self::load(files, manifest)
    }

    fn load(files: &ModelFiles, manifest: Manifest) -> Result<Self, Error> {
        let checked = |name| manifest.read_file(files, name);
        let tokenizer = TokenizerFiles {
            tokenizer_file: checked(TOKENIZER)?,
            config_file: checked(CONFIG)?,
            special_tokens_map_file: checked(SPECIAL_TOKENS)?,
            tokenizer_config_file: checked(TOKENIZER_CONFIG)?,
        };
        let pooling = match manifest.pooling {
            Pooling::Mean => fastembed::Pooling::Mean,
            Pooling::Cls => fastembed::Pooling::Cls,
        };
        let model = UserDefinedEmbeddingModel::new(checked(WEIGHTS)?, tokenizer).with_pooling(pooling);
        let options = InitOptionsUserDefined::new()
            .with_environment(runtime(&files.library())?)
            .with_intra_threads(1)
            .with_max_length(manifest.max_length);
        let model = TextEmbedding::try_new_from_user_defined(model, options).map_err(|error| model_error(&manifest.id, error))?;
        let description = ModelDescription {
            weights_sha256: manifest.files[WEIGHTS].clone(),
            tokenizer_sha256: manifest.files[TOKENIZER].clone(),
            id: manifest.id,
            pooling: manifest.pooling,
            max_length: manifest.max_length,
            dimensions: manifest.dimensions,
        };
        Self::tried(model, description)
    }

    /// Downloads [`MODEL_ID`] from the model hub into `cache` (`HF_HOME` goes before it) and opens it. It is another
    /// ONNX file than the pinned one; the description says which. `library` is ONNX Runtime's.
    #[cfg(feature = "hub")]
    pub fn from_hub(library: &Path, cache: &Path, show_progress: bool) -> Result<Self, Error> {
        let refused = |error: fastembed::Error| {
            model_error(
                MODEL_ID,
                std::error::Error::source(&error).map_or(error.to_string(), |cause| format!("{error}: {cause}")),
            )
        };
        let name = fastembed::EmbeddingModel::AllMiniLML6V2;
        let info = TextEmbedding::get_model_info(&name).map_err(refused)?;
        let options = fastembed::TextInitOptions::new(name.clone())
            .with_environment(runtime(library)?)
            .with_cache_dir(cache.to_path_buf())
            .with_show_download_progress(show_progress)
            .with_intra_threads(1)
            .with_max_length(MAX_LENGTH);
        let model = TextEmbedding::try_new(options).map_err(refused)?;

        let cache = std::env::var_os("HF_HOME").map_or_else(|| cache.to_path_buf(), std::path::PathBuf::from);
        let repository = cache.join(format!("models--{}", info.model_code.replace('/', "--")));
        let revision = String::from_utf8_lossy(&files::read(&repository.join("refs/main"))?).trim().to_owned();
        let snapshot = repository.join("snapshots").join(revision);
        let description = ModelDescription {
            id: info.model_code.clone(),
            weights_sha256: hex_digest(&files::read(&snapshot.join(&info.model_file))?),
            tokenizer_sha256: hex_digest(&files::read(&snapshot.join(TOKENIZER))?),
            pooling: Pooling::Mean,
            max_length: MAX_LENGTH,
            dimensions: info.dim,
        };
        Self::tried(model, description)
    }

    /// Runs the model once, so that one that does not fit its description is found here and not at the first text.
    fn tried(model: TextEmbedding, description: ModelDescription) -> Result<Self, Error> {
        let mut embedder = Self { model, description };
        let (expected, found) = (embedder.description.max_length, embedder.model.tokenizer.get_truncation());
        if found.is_none_or(|found| found.max_length != expected) {
            let found = found.map_or(0, |found| found.max_length);
            let problem = format!("max_length: its tokenizer cuts at {found} word pieces, expected {expected}");
            return Err(model_error(&embedder.description.id, problem));
        }
        match embedder.vector("") {
            Ok(_) => Ok(embedder),
            Err(problem) => Err(model_error(&embedder.description.id, problem)),
        }
    }

    /// What the vectors depend on.
    pub fn description(&self) -> &ModelDescription {
        &self.description
    }

    /// One row per text, in the texts' order, each of length 1: `[texts, dimensions]`.
    pub fn embed(&mut self, texts: &[&str]) -> Result<Array2<f32>, Error> {
        let mut vectors = Array2::zeros((texts.len(), self.description.dimensions));
        for (index, (text, mut row)) in texts.iter().zip(vectors.rows_mut()).enumerate() {
            let failed = |problem: String| Error::at(format_args!("text {index} ({text:?})"), problem);
            let vector = self.vector(text).map_err(failed)?;
            row.assign(&ndarray::aview1(&vector));
        }
        Ok(vectors)
    }

    fn vector(&mut self, text: &str) -> Result<Vec<f32>, String> {
        let vectors = self.model.embed([text], Some(1)).map_err(|error| error.to_string())?;
        let expected = self.description.dimensions;
        match vectors.as_slice() {
            [vector] if vector.len() != expected => Err(format!("found {} dimensions, expected {expected}", vector.len())),
            [vector] if !vector.iter().all(|value| value.is_finite()) => {
                Err("found numbers that are not finite, expected finite ones".into())
            }
            [vector] => Ok(vector.clone()),
            other => Err(format!("found {} vectors, expected one", other.len())),
        }
    }
}

fn model_error(id: &str, problem: impl std::fmt::Display) -> Error {
    Error::at(format_args!("model {id}"), problem)
}

/// ONNX Runtime's environment. A process can have one, so the library that is asked for first serves all models.
fn runtime(library: &Path) -> Result<Environment, Error> {
    static RUNTIME: Mutex<Option<Environment>> = Mutex::new(None);
    let mut runtime = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = &*runtime {
        return Ok(environment.clone());
    }
    let refused = |problem: String| {
        Error::path(library, format!("{problem}, expected ONNX Runtime 1.24 or later")).with_hint("run scripts/model/fetch.sh")
    };
    // A relative path would be looked up beside the program, not in the working directory.
    let absolute = std::path::absolute(library).map_err(|error| refused(error.to_string()))?;
    // Must come before any other use of ONNX Runtime: those panic if they cannot find the library.
    let builder = ort::init_from(absolute).map_err(|error| refused(error.to_string()))?;
    let environment = builder.with_telemetry(false).build().map_err(|error| refused(error.to_string()))?;
    Ok(runtime.insert(environment).clone())
}
