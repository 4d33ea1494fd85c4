//! Competitors by meaning: texts of other programs so near to brief words that a reader may take one for the other.
//! Found when the index is made; readers judge whether the words fit them.

use std::collections::{BTreeMap, BTreeSet};

use typed_index_collections::TiSlice;

use windesk_model::index::TargetIndex;
use windesk_model::instruction::Wording;
use windesk_model::role::RoleGroup;

use super::Pack;
use super::targets::{NameKeys, Target};
use super::vectors::Vectors;

/// Texts whose cosine is at least this may mean the same: brief words are asked only if each of them was judged.
pub const COMPETITOR_COSINE: f64 = 0.7;

/// A brief text and another one that may mean the same, with an example of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearTexts {
    /// A target with the brief words.
    pub target: TargetIndex,
    /// An element of another program that has the other text.
    pub shown: TargetIndex,
    /// Cosine of the two texts.
    pub cosine: f64,
}

/// For each target that may be asked by its name alone, the texts of elements of other programs, of roles that a person
/// may take for its own, whose cosine is at least `least`; each pair of texts once for each target.
pub(super) fn near_texts(
    pack: &Pack,
    keys: &NameKeys,
    targets: &TiSlice<TargetIndex, Target>,
    vectors: &Vectors,
    least: f64,
    mut each: impl FnMut(NearTexts),
) {
    let mut by_text: BTreeMap<usize, Vec<TargetIndex>> = BTreeMap::new();
    for (at, target) in targets.iter_enumerated() {
        by_text.entry(target.text).or_default().push(at);
    }
    let texts: Vec<usize> = by_text.keys().copied().collect();
    let name = |at: TargetIndex| pack.programs[pack.windows[targets[at].window].program].record.name.as_str();
    let key = |at: TargetIndex| keys.of_element[targets[at].window][targets[at].element];
    vectors.each_with_all(&texts, |place, cosines| {
        let text = texts[place];
        let asked: Vec<TargetIndex> =
            by_text[&text].iter().copied().filter(|&at| targets[at].wording == Wording::Brief).collect();
        if asked.is_empty() {
            return;
        }
        for (&other, &cosine) in texts.iter().zip(cosines).filter(|&(&other, &cosine)| other != text && cosine >= least) {
            for &target in &asked {
                // Elements of one name and role are told apart by that already.
                let is_competitor = |&&shown: &&TargetIndex| {
                    name(shown) != name(target)
                        && (key(target).is_none() || key(shown) != key(target))
                        && compatible(targets[target].group, targets[shown].group)
                };
                if let Some(&shown) = by_text[&other].iter().find(is_competitor) {
                    each(NearTexts { target, shown, cosine });
                }
            }
        }
    });
}

/// Takes the brief wording from targets with a competitor that nobody has judged.
pub(super) fn ask_judged_alone(pack: &Pack, keys: &NameKeys, targets: &mut TiSlice<TargetIndex, Target>, vectors: &Vectors) {
    let judged: BTreeSet<(&str, &str)> = pack.competitors.iter().map(|c| (c.words.as_str(), c.says.as_str())).collect();
    let mut open: BTreeSet<TargetIndex> = BTreeSet::new();
    near_texts(pack, keys, targets, vectors, COMPETITOR_COSINE, |near| {
        let [words, says] = [near.target, near.shown].map(|at| targets[at].sentences[0].as_str());
        if !judged.contains(&(words, says)) {
            open.insert(near.target);
        }
    });
    for at in open {
        targets[at].wordings.retain(|&wording| wording != Wording::Brief);
    }
}

/// Whether words for an element of one group may be taken for one of the other.
fn compatible(one: RoleGroup, other: RoleGroup) -> bool {
    const ALIKE: [&[RoleGroup]; 5] = [
        &[RoleGroup::Button, RoleGroup::MenuItem, RoleGroup::Link, RoleGroup::Icon, RoleGroup::Menu],
        &[RoleGroup::CheckBox, RoleGroup::Switch, RoleGroup::Radio],
        &[RoleGroup::Field, RoleGroup::ComboBox, RoleGroup::SpinButton, RoleGroup::Slider],
        &[RoleGroup::Item, RoleGroup::Cell, RoleGroup::Icon],
        &[RoleGroup::Tab, RoleGroup::Item],
    ];
    one == other || ALIKE.iter().any(|alike| alike.contains(&one) && alike.contains(&other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_compatible_with_themselves_and_their_like() {
        assert!(compatible(RoleGroup::Slider, RoleGroup::Slider) && compatible(RoleGroup::Button, RoleGroup::Link));
        assert!(!compatible(RoleGroup::Button, RoleGroup::Field));
    }
}
