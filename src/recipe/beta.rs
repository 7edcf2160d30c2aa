//! The two kernels of a recipe, which differ in β.

use super::{Error, Recipe};
use crate::ir::{Builder, Constant, Func, Ir, Program, Scalar, Value, VerifierError};

/// Factor that C is multiplied with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beta {
    /// The kernel's argument.
    Argument,
    /// Nothing: the argument is ignored.
    Zero,
}

impl Beta {
    /// The program of both kernels. Nothing is left behind if one of them fails.
    pub(super) fn program(
        ir: &mut Ir,
        kernel: impl Fn(&mut Ir, &str, Beta) -> Result<Func, Error>,
    ) -> Result<Program, Error> {
        let mut program = Program::default();
        for (name, beta) in [(Recipe::KERNEL, Beta::Argument), (Recipe::KERNEL_BETA0, Beta::Zero)] {
            match kernel(ir, name, beta) {
                Ok(func) => program.functions.push(func),
                Err(error) => {
                    ir.remove(&program);
                    return Err(error);
                }
            }
        }
        Ok(program)
    }

    /// The place in [`Recipe::KERNELS`] of the kernel for a β: not a number counts as any number.
    pub(super) fn kernel(number: Scalar, beta: &[u8]) -> usize {
        usize::from(is_zero(number, beta))
    }

    /// The operand of the product.
    pub(super) fn value(
        self,
        builder: &mut Builder<'_>,
        argument: Value,
        number: Scalar,
    ) -> Result<Value, VerifierError> {
        match self {
            Beta::Argument => Ok(argument),
            Beta::Zero => builder.constant(Constant::zero(number), number),
        }
    }
}

/// Returns whether the bytes are 0 or −0 in the number type; both parts of a complex number have to be.
fn is_zero(number: Scalar, bytes: &[u8]) -> bool {
    let width = usize::try_from(number.component().bytes()).unwrap_or(1);
    let last = if cfg!(target_endian = "little") { width.saturating_sub(1) } else { 0 };
    // All but the sign of a part that has one of its own.
    let mask = |byte: usize| if byte == last && !number.is_integer() { 0x7f } else { 0xff };
    let is_zero = |part: &[u8]| part.iter().enumerate().all(|(place, byte)| byte & mask(place) == 0);
    bytes.len().is_multiple_of(width) && bytes.chunks(width).all(is_zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    #[test]
    fn zero_of_either_sign_is_zero_and_nothing_else_is() {
        let float = |number: f32| is_zero(Scalar::F32, &number.to_ne_bytes());
        assert!(float(0.0) && float(-0.0));
        assert!(!float(f32::NAN) && !float(f32::MIN_POSITIVE / 2.0) && !float(-1.0));
        let double = |number: f64| is_zero(Scalar::F64, &number.to_ne_bytes());
        assert!(double(-0.0) && !double(f64::NAN));
        let half = |number: f32| is_zero(Scalar::F16, &f16::from_f32(number).to_ne_bytes());
        assert!(half(-0.0) && !half(f32::NAN) && !half(6e-8));
        let brain = |number: f32| is_zero(Scalar::Bf16, &bf16::from_f32(number).to_ne_bytes());
        assert!(brain(-0.0) && !brain(f32::NAN) && !brain(1e-40));
        for scalar in [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::Index] {
            let width = usize::try_from(scalar.bytes()).unwrap_or(0);
            let mut bytes = [0; 8];
            assert!(is_zero(scalar, bytes.split_at(width).0), "{scalar}");
            // Only the sign of a float does not count.
            bytes.fill(0x80);
            assert!(!is_zero(scalar, bytes.split_at(width).0), "{scalar}");
        }
    }

    #[test]
    fn both_parts_of_a_complex_number_count() {
        let complex = |re: f32, im: f32| {
            let bytes = [re.to_ne_bytes(), im.to_ne_bytes()];
            is_zero(Scalar::C32, bytes.as_flattened())
        };
        assert!(complex(0.0, 0.0) && complex(-0.0, 0.0));
        assert!(!complex(0.0, 1.0) && !complex(1.0, 0.0) && !complex(0.0, f32::NAN));
        let double = |re: f64, im: f64| {
            let bytes = [re.to_ne_bytes(), im.to_ne_bytes()];
            is_zero(Scalar::C64, bytes.as_flattened())
        };
        assert!(double(0.0, -0.0) && !double(0.0, 1.0));
    }
}
