//! Masks that are nothing but tighter bounds (tile reference 2.4.2).

use super::super::emit::Emit as _;
use super::super::error::Error;
use crate::analysis::integer_of;
use crate::ir::{
    BinaryOp, Boundary, Builder, CompareOp, Inst, Ir, Op, Region, Slice, StoreBoundary, Transpose, Value,
    Yield,
};

/// Turns masks that compare row and column with numbers from outside into views of smaller matrices, whose bounds are
/// checked anyway.
pub(super) fn tighten(ir: &mut Ir, body: Region) -> Result<(), Error> {
    let mut found = Vec::new();
    ir.walk(body, &mut |inst| {
        if let Some(bounds) = bounds(ir, inst) {
            found.push((inst, bounds));
        }
    });
    found.into_iter().try_for_each(|(inst, bounds)| bounded(ir, inst, bounds))
}

/// The numbers that row and column of an access are below, if that is all its mask says.
fn bounds(ir: &Ir, inst: Inst) -> Option<[Vec<Value>; 2]> {
    let data = &ir[inst];
    let boundary = match &data.op {
        Op::TileLoad(load) if load.other.is_none() => load.boundary.0,
        Op::TileStore(store) if store.boundary == StoreBoundary::Checked => [Boundary::Zero; 2],
        _ => return None,
    };
    let &region = data.regions.first()?;
    let Op::Yield(Yield { values }) = &ir[ir.last_inst(region)?].op else { return None };
    let &[condition] = values.as_slice() else { return None };
    let mut bounds = [Vec::new(), Vec::new()];
    conjunction(ir, region, condition, &mut bounds)?;
    // What wraps does so at the end of the memref, and what is unchecked has no end.
    let is_checked =
        |(bounds, boundary): (&Vec<Value>, Boundary)| bounds.is_empty() || boundary == Boundary::Zero;
    bounds.iter().zip(boundary).all(is_checked).then_some(bounds)
}

fn conjunction(ir: &Ir, region: Region, condition: Value, bounds: &mut [Vec<Value>; 2]) -> Option<()> {
    match ir.defining_op(condition)? {
        Op::Binary(op) if op.op == BinaryOp::And => {
            conjunction(ir, region, op.a, bounds)?;
            conjunction(ir, region, op.b, bounds)
        }
        Op::Compare(op) => {
            let (index, bound) = match op.op {
                CompareOp::LessThan => (op.a, op.b),
                CompareOp::GreaterThan => (op.b, op.a),
                _ => return None,
            };
            let mode = ir[region].parameters.iter().position(|&parameter| parameter == index)?;
            let is_inside = |inst: Inst| ir.parent(inst) == Some(region);
            let is_outside = ir.defining_inst(bound).map_or_else(
                || !ir[region].parameters.contains(&bound),
                |inst| !is_inside(inst) || integer_of(ir, bound).is_some(),
            );
            bounds.get_mut(mode).filter(|_| is_outside)?.push(bound);
            Some(())
        }
        _ => None,
    }
}

/// The outermost instruction around another one in front of which values are known, constants aside.
fn outermost(ir: &Ir, inst: Inst, values: &[Value]) -> Inst {
    let mut place = inst;
    while let Some(region) = ir.parent(place) {
        let is_defined_here = |&value: &Value| {
            ir[region].parameters.contains(&value)
                || ir
                    .defining_inst(value)
                    .is_some_and(|inst| ir.parent(inst) == Some(region) && integer_of(ir, value).is_none())
        };
        let Some(owner) = ir.owner(region).filter(|_| !values.iter().any(is_defined_here)) else { break };
        place = owner;
    }
    place
}

/// The memref and the mode of it that a mode of a cast has its size from.
fn root(ir: &Ir, mut memref: Value, mut mode: i64) -> (Value, i64) {
    while let Some(op) = ir.defining_op(memref) {
        if let Op::AsSurface(surface) = op {
            memref = surface.of;
        } else if let Op::MemrefCast(cast) = op {
            memref = cast.of;
            mode = if cast.transpose == Transpose::T { 1 - mode } else { mode };
        } else {
            break;
        }
    }
    (memref, mode)
}

/// Has a load or a store of a tile access a view that ends where its memref does, and where the bounds say, in place of a mask.
pub(super) fn bounded(ir: &mut Ir, inst: Inst, bounds: [Vec<Value>; 2]) -> Result<(), Error> {
    let (memref, region) = match (&ir[inst].op, ir[inst].regions.first()) {
        (Op::TileLoad(load), Some(&region)) => (load.from, region),
        (Op::TileStore(store), Some(&region)) => (store.to, region),
        _ => return Ok(()),
    };
    let place = outermost(ir, inst, &bounds.concat().into_iter().chain([memref]).collect::<Vec<_>>());
    let builder = &mut Builder::before(ir, place)?;
    let mut slices = Vec::new();
    let mut is_smaller = false;
    // Types say no odd number of those that share bytes, and the view is of as many all the same.
    let is_packed = builder.ir.ty(memref).memref().is_some_and(|memref| memref.element.is_packed());
    for (mode, bounds) in (0i64..).zip(bounds) {
        let own_size = root(builder.ir, memref, mode);
        let mut size = builder.size(memref, mode)?;
        for bound in bounds {
            let is_own = matches!(builder.ir.defining_op(bound), Some(Op::Size(found))
                if root(builder.ir, found.of, found.mode) == own_size);
            if is_own {
                continue;
            }
            is_smaller = true;
            let bound = match integer_of(builder.ir, bound) {
                Some(number) => builder.index(number)?,
                None => bound,
            };
            size = builder.binary(BinaryOp::Min, size, bound)?;
        }
        let zero = builder.index(0)?;
        size = builder.binary(BinaryOp::Max, size, zero)?;
        slices.push(match integer_of(builder.ir, size) {
            Some(number) if number > 0 && (number % 2 == 0 || !is_packed) => Slice::range(0, number),
            _ => Slice::range(0, size),
        });
    }
    let view = if is_smaller { builder.subview(memref, &slices)? } else { memref };
    ir.update(inst, |op| match op {
        Op::TileLoad(load) => load.from = view,
        Op::TileStore(store) => store.to = view,
        _ => {}
    });
    while let Some(last) = ir.last_inst(region) {
        ir.erase(last);
    }
    Ok(())
}
