//! Values of the language: integers and truth values as they are, floating numbers as balls.

use super::ball::{Ball, is};
use crate::narrow;
use half::{bf16, f16};
use std::fmt;
use tiletc::ir::{BinaryOp, CompareOp, Constant, MathOp, Scalar, UnaryOp};

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer or truth value that depends on how floating numbers are rounded.
    Unknown,
    Bool(bool),
    Int(i64),
    Real(Ball),
    Complex(Ball, Ball),
}

use Number::{Bool, Complex, Int, Real, Unknown};

impl Number {
    /// A value of a type of which nothing is known.
    pub fn unknown(scalar: Scalar) -> Number {
        match (scalar.is_complex(), scalar.is_integer()) {
            (true, _) => Complex(Ball::UNKNOWN, Ball::UNKNOWN),
            (_, true) => Unknown,
            _ => Real(Ball::UNKNOWN),
        }
    }

    pub fn zero(scalar: Scalar) -> Number {
        Number::literal(Constant::zero(scalar), Some(scalar))
    }

    /// A literal; of a truth value there is no number type.
    pub fn literal(constant: Constant, scalar: Option<Scalar>) -> Number {
        let ball = |number: f64| scalar.map_or(Ball::UNKNOWN, |scalar| Ball::exact(rounded(scalar, number)));
        match constant {
            Constant::Bool(truth) => Bool(truth),
            Constant::Int(number) => Int(number),
            Constant::Float(number) => Real(ball(number)),
            Constant::Complex(re, im) => Complex(ball(re), ball(im)),
        }
    }

