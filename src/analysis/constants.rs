//! Values that are known before the program runs.

use crate::ir::{
    Binary, BinaryOp, Constant, ConstantInst, Definition, Grid, GridBuiltin, Ir, Op, Scalar, Size,
    SubgroupId, Surface, Type, Value,
};

/// The constant that a value is known to be.
pub fn constant_of(ir: &Ir, result: Value) -> Option<Constant> {
    match ir.defining_op(result) {
        // What the text says may be wider than the type (language reference 5.2).
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

/// Additions that are followed from a number back to its origin, far more than people write.
const MAX_TERMS: usize = 64;

/// A number as the sum of a value, if any, and a constant.
pub fn origin_of(ir: &Ir, number: Value) -> (Option<Value>, i64) {
    let (mut origin, mut offset) = (number, 0i64);
    for _ in 0..MAX_TERMS {
        if let Some(end) = integer_of(ir, origin).and_then(|constant| offset.checked_add(constant)) {
            return (None, end);
        }
        let Some(Op::Binary(Binary { op, a, b })) = ir.defining_op(origin) else { break };
        let [left, right] = [integer_of(ir, *a), integer_of(ir, *b)];
        let term = match (op, left, right) {
            (BinaryOp::Add, _, Some(constant)) => Some((*a, constant)),
            (BinaryOp::Add, Some(constant), _) => Some((*b, constant)),
            (BinaryOp::Sub, _, Some(constant)) => constant.checked_neg().map(|constant| (*a, constant)),
            _ => None,
        };
        let next = term.and_then(|(rest, constant)| Some((rest, offset.checked_add(constant)?)));
        let Some(next) = next else { break };
        (origin, offset) = next;
    }
    (Some(origin), offset)
}

/// The size of a mode, if the type says it.
pub fn extent_of(ir: &Ir, op: &Size) -> Option<i64> {
    match ir.ty(op.of) {
        Type::Memref(memref) => memref.shape.get(usize::try_from(op.mode).ok()?)?.value(),
        Type::Group(group) => group.size.value(),
        _ => None,
    }
}

/// Smallest and largest number that an integer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The smallest.
    pub min: i64,
    /// The largest.
    pub max: i64,
}

impl Interval {
    /// Operations that are followed back from a value; their number is exponential in this.
    const DEPTH: u32 = 6;

    /// More elements than memory has room for: two such numbers can be added.
    const MAX_COUNT: i64 = i64::MAX / 2;

    /// More work-groups than a launch has in a direction: Level Zero counts them in 32 bits, and a CPU that starts one each nanosecond would
    /// need three days. What a number below 2^14 makes of the number of one can be added.
    const MAX_GROUPS: i64 = 1 << 48;

    /// More subgroups than a work-group has in a direction: no device has half as many work-items in one.
    const MAX_SUBGROUPS: i64 = 1 << 14;

    /// All numbers of a type.
    pub fn of_type(scalar: Scalar) -> Interval {
        let unused = 64 - 8 * scalar.bytes().min(8);
        Interval { min: i64::MIN >> unused, max: i64::MAX >> unused }
    }

    /// Computes the range of an integer, as far as the operations tell that compute it.
    pub fn of(ir: &Ir, value: Value) -> Interval {
        Interval::within(ir, value, Interval::DEPTH)
    }

    fn within(ir: &Ir, value: Value, depth: u32) -> Interval {
        let whole = Interval::of_type(ir.ty(value).scalar().unwrap_or(Scalar::Index));
        if let Some(number) = integer_of(ir, value) {
            return Interval { min: number, max: number };
        }
        let Some(depth) = depth.checked_sub(1) else { return whole };
        let Some(op) = ir.defining_op(value) else {
            return Interval::of_counter(ir, value, depth).unwrap_or(whole);
        };
        let found = match op {
            Op::Cast(cast) if is_integer(ir, cast.a) => Some(Interval::within(ir, cast.a, depth)),
            Op::Binary(op) if is_integer(ir, value) => {
                let [a, b] = [op.a, op.b].map(|operand| Interval::within(ir, operand, depth));
                Interval::binary(op.op, a, b)
            }
            Op::Size(size) => Some(match extent_of(ir, size) {
                Some(extent) => Interval { min: extent, max: extent },
                None if matches!(ir.defining_op(size.of), Some(Op::AsSurface(_))) => {
                    Interval { min: 0, max: Surface::MAX_EXTENT }
                }
                None => Interval { min: 0, max: Interval::MAX_COUNT },
            }),
            Op::Grid(Grid { op: GridBuiltin::GroupId, .. }) => {
                Some(Interval { min: 0, max: Interval::MAX_GROUPS })
            }
            Op::Grid(Grid { op: GridBuiltin::NumGroups, .. }) => {
                Some(Interval { min: 1, max: Interval::MAX_GROUPS })
            }
            Op::SubgroupId(SubgroupId { .. }) => Some(Interval { min: 0, max: Interval::MAX_SUBGROUPS }),
            _ => None,
        };
        // What leaves the type wraps around.
        found.filter(|found| whole.contains(*found)).unwrap_or(whole)
    }

    /// Computes the range of the counter of a loop that counts up.
    fn of_counter(ir: &Ir, value: Value, depth: u32) -> Option<Interval> {
        let Definition::Parameter(region) = ir[value].definition else { return None };
        let Op::For(op) = &ir[ir.owner(region)?].op else { return None };
        let is_counter = ir[region].parameters.first() == Some(&value);
        let counts_up = op.step.is_none_or(|step| integer_of(ir, step).is_some_and(|step| step > 0));
        let [from, to] = [op.from, op.to].map(|bound| Interval::within(ir, bound, depth));
        let counter = Interval { min: from.min, max: to.max.checked_sub(1)? };
        (is_counter && counts_up && counter.min <= counter.max).then_some(counter)
    }

    /// The number, if there is only one.
    pub fn number(self) -> Option<i64> {
        (self.min == self.max).then_some(self.min)
    }

    /// Computes the range of a result; `None` if nothing is known or it may be no 64-bit number.
    fn binary(op: BinaryOp, a: Interval, b: Interval) -> Option<Interval> {
        let (min, max) = match op {
            BinaryOp::Add => (a.min.checked_add(b.min)?, a.max.checked_add(b.max)?),
            BinaryOp::Sub => (a.min.checked_sub(b.max)?, a.max.checked_sub(b.min)?),
            BinaryOp::Mul if a.min >= 0 && b.min >= 0 => {
                (a.min.checked_mul(b.min)?, a.max.checked_mul(b.max)?)
            }
            BinaryOp::Div if a.min >= 0 && b.min > 0 => (a.min / b.max, a.max / b.min),
            BinaryOp::Cdiv if a.min >= 0 && b.min > 0 => (a.min / b.max, (a.max / b.min).checked_add(1)?),
            BinaryOp::Rem if a.min >= 0 && b.min > 0 => (0, a.max.min(b.max - 1)),
            BinaryOp::Min => (a.min.min(b.min), a.max.min(b.max)),
            BinaryOp::Max => (a.min.max(b.min), a.max.max(b.max)),
            _ => return None,
        };
        Some(Interval { min, max })
    }

    fn contains(self, other: Interval) -> bool {
        self.min <= other.min && other.max <= self.max
    }

    /// Returns whether the difference of two such numbers is always a 64-bit number.
    pub fn difference_fits(self, subtrahend: Interval) -> bool {
        Interval::binary(BinaryOp::Sub, self, subtrahend).is_some()
    }
}

fn is_integer(ir: &Ir, value: Value) -> bool {
    matches!(ir.ty(value), Type::Scalar(scalar) if scalar.is_integer())
}
