//! Arithmetic on complex constants, with the rounding of the compiled program.

use crate::ir::{BinaryOp, Scalar};

/// Real and imaginary part.
pub(super) type Complex = (f64, f64);

/// The result of an operation on numbers of the type `scalar`; `None` if there is no such operation.
pub(super) fn binary(
    op: BinaryOp,
    a: Complex,
    b: Complex,
    scalar: Scalar,
    unsafe_fp_math: bool,
) -> Option<Complex> {
    let (re, im) = match op {
        BinaryOp::Add => (a.0 + b.0, a.1 + b.1),
        BinaryOp::Sub => (a.0 - b.0, a.1 - b.1),
        BinaryOp::Mul => product(a, b, scalar.component()),
        BinaryOp::Div if unsafe_fp_math => short_quotient(a, b, scalar.component()),
        BinaryOp::Div => quotient(a, b),
        _ => return None,
    };
    Some((part(re, scalar), part(im, scalar)))
}

/// The magnitude, which overflows only if it is too large itself.
pub(super) fn magnitude((re, im): Complex) -> f64 {
    libm::hypot(re, im)
}

/// A part of a result, rounded. Which sign a NaN has depends on the machine, so that it gets none.
pub(super) fn part(value: f64, scalar: Scalar) -> f64 {
    if value.is_nan() { f64::NAN } else { scalar.round(value) }
}

/// Multiply-adds in the precision of the parts, the first of them to zero, as `spirv::numbers::complex` has them.
fn product(a: Complex, b: Complex, part: Scalar) -> Complex {
    let fma = |x: f64, y: f64, z: f64| part.round(x.mul_add(y, z));
    (fma(-a.1, b.1, fma(a.0, b.0, 0.0)), fma(a.1, b.0, fma(a.0, b.1, 0.0)))
}

/// a·conj(b) / |b|² in the precision of the parts, step by step as the compiled program would.
fn short_quotient(a: Complex, b: Complex, part: Scalar) -> Complex {
    let fma = |x: f64, y: f64, z: f64| part.round(x.mul_add(y, z));
    let (re, im) = (fma(a.1, b.1, part.round(a.0 * b.0)), fma(a.1, b.0, part.round(a.0 * -b.1)));
    let square = fma(b.0, b.0, part.round(b.1 * b.1));
    (re / square, im / square)
}

/// Bits of the fraction of a double.
const FRACTION: u32 = 52;
/// The exponent of infinity, and that of 1.
const INFINITE: u64 = 0x7ff;
const ONE: u64 = 0x3ff;

/// The quotient as C's Annex G wants it; the translation to SPIR-V has the same, step by step, for numbers
/// that are known at run time only.
fn quotient(a: Complex, b: Complex) -> Complex {
    const DIGITS: u64 = 2 * FRACTION as u64 + 4;
    let (scale, unscale) = match exponent(a) {
        small if small < DIGITS => (power_of_two(ONE + DIGITS), power_of_two(ONE - DIGITS)),
        large if large > INFINITE - 4 => (power_of_two(ONE - 4), power_of_two(ONE + 4)),
        _ => (1.0, 1.0),
    };
    let is_zero = b == (0.0, 0.0);
    let inverse = power_of_two(2 * ONE - exponent(b).clamp(1, INFINITE - 2));
    let (a_infinite, b_infinite) = (is_infinite(a), is_infinite(b));
    let (a, b) = (scaled(a, scale, false), scaled(b, inverse, is_zero));
    let inverse = if a_infinite || is_zero { f64::INFINITY } else { inverse };
    let unscale = if b_infinite { 0.0 } else { unscale };
    let square = b.0.mul_add(b.0, b.1 * b.1);
    let re = sum_of_products([a.0, b.0], [a.1, b.1]);
    let im = sum_of_products([a.1, b.0], [-a.0, b.1]);
    (re / square * inverse * unscale, im / square * inverse * unscale)
}

/// a·b + c·d, where what rounding takes from the second product is added again, so that equal products cancel.
fn sum_of_products([a, b]: [f64; 2], [c, d]: [f64; 2]) -> f64 {
    let product = c * d;
    a.mul_add(b, product) + c.mul_add(d, -product)
}

/// A number times a power of two, or ±1 and ±0 in place of its parts if it is infinite or `as_unit`.
fn scaled(a: Complex, scale: f64, as_unit: bool) -> Complex {
    let unit = |part: f64, is_one: bool| f64::from(u8::from(is_one)).copysign(part);
    if as_unit || is_infinite(a) {
        (unit(a.0, as_unit || a.0.is_infinite()), unit(a.1, a.1.is_infinite()))
    } else {
        (a.0 * scale, a.1 * scale)
    }
}