    /// Numbers of a type as they lie in memory.
    pub fn decode(scalar: Scalar, bytes: &[u8]) -> Vec<Number> {
        fn each<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> Number) -> Vec<Number> {
            bytes.chunks_exact(N).filter_map(|chunk| chunk.try_into().ok()).map(number).collect()
        }
        let real = |number| Real(Ball::exact(number));
        match scalar {
            Scalar::I4 => bytes
                .iter()
                .flat_map(|byte| [byte << 4, *byte].map(|high| Int((high as i8 >> 4).into())))
                .collect(),
            Scalar::I8 => each(bytes, |bytes| Int(i8::from_ne_bytes(bytes).into())),
            Scalar::I16 => each(bytes, |bytes| Int(i16::from_ne_bytes(bytes).into())),
            Scalar::I32 => each(bytes, |bytes| Int(i32::from_ne_bytes(bytes).into())),
            Scalar::I64 | Scalar::Index => each(bytes, |bytes| Int(i64::from_ne_bytes(bytes))),
            Scalar::F8e4m3 => each(bytes, |[bits]: [u8; 1]| real(narrow::E4M3.value(bits))),
            Scalar::F8e5m2 => each(bytes, |[bits]: [u8; 1]| real(narrow::E5M2.value(bits))),
            Scalar::Bf16 => each(bytes, |bytes| real(bf16::from_ne_bytes(bytes).into())),
            Scalar::F16 => each(bytes, |bytes| real(f16::from_ne_bytes(bytes).into())),
            Scalar::F32 => each(bytes, |bytes| real(f32::from_ne_bytes(bytes).into())),
            Scalar::F64 => each(bytes, |bytes| real(f64::from_ne_bytes(bytes))),
            Scalar::C32 | Scalar::C64 => {
                let parts = Number::decode(scalar.component(), bytes);
                parts.chunks_exact(2).map(|pair| Complex(pair[0].re(), pair[1].re())).collect()
            }
        }
    }

    /// Returns whether what a device has made, which is exact, is what this says.
    pub fn holds(self, found: Number) -> bool {
        match (self, found) {
            (Unknown, _) => true,
            (Real(ball), Real(found)) => ball.holds(found.center),
            (Complex(re, im), Complex(x, y)) => re.holds(x.center) && im.holds(y.center),
            _ => self == found,
        }
    }

    /// Error of a result, as a part of what it may be.
    pub fn part_of_bound(self, found: Number) -> f64 {
        match (self, found) {
            (Real(ball), Real(found)) => ball.part_of_radius(found.center),
            (Complex(re, im), Complex(x, y)) => re.part_of_radius(x.center).max(im.part_of_radius(y.center)),
            _ => 0.0,
        }
    }

    /// Returns whether anything is said.
    pub fn is_known(self) -> bool {
        match self {
            Unknown => false,
            Real(ball) => ball.radius < f64::INFINITY,
            Complex(re, im) => re.radius < f64::INFINITY && im.radius < f64::INFINITY,
            _ => true,
        }
    }

    /// Returns whether there is just one number that this may be.
    pub fn is_exact(self) -> bool {
        match self {
            Real(ball) => ball.is_exact(),
            Complex(re, im) => re.is_exact() && im.is_exact(),
            _ => self.is_known(),
        }
    }

    /// Returns whether two results of devices are equal, NaN to NaN too.
    pub fn is(self, other: Number) -> bool {
        let same = |a: Ball, b: Ball| a.center == b.center || (a.center.is_nan() && b.center.is_nan());
        match (self, other) {
            (Real(a), Real(b)) => same(a, b),
            (Complex(a, b), Complex(c, d)) => same(a, c) && same(b, d),
            _ => self == other,
        }
    }

    /// The real part; of an integer, the number itself where it is exact.
    pub fn re(self) -> Ball {
        match self {
            Real(ball) | Complex(ball, _) => ball,
            Int(number) => Ball::from_integer(number, Scalar::F64),
            Bool(_) | Unknown => Ball::UNKNOWN,
        }
    }

    pub fn im(self) -> Ball {
        match self {
            Complex(_, im) => im,
            _ => Ball::ZERO,
        }
    }

    /// Converted to a type.
    pub fn cast(self, to: Scalar) -> Number {
        match (self, to.is_complex(), to.is_integer()) {
            (_, true, _) => Complex(self.part(to), self.im().cast(to)),
            (Int(number), _, true) => Int(to.wrap(number)),
            (Real(ball), _, true) => ball.to_integer(to).map_or(Unknown, Int),
            (_, _, true) => Unknown,
            _ => Real(self.part(to)),
        }
    }

    fn part(self, to: Scalar) -> Ball {
        match self {
            Int(number) => Ball::from_integer(number, to),
            _ => self.re().cast(to),
        }
    }

    pub fn binary(self, op: BinaryOp, other: Number, scalar: Option<Scalar>) -> Number {
        match (self, other, scalar) {
            (Bool(a), Bool(b), _) => match op {
                BinaryOp::And => Bool(a & b),
                BinaryOp::Or => Bool(a | b),
                BinaryOp::Xor => Bool(a ^ b),
                _ => Unknown,
            },
            (Int(a), Int(b), Some(scalar)) => integer(op, a, b, scalar).map_or(Unknown, Int),
            (Real(a), Real(b), Some(scalar)) => Real(a.binary(op, b, scalar)),
            (Complex(..), Complex(..), Some(scalar)) => complex(op, self, other, scalar),
            (_, _, Some(scalar)) => Number::unknown(scalar),
            _ => Unknown,
        }
    }

    /// `scalar` is the operand's type.
    pub fn unary(self, op: UnaryOp, scalar: Option<Scalar>) -> Number {
        match (self, op) {
            (Bool(truth), UnaryOp::Not) => Bool(!truth),
            (Int(number), _) => {
                let wrap = |number| scalar.map_or(number, |scalar| scalar.wrap(number));
                match op {
                    UnaryOp::Neg => Int(wrap(number.wrapping_neg())),
                    UnaryOp::Abs => Int(wrap(number.wrapping_abs())),
                    UnaryOp::Not => Int(!number),
                    _ => Unknown,
                }
            }
            (Real(ball), UnaryOp::Neg) => Real(ball.negative()),
            (Real(ball), UnaryOp::Abs) => Real(ball.magnitude()),
            (Complex(re, im), UnaryOp::Neg) => Complex(re.negative(), im.negative()),
            (Complex(re, im), UnaryOp::Conj) => Complex(re, im.negative()),
            (Complex(re, _), UnaryOp::Re) => Real(re),
            (Complex(_, im), UnaryOp::Im) => Real(im),
            (Complex(re, im), UnaryOp::Abs) => Real(magnitude(re, im, scalar)),
            _ => scalar.map_or(Unknown, |scalar| Number::unknown(scalar.component())),
        }
    }

    pub fn compare(self, op: CompareOp, other: Number) -> Number {
        let truth = match (self, other) {
            (Int(a), Int(b)) => Some(is(op, a.cmp(&b))),
            (Real(a), Real(b)) => a.compare(op, b),
            (Complex(a, b), Complex(c, d)) => {
                let equal = match (a.compare(CompareOp::Equal, c), b.compare(CompareOp::Equal, d)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                };
                equal.map(|equal| equal == (op == CompareOp::Equal))
            }
            _ => None,
        };
        truth.map_or(Unknown, Bool)
    }

    pub fn function(self, op: MathOp, scalar: Scalar) -> Number {
        let part = scalar.component();
        match self {
            Real(ball) => Real(ball.function(op, scalar)),
            // b^re · (cos(im·ln b), sin(im·ln b))
            Complex(re, im) => {
                let angle = match op {
                    MathOp::Exp2 => im.times(Ball::exact(std::f64::consts::LN_2).cast(part), part),
                    _ => im,
                };
                let size = re.function(op, part);
                let side = |op| size.times(angle.function(op, part), part);
                Complex(side(MathOp::Cos), side(MathOp::Sin))
            }
            _ => Unknown,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown => f.write_str("unknown"),
            Bool(truth) => write!(f, "{truth}"),
            Int(number) => write!(f, "{number}"),
            Real(ball) => write!(f, "{ball}"),
            Complex(re, im) => write!(f, "({re}) + ({im})i"),
        }
    }
}

