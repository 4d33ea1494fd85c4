//! Lays parts onto boards, the longest first.

mod part;

use part::Part;
use std::io::{self, BufRead};

/// Millimeters that the saw takes away.
const KERF: u32 = 3;

fn main() -> io::Result<()> {
    let board = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(3000);
    let mut parts = Vec::new();
    for (index, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match Part::parse(&line) {
            Ok(part) => parts.extend(std::iter::repeat(part.clone()).take(part.pieces)),
            Err(problem) => eprintln!("line {}: {problem}", index + 1),
        }
    }
    parts.sort_by(|a, b| b.length.cmp(&a.length));
    for (number, layout) in lay(&parts, board).iter().enumerate() {
        let used: u32 = layout.iter().map(|part| part.length + KERF).sum();
        let names: Vec<_> = layout.iter().map(|part| part.name.as_str()).collect();
        println!("board {:>2}: {}, {} mm left", number + 1, names.join(", "), board.saturating_sub(used));
    }
    Ok(())
}

fn lay(parts: &[Part], board: u32) -> Vec<Vec<&Part>> {
    let mut boards: Vec<(u32, Vec<&Part>)> = Vec::new();
    for part in parts {
        let need = part.length + KERF;
        match boards.iter_mut().find(|(left, _)| *left >= need) {
            Some((left, layout)) => {
                *left -= need;
                layout.push(part);
            }
            None => boards.push((board.saturating_sub(need), vec![part])),
        }
    }
    boards.into_iter().map(|(_, layout)| layout).collect()
}
