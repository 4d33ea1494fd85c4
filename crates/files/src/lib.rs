//! Files and folders that appear whole or not at all, that survive a power cut, and that one process at a time writes;
//! files of strangers that are opened where they are or not at all.

pub mod compressed;
mod durable;
mod inside;
mod lock;
mod picture;
mod staged;
mod whole;

pub use durable::{Durability, Syncs, in_background};
pub use inside::{MAX_LINE_BYTES, MAX_PART_BYTES, MAX_WHOLE_BYTES, Root, open_named, read_line, read_named};
pub use lock::{Lock, lock_file};
pub use picture::{Picture, PictureHead, PictureKind, picture_head};
pub use staged::{Replace, StagedFolder};
pub use whole::{
    PIECE_BYTES, left_over_of, remove_left_overs, temporary_name, write_in_pieces, write_named, write_named_with, write_unsynced,
    write_unsynced_with, write_whole, write_whole_with,
};

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// Names of what lies in a folder, in order.
    pub(crate) fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}
