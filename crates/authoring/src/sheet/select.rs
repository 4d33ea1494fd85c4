//! Which windows sheets are made for.

use std::str::FromStr;

use windesk_model::Error;
use windesk_model::index::{ProgramIndex, WindowIndex};

use super::Review;

/// Part `index` of `count` (from 1): whole programs, so that nobody else writes to their files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub index: usize,
    /// At least `index`.
    pub count: usize,
}

impl FromStr for Shard {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index, count }),
            _ => Err(format!("found `{text}`, expected i/n with 1 <= i <= n, such as 1/4")),
        }
    }
}

/// Windows to make sheets for.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Ids of windows or programs; all if empty.
    pub windows: Vec<String>,
    /// One part of the programs.
    pub shard: Option<Shard>,
}

impl Selection {
    /// Indices of the windows, in the pack's order.
    ///
    /// # Errors
    /// If an id is neither a window's nor a program's.
    pub fn resolve(&self, review: &Review) -> Result<Vec<WindowIndex>, Error> {
        let pack = &review.pack;
        let unknown = |id: &&String| pack.window_index(id).is_none() && !pack.programs.iter().any(|p| p.record.id == **id);
        if let Some(id) = self.windows.iter().find(unknown) {
            return Err(Error::file(
                "option `windows`",
                format!("`{id}`"),
                "ids of windows (`thunar/home`) or programs (`thunar`)",
            ));
        }
        let of_shard = self.shard.map(|shard| programs_of(review, shard));
        let chosen = |&at: &WindowIndex| {
            let (window, program) = (&pack.windows[at].id, &pack.program_of(at).record.id);
            (self.windows.is_empty() || self.windows.contains(window) || self.windows.contains(program))
                && of_shard.as_ref().is_none_or(|programs| programs.contains(&pack.windows[at].program))
        };
        Ok(pack.windows.keys().filter(chosen).collect())
    }
}

/// The programs of a shard: the largest go first, each to the shard that has the fewest windows so far.
fn programs_of(review: &Review, shard: Shard) -> Vec<ProgramIndex> {
    let programs = &review.pack.programs;
    let mut by_size: Vec<ProgramIndex> = programs.keys().collect();
    by_size.sort_by_key(|&p| std::cmp::Reverse(programs[p].windows.len()));
    let mut shards = vec![(0, Vec::new()); shard.count];
    for program in by_size {
        let least = shards.iter_mut().min_by_key(|(windows, _)| *windows).expect("at least one shard");
        least.0 += programs[program].windows.len();
        least.1.push(program);
    }
    shards.swap_remove(shard.index - 1).1
}
