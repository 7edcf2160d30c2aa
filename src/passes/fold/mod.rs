//! Folding: what an instruction is equal to, if that is simpler (lowering reference 1.8).

mod complex;
mod math;

use crate::analysis::{constant_of, extent_of};
use crate::ir::{
    Binary, BinaryOp, Builder, Built, Compare, CompareOp, Constant, Ir, Math, Op, Scalar, Type, Unary,
    UnaryOp, Value,
};

/// Result of folding an instruction.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Folded {
    /// A value that is there already.
    Value(Value),
    /// A constant of the result's type.
    Constant(Constant),
    /// The negative of a value.
    Negative(Value),
}

impl Folded {
    /// The value, after its instruction if it needs one.
    pub fn emit(self, builder: &mut Builder<'_>, ty: Type) -> Built<Value> {
        match self {
            Folded::Value(value) => Ok(value),
            Folded::Constant(value) => builder.constant(value, ty),
            Folded::Negative(a) => builder.value(Unary { op: UnaryOp::Neg, a }, ty),
        }
    }
}

/// Folds an instruction with a result of type `ty`.
pub(super) fn fold(ir: &Ir, op: &Op, ty: &Type, unsafe_fp_math: bool) -> Option<Folded> {
    let constant = |value: Value| constant_of(ir, value);
    let folded = match op {
        Op::Binary(Binary { op, a, b }) => {
            let both = constant(*a).zip(constant(*b));
            both.and_then(|(a, b)| binary(*op, a, b, ty, unsafe_fp_math))
                .map(Folded::Constant)
                .or_else(|| identity(ir, *op, *a, *b, ty, unsafe_fp_math))
        }
        Op::Unary(Unary { op, a }) => constant(*a).and_then(|a| unary(*op, a, ty)).map(Folded::Constant),
        Op::Compare(Compare { op, a, b }) => constant(*a).zip(constant(*b)).and_then(|(x, y)| {
            compare(*op, x, y, ir.ty(*a).scalar()?).map(|holds| Folded::Constant(Constant::Bool(holds)))
        }),
        Op::Math(Math { op, a }) => {
            constant(*a).and_then(|a| math::math(*op, a, ty.scalar()?)).map(Folded::Constant)
        }
        Op::Select(op) => match constant(op.condition) {
            Some(Constant::Bool(holds)) => Some(Folded::Value(if holds { op.a } else { op.b })),
            _ => None,
        },
        // All work-items have the same constant.
        Op::SubgroupBroadcast(op) => constant(op.a).map(|_| Folded::Value(op.a)),
        Op::Cast(op) if ir.ty(op.a) == ty => Some(Folded::Value(op.a)),
        Op::Cast(op) => constant(op.a).and_then(|a| cast(a, ir.ty(op.a), ty)).map(Folded::Constant),
        Op::CoopmatrixScale(op) => {
            constant(op.scalar).and_then(|scalar| product_with(scalar, op.matrix, ty, unsafe_fp_math))
        }
        Op::Size(op) => extent_of(ir, op).map(|size| Folded::Constant(Constant::Int(size))),
        _ => None,
    };
    match folded {
        // Where a matrix is a constant, so is its negative.
        Some(Folded::Negative(a)) => {
            let negative = constant(a).and_then(|a| unary(UnaryOp::Neg, a, ty)).map(Folded::Constant);
            Some(negative.unwrap_or(Folded::Negative(a)))
        }
        folded => folded,
    }
    .filter(|folded| match folded {
        // Of a tile, it may be a row or a column that stands for all of them.
        Folded::Value(value) | Folded::Negative(value) => ir.ty(*value) == ty,
        Folded::Constant(_) => true,
    })
}

/// x·c for the constants that need no multiplication.
fn product_with(constant: Constant, x: Value, ty: &Type, unsafe_fp_math: bool) -> Option<Folded> {
    let integer = ty.component()?.is_integer();
    match constant {
        Constant::Int(0) => Some(Folded::Constant(constant)),
        Constant::Float(value) if value == 0.0 && unsafe_fp_math => {
            Some(Folded::Constant(Constant::Float(0.0)))
        }
        _ if constant.is(1) => Some(Folded::Value(x)),
        _ if constant.is(-1) && (integer || matches!(constant, Constant::Float(_))) => {
            Some(Folded::Negative(x))
        }
        _ => None,
    }
}

