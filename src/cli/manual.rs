//! `windesk completions` and `windesk man`: made from the flags themselves, so that they cannot fall behind.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Done};

/// Flags of `windesk completions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk completions bash > ~/.local/share/bash-completion/completions/windesk
  windesk completions zsh > ~/.zfunc/_windesk
  windesk completions fish > ~/.config/fish/completions/windesk.fish")]
pub(super) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Flags of `windesk man`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  windesk man | man -l -
  windesk man --out ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// Write one page per command into this folder, instead of printing the main page.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs `windesk completions`.
pub(super) fn completions(args: &CompletionsArgs) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "windesk", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
    Done::Clean
}

/// Runs `windesk man`.
pub(super) fn man(args: &ManArgs) -> anyhow::Result<Done> {
    let mut command = Cli::command();
    command.build();
    match &args.out {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            print!("{}", String::from_utf8_lossy(&page));
        }
        Some(out) => {
            std::fs::create_dir_all(out).with_context(|| out.display().to_string())?;
            clap_mangen::generate_to(command, out).with_context(|| out.display().to_string())?;
            println!("{}", out.display());
        }
    }
    Ok(Done::Clean)
}
