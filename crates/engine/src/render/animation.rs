//! Animated WebP files (<https://developers.google.com/speed/webp/docs/riff_container>): lossless, so that letters stay
//! legible, which the 256 colours of GIF do not do. Each frame is coded by the `image` crate's WebP encoder; only the
//! container around them is written here.

use image::{ImageEncoder, codecs::webp::WebPEncoder};

use windesk_model::geometry::{Rect, Size};

use super::Frame;

/// Longest side of an animation, px.
const LONGEST_SIDE_PX: u32 = 1 << 14;
/// Bit of the head that says that there are several frames.
const IS_ANIMATED: u8 = 0b10;
/// Bit of a frame that says that it takes the place of what is below it.
const REPLACES: u8 = 0b10;

/// The file of frames of one size, each shown for so many milliseconds, over and over again. Of each frame only the box
/// that differs from the one before is stored.
///
/// # Panics
/// If there is no frame, or they differ in size, or are longer than 16384 px.
pub fn animated_webp(frames: &[(Frame, u32)]) -> Vec<u8> {
    let size = frames.first().expect("an animation has frames").0.size;
    assert!(frames.iter().all(|(frame, _)| frame.size == size), "frames of one size");
    assert!(size.width.max(size.height) <= LONGEST_SIDE_PX, "frames of at most {LONGEST_SIDE_PX} px");
    let mut file = b"RIFF\0\0\0\0WEBP".to_vec();
    let mut head = vec![IS_ANIMATED, 0, 0, 0];
    head.extend(three_bytes(size.width - 1));
    head.extend(three_bytes(size.height - 1));
    chunk(&mut file, b"VP8X", &head);
    // White where nothing is drawn; without end.
    chunk(&mut file, b"ANIM", &[255, 255, 255, 255, 0, 0]);
    let mut before = None;
    for (frame, milliseconds) in frames {
        let part = before.map_or(size.rect(), |before| stored_part(before, frame));
        let mut content = Vec::new();
        // Places are counted in pairs of pixels.
        for number in [part.x0() / 2, part.y0() / 2, part.width() - 1, part.height() - 1] {
            content.extend(three_bytes(number as u32));
        }
        content.extend(three_bytes((*milliseconds).min((1 << 24) - 1)));
        content.push(REPLACES);
        content.extend(coded(frame, part));
        chunk(&mut file, b"ANMF", &content);
        before = Some(frame);
    }
    let length = (file.len() - 8) as u32;
    file[4..8].copy_from_slice(&length.to_le_bytes());
    file
}

/// The box around all that differs, its corner at even columns and rows; a pixel, if nothing does.
fn stored_part(before: &Frame, frame: &Frame) -> Rect {
    let row_bytes = frame.size.width as usize * 3;
    let rows = || before.rgb.chunks_exact(row_bytes).zip(frame.rgb.chunks_exact(row_bytes));
    let differing = || rows().enumerate().filter(|(_, (old, new))| old != new);
    let (Some((top, _)), Some((bottom, _))) = (differing().next(), differing().next_back()) else { return Rect::at(0, 0, 1, 1) };
    let columns = |(_, (old, new)): (usize, (&[u8], &[u8]))| {
        let first = old.iter().zip(new).position(|(a, b)| a != b).expect("the rows differ");
        let last = old.iter().zip(new).rposition(|(a, b)| a != b).expect("the rows differ");
        (first / 3, last / 3)
    };
    let (left, right) = differing().map(columns).fold((usize::MAX, 0), |(l, r), (a, b)| (l.min(a), r.max(b)));
    let (left, top) = (left / 2 * 2, top / 2 * 2);
    Rect::at(left as i32, top as i32, (right + 1 - left) as i32, (bottom + 1 - top) as i32)
}

/// The chunk of a part of a frame, as a still picture's file has it behind its head of 12 bytes.
fn coded(frame: &Frame, part: Rect) -> Vec<u8> {
    let row_bytes = frame.size.width as usize * 3;
    let rows = frame.rgb.chunks_exact(row_bytes).skip(part.y0() as usize).take(part.height() as usize);
    let cut: Vec<u8> = rows.flat_map(|row| &row[part.x0() as usize * 3..part.x1() as usize * 3]).copied().collect();
    let Size { width, height } = part.size();
    let mut still = Vec::new();
    let written = WebPEncoder::new_lossless(&mut still).write_image(&cut, width, height, image::ExtendedColorType::Rgb8);
    written.expect("writing to memory cannot fail for a picture of this size");
    still.split_off(12)
}

fn three_bytes(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}

/// Chunks have even lengths.
fn chunk(file: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    file.extend(name);
    file.extend((content.len() as u32).to_le_bytes());
    file.extend(content);
    file.extend(vec![0; content.len() % 2]);
}

#[cfg(test)]
mod tests {
    use image::AnimationDecoder;
    use image::codecs::webp::WebPDecoder;

    use super::*;

    #[test]
    fn animations_decode_to_their_frames() {
        let size = Size { width: 37, height: 21 };
        let mut frame = Frame { size, rgb: (0..37 * 21 * 3).map(|v| (v * 7 % 251) as u8).collect() };
        let mut frames = vec![(frame.clone(), 500)];
        for place in [&[(5, 7)][..], &[(36, 20), (1, 1)], &[]] {
            for &(x, y) in place {
                frame.blend(x, y, [250, 0, 128], 255);
            }
            frames.push((frame.clone(), 1250));
        }
        let file = animated_webp(&frames);
        let decoder = WebPDecoder::new(std::io::Cursor::new(&file)).expect("a WebP file");
        let decoded = decoder.into_frames().collect_frames().expect("its frames");
        assert_eq!(decoded.len(), frames.len());
        for (decoded, (frame, milliseconds)) in decoded.iter().zip(&frames) {
            assert_eq!(std::time::Duration::from(decoded.delay()).as_millis(), u128::from(*milliseconds));
            let rgb: Vec<u8> = decoded.buffer().as_raw().chunks_exact(4).flat_map(|rgba| &rgba[..3]).copied().collect();
            assert!(rgb == frame.rgb, "a frame of other pixels");
        }
        // Frames are no larger than what changed: of these four the first is whole, and the third changed in two
        // corners.
        assert!(file.len() < 3 * animated_webp(&frames[..1]).len());
    }
}
