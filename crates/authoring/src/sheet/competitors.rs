//! Sheets of competitors: the words of a target beside an element of another program that they may mean too, for a
//! reader who does not know whose words they are.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use windesk_engine::pack::{COMPETITOR_COSINE, COMPETITOR_FILE, Focus, IndexedPack, NearTexts, program_file};
use windesk_files::StagedFolder;
use windesk_model::Error;
use windesk_model::index::{TargetIndex, WindowIndex};
use windesk_model::pack_format::{Competitor, CompetitorReading};

use super::judgements::{Judgements, PairSheet};
use super::pair_picture::{PairPen, Side};
use super::rank_of;
use super::report::Agreement;
use super::select::Shard;
use super::take::Author;
use super::write::{SHEETS_MARKER, with_items};
use crate::instructions::capture_digest;

/// Pairs of a page, two in a row.
const PAIRS_ON_PAGE: usize = 12;
/// Texts that are less similar than this mean other things: nobody is asked.
pub const MIN_COSINE: f64 = 0.45;

/// Which pairs are asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompetitorChoice {
    /// Least cosine of the two texts.
    pub from: f64,
    /// The cosine from which on pairs are left out.
    pub below: f64,
    /// Words with more competitors than this are left out: they are asked in context.
    pub at_most: usize,
    /// At most so many pairs, chosen as if by lot.
    pub sample: Option<usize>,
    /// Whether to ask those that have a reading, instead of those that have none.
    pub again: bool,
    /// One part of the pairs.
    pub shard: Option<Shard>,
}

/// Two texts that may fit one element, with an example of each.
#[derive(Clone, Debug, PartialEq)]
struct Pair {
    /// Made from what the reader sees.
    key: String,
    near: NearTexts,
}

#[derive(Serialize)]
struct ShownPair<'a> {
    key: &'a str,
    number: usize,
    words: &'a str,
}

