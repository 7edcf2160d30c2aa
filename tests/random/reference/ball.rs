//! Numbers that are known up to an error, and what every operation adds to it.

use std::cmp::Ordering;
use std::fmt;
use tiletc::ir::{BinaryOp, CompareOp, MathOp, Scalar};

/// The unit roundoff of the host's doubles.
pub const HOST: f64 = 1.0 / (1u64 << 53) as f64;

/// All numbers from `center` − `radius` to `center` + `radius`; with an infinite radius, anything, NaN too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    pub center: f64,
    pub radius: f64,
}

/// Properties of a floating type.
struct Format {
    /// The unit roundoff.
    unit: f64,
    /// The smallest normal number. What is smaller, devices may take for zero.
    smallest: f64,
    largest: f64,
}

fn format(scalar: Scalar) -> Format {
    // Narrow types may be computed with in f32 and rounded twice, which adds at most the second unit.
    let single = 2f64.powi(-24);
    match scalar.component() {
        Scalar::Bf16 => Format { unit: 2f64.powi(-8) + single, smallest: 2f64.powi(-126), largest: 3.389e38 },
        Scalar::F16 => Format { unit: 2f64.powi(-11) + single, smallest: 2f64.powi(-14), largest: 65504.0 },
        Scalar::F32 => Format { unit: single, smallest: 2f64.powi(-126), largest: f32::MAX.into() },
        _ => Format { unit: HOST, smallest: f64::MIN_POSITIVE, largest: f64::MAX },
    }
}

/// γ(n) = n·u / (1 − n·u): the relative error of n roundings in a row; infinite if nothing can be said.
pub fn gamma(scalar: Scalar, roundings: f64) -> f64 {
    let n = roundings * format(scalar).unit;
    if n < 1.0 { n / (1.0 - n) } else { f64::INFINITY }
}

/// Half units in the last place that OpenCL leaves a quotient (section 7.4 of its C specification).
fn division_roundings(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F32 => 5.0,
        Scalar::F16 => 2.0,
        // It is a quotient of singles that is rounded once more.
        Scalar::Bf16 => 1.1,
        _ => 1.0,
    }
}

/// The same of an elementary function, each being off by whole units.
fn function_roundings(scalar: Scalar, op: MathOp) -> f64 {
    match (scalar, op) {
        (Scalar::F16, _) => 4.0,
        (_, MathOp::Cos | MathOp::Sin) => 8.0,
        _ => 6.0,
    }
}

/// Error bound of the host's result; its functions are good to two units in the last place.
fn host_error(center: f64) -> f64 {
    4.0 * HOST * center.abs()
}

impl Ball {
    pub const UNKNOWN: Ball = Ball { center: 0.0, radius: f64::INFINITY };
    pub const ZERO: Ball = Ball::exact(0.0);

    pub const fn exact(center: f64) -> Ball {
        Ball { center, radius: 0.0 }
    }

    pub fn is_exact(self) -> bool {
        self.radius == 0.0
    }

    /// No number of it is larger in magnitude.
    pub fn size(self) -> f64 {
        self.center.abs() + self.radius
    }

    /// Returns whether a result of a device is one of its numbers.
    pub fn holds(self, found: f64) -> bool {
        self.radius == f64::INFINITY || (found - self.center).abs() <= self.radius
    }

    /// Error of a result, as a part of the radius.
    pub fn part_of_radius(self, found: f64) -> f64 {
        let part = (found - self.center).abs() / self.radius;
        if part.is_finite() { part } else { 0.0 }
    }

    /// Rounds a number that is in the ball as a device does: so many roundings later, up to what
    /// is lost by numbers that are too small, and unknown where it may be too large.
    fn rounded(self, scalar: Scalar, roundings: f64) -> Ball {
        let Format { smallest, largest, .. } = format(scalar);
        let size = self.size();
        let mut radius = self.radius + gamma(scalar, roundings) * size;
        if self.center.abs() - radius < smallest {
            radius += smallest;
        }
        // The radius itself is computed with a few roundings.
        radius *= 1.0 + 16.0 * HOST;
        if size + radius < largest { Ball { center: self.center, radius } } else { Ball::UNKNOWN }
    }

    /// A sum of so many products, which are no larger than `size` together.
    pub fn after_losses(self, scalar: Scalar, products: f64, size: f64) -> Ball {
        let Format { smallest, largest, .. } = format(scalar);
        let radius = (self.radius + products * smallest) * (1.0 + 16.0 * HOST);
        if size + radius < largest { Ball { center: self.center, radius } } else { Ball::UNKNOWN }
    }

    /// The result of one operation that IEEE 754 wants rounded correctly. `is_exact`: the host has not rounded it.
    fn correctly_rounded(self, scalar: Scalar, is_exact: bool) -> Ball {
        let is_number = scalar.round(self.center) == self.center;
        let is_normal = self.center == 0.0 || self.center.abs() >= format(scalar).smallest;
        if self.is_exact() && is_exact && is_number && is_normal {
            return self;
        }
        Ball { radius: self.radius + HOST * self.center.abs(), ..self }.rounded(scalar, 1.0)
    }

    /// The nearest number of a type.
    pub fn cast(self, to: Scalar) -> Ball {
        self.correctly_rounded(to, true)
    }

    pub fn from_integer(number: i64, to: Scalar) -> Ball {
        let center = number as f64;
        Ball::exact(center).correctly_rounded(to, center as i128 == i128::from(number))
    }