/// Folds with one constant operand. `x + 0.0 → x` is done in any mode although it changes −0.0; the
/// original does so too.
fn identity(ir: &Ir, op: BinaryOp, a: Value, b: Value, ty: &Type, unsafe_fp_math: bool) -> Option<Folded> {
    let integer = ty.component().is_some_and(Scalar::is_integer);
    let is_bool = *ty == Type::Bool;
    let (left, right) = (constant_of(ir, a), constant_of(ir, b));
    let zero = |constant: Option<Constant>| constant.is_some_and(|constant| constant.is(0));
    let is_false = |constant: Option<Constant>| constant == Some(Constant::Bool(false));
    let other = if left.is_some() { b } else { a };
    match op {
        BinaryOp::Add if zero(right) => Some(Folded::Value(a)),
        BinaryOp::Add if zero(left) => Some(Folded::Value(b)),
        BinaryOp::Sub if zero(right) => Some(Folded::Value(a)),
        BinaryOp::Mul => product_with(left.or(right)?, other, ty, unsafe_fp_math),
        BinaryOp::Div | BinaryOp::Cdiv if right.is_some_and(|constant| constant.is(1)) => {
            Some(Folded::Value(a))
        }
        BinaryOp::Rem if integer && right.is_some_and(|constant| constant.is(1)) => {
            Some(Folded::Constant(Constant::Int(0)))
        }
        BinaryOp::Shl | BinaryOp::Shr if zero(right) => Some(Folded::Value(a)),
        BinaryOp::Shl | BinaryOp::Shr if zero(left) => Some(Folded::Constant(Constant::Int(0))),
        BinaryOp::And if integer && (zero(left) || zero(right)) => Some(Folded::Constant(Constant::Int(0))),
        BinaryOp::Or | BinaryOp::Xor if integer && (zero(left) || zero(right)) => Some(Folded::Value(other)),
        BinaryOp::And if is_bool && (is_false(left) || is_false(right)) => {
            Some(Folded::Constant(Constant::Bool(false)))
        }
        BinaryOp::Or | BinaryOp::Xor if is_bool && (is_false(left) || is_false(right)) => {
            Some(Folded::Value(other))
        }
        _ => None,
    }
}

fn binary(op: BinaryOp, a: Constant, b: Constant, ty: &Type, unsafe_fp_math: bool) -> Option<Constant> {
    match (a, b) {
        (Constant::Bool(a), Constant::Bool(b)) => Some(Constant::Bool(match op {
            BinaryOp::And => a && b,
            BinaryOp::Or => a || b,
            BinaryOp::Xor => a != b,
            _ => return None,
        })),
        (Constant::Int(a), Constant::Int(b)) => {
            let scalar = ty.component()?;
            let (a, b) = (scalar.wrap(a), scalar.wrap(b));
            // The number of bits is a power of two; no more bits of the amount count.
            let shift = u32::try_from(b & (8 * scalar.bytes() - 1)).ok();
            let result = match op {
                BinaryOp::Add => a.wrapping_add(b),
                BinaryOp::Sub => a.wrapping_sub(b),
                BinaryOp::Mul => a.wrapping_mul(b),
                // Division by zero is left to be refused.
                BinaryOp::Div if b != 0 => a.wrapping_div(b),
                BinaryOp::Rem if b != 0 => a.wrapping_rem(b),
                BinaryOp::Cdiv if b != 0 => {
                    let is_cut = a.wrapping_rem(b) != 0 && (a < 0) == (b < 0);
                    a.wrapping_div(b).wrapping_add(i64::from(is_cut))
                }
                BinaryOp::Div | BinaryOp::Rem | BinaryOp::Cdiv => return None,
                BinaryOp::Shl => a.wrapping_shl(shift?),
                BinaryOp::Shr => a.wrapping_shr(shift?),
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                BinaryOp::Xor => a ^ b,
                BinaryOp::Min => a.min(b),
                BinaryOp::Max => a.max(b),
            };
            Some(Constant::Int(scalar.wrap(result)))
        }
        (Constant::Float(a), Constant::Float(b)) => {
            let scalar = ty.component()?;
            let (a, b) = (scalar.round(a), scalar.round(b));
            // The operands have at most half the digits of a double, or are doubles: rounding the double
            // result once more gives the correctly rounded one.
            let result = match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                BinaryOp::Rem => a % b,
                BinaryOp::Min => a.min(b),
                BinaryOp::Max => a.max(b),
                _ => return None,
            };
            Some(Constant::Float(scalar.round(result)))
        }
        (Constant::Complex(..), Constant::Complex(..)) => {
            let scalar = ty.component()?;
            let (a, b) = (rounded(a, scalar)?, rounded(b, scalar)?);
            let (re, im) = complex::binary(op, a, b, scalar, unsafe_fp_math)?;
            Some(Constant::Complex(re, im))
        }
        _ => None,
    }
}

