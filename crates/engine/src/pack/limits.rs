//! Bounds of what a pack may say, and how its files are named.

use windesk_model::geometry::Point;
use windesk_model::pack_format::Picture;

/// Largest side and area of a window's picture. A screen of 8K is 33 Mpx.
pub const MAX_PICTURE_PIXELS: u64 = 40_000_000;
/// Largest number of device pixels per layout pixel.
pub(super) const MAX_SCALE: f64 = 8.0;
/// Largest side of a pointer's picture, px.
pub(super) const MAX_POINTER_PX: u32 = 256;
/// Farthest that a dialog may lie from its parent window, px.
pub(super) const MAX_OFFSET_PX: i32 = 1 << 15;

/// Whether sums with it cannot overflow.
pub(super) fn is_near(offset: Point) -> bool {
    [offset.x, offset.y].iter().all(|v| (-MAX_OFFSET_PX..=MAX_OFFSET_PX).contains(v))
}

/// Whether a file is named by the first digits of its digest.
pub(super) fn is_named_by_digest(file: &str, sha256: &str, suffix: &str) -> bool {
    let is_digest = sha256.len() == 64 && sha256.bytes().all(|b| b.is_ascii_hexdigit());
    is_digest && file.strip_suffix(suffix).is_some_and(|stem| stem.len() == 16 && sha256.starts_with(stem))
}

/// Checks name and size of a picture that isn't as large as its capture: what was found, and what is expected.
pub(super) fn check_sized_picture(picture: &Picture) -> Result<(), (String, String)> {
    if !is_named_by_digest(&picture.file, &picture.sha256, ".webp") {
        return Err((picture.file.clone(), "<first 16 digits of sha256>.webp".to_owned()));
    }
    let Some(size) = picture.size else { return Err(("no size".to_owned(), "[width, height]".to_owned())) };
    if u64::from(size.width) * u64::from(size.height) > MAX_PICTURE_PIXELS {
        return Err((format!("{}x{}", size.width, size.height), format!("at most {MAX_PICTURE_PIXELS} pixels")));
    }
    Ok(())
}
