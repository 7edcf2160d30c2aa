//! The state of a function that is being lowered.

use super::error::Error;
use super::module_builder::{Emitted, ModuleBuilder};
use super::values::{Lowered, Values};
use crate::analysis::{Divisors, Surfaces, lane_values};
use crate::ir::{Func, Ir, Op, Scalar, Type, Value};
use crate::schedule::Schedule;
use rspirv::spirv::Word;
use std::cell::OnceCell;
use std::collections::HashSet;

/// A function that is being lowered.
pub(super) struct FunctionLowering<'e, 'a> {
    pub module: &'e mut ModuleBuilder<'a>,
    pub ir: &'e Ir,
    pub values: Values,
    pub subgroup_size: i64,
    pub schedule: Schedule,
    func: Func,
    /// Answers whether memrefs are surfaces, computed when first asked for.
    surfaces: OnceCell<Surfaces>,
    /// Values that differ between the work-items of a subgroup, computed when first asked for.
    lane_values: OnceCell<HashSet<Value>>,
    /// The answer to whether there are barriers, found when first asked for.
    barriers: OnceCell<bool>,
    /// The array in local memory that holds all allocations.
    pub local_memory: Option<Word>,
    /// The loops around what is lowered, the innermost last.
    pub loops: Vec<OpenLoop>,
}

/// A loop whose body is being lowered.
pub(super) struct OpenLoop {
    /// The block behind the loop.
    pub merge: Word,
    /// The blocks that leave it early.
    pub breaks: Vec<Word>,
}

impl<'e, 'a> FunctionLowering<'e, 'a> {
    /// The beginning of a function.
    pub fn new(
        module: &'e mut ModuleBuilder<'a>,
        ir: &'e Ir,
        func: Func,
        schedule: Schedule,
    ) -> FunctionLowering<'e, 'a> {
        FunctionLowering {
            module,
            ir,
            values: Values::default(),
            subgroup_size: i64::from(schedule.subgroup_size),
            schedule,
            func,
            surfaces: OnceCell::new(),
            lane_values: OnceCell::new(),
            barriers: OnceCell::new(),
            local_memory: None,
            loops: Vec::new(),
        }
    }

    /// Known divisors of the numbers and extents of the function.
    pub fn divisors(&self) -> &Divisors {
        self.surfaces().divisors()
    }

    /// Answers whether the memrefs of the function are surfaces.
    pub fn surfaces(&self) -> &Surfaces {
        let alignment = self.module.info.default_alignment();
        self.surfaces.get_or_init(|| Surfaces::new(self.ir, self.func, alignment))
    }

    /// Returns whether arithmetic makes a value from the place of the work-item in its subgroup.
    pub fn depends_on_lane(&self, value: Value) -> bool {
        self.lane_values.get_or_init(|| lane_values(self.ir, self.func)).contains(&value)
    }

    /// Returns whether subgroups wait for each other somewhere in the function. The first half of a barrier is a whole one where devices have no
    /// halves.
    pub fn has_barriers(&self) -> bool {
        *self.barriers.get_or_init(|| {
            let mut found = false;
            self.ir.walk(self.ir[self.func].body, &mut |inst| {
                found |= matches!(self.ir[inst].op, Op::Barrier(_) | Op::BarrierArrive(_))
            });
            found
        })
    }

    pub fn component(&self, ty: &Type) -> Emitted<Scalar> {
        ty.component().ok_or(Error::UndefinedValue(self.values.location))
    }

    /// A copy of the counterpart of a value.
    pub fn copy(&mut self, value: Value) -> Emitted<Lowered> {
        let lowered = self.values.get(value)?;
        self.module.grow(lowered.ids().len())?;
        Ok(lowered.clone())
    }
}