    /// The integer of a type that it is cut off to, if there is just one.
    pub fn to_integer(self, to: Scalar) -> Option<i64> {
        let [low, high] = [self.center - self.radius, self.center + self.radius].map(f64::trunc);
        let limit = 2f64.powi(i32::try_from(8 * to.bytes() - 1).unwrap_or(63));
        (low == high && high.abs() < limit).then_some(high as i64)
    }

    pub fn negative(self) -> Ball {
        Ball { center: -self.center, ..self }
    }

    pub fn magnitude(self) -> Ball {
        Ball { center: self.center.abs(), ..self }
    }

    pub fn plus(self, other: Ball, scalar: Scalar) -> Ball {
        let (a, b) = (self.center, other.center);
        let center = a + b;
        // The error of the sum, exactly (Knuth).
        let part = center - a;
        let error = (a - (center - part)) + (b - part);
        Ball { center, radius: self.radius + other.radius }.correctly_rounded(scalar, error == 0.0)
    }

    pub fn minus(self, other: Ball, scalar: Scalar) -> Ball {
        self.plus(other.negative(), scalar)
    }

    pub fn times(self, other: Ball, scalar: Scalar) -> Ball {
        let center = self.center * other.center;
        let error = self.center.mul_add(other.center, -center);
        let radius = self.product_radius(other);
        Ball { center, radius }.correctly_rounded(scalar, error == 0.0)
    }

    /// Radius of a product, from the errors of its factors.
    pub fn product_radius(self, other: Ball) -> f64 {
        if self.is_exact() && other.is_exact() {
            return 0.0;
        }
        // An unknown number times zero is unknown.
        let radius = self.size() * other.radius + other.center.abs() * self.radius;
        if radius.is_nan() { f64::INFINITY } else { radius }
    }

    /// The result of a function of the host's that a device computes with so many roundings.
    pub fn after(self, scalar: Scalar, roundings: f64) -> Ball {
        Ball { radius: self.radius + host_error(self.center), ..self }.rounded(scalar, roundings)
    }

    fn over(self, other: Ball, scalar: Scalar) -> Ball {
        let least = other.center.abs() - other.radius;
        if least.is_nan() || least <= 0.0 {
            return Ball::UNKNOWN;
        }
        let center = self.center / other.center;
        let radius = (self.radius + center.abs() * other.radius) / least;
        Ball { center, radius }.after(scalar, division_roundings(scalar))
    }

    pub fn binary(self, op: BinaryOp, other: Ball, scalar: Scalar) -> Ball {
        let radius = self.radius.max(other.radius);
        match op {
            BinaryOp::Add => self.plus(other, scalar),
            BinaryOp::Sub => self.minus(other, scalar),
            BinaryOp::Mul => self.times(other, scalar),
            BinaryOp::Div => self.over(other, scalar),
            BinaryOp::Min => Ball { center: self.center.min(other.center), radius },
            BinaryOp::Max => Ball { center: self.center.max(other.center), radius },
            // It jumps; of exact numbers it is exact.
            BinaryOp::Rem if radius == 0.0 && other.center != 0.0 => {
                Ball::exact(self.center % other.center).correctly_rounded(scalar, true)
            }
            _ => Ball::UNKNOWN,
        }
    }

    /// The answer, if it is the same for all numbers of both.
    pub fn compare(self, op: CompareOp, other: Ball) -> Option<bool> {
        let distance = (self.center - other.center).abs();
        let radius = self.radius + other.radius;
        if distance.is_nan() || (radius > 0.0 && distance <= radius) {
            return None;
        }
        Some(is(op, self.center.partial_cmp(&other.center)?))
    }

    /// An elementary function; of the native ones nothing is known.
    pub fn function(self, op: MathOp, scalar: Scalar) -> Ball {
        if scalar == Scalar::Bf16 {
            return self.function(op, Scalar::F32).cast(scalar);
        }
        let Ball { center, radius } = self;
        // By how much the function changes within the ball.
        let (value, change) = match op {
            MathOp::Cos => (center.cos(), radius.min(2.0)),
            MathOp::Sin => (center.sin(), radius.min(2.0)),
            MathOp::Exp => (center.exp(), center.exp() * radius.exp_m1()),
            MathOp::Exp2 => (center.exp2(), center.exp2() * (radius * std::f64::consts::LN_2).exp_m1()),
            MathOp::Log if center > radius => (center.ln(), -(-radius / center).ln_1p()),
            MathOp::Log2 if center > radius => {
                (center.log2(), -(-radius / center).ln_1p() * std::f64::consts::LOG2_E)
            }
            _ => return Ball::UNKNOWN,
        };
        if !(radius < f64::INFINITY && value.is_finite() && change.is_finite()) {
            return Ball::UNKNOWN;
        }
        let radius = change * (1.0 + 16.0 * HOST);
        Ball { center: value, radius }.after(scalar, function_roundings(scalar, op))
    }
}

impl fmt::Display for Ball {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.center)?;
        if self.is_exact() { Ok(()) } else { write!(f, " ± {:e}", self.radius) }
    }
}

/// Result of a comparison of two numbers in an order.
pub fn is(op: CompareOp, ordering: Ordering) -> bool {
    match op {
        CompareOp::Equal => ordering.is_eq(),
        CompareOp::NotEqual => ordering.is_ne(),
        CompareOp::LessThan => ordering.is_lt(),
        CompareOp::LessThanEqual => ordering.is_le(),
        CompareOp::GreaterThan => ordering.is_gt(),
        CompareOp::GreaterThanEqual => ordering.is_ge(),
    }
}
