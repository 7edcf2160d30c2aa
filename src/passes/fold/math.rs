//! Elementary functions of constants: in double precision, the same on every machine, and rounded once.

use super::complex::part;
use crate::ir::{Constant, MathOp, Scalar};
use std::f64::consts::LN_2;

/// The value of a function of a constant of the type `scalar`. The native forms may be as accurate as the
/// others.
pub(super) fn math(op: MathOp, a: Constant, scalar: Scalar) -> Option<Constant> {
    let round = |value| part(value, scalar);
    match a {
        Constant::Float(a) => Some(Constant::Float(round(real(op, scalar.round(a))))),
        Constant::Complex(re, im) => {
            let (re, im) = (scalar.round(re), scalar.round(im));
            let angle = match op {
                MathOp::Exp | MathOp::NativeExp => im,
                MathOp::Exp2 | MathOp::NativeExp2 => im * LN_2,
                _ => return None,
            };
            let size = real(op, re);
            Some(Constant::Complex(round(size * libm::cos(angle)), round(size * libm::sin(angle))))
        }
        Constant::Bool(_) | Constant::Int(_) => None,
    }
}

fn real(op: MathOp, a: f64) -> f64 {
    match op {
        MathOp::Cos | MathOp::NativeCos => libm::cos(a),
        MathOp::Sin | MathOp::NativeSin => libm::sin(a),
        MathOp::Exp | MathOp::NativeExp => libm::exp(a),
        MathOp::Exp2 | MathOp::NativeExp2 => libm::exp2(a),
        MathOp::Log | MathOp::NativeLog => libm::log(a),
        MathOp::Log2 | MathOp::NativeLog2 => libm::log2(a),
        MathOp::Sqrt => libm::sqrt(a),
        MathOp::Rsqrt => 1.0 / libm::sqrt(a),
        MathOp::Tanh => libm::tanh(a),
        MathOp::Erf => libm::erf(a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_rounded_to_their_type() {
        let fold = |op, a, scalar| math(op, Constant::Float(a), scalar);
        let e = fold(MathOp::Exp, 1.0, Scalar::F64);
        assert!(
            matches!(e, Some(Constant::Float(e)) if (e - std::f64::consts::E).abs() <= 2.0 * f64::EPSILON)
        );
        assert_eq!(
            fold(MathOp::Exp, 1.0, Scalar::F32),
            Some(Constant::Float(f64::from(std::f32::consts::E)))
        );
        // The operand is rounded first: 0.1 is no number of any of the types.
        let tenth = Scalar::F16.round(0.1);
        assert_eq!(
            fold(MathOp::Log2, 0.1, Scalar::F16),
            Some(Constant::Float(Scalar::F16.round(tenth.log2())))
        );
        assert_eq!(fold(MathOp::Log, 0.0, Scalar::Bf16), Some(Constant::Float(f64::NEG_INFINITY)));
        assert_eq!(fold(MathOp::Log, -1.0, Scalar::F32), Some(Constant::Float(f64::NAN)));
        assert_eq!(fold(MathOp::Exp, 100.0, Scalar::F32), Some(Constant::Float(f64::INFINITY)));
        assert_eq!(fold(MathOp::Exp2, -3.0, Scalar::Bf16), Some(Constant::Float(0.125)));
    }

    #[test]
    fn complex_powers() {
        let fold = |op, re, im| math(op, Constant::Complex(re, im), Scalar::C32);
        let half_turn = fold(MathOp::Exp, 0.0, std::f64::consts::PI);
        assert!(matches!(half_turn, Some(Constant::Complex(-1.0, im)) if im.abs() < 1e-7), "{half_turn:?}");
        assert_eq!(fold(MathOp::Exp2, 3.0, 0.0), Some(Constant::Complex(8.0, 0.0)));
        assert_eq!(fold(MathOp::Log, 1.0, 0.0), None);
    }
}
