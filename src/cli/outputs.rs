//! No output takes the place of what a command reads, of another output, or of a file of a finished dataset. Checked
//! before anything is done: what was read is gone afterwards.

use std::path::{Path, PathBuf};

use windesk_dataset::dataset_of;
use windesk_model::Error;

/// A file or folder that a command is to write.
pub(super) struct Output<'a> {
    /// The option that names it.
    pub(super) option: &'a str,
    pub(super) path: &'a Path,
}

/// # Errors
/// If an output is also an input or another output, under whatever name, or lies where a dataset has its own files.
pub(super) fn check_outputs(outputs: &[Output], inputs: &[impl AsRef<Path>]) -> Result<(), Error> {
    for (at, Output { option, path }) in outputs.iter().enumerate() {
        let refused = |problem: String| {
            let error = Error::config(format!("{option} {}", path.display()), problem);
            Err(error.with_hint("give another place"))
        };
        if inputs.iter().any(|input| is_same(input.as_ref(), path)) {
            return refused("found a file that is read, expected another one".to_owned());
        }
        if let Some(other) = outputs[..at].iter().find(|other| is_same(other.path, path)) {
            return refused(format!("found the file of {}, expected another one", other.option));
        }
        if let Some(dataset) = whole(path).and_then(|path| dataset_of(&path)) {
            return refused(format!("found a place of the dataset {}, expected one outside its files", dataset.display()));
        }
    }
    Ok(())
}

/// Whether two paths lead to one file, be it there or not. Devices, of which several outputs may be one, are none.
fn is_same(one: &Path, other: &Path) -> bool {
    if [one, other].iter().any(|path| path.exists() && !path.is_file()) {
        return false;
    }
    is_one_file(one, other) || whole(one).is_some_and(|one| whole(other) == Some(one))
}

/// The path without links, which writing follows, also of what is not there yet.
fn whole(path: &Path) -> Option<PathBuf> {
    if let Ok(there) = path.canonicalize() {
        return Some(there);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}

/// Whether both are there and one file, which may have two names.
#[cfg(unix)]
fn is_one_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
    identity(one).is_some_and(|one| identity(other) == Some(one))
}

#[cfg(not(unix))]
fn is_one_file(_one: &Path, _other: &Path) -> bool {
    false
}
