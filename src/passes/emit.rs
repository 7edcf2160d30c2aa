//! Building with instant folding: index arithmetic on constants leaves constants, loops that run once
//! leave their body (lowering reference 1.8).

use super::error::Error;
use super::fold::fold;
use crate::analysis::{constant_of, integer_of};
use crate::ir::{
    self, AddressSpace, Binary, BinaryOp, Builder, Built, Cast, Compare, CompareOp, Component, Constant, For,
    ForAttributes, If, Ir, MemoryScope, Op, Size, SubgroupId, Type, Value,
};

/// Unroll factor of a loop, as its attribute says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unroll {
    /// As the driver thinks best.
    Default,
    /// Not at all.
    Never,
}

/// Helpers that lowering passes build with.
pub(super) trait Emit {
    fn index(&mut self, value: i64) -> Built<Value>;
    fn folded(&mut self, op: impl Into<Op>, ty: impl Into<Type>) -> Built<Value>;
    fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Built<Value>;
    fn compare(&mut self, op: CompareOp, a: Value, b: Value) -> Built<Value>;
    fn cast(&mut self, a: Value, ty: impl Into<Type>) -> Built<Value>;
    fn size(&mut self, of: Value, mode: i64) -> Built<Value>;
    fn subgroup_id(&mut self, component: Component, subgroups: i64) -> Built<Value>;
    fn atomic_scope(&self, output: Value) -> MemoryScope;
    fn loop_over(
        &mut self,
        range: Range,
        init: Vec<Value>,
        body: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Result<Vec<Value>, Error>,
    ) -> Result<Vec<Value>, Error>;
    fn when(
        &mut self,
        condition: Value,
        body: impl FnOnce(&mut Builder<'_>) -> Result<(), Error>,
    ) -> Result<(), Error>;
    fn either(
        &mut self,
        condition: Value,
        side: &mut dyn FnMut(&mut Builder<'_>, bool) -> Result<(), Error>,
    ) -> Result<(), Error>;
}

/// The bounds of a loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub from: Value,
    pub to: Value,
    pub step: Value,
    pub unroll: Unroll,
}

/// Number of iterations that a loop is known to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trips {
    None,
    One,
    Any,
}

/// Counts the iterations of a loop with a positive step.
pub(super) fn trips(ir: &Ir, from: Value, to: Value, step: Value) -> Trips {
    let known = |value| integer_of(ir, value);
    match (known(from), known(to), known(step)) {
        (Some(first), Some(end), _) if first >= end => Trips::None,
        (Some(first), Some(end), Some(stride)) if first.saturating_add(stride) >= end => Trips::One,
        _ => Trips::Any,
    }
}

impl Emit for Builder<'_> {
    fn index(&mut self, value: i64) -> Built<Value> {
        self.constant(Constant::Int(value), Type::INDEX)
    }

    /// Appends an instruction, or what it is equal to.
    fn folded(&mut self, op: impl Into<Op>, ty: impl Into<Type>) -> Built<Value> {
        let (op, ty) = (op.into(), ty.into());
        match fold(self.ir, &op, &ty, false) {
            None => self.value(op, ty),
            Some(folded) => folded.emit(self, ty),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Built<Value> {
        let ty = self.ir.ty(a).clone();
        self.folded(Binary { op, a, b }, ty)
    }

    fn compare(&mut self, op: CompareOp, a: Value, b: Value) -> Built<Value> {
        self.folded(Compare { op, a, b }, Type::Bool)
    }

    fn cast(&mut self, a: Value, ty: impl Into<Type>) -> Built<Value> {
        self.folded(Cast { a }, ty)
    }

    fn size(&mut self, of: Value, mode: i64) -> Built<Value> {
        self.folded(Size { of, mode }, Type::INDEX)
    }

    /// Place of the subgroup among so many in a direction, as an index; the only one is number 0.
    fn subgroup_id(&mut self, component: Component, subgroups: i64) -> Built<Value> {
        if subgroups == 1 {
            return self.index(0);
        }
        let id = self.value(SubgroupId { component }, Type::I32)?;
        self.cast(id, Type::INDEX)
    }

    /// Scope in which memory may be updated atomically at the same time: other work-groups too, if they can reach it.
    fn atomic_scope(&self, output: Value) -> MemoryScope {
        match self.ir.ty(output).memref().map(|memref| memref.space) {
            Some(AddressSpace::Local) => MemoryScope::WorkGroup,
            _ => MemoryScope::Device,
        }
    }

    /// Appends a loop, its body alone if it runs once, or nothing if it never runs.
    fn loop_over(
        &mut self,
        range: Range,
        init: Vec<Value>,
        body: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Result<Vec<Value>, Error>,
    ) -> Result<Vec<Value>, Error> {
        let Range { from, to, step, unroll } = range;
        match trips(self.ir, from, to, step) {
            Trips::None => return Ok(init),
            Trips::One => return body(self, from, &init),
            Trips::Any => {}
        }
        let unroll = (unroll == Unroll::Never).then_some(ir::Unroll::Never);
        let attributes = ForAttributes { unroll, ..ForAttributes::default() };
        self.for_loop(For { from, to, step: Some(step), init, attributes }, body)
    }

    /// Appends a branch, its body alone if the condition is known to hold, or nothing if not.
    fn when(
        &mut self,
        condition: Value,
        body: impl FnOnce(&mut Builder<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        match constant_of(self.ir, condition) {
            Some(Constant::Bool(true)) => body(self),
            Some(Constant::Bool(false)) => Ok(()),
            _ => {
                let then = |builder: &mut Builder<'_>| body(builder).map(|()| Vec::new());
                self.branch::<Error>(condition, &[], then, |_| Ok(Vec::new()))?;
                Ok(())
            }
        }
    }

    /// Appends a branch, of which `side` appends both sides: that where the condition holds, and that where it does not.
    fn either(
        &mut self,
        condition: Value,
        side: &mut dyn FnMut(&mut Builder<'_>, bool) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let inst = self.emit(If { condition }, &[])?;
        for (number, holds) in [true, false].into_iter().enumerate() {
            let region = self.region_of(inst, number)?;
            side(&mut self.inside(region), holds)?;
        }
        Ok(())
    }
}
