//! Loops over the elements of matrices in local memory that do nothing but fill them from global memory: they are copies
//! (tile reference 2.8), which subgroups share by wide messages, and of which a loop may have stages.

use super::super::context::Context;
use super::super::emit::Emit as _;
use super::super::error::Error;
use super::iteration::is_scalar_arithmetic;
use crate::analysis::{constant_of, integer_of};
use crate::ir::{
    AddressSpace, Binary, BinaryOp, Boundaries, Boundary, Builder, Cast, Compare, CompareOp, Constant,
    Foreach, Func, If, Inst, Ir, Load, Memref, Op, Region, Store, TileCopy, Transpose, Type, Value, Yield,
};
use std::collections::HashSet;

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let mut loops = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        if matches!(ir[inst].op, Op::Foreach(_)) {
            loops.push(inst);
        }
    });
    for inst in loops {
        let Some(Filled { copies, invariant }) = Body::of(ir, inst).and_then(|body| body.filled()) else {
            continue;
        };
        context.decide(ir, func, Some(inst), || "foreach: copies to local memory".to_owned());
        let builder = &mut Builder::before(ir, inst)?;
        invariant.into_iter().for_each(|inner| builder.ir.move_inst(inner, builder.cursor));
        for ElementCopy { from, to, transpose, boundary, offsets: [x, y] } in copies {
            let (x, y) = (sum(builder, &x)?, sum(builder, &y)?);
            builder.emit(TileCopy { transpose, boundary, from, x, y, to }, &[])?;
        }
        ir.erase(inst);
    }
    Ok(())
}

fn sum(builder: &mut Builder<'_>, addends: &[Value]) -> Result<Value, Error> {
    let mut sum = None;
    for &addend in addends {
        sum = Some(match sum {
            Some(sum) => builder.binary(BinaryOp::Add, sum, addend)?,
            None => addend,
        });
    }
    sum.map_or_else(|| Ok(builder.index(0)?), Ok)
}

/// Copies that a loop makes, and the instructions that compute their positions, in order.
struct Filled {
    copies: Vec<ElementCopy>,
    invariant: Vec<Inst>,
}

/// A matrix that a loop fills element by element, and the numbers whose sums are the position of what it is filled from.
struct ElementCopy {
    from: Value,
    to: Value,
    transpose: Transpose,
    boundary: Boundaries,
    offsets: [Vec<Value>; 2],
}

/// The body of a loop over all points of a rectangle that begins at 0.
struct Body<'a> {
    ir: &'a Ir,
    insts: Vec<Inst>,
    points: [Value; 2],
    sizes: [i64; 2],
    /// The points, and what follows from them.
    dependent: HashSet<Value>,
}

