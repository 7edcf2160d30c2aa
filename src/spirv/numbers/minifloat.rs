//! Floating types of 8 bits, which are kept as their bits and computed with by no one (lowering reference 3.4). Below their
//! smallest normal number, they count multiples of the smallest one.

use crate::ir::{Minifloat, Scalar};
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use half::f16;
use rspirv::spirv::{Op, OpenclStd100Op, Word};

const SIGN: u32 = Minifloat::SIGN as u32;
const NAN: u32 = Minifloat::NAN as u32;
const INFINITY: u32 = f32::INFINITY.to_bits();

impl Minifloat {
    /// Mantissa bits that an f32 has more.
    const fn more_bits(self) -> u32 {
        23 - self.mantissa_bits
    }

    /// The f32 of the smallest normal number.
    fn smallest_f32(self) -> u32 {
        2f32.powi(self.smallest_exponent()).to_bits()
    }

    /// Difference of the biases, where the exponent begins: what an f32 has more above the bits of its mantissa.
    fn rebias(self) -> u32 {
        (self.smallest_f32() >> self.more_bits()) - u32::from(self.smallest_normal())
    }
}

/// The f32 of a number.
pub(super) fn widen(module: &mut ModuleBuilder<'_>, format: Minifloat, a: Word) -> Emitted<Word> {
    let (bits_type, boolean, float) =
        (module.i32_type(), module.bool_type(), module.scalar_type(Scalar::F32)?);
    let [sign_bit, sign_distance] = [SIGN, 24].map(|value| module.i32_constant(value));
    let [all_ones, infinity] = [NAN, INFINITY].map(|value| module.i32_constant(value));
    let [first_special, smallest] =
        [format.first_special(), format.smallest_normal()].map(|value| module.i32_constant(value.into()));
    let [more_bits, rebias] =
        [format.more_bits(), format.rebias() << format.more_bits()].map(|value| module.i32_constant(value));
    let place = module.float_constant(Scalar::F32, format.place(format.smallest_exponent()))?;
    let bits = module.value(Op::UConvert, bits_type, &[a])?;
    let magnitude = module.value(Op::BitwiseAnd, bits_type, &[bits, all_ones])?;
    let shifted = module.value(Op::ShiftLeftLogical, bits_type, &[magnitude, more_bits])?;
    let normal = module.value(Op::IAdd, bits_type, &[shifted, rebias])?;
    // All of them are normal numbers of f32, so that nothing is flushed to zero.
    let count = module.value(Op::ConvertUToF, float, &[magnitude])?;
    let multiple = module.value(Op::FMul, float, &[count, place])?;
    let subnormal = module.value(Op::Bitcast, bits_type, &[multiple])?;
    let is_subnormal = module.value(Op::ULessThan, boolean, &[magnitude, smallest])?;
    let number = module.value(Op::Select, bits_type, &[is_subnormal, subnormal, normal])?;
    // Infinity and NaN have the largest exponent of f32, too, and keep their mantissa.
    let special = module.value(Op::BitwiseOr, bits_type, &[shifted, infinity])?;
    let is_special = module.value(Op::UGreaterThanEqual, boolean, &[magnitude, first_special])?;
    let number = module.value(Op::Select, bits_type, &[is_special, special, number])?;
    let sign = module.value(Op::BitwiseAnd, bits_type, &[bits, sign_bit])?;
    let sign = module.value(Op::ShiftLeftLogical, bits_type, &[sign, sign_distance])?;
    let signed = module.value(Op::BitwiseOr, bits_type, &[number, sign])?;
    module.value(Op::Bitcast, float, &[signed])
}

/// The f16 of a number of the type f8e4m3, in half as many instructions as by way of f32.
pub(super) fn widen_to_half(module: &mut ModuleBuilder<'_>, a: Word) -> Emitted<Word> {
    let format = Minifloat::E4M3;
    let (bits_type, boolean, half) =
        (module.int_type(16), module.bool_type(), module.scalar_type(Scalar::F16)?);
    let smallest = 2f64.powi(format.smallest_exponent());
    let smallest_bits = i64::from(f16::from_f64(smallest).to_bits());
    let more_bits = i64::from(f16::MANTISSA_DIGITS - 1 - format.mantissa_bits);
    let rebias = smallest_bits - (i64::from(format.smallest_normal()) << more_bits);
    let an_exponent_more = rebias + (1 << (f16::MANTISSA_DIGITS - 1));
    let mut constant = |value| module.int_constant(Scalar::I16, value);
    let (magnitude_bits, sign_bit) = (constant(NAN.into())?, constant(i64::from(SIGN) << 8)?);
    let (more_bits, nan) = (constant(more_bits)?, constant(i64::from(f16::NAN.to_bits()))?);
    let (rebias, an_exponent_more) = (constant(rebias)?, constant(an_exponent_more)?);
    let smallest = module.float_constant(Scalar::F16, smallest)?;
    // The sign is where a half has it, too.
    let bits = module.value(Op::SConvert, bits_type, &[a])?;
    let magnitude = module.value(Op::BitwiseAnd, bits_type, &[bits, magnitude_bits])?;
    let shifted = module.value(Op::ShiftLeftLogical, bits_type, &[magnitude, more_bits])?;
    let normal = module.value(Op::IAdd, bits_type, &[shifted, rebias])?;
    // With an exponent that is one more, and without what stands for the leading one, numbers below the smallest normal one are
    // right, and all others too large: the right one is the smaller of both. No f16 on the way is subnormal.
    let twice = module.value(Op::IAdd, bits_type, &[shifted, an_exponent_more])?;
    let twice = module.value(Op::Bitcast, half, &[twice])?;
    let subnormal = module.value(Op::FSub, half, &[twice, smallest])?;
    let subnormal = module.value(Op::Bitcast, bits_type, &[subnormal])?;
    let number = module.opencl(OpenclStd100Op::u_min, bits_type, &[normal, subnormal])?;
    let is_nan = module.value(Op::IEqual, boolean, &[magnitude, magnitude_bits])?;
    let number = module.value(Op::Select, bits_type, &[is_nan, nan, number])?;
    let sign = module.value(Op::BitwiseAnd, bits_type, &[bits, sign_bit])?;
    let signed = module.value(Op::BitwiseOr, bits_type, &[number, sign])?;
    module.value(Op::Bitcast, half, &[signed])
}