fn is_infinite((re, im): Complex) -> bool {
    re.is_infinite() || im.is_infinite()
}

/// The larger exponent of the parts.
fn exponent((re, im): Complex) -> u64 {
    let exponent = |part: f64| part.to_bits() >> FRACTION & INFINITE;
    exponent(re).max(exponent(im))
}

/// The double with such an exponent.
fn power_of_two(exponent: u64) -> f64 {
    f64::from_bits(exponent << FRACTION)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(a: Complex, b: Complex) -> Complex {
        quotient(a, b)
    }

    #[test]
    fn quotients_of_extreme_numbers() {
        for power in [-1074, -1060, -1022, -600, -1, 0, 5, 600, 1022, 1023] {
            let x = if power < -1022 { f64::from_bits(1 << (power + 1074)) } else { 2f64.powi(power) };
            assert_eq!(over((x, x), (x, x)), (1.0, 0.0), "2^{power}");
            assert_eq!(over((x, 0.0), (0.0, x)), (0.0, -1.0), "2^{power}");
        }
        assert_eq!(over((1e200, 1e200), (1e200, 1e200)), (1.0, 0.0));
        assert_eq!(over((f64::MAX, f64::MAX), (f64::MAX, -f64::MAX)), (0.0, 1.0));
        let tiny = f64::from_bits(3);
        assert_eq!(over((tiny, 0.0), (tiny / 3.0, 0.0)), (3.0, 0.0));
        assert_eq!(over((2f64.powi(600), 2f64.powi(-500)), (2f64.powi(-10), 0.0)).1, 2f64.powi(-490));
        assert_eq!(over((f64::MAX, 0.0), (0.5, 0.0)).0, f64::INFINITY);
    }

    #[test]
    fn quotients_with_infinities() {
        let inf = f64::INFINITY;
        let is_infinite = |(re, im): Complex| re.is_infinite() || im.is_infinite();
        assert_eq!(over((1.0, -2.0), (inf, 3.0)), (0.0, 0.0));
        assert_eq!(over((1.0, -2.0), (f64::NAN, -inf)), (0.0, 0.0));
        assert!(is_infinite(over((inf, f64::NAN), (2.0, 1.0))));
        assert!(is_infinite(over((1.0, inf), (0.0, 3.0))));
        assert_eq!(over((1.0, 2.0), (0.0, 0.0)), (inf, inf));
        assert_eq!(over((-1.0, 2.0), (-0.0, 0.0)), (inf, -inf));
        assert!(is_infinite(over((inf, 1.0), (0.0, 0.0))));
        for (a, b) in [((0.0, 0.0), (0.0, 0.0)), ((inf, inf), (inf, 0.0)), ((f64::NAN, 0.0), (1.0, 1.0))] {
            let quotient = over(a, b);
            assert!(quotient.0.is_nan() && quotient.1.is_nan(), "{a:?} / {b:?} = {quotient:?}");
        }
    }

    #[test]
    fn products_round_like_the_multiply_adds_of_the_program() {
        let product = |a, b, scalar| binary(BinaryOp::Mul, a, b, scalar, false).unwrap_or_default();
        let single = |re: f32, im: f32| (f64::from(re), f64::from(im));
        let (a, b) = (single(-72.983_505, 1.4375), single(1.027_342_8, -35.480_41));
        assert_eq!(product(a, b, Scalar::C32), single(-23.975_988, 2_590.961_7));
        let (re, im) = product((0.1, 3.0), (-0.0, -0.0), Scalar::C64);
        assert!(re == 0.0 && im == 0.0 && re.is_sign_positive() && im.is_sign_positive());
    }

    #[test]
    fn the_short_form_may_overflow() {
        let large = (1e200, 1e200);
        let quotient = binary(BinaryOp::Div, large, large, Scalar::C64, true);
        assert!(quotient.is_some_and(|(re, _)| re.is_nan()));
        assert_eq!(binary(BinaryOp::Div, large, large, Scalar::C64, false), Some((1.0, 0.0)));
        let single = binary(BinaryOp::Div, (1e30, 1e30), (1e30, 1e30), Scalar::C32, true);
        assert!(single.is_some_and(|(re, _)| re.is_nan()));
    }
}
