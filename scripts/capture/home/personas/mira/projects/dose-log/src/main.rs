//! Adds up the monthly readings of each badge and says who comes near the limit.

mod reading;

use reading::Reading;
use std::collections::BTreeMap;
use std::io::{self, BufRead};

/// Microsievert a year, after which somebody should ask why.
const WORTH_A_LOOK: u32 = 1_000;

fn main() -> io::Result<()> {
    let mut sums: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for (index, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match Reading::parse(&line) {
            Ok(reading) => {
                let (sum, months) = sums.entry(reading.badge).or_default();
                *sum += reading.microsievert;
                *months += 1;
            }
            Err(problem) => eprintln!("line {}: {problem}", index + 1),
        }
    }
    for (badge, (sum, months)) in &sums {
        let remark = if *sum > WORTH_A_LOOK { "  look into it" } else { "" };
        println!("{badge}  {months:>2} months  {sum:>5} uSv{remark}");
    }
    Ok(())
}
