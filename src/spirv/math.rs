//! Elementary functions (lowering reference 3.4).

use super::function::FunctionLowering;
use super::lower::lowerings;
use super::module_builder::{Emitted, ModuleBuilder};
use super::numbers::{binary, cast, complex};
use super::values::Lowered;
use crate::ir::{BinaryOp, Math, MathOp, Scalar};
use rspirv::spirv::{OpenclStd100Op, Word};

lowerings! {
    Math: |op, f, site| f.math(op);
}

impl FunctionLowering<'_, '_> {
    pub fn math(&mut self, op: &Math) -> Emitted<Lowered> {
        let scalar = self.component(self.ir.ty(op.a))?;
        let a = self.values.scalar(op.a)?;
        Ok(Lowered::Scalar(if scalar.is_complex() {
            complex_exponential(self.module, op.op, scalar, a)?
        } else {
            real(self.module, op.op, scalar, a)?
        }))
    }
}

fn real(module: &mut ModuleBuilder<'_>, op: MathOp, scalar: Scalar, a: Word) -> Emitted<Word> {
    let computed_in = scalar.computed_in();
    let a = cast(module, scalar, computed_in, a)?;
    let ty = module.scalar_type(computed_in)?;
    // OpenCL has native functions for single precision only.
    let native = computed_in == Scalar::F32;
    let function = match op {
        MathOp::NativeCos if native => OpenclStd100Op::native_cos,
        MathOp::NativeSin if native => OpenclStd100Op::native_sin,
        MathOp::NativeExp if native => OpenclStd100Op::native_exp,
        MathOp::NativeExp2 if native => OpenclStd100Op::native_exp2,
        MathOp::NativeLog if native => OpenclStd100Op::native_log,
        MathOp::NativeLog2 if native => OpenclStd100Op::native_log2,
        MathOp::Cos | MathOp::NativeCos => OpenclStd100Op::cos,
        MathOp::Sin | MathOp::NativeSin => OpenclStd100Op::sin,
        MathOp::Exp | MathOp::NativeExp => OpenclStd100Op::exp,
        MathOp::Exp2 | MathOp::NativeExp2 => OpenclStd100Op::exp2,
        MathOp::Log | MathOp::NativeLog => OpenclStd100Op::log,
        MathOp::Log2 | MathOp::NativeLog2 => OpenclStd100Op::log2,
        MathOp::Sqrt => OpenclStd100Op::sqrt,
        MathOp::Rsqrt => OpenclStd100Op::rsqrt,
        MathOp::Tanh => OpenclStd100Op::tanh,
        MathOp::Erf => OpenclStd100Op::erf,
    };
    let result = module.opencl(function, ty, &[a])?;
    cast(module, computed_in, scalar, result)
}

/// b^re · (cos(im·ln b), sin(im·ln b)) for the base b = e or 2.
fn complex_exponential(module: &mut ModuleBuilder<'_>, op: MathOp, scalar: Scalar, a: Word) -> Emitted<Word> {
    let part = scalar.component();
    let [re, mut angle] = complex::parts(module, scalar, a)?;
    if matches!(op, MathOp::Exp2 | MathOp::NativeExp2) {
        let ln_2 = module.float_constant(part, std::f64::consts::LN_2)?;
        angle = binary(module, BinaryOp::Mul, part, angle, ln_2)?;
    }
    let native = matches!(op, MathOp::NativeExp | MathOp::NativeExp2);
    let (cos, sin) = if native { (MathOp::NativeCos, MathOp::NativeSin) } else { (MathOp::Cos, MathOp::Sin) };
    let size = real(module, op, part, re)?;
    let mut parts = [real(module, cos, part, angle)?, real(module, sin, part, angle)?];
    for word in &mut parts {
        *word = binary(module, BinaryOp::Mul, part, size, *word)?;
    }
    complex::from_parts(module, scalar, parts)
}
