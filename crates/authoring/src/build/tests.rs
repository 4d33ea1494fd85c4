use windesk_model::geometry::{Rect, Size};

use super::*;

#[test]
fn a_picture_that_claims_to_be_huge_is_refused_by_its_head() {
    let mut png = Vec::new();
    image::RgbaImage::new(2, 2).write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png).expect("memory");
    // Width and height of the IHDR chunk, whose checksum is mended so that only the size is at fault.
    png[16..24].copy_from_slice(&[0, 0, 0x7f, 0, 0, 0, 0x7f, 0]);
    let crc = png[12..29].iter().fold(!0_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    });
    png[29..33].copy_from_slice(&(!crc).to_be_bytes());
    let error = picture::decode(&png, "list.json: image").expect_err("a bomb").to_string();
    assert!(error.contains("32512x32512") && error.contains("at most"), "{error}");
}

#[test]
fn shares_become_pixels_outwards() {
    let size = Size { width: 100, height: 50 };
    assert_eq!(rect_from_shares([0.101, 0.0, 0.999, 1.0], size), Rect::new(10, 0, 100, 50));
    assert_eq!(rect_from_shares([0.5, 0.5, 0.5, 0.5], size), None);
}
