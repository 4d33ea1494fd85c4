//! `windesk pack act`: answers the walk tool line by line.

use std::io::{BufRead, Read};

use anyhow::Context;
use clap::Args;

use windesk_authoring::walk::{WalkAnswer, answer_line, refused};
use windesk_engine::pack::Pack;
use windesk_files::Durability;
use windesk_model::Error;

use super::{Done, PlaceArgs};

/// Longest question, bytes.
const MAX_LINE_BYTES: u64 = 1 << 20;

#[derive(Debug, Args)]
#[command(
    after_help = "Example: echo '{\"window\": \"mousepad/main\", \"event\": {\"click\": [40, 60]}}' | windesk pack act my-pack

One JSON object per line is read, and one is written for each (docs/pack.md, \"Walking a page\")."
)]
pub(in crate::cli) struct ActArgs {
    #[command(flatten)]
    pack: PlaceArgs,
}

pub(super) fn act(args: &ActArgs) -> anyhow::Result<Done> {
    let pack = args.pack.pack().open()?;
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut input).take(MAX_LINE_BYTES).read_until(b'\n', &mut line).context("stdin")?;
        if read == 0 {
            return Ok(Done::Clean);
        }
        if read as u64 == MAX_LINE_BYTES && line.last() != Some(&b'\n') {
            input.skip_until(b'\n').context("stdin")?;
            say(&refused(&Error::limit("the question", "a longer line", format!("at most {MAX_LINE_BYTES} bytes"))))?;
        } else if !line.trim_ascii().is_empty() {
            say(&answered(&pack, &line))?;
        }
    }
}

fn say(answer: &WalkAnswer) -> anyhow::Result<()> {
    data!("{}", serde_json::to_string(answer)?);
    Ok(())
}

/// The answer to a line, with its picture written.
fn answered(pack: &Pack, line: &[u8]) -> WalkAnswer {
    let (answer, picture) = answer_line(pack, line);
    let written = picture.map(|picture| Durability::Scratch.write_whole(&picture.path, &picture.png()));
    match written {
        Some(Err(error)) => refused(&error),
        Some(Ok(())) | None => answer,
    }
}
