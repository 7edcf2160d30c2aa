//! Complex division that neither overflows nor underflows on the way and treats infinities as C's Annex G does.
//!
//! The divisor is scaled by a power of two so that its larger part is near 1, the dividend only where it is
//! next to the largest or the smallest number. Where one of them is infinite, or the divisor 0, its parts
//! become ±1 or ±0, and the quotient is multiplied by infinity or zero. There is no branch. `passes` has the
//! same for constants.

use super::parts::{fma, from_parts, parts};
use super::real;
use crate::analysis::Interval;
use crate::ir::{BinaryOp, Scalar, UnaryOp};
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::spirv::{Op, OpenclStd100Op, Word};

/// a / b
pub(super) fn divide(module: &mut ModuleBuilder<'_>, scalar: Scalar, a: Word, b: Word) -> Emitted<Word> {
    let mut parts_of = Parts::new(module, scalar.component())?;
    let dividend = parts(parts_of.module, scalar, a)?;
    let divisor = parts(parts_of.module, scalar, b)?;
    let quotient = parts_of.quotient(dividend, divisor)?;
    from_parts(module, scalar, quotient)
}

/// Arithmetic on the parts and on their bits.
struct Parts<'e, 'a> {
    module: &'e mut ModuleBuilder<'a>,
    part: Scalar,
    /// The integer of the same width.
    bits: Scalar,
    /// Bits of the fraction.
    fraction: i32,
    /// The largest exponent, all bits of which are set, and the exponent of 1; shifted to their place.
    infinite: i64,
    one: i64,
    float_type: Word,
    bits_type: Word,
    boolean: Word,
}

/// A complex number whose parts are not far from 1.
struct Scaled {
    parts: [Word; 2],
    /// True if the number is infinite.
    infinite: Word,
}

impl<'e, 'a> Parts<'e, 'a> {
    fn new(module: &'e mut ModuleBuilder<'a>, part: Scalar) -> Emitted<Parts<'e, 'a>> {
        let (bits, fraction, exponent) =
            if part == Scalar::F32 { (Scalar::I32, 23, 8) } else { (Scalar::I64, 52, 11) };
        let infinite = ((1i64 << exponent) - 1) << fraction;
        let one = ((1i64 << (exponent - 1)) - 1) << fraction;
        let float_type = module.scalar_type(part)?;
        let (bits_type, boolean) = (module.scalar_type(bits)?, module.bool_type());
        Ok(Parts { module, part, bits, fraction, infinite, one, float_type, bits_type, boolean })
    }

    fn quotient(&mut self, [a, b]: [Word; 2], [c, d]: [Word; 2]) -> Emitted<[Word; 2]> {
        // What makes numbers near the smallest one large enough for all digits of their products.
        let digits = 2 * self.fraction + 4;
        let least = self.int(i64::from(digits) << self.fraction)?;
        let most = self.int(self.infinite - (4 << self.fraction))?;
        let (lift, sink) = (self.power_of_two(digits)?, self.power_of_two(-digits)?);
        let (sixteen, sixteenth, one) =
            (self.power_of_two(4)?, self.power_of_two(-4)?, self.power_of_two(0)?);
        let exponent = self.exponent(a, b)?;
        let small = self.module.value(Op::SLessThan, self.boolean, &[exponent, least])?;
        let large = self.module.value(Op::SGreaterThan, self.boolean, &[exponent, most])?;
        let up = self.select(small, lift, one)?;
        let scale = self.select(large, sixteenth, up)?;
        let down = self.select(small, sink, one)?;
        let unscale = self.select(large, sixteen, down)?;
        let no = self.module.bool_constant(false);
        let dividend = self.scaled([a, b], scale, no)?;

        let (c_bits, d_bits) = (self.bits_of(c)?, self.bits_of(d)?);
        let either = self.module.value(Op::BitwiseOr, self.bits_type, &[c_bits, d_bits])?;
        let magnitude = self.without_sign(either)?;
        let nothing = self.int(0)?;
        let is_zero = self.module.value(Op::IEqual, self.boolean, &[magnitude, nothing])?;
        // The inverse of a power of two has twice the exponent of 1 less that of the number; both have to be
        // normal numbers.
        let exponent = self.exponent(c, d)?;
        let (smallest, largest) =
            (self.int(1 << self.fraction)?, self.int(self.infinite - (2 << self.fraction))?);
        let exponent = self.module.opencl(OpenclStd100Op::s_max, self.bits_type, &[exponent, smallest])?;
        let exponent = self.module.opencl(OpenclStd100Op::s_min, self.bits_type, &[exponent, largest])?;
        let twice = self.int(2 * self.one)?;
        let inverse = self.module.value(Op::ISub, self.bits_type, &[twice, exponent])?;
        let inverse = self.module.value(Op::Bitcast, self.float_type, &[inverse])?;
        let divisor = self.scaled([c, d], inverse, is_zero)?;

        let infinity = self.module.float_constant(self.part, f64::INFINITY)?;
        let zero = self.module.zero(self.part)?;
        let becomes_infinite =
            self.module.value(Op::LogicalOr, self.boolean, &[dividend.infinite, is_zero])?;
        let inverse = self.select(becomes_infinite, infinity, inverse)?;
        let unscale = self.select(divisor.infinite, zero, unscale)?;

        let ([a, b], [c, d]) = (dividend.parts, divisor.parts);
        let square = self.binary(BinaryOp::Mul, d, d)?;
        let square = fma(self.module, self.part, c, c, square)?;
        let re = self.sum_of_products([a, c], [b, d])?;
        let minus_a = self.negative(a)?;
        let im = self.sum_of_products([b, c], [minus_a, d])?;
        let mut quotient = [re, im];
        for word in &mut quotient {
            *word = self.binary(BinaryOp::Div, *word, square)?;
            *word = self.binary(BinaryOp::Mul, *word, inverse)?;
            *word = self.binary(BinaryOp::Mul, *word, unscale)?;
        }
        Ok(quotient)
    }

