//! Gives each lane a whole product, or columns of products, where the rows of one would leave most lanes of a subgroup idle
//! (lowering reference 1.11).
//!
//! A lane that computes whole products stands for a work-group of the text: of n work-groups, number g does the work of as many as
//! it has lanes, from g times lanes on, and the last ones find none. So a launch stays as it is, whatever its size.
//!
//! Of a chain of products a lane computes a column of each, and what one makes for the next stays in registers.

use super::chain;
use super::context::Context;
use super::emit::Emit;
use super::error::{Error, internal};
use super::lower_linalg::{Output, clamped, for_each_below, lane, tensor};
use super::rewrite::{Rewriter, rewrite};
use crate::analysis::{chain_before, constant_of};
use crate::device::CoreInfo;
use crate::ir::{
    AddressSpace, Atomic, BinaryOp, Builder, Built, ChainedFactor, CompareOp, Component, Constant, Func,
    Gemm, Grid, GridBuiltin, Inst, Ir, Load, Op, Store, SubgroupBroadcast, Transpose, Type, Value,
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
    rewrite(ir, body, &[&|rewriter, inst| lower(rewriter, inst, func, chosen, info)])
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

/// Builds the instructions of a product for a lane, with those of the products that make its factors.
fn lower(
    rewriter: &mut Rewriter<'_>,
    inst: Inst,
    func: Func,
    chosen: LaneProducts,
    info: &CoreInfo,
) -> Result<bool, Error> {
    let Op::Gemm(op) = rewriter.ir[inst].op.clone() else { return Ok(false) };
    if rewriter.ir.ty(op.c).memref().is_some_and(|memref| memref.space == AddressSpace::Local) {
        // The last product of the chain builds it.
        return Ok(false);
    }
    let links = chain_before(rewriter.ir, inst);
    let last = Product::of(rewriter.ir, inst, &op)?;
    let made: Vec<_> =
        links.iter().map(|link| Product::of(rewriter.ir, link.inst, &link.gemm)).collect::<Result<_, _>>()?;
    let builder = &mut rewriter.builder(inst)?;
    match chosen.work {
        LaneWork::Group(_) => {
            let at_once = chosen.at_once(&last.sizes, info);
            let at_once = at_once.ok_or_else(|| internal(builder.location, TOO_LARGE))?;
            last.whole(builder, at_once)?;
        }
        LaneWork::Columns if links.is_empty() => {
            let cols = builder.index(last.sizes.cols)?;
            for_each_below(builder, vec![cols], |builder, cols| {
                let left = last.left(builder, &Made::Nothing)?;
                last.columns(builder, &left, cols, &Made::Nothing)
            })?;
        }
        LaneWork::Columns => {
            let made = made.iter().zip(links.iter().map(|link| link.makes));
            column_of_chain(builder, &made.collect::<Vec<_>>(), &last)?;
        }
    }
    chain::erase(links, inst, rewriter, func)?;
    Ok(true)
}

/// A column of each product of a chain. What one makes for the next is in registers: a column of a second factor is the lane's own,
/// and the entries of a first factor are those of other lanes. So lanes without a column compute the last one, but nothing of C.
fn column_of_chain(
    builder: &mut Builder<'_>,
    links: &[(&Product<'_>, ChainedFactor)],
    last: &Product<'_>,
) -> Result<(), Error> {
    builder.parallel(|builder| {
        let lane = lane(builder)?;
        let lane = builder.cast(lane, Type::INDEX)?;
        let mut made = Made::Nothing;
        for (product, makes) in links {
            let left = product.left(builder, &made)?;
            let cols = builder.index(product.sizes.cols)?;
            let col = clamped(builder, lane, cols)?;
            let right = product.right(builder, col, &made)?;
            let sums = sums(builder, &left, right, Vec::new())?;
            let sums = sums.into_iter().map(|sum| Output::of(product.op).value(builder, sum, &[]));
            let sums = sums.collect::<Result<_, _>>()?;
            made = match makes {
                ChainedFactor::First => Made::First(sums),
                ChainedFactor::Second => Made::Second(sums),
            };
        }
        let left = last.left(builder, &made)?;
        let cols = builder.index(last.sizes.cols)?;
        let has_column = builder.compare(CompareOp::LessThan, lane, cols)?;
        builder.when(has_column, |builder| last.columns(builder, &left, &[lane], &made))
    })
}

/// A column of what the product before has made, by the factor that it is of this one.
enum Made {
    Nothing,
    First(Vec<Value>),
    Second(Vec<Value>),
}

/// Reason why what was chosen cannot be built.
const TOO_LARGE: &str = "a product that is too large for a lane";

/// A product that lanes compute.
struct Product<'a> {
    op: &'a Gemm,
    sizes: LaneProduct,
}

impl<'a> Product<'a> {
    fn of(ir: &Ir, inst: Inst, op: &'a Gemm) -> Result<Product<'a>, Error> {
        let sizes = LaneProduct::of(ir, op).ok_or_else(|| internal(ir[inst].location, TOO_LARGE))?;
        Ok(Product { op, sizes })
    }

    /// All columns of C, of which so many are in registers at a time.
    fn whole(&self, builder: &mut Builder<'_>, at_once: i64) -> Result<(), Error> {
        let left = self.left(builder, &Made::Nothing)?;
        let cols = numbers(builder, self.sizes.cols)?;
        let at_once = usize::try_from(at_once).unwrap_or(1).max(1);
        cols.chunks(at_once).try_for_each(|cols| self.columns(builder, &left, cols, &Made::Nothing))
    }

    /// The columns of op(A). Of one that was made, lane k has column k.
    fn left(&self, builder: &mut Builder<'_>, made: &Made) -> Result<Vec<Vec<Value>>, Error> {
        let Gemm { a, transpose_a, .. } = *self.op;
        let LaneProduct { rows, depth, sum, .. } = self.sizes;
        let column = |k: i64| match made {
            Made::First(own) => {
                let lane = builder.constant(Constant::Int(k), Type::I32)?;
                let entries = own.iter().map(|&a| {
                    let entry = builder.value(SubgroupBroadcast { a, lane }, builder.ir.ty(a).clone())?;
                    builder.cast(entry, sum)
                });
                Ok(entries.collect::<Built<_>>()?)
            }
            Made::Second(_) | Made::Nothing => {
                let k = builder.index(k)?;
                self.column(builder, a, transpose_a, rows, k)
            }
        };
        (0..depth).map(column).collect()
    }

    /// A column of op(B).
    fn right(&self, builder: &mut Builder<'_>, col: Value, made: &Made) -> Result<Vec<Value>, Error> {
        match made {
            Made::Second(own) => {
                let own = own.iter().map(|&entry| builder.cast(entry, self.sizes.sum));
                Ok(own.collect::<Built<_>>()?)
            }
            Made::First(_) | Made::Nothing => {
                self.column(builder, self.op.b, self.op.transpose_b, self.sizes.depth, col)
            }
        }
    }

    /// Some columns of C, for which all is loaded before any is stored; `left` holds the columns of op(A). Sums begin with what C holds
    /// where nothing scales either.
    fn columns(
        &self,
        builder: &mut Builder<'_>,
        left: &[Vec<Value>],
        cols: &[Value],
        made: &Made,
    ) -> Result<(), Error> {
        let LaneProduct { rows, sum, .. } = self.sizes;
        let Gemm { atomic, alpha, beta, c, .. } = *self.op;
        let is_sum = [alpha, beta].into_iter().all(|factor| is_one(builder.ir, factor));
        let begins = is_sum && atomic == Atomic::No && tensor(builder, c)?.0 == sum;
        let mut loaded = Vec::new();
        for &col in cols {
            let right = self.right(builder, col, made)?;
            let old = if begins { self.column(builder, c, Transpose::N, rows, col)? } else { Vec::new() };
            loaded.push((col, right, old));
        }
        for (col, right, old) in loaded {
            let sums = sums(builder, left, right, old)?;
            for (row, value) in numbers(builder, rows)?.into_iter().zip(sums) {
                if begins {
                    builder.emit(Store { value, to: c, indices: vec![row, col] }, &[])?;
                } else {
                    Output::of(self.op).update(builder, value, &[row, col])?;
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

/// The products of the columns of op(A) by the entries of a column of op(B), added to what was there.
fn sums(
    builder: &mut Builder<'_>,
    left: &[Vec<Value>],
    right: Vec<Value>,
    mut sums: Vec<Value>,
) -> Result<Vec<Value>, Error> {
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
    Ok(sums)
}

/// The numbers below `end`, as indices.
fn numbers(builder: &mut Builder<'_>, end: i64) -> Built<Vec<Value>> {
    (0..end).map(|number| builder.index(number)).collect()
}

fn is_one(ir: &Ir, factor: Value) -> bool {
    constant_of(ir, factor).is_some_and(|constant| constant.is(1))
}
