//! A local date and time, to the minute: what clocks and windows of a desktop show.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use time::{Date, Duration, Month, PrimitiveDateTime, Time};

/// A local date and time of day. Written as `YYYY-MM-DDTHH:MM`; a date alone, `YYYY-MM-DD`, is its midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct Moment(PrimitiveDateTime);

/// Years that a desktop shows.
const YEARS: std::ops::RangeInclusive<i32> = 1970..=2199;

impl Moment {
    /// The moment of these numbers, or `None` if there is none such.
    pub fn new(year: i32, month: u8, day: u8, hour: u8, minute: u8) -> Option<Self> {
        if !YEARS.contains(&year) {
            return None;
        }
        let date = Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()?;
        Some(Self(PrimitiveDateTime::new(date, Time::from_hms(hour, minute, 0).ok()?)))
    }

    /// The moment so many minutes later; the last one that can be written if that is later still.
    pub fn plus_minutes(self, minutes: u32) -> Self {
        let later = self.0.checked_add(Duration::minutes(minutes.into()));
        Self(later.filter(|at| YEARS.contains(&at.year())).unwrap_or(self.0))
    }

    /// Midnight of its day.
    pub fn day_start(self) -> Self {
        Self(self.0.replace_time(Time::MIDNIGHT))
    }

    /// Year, month (1 to 12) and day of the month (1 to 31).
    pub fn date(self) -> (i32, u8, u8) {
        (self.0.year(), self.0.month().into(), self.0.day())
    }

    /// Hour (0 to 23) and minute.
    pub fn time(self) -> (u8, u8) {
        (self.0.hour(), self.0.minute())
    }

    /// English name of the day of the week.
    pub fn weekday(self) -> String {
        self.0.weekday().to_string()
    }

    /// English name of the month.
    pub fn month_name(self) -> String {
        self.0.month().to_string()
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((year, month, day), (hour, minute)) = (self.date(), self.time());
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}")
    }
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no date and time of the form YYYY-MM-DDTHH:MM, or date YYYY-MM-DD");
        let (date, time) = text.split_once('T').unwrap_or((text, "00:00"));
        let digits = |part: Option<&str>, width: usize| {
            let part = part.filter(|p| p.len() == width && p.bytes().all(|b| b.is_ascii_digit())).ok_or_else(wrong)?;
            part.parse::<u16>().map_err(|_| wrong())
        };
        let (mut date, mut time) = (date.split('-'), time.split(':'));
        let year = digits(date.next(), 4)?;
        let [month, day] = [digits(date.next(), 2)?, digits(date.next(), 2)?];
        let [hour, minute] = [digits(time.next(), 2)?, digits(time.next(), 2)?];
        if date.next().is_some() || time.next().is_some() {
            return Err(wrong());
        }
        Self::new(year.into(), month as u8, day as u8, hour as u8, minute as u8).ok_or_else(wrong)
    }
}

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> Self {
        moment.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_and_read() {
        for text in ["2026-11-23T10:20", "2024-02-29T00:00", "1999-12-31T23:59"] {
            assert_eq!(text.parse::<Moment>().unwrap().to_string(), text);
        }
        assert_eq!("2026-11-23".parse::<Moment>().unwrap().to_string(), "2026-11-23T00:00");
        for text in ["2026-02-29", "2026-13-01", "2026-11-23T24:00", "23.11.2026", "2026-11-23T1:20", "2026-11-23T10:20:00", ""] {
            assert!(text.parse::<Moment>().is_err(), "{text}");
        }
    }

    #[test]
    fn days_follow_each_other() {
        let last = "2026-12-31T23:50".parse::<Moment>().unwrap();
        assert_eq!(last.plus_minutes(20).to_string(), "2027-01-01T00:10");
        assert_eq!((last.weekday().as_str(), last.month_name().as_str()), ("Thursday", "December"));
        assert_eq!(last.day_start().to_string(), "2026-12-31T00:00");
    }
}
