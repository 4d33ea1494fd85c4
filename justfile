# What is done often, by name. The steps themselves are in .ci/run, which needs no `just`; `just` alone lists the recipes.

[private]
default:
    @just --list --unsorted

# Everything that must hold before a change goes in
ci:
    bash .ci/run

# Some steps of it, such as: just steps format lint
steps +names:
    bash .ci/run {{names}}

# Install what building and testing need, and the embedding model
setup:
    bash .ci/run setup

# Check the format of the Rust code
format:
    bash .ci/run format

# Mend the format of the Rust code
fix:
    cargo fmt --all

# Check that no library crate would be published with more than its code
packages:
    bash .ci/run packages

# Check the Python tools: lint, format, unit tests
python:
    bash .ci/run python

# Run all tests, or those whose names hold a word: just test golden
test *arguments:
    bash scripts/test.sh {{arguments}}

# Accept what the code gives now as golden plans, pixels and sweeps; look at `git diff` afterwards
snapshots:
    INSTA_UPDATE=always bash scripts/test.sh --test integration -- golden sweeps

# Write docs/schemas anew from the code
schemas:
    WRITE_SCHEMAS=1 bash scripts/test.sh --test integration schemas

# Prove the default pack sound
pack:
    bash .ci/run pack

# Take a few captures and click in the live programs
captures:
    bash .ci/run captures

# Read a dataset's exports back with the readers that users have
exports:
    bash .ci/run exports

# Build the Python package and test it in a virtual environment
wheel *arguments:
    bash scripts/check_wheel.sh {{arguments}}

# Run the Python package's examples with PyTorch, Ray, Grain and Hugging Face
training *parts:
    bash scripts/check_training.sh {{parts}}

# Run clippy with all features and with the default ones
lint:
    bash .ci/run lint

# Make the documentation of all crates, and check the module tables of docs/architecture.md
doc:
    bash .ci/run doc

# Check licences and sources of the dependencies
dependencies:
    bash .ci/run dependencies

# Run the README's first command with 20 scenes
main-job:
    bash .ci/run main-job
