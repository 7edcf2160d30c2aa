//! Loops over a product whose factors may read anything outside of their memrefs, since nobody sees what becomes of it: one version
//! for all work-groups, without a test of rows or columns in the loop.
//!
//! The accumulators of a row that is outside of A, or of a column outside of B, are what they were before the loop. Such a row or
//! column is stored only if the memref of the store has more of them than the factor's, which is tested behind the loop.

use super::super::super::emit::Emit as _;
use super::super::super::error::{Error, internal};
use super::super::entry::{both, defers};
use super::accesses::{self, Access, all_insts, load_access};
use super::apart::{stored_size, stores};
use crate::analysis::{Interval, constant_of};
use crate::diagnostics::Location;
use crate::ir::{
    BinaryOp, Boundary, Builder, CompareOp, Constant, For, Inst, Ir, MatrixUse, Op, Region, Select,
    TileApply, TileDot, Type, Value, Yield,
};

/// A loop whose iterations add the product of two factors to accumulators, which all begin with a number.
struct Product {
    inst: Inst,
    location: Location,
    result: Value,
    begin: Constant,
    /// The factors that may read anything outside.
    factors: Vec<Factor>,
}

/// A load of a factor, of which nobody sees what is outside in a mode.
struct Factor {
    load: Access,
    usage: MatrixUse,
    mode: usize,
    /// The memref whose size bounds what is stored of the mode, and its mode.
    stored: (Value, i64),
}

/// Lets the factors of products in loops read anything outside, unless a load of theirs is `kept`; returns the stores of what is computed
/// of them.
pub(super) fn run(
    ir: &mut Ir,
    range: &[Inst],
    kept: &dyn Fn(&Ir, &Access) -> bool,
) -> Result<Vec<Inst>, Error> {
    let mut found = Vec::new();
    for inst in all_insts(ir, range) {
        let Some(product) = Product::of(ir, inst) else { continue };
        if !product.factors.iter().any(|factor| kept(ir, &factor.load)) {
            found.extend(stores(ir, product.result).into_iter().flatten());
            product.leave_undefined(ir)?;
        }
    }
    Ok(found)
}

impl Product {
    /// The product that a loop does nothing but add up, if factors of it may read anything outside.
    fn of(ir: &Ir, inst: Inst) -> Option<Product> {
        let Op::For(For { init, .. }) = &ir[inst].op else { return None };
        let (&[result], &[init]) = (ir[inst].results.as_slice(), init.as_slice()) else { return None };
        let begin = constant_of(ir, init)?;
        let &region = ir[inst].regions.first()?;
        let &[_, carried] = ir[region].parameters.as_slice() else { return None };
        let (products, others): (Vec<Inst>, Vec<Inst>) =
            ir.insts(region).partition(|&inner| matches!(ir[inner].op, Op::TileDot(_)));
        let is_free = |&inner: &Inst| {
            let data = &ir[inner];
            data.regions.is_empty() && data.op.is_removable_if_unused()
                || matches!(data.op, Op::Yield(_) | Op::TileLoad(_) | Op::TilePrefetch(_))
        };
        let &[product] = products.as_slice() else { return None };
        let Op::TileDot(TileDot { a, b, c, .. }) = &ir[product].op else { return None };
        let &sum = ir[product].results.first()?;
        let uses = [carried, sum].map(|value| ir.uses(value));
        let adds_up = *c == carried
            && uses.iter().all(|uses| uses.len() == 1)
            && uses
                .concat()
                .iter()
                .all(|used| used.user == product || matches!(ir[used.user].op, Op::Yield(_)));
        if !adds_up || !others.iter().all(is_free) {
            return None;
        }
        let factors = [*a, *b].map(|factor| Factor::of(ir, factor, region));
        let factors: Vec<Factor> =
            factors.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
        let location = ir[inst].location;
        (!factors.is_empty()).then_some(Product { inst, location, result, begin, factors })
    }

    fn leave_undefined(&self, ir: &mut Ir) -> Result<(), Error> {
        let builder = &mut Builder::before(ir, self.inst)?;
        let (mut is_there, mut is_covered) = (None, None);
        for Factor { load, mode, stored: (stored, stored_mode), .. } in &self.factors {
            let (zero, size) = (builder.index(0)?, builder.size(load.memref, i64::from(*mode == 1))?);
            let has_some = builder.compare(CompareOp::GreaterThan, size, zero)?;
            is_there = Some(joined(builder, is_there, has_some)?);
            let stored = builder.size(*stored, *stored_mode)?;
            let covers = builder.compare(CompareOp::LessThanEqual, stored, size)?;
            is_covered = Some(joined(builder, is_covered, covers)?);
        }
        let missing = || internal(self.location, "a loop without factors");
        let (condition, is_covered) = is_there.zip(is_covered).ok_or_else(missing)?;
        let Op::For(For { from, to, .. }) = builder.ir[self.inst].op.clone() else { return Err(missing()) };
        // What has no element to read in the place of another leaves the accumulators as they are.
        let ty = builder.ir.ty(to).clone();
        let end = builder.folded(Select { condition, a: to, b: from }, ty)?;
        ir.update(self.inst, |op| {
            if let Op::For(For { to, .. }) = op {
                *to = end;
            }
        });
        for Factor { load, mode, .. } in &self.factors {
            ir.update(load.inst, |op| {
                if let Op::TileLoad(load) = op
                    && let Some(boundary) = load.boundary.0.get_mut(*mode)
                {
                    *boundary = Boundary::Undefined;
                }
            });
        }
        self.restore(ir, is_covered)
    }

