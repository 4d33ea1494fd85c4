//! Agreement of raters beyond chance.

use std::collections::BTreeMap;

/// Fleiss' kappa from counts: for every subject how many raters said yes and how many no.
///
/// Subjects with fewer than two ratings say nothing about agreement and are left out. Where subjects have unequal
/// numbers of ratings, each one's agreement is the share of its own pairs of raters that agree; with equal numbers this
/// is Fleiss' (1971) formula. `None` if no subject has two ratings, or if all ratings are the same: then chance
/// agreement is 1 and kappa is not defined.
pub fn fleiss_kappa(subjects: &[[u32; 2]]) -> Option<f64> {
    let mut kinds: BTreeMap<[u32; 2], u64> = BTreeMap::new();
    subjects.iter().for_each(|s| *kinds.entry(*s).or_default() += 1);
    kappa_of_kinds(&kinds.into_iter().collect::<Vec<_>>())
}

/// The same for subjects that are counted by kind.
pub(crate) fn kappa_of_kinds(kinds: &[([u32; 2], u64)]) -> Option<f64> {
    let (mut subjects, mut agreement, mut yes, mut ratings) = (0_u64, 0.0, 0_u64, 0_u64);
    for &([y, n], count) in kinds {
        let [y, n] = [y, n].map(u64::from);
        if y + n < 2 || count == 0 {
            continue;
        }
        let same_pairs = y * y.saturating_sub(1) + n * n.saturating_sub(1);
        agreement += count as f64 * same_pairs as f64 / ((y + n) * (y + n - 1)) as f64;
        subjects += count;
        yes += count * y;
        ratings += count * (y + n);
    }
    if yes == 0 || yes == ratings {
        return None;
    }
    let p = yes as f64 / ratings as f64;
    let by_chance = p * p + (1.0 - p) * (1.0 - p);
    Some((agreement / subjects as f64 - by_chance) / (1.0 - by_chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three raters: P = (1 + 1 + 1/3 + 1/3) / 4, p(yes) = 6/12.
    #[test]
    fn kappa_is_that_of_a_count_by_hand() {
        let kappa = fleiss_kappa(&[[3, 0], [0, 3], [2, 1], [1, 2]]).unwrap();
        assert!((kappa - (2.0 / 3.0 - 0.5) / 0.5).abs() < 1e-12, "{kappa}");
    }

    #[test]
    fn perfect_agreement_is_one_and_uniform_ratings_have_none() {
        assert_eq!(fleiss_kappa(&[[3, 0], [0, 3]]), Some(1.0));
        assert_eq!(fleiss_kappa(&[[3, 0], [3, 0]]), None);
        assert_eq!(fleiss_kappa(&[[1, 0], [0, 1]]), None);
        assert_eq!(fleiss_kappa(&[]), None);
    }

    /// Two raters who always disagree: P = 0, chance 1/2.
    #[test]
    fn disagreement_is_negative() {
        assert_eq!(fleiss_kappa(&[[1, 1], [1, 1]]), Some(-1.0));
    }
}
