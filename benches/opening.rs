//! How long the default pack takes to open, and how much memory ("max alloc"; "grow" is what stays).
//!
//! ```sh
//! cargo bench --bench opening
//! ```

use std::path::Path;

use divan::AllocProfiler;

use windesk::default_pack::open_default_with;
use windesk::engine::pack::Pack;

#[global_allocator]
static COUNTED: AllocProfiler = AllocProfiler::system();

/// Where what was opened is kept.
const KEPT: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/opening");

/// Reading and checking every description; no pictures.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn for_the_first_time() -> Pack {
    open_default_with(&[], Pack::open).expect("a sound pack").0
}

/// The same as an earlier run has kept it.
#[divan::bench(sample_count = 40, sample_size = 1)]
fn as_it_was_kept() -> Pack {
    open_default_with(&[], |files| Pack::open_kept_in(Path::new(KEPT), files)).expect("a sound pack").0
}

fn main() {
    // So that it is kept.
    as_it_was_kept();
    divan::main();
}