/// Real and imaginary part of a complex constant, as numbers of its type.
fn rounded(constant: Constant, scalar: Scalar) -> Option<(f64, f64)> {
    match constant {
        Constant::Complex(re, im) => Some((scalar.round(re), scalar.round(im))),
        _ => None,
    }
}

fn unary(op: UnaryOp, a: Constant, ty: &Type) -> Option<Constant> {
    match a {
        Constant::Bool(a) => (op == UnaryOp::Not).then_some(Constant::Bool(!a)),
        Constant::Int(a) => {
            let scalar = ty.component()?;
            let a = scalar.wrap(a);
            let result = match op {
                UnaryOp::Abs => a.wrapping_abs(),
                UnaryOp::Neg => a.wrapping_neg(),
                UnaryOp::Not => !a,
                UnaryOp::Conj | UnaryOp::Im | UnaryOp::Re => return None,
            };
            Some(Constant::Int(scalar.wrap(result)))
        }
        Constant::Float(a) => match op {
            UnaryOp::Abs => Some(Constant::Float(a.abs())),
            UnaryOp::Neg => Some(Constant::Float(-a)),
            UnaryOp::Not | UnaryOp::Conj | UnaryOp::Im | UnaryOp::Re => None,
        },
        Constant::Complex(re, im) => match op {
            UnaryOp::Neg => Some(Constant::Complex(-re, -im)),
            UnaryOp::Conj => Some(Constant::Complex(re, -im)),
            UnaryOp::Re => Some(Constant::Float(re)),
            UnaryOp::Im => Some(Constant::Float(im)),
            UnaryOp::Abs => {
                let scalar = ty.component()?;
                let magnitude = complex::magnitude(rounded(a, scalar)?);
                Some(Constant::Float(complex::part(magnitude, scalar)))
            }
            UnaryOp::Not => None,
        },
    }
}

fn compare(op: CompareOp, a: Constant, b: Constant, scalar: Scalar) -> Option<bool> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let ordering = match (a, b) {
        (Constant::Int(a), Constant::Int(b)) => Some(scalar.wrap(a).cmp(&scalar.wrap(b))),
        (Constant::Float(a), Constant::Float(b)) => scalar.round(a).partial_cmp(&scalar.round(b)),
        (Constant::Complex(..), Constant::Complex(..)) => {
            let equal = rounded(a, scalar)? == rounded(b, scalar)?;
            return match op {
                CompareOp::Equal => Some(equal),
                CompareOp::NotEqual => Some(!equal),
                _ => None,
            };
        }
        _ => return None,
    };
    Some(match op {
        CompareOp::Equal => ordering == Some(Equal),
        CompareOp::NotEqual => ordering != Some(Equal),
        CompareOp::GreaterThan => ordering == Some(Greater),
        CompareOp::GreaterThanEqual => matches!(ordering, Some(Greater | Equal)),
        CompareOp::LessThan => ordering == Some(Less),
        CompareOp::LessThanEqual => matches!(ordering, Some(Less | Equal)),
    })
}