/// A literal as a number of the type.
fn rounded(scalar: Scalar, number: f64) -> f64 {
    match scalar.component() {
        Scalar::F8e4m3 => narrow::E4M3.value(narrow::E4M3.bits(number)),
        Scalar::F8e5m2 => narrow::E5M2.value(narrow::E5M2.bits(number)),
        Scalar::Bf16 => narrow::brain(number).into(),
        Scalar::F16 => narrow::half(number).into(),
        Scalar::F32 => f64::from(number as f32),
        _ => number,
    }
}

fn integer(op: BinaryOp, a: i64, b: i64, scalar: Scalar) -> Option<i64> {
    // No more bits of the amount count than tell the bits of the number apart.
    let amount = u32::try_from(b & (8 * scalar.bytes() - 1)).ok()?;
    Some(scalar.wrap(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::Cdiv => {
            let is_cut = a.checked_rem(b)? != 0 && (a < 0) == (b < 0);
            a.checked_div(b)? + i64::from(is_cut)
        }
        BinaryOp::Shl => a.wrapping_shl(amount),
        BinaryOp::Shr => a.wrapping_shr(amount),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
    }))
}

/// Formed as the specification forms them (lowering reference 3.4): a quotient is a·conj(b) / |b|².
fn complex(op: BinaryOp, x: Number, y: Number, scalar: Scalar) -> Number {
    let part = scalar.component();
    let (a, b, c, d) = (x.re(), x.im(), y.re(), y.im());
    match op {
        BinaryOp::Add => Complex(a.plus(c, part), b.plus(d, part)),
        BinaryOp::Sub => Complex(a.minus(c, part), b.minus(d, part)),
        BinaryOp::Mul => {
            let re = a.times(c, part).minus(b.times(d, part), part);
            let im = a.times(d, part).plus(b.times(c, part), part);
            Complex(re, im)
        }
        BinaryOp::Div => {
            let product = complex(BinaryOp::Mul, x, Complex(c, d.negative()), scalar);
            let square = c.times(c, part).plus(d.times(d, part), part);
            let over = |ball: Ball| ball.binary(BinaryOp::Div, square, part);
            Complex(over(product.re()), over(product.im()))
        }
        _ => Number::unknown(scalar),
    }
}

/// √(re² + im²), which moves by no more than its parts do together, within four units in the last place.
fn magnitude(re: Ball, im: Ball, scalar: Option<Scalar>) -> Ball {
    const ROUNDINGS: f64 = 8.0;
    let center = re.center.hypot(im.center);
    Ball { center, radius: re.radius + im.radius }
        .after(scalar.map_or(Scalar::F32, Scalar::component), ROUNDINGS)
}
