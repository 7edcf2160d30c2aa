//! Sums of products, in any order.

use super::ball::{Ball, HOST, gamma};
use super::number::Number;
use crate::scope::exact_limit;
use tiletc::ir::Scalar;

/// Σ x·y, formed in a type with products and sums rounded in any order, or not at all.
///
/// Each product takes part in at most as many roundings as there are terms, and one of its own, so that the sum lies
/// within γ(n + 1)·Σ|x||y| of what it would be without any (Higham, Accuracy and Stability of Numerical Algorithms,
/// section 3.1), the host's own sum likewise.
#[derive(Clone, Copy)]
pub struct Sum {
    ty: Scalar,
    /// Modulo 2⁶⁴; `None` once a term is not known.
    integer: Option<i64>,
    parts: [Part; 2],
}

#[derive(Clone, Copy)]
struct Part {
    ball: Ball,
    /// Σ|x||y|
    size: f64,
    terms: f64,
    /// True if all factors are exact integers, whose sums are exact as long as they are small.
    is_integral: bool,
}

impl Sum {
    pub fn new(ty: Scalar) -> Sum {
        let part = Part { ball: Ball::ZERO, size: 0.0, terms: 0.0, is_integral: true };
        Sum { ty, integer: Some(0), parts: [part; 2] }
    }

    /// Adds x·y.
    pub fn add(&mut self, x: Number, y: Number) {
        if self.ty.is_integer() {
            self.integer = match (self.integer, x, y) {
                (Some(sum), Number::Int(x), Number::Int(y)) => Some(sum.wrapping_add(x.wrapping_mul(y))),
                _ => None,
            };
            return;
        }
        let [re, im] = &mut self.parts;
        re.add(x.re(), y.re());
        if self.ty.is_complex() {
            re.add(x.im().negative(), y.im());
            im.add(x.re(), y.im());
            im.add(x.im(), y.re());
        }
    }

    pub fn value(&self) -> Number {
        let part = self.ty.component();
        let [re, im] = &self.parts;
        match (self.ty.is_integer(), self.ty.is_complex()) {
            (true, _) => self.integer.map_or(Number::Unknown, |sum| Number::Int(self.ty.wrap(sum))),
            (_, true) => Number::Complex(re.value(part), im.value(part)),
            _ => Number::Real(re.value(part)),
        }
    }
}

impl Part {
    fn add(&mut self, x: Ball, y: Ball) {
        let is_integer = |ball: Ball| ball.is_exact() && ball.center.fract() == 0.0;
        self.ball.center += x.center * y.center;
        self.ball.radius += x.product_radius(y);
        self.size += x.size() * y.size();
        self.terms += 1.0;
        self.is_integral &= is_integer(x) && is_integer(y);
    }

    fn value(&self, ty: Scalar) -> Ball {
        if self.is_integral && self.size <= exact_limit(ty) {
            return self.ball;
        }
        let roundings = self.terms + 1.0;
        let host = roundings * HOST * (1.0 + 1e-9);
        let radius = self.ball.radius * (1.0 + 2.0 * host) + (gamma(ty, roundings) + host) * self.size;
        // What is lost by products that are too small.
        Ball { center: self.ball.center, radius }.after_losses(ty, self.terms, self.size)
    }
}
