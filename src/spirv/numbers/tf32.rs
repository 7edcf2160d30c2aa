//! tf32, an f32 of which engines see the upper 19 bits: which of the others they round or drop, the extension leaves
//! open (SPV_INTEL_subgroup_matrix_multiply_accumulate), so that factors are rounded before.

use crate::device::SpirvFeature;
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::spirv::{Op, Word};

/// The tf32 nearest to each f32 of a vector of so many, ties to even; of one it is no vector.
pub(in crate::spirv) fn round(
    module: &mut ModuleBuilder<'_>,
    a: Word,
    (ty, width): (Word, u32),
) -> Emitted<Word> {
    if module.info.have(SpirvFeature::Tf32Rounding) {
        return module.value(Op::RoundFToTF32INTEL, ty, &[a]);
    }
    let (bits_type, boolean) = (module.i32_type(), module.bool_type());
    let [bits_type, boolean] =
        [bits_type, boolean].map(|ty| if width > 1 { module.vector_type(ty, width) } else { ty });
    let mut splat = |value: u32| {
        let value = module.i32_constant(value);
        if width == 1 {
            return Ok(value);
        }
        let words = vec![value; usize::try_from(width).unwrap_or(1)];
        module.value(Op::CompositeConstruct, bits_type, &words)
    };
    let (dropped, one, almost_half) = (splat(13)?, splat(1)?, splat(0xfff)?);
    let (kept, quiet) = (splat(!0x1fff)?, splat(0x40_0000)?);
    // Half a unit in the last place, less one unless the kept part is odd, carries into the kept part where rounding up
    // is due.
    let bits = module.value(Op::Bitcast, bits_type, &[a])?;
    let last = module.value(Op::ShiftRightLogical, bits_type, &[bits, dropped])?;
    let odd = module.value(Op::BitwiseAnd, bits_type, &[last, one])?;
    let rounding = module.value(Op::IAdd, bits_type, &[odd, almost_half])?;
    let sum = module.value(Op::IAdd, bits_type, &[bits, rounding])?;
    let rounded = module.value(Op::BitwiseAnd, bits_type, &[sum, kept])?;
    // The carry must not turn NaN into infinity.
    let nan = module.value(Op::BitwiseOr, bits_type, &[bits, quiet])?;
    let is_nan = module.value(Op::FUnordNotEqual, boolean, &[a, a])?;
    let result = module.value(Op::Select, bits_type, &[is_nan, nan, rounded])?;
    module.value(Op::Bitcast, ty, &[result])
}
