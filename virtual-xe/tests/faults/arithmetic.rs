//! Operands for which an instruction has no defined result.

use crate::kernel::{Kernel, at, planted};
use rspirv::spirv::{Decoration, Op, Word};
use virtual_xe::Fault;

/// A number that only one work-item has, and the others another one.
fn only(k: &mut Kernel, item: i32, value: i32, others: i32) -> Word {
    let (item, value, others) = (k.number(item), k.number(value), k.number(others));
    let here = k.compare(Op::IEqual, k.item, item);
    k.b.select(k.int, None, here, value, others).unwrap()
}

/// An instruction whose second operand is the number in one work-item and one in all others.
fn second(k: &mut Kernel, op: Op, first: i32, item: i32, value: i32) -> Word {
    let (a, b) = (k.number(first), only(k, item, value, 1));
    k.mark();
    k.compute(op, &[a, b])
}

macro_rules! operands {
    ($($name:ident: $fault:ident, $op:ident, $first:expr, $bad:expr, $good:expr;)*) => { $(
        #[test]
        fn $name() {
            planted(at(Fault::$fault, concat!("Op", stringify!($op))).subgroup(1).lane(6), |k, bad| {
                second(k, Op::$op, $first, 22, if bad { $bad } else { $good });
            });
        }
    )* };
}
operands! {
    signed_division_by_zero: DivisionByZero, SDiv, 7, 0, 2;
    unsigned_division_by_zero: DivisionByZero, UDiv, 7, 0, 2;
    signed_remainder_by_zero: DivisionByZero, SRem, 7, 0, 2;
    signed_modulo_by_zero: DivisionByZero, SMod, 7, 0, 2;
    unsigned_modulo_by_zero: DivisionByZero, UMod, 7, 0, 2;
    quotient_that_does_not_fit: SignedOverflow, SDiv, i32::MIN, -1, -2;
    left_shift_by_the_width: ShiftTooFar, ShiftLeftLogical, 1, 32, 31;
    logical_right_shift_by_the_width: ShiftTooFar, ShiftRightLogical, 1, 32, 31;
    arithmetic_right_shift_by_a_negative_number: ShiftTooFar, ShiftRightArithmetic, 1, -1, 31;
}

macro_rules! promises {
    ($($name:ident: $fault:ident, $op:ident, $decoration:ident, $first:expr, $bad:expr, $good:expr;)*) => { $(
        #[test]
        fn $name() {
            planted(at(Fault::$fault, concat!("Op", stringify!($op))).lane(9), |k, bad| {
                let result = second(k, Op::$op, $first, 9, if bad { $bad } else { $good });
                k.b.decorate(result, Decoration::$decoration, []);
            });
            // Without the promise, results wrap around.
            let (_, reports) = Kernel::run(|k| {
                second(k, Op::$op, $first, 9, $bad);
            });
            assert_eq!(reports, []);
        }
    )* };
}
promises! {
    signed_sum: SignedOverflow, IAdd, NoSignedWrap, i32::MAX - 1, 2, 1;
    signed_difference: SignedOverflow, ISub, NoSignedWrap, i32::MIN + 1, 2, 1;
    signed_product: SignedOverflow, IMul, NoSignedWrap, 1 << 20, 1 << 11, 1 << 10;
    unsigned_sum: UnsignedOverflow, IAdd, NoUnsignedWrap, -2, 2, 1;
    unsigned_difference: UnsignedOverflow, ISub, NoUnsignedWrap, 1, 2, 1;
    unsigned_product: UnsignedOverflow, IMul, NoUnsignedWrap, 1 << 20, 1 << 12, 1 << 11;
}

#[test]
fn negation_that_does_not_fit() {
    planted(at(Fault::SignedOverflow, "OpSNegate").lane(4), |k, bad| {
        let value = only(k, 4, if bad { i32::MIN } else { i32::MAX }, 1);
        k.mark();
        let result = k.compute(Op::SNegate, &[value]);
        k.b.decorate(result, Decoration::NoSignedWrap, []);
    });
}
