//! What a desktop's clock shows, and when that may be.

use crate::moment::Moment;
use crate::pack_format::{ClockFormat, DateFormat};

/// First minute of the day in which people work: 08:00. The last one is 19:59.
const WORK_START: u32 = 8 * 60;
/// Minutes of a day in which people work.
pub const WORK_MINUTES: u32 = 12 * 60;
const DAY_MINUTES: u32 = 24 * 60;

/// How long a session's clock runs while one program of it is captured, at most, minutes.
const CAPTURE_MINUTES: u32 = 30;

/// The latest time that the windows of a session can show, whose programs were started at `clock` each.
pub fn end_of_capture(clock: Moment) -> Moment {
    clock.plus_minutes(CAPTURE_MINUTES)
}

fn minute_of_day(moment: Moment) -> u32 {
    let (hour, minute) = moment.time();
    u32::from(hour) * 60 + u32::from(minute)
}

/// The next time that a clock shows the minute `pick` (below [`WORK_MINUTES`]) of the hours in which people work: later
/// than `latest`, by a day at most.
pub fn work_time_after(latest: Moment, pick: u32) -> Moment {
    let wanted = WORK_START + pick % WORK_MINUTES;
    let wait = (wanted + DAY_MINUTES - minute_of_day(latest)) % DAY_MINUTES;
    latest.plus_minutes(if wait == 0 { DAY_MINUTES } else { wait })
}

/// Whether people work at that time of day.
pub fn in_work_hours(moment: Moment) -> bool {
    (WORK_START..WORK_START + WORK_MINUTES).contains(&minute_of_day(moment))
}

/// The time of day as a clock shows it.
pub fn shown_time(format: ClockFormat, moment: Moment) -> String {
    let (hour, minute) = moment.time();
    match format {
        ClockFormat::Hours24 => format!("{hour:02}:{minute:02}"),
        ClockFormat::Hours12 => format!("{}:{minute:02} {}", (hour + 11) % 12 + 1, if hour < 12 { "AM" } else { "PM" }),
    }
}

/// The date as a clock shows it.
pub fn shown_date(format: DateFormat, moment: Moment) -> String {
    let (year, month, day) = moment.date();
    let short = |name: String| name.chars().take(3).collect::<String>();
    match format {
        DateFormat::DayMonthYear => format!("{day:02}/{month:02}/{year:04}"),
        DateFormat::MonthDayYear => format!("{month}/{day}/{:02}", year % 100),
        DateFormat::Iso => format!("{year:04}-{month:02}-{day:02}"),
        DateFormat::MonthDay => format!("{} {day}", short(moment.month_name())),
        DateFormat::WeekdayDayMonth => format!("{} {day} {}", short(moment.weekday()), short(moment.month_name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_after_the_newest_date_by_at_most_a_day_and_in_work_hours() {
        for newest in ["2026-11-22T00:00", "2026-11-22T08:00", "2026-11-22T19:59", "2026-12-31T23:59", "2024-02-28T13:37"] {
            let newest: Moment = newest.parse().unwrap();
            for pick in 0..WORK_MINUTES {
                let shown = work_time_after(newest, pick);
                assert!(newest < shown && shown <= newest.plus_minutes(DAY_MINUTES), "{newest} {pick}: {shown}");
                assert!(in_work_hours(shown) && (8..=19).contains(&shown.time().0), "{newest} {pick}: {shown}");
            }
        }
    }

    #[test]
    fn times_and_dates_in_all_formats() {
        let at = |text: &str| text.parse::<Moment>().unwrap();
        let times = [
            ("2026-11-23T00:05", "00:05", "12:05 AM"),
            ("2026-11-23T12:00", "12:00", "12:00 PM"),
            ("2026-11-23T17:05", "17:05", "5:05 PM"),
        ];
        for (moment, hours24, hours12) in times {
            assert_eq!(shown_time(ClockFormat::Hours24, at(moment)), hours24);
            assert_eq!(shown_time(ClockFormat::Hours12, at(moment)), hours12);
        }
        let dates = [
            (DateFormat::DayMonthYear, "03/11/2026"),
            (DateFormat::MonthDayYear, "11/3/26"),
            (DateFormat::Iso, "2026-11-03"),
            (DateFormat::MonthDay, "Nov 3"),
            (DateFormat::WeekdayDayMonth, "Tue 3 Nov"),
        ];
        for (format, shown) in dates {
            assert_eq!(shown_date(format, at("2026-11-03T10:00")), shown);
        }
    }
}
