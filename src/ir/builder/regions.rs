//! Instructions with regions: the closures get a builder inside the region and what is defined there.

use super::super::entities::{Inst, Region, Value};
use super::super::instructions::{CoopmatrixApply, For, Foreach, ForeachTile, If, Parallel, Yield};
use super::super::rules::VerifierError;
use super::super::types::Type;
use super::{Builder, Built};

impl Builder<'_> {
    /// Appends a loop; `body` returns the values for the next iteration.
    ///
    /// ```
    /// # use tiletc::{diagnostics::Location, driver, ir::*};
    /// # let mut ir = Ir::default();
    /// // The product of n copies of x.
    /// let parameters = [("x", Scalar::F64.into()), ("n", Type::I32)];
    /// let func = Builder::function(&mut ir, "power", parameters, Location::default(), |b, [x, n]| {
    ///     let zero = b.constant(Constant::Int(0), Type::I32)?;
    ///     let one = b.constant(Constant::Float(1.0), Scalar::F64)?;
    ///     let attributes = ForAttributes { unroll: Some(Unroll::By(4)), ..ForAttributes::default() };
    ///     let range = For { from: zero, to: n, step: None, init: vec![one], attributes };
    ///     b.for_loop(range, |b, _, carried| {
    ///         let product = b.value(Binary { op: BinaryOp::Mul, a: carried[0], b: x }, Scalar::F64)?;
    ///         Ok::<_, VerifierError>(vec![product])
    ///     })?;
    ///     Ok::<_, VerifierError>(())
    /// })?;
    /// let text = driver::print(&ir, &Program { functions: vec![func] }).to_string();
    /// assert!(text.contains("%4 = for %2=%0,%n init(%3=%1) -> (f64) {"), "{text}");
    /// assert!(text.contains("yield (%5)"), "{text}");
    /// # Ok::<_, VerifierError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Builder::emit`], or what `body` returns.
    pub fn for_loop<E: From<VerifierError>>(
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
    /// ```
    /// # use tiletc::{diagnostics::Location, ir::*};
    /// # let mut ir = Ir::default();
    /// // n, or 0 if n is negative.
    /// Builder::function(&mut ir, "clamp", [("n", Type::I32)], Location::default(), |b, [n]| {
    ///     let zero = b.constant(Constant::Int(0), Type::I32)?;
    ///     let positive = b.value(Compare { op: CompareOp::GreaterThan, a: n, b: zero }, Type::Bool)?;
    ///     let results = b.branch(positive, &[Type::I32], |_| Ok(vec![n]), |_| Ok(vec![zero]))?;
    ///     assert_eq!(b.ir.ty(results[0]), &Type::I32);
    ///     Ok::<_, VerifierError>(())
    /// })?;
    /// # Ok::<_, VerifierError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Builder::emit`], or what a side returns.
    pub fn branch<E: From<VerifierError>>(
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
    pub fn parallel<E: From<VerifierError>>(
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
    pub fn foreach<E: From<VerifierError>>(
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
    /// ```
    /// # use tiletc::{diagnostics::Location, driver, ir::*};
    /// # let mut ir = Ir::default();
    /// // Doubles a matrix, tile by tile.
    /// let matrix = Memref::packed(Scalar::F32, vec![Extent::Dynamic; 2], AddressSpace::Global);
    /// let func = Builder::function(&mut ir, "double", [("A", matrix.into())], Location::default(), |b, [a]| {
    ///     let zero = b.constant(Constant::Int(0), Type::INDEX)?;
    ///     let two = b.constant(Constant::Float(2.0), Scalar::F32)?;
    ///     let rows = b.value(Size { of: a, mode: 0 }, Type::INDEX)?;
    ///     let cols = b.value(Size { of: a, mode: 1 }, Type::INDEX)?;
    ///     let tile = Coopmatrix { component: Scalar::F32, rows: 32, cols: 8, usage: MatrixUse::Acc };
    ///     let range = ForeachTile { from: vec![zero, zero], to: vec![rows, cols], tile_shape: vec![32, 8] };
    ///     b.foreach_tile(range, |b, start, _| {
    ///         let (transpose, checked, x, y) = (Transpose::N, Checked::Both, start[0], start[1]);
    ///         let old = b.value(CoopmatrixLoad { transpose, checked, from: a, x, y, attributes: Default::default(), io: None }, tile)?;
    ///         let value = b.value(CoopmatrixScale { scalar: two, matrix: old }, tile)?;
    ///         b.emit(CoopmatrixStore { transpose, checked, value, to: a, x, y, io: None }, &[])?;
    ///         Ok::<_, VerifierError>(())
    ///     })
    /// })?;
    /// let text = driver::print(&ir, &Program { functions: vec![func] }).to_string();
    /// assert!(text.contains("foreach_tile (%4,%5)=(%0,%0),(%2,%3) as (%6,%7)<=(32,8) {"), "{text}");
    /// # Ok::<_, VerifierError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Builder::emit`], or what `body` returns.
    pub fn foreach_tile<E: From<VerifierError>>(
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
    /// ```
    /// # use tiletc::{diagnostics::Location, ir::*};
    /// # let mut ir = Ir::default();
    /// // A unit matrix.
    /// Builder::function(&mut ir, "unit", [], Location::default(), |b, []| {
    ///     b.parallel(|b| {
    ///         let shape = Coopmatrix { component: Scalar::F32, rows: 16, cols: 16, usage: MatrixUse::A };
    ///         let zeros = b.constant(Constant::Float(0.0), shape)?;
    ///         let one = b.constant(Constant::Float(1.0), Scalar::F32)?;
    ///         b.apply(zeros, |b, [row, column, zero]| {
    ///             let diagonal = b.value(Compare { op: CompareOp::Equal, a: row, b: column }, Type::Bool)?;
    ///             let types = [Scalar::F32.into()];
    ///             let entry = b.branch(diagonal, &types, |_| Ok(vec![one]), |_| Ok(vec![zero]))?;
    ///             Ok::<_, VerifierError>(entry[0])
    ///         })?;
    ///         Ok::<_, VerifierError>(())
    ///     })
    /// })?;
    /// # Ok::<_, VerifierError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Builder::emit`], or what `body` returns.
    pub fn apply<E: From<VerifierError>>(
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

    /// A region of an instruction.
    ///
    /// # Errors
    /// An internal error if the instruction has no region of this number.
    pub fn region_of(&self, inst: Inst, index: usize) -> Built<Region> {
        self.ir[inst].regions.get(index).copied().ok_or_else(|| self.missing("a region"))
    }
}
