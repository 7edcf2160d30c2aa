//! Arithmetic, comparison, elementary functions (API reference 4.6).

use super::super::call::Outcome;
use super::super::types::*;
use super::site::{Site, create};
use super::{Prototype, constructors};
use crate::ir::{Binary, BinaryOp, Cast, Compare, CompareOp, Math, MathOp, Unary, UnaryOp};

constructors! {
    BINARY;
    /// Conversion between number types, or of a cooperative matrix.
    tiletc_cast_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| { s.result(result)?; Cast { a: s.value(a)? } };
    /// a + b.
    tiletc_add_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::Add, a, b, result)?;
    /// a - b.
    tiletc_sub_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::Sub, a, b, result)?;
    /// a · b.
    tiletc_mul_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::Mul, a, b, result)?;
    /// a / b; integers truncate toward zero.
    tiletc_div_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::Div, a, b, result)?;
    /// Remainder of a / b with the sign of a.
    tiletc_rem_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::Rem, a, b, result)?;
    /// The larger of a and b; the other one if exactly one is NaN.
    tiletc_max_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::Max, a, b, result)?;
    /// The smaller of a and b; the other one if exactly one is NaN.
    tiletc_min_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::Min, a, b, result)?;
    /// a shifted left by b bits.
    tiletc_shl_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::Shl, a, b, result)?;
    /// a shifted right by b bits, filled with its sign.
    tiletc_shr_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::Shr, a, b, result)?;
    /// Bit-wise or logical and.
    tiletc_and_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::And, a, b, result)?;
    /// Bit-wise or logical or.
    tiletc_or_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::Or, a, b, result)?;
    /// Bit-wise or logical exclusive or.
    tiletc_xor_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| binary(s, BinaryOp::Xor, a, b, result)?;
}

constructors! {
    UNARY;
    /// -a.
    tiletc_neg_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| unary(s, UnaryOp::Neg, a, result)?;
    /// Bit-wise or logical complement.
    tiletc_not_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| unary(s, UnaryOp::Not, a, result)?;
    /// Magnitude; real if a is complex.
    tiletc_abs_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| unary(s, UnaryOp::Abs, a, result)?;
    /// Complex conjugate.
    tiletc_conj_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| unary(s, UnaryOp::Conj, a, result)?;
    /// Imaginary part.
    tiletc_im_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| unary(s, UnaryOp::Im, a, result)?;
    /// Real part.
    tiletc_re_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| unary(s, UnaryOp::Re, a, result)?;
}

constructors! {
    COMPARE;
    /// Tests whether a = b; the result is a boolean.
    tiletc_equal_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| compare(s, CompareOp::Equal, a, b, result)?;
    /// Tests whether a ≠ b; the result is a boolean.
    tiletc_not_equal_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| compare(s, CompareOp::NotEqual, a, b, result)?;
    /// Tests whether a > b; the result is a boolean.
    tiletc_greater_than_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| compare(s, CompareOp::GreaterThan, a, b, result)?;
    /// Tests whether a ≥ b; the result is a boolean.
    tiletc_greater_than_equal_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| compare(s, CompareOp::GreaterThanEqual, a, b, result)?;
    /// Tests whether a < b; the result is a boolean.
    tiletc_less_than_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| compare(s, CompareOp::LessThan, a, b, result)?;
    /// Tests whether a ≤ b; the result is a boolean.
    tiletc_less_than_equal_inst_create(a: tiletc_value_t, b: tiletc_value_t, result: tiletc_type_t)
        |s| compare(s, CompareOp::LessThanEqual, a, b, result)?;
}

constructors! {
    MATH;
    /// Cosine.
    tiletc_cos_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| math(s, MathOp::Cos, a, result)?;
    /// Sine.
    tiletc_sin_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| math(s, MathOp::Sin, a, result)?;
    /// e to the power of a.
    tiletc_exp_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| math(s, MathOp::Exp, a, result)?;
    /// 2 to the power of a.
    tiletc_exp2_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| math(s, MathOp::Exp2, a, result)?;
    /// Natural logarithm.
    tiletc_log_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| math(s, MathOp::Log, a, result)?;
    /// Logarithm to base 2.
    tiletc_log2_inst_create(a: tiletc_value_t, result: tiletc_type_t) |s| math(s, MathOp::Log2, a, result)?;
    /// Cosine, as accurate as the device makes it.
    tiletc_native_cos_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| math(s, MathOp::NativeCos, a, result)?;
    /// Sine, as accurate as the device makes it.
    tiletc_native_sin_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| math(s, MathOp::NativeSin, a, result)?;
    /// e to the power of a, as accurate as the device makes it.
    tiletc_native_exp_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| math(s, MathOp::NativeExp, a, result)?;
    /// 2 to the power of a, as accurate as the device makes it.
    tiletc_native_exp2_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| math(s, MathOp::NativeExp2, a, result)?;
    /// Natural logarithm, as accurate as the device makes it.
    tiletc_native_log_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| math(s, MathOp::NativeLog, a, result)?;
    /// Logarithm to base 2, as accurate as the device makes it.
    tiletc_native_log2_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| math(s, MathOp::NativeLog2, a, result)?;
}

fn binary(
    s: &mut Site,
    op: BinaryOp,
    a: tiletc_value_t,
    b: tiletc_value_t,
    result: tiletc_type_t,
) -> Outcome<Binary> {
    let binary = Binary { op, a: s.value(a)?, b: s.value(b)? };
    s.result(result)?;
    Ok(binary)
}

fn unary(s: &mut Site, op: UnaryOp, a: tiletc_value_t, result: tiletc_type_t) -> Outcome<Unary> {
    let unary = Unary { op, a: s.value(a)? };
    s.result(result)?;
    Ok(unary)
}

fn compare(
    s: &mut Site,
    op: CompareOp,
    a: tiletc_value_t,
    b: tiletc_value_t,
    result: tiletc_type_t,
) -> Outcome<Compare> {
    let compare = Compare { op, a: s.value(a)?, b: s.value(b)? };
    s.result(result)?;
    Ok(compare)
}

fn math(s: &mut Site, op: MathOp, a: tiletc_value_t, result: tiletc_type_t) -> Outcome<Math> {
    let math = Math { op, a: s.value(a)? };
    s.result(result)?;
    Ok(math)
}
