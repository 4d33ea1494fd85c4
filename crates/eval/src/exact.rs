//! Coordinates without the errors of binary floats: decimal numbers are scaled, added and compared as fractions of
//! integers, and rounded to a float once, at the end.
//!
//! Rounding once keeps the order of numbers and what is equal. A float that is the nearest to a point and one that is
//! the nearest to a border are therefore the same where the point lies on the border, whatever scale each was written
//! in. A float stands for the decimal number of its shortest digits: `0.45` is 45 hundredths.
//!
//! Numbers of more than 18 decimals or beyond 10^17 lie on no border; they are computed as plain floats.

use std::cmp::Ordering;

/// Floats are whole and exact up to this.
const WHOLE: i128 = 1 << 53;

/// A fraction in lowest terms; its denominator is above 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// `numerator / denominator`; nothing for a denominator of 0.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        let divisor = i128::try_from(gcd(numerator.unsigned_abs(), denominator.unsigned_abs())).ok()?;
        if denominator == 0 {
            return None;
        }
        let sign = denominator.signum();
        Some(Self {
            numerator: (numerator / divisor).checked_mul(sign)?,
            denominator: (denominator / divisor).checked_mul(sign)?,
        })
    }

    /// The decimal number that a float stands for; nothing if it has more than 18 decimals or is beyond 10^17.
    pub fn decimal(value: f64) -> Option<Self> {
        if value.fract() == 0.0 && value.abs() <= 1e15 {
            return Some(Self { numerator: value as i128, denominator: 1 });
        }
        if !value.is_finite() || value.abs() > 1e17 {
            return None;
        }
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e')?;
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let exponent = exponent.parse::<i32>().ok()? - i32::try_from(fraction.len()).ok()?;
        let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        match exponent {
            0.. => Some(Self { numerator: digits.checked_mul(power_of_ten(exponent as u32))?, denominator: 1 }),
            -18..0 => Self::new(digits, power_of_ten(exponent.unsigned_abs())),
            _ => None,
        }
    }

    /// Sum.
    pub fn plus(self, other: Self) -> Option<Self> {
        let common = i128::try_from(gcd(self.denominator.unsigned_abs(), other.denominator.unsigned_abs())).ok()?;
        let (by, other_by) = (other.denominator / common, self.denominator / common);
        let numerator = self.numerator.checked_mul(by)?.checked_add(other.numerator.checked_mul(other_by)?)?;
        Self::new(numerator, self.denominator.checked_mul(by)?)
    }

    /// Product.
    pub fn times(self, other: Self) -> Option<Self> {
        // Reduced across first, so that numbers stay small.
        let (a, b) = (Self::new(self.numerator, other.denominator)?, Self::new(other.numerator, self.denominator)?);
        Self::new(a.numerator.checked_mul(b.numerator)?, a.denominator.checked_mul(b.denominator)?)
    }

    /// Quotient; nothing if `other` is 0.
    pub fn over(self, other: Self) -> Option<Self> {
        self.times(Self::new(other.denominator, other.numerator)?)
    }

    /// The opposite number.
    pub fn negative(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }

    /// Which of two is larger.
    pub fn order(self, other: Self) -> Option<Ordering> {
        let (left, right) = (self.numerator.checked_mul(other.denominator)?, other.numerator.checked_mul(self.denominator)?);
        Some(left.cmp(&right))
    }

    /// The nearest whole number; halves go away from 0.
    pub fn nearest_whole(self) -> Option<i128> {
        let half = self.denominator / 2 + self.denominator % 2;
        let (whole, rest) = (self.numerator / self.denominator, self.numerator % self.denominator);
        let up = rest.checked_abs()? >= half;
        whole.checked_add(if up { self.numerator.signum() } else { 0 })
    }

    /// The nearest float.
    pub fn rounded(self) -> f64 {
        let Self { numerator, denominator } = self;
        if numerator.unsigned_abs() <= WHOLE.unsigned_abs() && denominator <= WHOLE {
            // Both are exact, and a quotient is rounded once.
            return numerator as f64 / denominator as f64;
        }
        // More digits than decide, and a last one that stands for the rest.
        let (numerator, denominator) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        let mut text = format!("{}{}.", if self.numerator < 0 { "-" } else { "" }, numerator / denominator);
        let mut rest = numerator % denominator;
        for _ in 0..60 {
            // No such digit by digit; both are rounded then, and the quotient once more.
            let Some(tenfold) = rest.checked_mul(10) else { return self.numerator as f64 / self.denominator as f64 };
            text.push(char::from(b'0' + (tenfold / denominator) as u8));
            rest = tenfold % denominator;
        }
        text.push(if rest > 0 { '1' } else { '0' });
        text.parse().unwrap_or(f64::NAN)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

fn power_of_ten(exponent: u32) -> i128 {
    10_i128.pow(exponent)
}

fn whole(value: u32) -> Fraction {
    Fraction { numerator: i128::from(value), denominator: 1 }
}

/// `value * numerator / denominator`, rounded once.
pub fn scaled(value: f64, numerator: u32, denominator: u32) -> f64 {
    if numerator == denominator {
        return value;
    }
    let product = value * f64::from(numerator);
    if value.fract() == 0.0 && product.abs() <= WHOLE as f64 {
        return product / f64::from(denominator);
    }
    let exact = || Fraction::decimal(value)?.times(Fraction::new(numerator.into(), denominator.into())?);
    exact().map_or(value * (f64::from(numerator) / f64::from(denominator)), Fraction::rounded)
}

/// `a + b`, rounded once.
pub fn sum(a: f64, b: f64) -> f64 {
    let plain = a + b;
    if a.fract() == 0.0 && b.fract() == 0.0 {
        return plain;
    }
    let exact = || Fraction::decimal(a)?.plus(Fraction::decimal(b)?);
    exact().map_or(plain, Fraction::rounded)
}

/// `a - b`, rounded once.
pub fn difference(a: f64, b: f64) -> f64 {
    sum(a, -b)
}

/// The middle between two numbers, rounded once.
pub fn middle(a: f64, b: f64) -> f64 {
    if a.fract() == 0.0 && b.fract() == 0.0 && a.abs().max(b.abs()) <= 1e15 {
        return (a + b) / 2.0;
    }
    let exact = || Fraction::decimal(a)?.plus(Fraction::decimal(b)?)?.times(Fraction::new(1, 2)?);
    // Halved before they are added: the sum of two huge numbers would overflow.
    exact().map_or(a / 2.0 + b / 2.0, Fraction::rounded)
}

/// Whether the product of `factors` is less than `limit` times the product of `sides`.
pub fn product_below(factors: [f64; 2], limit: f64, sides: [u32; 2]) -> bool {
    let exact = || {
        let product = Fraction::decimal(factors[0])?.times(Fraction::decimal(factors[1])?)?;
        let limit = Fraction::decimal(limit)?.times(whole(sides[0]))?.times(whole(sides[1]))?;
        product.order(limit)
    };
    let plain = || factors[0] * factors[1] < limit * f64::from(sides[0]) * f64::from(sides[1]);
    exact().map_or_else(plain, |order| order == Ordering::Less)
}

/// Whether `(dx / x_unit)^2 + (dy / y_unit)^2` is less than `limit^2`, for units by their squares.
pub fn nearer([dx, dy]: [f64; 2], squared_units: [u64; 2], limit: f64) -> bool {
    let plain = dx * dx / squared_units[0] as f64 + dy * dy / squared_units[1] as f64;
    let of_limit = limit * limit;
    if (plain - of_limit).abs() > 1e-9 * of_limit {
        return plain < of_limit;
    }
    let exact = || {
        let square = |value: f64| Fraction::decimal(value).and_then(|f| f.times(f));
        let part = |value: f64, unit: u64| square(value)?.over(Fraction::new(unit.into(), 1)?);
        part(dx, squared_units[0])?.plus(part(dy, squared_units[1])?)?.order(square(limit)?)
    };
    exact().map_or(plain < of_limit, |order| order == Ordering::Less)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_in_any_scale_is_the_same_float() {
        assert_eq!(scaled(450.0, 1080, 1000), 486.0);
        assert_ne!(450.0 * (1080.0 / 1000.0), 486.0, "what plain floats give");
        assert_eq!(scaled(0.45, 1080, 1), 486.0);
        assert_eq!(scaled(0.1 + 0.2, 10, 1), 3.000_000_000_000_000_4, "what was written counts");
        assert_eq!(sum(130.3, -14.0), 116.3);
        assert_ne!(130.3 - 14.0, 116.3, "what plain floats give");
        assert_eq!(sum(0.1, 0.2), 0.3);
        assert_eq!(middle(0.1, 0.2), 0.15);
        assert_eq!(middle(1e308, 1.5e308), 1.25e308);
    }

    #[test]
    fn every_thousandth_and_every_resized_px_is_rounded_once() {
        for side in [768_u32, 1080, 1366, 1440, 1920, 2159, 3840] {
            for at in 0..=1000_u32 {
                let exact = Fraction::new(i128::from(at * side), 1000).unwrap().rounded();
                assert_eq!(scaled(f64::from(at), side, 1000), exact);
                let text = format!("{}.{:03}", at / 1000, at % 1000);
                assert_eq!(scaled(text.parse().unwrap(), side, 1), exact, "{text} of {side}");
            }
            for at in 0..=side {
                // What the model saw as `at` of 28 * 50 px.
                let exact = Fraction::new(i128::from(at) * i128::from(side), 1400).unwrap();
                assert_eq!(scaled(f64::from(at), side, 1400), exact.rounded());
            }
        }
    }

    #[test]
    fn long_fractions_are_rounded_to_the_nearest() {
        let third = Fraction::new(1, 3).unwrap();
        let long = third.times(Fraction::new(10_i128.pow(30), 10_i128.pow(30) + 1).unwrap()).unwrap();
        assert_eq!(long.rounded(), 0.333_333_333_333_333_3);
        for sign in [1, -1] {
            let large = Fraction::new(i128::from(sign) * (9 * 10_i128.pow(37) + 1), 10_i128.pow(38)).unwrap();
            assert!((large.rounded() - 0.9 * f64::from(sign)).abs() < 1e-15, "{}", large.rounded());
        }
        assert_eq!(Fraction::decimal(-12.5e-3), Fraction::new(-1, 80));
        assert_eq!(Fraction::decimal(1e-300), None);
        assert_eq!(Fraction::decimal(f64::INFINITY), None);
        assert_eq!(Fraction::new(1, 0), None);
        assert_eq!(
            [(5, 2), (-5, 2), (7, 3), (8, 3)].map(|(n, d)| Fraction::new(n, d).unwrap().nearest_whole()),
            [Some(3), Some(-3), Some(2), Some(3)]
        );
    }

    #[test]
    fn limits_are_compared_exactly() {
        // 3, 4, 5 times a hundredth.
        assert!(!nearer([30.0, 40.0], [1_000_000, 1_000_000], 0.05));
        assert!(nearer([29.999, 40.0], [1_000_000, 1_000_000], 0.05));
        assert!(!nearer([38.4, 0.0], [768 * 768, 1], 0.05));
        assert!(!product_below([20.0, 20.0], 4e-4, [1000, 1000]));
        assert!(product_below([20.0, 19.99], 4e-4, [1000, 1000]));
        assert!(nearer([f64::MAX, 0.0], [1, 1], f64::MAX) || !nearer([f64::MAX, 0.0], [1, 1], 1.0));
    }
}
