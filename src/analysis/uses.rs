//! Number of uses of each value.

use crate::ir::{Inst, Ir, Region, Value};
use std::collections::HashMap;

/// Number of uses of each value.
#[derive(Debug, Default)]
pub struct UseCounts(HashMap<Value, usize>);

impl UseCounts {
    /// Counts the uses in a region and the regions in it.
    pub fn new(ir: &Ir, region: Region) -> UseCounts {
        let mut counts = UseCounts::default();
        ir.walk(region, &mut |inst| counts.add(ir, inst));
        counts
    }

    fn add(&mut self, ir: &Ir, inst: Inst) {
        ir[inst].op.visit_operands(&mut |value| *self.0.entry(value).or_default() += 1);
    }

    /// Takes back the uses by an instruction and by the regions in it.
    pub fn remove(&mut self, ir: &Ir, inst: Inst) {
        let forget = |counts: &mut UseCounts, inst: Inst| {
            ir[inst].op.visit_operands(&mut |value| {
                if let Some(count) = counts.0.get_mut(&value) {
                    *count = count.saturating_sub(1);
                }
            });
        };
        forget(self, inst);
        for &region in &ir[inst].regions {
            ir.walk(region, &mut |inner| forget(self, inner));
        }
    }

    /// Returns whether a value is used.
    pub fn is_used(&self, value: Value) -> bool {
        self.0.get(&value).is_some_and(|&count| count > 0)
    }
}