fn cast(a: Constant, from: &Type, to: &Type) -> Option<Constant> {
    let (from, to) = (from.component()?, to.component()?);
    // Integers become the nearest double, floats lose their fraction: that is what the cast means.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
    match a {
        Constant::Int(a) if to.is_integer() => Some(Constant::Int(to.wrap(from.wrap(a)))),
        Constant::Int(a) => {
            let (a, part) = (from.wrap(a), to.component());
            // Straight to f32, since rounding twice may be off by one unit.
            let a = if part == Scalar::F64 { a as f64 } else { part.round(f64::from(a as f32)) };
            Some(if to.is_complex() { Constant::Complex(a, 0.0) } else { Constant::Float(a) })
        }
        // By way of the type that run time casts by, too.
        Constant::Float(a) if to.is_float() => {
            Some(Constant::Float(to.round(to.computed_in().round(from.round(a)))))
        }
        Constant::Float(a) if to.is_complex() => {
            Some(Constant::Complex(to.component().round(from.round(a)), 0.0))
        }
        Constant::Complex(..) if to.is_complex() => {
            let (re, im) = rounded(a, from)?;
            Some(Constant::Complex(to.round(re), to.round(im)))
        }
        // Out of range it is undefined, so it is left to run time.
        Constant::Float(a) if to.is_integer() => {
            let whole = from.round(a).trunc();
            let limit = 2f64.powi(i32::try_from(8 * to.bytes() - 1).ok()?);
            (whole >= -limit && whole < limit).then_some(Constant::Int(whole as i64))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_at_their_width() {
        let i8_type = Type::Scalar(Scalar::I8);
        let fold = |op, a, b| binary(op, Constant::Int(a), Constant::Int(b), &i8_type, false);
        assert_eq!(fold(BinaryOp::Add, 127, 1), Some(Constant::Int(-128)));
        assert_eq!(fold(BinaryOp::Mul, 300, 1), Some(Constant::Int(44)));
        assert_eq!(fold(BinaryOp::Div, -128, -1), Some(Constant::Int(-128)));
        assert_eq!(fold(BinaryOp::Shl, 1, 7), Some(Constant::Int(-128)));
        assert_eq!(fold(BinaryOp::Shl, 1, 9), Some(Constant::Int(2)));
        assert_eq!(fold(BinaryOp::Shr, -128, -1), Some(Constant::Int(-1)));
        assert_eq!(fold(BinaryOp::Rem, -7, 3), Some(Constant::Int(-1)));
    }

    #[test]
    fn floats_round_to_their_type() {
        let sum = |scalar: Scalar| {
            let (a, b) = (Constant::Float(1.0), Constant::Float(2f64.powi(-24)));
            binary(BinaryOp::Add, a, b, &scalar.into(), false)
        };
        assert_eq!(sum(Scalar::F32), Some(Constant::Float(1.0)));
        assert_eq!(sum(Scalar::F64), Some(Constant::Float(1.0 + 2f64.powi(-24))));
        let (nan, one) = (Constant::Float(f64::NAN), Constant::Float(1.0));
        let min = binary(BinaryOp::Min, nan, one, &Scalar::F32.into(), false);
        assert_eq!(min, Some(Constant::Float(1.0)));
    }

    #[test]
    fn nan_is_unequal_to_itself() {
        let nan = Constant::Float(f64::NAN);
        assert_eq!(compare(CompareOp::Equal, nan, nan, Scalar::F64), Some(false));
        assert_eq!(compare(CompareOp::NotEqual, nan, nan, Scalar::F64), Some(true));
        assert_eq!(compare(CompareOp::LessThanEqual, nan, nan, Scalar::F64), Some(false));
    }

    #[test]
    fn casts_leave_what_is_undefined() {
        let cast = |value, to: Scalar| cast(Constant::Float(value), &Scalar::F64.into(), &to.into());
        assert_eq!(cast(-1.9, Scalar::I32), Some(Constant::Int(-1)));
        assert_eq!(cast(128.0, Scalar::I8), None);
        assert_eq!(cast(f64::NAN, Scalar::I64), None);
        assert_eq!(cast(0.1, Scalar::F32), Some(Constant::Float(f64::from(0.1f32))));
    }

    #[test]
    fn casts_to_bf16_and_f8_round_to_f32_first() {
        let cast = |value, to: Scalar| cast(Constant::Float(value), &Scalar::F64.into(), &to.into());
        // The ties of f32, of which one more bit of f64 makes none.
        let above = |tie: f64| tie + 2f64.powi(-40);
        assert_eq!(cast(above(1.0 + 2f64.powi(-8)), Scalar::Bf16), Some(Constant::Float(1.0)));
        assert_eq!(cast(above(1.0 + 2f64.powi(-4)), Scalar::F8e4m3), Some(Constant::Float(1.0)));
        assert_eq!(cast(above(1.0 + 2f64.powi(-3)), Scalar::F8e5m2), Some(Constant::Float(1.0)));
        assert_eq!(
            cast(above(1.0 + 2f64.powi(-11)), Scalar::F16),
            Some(Constant::Float(1.0 + 2f64.powi(-10)))
        );
    }
}
