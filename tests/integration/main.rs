//! The integration tests, by subject. What they share lies in the first group.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "what the engine must not use, its tests may"
)]
#![expect(unreachable_pub, reason = "nothing uses a test binary from outside")]

mod any_file;
mod cached_pictures;
mod command;
mod hashed_words;
mod kept_packs;
mod kept_parts;
mod killed;
mod mini_pack;
mod quick_runs;
mod random_condition;
mod random_pack;
mod random_window;
mod real_pack;
mod schemas;
mod use_pack;

mod bad_arguments;
mod bad_packs;
mod benchmarks;
mod configs;
mod desktop;
mod determinism;
#[cfg(feature = "embed")]
mod embed;
mod eval;
mod evidence;
mod export;
mod export_tasks;
mod fidelity;
mod forms;
mod golden;
mod grow;
mod layers;
mod living_pack;
mod living_states;
mod looking;
mod merge_shards;
mod mutated_files;
mod mutated_packs;
mod output_folder;
mod own_packs;
mod pack_list;
mod probes;
mod random_scenes;
mod readme;
mod recounts;
mod session_looks;
mod sessions;
mod sheets;
mod shells;
mod states;
#[cfg(unix)]
mod strangers;
mod streams;
mod sweeps;
mod taskbar;
mod tasks;
mod training;
mod usage;
mod variants;
mod varied_states;
mod verify_dataset;
mod walk_server;
