//! What all datasets share whose samples are plans over a pack: pictures, masks, recounts and assets.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use windesk_engine::annotate::element_masks;
use windesk_engine::pack::IndexedPack;
use windesk_engine::referee::recount;
use windesk_engine::render::{Channels, Encoding, Frame, ImageFormat, Renderer};
use windesk_model::Error;
use windesk_model::condition::Condition;
use windesk_model::geometry::Size;
use windesk_model::plan::Plan;
use windesk_model::record::{MaskRecord, SceneRecord};

use super::assets::{self, Asset, AssetKey};
use super::manifest::pack_licences;
use super::source::{DatasetKind, Facts, PictureFiles};

/// A pack and what draws plans over it.
pub(super) struct PlanPictures<'p> {
    pub(super) pack: &'p IndexedPack,
    pub(super) renderer: Arc<Renderer<'p>>,
}

impl<'p> PlanPictures<'p> {
    /// Fails if the pack's fonts can't be read.
    pub(super) fn new(pack: &'p IndexedPack) -> Result<Self, Error> {
        Ok(Self { pack, renderer: Arc::new(Renderer::new(pack)?) })
    }

    /// What a dataset of plans under these conditions, of one split and protocol, says of itself. It warns of nothing.
    pub(super) fn facts<'s>(&self, kind: DatasetKind, name: &'s str, conditions: &'s [Condition], seed: u64) -> Facts<'s> {
        let used = |id: &String| conditions.iter().any(|condition| condition.wallpapers.contains(id));
        Facts {
            kind,
            name,
            conditions: conditions.iter().map(|condition| condition.name.as_str()).collect(),
            seed,
            split: conditions[0].split,
            protocol: conditions[0].protocol,
            assets_digest: self.pack.digest.clone(),
            share_alike: self.pack.wallpapers.iter().any(|wallpaper| wallpaper.share_alike && used(&wallpaper.id)),
            warnings: Vec::new(),
        }
    }

    pub(super) fn licences(&self) -> BTreeMap<String, u64> {
        pack_licences(self.pack)
    }

    pub(super) fn render(&self, plan: &Plan) -> Result<Frame, Error> {
        self.renderer.render(plan)
    }

    /// Draws a plan's picture in any size into rows of RGB bytes.
    pub(super) fn render_into(&self, plan: &Plan, size: Size, rgb: &mut [u8]) -> Result<(), Error> {
        self.renderer.render_into(plan, size, Channels::Rgb, rgb)
    }

    /// The file of a plan's picture.
    pub(super) fn encode(&self, plan: &Plan, encoding: Encoding) -> Result<Vec<u8>, Error> {
        self.renderer.encode(plan, encoding)
    }

    /// The files of pictures of one screen, each of which differs little from the one before.
    pub(super) fn encode_in_a_row<'a>(&'a self, plans: &'a [Plan], encoding: Encoding) -> PictureFiles<'a> {
        if encoding.format != ImageFormat::Png {
            return Box::new(plans.iter().map(move |plan| self.encode(plan, encoding).map(Rc::new)));
        }
        Box::new(self.renderer.encode_in_a_row(plans))
    }

    pub(super) fn masks(&self, plan: &Plan) -> Result<Vec<Option<MaskRecord>>, Error> {
        element_masks(self.pack, plan)
    }

    pub(super) fn recount(&self, plan: &Plan, record: &SceneRecord) -> Result<Vec<String>, Error> {
        Ok(recount(self.pack, plan, &record.truth)?.into_iter().map(|violation| violation.0).collect())
    }

    pub(super) fn shown(&self, plan: &Plan) -> BTreeSet<AssetKey> {
        assets::shown(self.pack, plan)
    }

    pub(super) fn assets(&self, shown: &BTreeSet<AssetKey>) -> Vec<Asset> {
        assets::assets_of_pack(self.pack, shown)
    }
}
