//! A pack that scenes can be made of: one that has its index.

use std::ops::Deref;
use std::sync::Arc;

use windesk_model::Error;
use windesk_model::index::TargetIndex;

use super::sessions::check_shell_icons;
use super::{Index, Pack, Target};

/// A pack with its index: everything that a [`Pack`] is, and targets, vectors and neighbour lists.
#[derive(Debug)]
pub struct IndexedPack {
    pub(super) pack: Pack,
    /// The same as `pack` holds.
    pub(super) index: Arc<Index>,
}

impl Deref for IndexedPack {
    type Target = Pack;

    fn deref(&self) -> &Pack {
        &self.pack
    }
}

impl From<IndexedPack> for Pack {
    /// For what works without an index too; it stays there.
    fn from(indexed: IndexedPack) -> Self {
        indexed.pack
    }
}

impl Pack {
    /// The pack as one that scenes can be made of.
    ///
    /// # Errors
    /// If it has no index yet, or lacks an icon that the shell of one of its sessions shows.
    pub fn indexed(self) -> Result<IndexedPack, Error> {
        match self.index.clone() {
            Some(index) => {
                check_shell_icons(&self)?;
                Ok(IndexedPack { pack: self, index })
            }
            None => Err(Error::file(self.files.place(), "no index/", "targets, vectors and neighbour lists of this pack")
                .with_hint("run `windesk pack embed` on it once")),
        }
    }
}

impl IndexedPack {
    /// A pack with an index that was made for its windows.
    pub(super) fn new(pack: Pack, index: Index) -> Self {
        let index = Arc::new(index);
        Self { pack: Pack { index: Some(Arc::clone(&index)), ..pack }, index }
    }

    /// Targets and neighbour lists.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The target in the dark twin that is the same element, at the same place, asked for with the same words.
    pub fn dark_twin_target(&self, target: TargetIndex) -> Option<TargetIndex> {
        let light = &self.index.targets[target];
        let element = |t: &Target| &self.windows[t.window].elements[t.element];
        let twin = self.dark_twin(light.window)?;
        self.index.targets_in(twin).find(|&at| {
            let (dark, a, b) = (&self.index.targets[at], element(light), element(&self.index.targets[at]));
            (&a.role, &a.name, a.bbox) == (&b.role, &b.name, b.bbox)
                && (&light.sentences, light.wording, light.source) == (&dark.sentences, dark.wording, dark.source)
        })
    }
}
