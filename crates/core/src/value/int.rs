//! Integers of any size, with the common small ones kept off the heap.
//!
//! They are read, written and compared, never calculated with: that takes two base conversions, and no
//! arithmetic library. The tests compare them with `num-bigint`.

use std::fmt;
use std::str::FromStr;

/// The most bits in an integer that a finite double can hold.
const DOUBLE_BITS: u64 = 1024;

/// The most decimal digits that a limb can hold.
const LIMB_DIGITS: usize = 9;
const LIMB_TENS: u32 = 10_u32.pow(LIMB_DIGITS as u32);

/// Hexadecimal digits of a limb.
const LIMB_HEX: usize = 8;

/// An integer of any size.
///
/// A number that fits in 64 bits is always kept as one, so that equal integers have equal representations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Int(Repr);

// The derived order is not numeric across the variants; `Ord` only serves collections that need some order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    Small(i64),
    Big {
        negative: bool,
        /// The magnitude, 32 bits each, the lowest first. The highest is not zero.
        limbs: Vec<u32>,
    },
}

/// A text that is not an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoInt;

impl Int {
    /// The magnitude up to which every integer is exact as a double.
    pub(crate) const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

    /// The integer that a double holds exactly; `None` for a fraction, or beyond [`Int::MOST_EXACT`].
    pub(crate) fn of_double(number: f64) -> Option<Int> {
        (number.fract() == 0.0 && number.abs() <= Int::MOST_EXACT).then(|| Int::from(number as i64))
    }

    /// The number as an `i64`, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(small) => Some(*small),
            Repr::Big { .. } => None,
        }
    }

    /// The number as a `usize`, if it fits.
    pub fn to_usize(&self) -> Option<usize> {
        usize::try_from(self.to_i64()?).ok()
    }

    /// The nearest double; infinite if the number is out of range.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(small) => *small as f64,
            Repr::Big { negative, .. } if self.bits() > DOUBLE_BITS => {
                if *negative {
                    f64::NEG_INFINITY
                } else {
                    f64::INFINITY
                }
            }
            // Decimal parsing is correctly rounded, and numbers of this size are rare.
            Repr::Big { .. } => self.to_string().parse().unwrap_or(f64::NAN),
        }
    }

    /// Bits of the magnitude, without the sign.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Repr::Small(small) => u64::from(64 - small.unsigned_abs().leading_zeros()),
            Repr::Big { limbs, .. } => {
                let unused = limbs.last().map_or(0, |highest| highest.leading_zeros());
                limbs.len() as u64 * u64::from(u32::BITS) - u64::from(unused)
            }
        }
    }

    /// The number in hexadecimal: `-0x1f`.
    pub(crate) fn to_hex(&self) -> String {
        match &self.0 {
            Repr::Small(small) if *small < 0 => format!("-{:#x}", small.unsigned_abs()),
            Repr::Small(small) => format!("{small:#x}"),
            Repr::Big { negative, limbs } => {
                let mut hex = String::from(if *negative { "-0x" } else { "0x" });
                let mut limbs = limbs.iter().rev();
                hex.extend(limbs.next().map(|highest| format!("{highest:x}")));
                hex.extend(limbs.map(|limb| format!("{limb:08x}")));
                hex
            }
        }
    }

    /// Parses a number in hexadecimal as [`Int::to_hex`] writes it; `None` if it is not one.
    pub(crate) fn from_hex(hex: &str) -> Option<Int> {
        let (negative, digits) = match hex.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, hex),
        };
        let digits = digits.strip_prefix("0x")?;
        if digits.is_empty() {
            return None;
        }
        let limb = |digits: &[u8]| {
            digits.iter().try_fold(0, |limb, digit| Some(limb << 4 | char::from(*digit).to_digit(16)?))
        };
        let limbs = digits.as_bytes().rchunks(LIMB_HEX).map(limb).collect::<Option<Vec<u32>>>()?;
        Some(Int::of(negative, limbs))
    }

    /// The number with this sign and magnitude.
    fn of(negative: bool, mut limbs: Vec<u32>) -> Int {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        let small = match *limbs.as_slice() {
            [] => Some(0),
            [low] => Some(i128::from(low)),
            [low, high] => Some(i128::from(high) << u32::BITS | i128::from(low)),
            _ => None,
        };
        let small = small.and_then(|small| i64::try_from(if negative { -small } else { small }).ok());
        Int(small.map_or(Repr::Big { negative, limbs }, Repr::Small))
    }
}

