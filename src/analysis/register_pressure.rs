//! Registers that the cooperative matrices of a function take at a time.

use super::layout::Layout;
use crate::ir::{Definition, Func, Inst, Ir, Op, Region, SideEffect, Value};
use std::collections::HashMap;

/// The most bytes that the cooperative matrices of a function take at a time in all work-items of a subgroup, if every
/// instruction stays where the text has it. A matrix lives from its definition to its last use, and throughout a loop that
/// uses it but does not define it.
pub fn matrix_pressure(ir: &Ir, func: Func, subgroup_size: i64) -> i64 {
    let body = ir[func].body;
    let mut spans = Spans::default();
    spans.add(ir, body);
    let mut changes = Vec::new();
    ir.walk(body, &mut |inst| {
        // A part is where the whole is.
        if matches!(ir[inst].op, Op::CoopmatrixSlice(_)) {
            return;
        }
        let parameters = ir[inst].regions.iter().flat_map(|&region| &ir[region].parameters);
        for &value in ir[inst].results.iter().chain(parameters) {
            let Some(bytes) = bytes(ir, value, subgroup_size) else { continue };
            let Some((first, last)) = spans.of_value(ir, value) else { continue };
            changes.extend([(first, bytes), (last, -bytes)]);
        }
    });
    // What an instruction uses last makes room for its result.
    changes.sort_unstable();
    let mut alive = 0i64;
    changes.into_iter().fold(0, |most, (_, bytes)| {
        alive = alive.saturating_add(bytes);
        most.max(alive)
    })
}

/// Bytes of a cooperative matrix in all work-items.
fn bytes(ir: &Ir, value: Value, subgroup_size: i64) -> Option<i64> {
    let matrix = ir.ty(value).coopmatrix()?;
    let length = i64::try_from(Layout::new(matrix, subgroup_size)?.length()).ok()?;
    length.checked_mul(subgroup_size)?.checked_mul(matrix.component.bytes())
}

/// Places of instructions in the text, each from its begin to the end of its regions.
#[derive(Default)]
struct Spans {
    of: HashMap<Inst, (usize, usize)>,
    next: usize,
}

impl Spans {
    fn add(&mut self, ir: &Ir, region: Region) {
        for inst in ir.insts(region) {
            let begin = self.next;
            self.next += 1;
            ir[inst].regions.iter().for_each(|&region| self.add(ir, region));
            self.of.insert(inst, (begin, self.next));
            self.next += usize::from(!ir[inst].regions.is_empty());
        }
    }

    fn begin(&self, inst: Inst) -> Option<usize> {
        self.of.get(&inst).map(|&(begin, _)| begin)
    }

    fn end(&self, inst: Inst) -> Option<usize> {
        self.of.get(&inst).map(|&(_, end)| end)
    }

    /// The places from the definition of a value to its last use; `None` if it has none.
    fn of_value(&self, ir: &Ir, value: Value) -> Option<(usize, usize)> {
        let (home, first) = match ir[value].definition {
            Definition::Result(inst) if ir[inst].regions.is_empty() => (ir.parent(inst)?, self.begin(inst)?),
            Definition::Result(inst) => (ir.parent(inst)?, self.end(inst)?),
            Definition::Parameter(region) => (region, self.begin(ir.owner(region)?)?),
        };
        Some((first, self.last_use(ir, value, home)?))
    }

    /// The place up to which a value of a region is used, itself or in parts.
    fn last_use(&self, ir: &Ir, value: Value, home: Region) -> Option<usize> {
        let uses = ir.uses(value).iter().map(|found| found.user);
        let last = uses.filter_map(|user| {
            let is_part = matches!(ir[user].op, Op::CoopmatrixSlice(_));
            let part = ir[user].results.first().copied().filter(|_| is_part);
            let of_part = part.and_then(|part| self.last_use(ir, part, home));
            self.last(ir, user, home).max(of_part)
        });
        last.max()
    }

    /// The place up to which a use keeps a value of a region.
    fn last(&self, ir: &Ir, user: Inst, home: Region) -> Option<usize> {
        let mut last = self.begin(user)?;
        let mut region = ir.parent(user)?;
        while region != home {
            let owner = ir.owner(region)?;
            if ir[owner].op.info().side_effect == SideEffect::Loop {
                last = self.end(owner)?;
            }
            region = ir.parent(owner)?;
        }
        Some(last)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagnostics::Sources;
    use crate::driver;

    /// The pressure of a function of that body, with 16 work-items.
    fn pressure(body: &str) -> i64 {
        let mut ir = Ir::default();
        let text = format!(
            "func @f(%A: memref<f32x16x16>, %B: memref<f32x16x16>) attributes{{subgroup_size=16, work_group_size=[16,1]}} {{
                parallel {{
                    %0 = constant 0 : index
                    %4 = constant 4 : index
                    {body}
                }}
            }}"
        );
        let program =
            driver::parse(&mut ir, Sources::new().add("test", text.as_bytes()), text.as_bytes()).unwrap();
        matrix_pressure(&ir, *program.functions.first().unwrap(), 16)
    }

    const LOAD_A: &str = "%a = cooperative_matrix_load.n %A[%0,%0] : coopmatrix<f32x16x4,matrix_a>";
    const LOAD_B: &str = "%b = cooperative_matrix_load.n %B[%0,%0] : coopmatrix<f32x4x16,matrix_b>";
    const ZERO: &str = "%c = constant 0.0 : coopmatrix<f32x16x16,matrix_acc>";
    const A: i64 = 16 * 4 * 4;
    const B: i64 = 4 * 16 * 4;
    const C: i64 = 16 * 16 * 4;

    #[test]
    fn a_product_takes_its_factors_and_one_sum() {
        let product = format!(
            "{LOAD_A} {LOAD_B} {ZERO}
             %d = cooperative_matrix_mul_add %a, %b, %c : coopmatrix<f32x16x16,matrix_acc>
             cooperative_matrix_store %d, %A[%0,%0]"
        );
        assert_eq!(pressure(&product), A + B + C);
        assert_eq!(pressure(""), 0);
        assert_eq!(pressure(ZERO), 0);
    }

    #[test]
    fn a_loop_keeps_what_it_uses() {
        let iterations = |uses: &str| {
            format!(
                "{LOAD_A} {ZERO}
                 %e = for %k=%0,%4 init(%s=%c) -> (coopmatrix<f32x16x16,matrix_acc>) {{
                     {uses}
                     {LOAD_B}
                     %d = cooperative_matrix_mul_add %x, %b, %s : coopmatrix<f32x16x16,matrix_acc>
                     yield (%d)
                 }}
                 cooperative_matrix_store %e, %A[%0,%0]"
            )
        };
        // The factor of the loop itself is not there while the one from outside is loaded.
        let scaled = iterations(
            "%f = constant 2.0 : f32 %x = cooperative_matrix_scale %f, %a : coopmatrix<f32x16x4,matrix_a>",
        );
        assert_eq!(pressure(&scaled), A + A + B + C);
        let own = iterations(&LOAD_A.replace("%a", "%x"));
        assert_eq!(pressure(&own), A + B + C);
    }
}