/// Writes pages of pairs. Returns their number.
///
/// # Errors
/// If a picture can't be read, or a file not be written.
pub fn competitor_sheets(pack: &IndexedPack, choice: &CompetitorChoice, folder: &StagedFolder) -> Result<usize, Error> {
    folder.write(SHEETS_MARKER, GUIDE.as_bytes())?;
    let index = pack.index();
    let pairs = chosen(pack, choice);
    let mut pen = PairPen::new(pack)?;
    let words = |pair: &Pair| index.targets[pair.near.target].sentences[0].as_str();
    for (page, shown) in pairs.chunks(PAIRS_ON_PAGE).enumerate() {
        let numbered: Vec<(usize, &Pair)> = (page * PAIRS_ON_PAGE + 1..).zip(shown).collect();
        let side = |&(number, pair): &(usize, &Pair)| {
            let record = &index.targets[pair.near.shown];
            let bbox = pack.windows[record.window].elements[record.element].bbox;
            // Position of the words in the index would tell nothing; the number tells which question it is.
            (
                number,
                Side { window: record.window, bbox, instruction: words(pair), what: format!("{number}"), focus: Focus::Active },
            )
        };
        let rows: Vec<(String, Vec<Side<'_>>)> = numbered
            .chunks(2)
            .map(|row| {
                let (numbers, sides): (Vec<usize>, Vec<Side<'_>>) = row.iter().map(side).unzip();
                (numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" "), sides)
            })
            .collect();
        let picture = format!("competitors-{:03}.png", page + 1);
        folder.write(&picture, &pen.page(&rows)?)?;
        let items: Vec<ShownPair<'_>> =
            numbered.iter().map(|&(number, pair)| ShownPair { key: &pair.key, number, words: words(pair) }).collect();
        let sheet = PairSheet { sheet: "competitors", picture: &picture, pairs: [] };
        folder.write(&format!("competitors-{:03}.json", page + 1), with_items(&sheet, &items).as_bytes())?;
    }
    Ok(pairs.len())
}

/// The pairs that a choice names, sorted by key.
fn chosen(pack: &IndexedPack, choice: &CompetitorChoice) -> Vec<Pair> {
    let judged: BTreeSet<(&str, &str)> = pack.competitors.iter().map(|c| (c.words.as_str(), c.says.as_str())).collect();
    let mut pairs = pairs(pack, choice.at_most);
    pairs.retain(|pair| {
        let in_range = (choice.from..choice.below).contains(&pair.near.cosine);
        let [words, says] = [pair.near.target, pair.near.shown].map(|at| pack.index().targets[at].sentences[0].as_str());
        in_range && judged.contains(&(words, says)) == choice.again
    });
    pairs.truncate(choice.sample.unwrap_or(usize::MAX));
    match choice.shard {
        None => pairs,
        Some(Shard { index, count }) => pairs.into_iter().skip(index - 1).step_by(count).collect(),
    }
}

/// The pairs of texts that may mean the same, for words that have at most so many of them; sorted by key.
fn pairs(pack: &IndexedPack, at_most: usize) -> Vec<Pair> {
    let index = pack.index();
    let mut of_words: BTreeMap<usize, BTreeMap<usize, NearTexts>> = BTreeMap::new();
    index.near_texts(pack, MIN_COSINE, |near| {
        let [words, says] = [near.target, near.shown].map(|at| index.targets[at].text);
        of_words.entry(words).or_default().entry(says).or_insert(near);
    });
    let few =
        |near: &BTreeMap<usize, NearTexts>| near.values().filter(|near| near.cosine >= COMPETITOR_COSINE).count() <= at_most;
    let kept = of_words.into_values().filter(few).flat_map(BTreeMap::into_values);
    // Many pairs show one window.
    let mut digests: BTreeMap<WindowIndex, String> = BTreeMap::new();
    let mut digest_of = |at: TargetIndex| {
        let window = index.targets[at].window;
        digests.entry(window).or_insert_with(|| capture_digest(&pack.windows[window])).clone()
    };
    let keyed = kept.map(|near| Pair { key: key(pack, near.target, near.shown, &digest_of(near.shown)), near });
    let mut pairs: Vec<Pair> = keyed.collect();
    pairs.sort_by(|a, b| a.key.cmp(&b.key));
    pairs
}

fn key(pack: &IndexedPack, target: TargetIndex, shown: TargetIndex, digest: &str) -> String {
    let index = pack.index();
    let record = &index.targets[shown];
    let window = &pack.windows[record.window];
    let words = &index.targets[target].sentences[0];
    let mut key = rank_of(&["competitor", words, &window.id, digest, &window.elements[record.element].id]);
    key.truncate(12);
    key
}

/// What was taken from answers.
#[derive(Debug, Default)]
pub struct TakenCompetitors {
    /// Changed files, by path inside the pack.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Readings that are new.
    pub readings: usize,
    /// Answers that no pair of the pack has.
    pub stale: Vec<String>,
}

/// Takes what a reader said: JSON objects from keys to true (the words mean this) or false. A pair may be read again.
///
/// # Errors
/// Everything wrong in any of the files; nothing is taken then.
pub fn take_competitors(
    pack: &IndexedPack,
    files: &[(String, Vec<u8>)],
    reader: &Author,
) -> Result<TakenCompetitors, Vec<Error>> {
    let mut judgements = Judgements::read(files)?;
    let mut taken = TakenCompetitors::default();
    let mut lines: BTreeMap<String, Vec<Competitor>> = BTreeMap::new();
    for name in pack.files().names().filter(|name| name.ends_with(COMPETITOR_FILE)) {
        let text = pack.files().read(name).map_err(|error| vec![error])?;
        let of_program = text.split(|&b| b == b'\n').filter(|line| !line.is_empty());
        let parsed = of_program.map(|line| serde_json::from_slice(line).map_err(|e| Error::file(name, e, "a competitor")));
        lines.insert(name.to_owned(), parsed.collect::<Result<_, _>>().map_err(|error| vec![error])?);
    }
    let before = lines.clone();
    let index = pack.index();
    for pair in pairs(pack, usize::MAX) {
        let Some(fits) = judgements.take(&pair.key) else { continue };
        let [target, shown] = [pair.near.target, pair.near.shown].map(|at| &index.targets[at]);
        let (words, says) = (target.sentences[0].clone(), shown.sentences[0].clone());
        let window = &pack.windows[shown.window];
        let of_program = lines.entry(program_file(&pack.windows[target.window].id, COMPETITOR_FILE)).or_default();
        let reading = CompetitorReading { fits, reader_kind: reader.kind };
        taken.readings += 1;
        match of_program.iter_mut().find(|line| (&line.words, &line.says) == (&words, &says)) {
            Some(line) => line.readings.push(reading),
            None => {
                let shown = format!("{}#{}", window.id, window.elements[shown.element].id);
                of_program.push(Competitor { words, says, shown, readings: vec![reading] });
            }
        }
    }
    for (name, mut of_program) in lines {
        if before.get(&name) == Some(&of_program) {
            continue;
        }
        of_program.sort_by(|a, b| (&a.words, &a.says).cmp(&(&b.words, &b.says)));
        let text = of_program.iter().flat_map(|line| [serde_json::to_vec(line).expect("plain data"), b"\n".to_vec()].concat());
        taken.files.insert(name, text.collect());
    }
    taken.stale = judgements.stale();
    Ok(taken)
}

/// What readers said of competitors, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompetitorReport {
    /// Pairs with a reading.
    pub pairs: usize,
    /// Those of which any reader said that the words mean the element.
    pub fitting: usize,
    /// All readings.
    pub readings: usize,
    /// Pairs that were read twice or more, and those of them whose readers all said the same.
    pub again: Agreement,
}

/// Counts what readers said.
pub fn competitor_report(competitors: &[Competitor]) -> CompetitorReport {
    let mut report = CompetitorReport::default();
    for pair in competitors {
        report.pairs += 1;
        report.fitting += usize::from(pair.fits());
        report.readings += pair.readings.len();
        if pair.readings.len() > 1 {
            report.again.add(pair.readings.iter().all(|reading| reading.fits == pair.readings[0].fits));
        }
    }
    report
}

const GUIDE: &str = "\
Each page has one image and one JSON file. Each part of the image shows words, a number, and below them a part of a window with an
element in a red box.

Decide for each number: would these words, said to a person on a desktop that shows only this window, mean the element in the box? Say
true if the person would click there, and false if the person would say that it is not there. Write one JSON file
  {\"<key>\": true, \"<key>\": false}
for all pages, with the keys given beside the numbers in the JSON files. Then:
  windesk pack sheet take --pack DIR --by model --date YYYY-MM-DD ANSWERS.json
";

#[cfg(test)]
mod tests {
    use super::*;
    use windesk_model::pack_format::AuthorKind;

    #[test]
    fn readings_are_counted() {
        let reading = |fits| CompetitorReading { fits, reader_kind: AuthorKind::Model };
        let pair = |readings: &[bool]| Competitor {
            words: "Open it".to_owned(),
            says: "Open that".to_owned(),
            shown: "a/b#e0".to_owned(),
            readings: readings.iter().map(|&fits| reading(fits)).collect(),
        };
        let report = competitor_report(&[pair(&[true]), pair(&[false, false]), pair(&[false, true])]);
        assert_eq!((report.pairs, report.fitting, report.readings), (3, 2, 5));
        assert_eq!((report.again.checked, report.again.agreed), (2, 1));
    }
}