impl From<i64> for Int {
    fn from(number: i64) -> Int {
        Int(Repr::Small(number))
    }
}

impl FromStr for Int {
    type Err = NoInt;

    /// Parses a decimal number, with or without a sign.
    fn from_str(text: &str) -> Result<Int, NoInt> {
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Int::from(small));
        }
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(NoInt);
        }
        let mut limbs: Vec<u32> = Vec::new();
        for chunk in digits.as_bytes().chunks(LIMB_DIGITS) {
            let mut tens = 1;
            let mut carry = 0;
            for digit in chunk {
                (tens, carry) = (tens * 10, carry * 10 + u64::from(digit - b'0'));
            }
            for limb in &mut limbs {
                carry += u64::from(*limb) * tens;
                *limb = carry as u32;
                carry >>= u32::BITS;
            }
            if carry > 0 {
                limbs.push(carry as u32);
            }
        }
        Ok(Int::of(text.starts_with('-'), limbs))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (negative, mut limbs) = match &self.0 {
            Repr::Small(small) => return small.fmt(f),
            Repr::Big { negative, limbs } => (*negative, limbs.clone()),
        };
        // From the lowest digits on, as many at once as fit in a limb.
        let mut chunks = Vec::new();
        while !limbs.is_empty() {
            let mut rest = 0;
            for limb in limbs.iter_mut().rev() {
                let part = u64::from(rest) << u32::BITS | u64::from(*limb);
                (*limb, rest) = ((part / u64::from(LIMB_TENS)) as u32, (part % u64::from(LIMB_TENS)) as u32);
            }
            chunks.push(rest);
            while limbs.last() == Some(&0) {
                limbs.pop();
            }
        }
        let mut chunks = chunks.iter().rev();
        let mut digits = chunks.next().map(u32::to_string).unwrap_or_default();
        digits.extend(chunks.map(|chunk| format!("{chunk:09}")));
        f.pad_integral(!negative, "", &digits)
    }
}

impl fmt::Display for NoInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is not an integer")
    }
}

impl std::error::Error for NoInt {}

#[cfg(test)]
mod tests {
    use super::{Int, NoInt};
    use num_bigint::BigInt;
    use proptest::prelude::{any, prop_assert_eq, proptest};

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
    fn texts_that_are_not_hexadecimal_are_refused() {
        for text in ["", "-", "0x", "12", "0x-1", "0xg", "0x+1", "-0x_1"] {
            assert_eq!(Int::from_hex(text), None, "{text:?}");
        }
    }

    #[test]
    fn texts_that_are_not_decimal_are_refused() {
        for text in ["", "-", "+", "--1", "1_0", "0x1", "99999999999999999999 ", "9999999999999999999٣"] {
            assert_eq!(text.parse::<Int>(), Err(NoInt), "{text:?}");
        }
    }

    proptest! {
        /// Compares with a library of arithmetic.
        #[test]
        fn both_notations_are_those_of_the_number(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let number = BigInt::from_signed_bytes_le(&bytes);
            let hex = Int::from_hex(&format!("{number:#x}")).unwrap();
            let decimal: Int = number.to_string().parse().unwrap();
            prop_assert_eq!(&hex, &decimal);
            prop_assert_eq!(decimal.to_hex(), format!("{number:#x}"));
            prop_assert_eq!(hex.to_string(), number.to_string());
            prop_assert_eq!(hex.bits(), number.bits());
            prop_assert_eq!(hex.to_i64(), i64::try_from(&number).ok());
        }
    }

    #[test]
    fn zeros_in_front_and_signs_change_nothing() {
        for text in
            ["18446744073709551616", "+18446744073709551616", "000000000000000000018446744073709551616"]
        {
            assert_eq!(text.parse::<Int>().unwrap().to_hex(), "0x10000000000000000");
        }
        assert_eq!(Int::from_hex("-0x0000000000000000000000001"), Some(Int::from(-1)));
        assert_eq!("-000000000000000000000000000000".parse(), Ok(Int::from(0)));
        assert_eq!(
            format!("{:>22}", "-18446744073709551616".parse::<Int>().unwrap()),
            " -18446744073709551616"
        );
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
