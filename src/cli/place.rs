//! The pack that a command is about.

use std::path::PathBuf;

use clap::Args;

use super::PackArgs;

/// By its place alone or with `--pack`, whichever one types.
#[derive(Clone, Debug, Args)]
pub(super) struct PlaceArgs {
    /// The pack: a folder or a tar archive, as --pack takes it.
    #[arg(value_name = "DIR|TAR", conflicts_with = "pack")]
    place: Option<PathBuf>,
    #[command(flatten)]
    named: PackArgs,
}

impl PlaceArgs {
    pub(super) fn pack(&self) -> PackArgs {
        PackArgs { pack: self.place.clone().or_else(|| self.named.pack.clone()), ..self.named.clone() }
    }
}
