//! The words for places of dividers and of edges of crop frames: what the eye sees there, and no value.

use windesk_model::pack_format::living::Axis;
use windesk_model::plan::Reason;

use super::names::capital;
use super::places::{Parts, Place, Sight};

/// Most characters of a pane's text that can be said.
const MAX_PANE_CHARS: usize = 40;

/// The request in three wordings. `name` is what the control is called.
///
/// # Errors
/// If nothing on the screen says what the panes are called.
pub(super) fn place_words(sight: &Sight, place: Place, name: &str) -> Result<[String; 3], Reason> {
    match sight.parts {
        Parts::Panes([before, after]) => {
            let said = |text: &str| {
                let text = text.trim();
                let is_said = !text.is_empty() && !text.contains('\n') && text.chars().count() <= MAX_PANE_CHARS;
                is_said.then(|| format!("“{text}”")).ok_or(Reason::SettingNameless)
            };
            let panes = [said(&before.name)?, said(&after.name)?];
            if panes[0] == panes[1] {
                return Err(Reason::SettingAmbiguous);
            }
            of_divider(sight.axis, place, panes)
        }
        Parts::Frame { is_end, .. } => of_frame(sight.axis, is_end, place, name),
    }
}

fn of_divider(axis: Axis, place: Place, [before, after]: [String; 2]) -> Result<[String; 3], Reason> {
    let (first, last, narrow, wide, length) = match axis {
        Axis::X => ("to the left", "to the right", "narrow", "wide", "width"),
        Axis::Y => ("up", "down", "low", "high", "height"),
    };
    let divider = format!("the divider between {before} and {after}");
    let as_far = |way: &str, small: &str, large: &str| {
        [
            format!("Drag {divider} as far {way} as it goes"),
            format!("Make {small} as {narrow} as it gets by moving its divider"),
            format!("Move {divider} so that {large} becomes as {wide} as possible"),
        ]
    };
    Ok(match place {
        Place::First => as_far(first, &before, &after),
        Place::Last => as_far(last, &after, &before),
        Place::Share([1, 2]) => [
            format!("Drag {divider} to the middle"),
            format!("Make {before} and {after} equally {wide} by moving the divider between them"),
            format!("Move {divider} so that each of the two takes up half of the {length}"),
        ],
        Place::Share(share) => {
            let (share, rest) = (share_words(share)?, share_words([share[1] - share[0], share[1]])?);
            [
                format!("Drag {divider} so that {before} takes up {share} of the {length}"),
                format!("Move {divider} so that {after} takes up {rest} of the {length}"),
                format!("{before} should take up {share} of the {length}, and {after} the rest: move the divider between them"),
            ]
        }
        Place::Square | Place::Times(_) => return Err(Reason::SettingNameless),
    })
}

fn of_frame(axis: Axis, is_end: bool, place: Place, name: &str) -> Result<[String; 3], Reason> {
    let (side, length, from, wide) = match (axis, is_end) {
        (Axis::X, false) => ("left", "width", "left", "wide"),
        (Axis::X, true) => ("right", "width", "left", "wide"),
        (Axis::Y, false) => ("top", "height", "top", "high"),
        (Axis::Y, true) => ("bottom", "height", "top", "high"),
    };
    let beside = if axis == Axis::X { "to the left of it" } else { "above it" };
    // The name of the control ends with that of the edge.
    let of = name.strip_suffix(side).or_else(|| name.strip_suffix(&capital(side))).unwrap_or(name).trim();
    let frame = if of.is_empty() || of.eq_ignore_ascii_case("crop") {
        "the crop frame".to_owned()
    } else {
        format!("the crop frame under “{of}”")
    };
    let edge = format!("the {side} edge of {frame}");
    Ok(match place {
        Place::Share([1, 2]) => [
            format!("Drag {edge} to the middle of the picture"),
            format!("Move {edge} so that half of the picture lies {beside}"),
            format!("{} should be in the middle of the picture", capital(&edge)),
        ],
        Place::Share(share) => {
            let share = share_words(share)?;
            [
                format!("Drag {edge} to {share} of the picture's {length}, measured from the {from}"),
                format!("Move {edge} so that {share} of the picture lies {beside}"),
                format!("{} should be at {share} of the picture's {length}, from the {from}", capital(&edge)),
            ]
        }
        Place::Square => [
            format!("Drag {edge} so that the frame becomes a square"),
            format!("Make {frame} a square by moving its {side} edge"),
            format!("Move {edge} until the frame is as wide as it is high"),
        ],
        Place::Times(times) => {
            let times = match times {
                [1, 2] => "half",
                [2, 1] => "twice",
                _ => return Err(Reason::SettingNameless),
            };
            [
                format!("Drag {edge} so that the frame becomes {times} as {wide} as it is now"),
                format!("Make {frame} {times} as {wide} as now by moving its {side} edge"),
                format!("Move {edge} until the frame has {times} its present {length}"),
            ]
        }
        Place::First | Place::Last => return Err(Reason::SettingNameless),
    })
}

fn share_words(share: [i32; 2]) -> Result<&'static str, Reason> {
    Ok(match share {
        [1, 2] => "half",
        [1, 3] => "a third",
        [2, 3] => "two thirds",
        [1, 4] => "a quarter",
        [3, 4] => "three quarters",
        _ => return Err(Reason::SettingNameless),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dividers_are_asked_for_by_what_shows() {
        let panes = || ["“Tools”".to_owned(), "“Canvas”".to_owned()];
        let said = |place| of_divider(Axis::X, place, panes()).unwrap();
        assert_eq!(said(Place::First)[0], "Drag the divider between “Tools” and “Canvas” as far to the left as it goes");
        assert_eq!(said(Place::First)[1], "Make “Tools” as narrow as it gets by moving its divider");
        assert_eq!(said(Place::Last)[1], "Make “Canvas” as narrow as it gets by moving its divider");
        let third = said(Place::Share([1, 3]));
        assert_eq!(third[1], "Move the divider between “Tools” and “Canvas” so that “Canvas” takes up two thirds of the width");
        assert_eq!(of_divider(Axis::X, Place::Square, panes()), Err(Reason::SettingNameless));
    }

    #[test]
    fn edges_of_frames_are_asked_for_by_what_shows() {
        let said = |place, name| of_frame(Axis::X, true, place, name).unwrap();
        assert_eq!(
            said(Place::Share([1, 2]), "Crop right")[0],
            "Drag the right edge of the crop frame to the middle of the picture"
        );
        assert_eq!(
            said(Place::Square, "Poster right")[1],
            "Make the crop frame under “Poster” a square by moving its right edge"
        );
        let top = of_frame(Axis::Y, false, Place::Share([1, 3]), "Cover top").unwrap();
        assert_eq!(top[1], "Move the top edge of the crop frame under “Cover” so that a third of the picture lies above it");
        assert_eq!(of_frame(Axis::Y, false, Place::First, "Cover top"), Err(Reason::SettingNameless));
    }
}
