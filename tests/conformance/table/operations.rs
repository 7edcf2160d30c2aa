//! Arithmetic, comparison and elementary functions: what they mean and how precise they are.

use tiletc::ir::Scalar;

use super::launch::Expected;
use super::number::{Number, decode, encode, sample, smallest, unit};
use crate::numbers::Random;

/// An instruction on one or two numbers.
pub struct Operation {
    pub instruction: &'static str,
    pub operands: usize,
    /// The type of the result; `None` where the language has no such operation.
    pub result: fn(Scalar) -> Option<Scalar>,
    /// The exact result, and what rounding may change, in units of the unit roundoff of the type that is computed
    /// in.
    pub value: fn(Scalar, Number, Number) -> (Number, f64),
}

fn every(ty: Scalar) -> Option<Scalar> {
    Some(ty)
}

fn real(ty: Scalar) -> Option<Scalar> {
    (!ty.is_complex()).then_some(ty)
}

fn integer(ty: Scalar) -> Option<Scalar> {
    ty.is_integer().then_some(ty)
}

fn floating(ty: Scalar) -> Option<Scalar> {
    ty.is_float().then_some(ty)
}

fn inexact(ty: Scalar) -> Option<Scalar> {
    (!ty.is_integer()).then_some(ty)
}

fn complex(ty: Scalar) -> Option<Scalar> {
    ty.is_complex().then_some(ty)
}

fn part(ty: Scalar) -> Option<Scalar> {
    Some(ty.component())
}

fn part_of_complex(ty: Scalar) -> Option<Scalar> {
    ty.is_complex().then_some(ty.component())
}

/// Comparisons give 1 or 0.
fn truth(_ty: Scalar) -> Option<Scalar> {
    Some(Scalar::I32)
}

fn truth_of_real(ty: Scalar) -> Option<Scalar> {
    (!ty.is_complex()).then_some(Scalar::I32)
}

/// An exact result.
fn exact(number: Number) -> (Number, f64) {
    (number, 0.0)
}

/// A result that is rounded so many times.
fn rounded(number: Number, times: f64) -> (Number, f64) {
    (number, times * number.size())
}

fn bits(a: Number, b: Number, with: fn(i64, i64) -> i64) -> (Number, f64) {
    exact(Number::Int(with(a.to_i64(), b.to_i64())))
}

/// The remainder of what C's `fmod` and integer division define, which is always exact.
fn remainder(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => Number::Int(a.wrapping_rem(b)),
        _ => Number::real(a.to_f64()[0] % b.to_f64()[0]),
    }
}

/// The quotient, rounded up.
fn quotient_up(a: i64, b: i64) -> i64 {
    let (quotient, rest) = (a.wrapping_div(b), a.wrapping_rem(b));
    quotient + i64::from(rest != 0 && (rest < 0) == (b < 0))
}

/// Error bound of a division, which comes from its factors: 2.5 ulp in single precision, which are 5·u, 1 ulp in half
/// precision, correct rounding in double precision. A complex quotient a·conj(b)/|b|² has two more roundings in
/// a·conj(b) and two in |b|², relative to |a|·|b|/|b|².
fn quotient(ty: Scalar, a: Number, b: Number) -> (Number, f64) {
    if let (Number::Int(a), Number::Int(b)) = (a, b) {
        return exact(Number::Int(a.wrapping_div(b)));
    }
    let ulps = match ty.component() {
        Scalar::F64 => 1.0,
        Scalar::F16 => 2.0,
        _ => 5.0,
    };
    let ([x, y], [re, im]) = (a.to_f64(), b.to_f64());
    if !ty.is_complex() {
        // The host's own rounding counts in double precision.
        let host = if ty == Scalar::F64 { 1.0 } else { 0.0 };
        return rounded(Number::real(x / re), ulps + host);
    }
    let square = re * re + im * im;
    let quotient = Number::complex([(x * re + y * im) / square, (y * re - x * im) / square]);
    let host = if ty == Scalar::C64 { 4.0 } else { 0.0 };
    (quotient, (ulps + 4.5 + host) * a.size() * b.size() / square)
}

fn choose(a: Number, b: Number, larger: bool) -> (Number, f64) {
    let is_larger = match (a, b) {
        (Number::Int(a), Number::Int(b)) => a > b,
        _ => a.to_f64()[0] > b.to_f64()[0],
    };
    exact(if is_larger == larger { a } else { b })
}

