//! bf16, which is kept as its bits and computed with as f32 (lowering reference 3.4).

use crate::device::SpirvFeature;
use crate::ir::Scalar;
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::spirv::{Op, Word};

/// The f32 of a bf16: its bits are the upper half.
pub(super) fn widen(module: &mut ModuleBuilder<'_>, a: Word) -> Emitted<Word> {
    let (bits, float) = (module.i32_type(), module.scalar_type(Scalar::F32)?);
    let half_width = module.i32_constant(16);
    let low = module.value(Op::UConvert, bits, &[a])?;
    let high = module.value(Op::ShiftLeftLogical, bits, &[low, half_width])?;
    module.value(Op::Bitcast, float, &[high])
}

/// The bf16 nearest to an f32, ties to even.
pub(super) fn round(module: &mut ModuleBuilder<'_>, a: Word) -> Emitted<Word> {
    let narrow = module.scalar_type(Scalar::Bf16)?;
    if module.info.have(SpirvFeature::Bfloat16Conversion) {
        return module.value(Op::ConvertFToBF16INTEL, narrow, &[a]);
    }
    // Half a unit in the last place, less one unless the kept part is odd, carries into the kept part
    // where rounding up is due.
    let (bits_type, boolean) = (module.i32_type(), module.bool_type());
    let [half_width, one, almost_half, quiet] = [16, 1, 0x7fff, 0x40].map(|value| module.i32_constant(value));
    let bits = module.value(Op::Bitcast, bits_type, &[a])?;
    let kept = module.value(Op::ShiftRightLogical, bits_type, &[bits, half_width])?;
    let odd = module.value(Op::BitwiseAnd, bits_type, &[kept, one])?;
    let rounding = module.value(Op::IAdd, bits_type, &[odd, almost_half])?;
    let sum = module.value(Op::IAdd, bits_type, &[bits, rounding])?;
    let rounded = module.value(Op::ShiftRightLogical, bits_type, &[sum, half_width])?;
    // The carry must not turn NaN into infinity.
    let nan = module.value(Op::BitwiseOr, bits_type, &[kept, quiet])?;
    let is_nan = module.value(Op::FUnordNotEqual, boolean, &[a, a])?;
    let result = module.value(Op::Select, bits_type, &[is_nan, nan, rounded])?;
    module.value(Op::UConvert, narrow, &[result])
}
