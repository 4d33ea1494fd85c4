/// One line of the field notes.
#[derive(Debug, PartialEq)]
pub struct Record {
    pub date: String,
    pub place: String,
    pub species: String,
    pub number: u32,
}

impl Record {
    pub fn parse(line: &str) -> Result<Record, String> {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [date, place, species, number] = fields[..] else {
            return Err(format!("expected 4 fields, found {}", fields.len()));
        };
        let number = number
            .parse()
            .map_err(|_| format!("expected a number, found {number:?}"))?;
        Ok(Record {
            date: date.to_string(),
            place: place.to_string(),
            species: species.to_lowercase(),
            number,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_line() {
        let record = Record::parse("2026-05-02; Mill Lane; Goldfinch; 7").unwrap();
        assert_eq!(record.species, "goldfinch");
        assert_eq!(record.number, 7);
    }

    #[test]
    fn names_what_is_wrong() {
        assert_eq!(Record::parse("a;b").unwrap_err(), "expected 4 fields, found 2");
    }
}
