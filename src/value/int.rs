//! Integers of any size, with the common small ones kept off the heap.

use num_bigint::{BigInt, Sign};
use std::fmt;
use std::str::FromStr;

/// No finite double has an integer of more bits.
const DOUBLE_BITS: u64 = 1024;

/// An integer of any size.
///
/// A number that fits in 64 bits is always kept as one, so that equal integers have equal representations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Int(Repr);

// The derived order is not numeric across the variants; `Ord` only serves collections that need some order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    Small(i64),
    Big(BigInt),
}

impl Int {
    /// The number as an `i64`, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(small) => Some(*small),
            Repr::Big(_) => None,
        }
    }

    /// The nearest double; infinite when the number is beyond the range of doubles.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(small) => *small as f64,
            Repr::Big(big) if big.bits() > DOUBLE_BITS => {
                if big.sign() == Sign::Minus {
                    f64::NEG_INFINITY
                } else {
                    f64::INFINITY
                }
            }
            // Decimal parsing is correctly rounded, and numbers of this size are rare.
            Repr::Big(big) => big.to_string().parse().unwrap_or(f64::NAN),
        }
    }

    /// Bits of the magnitude, without the sign.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Repr::Small(small) => u64::from(64 - small.unsigned_abs().leading_zeros()),
            Repr::Big(big) => big.bits(),
        }
    }

    /// The number in hexadecimal: `-0x1f`.
    pub fn to_hex(&self) -> String {
        match &self.0 {
            Repr::Small(small) if *small < 0 => format!("-{:#x}", small.unsigned_abs()),
            Repr::Small(small) => format!("{small:#x}"),
            Repr::Big(big) => format!("{big:#x}"),
        }
    }

    /// Reads a number in hexadecimal as [`Int::to_hex`] writes it; `None` when it is not one.
    pub fn from_hex(hex: &str) -> Option<Int> {
        let (sign, digits) = match hex.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", hex),
        };
        let digits = digits.strip_prefix("0x")?;
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !plain {
            return None;
        }
        BigInt::parse_bytes(format!("{sign}{digits}").as_bytes(), 16).map(Int::from)
    }
}

impl From<i64> for Int {
    fn from(number: i64) -> Int {
        Int(Repr::Small(number))
    }
}

impl From<BigInt> for Int {
    fn from(number: BigInt) -> Int {
        match i64::try_from(&number) {
            Ok(small) => Int(Repr::Small(small)),
            Err(_) => Int(Repr::Big(number)),
        }
    }
}

impl FromStr for Int {
    type Err = num_bigint::ParseBigIntError;

    /// Reads a number in decimal.
    fn from_str(digits: &str) -> Result<Int, Self::Err> {
        match digits.parse::<i64>() {
            Ok(small) => Ok(Int::from(small)),
            Err(_) => digits.parse::<BigInt>().map(Int::from),
        }
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(small) => small.fmt(f),
            Repr::Big(big) => big.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Int;

    #[track_caller]
    fn check(decimal: &str, hex: &str, bits: u64) {
        let number: Int = decimal.parse().unwrap();
        assert_eq!(number.to_hex(), hex);
        assert_eq!(Int::from_hex(hex), Some(number.clone()));
        assert_eq!(number.to_string(), decimal);
        assert_eq!(number.bits(), bits);
    }

    #[test]
    fn integers_of_any_size_go_through_both_notations() {
        check("0", "0x0", 0);
        check("-31", "-0x1f", 5);
        check("9223372036854775807", "0x7fffffffffffffff", 63);
        check("-9223372036854775808", "-0x8000000000000000", 64);
        check("18446744073709551616", "0x10000000000000000", 65);
    }

    #[test]
    fn what_is_not_hexadecimal_is_refused() {
        for text in ["", "-", "0x", "12", "0x-1", "0xg", "0x+1", "-0x_1"] {
            assert_eq!(Int::from_hex(text), None, "{text:?}");
        }
    }

    #[test]
    fn an_integer_beyond_doubles_is_infinite() {
        let huge: Int = format!("1{}", "0".repeat(400)).parse().unwrap();
        assert_eq!(huge.to_f64(), f64::INFINITY);
        assert_eq!(format!("-{huge}").parse::<Int>().unwrap().to_f64(), f64::NEG_INFINITY);
        assert_eq!(Int::from_hex(&format!("0x{}", "f".repeat(256))).unwrap().to_f64(), f64::INFINITY);
        assert_eq!(
            Int::from_hex(&format!("0x{}", "7f".repeat(127))).unwrap().to_f64(),
            3.4973503083258904e305
        );
        assert_eq!("9007199254740993".parse::<Int>().unwrap().to_f64(), 9007199254740992.0);
    }
}
