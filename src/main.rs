//! The `windesk` program: parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    windesk::cli::main()
}