impl Body<'_> {
    fn of(ir: &Ir, inst: Inst) -> Option<Body<'_>> {
        let (Op::Foreach(Foreach { from, to }), &[region]) = (&ir[inst].op, ir[inst].regions.as_slice())
        else {
            return None;
        };
        let &[rows, cols] = to.as_slice() else { return None };
        let sizes = [integer_of(ir, rows)?, integer_of(ir, cols)?];
        let is_whole = from.iter().all(|&from| integer_of(ir, from) == Some(0));
        let &points: &[Value; 2] = ir[region].parameters.as_slice().try_into().ok()?;
        let insts: Vec<Inst> = ir.insts(region).collect();
        let mut dependent = HashSet::from(points);
        for &inner in &insts {
            let mut depends = false;
            ir[inner].op.visit_operands(&mut |value| depends |= dependent.contains(&value));
            dependent.extend(ir[inner].results.iter().filter(|_| depends));
        }
        let is_whole = is_whole && sizes.iter().all(|&size| size > 0);
        is_whole.then_some(Body { ir, insts, points, sizes, dependent })
    }

    /// Copies that the loop makes, if it does nothing else.
    fn filled(&self) -> Option<Filled> {
        let ir = self.ir;
        let (mut copies, mut loads, mut invariant) = (Vec::new(), 0, Vec::new());
        for &inst in &self.insts {
            if let Op::Store(store) = &ir[inst].op {
                copies.push(self.copy(store)?);
            } else if matches!(ir[inst].op, Op::Load(_) | Op::If(_)) {
                loads += 1;
            } else if is_scalar_arithmetic(ir, inst) {
                let is_invariant = ir[inst].results.iter().all(|result| !self.dependent.contains(result));
                invariant.extend(is_invariant.then_some(inst));
            } else {
                return None;
            }
        }
        // What is written twice must keep its order.
        let is_allocation = |copy: &ElementCopy| matches!(ir.defining_op(copy.to), Some(Op::Alloca(_)));
        let buffers: HashSet<Value> = copies.iter().map(|copy| copy.to).collect();
        let are_apart =
            copies.len() == 1 || buffers.len() == copies.len() && copies.iter().all(is_allocation);
        (loads == copies.len() && !copies.is_empty() && are_apart).then_some(Filled { copies, invariant })
    }

    fn copy(&self, store: &Store) -> Option<ElementCopy> {
        let ir = self.ir;
        let to = self.memref(store.to, AddressSpace::Local)?;
        let &[row, col] = store.indices.as_slice() else { return None };
        let mut distance = Vec::new();
        let (row, col) = (self.point(row, &mut distance)?, self.point(col, &mut distance)?);
        let is_all = [row, col]
            .iter()
            .zip(&to.shape)
            .all(|(&mode, extent)| extent.value() == self.sizes.get(mode).copied());
        let mut loaded = store.value;
        if let Some(Op::Cast(Cast { a })) = ir.defining_op(loaded) {
            loaded = *a;
        }
        let is_inside = ir.defining_inst(loaded).is_some_and(|load| self.insts.contains(&load));
        let is_only = [loaded, store.value].iter().all(|&value| ir.uses(value).len() == 1);
        let (Load { from, indices }, boundary) = self.element(loaded)?;
        let source = self.memref(*from, AddressSpace::Global)?;
        let &[x, y] = indices.as_slice() else { return None };
        let mut offsets = [Vec::new(), Vec::new()];
        let [along_x, along_y] = &mut offsets;
        let transpose = match [self.point(x, along_x)?, self.point(y, along_y)?] {
            modes if modes == [row, col] => Transpose::N,
            modes if modes == [col, row] => Transpose::T,
            _ => return None,
        };
        let is_copy = row != col
            && distance.is_empty()
            && is_all
            && is_inside
            && is_only
            && source.element.widens_to(to.element);
        is_copy.then_some(ElementCopy { from: *from, to: store.to, transpose, boundary, offsets })
    }

    /// The load that a value comes from, and what stands in its place outside of the memref: 0 along modes that a branch tests. Without a
    /// test there is nothing outside, as the loop must not read there, either.
    fn element(&self, value: Value) -> Option<(&Load, Boundaries)> {
        let ir = self.ir;
        let mut boundary = [Boundary::Unchecked; 2];
        if let Some(Op::Load(load)) = ir.defining_op(value) {
            return Some((load, Boundaries(boundary)));
        }
        let inst = ir.defining_inst(value)?;
        let (Op::If(If { condition }), &[then, otherwise]) = (&ir[inst].op, ir[inst].regions.as_slice())
        else {
            return None;
        };
        let loaded = yielded(ir, then)?;
        let Some(Op::Load(load)) = ir.defining_op(loaded) else { return None };
        let is_plain = ir.insts(then).count() == 2 && ir.insts(otherwise).all(|inst| !has_effects(ir, inst));
        let is_zero = match constant_of(ir, yielded(ir, otherwise)?)? {
            // A copy puts no −0 anywhere.
            Constant::Float(number) => number.to_bits() == 0,
            other => other.is(0),
        };
        let mut conditions = vec![*condition];
        while let Some(condition) = conditions.pop() {
            let Some(Op::Binary(Binary { op: BinaryOp::And, a, b })) = ir.defining_op(condition) else {
                let mode = self.bounded_mode(condition, load)?;
                *boundary.get_mut(mode)? = Boundary::Zero;
                continue;
            };
            conditions.extend([*a, *b]);
        }
        (is_plain && is_zero).then_some((load, Boundaries(boundary)))
    }

    /// The mode of which a condition says that the index of a load is less than the size.
    fn bounded_mode(&self, condition: Value, load: &Load) -> Option<usize> {
        let Some(&Op::Compare(Compare { op, a, b })) = self.ir.defining_op(condition) else { return None };
        let (index, size) = match op {
            CompareOp::LessThan => (a, b),
            CompareOp::GreaterThan => (b, a),
            _ => return None,
        };
        let mode = load.indices.iter().position(|&own| own == index)?;
        let extent = self.ir.ty(load.from).memref()?.shape.get(mode)?.value();
        let is_size = matches!(
            self.ir.defining_op(size),
            Some(Op::Size(found)) if found.of == load.from && usize::try_from(found.mode) == Ok(mode)
        );
        (is_size || extent.is_some() && extent == integer_of(self.ir, size)).then_some(mode)
    }

    /// A memref of two modes from outside of the loop.
    fn memref(&self, value: Value, space: AddressSpace) -> Option<&Memref> {
        let is_outside = !self.ir.defining_inst(value).is_some_and(|inst| self.insts.contains(&inst));
        let memref = self.ir.ty(value).memref()?;
        (is_outside && memref.space == space && memref.order() == 2).then_some(memref)
    }

    /// The mode of the point whose coordinate an index is; adds what is added to it. Narrower arithmetic may wrap around, as that of a copy does not.
    fn point(&self, index: Value, addends: &mut Vec<Value>) -> Option<usize> {
        if let Some(mode) = self.points.iter().position(|&point| point == index) {
            return Some(mode);
        }
        let op = self.ir.defining_op(index)?;
        if let Op::Cast(Cast { a }) = op {
            let is_point = self.points.contains(a) && *self.ir.ty(index) == Type::INDEX;
            return if is_point { self.point(*a, addends) } else { None };
        }
        let Op::Binary(Binary { op: BinaryOp::Add, a, b }) = op else { return None };
        if *self.ir.ty(index) != Type::INDEX {
            return None;
        }
        let (point, addend) = if self.dependent.contains(a) { (*a, *b) } else { (*b, *a) };
        addends.push(addend);
        if self.dependent.contains(&addend) { None } else { self.point(point, addends) }
    }
}

/// The only value that a region yields.
fn yielded(ir: &Ir, region: Region) -> Option<Value> {
    let Op::Yield(Yield { values }) = &ir[ir.last_inst(region)?].op else { return None };
    if let &[value] = values.as_slice() { Some(value) } else { None }
}

/// Returns whether an instruction does more than compute a number, or yield it.
fn has_effects(ir: &Ir, inst: Inst) -> bool {
    !matches!(ir[inst].op, Op::Yield(_)) && !is_scalar_arithmetic(ir, inst)
}
