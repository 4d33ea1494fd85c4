//! The letters of a font from a stranger, looked at before one is drawn: readers of fonts follow references as often as
//! they find them, and some panic on what they find.
//!
//! Only what costs too much, or has made a reader panic, is refused here. What is merely wrong the readers tell.

use std::ops::Range;

/// Tables with letters that are drawn without bounds: programs that call each other, layers of outlines, and pictures
/// of any size.
const REFUSED: [&[u8; 4]; 6] = [b"CFF ", b"CFF2", b"COLR", b"CBDT", b"sbix", b"VARC"];

/// Most letters that one is put together of, those of its parts included. Sound fonts need fewer than ten.
const MAX_PARTS: u32 = 256;

// Flags of a part (OpenType, `glyf`).
const WORDS: u16 = 1;
const SCALE: u16 = 1 << 3;
const MORE: u16 = 1 << 5;
const TWO_SCALES: u16 = 1 << 6;
const TWO_BY_TWO: u16 = 1 << 7;

/// Looks at all letters of a face.
///
/// # Errors
/// In words, with what was expected.
pub(super) fn check_letters(file: &[u8], face: u32) -> Result<(), String> {
    let font = Font::open(file, face).ok_or("found a damaged list of tables, expected a TrueType font")?;
    if let Some(kind) = REFUSED.iter().find(|&&kind| font.table(kind).is_some()) {
        let kind = String::from_utf8_lossy(*kind);
        return Err(format!("found letters of kind `{}`, expected TrueType outlines alone", kind.trim_end()));
    }
    // Without these tables there are no letters.
    let Some(letters) = Letters::of(&font) else { return Ok(()) };
    let mut parts = vec![Parts::Unknown; letters.count];
    (0..letters.count).try_for_each(|letter| letters.check(letter, &mut parts))
}

/// The tables of one face.
struct Font<'a> {
    file: &'a [u8],
    tables: &'a [u8],
}

impl<'a> Font<'a> {
    fn open(file: &'a [u8], face: u32) -> Option<Self> {
        let start = if file.starts_with(b"ttcf") { four(file, 12 + 4 * face as usize)? as usize } else { 0 };
        let count = usize::from(two(file, start.checked_add(4)?)?);
        Some(Self { file, tables: file.get(start.checked_add(12)?..)?.get(..count * 16)? })
    }

    fn table(&self, tag: &[u8; 4]) -> Option<&'a [u8]> {
        let entry = self.tables.chunks_exact(16).find(|entry| entry[..4] == *tag)?;
        let [start, length] = [four(entry, 8)? as usize, four(entry, 12)? as usize];
        self.file.get(start..start.checked_add(length)?)
    }
}

/// The letters of a face, by number.
struct Letters<'a> {
    count: usize,
    outlines: &'a [u8],
    places: &'a [u8],
    has_long_places: bool,
}

/// What is known of how many letters one is put together of.
#[derive(Clone, Copy)]
enum Parts {
    Unknown,
    BeingCounted,
    Counted(u32),
}

/// A letter whose parts are being counted.
struct Open {
    letter: usize,
    /// Its parts that were not looked at.
    left: Vec<usize>,
    count: u32,
}

impl<'a> Letters<'a> {
    fn of(font: &Font<'a>) -> Option<Self> {
        Some(Self {
            count: usize::from(two(font.table(b"maxp")?, 4)?),
            outlines: font.table(b"glyf")?,
            places: font.table(b"loca")?,
            has_long_places: two(font.table(b"head")?, 50)? == 1,
        })
    }

    /// The outline of a letter; none for one that shows nothing, and one that readers do not find.
    fn outline(&self, letter: usize) -> Option<&'a [u8]> {
        let place = |letter: usize| {
            if self.has_long_places {
                four(self.places, letter * 4).map(|place| place as usize)
            } else {
                two(self.places, letter * 2).map(|place| usize::from(place) * 2)
            }
        };
        let Range { start, end } = place(letter)?..place(letter + 1)?;
        self.outlines.get(start..end).filter(|outline| !outline.is_empty())
    }

    /// Counts the parts of a letter, and of those that it is put together of.
    fn check(&self, letter: usize, parts: &mut [Parts]) -> Result<(), String> {
        if matches!(parts[letter], Parts::Counted(_)) {
            return Ok(());
        }
        parts[letter] = Parts::BeingCounted;
        let mut open = vec![Open { letter, left: self.parts_of(letter)?, count: 1 }];
        while let Some(now) = open.last_mut() {
            if now.count > MAX_PARTS {
                return Err(format!("found letter {} of more than {MAX_PARTS} parts, expected fewer", now.letter));
            }
            let Some(part) = now.left.pop() else {
                let (letter, count) = (now.letter, now.count);
                parts[letter] = Parts::Counted(count);
                open.pop();
                if let Some(whole) = open.last_mut() {
                    whole.count += count;
                }
                continue;
            };
            match parts.get(part) {
                Some(Parts::Counted(count)) => now.count += count,
                Some(Parts::BeingCounted) => {
                    return Err(format!("found letter {part} to be a part of itself, expected other letters"));
                }
                Some(Parts::Unknown) => {
                    parts[part] = Parts::BeingCounted;
                    open.push(Open { letter: part, left: self.parts_of(part)?, count: 1 });
                }
                // Readers tell that there is no such letter.
                None => {}
            }
        }
        Ok(())
    }

    /// The letters that one is put together of.
    ///
    /// # Errors
    /// If it has too many, or is one that readers panic on.
    fn parts_of(&self, letter: usize) -> Result<Vec<usize>, String> {
        let Some(outline) = self.outline(letter) else { return Ok(Vec::new()) };
        let contours = two(outline, 0).unwrap_or(0).cast_signed();
        if contours >= 0 {
            let points = two(outline, 10).map_or(0, |instructions| outline.len().saturating_sub(12 + usize::from(instructions)));
            return if contours == 0 && points > 0 {
                Err(format!("found letter {letter} without contours but with points, expected both or none"))
            } else {
                Ok(Vec::new())
            };
        }
        let (mut parts, mut at) = (Vec::new(), 10);
        while let (Some(flags), Some(part)) = (two(outline, at), two(outline, at + 2)) {
            parts.push(usize::from(part));
            if parts.len() > MAX_PARTS as usize {
                return Err(format!("found letter {letter} of more than {MAX_PARTS} parts, expected fewer"));
            }
            let has = |flag: u16| flags & flag != 0;
            let scales =
                if has(SCALE) { 2 } else { 0 } + if has(TWO_SCALES) { 4 } else { 0 } + if has(TWO_BY_TWO) { 8 } else { 0 };
            at += 4 + if has(WORDS) { 4 } else { 2 } + scales;
            if !has(MORE) {
                break;
            }
        }
        Ok(parts)
    }
}

