//! What a mistyped word was meant to be.

/// The known word nearest to a mistyped one, if any is near.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|k| (strsim::damerau_levenshtein(&word.to_lowercase(), &k.to_lowercase()), k))
        .min()
        .filter(|&(distance, k)| distance <= 1 + k.len() / 4)
        .map(|(_, k)| k)
}
