/// One month of one badge.
pub struct Reading {
    pub month: String,
    pub badge: String,
    pub microsievert: u32,
}

impl Reading {
    /// Reads `month;badge;microsievert`.
    pub fn parse(line: &str) -> Result<Self, String> {
        let mut parts = line.split(';').map(str::trim);
        let mut next = |what: &str| parts.next().filter(|part| !part.is_empty()).ok_or(format!("no {what}"));
        let month = next("month")?.to_owned();
        let badge = next("badge")?.to_owned();
        let text = next("reading")?;
        let microsievert = text.parse().map_err(|_| format!("`{text}` is no number of microsievert"))?;
        Ok(Self { month, badge, microsievert })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line() {
        let reading = Reading::parse("2026-10;B-17;40").unwrap();
        assert_eq!((reading.badge.as_str(), reading.microsievert), ("B-17", 40));
    }

    #[test]
    fn a_missing_reading() {
        assert_eq!(Reading::parse("2026-10;B-17").err().unwrap(), "no reading");
    }
}
