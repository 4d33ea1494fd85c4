//! Which icons lie on the desktop.

use std::collections::BTreeSet;

use windesk_model::desktop::{DesktopIcon, icon_grid};
use windesk_model::digest::stable_id;
use windesk_model::key::Decision;
use windesk_model::pack_format::{Icon, Session};

use super::Desk;

/// Fewest and most desktop icons where it is not known what lies on the desktop.
const ICONS: (i64, i64) = (4, 22);
/// Of 1000 scenes of a session, so many show no desktop icon.
const EMPTY_PER_MILLE: u32 = 450;

/// Icons in columns from the top left, none twice, none whose caption would satisfy the target's words.
pub(super) fn of_any(desk: &Desk) -> Vec<DesktopIcon> {
    let mut stream = desk.stream(3);
    let (columns, rows) = grid(desk);
    let count = (stream.between(ICONS.0, ICONS.1) as usize).min((columns * rows) as usize);
    let mut icons: Vec<&Icon> = desk.scene.pack.icons.iter().filter(|i| i.uses.iter().any(|u| u == "desktop")).collect();
    icons.sort_by_cached_key(|i| desk.key.rank(Decision::Chrome, stable_id(&i.id)));
    let mut labels = BTreeSet::new();
    let per_column = stream.between(5, i64::from(rows.max(5))) as u32;
    let mut files = Vec::new();
    for icon in icons {
        let label = if icon.labels.is_empty() { &icon.label } else { &icon.labels[stream.below(icon.labels.len())] };
        if !satisfies_target(desk, label) && labels.insert(label.as_str()) {
            files.push((icon.id.as_str(), label.as_str()));
        }
        if files.len() == count {
            break;
        }
    }
    in_columns(&files, (columns, per_column.min(rows)))
}

/// What the session's file manager lists, in its order: often nothing of it, else at least half.
pub(super) fn of_session(desk: &Desk, record: &Session) -> Vec<DesktopIcon> {
    let mut stream = desk.stream(3);
    let files = &record.desktop.icons;
    if files.is_empty() || stream.chance(EMPTY_PER_MILLE) {
        return Vec::new();
    }
    let count = stream.between(files.len().div_ceil(2) as i64, files.len() as i64) as usize;
    let mut chosen: Vec<usize> = (0..files.len()).collect();
    chosen.sort_by_cached_key(|&at| desk.key.rank(Decision::Chrome, stable_id(&format!("{at} {}", files[at].label))));
    chosen.truncate(count);
    chosen.sort_unstable();
    let files = chosen.into_iter().map(|at| &files[at]).filter(|file| !satisfies_target(desk, &file.label));
    let files: Vec<(&str, &str)> = files.map(|file| (file.icon.as_str(), file.label.as_str())).collect();
    in_columns(&files, grid(desk))
}

fn grid(desk: &Desk) -> (u32, u32) {
    icon_grid(desk.scene.condition.canvas, desk.scene.shell())
}

fn satisfies_target(desk: &Desk, label: &str) -> bool {
    let index = desk.scene.pack.index();
    let target = &index.targets[desk.target];
    index.name_keys(target.window)[target.element].is_some_and(|key| index.reads_like(key, label))
}

/// Icons and captions from the top down, column by column, as far as there is room.
fn in_columns(files: &[(&str, &str)], (columns, rows): (u32, u32)) -> Vec<DesktopIcon> {
    let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
    let placed = files.iter().zip(cells);
    placed
        .map(|((icon, label), (column, row))| DesktopIcon { icon: (*icon).to_owned(), label: (*label).to_owned(), column, row })
        .collect()
}
