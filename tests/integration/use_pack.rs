//! What a stranger's archive goes through: opened, checked, its first pictures decoded. The fuzz target runs the same
//! code.

use windesk::engine::pack::{Focus, Pack, PackFiles};
use windesk::model::Error;

/// Windows whose pictures are decoded.
const WINDOWS: usize = 2;

/// Opens an archive and uses it.
///
/// # Errors
/// Whatever is wrong with it; it must never panic, run on, or take memory without bounds.
pub fn use_pack(archive: &[u8]) -> Result<usize, Error> {
    let pack = Pack::open(PackFiles::archive("a stranger's pack", archive)?)?;
    for window in pack.windows.keys().take(WINDOWS) {
        for look in [Focus::Active, Focus::Inactive] {
            pack.pixels(window, pack.focus_of(window, look == Focus::Active))?;
        }
    }
    Ok(pack.windows.len())
}
