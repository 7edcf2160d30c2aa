//! bf16, which is kept as its bits and computed with as f32 (lowering reference 3.4).

use super::emitter::{Emitted, Emitter};
use crate::ir::Scalar;
use crate::target::SpirvFeature;
use rspirv::spirv::{Capability, Op, Word};

/// The f32 of a bf16: its bits are the upper half.
pub(super) fn widen(emitter: &mut Emitter<'_>, a: Word) -> Emitted<Word> {
    let (bits, float) = (emitter.i32_type(), emitter.scalar_type(Scalar::F32)?);
    let half_width = emitter.i32_constant(16);
    let low = emitter.value(Op::UConvert, bits, &[a])?;
    let high = emitter.value(Op::ShiftLeftLogical, bits, &[low, half_width])?;
    emitter.value(Op::Bitcast, float, &[high])
}

/// The bf16 nearest to an f32, ties to even.
pub(super) fn round(emitter: &mut Emitter<'_>, a: Word) -> Emitted<Word> {
    let narrow = emitter.scalar_type(Scalar::Bf16)?;
    if emitter.info.have(SpirvFeature::Bfloat16Conversion) {
        emitter.capability(Capability::BFloat16ConversionINTEL);
        emitter.extension("SPV_INTEL_bfloat16_conversion");
        return emitter.value(Op::ConvertFToBF16INTEL, narrow, &[a]);
    }
    // Half a unit in the last place, less one unless the kept part is odd, carries into the kept part
    // where rounding up is due.
    let (bits_type, boolean) = (emitter.i32_type(), emitter.bool_type());
    let [half_width, one, almost_half, quiet] =
        [16, 1, 0x7fff, 0x40].map(|value| emitter.i32_constant(value));
    let bits = emitter.value(Op::Bitcast, bits_type, &[a])?;
    let kept = emitter.value(Op::ShiftRightLogical, bits_type, &[bits, half_width])?;
    let odd = emitter.value(Op::BitwiseAnd, bits_type, &[kept, one])?;
    let rounding = emitter.value(Op::IAdd, bits_type, &[odd, almost_half])?;
    let sum = emitter.value(Op::IAdd, bits_type, &[bits, rounding])?;
    let rounded = emitter.value(Op::ShiftRightLogical, bits_type, &[sum, half_width])?;
    // The carry must not turn NaN into infinity.
    let nan = emitter.value(Op::BitwiseOr, bits_type, &[kept, quiet])?;
    let is_nan = emitter.value(Op::FUnordNotEqual, boolean, &[a, a])?;
    let result = emitter.value(Op::Select, bits_type, &[is_nan, nan, rounded])?;
    emitter.value(Op::UConvert, narrow, &[result])
}
