//! Where the program takes its memory from: whoever links this crate takes it from mimalloc.
//!
//! It is no part of the program's own crate, which is compiled without optimisation, and no part of a library, whose
//! users choose for themselves.

use mimalloc::MiMalloc;

/// Scenes take and give back much memory in small pieces: 2 to 5 % less time than with the allocator of Linux's C
/// library.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
