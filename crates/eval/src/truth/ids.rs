//! Finds targets by their ids, which lie with the targets alone.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::index::Target;

/// Places of targets by the hashes of their ids: five bytes each.
#[derive(Clone, Debug, Default)]
pub(super) struct TargetIds {
    places: HashTable<u32>,
    hasher: foldhash::fast::RandomState,
}

impl TargetIds {
    /// The place of the target with this id.
    pub(super) fn find(&self, targets: &[Target], id: &str) -> Option<u32> {
        self.places.find(self.hasher.hash_one(id), |&at| *targets[at as usize].id == *id).copied()
    }

    /// Adds the last of the targets.
    pub(super) fn add_last(&mut self, targets: &[Target]) -> Result<(), String> {
        let last = targets.len() - 1;
        let hash = |&at: &u32| self.hasher.hash_one(&*targets[at as usize].id);
        let id = &targets[last].id;
        match self.places.entry(self.hasher.hash_one(&**id), |&at| targets[at as usize].id == *id, hash) {
            Entry::Occupied(_) => Err(format!("target {id} appears twice")),
            Entry::Vacant(place) => {
                place.insert(u32::try_from(last).map_err(|_| "more than 2^32 targets".to_owned())?);
                Ok(())
            }
        }
    }
}
