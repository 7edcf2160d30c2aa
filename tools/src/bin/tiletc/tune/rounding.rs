//! Rounding errors that a correct config may have.
//!
//! A sum of n products is formed with n roundings of a type with unit roundoff u in whatever order, so that it is wrong by at most
//! n u Σ|a b| (Higham, "Accuracy and stability of numerical algorithms", 3.1). The sum of the amounts is not known; for it stands the
//! largest number of the reference, which it equals where nothing cancels, and errors cancel where numbers do.
//!
//! Hence a number may differ by this share of the largest one:
//!
//! * (n + 3) u for sums, of n terms for each number of the result, and 3 for two factors α and β and their sum. n is the multiply-adds of
//!   the launch, and besides, for additions alone, the numbers of all arguments, by the numbers that the reference does not leave as they
//!   are given.
//! * 2 u of the type that the result is stored in: result and reference have been rounded to it.
//! * u of the coarsest type that the function converts to or keeps in memory of its own, for intermediate results.
//! * 2 u of tf32 if the factors are rounded to that.
//!
//! Integers are exact.

use tiletc::analysis::NecessaryWork;
use tiletc::driver::Options;
use tiletc::ir::{Func, Ir, Op, Precision, Scalar, Type};

/// Roundings of a complex multiply-add by those of a real one.
const COMPLEX: f64 = 4.0;
/// Unit roundoff of tf32.
const TF32: f64 = 1.0 / 2048.0;
/// Roundings of α, β and the sum of what they are factors of.
const FACTORS: f64 = 3.0;

/// Roundings of a kernel on the way to its results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rounding {
    /// Multiply-adds of the launch times the unit roundoff of the type of the sum; without their number, `None`.
    sums: Option<f64>,
    /// The coarsest unit roundoff of a sum.
    sum: f64,
    /// The coarsest unit roundoff of intermediate results.
    intermediate: f64,
    /// The unit roundoff of factors.
    factor: f64,
    /// Numbers of all arguments.
    numbers: Numbers,
}

/// Numbers of the arguments of a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Of all together.
    pub all: u64,
    /// Of the largest, which has as many as a sum if the multiply-adds are not known.
    pub largest: u64,
}

/// The unit roundoff of a type: half of the distance from 1 to the next number.
fn unit_roundoff(scalar: Scalar) -> f64 {
    let digits = match scalar {
        Scalar::I4 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Index => return 0.0,
        Scalar::F8e5m2 => 3,
        Scalar::F8e4m3 => 4,
        Scalar::Bf16 => 8,
        Scalar::F16 => 11,
        Scalar::F32 | Scalar::C32 => 24,
        Scalar::F64 | Scalar::C64 => 53,
    };
    f64::exp2(-f64::from(digits))
}

impl Rounding {
    /// The roundings of a function that is not lowered yet, in a launch of so many work-groups.
    // Counts of operations need no exact number.
    #[allow(clippy::cast_precision_loss)]
    pub fn of(ir: &Ir, func: Func, options: &Options, groups: u64, numbers: Numbers) -> Rounding {
        let mut rounding = Rounding { numbers, ..Rounding::default() };
        let work = NecessaryWork::of(ir, func).map(|work| work.multiply_adds);
        let is_tf32 = options.tf32 || ir[func].attributes.precision == Some(Precision::Tf32);
        let mut sums = 0.0;
        for ([a, b, output], count) in work.iter().flatten() {
            let sum = a.promote(*b).map_or(*output, |factor| factor.sum_type(*output));
            let roundings = if sum.is_complex() { COMPLEX } else { 1.0 };
            sums += roundings * *count as f64 * groups as f64 * unit_roundoff(sum);
            rounding.sum = rounding.sum.max(roundings * unit_roundoff(sum));
            if is_tf32 && [a, b].contains(&&Scalar::F32) {
                rounding.factor = TF32;
            }
        }
        rounding.sums = work.is_some().then_some(sums);
        ir.walk(ir[func].body, &mut |inst| {
            let is_rounded = matches!(
                ir[inst].op,
                Op::Cast(_) | Op::Alloca(_) | Op::Binary(_) | Op::Unary(_) | Op::Math(_)
            );
            for &result in ir[inst].results.iter().filter(|_| is_rounded) {
                let roundoff = scalar(ir.ty(result)).map_or(0.0, unit_roundoff);
                rounding.intermediate = rounding.intermediate.max(roundoff);
            }
        });
        if rounding.sums.is_none() {
            rounding.sum = rounding.sum.max(rounding.intermediate);
        }
        rounding
    }

    /// Share of the largest number by which numbers of a type may differ, if so many are computed.
    #[allow(clippy::cast_precision_loss)]
    pub fn share(&self, stored: Scalar, computed: u64) -> f64 {
        if stored.is_integer() {
            return 0.0;
        }
        // What is added up without multiply-adds is as coarse as what it is stored in.
        let sum = if self.sum > 0.0 { self.sum } else { unit_roundoff(stored) };
        let sums = match self.sums {
            Some(sums) => sums / computed.max(1) as f64,
            None => self.numbers.largest as f64 * sum,
        };
        let sums = sums + self.numbers.all as f64 / computed.max(1) as f64 * sum;
        sums + FACTORS * sum + 2.0 * unit_roundoff(stored) + self.intermediate + 2.0 * self.factor
    }
}

/// The type of the numbers of a value.
fn scalar(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Scalar(scalar) => Some(*scalar),
        Type::Memref(memref) => Some(memref.element),
        Type::Group(group) => Some(group.member.element),
        Type::Coopmatrix(matrix) => Some(matrix.component),
        Type::Tile(tile) => Some(tile.component),
        Type::Bool => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roundoffs_are_those_of_the_types() {
        for scalar in [Scalar::F8e4m3, Scalar::F8e5m2, Scalar::Bf16, Scalar::F16, Scalar::F32] {
            // Half of the step is a tie, which goes to the even 1; more than that is rounded up.
            let roundoff = unit_roundoff(scalar);
            assert_eq!(scalar.round(1.0 + roundoff), 1.0, "{scalar}");
            assert_eq!(scalar.round(1.0 + 1.01 * roundoff), 1.0 + 2.0 * roundoff, "{scalar}");
        }
        assert_eq!(2.0 * unit_roundoff(Scalar::F64), f64::EPSILON);
    }
}
