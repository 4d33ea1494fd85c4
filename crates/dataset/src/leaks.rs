//! What two datasets share: questions of one that the other asks in nearly the same words about nearly the same
//! picture.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use image::RgbImage;
use image::imageops::{FilterType, crop_imm, resize};
use rayon::prelude::*;

use windesk_engine::pack::NearWords;
use windesk_engine::render::decode_limited;
use windesk_files::Root;
use windesk_model::Error;
use windesk_model::geometry::{Rect, Size};
use windesk_model::progress::Progress;
use windesk_model::record::{TargetKind, TargetWording};
use windesk_model::words::words_of;

use super::audit::open_manifest;
use super::reader::ScenesReader;

/// Side of the pictures that elements are compared as, px.
const SIDE_PX: u32 = 24;
/// Pictures of elements are nearly equal if their channels differ by so much on average, of 255.
const MAX_DIFFERENCE: u64 = 8;
/// Sides of nearly equal elements differ by so much, in percent.
const MAX_SIDE_PERCENT: i32 = 10;

/// Questions of a dataset that another one asks too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaks {
    /// Questions of the dataset: targets that are on the screen.
    pub targets: usize,
    /// Those that the other dataset asks in nearly the same words, leaving out the program or window that they name.
    pub same_words: usize,
    /// Those of these whose element also looks nearly the same there: ids of both targets.
    pub leaked: Vec<[String; 2]>,
}

/// A target that is on the screen.
struct Question {
    id: String,
    words: BTreeSet<String>,
    bbox: Rect,
    image: String,
    screen: [u32; 2],
}

/// Compares every question of a dataset with those of another one, say of the other split.
///
/// Words are compared without the program or window that they name and without regard to case, signs and order: of the
/// words of both, four fifths are the same. Elements are compared as pictures of their whole boxes, with whatever
/// covers them: sides within a tenth, channels within 8 of 255 on average.
///
/// # Errors
/// If a dataset can't be read.
pub fn leaks(dataset: &Path, other: &Path, progress: &dyn Progress) -> Result<Leaks, Error> {
    let [own, others] = [questions(dataset)?, questions(other)?];
    let pairs = pairs_in_words(&own, &others);
    let needed = |side: usize| -> BTreeSet<usize> { pairs.iter().map(|pair| pair[side]).collect() };
    let [mine, theirs] = [needed(0), needed(1)];
    let same_words = mine.len();
    progress.begin((mine.len() + theirs.len()) as u64, "elements");
    let mine = pictures(dataset, &own, &mine, progress)?;
    let theirs = pictures(other, &others, &theirs, progress)?;
    let mut leaked: BTreeMap<usize, usize> = BTreeMap::new();
    for [a, b] in pairs {
        if !leaked.contains_key(&a) && look_alike(&mine[&a], &theirs[&b]) {
            leaked.insert(a, b);
        }
    }
    let leaked = leaked.into_iter().map(|(a, b)| [own[a].id.clone(), others[b].id.clone()]).collect();
    Ok(Leaks { targets: own.len(), same_words, leaked })
}

fn questions(dataset: &Path) -> Result<Vec<Question>, Error> {
    let manifest = open_manifest(dataset)?;
    let mut questions = Vec::new();
    for scene in ScenesReader::open(dataset, &manifest) {
        let scene = scene?;
        let screen = Rect::at(0, 0, scene.width as i32, scene.height as i32);
        for target in scene.truth.targets.iter().filter(|target| target.kind == TargetKind::Present) {
            let Some(bbox) = target.bbox.and_then(|bbox| bbox.intersection(screen)) else { continue };
            questions.push(Question {
                id: target.id.clone(),
                words: words(&target.instruction, target.wording),
                bbox,
                image: scene.image.to_string(),
                screen: [scene.width, scene.height],
            });
        }
    }
    Ok(questions)
}

