//! Real and imaginary parts of complex numbers.

use crate::ir::Scalar;
use crate::spirv::module_builder::{Emitted, ModuleBuilder};
use rspirv::spirv::{Op, OpenclStd100Op, Word};

/// Real and imaginary part.
pub(in crate::spirv) fn parts(module: &mut ModuleBuilder<'_>, scalar: Scalar, a: Word) -> Emitted<[Word; 2]> {
    let part = module.scalar_type(scalar.component())?;
    let re = module.builder.composite_extract(part, None, a, [0])?;
    let im = module.builder.composite_extract(part, None, a, [1])?;
    Ok([re, im])
}

/// The number of a real and an imaginary part.
pub(in crate::spirv) fn from_parts(
    module: &mut ModuleBuilder<'_>,
    scalar: Scalar,
    parts: [Word; 2],
) -> Emitted<Word> {
    let ty = module.scalar_type(scalar)?;
    module.value(Op::CompositeConstruct, ty, &parts)
}

/// a·b + c of single parts.
pub(super) fn fma(module: &mut ModuleBuilder<'_>, part: Scalar, a: Word, b: Word, c: Word) -> Emitted<Word> {
    let ty = module.scalar_type(part)?;
    module.opencl(OpenclStd100Op::fma, ty, &[a, b, c])
}
