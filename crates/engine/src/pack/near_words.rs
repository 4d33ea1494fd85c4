//! Sentences in nearly the same words.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Of the different words of two sentences, so many percent are in both.
const MIN_SHARED_PERCENT: usize = 80;

/// Sentences among which those in nearly the same words as another one are found.
pub struct NearWords {
    /// Words by number: the rarer, the lower.
    numbers: HashMap<String, u32>,
    /// The numbers of the words of every sentence, ascending; equal ones stand once.
    sets: Vec<Vec<u32>>,
    /// Which sentences have the words of a set.
    of_set: Vec<Vec<usize>>,
    /// Sets by each of their rarest words.
    by_word: HashMap<u32, Vec<usize>>,
}

impl NearWords {
    /// Of the different words of these sentences.
    pub fn new(sentences: &[BTreeSet<String>]) -> Self {
        let mut frequency: HashMap<&str, usize> = HashMap::new();
        for word in sentences.iter().flatten() {
            *frequency.entry(word).or_default() += 1;
        }
        let mut words: Vec<(usize, &str)> = frequency.into_iter().map(|(word, count)| (count, word)).collect();
        words.sort_unstable();
        let numbers: HashMap<String, u32> = (0..).zip(words).map(|(number, (_, word))| (word.to_owned(), number)).collect();
        let mut of_words: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
        for (at, sentence) in sentences.iter().enumerate() {
            let mut set: Vec<u32> = sentence.iter().map(|word| numbers[word]).collect();
            set.sort_unstable();
            of_words.entry(set).or_default().push(at);
        }
        let (sets, of_set): (Vec<Vec<u32>>, Vec<Vec<usize>>) = of_words.into_iter().unzip();
        let mut by_word: HashMap<u32, Vec<usize>> = HashMap::new();
        for (at, set) in sets.iter().enumerate() {
            set[..rarest(set.len())].iter().for_each(|&word| by_word.entry(word).or_default().push(at));
        }
        Self { numbers, sets, of_set, by_word }
    }

    /// The sentences, by number, that have nearly these words, in order.
    pub fn near(&self, words: &BTreeSet<String>) -> BTreeSet<usize> {
        let mut known: Vec<u32> = words.iter().filter_map(|word| self.numbers.get(word).copied()).collect();
        known.sort_unstable();
        // Words that no sentence has are the rarest of all.
        let unknown = words.len() - known.len();
        let looked_up = rarest(words.len()).saturating_sub(unknown).min(known.len());
        let found: BTreeSet<usize> =
            known[..looked_up].iter().filter_map(|word| self.by_word.get(word)).flatten().copied().collect();
        let near = found.into_iter().filter(|&set| are_near(&known, words.len(), &self.sets[set]));
        near.flat_map(|set| &self.of_set[set]).copied().collect()
    }
}

/// Of how many of the rarest words of a sentence with so many words one is in every sentence that shares enough words.
fn rarest(words: usize) -> usize {
    if words == 0 { 0 } else { words - (words * MIN_SHARED_PERCENT).div_ceil(100) + 1 }
}

/// Whether words, of `all` of which these are known, and those of a sentence are nearly the same. Both ascend.
fn are_near(known: &[u32], all: usize, sentence: &[u32]) -> bool {
    let mut rest = sentence;
    let mut shared = 0;
    for word in known {
        let lower = rest.iter().take_while(|other| *other < word).count();
        rest = &rest[lower..];
        shared += usize::from(rest.first() == Some(word));
    }
    shared > 0 && shared * 100 >= (all + sentence.len() - shared) * MIN_SHARED_PERCENT
}

#[cfg(test)]
mod tests {
    use windesk_model::words::words_of;

    use super::*;

    #[test]
    fn near_sentences_share_four_fifths_of_their_words() {
        let sentences = ["Open the View menu", "Press the big \u{201c}Cancel\u{201d} button", "Press Cancel", "Close, please"];
        let near = NearWords::new(&sentences.map(|sentence| words_of(sentence).collect()));
        for (sentence, expected) in [
            ("open the VIEW menu!", &[0][..]),
            ("Open the Edit menu", &[]),
            ("Press the Cancel button", &[1]),
            ("Please close", &[3]),
            ("", &[]),
        ] {
            assert_eq!(near.near(&words_of(sentence).collect()).into_iter().collect::<Vec<_>>(), expected, "{sentence}");
        }
    }
}
