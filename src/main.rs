//! The `windesk` program: parse, run, exit code. All of it is [`windesk::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    windesk::cli::main()
}
