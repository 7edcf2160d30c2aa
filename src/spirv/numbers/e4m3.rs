//! f8e4m3, which is kept as its bits and computed with by no one (lowering reference 3.4). Below 2⁻⁶, its smallest normal
//! number, it counts multiples of 2⁻⁹.

use crate::ir::Scalar;
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::spirv::{Op, Word};

const SIGN: u32 = 0x80;
const NAN: u32 = 0x7f;
const SMALLEST_NORMAL: u32 = 0x08;
/// Mantissa bits that an f32 has more.
const MORE_BITS: u32 = 20;
/// Difference of the biases, where the exponent of f8e4m3 begins.
const REBIAS: u32 = (127 - 7) << 3;

/// The f32 of an f8e4m3.
pub(super) fn widen(module: &mut ModuleBuilder<'_>, a: Word) -> Emitted<Word> {
    let (bits_type, boolean, float) =
        (module.i32_type(), module.bool_type(), module.scalar_type(Scalar::F32)?);
    let [sign_bit, sign_distance] = [SIGN, 24].map(|value| module.i32_constant(value));
    let [all_ones, quiet_nan] = [NAN, 0x7fc0_0000].map(|value| module.i32_constant(value));
    let [more_bits, rebias, smallest] =
        [MORE_BITS, REBIAS << MORE_BITS, SMALLEST_NORMAL].map(|value| module.i32_constant(value));
    let place = module.float_constant(Scalar::F32, 2f64.powi(-9))?;
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
    let is_nan = module.value(Op::IEqual, boolean, &[magnitude, all_ones])?;
    let number = module.value(Op::Select, bits_type, &[is_nan, quiet_nan, number])?;
    let sign = module.value(Op::BitwiseAnd, bits_type, &[bits, sign_bit])?;
    let sign = module.value(Op::ShiftLeftLogical, bits_type, &[sign, sign_distance])?;
    let signed = module.value(Op::BitwiseOr, bits_type, &[number, sign])?;
    module.value(Op::Bitcast, float, &[signed])
}

/// The f8e4m3 nearest to an f32, ties to even, or the largest one where that is beyond all; in integers, so that nothing
/// depends on how the device rounds or what it flushes to zero.
pub(super) fn round(module: &mut ModuleBuilder<'_>, a: Word) -> Emitted<Word> {
    const LARGEST: f32 = 448.0;
    /// Half of a normal f32 with this exponent would be the smallest multiple: its mantissa goes this far down, and
    /// further down nothing is left.
    const LONGEST_SHIFT: u32 = 25;
    let (bits_type, boolean, narrow) =
        (module.i32_type(), module.bool_type(), module.scalar_type(Scalar::F8e4m3)?);
    let [one, sign_bit, sign_distance, nan] = [1, SIGN, 24, NAN].map(|value| module.i32_constant(value));
    let [positive, infinity, largest] =
        [0x7fff_ffff, f32::INFINITY.to_bits(), LARGEST.to_bits()].map(|value| module.i32_constant(value));
    let [more_bits, rebias, smallest] =
        [MORE_BITS, REBIAS, (REBIAS | SMALLEST_NORMAL) << MORE_BITS].map(|value| module.i32_constant(value));
    let [exponent_place, mantissa_mask, implicit] =
        [23, 0x7f_ffff, 0x80_0000].map(|value| module.i32_constant(value));
    // From the exponent 2⁻⁶ on down, each step down shifts the mantissa one place further.
    let [unshifted, longest] = [MORE_BITS + 127 - 6, LONGEST_SHIFT].map(|value| module.i32_constant(value));
    let bits = module.value(Op::Bitcast, bits_type, &[a])?;
    let magnitude = module.value(Op::BitwiseAnd, bits_type, &[bits, positive])?;
    let is_beyond = module.value(Op::UGreaterThan, boolean, &[magnitude, largest])?;
    let finite = module.value(Op::Select, bits_type, &[is_beyond, largest, magnitude])?;

    let normal = shift_and_round(module, finite, more_bits, one)?;
    let normal = module.value(Op::ISub, bits_type, &[normal, rebias])?;

    let exponent = module.value(Op::ShiftRightLogical, bits_type, &[finite, exponent_place])?;
    let mantissa = module.value(Op::BitwiseAnd, bits_type, &[finite, mantissa_mask])?;
    let mantissa = module.value(Op::BitwiseOr, bits_type, &[mantissa, implicit])?;
    let is_subnormal = module.value(Op::ULessThan, boolean, &[finite, smallest])?;
    let distance = module.value(Op::ISub, bits_type, &[unshifted, exponent])?;
    // What is not subnormal has another result, but shall not be shifted by more than the word is wide, either.
    let is_long = module.value(Op::UGreaterThan, boolean, &[distance, longest])?;
    let distance = module.value(Op::Select, bits_type, &[is_long, longest, distance])?;
    let subnormal = shift_and_round(module, mantissa, distance, one)?;

    let number = module.value(Op::Select, bits_type, &[is_subnormal, subnormal, normal])?;
    let is_nan = module.value(Op::UGreaterThan, boolean, &[magnitude, infinity])?;
    let number = module.value(Op::Select, bits_type, &[is_nan, nan, number])?;
    let sign = module.value(Op::ShiftRightLogical, bits_type, &[bits, sign_distance])?;
    let sign = module.value(Op::BitwiseAnd, bits_type, &[sign, sign_bit])?;
    let signed = module.value(Op::BitwiseOr, bits_type, &[number, sign])?;
    module.value(Op::UConvert, narrow, &[signed])
}

/// A word without its last bits, of which there is one at least, rounded to nearest, ties to even.
fn shift_and_round(module: &mut ModuleBuilder<'_>, word: Word, distance: Word, one: Word) -> Emitted<Word> {
    // Half a unit in the last place, less one unless the kept part is odd, carries into the kept part where rounding up
    // is due.
    let ty = module.i32_type();
    let kept = module.value(Op::ShiftRightLogical, ty, &[word, distance])?;
    let odd = module.value(Op::BitwiseAnd, ty, &[kept, one])?;
    let before = module.value(Op::ISub, ty, &[distance, one])?;
    let half = module.value(Op::ShiftLeftLogical, ty, &[one, before])?;
    let almost_half = module.value(Op::ISub, ty, &[half, one])?;
    let rounding = module.value(Op::IAdd, ty, &[odd, almost_half])?;
    let sum = module.value(Op::IAdd, ty, &[word, rounding])?;
    module.value(Op::ShiftRightLogical, ty, &[sum, distance])
}
