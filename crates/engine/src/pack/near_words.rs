//! Sentences in nearly the same words.

use std::collections::{BTreeSet, HashMap};

/// Of the different words of two sentences, so many percent are in both.
const MIN_SHARED_PERCENT: usize = 80;

/// The different words of a sentence, without regard to case, signs and order.
pub fn words_of(sentence: &str) -> BTreeSet<String> {
    let words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Sentences among which those in nearly the same words as another one are found.
pub struct NearWords {
    sentences: Vec<BTreeSet<String>>,
    frequency: HashMap<String, usize>,
    /// Sentences by each of their rarest words.
    by_word: HashMap<String, Vec<usize>>,
}

impl NearWords {
    /// Of these sentences' words.
    pub fn new(sentences: Vec<BTreeSet<String>>) -> Self {
        let mut frequency: HashMap<String, usize> = HashMap::new();
        for word in sentences.iter().flatten() {
            *frequency.entry(word.clone()).or_default() += 1;
        }
        let mut near = Self { sentences, frequency, by_word: HashMap::new() };
        for at in 0..near.sentences.len() {
            let words: Vec<String> = near.rarest(&near.sentences[at]).cloned().collect();
            words.into_iter().for_each(|word| near.by_word.entry(word).or_default().push(at));
        }
        near
    }

    /// Two sentences that share enough words share one of the rarest of each: only those need to be looked up.
    fn rarest<'a>(&self, words: &'a BTreeSet<String>) -> impl Iterator<Item = &'a String> + use<'a> {
        let mut sorted: Vec<&String> = words.iter().collect();
        sorted.sort_by_key(|word| (self.frequency.get(*word).copied().unwrap_or_default(), *word));
        let shared = (words.len() * MIN_SHARED_PERCENT).div_ceil(100);
        sorted.into_iter().take(words.len() - shared + 1)
    }

    /// The sentences, by number, that have nearly these words, in order.
    pub fn near(&self, words: &BTreeSet<String>) -> BTreeSet<usize> {
        let found = self.rarest(words).filter_map(|word| self.by_word.get(word)).flatten().copied();
        found.filter(|&at| are_near(words, &self.sentences[at])).collect()
    }
}

fn are_near(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    let shared = a.intersection(b).count();
    shared > 0 && shared * 100 >= (a.len() + b.len() - shared) * MIN_SHARED_PERCENT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_sentences_share_four_fifths_of_their_words() {
        let sentences = ["Open the View menu", "Press the big \u{201c}Cancel\u{201d} button", "Press Cancel", "Close, please"];
        let near = NearWords::new(sentences.map(words_of).to_vec());
        for (sentence, expected) in [
            ("open the VIEW menu!", &[0][..]),
            ("Open the Edit menu", &[]),
            ("Press the Cancel button", &[1]),
            ("Please close", &[3]),
            ("", &[]),
        ] {
            assert_eq!(near.near(&words_of(sentence)).into_iter().collect::<Vec<_>>(), expected, "{sentence}");
        }
    }
}
