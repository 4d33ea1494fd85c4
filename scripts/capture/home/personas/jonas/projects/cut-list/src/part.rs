/// A part of the list, in millimeters.
#[derive(Clone)]
pub struct Part {
    pub name: String,
    pub length: u32,
    pub pieces: usize,
}

impl Part {
    /// Reads `name;length;pieces`.
    pub fn parse(line: &str) -> Result<Self, String> {
        let fields: Vec<_> = line.split(';').map(str::trim).collect();
        let [name, length, pieces] = fields[..] else {
            return Err(format!("expected three fields, found {}", fields.len()));
        };
        Ok(Self {
            name: name.to_owned(),
            length: length.parse().map_err(|_| format!("`{length}` is no length"))?,
            pieces: pieces.parse().map_err(|_| format!("`{pieces}` is no number of pieces"))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part() {
        let part = Part::parse("tread;820;14").unwrap();
        assert_eq!((part.length, part.pieces), (820, 14));
    }
}
