//! Finds things by their ids, which lie with the things alone.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Places in a list by the hashes of the ids there: five bytes each. `id_at` is the id at a place of the list.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    places: HashTable<u32>,
    hasher: foldhash::fast::RandomState,
}

impl Places {
    /// The place with this id.
    pub(super) fn find<'a>(&self, id: &str, id_at: impl Fn(u32) -> &'a str) -> Option<u32> {
        self.places.find(self.hasher.hash_one(id), |&at| id_at(at) == id).copied()
    }

    /// Adds a place. False if another one has its id.
    pub(super) fn add<'a>(&mut self, place: u32, id_at: impl Fn(u32) -> &'a str) -> bool {
        let id = id_at(place);
        let hash = |&at: &u32| self.hasher.hash_one(id_at(at));
        match self.places.entry(self.hasher.hash_one(id), |&at| id_at(at) == id, hash) {
            Entry::Occupied(_) => false,
            Entry::Vacant(free) => {
                free.insert(place);
                true
            }
        }
    }
}
