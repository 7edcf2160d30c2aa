//! Values that are known before the program runs.

use crate::ir::{BinaryOp, Constant, ConstantInst, Ir, Op, Scalar, Type, Value};

/// The constant that a value is known to be.
pub fn constant_of(ir: &Ir, result: Value) -> Option<Constant> {
    match ir.defining_op(result) {
        // What the text says may be wider than the type (`spec/language.md` 5.2).
        Some(Op::ConstantInst(ConstantInst { value: Constant::Int(value) })) => {
            Some(Constant::Int(ir.ty(result).component()?.wrap(*value)))
        }
        Some(Op::ConstantInst(ConstantInst { value })) => Some(*value),
        _ => None,
    }
}

/// The integer that a value is known to be.
pub fn integer_of(ir: &Ir, value: Value) -> Option<i64> {
    match constant_of(ir, value) {
        Some(Constant::Int(value)) => Some(value),
        _ => None,
    }
}

/// Smallest and largest number that an integer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The smallest.
    pub least: i64,
    /// The largest.
    pub most: i64,
}

impl Interval {
    /// Operations that are followed back from a value; their number is exponential in this.
    const DEPTH: u32 = 6;

    /// All numbers of a type.
    pub fn of_type(scalar: Scalar) -> Interval {
        let unused = 64 - 8 * scalar.bytes().min(8);
        Interval { least: i64::MIN >> unused, most: i64::MAX >> unused }
    }

    /// What an integer may be, as far as the operations tell that compute it.
    pub fn of(ir: &Ir, value: Value) -> Interval {
        Interval::within(ir, value, Interval::DEPTH)
    }

    fn within(ir: &Ir, value: Value, depth: u32) -> Interval {
        let whole = Interval::of_type(ir.ty(value).scalar().unwrap_or(Scalar::Index));
        if let Some(number) = integer_of(ir, value) {
            return Interval { least: number, most: number };
        }
        let (Some(depth), Some(op)) = (depth.checked_sub(1), ir.defining_op(value)) else { return whole };
        let found = match op {
            Op::Cast(cast) if is_integer(ir, cast.a) => Some(Interval::within(ir, cast.a, depth)),
            Op::Binary(op) if is_integer(ir, value) => {
                let [a, b] = [op.a, op.b].map(|operand| Interval::within(ir, operand, depth));
                Interval::binary(op.op, a, b)
            }
            // No memory has room for more elements, and no grid for more work-groups.
            Op::Size(_) | Op::Grid(_) => Some(Interval { least: 0, most: i64::MAX / 2 }),
            _ => None,
        };
        // What leaves the type wraps around.
        found.filter(|found| whole.contains(*found)).unwrap_or(whole)
    }

    /// What comes of two numbers; `None` if nothing is known or it may be no 64-bit number.
    fn binary(op: BinaryOp, a: Interval, b: Interval) -> Option<Interval> {
        let (least, most) = match op {
            BinaryOp::Add => (a.least.checked_add(b.least)?, a.most.checked_add(b.most)?),
            BinaryOp::Sub => (a.least.checked_sub(b.most)?, a.most.checked_sub(b.least)?),
            BinaryOp::Mul if a.least >= 0 && b.least >= 0 => {
                (a.least.checked_mul(b.least)?, a.most.checked_mul(b.most)?)
            }
            BinaryOp::Div if a.least >= 0 && b.least > 0 => (a.least / b.most, a.most / b.least),
            BinaryOp::Rem if a.least >= 0 && b.least > 0 => (0, a.most.min(b.most - 1)),
            BinaryOp::Min => (a.least.min(b.least), a.most.min(b.most)),
            BinaryOp::Max => (a.least.max(b.least), a.most.max(b.most)),
            _ => return None,
        };
        Some(Interval { least, most })
    }

    fn contains(self, other: Interval) -> bool {
        self.least <= other.least && other.most <= self.most
    }

    /// Whether the difference of two such numbers is always a 64-bit number.
    pub fn difference_fits(self, subtrahend: Interval) -> bool {
        Interval::binary(BinaryOp::Sub, self, subtrahend).is_some()
    }
}

fn is_integer(ir: &Ir, value: Value) -> bool {
    matches!(ir.ty(value), Type::Scalar(scalar) if scalar.is_integer())
}
