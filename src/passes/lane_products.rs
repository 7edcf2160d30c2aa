//! Gives each lane a whole product, or columns of products, where the rows of one would leave most lanes of a subgroup idle
//! (lowering reference 1.11).
//!
//! A lane that computes whole products stands for a work-group of the text: of n work-groups, number g does the work of as many as
//! it has lanes, from g times lanes on, and the last ones find none. So a launch stays as it is, whatever its size.

use super::context::Context;
use super::emit::Emit;
use super::error::{Error, internal};
use super::lower_linalg::{Output, for_each_below, lane, tensor};
use super::rewrite::{Rewriter, rewrite};
use crate::analysis::constant_of;
use crate::device::CoreInfo;
use crate::ir::{
    Atomic, BinaryOp, Builder, Built, CompareOp, Component, Func, Gemm, Grid, GridBuiltin, Inst, Ir, Load,
    Op, Store, Transpose, Type, Value,
};
use crate::schedule::{Grid as Subgroups, LaneProduct, LaneProducts, LaneWork, Schedule};

pub(super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("lane-products")?;
    let Some(chosen) = LaneProducts::of(ir, func, info) else { return Ok(()) };
    let overrides = Schedule::overrides(ir, func);
    Schedule { subgroup_size: chosen.lanes, grid: Subgroups::ONE, overrides }.write(ir, func);
    match chosen.work {
        LaneWork::Group(along) => {
            spread(ir, func, i64::from(chosen.lanes), along)?;
            context.decide(ir, func, None, || {
                let direction = along.to_string();
                format!(
                    "each lane does the work of a work-group in direction {}",
                    direction.trim_start_matches('.')
                )
            });
        }
        LaneWork::Columns => {
            context.decide(ir, func, None, || "each lane computes columns of the products".to_owned());
        }
    }
    let body = ir[func].body;
    rewrite(ir, body, &[&|rewriter, inst| lower(rewriter, inst, chosen, info)])
}

/// Puts the body of a function into a parallel region, in which each lane stands for a work-group, if there is one for it.
fn spread(ir: &mut Ir, func: Func, lanes: i64, along: Component) -> Result<(), Error> {
    let body = ir[func].body;
    let insts: Vec<Inst> = ir.insts(body).collect();
    let mut places = Vec::new();
    ir.walk(body, &mut |inst| {
        let Op::Grid(grid) = &ir[inst].op else { return };
        let is_place = grid.op == GridBuiltin::GroupId && grid.component == along;
        places.extend(ir[inst].results.iter().filter(|_| is_place));
    });
    let location = ir[func].location;
    Builder::new(ir, body, location).parallel(|builder| {
        let own = |op| Grid { op, component: along };
        let group = builder.value(own(GridBuiltin::GroupId), Type::INDEX)?;
        let groups = builder.value(own(GridBuiltin::NumGroups), Type::INDEX)?;
        let lane = lane(builder)?;
        let (lane, lanes) = (builder.cast(lane, Type::INDEX)?, builder.index(lanes)?);
        let first = builder.binary(BinaryOp::Mul, group, lanes)?;
        let place = builder.binary(BinaryOp::Add, first, lane)?;
        let is_one = builder.compare(CompareOp::LessThan, place, groups)?;
        builder.when(is_one, |builder| {
            places.into_iter().for_each(|own| builder.ir.replace_all_uses(own, place));
            insts.into_iter().for_each(|inst| builder.ir.move_inst(inst, builder.cursor));
            Ok(())
        })
    })
}

/// Builds the instructions of a product for a lane.
fn lower(
    rewriter: &mut Rewriter<'_>,
    inst: Inst,
    chosen: LaneProducts,
    info: &CoreInfo,
) -> Result<bool, Error> {
    let Op::Gemm(op) = rewriter.ir[inst].op.clone() else { return Ok(false) };
    let too_large = |ir: &Ir| internal(ir[inst].location, "a product that is too large for a lane");
    let sizes = LaneProduct::of(rewriter.ir, &op).ok_or_else(|| too_large(rewriter.ir))?;
    let at_once = match chosen.work {
        LaneWork::Columns => None,
        LaneWork::Group(_) => Some(chosen.at_once(&sizes, info).ok_or_else(|| too_large(rewriter.ir))?),
    };
    let builder = &mut rewriter.builder(inst)?;
    let product = Product { op: &op, sizes };
    match at_once {
        Some(at_once) => product.whole(builder, at_once)?,
        None => {
            let cols = builder.index(sizes.cols)?;
            for_each_below(builder, vec![cols], |builder, cols| {
                let left = product.left(builder)?;
                product.columns(builder, &left, cols)
            })?;
        }
    }
    rewriter.erase(inst);
    Ok(true)
}

