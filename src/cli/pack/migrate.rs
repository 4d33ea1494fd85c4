//! `windesk pack migrate`: a pack of version 1 as one of version 2.

use std::path::PathBuf;

use clap::Args;

use windesk_authoring::migrate::{migrate as migrate_pack, read_session_plan};
use windesk_engine::pack::{Pack, open_place};
use windesk_files::{Replace, StagedFolder};
use windesk_model::plural::counted;

use super::Done;

#[derive(Debug, Args)]
#[command(after_help = "Example: windesk pack migrate old-pack --sessions sessions.json --out new-pack

The file says which sessions there are, and which windows belong to them (docs/pack.md, \"Migrating\"). Then
`windesk pack embed new-pack` makes the index again.")]
pub(in crate::cli) struct MigrateArgs {
    /// The pack: a folder or a tar archive.
    #[arg(value_name = "DIR|TAR")]
    pack: PathBuf,
    /// JSON file with the sessions and the windows that belong to them.
    #[arg(long, value_name = "FILE")]
    sessions: PathBuf,
    /// Folder of the new pack; it must be empty or not exist.
    #[arg(long, short, value_name = "DIR", value_parser = crate::cli::folder())]
    out: PathBuf,
}

pub(super) fn migrate(args: &MigrateArgs) -> anyhow::Result<Done> {
    let plan = read_session_plan(&args.sessions)?;
    let pack = Pack::open(open_place(&args.pack)?)?;
    let folder = StagedFolder::new(&args.out, Replace::Nothing)?;
    let counts = migrate_pack(&pack, &plan, &args.sessions.display().to_string(), &folder)?;
    folder.commit()?;
    for (session, windows) in &counts {
        tell!("{session}: {}", counted(*windows, "window"));
    }
    tell!("next: windesk pack embed {}", args.out.display());
    Ok(Done::Clean)
}
