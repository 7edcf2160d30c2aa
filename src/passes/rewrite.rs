//! Helpers for passes that replace values.

use crate::ir::{Inst, Ir, Value};
use std::collections::HashMap;

/// Values that stand for others from now on.
#[derive(Debug, Default)]
pub(super) struct Substitution(HashMap<Value, Value>);

impl Substitution {
    /// From now on `new` stands for `old`. No chain may lead back to `old`.
    pub fn replace(&mut self, old: Value, new: Value) {
        self.0.insert(old, new);
    }

    /// Makes of a value the one that stands for it now, however often it was replaced.
    pub fn resolve(&self, value: &mut Value) {
        while let Some(&new) = self.0.get(value) {
            *value = new;
        }
    }

    /// Replaces the operands of an instruction.
    pub fn apply(&self, ir: &mut Ir, inst: Inst) {
        if !self.0.is_empty() {
            ir[inst].op.visit_operands_mut(&mut |value| self.resolve(value));
        }
    }
}
