//! Floating types of 8 bits (OCP 8-bit Floating Point Specification): a sign, an exponent, a mantissa.

/// A floating type of 8 bits.
#[derive(Clone, Copy, Debug)]
pub struct Minifloat {
    /// Bits of the mantissa; those of the exponent are the other ones but for the sign.
    pub mantissa_bits: u32,
    /// True if the largest exponent stands for infinity and NaN, as IEEE has it; else all bits but the sign are NaN.
    pub has_infinity: bool,
}

impl Minifloat {
    /// Numbers up to ±448.
    pub const E4M3: Minifloat = Minifloat { mantissa_bits: 3, has_infinity: false };
    /// The upper byte of an IEEE half.
    pub const E5M2: Minifloat = Minifloat { mantissa_bits: 2, has_infinity: true };
    /// The bit of the sign.
    pub const SIGN: u8 = 0x80;
    /// The bits of NaN; there are more where infinities are.
    pub const NAN: u8 = 0x7f;

    /// The bits of the smallest normal number, which are as many as there are numbers for a power of two.
    pub const fn smallest_normal(self) -> u8 {
        1 << self.mantissa_bits
    }

    /// The bits of the least magnitude that is no finite number.
    pub const fn first_special(self) -> u8 {
        if self.has_infinity { Minifloat::SIGN - self.smallest_normal() } else { Minifloat::NAN }
    }

    /// The bits of what a number beyond all becomes: infinity, or the largest number.
    pub const fn overflow(self) -> u8 {
        self.first_special() - (!self.has_infinity) as u8
    }

    /// The power of two that is the smallest normal number.
    pub const fn smallest_exponent(self) -> i32 {
        2 - (1 << (6 - self.mantissa_bits))
    }

    /// The bits of the nearest number, ties to even; NaN has them all, and its sign.
    pub fn bits(self, value: f64) -> u8 {
        let sign = if value.is_sign_negative() { Minifloat::SIGN } else { 0 };
        if value.is_nan() {
            return sign | Minifloat::NAN;
        }
        let magnitude = value.abs().min(self.finite(self.overflow()));
        // At most 16, since nothing is larger than that number.
        #[allow(clippy::cast_possible_truncation)]
        let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(self.smallest_exponent());
        // In last places; one more than the mantissa can count carries into the exponent.
        let places = (magnitude / self.place(exponent)).round_ties_even();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let bits = ((exponent - self.smallest_exponent()) as u8) * self.smallest_normal() + places as u8;
        sign | bits
    }

    /// The number of these bits.
    pub fn value(self, bits: u8) -> f64 {
        let magnitude = match bits & !Minifloat::SIGN {
            bits if bits < self.first_special() => self.finite(bits),
            bits if self.has_infinity && bits == self.overflow() => f64::INFINITY,
            _ => f64::NAN,
        };
        if bits & Minifloat::SIGN == 0 { magnitude } else { -magnitude }
    }

    /// The magnitude of these bits, as if no exponent had another meaning.
    fn finite(self, bits: u8) -> f64 {
        let (exponent, mantissa) = (bits >> self.mantissa_bits, bits % self.smallest_normal());
        let places = if exponent == 0 { mantissa } else { self.smallest_normal() + mantissa };
        f64::from(places) * self.place(self.smallest_exponent() + i32::from(exponent.max(1)) - 1)
    }

    /// The last place of numbers with this exponent.
    pub fn place(self, exponent: i32) -> f64 {
        2f64.powi(exponent) / f64::from(self.smallest_normal())
    }
}

#[cfg(test)]
mod tests {
    use super::Minifloat;

    #[test]
    fn all_bits() {
        for format in [Minifloat::E4M3, Minifloat::E5M2] {
            for bits in 0..=u8::MAX {
                let value = format.value(bits);
                let wanted = if value.is_nan() { bits | Minifloat::NAN } else { bits };
                assert_eq!(format.bits(value), wanted, "{bits:#x}");
            }
        }
    }

    #[test]
    fn e5m2_is_the_upper_byte_of_a_half() {
        for bits in 0..=u8::MAX {
            let half = half::f16::from_bits(u16::from(bits) << 8).to_f64();
            assert_eq!(format!("{:?}", Minifloat::E5M2.value(bits)), format!("{half:?}"), "{bits:#x}");
        }
    }

    /// Numbers of the specification, ties, what is beyond the largest number.
    #[test]
    fn numbers_of_the_specification() {
        let e4m3 = [
            (1.0, 0x38),
            (448.0, 0x7e),
            (2f64.powi(-6), 0x08),
            (2f64.powi(-9), 0x01),
            (2f64.powi(-10), 0x00),
            (1.0625, 0x38),
            (1.1875, 0x3a),
            (1.1875 - 1e-12, 0x39),
            (449.0, 0x7e),
            (1e300, 0x7e),
            (f64::INFINITY, 0x7e),
            (f64::NAN.abs(), 0x7f),
        ];
        let e5m2 = [
            (1.0, 0x3c),
            (57344.0, 0x7b),
            (2f64.powi(-14), 0x04),
            (2f64.powi(-16), 0x01),
            (2f64.powi(-17), 0x00),
            (1.125, 0x3c),
            (1.375, 0x3e),
            (1.375 - 1e-12, 0x3d),
            (61440.0 - 1e-8, 0x7b),
            (61440.0, 0x7c),
            (1e300, 0x7c),
            (f64::INFINITY, 0x7c),
            (f64::NAN.abs(), 0x7f),
        ];
        for (format, table) in [(Minifloat::E4M3, &e4m3[..]), (Minifloat::E5M2, &e5m2[..])] {
            for &(value, bits) in table {
                assert_eq!(format.bits(value), bits, "{value}");
                assert_eq!(format.bits(-value), 0x80 | bits, "-{value}");
            }
        }
    }
}