/// The number nearest to an f32, ties to even, or infinity or the largest one where that is beyond all; in integers, so that
/// nothing depends on how the device rounds or what it flushes to zero.
pub(super) fn round(module: &mut ModuleBuilder<'_>, format: Minifloat, a: Word) -> Emitted<Word> {
    /// The highest place of half a unit, for which nothing is left of the mantissa of an f32.
    const HIGHEST: u32 = 24;
    let (bits_type, boolean, narrow) =
        (module.i32_type(), module.bool_type(), module.scalar_type(Scalar::I8)?);
    let [one, sign_bit, sign_distance, nan] = [1, SIGN, 24, NAN].map(|value| module.i32_constant(value));
    // What is beyond all has bits like a number.
    let largest = (u32::from(format.overflow()) + format.rebias()) << format.more_bits();
    let [positive, infinity, largest] =
        [0x7fff_ffff, INFINITY, largest].map(|value| module.i32_constant(value));
    let half_place = format.more_bits() - 1;
    let [rebias, smallest] = [format.rebias(), format.smallest_f32()].map(|value| module.i32_constant(value));
    let [exponent_place, mantissa_mask, implicit] =
        [23, 0x7f_ffff, 0x80_0000].map(|value| module.i32_constant(value));
    // From the smallest exponent on down, half a unit is one place higher for each step down.
    let [half_place, unshifted, highest] = [half_place, half_place + (format.smallest_f32() >> 23), HIGHEST]
        .map(|value| module.i32_constant(value));
    let bits = module.value(Op::Bitcast, bits_type, &[a])?;
    let magnitude = module.value(Op::BitwiseAnd, bits_type, &[bits, positive])?;
    let is_beyond = module.value(Op::UGreaterThan, boolean, &[magnitude, largest])?;
    let finite = module.value(Op::Select, bits_type, &[is_beyond, largest, magnitude])?;

    let normal = shift_and_round(module, finite, half_place, one)?;
    let normal = module.value(Op::ISub, bits_type, &[normal, rebias])?;

    let exponent = module.value(Op::ShiftRightLogical, bits_type, &[finite, exponent_place])?;
    let mantissa = module.value(Op::BitwiseAnd, bits_type, &[finite, mantissa_mask])?;
    let mantissa = module.value(Op::BitwiseOr, bits_type, &[mantissa, implicit])?;
    let is_subnormal = module.value(Op::ULessThan, boolean, &[finite, smallest])?;
    let half_place = module.value(Op::ISub, bits_type, &[unshifted, exponent])?;
    // What is not subnormal has another result, but shall not be shifted by more than the word is wide, either.
    let is_high = module.value(Op::UGreaterThan, boolean, &[half_place, highest])?;
    let half_place = module.value(Op::Select, bits_type, &[is_high, highest, half_place])?;
    let subnormal = shift_and_round(module, mantissa, half_place, one)?;

    let number = module.value(Op::Select, bits_type, &[is_subnormal, subnormal, normal])?;
    let is_nan = module.value(Op::UGreaterThan, boolean, &[magnitude, infinity])?;
    let number = module.value(Op::Select, bits_type, &[is_nan, nan, number])?;
    let sign = module.value(Op::ShiftRightLogical, bits_type, &[bits, sign_distance])?;
    let sign = module.value(Op::BitwiseAnd, bits_type, &[sign, sign_bit])?;
    let signed = module.value(Op::BitwiseOr, bits_type, &[number, sign])?;
    module.value(Op::UConvert, narrow, &[signed])
}

/// A word without its bits up to the place of half a unit, rounded to nearest, ties to even.
fn shift_and_round(module: &mut ModuleBuilder<'_>, word: Word, half_place: Word, one: Word) -> Emitted<Word> {
    // Half a unit in the last place, less one unless the kept part is odd, carries into the kept part where rounding up
    // is due.
    let ty = module.i32_type();
    let distance = module.value(Op::IAdd, ty, &[half_place, one])?;
    let kept = module.value(Op::ShiftRightLogical, ty, &[word, distance])?;
    let odd = module.value(Op::BitwiseAnd, ty, &[kept, one])?;
    let half = module.value(Op::ShiftLeftLogical, ty, &[one, half_place])?;
    let almost_half = module.value(Op::ISub, ty, &[half, one])?;
    let rounding = module.value(Op::IAdd, ty, &[odd, almost_half])?;
    let sum = module.value(Op::IAdd, ty, &[word, rounding])?;
    module.value(Op::ShiftRightLogical, ty, &[sum, distance])
}
