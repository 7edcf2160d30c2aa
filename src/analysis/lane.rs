//! Numbers that differ between the work-items of a subgroup.

use crate::ir::{Func, Ir, LocalSubgroup, LocalSubgroupBuiltin, Op, SideEffect, Value};
use std::collections::HashSet;

/// Computes the values of a function that arithmetic makes from the place of the work-item in its subgroup.
pub fn lane_values(ir: &Ir, func: Func) -> HashSet<Value> {
    let mut found = HashSet::new();
    // An instruction stands behind those that compute its operands.
    ir.walk(ir[func].body, &mut |inst| {
        let op = &ir[inst].op;
        let mut depends =
            matches!(op, Op::LocalSubgroup(LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLocalId }));
        if op.info().side_effect == SideEffect::Pure {
            op.visit_operands(&mut |operand| depends |= found.contains(&operand));
        }
        if depends {
            found.extend(&ir[inst].results);
        }
    });
    found
}
