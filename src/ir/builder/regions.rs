//! Instructions with regions: the closures get a builder inside the region and what is defined there.

use super::super::entities::{Inst, Region, Value};
use super::super::instructions::{CoopmatrixApply, For, Foreach, ForeachTile, If, Parallel, Yield};
use super::super::rules::Violation;
use super::super::types::Type;
use super::{Builder, Built};

impl Builder<'_> {
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

    /// Appends a loop over all points between lower and upper bounds; `body` gets the point.
    ///
    /// # Errors
    /// As [`Builder::emit`], or what `body` returns.
    pub fn foreach<E: From<Violation>>(
        &mut self,
        from: Vec<Value>,
        to: Vec<Value>,
        body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Result<(), E>,
    ) -> Result<(), E> {
        let inst = self.emit(Foreach { from, to }, &[])?;
        let region = self.region_of(inst, 0)?;
        let point = self.ir[region].parameters.clone();
        body(&mut self.inside(region), &point)
    }

    /// Appends a loop over tiles; `body` gets the first point of the tile and its sizes.
    ///
    /// # Errors
    /// As [`Builder::emit`], or what `body` returns.
    pub fn foreach_tile<E: From<Violation>>(
        &mut self,
        range: ForeachTile,
        body: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Result<(), E>,
    ) -> Result<(), E> {
        let modes = range.from.len();
        let inst = self.emit(range, &[])?;
        let region = self.region_of(inst, 0)?;
        let parameters = self.ir[region].parameters.clone();
        let (start, sizes) =
            parameters.split_at_checked(modes).ok_or_else(|| self.missing("the sizes of a tile"))?;
        body(&mut self.inside(region), start, sizes)
    }

    /// Appends the computation of every entry of a matrix; `body` gets row, column and entry, and returns
    /// the new entry.
    ///
    /// # Errors
    /// As [`Builder::emit`], or what `body` returns.
    pub fn apply<E: From<Violation>>(
        &mut self,
        matrix: Value,
        body: impl FnOnce(&mut Builder<'_>, [Value; 3]) -> Result<Value, E>,
    ) -> Result<Value, E> {
        let ty = self.ir.ty(matrix).clone();
        let inst = self.emit(CoopmatrixApply { matrix }, &[ty])?;
        let region = self.region_of(inst, 0)?;
        let &[row, column, entry] = self.ir[region].parameters.as_slice() else {
            return Err(self.missing("the place of an entry").into());
        };
        let mut inner = self.inside(region);
        let value = body(&mut inner, [row, column, entry])?;
        inner.emit(Yield { values: vec![value] }, &[])?;
        Ok(self.ir[inst].results.first().copied().ok_or_else(|| self.missing("a result"))?)
    }

    fn region_of(&self, inst: Inst, index: usize) -> Built<Region> {
        self.ir[inst].regions.get(index).copied().ok_or_else(|| self.missing("a region"))
    }
}
