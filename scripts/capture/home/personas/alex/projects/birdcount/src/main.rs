//! Counts birds per species in field notes: one "date;place;species;number" per line.

mod record;

use record::Record;
use std::collections::BTreeMap;
use std::io::{self, BufRead};

fn main() -> io::Result<()> {
    let mut totals: BTreeMap<String, u32> = BTreeMap::new();
    for (index, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match Record::parse(&line) {
            Ok(record) => *totals.entry(record.species).or_default() += record.number,
            Err(problem) => eprintln!("line {}: {problem}", index + 1),
        }
    }
    let widest = totals.keys().map(|name| name.chars().count()).max().unwrap_or(0);
    for (species, number) in &totals {
        println!("{species:<widest$}  {number:>5}  {}", bar(*number));
    }
    Ok(())
}

/// One mark per five birds, at least one.
fn bar(number: u32) -> String {
    "#".repeat((number as usize / 5).max(1))
}
