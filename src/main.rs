//! The `windesk` program: parse, run, exit code. All of it is [`windesk::cli`].

use std::process::ExitCode;

// Linked for what it sets, not for what it offers.
use windesk_allocator as _;

fn main() -> ExitCode {
    windesk::cli::main()
}
