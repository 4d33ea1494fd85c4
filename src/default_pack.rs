//! Which pack is used when none is named: the checkout's, an installed one, or the starter pack inside the binary.

use std::path::{Path, PathBuf};

use windesk_engine::pack::{Pack, PackFiles, open_place};
use windesk_model::Error;

/// A plain tar archive of at least 60 windows, put together by the build script.
const STARTER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/starter.tar"));
/// Where this binary was built; its `assets/` are the full pack.
const CHECKOUT: &str = env!("CARGO_MANIFEST_DIR");

/// Where the default pack came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultPack {
    /// `assets/` and `wallpapers/` of the checkout that the binary was built in.
    Checkout(PathBuf),
    /// A folder or archive installed for the user or beside the binary.
    Installed(PathBuf),
    /// The starter pack inside the binary.
    Starter,
}

impl std::fmt::Display for DefaultPack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Checkout(path) => write!(f, "{} (the checkout's)", path.display()),
            Self::Installed(path) => write!(f, "{} (installed)", path.display()),
            Self::Starter => write!(f, "the starter pack inside the binary"),
        }
    }
}

/// Opens the default pack. `installed` lists places to look at for an installed one, in order.
///
/// # Errors
/// If the pack that is found first isn't sound; no other is tried then.
pub fn open_default(installed: &[PathBuf]) -> Result<(Pack, DefaultPack), Error> {
    open_default_with(installed, Pack::open)
}

/// The same; `open` opens the files of a checkout or of an installed pack.
///
/// # Errors
/// As [`open_default`].
pub fn open_default_with(
    installed: &[PathBuf],
    open: impl Fn(PackFiles) -> Result<Pack, Error>,
) -> Result<(Pack, DefaultPack), Error> {
    let checkout = Path::new(CHECKOUT).join("assets");
    if checkout.join("pack.json").is_file() && checkout.join("windows").is_dir() {
        let wallpapers = Path::new(CHECKOUT).join("wallpapers");
        let files = PackFiles::folder(&checkout, wallpapers.is_dir().then_some(wallpapers.as_path()))?;
        return Ok((open(files)?, DefaultPack::Checkout(checkout)));
    }
    if let Some(place) = installed.iter().find(|p| p.exists()) {
        return Ok((open(open_place(place)?)?, DefaultPack::Installed(place.clone())));
    }
    Ok((open_starter()?, DefaultPack::Starter))
}

/// The starter pack inside the binary.
///
/// # Errors
/// Never for a binary that passed its tests.
pub fn open_starter() -> Result<Pack, Error> {
    let files = PackFiles::archive("starter pack", STARTER)?;
    if !files.has("pack.json") {
        return Err(Error::file("starter pack", "nothing: this binary was built without one", "a pack")
            .with_hint("name a pack with option `pack`, or run `windesk pack starter assets` in the checkout and build again"));
    }
    Pack::open(files)
}
