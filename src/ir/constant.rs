//! Constants and their printed form (language reference 6.2).

use super::attributes::Int;
use super::types::Scalar;
use std::fmt;

/// The value of a `constant` instruction. Floats are kept as the double that was written, whatever
/// the type they are used with.
#[derive(Clone, Copy, Debug)]
pub enum Constant {
    /// `true` or `false`.
    Bool(bool),
    /// Integer.
    Int(i64),
    /// Floating-point number.
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
}

impl Constant {
    /// The zero of a number type.
    pub fn zero(scalar: Scalar) -> Constant {
        if scalar.is_complex() {
            Constant::Complex(0.0, 0.0)
        } else if scalar.is_float() {
            Constant::Float(0.0)
        } else {
            Constant::Int(0)
        }
    }

    /// Returns whether this is a number of that value; −0 is 0.
    pub fn is(self, number: i32) -> bool {
        let float = f64::from(number);
        match self {
            Constant::Bool(_) => false,
            Constant::Int(value) => value == i64::from(number),
            Constant::Float(value) => value == float,
            Constant::Complex(re, im) => re == float && im == 0.0,
        }
    }
}

/// Equal bit by bit, so that NaN equals itself and −0 differs from 0.
impl PartialEq for Constant {
    fn eq(&self, other: &Constant) -> bool {
        let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits();
        match (self, other) {
            (Constant::Bool(a), Constant::Bool(b)) => a == b,
            (Constant::Int(a), Constant::Int(b)) => a == b,
            (Constant::Float(a), Constant::Float(b)) => same(a, b),
            (Constant::Complex(a, b), Constant::Complex(c, d)) => same(a, c) && same(b, d),
            _ => false,
        }
    }
}

impl Eq for Constant {}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Bool(value) => value.fmt(f),
            Constant::Int(value) => Int(*value).fmt(f),
            Constant::Float(value) => HexFloat(*value).fmt(f),
            Constant::Complex(re, im) => write!(f, "[{},{}]", HexFloat(*re), HexFloat(*im)),
        }
    }
}

/// A double in C's `%a` form.
struct HexFloat(f64);

impl fmt::Display for HexFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MANTISSA_BITS: u32 = 52;
        let bits = self.0.to_bits();
        if self.0.is_sign_negative() {
            f.write_str("-")?;
        }
        let mantissa = bits & ((1 << MANTISSA_BITS) - 1);
        let exponent = (bits >> MANTISSA_BITS) & 0x7ff;
        match (exponent, mantissa) {
            (0, 0) => return f.write_str("0x0p+0"),
            (0x7ff, 0) => return f.write_str("inf"),
            (0x7ff, _) => return f.write_str("nan"),
            _ => {}
        }
        let lead = u64::from(exponent != 0);
        let power = if exponent == 0 { -1022 } else { exponent.cast_signed() - 1023 };
        let digits = format!("{mantissa:013x}");
        match digits.trim_end_matches('0') {
            "" => write!(f, "0x{lead}p{power:+}"),
            digits => write!(f, "0x{lead}.{digits}p{power:+}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Constant;

    #[test]
    fn hexadecimal_floats() {
        let cases = [
            (0.0, "0x0p+0"),
            (-0.0, "-0x0p+0"),
            (1.0, "0x1p+0"),
            (1.5, "0x1.8p+0"),
            (-0.125, "-0x1p-3"),
            (0.1, "0x1.999999999999ap-4"),
            (1e-3, "0x1.0624dd2f1a9fcp-10"),
            (f64::INFINITY, "inf"),
            (-f64::NAN, "-nan"),
            (f64::from_bits(1), "0x0.0000000000001p-1022"),
            (f64::MAX, "0x1.fffffffffffffp+1023"),
        ];
        for (value, text) in cases {
            assert_eq!(Constant::Float(value).to_string(), text);
        }
    }
}
