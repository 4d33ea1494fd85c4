//! Drawn conditions, as level files that a user could have written.

use proptest::prelude::*;
use windesk::model::condition::Condition;
use windesk::shipped::parse_level;

/// Conditions for packs of some ten small programs, on small screens.
pub fn condition(name: &'static str) -> impl Strategy<Value = Condition> {
    let band = prop_oneof![
        1 => Just((100, 100)),
        6 => (30..90_u32, 6..30_u32).prop_map(|(low, width)| (low, (low + width).min(100))),
    ];
    let distractor = (0..=2_u32, 1..=3_u32, prop::sample::select(vec!["behind", "front", "any"]), 30..=80_u32);
    let windows = (0..3_u32, 0..3_u32);
    let canvas = (900..1500_u32, 640..900_u32);
    let layout =
        prop_oneof![2 => Just([1_u32, 0, 0, 0]), 2 => Just([0, 1, 0, 0]), 1 => Just([0, 0, 1, 0]), 1 => Just([2, 2, 1, 1])];
    let chrome = prop::sample::select(vec!["none", "shadows", "taskbar", "full"]);
    let priors = prop::sample::select(vec!["category", "none"]);
    (band, distractor, windows, canvas, layout, chrome, priors, any::<bool>()).prop_map(
        move |(
            (low, high),
            (count, rank, layer, distractor_ratio),
            (fewest, more),
            (width, height),
            [free, managed, cascade, tile],
            chrome,
            priors,
            centre,
        )| {
            let occluder = u32::from(low < 100);
            // Windows that were drawn have no title bars.
            let own = if centre { 0.0 } else { 0.3 };
            let fewest = 1 + count + occluder + fewest;
            let text = format!(
                "name = \"{name}\"\nwindows = [{fewest}, {}]\nvisible_ratio = [{}, {}]\ncanvas = [{width}, {height}]\n\
                 chrome = \"{chrome}\"\npriors = \"{priors}\"\n\
                 [target]\ncentre_biased = {centre}\n\
                 [evidence]\ncontext = 0\nlandmarks = 0.6\nown = {own}\n\
                 [distractor]\ncount = {count}\nrank = {rank}\nlayer = \"{layer}\"\nmin_visible_ratio = {}\n\
                 [layout]\nfree = {free}\nmanaged = {managed}\ncascade = {cascade}\ntile = {tile}\n",
                fewest + more,
                f64::from(low) / 100.0,
                f64::from(high) / 100.0,
                f64::from(distractor_ratio) / 100.0,
            );
            parse_level("drawn", &text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
        },
    )
}
