//! The `windesk` program: parse, run, exit code.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "the command line prints results and may read the environment"
)]

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::main()
}