/// The words of an instruction without the program or window that it names.
fn words(instruction: &str, wording: TargetWording) -> BTreeSet<String> {
    let end_of_context = match wording {
        TargetWording::InContext => ", ",
        TargetWording::InWindow => "\u{201d}, ",
        TargetWording::Brief | TargetWording::Name | TargetWording::Synonym | TargetWording::Style => "",
    };
    let sentence = instruction.split_once(end_of_context).map_or(instruction, |(_, sentence)| sentence);
    words_of(sentence).collect()
}

/// Pairs of questions in nearly the same words: each of the first with all of the second that are.
fn pairs_in_words(own: &[Question], others: &[Question]) -> Vec<[usize; 2]> {
    let near = NearWords::new(&others.iter().map(|question| question.words.clone()).collect::<Vec<_>>());
    let of_one = |(at, question): (usize, &Question)| near.near(&question.words).into_iter().map(move |other| [at, other]);
    own.par_iter().enumerate().flat_map_iter(of_one).collect()
}

/// An element as it is compared.
struct Cutout {
    size: Size,
    picture: RgbImage,
}

fn look_alike(a: &Cutout, b: &Cutout) -> bool {
    let near = |a: u32, b: u32| (a as i32 - b as i32).abs() * 100 <= a.max(b) as i32 * MAX_SIDE_PERCENT;
    let difference: u64 = a.picture.as_raw().iter().zip(b.picture.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    near(a.size.width, b.size.width)
        && near(a.size.height, b.size.height)
        && difference <= MAX_DIFFERENCE * a.picture.as_raw().len() as u64
}

/// The pictures of some questions' elements, each screen decoded once.
fn pictures(
    dataset: &Path,
    questions: &[Question],
    needed: &BTreeSet<usize>,
    progress: &dyn Progress,
) -> Result<HashMap<usize, Cutout>, Error> {
    let mut by_image: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    needed.iter().for_each(|&at| by_image.entry(&questions[at].image).or_default().push(at));
    let root = Root::new(dataset);
    let of_image = |(image, all): (&str, Vec<usize>)| -> Result<Vec<(usize, Cutout)>, Error> {
        let picture = root.picture(image, Some(questions[all[0]].screen))?;
        let place = picture.place().to_owned();
        let screen = decode_limited(&picture.bytes()?, None).map_err(|e| Error::path(place, e))?.into_rgb8();
        progress.advance(all.len() as u64);
        let look = |at: usize| {
            let bbox = questions[at].bbox;
            let size = Size { width: bbox.width() as u32, height: bbox.height() as u32 };
            let cut = crop_imm(&screen, bbox.x0() as u32, bbox.y0() as u32, size.width, size.height).to_image();
            (at, Cutout { size, picture: resize(&cut, SIDE_PX, SIDE_PX, FilterType::Triangle) })
        };
        Ok(all.into_iter().map(look).collect())
    };
    let looks: Result<Vec<_>, Error> = by_image.into_par_iter().map(of_image).collect();
    Ok(looks?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(instruction: &str, wording: TargetWording) -> Question {
        let words = words(instruction, wording);
        Question { id: String::new(), words, bbox: Rect::at(0, 0, 9, 9), image: String::new(), screen: [9, 9] }
    }

    #[test]
    fn words_are_compared_without_their_context() {
        let own = [
            question("In Thunar, open the View menu", TargetWording::InContext),
            question("In the window \u{201c}Plots, and more\u{201d}, press the Cancel button", TargetWording::InWindow),
            question("Close, please", TargetWording::Brief),
        ];
        let others = [
            question("In Nemo, press the \u{201c}Cancel\u{201d} button", TargetWording::InContext),
            question("Open the View menu", TargetWording::Brief),
            question("Open the Edit menu", TargetWording::Brief),
            question("Press the big Cancel button", TargetWording::Brief),
        ];
        assert_eq!(pairs_in_words(&own, &others), [[0, 1], [1, 0], [1, 3]]);
    }
}