    /// A number times a power of two, or ±1 and ±0 in place of its parts if it is infinite or `as_unit`, when
    /// its real part counts as ±1.
    fn scaled(&mut self, [re, im]: [Word; 2], scale: Word, as_unit: Word) -> Emitted<Scaled> {
        let re_infinite = self.is_infinite(re)?;
        let im_infinite = self.is_infinite(im)?;
        let infinite = self.module.value(Op::LogicalOr, self.boolean, &[re_infinite, im_infinite])?;
        let special = self.module.value(Op::LogicalOr, self.boolean, &[infinite, as_unit])?;
        let re_unit = self.module.value(Op::LogicalOr, self.boolean, &[re_infinite, as_unit])?;
        let mut parts = [re, im];
        for (part, is_unit) in parts.iter_mut().zip([re_unit, im_infinite]) {
            let unit = self.signed_unit(*part, is_unit)?;
            let product = self.binary(BinaryOp::Mul, *part, scale)?;
            *part = self.select(special, unit, product)?;
        }
        Ok(Scaled { parts, infinite })
    }

    /// 1 or 0 with the sign of a number.
    fn signed_unit(&mut self, of: Word, is_one: Word) -> Emitted<Word> {
        let (one, zero) = (self.int(self.one)?, self.int(0)?);
        let sign = self.int(Interval::of_type(self.bits).min)?;
        let bits = self.bits_of(of)?;
        let sign = self.module.value(Op::BitwiseAnd, self.bits_type, &[bits, sign])?;
        let unit = self.module.value(Op::Select, self.bits_type, &[is_one, one, zero])?;
        let unit = self.module.value(Op::BitwiseOr, self.bits_type, &[unit, sign])?;
        self.module.value(Op::Bitcast, self.float_type, &[unit])
    }

    /// a·b + c·d, where what rounding takes from the second product is added again, so that equal products
    /// cancel.
    fn sum_of_products(&mut self, [a, b]: [Word; 2], [c, d]: [Word; 2]) -> Emitted<Word> {
        let product = self.binary(BinaryOp::Mul, c, d)?;
        let minus_product = self.negative(product)?;
        let sum = fma(self.module, self.part, a, b, product)?;
        let lost = fma(self.module, self.part, c, d, minus_product)?;
        self.binary(BinaryOp::Add, sum, lost)
    }

    fn negative(&mut self, number: Word) -> Emitted<Word> {
        real::unary(self.module, UnaryOp::Neg, self.part, number)
    }

    fn is_infinite(&mut self, number: Word) -> Emitted<Word> {
        let bits = self.bits_of(number)?;
        let magnitude = self.without_sign(bits)?;
        let infinite = self.int(self.infinite)?;
        self.module.value(Op::IEqual, self.boolean, &[magnitude, infinite])
    }

    /// The larger exponent of two numbers, in its place.
    fn exponent(&mut self, a: Word, b: Word) -> Emitted<Word> {
        let mask = self.int(self.infinite)?;
        let mut exponents = [a, b];
        for word in &mut exponents {
            let bits = self.bits_of(*word)?;
            *word = self.module.value(Op::BitwiseAnd, self.bits_type, &[bits, mask])?;
        }
        self.module.opencl(OpenclStd100Op::s_max, self.bits_type, &exponents)
    }

    fn without_sign(&mut self, bits: Word) -> Emitted<Word> {
        let mask = self.int(Interval::of_type(self.bits).max)?;
        self.module.value(Op::BitwiseAnd, self.bits_type, &[bits, mask])
    }

    fn bits_of(&mut self, number: Word) -> Emitted<Word> {
        self.module.value(Op::Bitcast, self.bits_type, &[number])
    }

    fn int(&mut self, value: i64) -> Emitted<Word> {
        self.module.int_constant(self.bits, value)
    }

    fn power_of_two(&mut self, power: i32) -> Emitted<Word> {
        self.module.float_constant(self.part, 2f64.powi(power))
    }

    fn select(&mut self, condition: Word, a: Word, b: Word) -> Emitted<Word> {
        self.module.value(Op::Select, self.float_type, &[condition, a, b])
    }

    fn binary(&mut self, op: BinaryOp, a: Word, b: Word) -> Emitted<Word> {
        real::binary(self.module, op, self.part, a, b)
    }
}
