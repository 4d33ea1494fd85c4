//! The `windesk` program: parse, run, exit code. All of it is [`windesk::cli`].

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Scenes take and give back much memory in small pieces: 5 % less time than with the allocator of Linux's C library.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    windesk::cli::main()
}
