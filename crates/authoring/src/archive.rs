//! A pack as one plain tar archive: the same bytes for the same files, whoever packs them and when.

use std::io::Write;

use windesk_engine::pack::{PackFiles, WORKFLOW_FILE};
use windesk_model::Error;

/// Top-level files and folders that belong to a pack; what else lies in its folder stays out of archives and copies.
const OWN_FOLDERS: [&str; 7] = ["sessions/", "windows/", "wallpapers/", "icons/", "fonts/", "index/", "licenses/"];
const OWN_FILES: [&str; 3] = ["pack.json", super::licences::LICENCE_LIST, WORKFLOW_FILE];
/// Bytes of a tar header, and what sizes are rounded up to.
const BLOCK: u64 = 512;

/// Paths of everything that belongs to a pack, sorted.
pub(super) fn own_names(files: &PackFiles) -> impl Iterator<Item = &str> {
    files.names().filter(|name| OWN_FILES.contains(name) || OWN_FOLDERS.iter().any(|own| name.starts_with(own)))
}

/// How much a file of this size takes in an archive.
pub(super) fn archived_bytes(bytes: u64) -> u64 {
    BLOCK + bytes.next_multiple_of(BLOCK)
}

/// Writes the files of a pack as a plain tar archive; wallpapers that lie beside it come to lie in it. Returns their
/// number.
///
/// # Errors
/// If a file can't be read or the archive not be written.
pub fn write_archive(files: &PackFiles, out: impl Write) -> Result<usize, Error> {
    let mut builder = tar::Builder::new(out);
    builder.mode(tar::HeaderMode::Deterministic);
    let unwritable = |name: &str, e: std::io::Error| Error::file(name, e, "room for the archive");
    let mut count = 0;
    for name in own_names(files) {
        let bytes = files.read(name)?;
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append_data(&mut header, name, bytes.as_ref()).map_err(|e| unwritable(name, e))?;
        count += 1;
    }
    let mut out = builder.into_inner().map_err(|e| unwritable("archive", e))?;
    out.flush().map_err(|e| unwritable("archive", e))?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn files(names: &[&str]) -> PackFiles {
        PackFiles::in_memory("test", names.iter().map(|n| ((*n).to_owned(), n.as_bytes().to_vec())).collect::<BTreeMap<_, _>>())
    }

    #[test]
    fn an_archive_reads_back_and_leaves_out_what_is_not_the_packs() {
        let pack = files(&["pack.json", "windows/a/program.json", "LICENSES.md", "starter/files.txt", "notes.txt"]);
        let mut tar = Vec::new();
        assert_eq!(write_archive(&pack, &mut tar).expect("memory"), 3);
        let back = PackFiles::archive("back", tar.as_slice()).expect("our own archive");
        assert_eq!(back.names().collect::<Vec<_>>(), ["LICENSES.md", "pack.json", "windows/a/program.json"]);
        assert_eq!(back.read("pack.json").expect("there").as_ref(), b"pack.json");
    }

    #[test]
    fn sizes_are_those_of_the_archive() {
        let pack = files(&["pack.json", "windows/a/program.json"]);
        let mut tar = Vec::new();
        write_archive(&pack, &mut tar).expect("memory");
        let summed: u64 = pack.names().map(|n| archived_bytes(n.len() as u64)).sum();
        assert_eq!(tar.len() as u64, summed + 2 * BLOCK);
    }
}
