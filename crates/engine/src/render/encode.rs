//! From a picture to the bytes of a file.

use image::ImageEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Frame;
use crate::jpeg;

/// File formats of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    /// Lossless; bytes are the same for the same build.
    Png,
    /// Lossy, quality 90 unless another is given.
    Jpeg,
    /// Lossless WebP: smaller and slower than PNG.
    Webp,
}

impl ImageFormat {
    /// Ending of file names.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
        }
    }
}

/// Turns pictures into files.
pub trait Encoder: Sync {
    /// The file's bytes.
    fn encode(&self, frame: &Frame) -> Vec<u8>;
}

/// Quality of JPEG files unless another is given.
pub const JPEG_QUALITY: u8 = 90;

/// A format, and how lossy it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The format.
    pub format: ImageFormat,
    /// Quality, 1 to 100, for formats that lose something; null for theirs.
    pub quality: Option<u8>,
}

impl From<ImageFormat> for Encoding {
    fn from(format: ImageFormat) -> Self {
        Self { format, quality: None }
    }
}

impl Encoding {
    /// The quality of a JPEG file.
    pub(super) fn quality(self) -> u8 {
        self.quality.unwrap_or(JPEG_QUALITY)
    }
}

impl Encoder for ImageFormat {
    fn encode(&self, frame: &Frame) -> Vec<u8> {
        Encoding::from(*self).encode(frame)
    }
}

impl Encoder for Encoding {
    fn encode(&self, frame: &Frame) -> Vec<u8> {
        let (width, height) = (frame.size.width, frame.size.height);
        let mut out = Vec::with_capacity(frame.rgb.len() / 6);
        let rgb = image::ExtendedColorType::Rgb8;
        let done = match self.format {
            ImageFormat::Png => {
                encode_png(frame, &mut out);
                Ok(())
            }
            ImageFormat::Jpeg => {
                out = jpeg::encode(frame.size, &frame.rgb, self.quality());
                Ok(())
            }
            ImageFormat::Webp => WebPEncoder::new_lossless(&mut out).write_image(&frame.rgb, width, height, rgb),
        };
        done.expect("writing to memory cannot fail for a picture of this size");
        out
    }
}

/// The JPEG file that earlier builds wrote: their datasets can be checked against it.
pub fn former_jpeg(frame: &Frame, quality: Option<u8>) -> Vec<u8> {
    let (mut out, quality) = (Vec::new(), quality.unwrap_or(JPEG_QUALITY));
    let encoder = JpegEncoder::new_with_quality(&mut out, quality);
    let written = encoder.write_image(&frame.rgb, frame.size.width, frame.size.height, image::ExtendedColorType::Rgb8);
    written.expect("writing to memory cannot fail for a picture of this size");
    out
}

fn encode_png(frame: &Frame, out: &mut Vec<u8>) {
    let mut encoder = png::Encoder::new(out, frame.size.width, frame.size.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    // As small as choosing a filter for each row, in half the time.
    encoder.set_filter(png::Filter::Paeth);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&frame.rgb));
    written.expect("writing to memory cannot fail for a picture of this size");
}
