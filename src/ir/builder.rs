//! Makes instructions one after the other at the end of a region.

use super::constant::Constant;
use super::entities::{Inst, Ir, Region, Value};
use super::instructions::{ConstantInst, For, If, Op, Parallel, Yield};
use super::rules::Violation;
use super::types::Type;
use crate::diagnostics::Location;

/// A place to build at: the end of a region.
pub struct Builder<'a> {
    /// The arena.
    pub ir: &'a mut Ir,
    /// Where instructions go.
    pub region: Region,
    /// The place in the text that new instructions are said to come from.
    pub location: Location,
}

/// Result of building.
pub type Built<T> = Result<T, Violation>;

impl<'a> Builder<'a> {
    /// A builder at the end of `region`.
    pub fn new(ir: &'a mut Ir, region: Region, location: Location) -> Builder<'a> {
        Builder { ir, region, location }
    }

    /// A builder at the end of another region of the same arena.
    pub fn inside(&mut self, region: Region) -> Builder<'_> {
        Builder { ir: self.ir, region, location: self.location }
    }

    /// Appends an instruction.
    ///
    /// # Errors
    /// The rule of the instruction that is broken.
    pub fn emit(&mut self, op: impl Into<Op>, results: &[Type]) -> Built<Inst> {
        let inst = self.ir.create(op, results, self.location)?;
        self.ir[self.region].insts.push(inst);
        Ok(inst)
    }

    /// Appends an instruction with one result.
    ///
    /// # Errors
    /// As [`Builder::emit`].
    pub fn value(&mut self, op: impl Into<Op>, ty: impl Into<Type>) -> Built<Value> {
        let inst = self.emit(op, &[ty.into()])?;
        self.ir[inst].results.first().copied().ok_or_else(|| self.missing("a result"))
    }

    /// Appends a constant.
    ///
    /// # Errors
    /// If the constant does not fit the type.
    pub fn constant(&mut self, value: Constant, ty: impl Into<Type>) -> Built<Value> {
        self.value(ConstantInst { value }, ty)
    }

    /// Appends a loop; `body` returns the values for the next turn.
    ///
    /// # Errors
    /// As [`Builder::emit`], or what `body` returns.
    pub fn for_loop<E: From<Violation>>(
        &mut self,
        head: For,
        body: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Result<Vec<Value>, E>,
    ) -> Result<Vec<Value>, E> {
        let types: Vec<Type> = head.init.iter().map(|&value| self.ir.ty(value).clone()).collect();
        let inst = self.emit(head, &types)?;
        let region = self.region_of(inst, 0)?;
        let parameters = self.ir[region].parameters.clone();
        let [variable, carried @ ..] = parameters.as_slice() else {
            return Err(self.missing("a loop variable").into());
        };
        let mut inner = self.inside(region);
        let values = body(&mut inner, *variable, carried)?;
        if !types.is_empty() {
            inner.emit(Yield { values }, &[])?;
        }
        Ok(self.ir[inst].results.to_vec())
    }

    /// Appends a branch; both sides return the results.
    ///
    /// # Errors
    /// As [`Builder::emit`], or what a side returns.
    pub fn branch<E: From<Violation>>(
        &mut self,
        condition: Value,
        types: &[Type],
        then: impl FnOnce(&mut Builder<'_>) -> Result<Vec<Value>, E>,
        otherwise: impl FnOnce(&mut Builder<'_>) -> Result<Vec<Value>, E>,
    ) -> Result<Vec<Value>, E> {
        let inst = self.emit(If { condition }, types)?;
        let region = self.region_of(inst, 0)?;
        let values = then(&mut self.inside(region))?;
        self.end_branch(region, types, values)?;
        let region = self.region_of(inst, 1)?;
        let values = otherwise(&mut self.inside(region))?;
        self.end_branch(region, types, values)?;
        Ok(self.ir[inst].results.to_vec())
    }

    fn end_branch(&mut self, region: Region, types: &[Type], values: Vec<Value>) -> Built<()> {
        if !types.is_empty() {
            self.inside(region).emit(Yield { values }, &[])?;
        }
        Ok(())
    }

    /// Appends a parallel region.
    ///
    /// # Errors
    /// What `body` returns.
    pub fn parallel<E: From<Violation>>(
        &mut self,
        body: impl FnOnce(&mut Builder<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let inst = self.emit(Parallel {}, &[])?;
        let region = self.region_of(inst, 0)?;
        body(&mut self.inside(region))
    }

    fn region_of(&self, inst: Inst, index: usize) -> Built<Region> {
        self.ir[inst].regions.get(index).copied().ok_or_else(|| self.missing("a region"))
    }

    /// A declaration that lacks what its builder relies on.
    fn missing(&self, what: &str) -> Violation {
        let detail = format!("the instruction lacks {what}");
        Violation::new(crate::status::Status::InternalCompilerError, self.location, detail)
    }
}
