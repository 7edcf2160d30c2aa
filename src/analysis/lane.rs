//! Numbers that differ between the work-items of a subgroup.

use crate::ir::{Ir, LocalSubgroup, LocalSubgroupBuiltin, Op, SideEffect, Value};
use std::collections::HashSet;

/// Returns whether arithmetic makes a value from the place of the work-item in its subgroup.
pub fn depends_on_lane(ir: &Ir, value: Value) -> bool {
    let (mut seen, mut pending) = (HashSet::from([value]), vec![value]);
    while let Some(value) = pending.pop() {
        let Some(op) = ir.defining_op(value) else { continue };
        if matches!(op, Op::LocalSubgroup(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLocalId })) {
            return true;
        }
        if op.info().side_effect == SideEffect::Pure {
            op.visit_operands(&mut |operand| pending.extend(seen.insert(operand).then_some(operand)));
        }
    }
    false
}
