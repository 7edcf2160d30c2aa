//! Floats that are the upper half of a wider one's bits, and kept as them (lowering reference 3.4).

use crate::device::SpirvFeature;
use crate::ir::Scalar;
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::spirv::{Op, Word};

/// A float and the wider one of which it is the upper half.
pub(super) struct UpperHalf {
    narrow: Scalar,
    wide: Scalar,
    /// The integer with as many bits as the wider one.
    bits: Scalar,
    /// The highest bit of the mantissa, which is set in NaN.
    quiet: i64,
}

impl UpperHalf {
    pub const BF16: UpperHalf =
        UpperHalf { narrow: Scalar::Bf16, wide: Scalar::F32, bits: Scalar::I32, quiet: 0x40 };
    pub const F8E5M2: UpperHalf =
        UpperHalf { narrow: Scalar::F8e5m2, wide: Scalar::F16, bits: Scalar::I16, quiet: 0x2 };

    /// Bits that the wider one has more.
    const fn distance(&self) -> i64 {
        4 * self.wide.bytes()
    }

    /// The wider float.
    pub fn widen(&self, module: &mut ModuleBuilder<'_>, a: Word) -> Emitted<Word> {
        let (bits, float) = (module.scalar_type(self.bits)?, module.scalar_type(self.wide)?);
        let half_width = module.int_constant(self.bits, self.distance())?;
        let low = module.value(Op::UConvert, bits, &[a])?;
        let high = module.value(Op::ShiftLeftLogical, bits, &[low, half_width])?;
        module.value(Op::Bitcast, float, &[high])
    }

    /// The number nearest to a wider one, ties to even.
    pub fn round(&self, module: &mut ModuleBuilder<'_>, a: Word) -> Emitted<Word> {
        let narrow = module.scalar_type(self.narrow)?;
        if self.narrow == Scalar::Bf16 && module.info.have(SpirvFeature::Bfloat16Conversion) {
            return module.value(Op::ConvertFToBF16INTEL, narrow, &[a]);
        }
        // Half a unit in the last place, less one unless the kept part is odd, carries into the kept part
        // where rounding up is due.
        let (bits_type, boolean) = (module.scalar_type(self.bits)?, module.bool_type());
        let half_width = module.int_constant(self.bits, self.distance())?;
        let one = module.int_constant(self.bits, 1)?;
        let almost_half = module.int_constant(self.bits, (1 << (self.distance() - 1)) - 1)?;
        let quiet = module.int_constant(self.bits, self.quiet)?;
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
}
