//! From a picture to the bytes of a file.

use image::ImageEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Frame;

/// File formats of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    /// Lossless; bytes are the same for the same build.
    Png,
    /// Lossy, quality 90.
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

const JPEG_QUALITY: u8 = 90;

impl Encoder for ImageFormat {
    fn encode(&self, frame: &Frame) -> Vec<u8> {
        let (width, height) = (frame.size.width, frame.size.height);
        let mut out = Vec::with_capacity(frame.rgb.len() / 6);
        let done = match self {
            Self::Png => {
                encode_png(frame, &mut out);
                Ok(())
            }
            Self::Jpeg => JpegEncoder::new_with_quality(&mut out, JPEG_QUALITY).write_image(
                &frame.rgb,
                width,
                height,
                image::ExtendedColorType::Rgb8,
            ),
            Self::Webp => {
                WebPEncoder::new_lossless(&mut out).write_image(&frame.rgb, width, height, image::ExtendedColorType::Rgb8)
            }
        };
        done.expect("writing to memory cannot fail for a picture of this size");
        out
    }
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