/// A product that lanes compute.
struct Product<'a> {
    op: &'a Gemm,
    sizes: LaneProduct,
}

impl Product<'_> {
    /// All columns of C, of which so many are in registers at a time.
    fn whole(&self, builder: &mut Builder<'_>, at_once: i64) -> Result<(), Error> {
        let left = self.left(builder)?;
        let cols = numbers(builder, self.sizes.cols)?;
        let at_once = usize::try_from(at_once).unwrap_or(1).max(1);
        cols.chunks(at_once).try_for_each(|cols| self.columns(builder, &left, cols))
    }

    /// The columns of op(A).
    fn left(&self, builder: &mut Builder<'_>) -> Result<Vec<Vec<Value>>, Error> {
        let Gemm { a, transpose_a, .. } = *self.op;
        let columns = numbers(builder, self.sizes.depth)?;
        let columns = columns.into_iter().map(|k| self.column(builder, a, transpose_a, self.sizes.rows, k));
        columns.collect()
    }

    /// Some columns of C, for which all is loaded before any is stored; `left` holds the columns of op(A). Sums begin with what C holds
    /// where nothing scales either.
    fn columns(&self, builder: &mut Builder<'_>, left: &[Vec<Value>], cols: &[Value]) -> Result<(), Error> {
        let LaneProduct { rows, depth, .. } = self.sizes;
        let Gemm { atomic, alpha, beta, b, c, transpose_b, .. } = *self.op;
        let output = Output { atomic, alpha, beta, c };
        let is_sum = [alpha, beta].into_iter().all(|factor| is_one(builder.ir, factor));
        let begins = is_sum && atomic == Atomic::No && tensor(builder, c)?.0 == self.sizes.sum;
        let mut loaded = Vec::new();
        for &col in cols {
            let right = self.column(builder, b, transpose_b, depth, col)?;
            let sums = if begins { self.column(builder, c, Transpose::N, rows, col)? } else { Vec::new() };
            loaded.push((col, right, sums));
        }
        for (col, right, mut sums) in loaded {
            for (factors, right) in left.iter().zip(right) {
                let terms = factors.iter().map(|&factor| builder.binary(BinaryOp::Mul, factor, right));
                let terms: Vec<Value> = terms.collect::<Built<_>>()?;
                sums = if sums.is_empty() {
                    terms
                } else {
                    let pairs = sums.into_iter().zip(terms);
                    pairs.map(|(sum, term)| builder.binary(BinaryOp::Add, sum, term)).collect::<Built<_>>()?
                };
            }
            for (row, value) in numbers(builder, rows)?.into_iter().zip(sums) {
                if begins {
                    builder.emit(Store { value, to: c, indices: vec![row, col] }, &[])?;
                } else {
                    output.update(builder, value, &[row, col])?;
                }
            }
        }
        Ok(())
    }

    /// The first entries of a column of a matrix, or of its transpose, in the type of sums.
    fn column(
        &self,
        builder: &mut Builder<'_>,
        from: Value,
        transpose: Transpose,
        rows: i64,
        col: Value,
    ) -> Result<Vec<Value>, Error> {
        let element = tensor(builder, from)?.0;
        let mut values = Vec::new();
        for row in numbers(builder, rows)? {
            let indices = match transpose {
                Transpose::N => vec![row, col],
                Transpose::T => vec![col, row],
            };
            let value = builder.value(Load { from, indices }, element)?;
            values.push(builder.cast(value, self.sizes.sum)?);
        }
        Ok(values)
    }
}

/// The numbers below `end`, as indices.
fn numbers(builder: &mut Builder<'_>, end: i64) -> Built<Vec<Value>> {
    (0..end).map(|number| builder.index(number)).collect()
}

fn is_one(ir: &Ir, factor: Value) -> bool {
    constant_of(ir, factor).is_some_and(|constant| constant.is(1))
}
