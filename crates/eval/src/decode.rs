//! Decodes pictures of strangers within limits.

use std::io::Cursor;

use image::{DynamicImage, ImageReader, Limits};

use windesk_files::Picture;
use windesk_model::Error;

/// Most pixels of a picture that is decoded. A screen of 8K has 33 million.
const MAX_PIXELS: u64 = 40_000_000;

/// Decodes a picture of at most 40 million pixels.
///
/// # Errors
/// If it is larger, or no picture after all.
pub(crate) fn decoded(picture: Picture) -> Result<DynamicImage, Error> {
    let place = picture.place().display().to_string();
    let [width, height] = picture.head.size;
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(Error::limit(place, format!("{width}x{height} px"), format!("at most {MAX_PIXELS} pixels")));
    }
    let bytes = picture.bytes()?;
    let decoded = ImageReader::new(Cursor::new(&bytes)).with_guessed_format().map_err(Into::into).and_then(|mut reader| {
        let mut limits = Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(width), Some(height));
        reader.limits(limits);
        reader.decode()
    });
    decoded.map_err(|e| Error::file(place, e, "a PNG, JPEG or WebP picture"))
}