fn two(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn four(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A face of these outlines and no more than letters need.
    fn font(outlines: &[Vec<u8>], other: &[u8; 4]) -> Vec<u8> {
        let mut head = vec![0; 54];
        head[51] = 1;
        let maxp = [&[0, 1, 0, 0][..], &(outlines.len() as u16).to_be_bytes()].concat();
        let mut loca = vec![0; 4];
        let mut glyf = Vec::new();
        for outline in outlines {
            glyf.extend(outline);
            loca.extend((glyf.len() as u32).to_be_bytes());
        }
        let tables: [(&[u8; 4], Vec<u8>); 5] =
            [(b"glyf", glyf), (b"head", head), (b"loca", loca), (b"maxp", maxp), (other, vec![0; 4])];
        let mut file = [&[0, 1, 0, 0, 0, tables.len() as u8][..], &[0; 6]].concat();
        let mut at = file.len() + tables.len() * 16;
        for (tag, table) in &tables {
            file.extend(*tag);
            [0, at as u32, table.len() as u32].iter().for_each(|field| file.extend(field.to_be_bytes()));
            at += table.len();
        }
        tables.iter().for_each(|(_, table)| file.extend(table));
        file
    }

    fn simple(contours: i16, after: &[u8]) -> Vec<u8> {
        [&contours.to_be_bytes()[..], &[0; 8], after].concat()
    }

    fn of_parts(parts: &[u16]) -> Vec<u8> {
        let mut outline = simple(-1, &[]);
        for (at, part) in parts.iter().enumerate() {
            let more = if at + 1 < parts.len() { MORE } else { 0 };
            outline.extend([more | WORDS | TWO_BY_TWO, *part].iter().flat_map(|field| field.to_be_bytes()));
            outline.extend([0; 12]);
        }
        outline
    }

    fn said(outlines: &[Vec<u8>]) -> String {
        check_letters(&font(outlines, b"name"), 0).err().unwrap_or_default()
    }

    #[test]
    fn sound_letters_pass() {
        let dot = simple(1, &[0, 2, 0, 0, 1, 1, 1, 0, 0]);
        assert_eq!(said(&[dot.clone(), Vec::new(), simple(0, &[0, 0]), of_parts(&[0, 0, 1]), of_parts(&[3, 99])]), "");
        assert_eq!(check_letters(&font(&[dot], b"glyf"), 0), Ok(()));
    }

    #[test]
    fn letters_with_points_but_no_contours_are_refused() {
        assert!(said(&[simple(0, &[0, 0, 1, 1, 1, 1])]).contains("letter 0 without contours but with points"));
    }

    #[test]
    fn letters_of_themselves_are_refused() {
        assert!(said(&[of_parts(&[1]), of_parts(&[2]), of_parts(&[0])]).contains("letter 0 to be a part of itself"));
    }

    /// Each of two of the one before: 2 to the power of 30 at the end.
    #[test]
    fn letters_that_multiply_are_refused() {
        let mut outlines = vec![simple(1, &[0, 2, 0, 0, 1, 1, 1, 0, 0])];
        outlines.extend((0..30).map(|below| of_parts(&[below, below])));
        assert!(said(&outlines).contains("letter 8 of more than 256 parts"), "{}", said(&outlines));
        assert!(said(&[of_parts(&[0; 300])]).contains("of more than 256 parts"));
    }

    /// As deep as there are letters: nothing here calls itself.
    #[test]
    fn long_chains_are_counted() {
        let outlines: Vec<_> = (1..=60_000).map(|next| of_parts(&[next])).collect();
        assert!(said(&outlines).contains("of more than 256 parts"));
    }

    #[test]
    fn letters_of_other_kinds_are_refused() {
        for kind in REFUSED {
            let refused = check_letters(&font(&[], kind), 0).unwrap_err();
            assert!(refused.ends_with("expected TrueType outlines alone"), "{refused}");
        }
    }

    #[test]
    fn damaged_lists_of_tables_are_refused() {
        let whole = font(&[simple(0, &[0, 0])], b"name");
        for length in 0..whole.len() {
            let _ = check_letters(&whole[..length], 0);
        }
        check_letters(&whole[..20], 0).unwrap_err();
        check_letters(&[b"ttcf".as_slice(), &[0xff; 40]].concat(), u32::MAX).unwrap_err();
    }
}
