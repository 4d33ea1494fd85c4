//! Charts as pixels.

use windesk::eval::render::{Rasteriser, Series, curves};

const FONTS: [&[u8]; 2] =
    [include_bytes!("../../../assets/fonts/Inter-Regular.ttf"), include_bytes!("../../../assets/fonts/Inter-SemiBold.ttf")];

#[test]
fn pictures_are_as_large_as_promised_and_hold_the_labels() {
    let series = [Series { name: "model".to_owned(), values: vec![Some((0.5, Some([0.4, 0.6])))] }];
    let mut rasteriser = Rasteriser::new(FONTS);
    let mut dark = |title: &str| {
        let png = rasteriser.png(&curves("c", title, &["L1".to_owned()], &series));
        let picture = image::load_from_memory(&png).expect("a PNG file").to_rgb8();
        assert_eq!(picture.width(), 1920);
        // Ink where the title stands, and its right end.
        let ink = picture.enumerate_pixels().filter(|(_, y, p)| *y < 90 && p.0.iter().all(|v| *v < 90));
        ink.map(|(x, ..)| x).fold((0, 0), |(count, right), x| (count + 1, right.max(x)))
    };
    let (short, long) = (dark("MM"), dark("MMMMMMMM"));
    assert!(short.0 > 100 && long.0 > 3 * short.0, "{short:?} {long:?}");
    // From 12 px of the chart, about 11 px per letter of 13 px.
    assert!((80..150).contains(&short.1) && (250..400).contains(&long.1), "{short:?} {long:?}");
    assert_eq!(dark(""), (0, 0));
}
