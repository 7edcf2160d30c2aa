//! Rows of cooperative matrices that nobody sees.

use crate::analysis::integer_of;
use crate::ir::{Checked, Inst, Ir, MatrixUse, Op, Transpose, Value};
use std::collections::HashSet;

/// Values that are followed; programs that carry a matrix further are not worth the time.
const MAX_VALUES: usize = 64;

/// Returns whether nothing is known to depend on what a matrix has in rows from `limit` on: whatever is computed of it row by row is
/// only stored, to memory that ends there, with a check.
pub fn hides_rows(ir: &Ir, value: Value, limit: i64) -> bool {
    let mut seen = HashSet::from([value]);
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        for operand in ir.uses(value) {
            let Some(next) = carried_to(ir, value, operand.user, limit) else { return false };
            left.extend(next.into_iter().filter(|&value| seen.insert(value)));
            if seen.len() > MAX_VALUES {
                return false;
            }
        }
    }
    true
}

/// The values whose rows follow from the same rows of an operand; `None` if something else depends on these.
fn carried_to(ir: &Ir, value: Value, inst: Inst, limit: i64) -> Option<Vec<Value>> {
    let data = &ir[inst];
    let are_rows =
        |&value: &Value| ir.ty(value).coopmatrix().is_some_and(|matrix| matrix.usage != MatrixUse::B);
    let results = || Some(data.results.iter().copied().collect());
    let ends = |to: Value, x: Value, y: Value, transpose: Transpose, checked: Checked| {
        let (mode, start) = if transpose == Transpose::N { (0, x) } else { (1, y) };
        let end = ir.ty(to).memref().and_then(|memref| memref.shape.get(mode)?.value());
        checked.rows() && integer_of(ir, start) == Some(0) && end.is_some_and(|end| end <= limit)
    };
    let all = |values: &[Value], operands: &[Value]| -> Vec<Value> {
        let pairs = values.iter().zip(operands);
        pairs.filter(|&(_, &operand)| operand == value).map(|(&value, _)| value).collect()
    };
    match &data.op {
        Op::CoopmatrixMulAdd(op) if op.b != value => results(),
        Op::CoopmatrixScale(_) | Op::Unary(_) | Op::Cast(_) if data.results.iter().all(are_rows) => results(),
        // What is divided by may not be just anything.
        Op::Binary(op) if !op.op.is_division() && data.results.iter().all(are_rows) => results(),
        Op::CoopmatrixSlice(op) => {
            let ty = data.results.first().and_then(|&result| ir.ty(result).coopmatrix())?;
            if op.row.checked_add(ty.rows)? <= limit {
                return Some(Vec::new());
            }
            (op.row == 0 && data.results.iter().all(are_rows)).then(results)?
        }
        Op::CoopmatrixStore(op) => ends(op.to, op.x, op.y, op.transpose, op.checked).then(Vec::new),
        Op::CoopmatrixAtomicStore(op) => ends(op.to, op.x, op.y, op.transpose, op.checked).then(Vec::new),
        Op::CoopmatrixAtomicUpdate(op) if ends(op.to, op.x, op.y, op.transpose, op.checked) => results(),
        Op::For(op) => {
            let carried = data.regions.first().and_then(|&body| ir[body].parameters.get(1..))?;
            Some([all(carried, &op.init), all(&data.results, &op.init)].concat())
        }
        Op::Yield(op) => {
            let owner = ir.owner(ir.parent(inst)?)?;
            let mut next = all(&ir[owner].results, &op.values);
            if let Op::For(_) = &ir[owner].op {
                let carried = ir[owner].regions.first().and_then(|&body| ir[body].parameters.get(1..))?;
                next.extend(all(carried, &op.values));
            }
            Some(next)
        }
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::diagnostics::SourceId;
    use crate::syntax;

    /// Returns whether the rows of A from 8 on are hidden in a function that does this with a product of A.
    fn hides(body: &str) -> bool {
        let text = format!(
            "func @f(%A: memref<f32x8x8>, %B: memref<f32x8x8>, %C: memref<f32x8x8>, %D: memref<f32x16x8>)
                attributes{{subgroup_size=16, work_group_size=[16,1]}} {{
                parallel {{
                    %x = constant 0 : index
                    %y = constant 1 : index
                    %n = constant 4 : index
                    %two = constant 2.0 : f32
                    %b = cooperative_matrix_load %B[%x,%x] : coopmatrix<f32x8x8,matrix_b>
                    %c = constant 0.0 : coopmatrix<f32x16x8,matrix_acc>
                    %a = cooperative_matrix_load.rows_checked %A[%x,%x] : coopmatrix<f32x16x8,matrix_a>
                    %d = cooperative_matrix_mul_add %a, %b, %c : coopmatrix<f32x16x8,matrix_acc>
                    {body}
                }}
            }}"
        );
        let mut ir = Ir::default();
        let program = syntax::parse(&mut ir, SourceId::UNKNOWN, text.as_bytes()).unwrap();
        let mut found = None;
        ir.walk(ir[program.functions[0]].body, &mut |inst| {
            if let Op::CoopmatrixLoad(load) = &ir[inst].op
                && load.checked.rows()
            {
                found = ir[inst].results.first().copied();
            }
        });
        hides_rows(&ir, found.unwrap(), 8)
    }

    #[test]
    fn rows_are_hidden_if_all_that_follows_is_stored_with_a_check() {
        let store = "cooperative_matrix_store.rows_checked";
        for (body, hidden) in [
            (format!("{store} %d, %C[%x,%x]"), true),
            (String::new(), true),
            ("cooperative_matrix_store %d, %D[%x,%x]".to_owned(), false),
            (format!("{store} %d, %D[%x,%x]"), false),
            (format!("{store} %d, %C[%y,%x]"), false),
            (
                format!(
                    "%e = cooperative_matrix_scale %two, %d : coopmatrix<f32x16x8,matrix_acc> {store} %e, %C[%x,%x]"
                ),
                true,
            ),
            (
                format!(
                    "%e = for %i=%x,%n init(%s=%d) -> (coopmatrix<f32x16x8,matrix_acc>) {{
                        %t = add %s, %d : coopmatrix<f32x16x8,matrix_acc>
                        yield (%t)
                    }}
                    {store} %e, %C[%x,%x]"
                ),
                true,
            ),
            (
                "%e = for %i=%x,%n init(%s=%d) -> (coopmatrix<f32x16x8,matrix_acc>) {
                    cooperative_matrix_store %s, %D[%x,%x]
                    yield (%c)
                }"
                .to_owned(),
                false,
            ),
            (
                "%r = cooperative_matrix_reduce_add.column %d : coopmatrix<f32x1x8,matrix_acc>".to_owned(),
                false,
            ),
            ("%r = cooperative_matrix_extract %d[0] : f32".to_owned(), false),
        ] {
            assert_eq!(hides(&body), hidden, "{body}");
        }
    }
}