fn ordered(a: Number, b: Number, holds: fn(std::cmp::Ordering) -> bool) -> (Number, f64) {
    let order = match (a, b) {
        (Number::Int(a), Number::Int(b)) => a.cmp(&b),
        _ => a.to_f64()[0].total_cmp(&b.to_f64()[0]),
    };
    exact(Number::Int(holds(order).into()))
}

fn equal(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a == b,
        _ => a.to_f64() == b.to_f64(),
    }
}

/// An elementary function of so many ulp in single and double precision; in half precision 2. One ulp is 2·u at
/// most. The host's functions err by 1 ulp themselves, which counts in double precision.
fn function(ty: Scalar, a: Number, of: fn(f64) -> f64, ulps: f64) -> (Number, f64) {
    let ulps = match ty {
        Scalar::F16 => 2.0,
        Scalar::F64 => ulps + 1.0,
        _ => ulps,
    };
    rounded(Number::real(of(a.to_f64()[0])), 2.0 * ulps)
}

/// e^a for a base e^scale: the real exponential of 3 ulp, sine and cosine of 4 ulp, their product; the angle
/// is rounded twice where it is multiplied with the scale, and is at most 8.
fn exponential(ty: Scalar, a: Number, scale: f64) -> (Number, f64) {
    let [re, im] = a.to_f64().map(|part| part * scale);
    if !ty.is_complex() {
        return function(ty, a, if scale == 1.0 { f64::exp } else { f64::exp2 }, 3.0);
    }
    let (size, host) = (re.exp(), if ty == Scalar::C64 { 8.0 } else { 0.0 });
    let angle = if scale == 1.0 { 0.0 } else { 2.0 * im.abs() };
    (Number::complex([size * im.cos(), size * im.sin()]), (6.0 + 8.0 + 1.0 + angle + host) * size)
}

/// Native functions are as precise as the device likes; this much tells them from one another.
fn native((value, _): (Number, f64)) -> (Number, f64) {
    (value, f64::INFINITY)
}

const fn op(
    instruction: &'static str,
    operands: usize,
    result: fn(Scalar) -> Option<Scalar>,
    value: fn(Scalar, Number, Number) -> (Number, f64),
) -> Operation {
    Operation { instruction, operands, result, value }
}

pub const ARITHMETIC: [Operation; 19] = [
    op("add", 2, every, |_, a, b| rounded(a.plus(b), 1.0)),
    op("sub", 2, every, |_, a, b| rounded(a.plus(b.negative()), 1.0)),
    // Each part of a complex product is rounded twice.
    op("mul", 2, every, |ty, a, b| {
        (a.times(b), if ty.is_complex() { 2.0 } else { 1.0 } * a.size() * b.size())
    }),
    op("div", 2, every, quotient),
    op("rem", 2, real, |_, a, b| exact(remainder(a, b))),
    op("cdiv", 2, integer, |_, a, b| bits(a, b, quotient_up)),
    op("max", 2, real, |_, a, b| choose(a, b, true)),
    op("min", 2, real, |_, a, b| choose(a, b, false)),
    op("shl", 2, integer, |_, a, b| bits(a, b, |a, b| a.wrapping_shl(b as u32))),
    op("shr", 2, integer, |_, a, b| bits(a, b, |a, b| a.wrapping_shr(b as u32))),
    op("and", 2, integer, |_, a, b| bits(a, b, |a, b| a & b)),
    op("or", 2, integer, |_, a, b| bits(a, b, |a, b| a | b)),
    op("xor", 2, integer, |_, a, b| bits(a, b, |a, b| a ^ b)),
    // The root of a sum of squares is good to 4 ulp.
    op("abs", 1, part, |ty, a, _| match a {
        Number::Int(a) => exact(Number::Int(a.wrapping_abs())),
        _ => {
            let [re, im] = a.to_f64();
            rounded(Number::real(re.hypot(im)), if ty.is_complex() { 9.0 } else { 0.0 })
        }
    }),
    op("neg", 1, every, |_, a, _| exact(a.negative())),
    op("not", 1, integer, |_, a, b| bits(a, b, |a, _| !a)),
    op("conj", 1, complex, |_, a, _| {
        let [re, im] = a.to_f64();
        exact(Number::complex([re, -im]))
    }),
    op("im", 1, part_of_complex, |_, a, _| exact(Number::real(a.to_f64()[1]))),
    op("re", 1, part_of_complex, |_, a, _| exact(Number::real(a.to_f64()[0]))),
];