    /// Gives rows and columns that are outside of a factor what they were before the loop, if some of them are stored.
    fn restore(&self, ir: &mut Ir, is_covered: Value) -> Result<(), Error> {
        if constant_of(ir, is_covered) == Some(Constant::Bool(true)) {
            return Ok(());
        }
        let ty = ir.ty(self.result).clone();
        let builder = &mut Builder::after(ir, self.inst)?;
        let types = std::slice::from_ref(&ty);
        let keep = |_: &mut Builder<'_>| Ok(vec![self.result]);
        let restored = builder
            .branch::<Error>(is_covered, types, keep, |builder| Ok(vec![self.restored(builder, &ty)?]))?;
        let missing = || internal(self.location, "a branch without a result");
        let &restored = restored.first().ok_or_else(missing)?;
        let branch = builder.ir.defining_inst(restored).ok_or_else(missing)?;
        let mut inside = Vec::new();
        ir.walk_inst(branch, &mut |inst| inside.push(inst));
        ir.replace_all_uses(self.result, restored);
        for inst in inside {
            let renamed = |value: &mut Value| {
                if *value == restored {
                    *value = self.result;
                }
            };
            if matches!(ir[inst].op, Op::TileApply(_) | Op::Yield(_)) {
                ir.update(inst, |op| op.visit_operands_mut(&mut { renamed }));
            }
        }
        Ok(())
    }

    /// The accumulators, with the number that they began with where they are outside of a factor.
    fn restored(&self, builder: &mut Builder<'_>, ty: &Type) -> Result<Value, Error> {
        let missing = || internal(self.location, "accumulators without entries");
        let tile = ty.tile().ok_or_else(missing)?;
        let mut rows_left = builder.constant(Constant::Int(tile.rows), Type::I32)?;
        let mut cols_left = builder.constant(Constant::Int(tile.cols), Type::I32)?;
        for Factor { load, usage, mode, .. } in &self.factors {
            let (&first, &extent) = load.at.get(*mode).zip(load.extent.get(*mode)).ok_or_else(missing)?;
            let size = builder.size(load.memref, i64::from(*mode == 1))?;
            let (extent, zero) = (builder.index(extent)?, builder.index(0)?);
            let left = builder.binary(BinaryOp::Sub, size, first)?;
            let left = builder.binary(BinaryOp::Min, left, extent)?;
            let left = builder.binary(BinaryOp::Max, left, zero)?;
            *(if *usage == MatrixUse::A { &mut rows_left } else { &mut cols_left }) =
                builder.cast(left, Type::I32)?;
        }
        let inst = builder.emit(TileApply { tiles: vec![self.result] }, std::slice::from_ref(ty))?;
        let data = &builder.ir[inst];
        let (&region, &result) = data.regions.first().zip(data.results.first()).ok_or_else(missing)?;
        let &[row, col, entry] = builder.ir[region].parameters.as_slice() else { return Err(missing()) };
        let inner = &mut builder.inside(region);
        // All lanes have the same columns, which therefore decide how many rows there are.
        let zero = inner.constant(Constant::Int(0), Type::I32)?;
        let condition = inner.compare(CompareOp::LessThan, col, cols_left)?;
        let rows = inner.folded(Select { condition, a: rows_left, b: zero }, Type::I32)?;
        let condition = inner.compare(CompareOp::LessThan, row, rows)?;
        let begin = inner.constant(self.begin, tile.component)?;
        let entry = inner.folded(Select { condition, a: entry, b: begin }, tile.component)?;
        inner.emit(Yield { values: vec![entry] }, &[])?;
        Ok(result)
    }
}

impl Factor {
    /// The factor if it may read anything outside, nothing if it has no need to; `None` if it must not.
    fn of(ir: &Ir, factor: Value, region: Region) -> Option<Vec<Factor>> {
        let inst = ir.defining_inst(factor)?;
        let Op::TileLoad(op) = &ir[inst].op else { return None };
        if !ir.loads_as_it_is(inst) || !defers(ir, inst) || op.other.is_some() {
            return None;
        }
        let load = load_access(ir, inst, op, &[])?;
        let mode = load.outer_mode?;
        if load.boundary.get(mode) != Some(&Boundary::Zero)
            || accesses::is_inside(ir, &load, mode) == Some(true)
        {
            return Some(Vec::new());
        }
        let [at, along_k] = [*load.at.get(mode)?, *load.at.get(1 - mode)?];
        let is_inner = ir[region].parameters.contains(&at)
            || ir.defining_inst(at).is_some_and(|inst| ir.parent(inst) == Some(region));
        let is_positive = [at, along_k].iter().all(|&value| Interval::of(ir, value).min >= 0);
        let stored = stored_size(ir, &load, mode).filter(|_| is_positive && !is_inner)?;
        let usage = ir.ty(factor).tile()?.usage;
        Some(vec![Factor { load, usage, mode, stored }])
    }
}

fn joined(builder: &mut Builder<'_>, condition: Option<Value>, other: Value) -> Result<Value, Error> {
    match condition {
        Some(condition) => both(builder, condition, other),
        None => Ok(other),
    }
}
