//! Packs that are open. One stays open until the process ends: scenes, samples and workers share it, and the second
//! time that it is asked for costs nothing but a look at its files.

use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::prelude::*;
use windesk::default_pack::{open_default_with, open_starter};
use windesk::engine::pack::open_place;
use windesk::model::split::Split;
use windesk::{Error, IndexedPack, Pack, Result};

use crate::gate::detached;

/// What a pack is opened by; pickles of scenes hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// Folder or archive; none for the default pack.
    path: Option<PathBuf>,
    /// Whether the starter pack is wanted, whatever else is installed.
    is_starter: bool,
    /// Packs that Python knows of.
    installed: Vec<PathBuf>,
    cache_mb: usize,
    cache_dir: Option<PathBuf>,
}

/// A pack with what scenes need, or without its index.
enum Held {
    Indexed(IndexedPack),
    Plain(Pack),
}

struct Opened {
    place: Place,
    split: Option<Split>,
    held: Held,
    shown_place: String,
    /// Of the pack as a whole, also where this is a part.
    digest: String,
}

impl Opened {
    fn pack(&self) -> &Pack {
        match &self.held {
            Held::Indexed(pack) => pack,
            Held::Plain(pack) => pack,
        }
    }
}

/// All that this process has opened.
static OPENED: Mutex<Vec<&'static Opened>> = Mutex::new(Vec::new());

fn known(place: &Place, split: Option<Split>, digest: &str) -> Option<&'static Opened> {
    let opened = OPENED.lock().expect("no panic while held");
    opened.iter().copied().find(|known| known.place == *place && known.split == split && known.digest == digest)
}

fn open(place: &Place, split: Option<Split>) -> Result<&'static Opened> {
    let open = |files| match (&place.cache_dir, split) {
        (Some(folder), Some(split)) => Pack::open_part_kept_in(folder, files, split, || ()),
        (Some(folder), None) => Pack::open_kept_in(folder, files),
        (None, _) => Pack::open(files),
    };
    let (mut pack, shown_place) = match &place.path {
        Some(path) => (open(open_place(path)?)?, path.display().to_string()),
        None if place.is_starter => (open_starter()?, "the starter pack inside the binary".to_owned()),
        None => {
            let (pack, found) = open_default_with(&place.installed, open)?;
            (pack, found.to_string())
        }
    };
    let digest = pack.digest.clone();
    // What was at this place before may have changed.
    if let Some(known) = known(place, split, &digest) {
        return Ok(known);
    }
    pack.set_cache_bytes(place.cache_mb << 20);
    if let Some(folder) = &place.cache_dir {
        pack.cache_pictures_in(folder.clone());
    }
    let held = match split {
        Some(_) if pack.split == split => Held::Indexed(pack.indexed()?),
        Some(split) => Held::Indexed(pack.indexed()?.restricted_to(split)?),
        None if pack.index_if_any().is_some() => Held::Indexed(pack.indexed()?),
        None => Held::Plain(pack),
    };
    let opened: &'static Opened = Box::leak(Box::new(Opened { place: place.clone(), split, held, shown_place, digest }));
    OPENED.lock().expect("no panic while held").push(opened);
    Ok(opened)
}

/// A pack that is open.
#[pyclass(frozen, module = "windesk._windesk")]
pub(crate) struct OpenPack(&'static Opened);

impl OpenPack {
    /// The pack as one that scenes of windows are made of.
    pub(crate) fn indexed(&self) -> Result<&'static IndexedPack> {
        match &self.0.held {
            Held::Indexed(pack) => Ok(pack),
            Held::Plain(_) => {
                Err(Error::file(&self.0.shown_place, "no index/", "a pack with an index")
                    .with_hint("`windesk pack embed` makes it"))
            }
        }
    }

    /// The pack, which for icons needs no index.
    pub(crate) fn plain(&self) -> &'static Pack {
        self.0.pack()
    }

    /// The part of it that a split is made of, or all of it.
    pub(crate) fn part(&self, split: Option<Split>) -> Result<Self> {
        if self.0.split == split {
            return Ok(Self(self.0));
        }
        let part = match known(&self.0.place, split, &self.0.digest) {
            Some(part) => part,
            None => open(&self.0.place, split)?,
        };
        if part.digest != self.0.digest {
            let found = format!("a pack with digest {}", part.digest);
            return Err(Error::file(&self.0.shown_place, found, format_args!("the pack that was opened, {}", self.0.digest)));
        }
        Ok(Self(part))
    }
}

#[pymethods]
impl OpenPack {
    /// Opens a pack: the folder or archive at `path`; or the starter pack; or the default one.
    #[new]
    #[pyo3(signature = (path, is_starter, installed, cache_mb, cache_dir))]
    fn new(
        py: Python<'_>,
        path: Option<PathBuf>,
        is_starter: bool,
        installed: Vec<PathBuf>,
        cache_mb: usize,
        cache_dir: Option<PathBuf>,
    ) -> PyResult<Self> {
        let installed = installed.into_iter().chain(windesk::cli::installed_places()).collect();
        let place = Place { path, is_starter, installed, cache_mb, cache_dir };
        detached(py, || open(&place, None)).map(Self)
    }

    #[getter]
    fn place(&self) -> &str {
        &self.0.shown_place
    }

    #[getter]
    fn name(&self) -> &str {
        &self.plain().header.name
    }

    #[getter]
    fn version(&self) -> String {
        self.plain().header.version.to_string()
    }

    #[getter]
    fn digest(&self) -> &str {
        &self.0.digest
    }

    #[getter]
    fn windows(&self) -> usize {
        self.plain().windows.len()
    }

    /// Ids.
    fn programs(&self) -> Vec<String> {
        self.plain().programs.iter().map(|program| program.record.id.clone()).collect()
    }

    /// Ids.
    fn sessions(&self) -> Vec<String> {
        self.plain().sessions.iter().map(|session| session.id.clone()).collect()
    }

    /// Ids.
    fn wallpapers(&self) -> Vec<String> {
        self.plain().wallpapers.iter().map(|wallpaper| wallpaper.id.clone()).collect()
    }
}

/// Where prepared pictures are kept unless another place is named, if that folder can be made.
#[pyfunction]
pub(crate) fn usual_picture_folder() -> Option<PathBuf> {
    windesk::cli::usual_picture_folder().filter(|folder| std::fs::create_dir_all(folder).is_ok())
}