pub const COMPARISONS: [Operation; 6] = [
    op("equal", 2, truth, |_, a, b| exact(Number::Int(equal(a, b).into()))),
    op("not_equal", 2, truth, |_, a, b| exact(Number::Int((!equal(a, b)).into()))),
    op("greater_than", 2, truth_of_real, |_, a, b| ordered(a, b, |order| order.is_gt())),
    op("greater_than_equal", 2, truth_of_real, |_, a, b| ordered(a, b, |order| order.is_ge())),
    op("less_than", 2, truth_of_real, |_, a, b| ordered(a, b, |order| order.is_lt())),
    op("less_than_equal", 2, truth_of_real, |_, a, b| ordered(a, b, |order| order.is_le())),
];

pub const FUNCTIONS: [Operation; 16] = [
    op("cos", 1, floating, |ty, a, _| function(ty, a, f64::cos, 4.0)),
    op("sin", 1, floating, |ty, a, _| function(ty, a, f64::sin, 4.0)),
    op("exp", 1, inexact, |ty, a, _| exponential(ty, a, 1.0)),
    op("exp2", 1, inexact, |ty, a, _| exponential(ty, a, std::f64::consts::LN_2)),
    op("log", 1, floating, |ty, a, _| function(ty, a, f64::ln, 3.0)),
    op("log2", 1, floating, |ty, a, _| function(ty, a, f64::log2, 3.0)),
    op("sqrt", 1, floating, |ty, a, _| function(ty, a, f64::sqrt, 3.0)),
    op("rsqrt", 1, floating, |ty, a, _| function(ty, a, |x| 1.0 / x.sqrt(), 2.0)),
    op("tanh", 1, floating, |ty, a, _| function(ty, a, f64::tanh, 5.0)),
    op("erf", 1, floating, |ty, a, _| function(ty, a, libm::erf, 16.0)),
    op("native_cos", 1, floating, |ty, a, _| native(function(ty, a, f64::cos, 4.0))),
    op("native_sin", 1, floating, |ty, a, _| native(function(ty, a, f64::sin, 4.0))),
    op("native_exp", 1, inexact, |ty, a, _| native(exponential(ty, a, 1.0))),
    op("native_exp2", 1, inexact, |ty, a, _| native(exponential(ty, a, std::f64::consts::LN_2))),
    op("native_log", 1, floating, |ty, a, _| native(function(ty, a, f64::ln, 3.0))),
    op("native_log2", 1, floating, |ty, a, _| native(function(ty, a, f64::log2, 3.0))),
];

/// Expected result of an operation.
pub fn expected(operation: &Operation, ty: Scalar, a: Number, b: Number) -> Expected {
    let (value, errors) = (operation.value)(ty, a, b);
    let result = (operation.result)(ty).unwrap_or(ty);
    if result.is_integer() || errors == 0.0 {
        return Expected::exactly(value);
    }
    if errors.is_infinite() {
        return Expected::Near(value, (1e-3f64.max(4.0 * unit(ty))) * (1.0 + value.size()));
    }
    // bf16 is computed with in single precision, then rounded.
    let (computed, narrowed) = match ty {
        Scalar::Bf16 => (errors * unit(Scalar::F32), unit(ty) * (value.size() + errors * unit(Scalar::F32))),
        _ => (errors * unit(ty), 0.0),
    };
    // What is too small to be normal may be flushed to zero.
    let [re, im] = value.to_f64().map(f64::abs);
    let small = [re, im].iter().any(|&part| part != 0.0 && part < smallest(ty));
    Expected::Near(value, computed + narrowed + if small { smallest(ty) } else { 0.0 })
}

/// The operands of an operation: what it is defined for.
pub fn operands(operation: &Operation, ty: Scalar, random: &mut Random) -> (Number, Number) {
    let (a, mut b) = (sample(ty, random), sample(ty, random));
    match operation.instruction {
        "shl" | "shr" => b = Number::Int(random.below(8 * ty.bytes() as usize) as i64),
        // Neither zero nor −1, which overflows with the smallest integer.
        "div" | "rem" | "cdiv" if ty.is_integer() && matches!(b.to_i64(), -1 | 0) => b = Number::Int(5),
        "div" | "rem" if b.size() == 0.0 => b = Number::small(ty, 1),
        // Equal numbers, too.
        "equal" | "not_equal" if random.below(2) == 0 => b = a,
        name if name.ends_with("_equal") && random.below(3) == 0 => b = a,
        _ => {}
    }
    if FUNCTIONS.iter().any(|function| function.instruction == operation.instruction) {
        // All functions are defined there, and the logarithms change sign.
        let mut positive = || 4.02 + 4.0 * random.unit();
        let number = Number::complex([positive(), if ty.is_complex() { positive() } else { 0.0 }]);
        return (decode(ty, &encode(ty, number)), b);
    }
    (a, b)
}
