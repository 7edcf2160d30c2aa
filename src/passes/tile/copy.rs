//! Copies to local memory: how what is copied lies there, and who copies it (tile reference 2.8).
//!
//! What a matrix engine multiplies lies in panels, each as many rows along K as an instruction of the engine takes, of one column
//! behind the other. What a lane takes of a factor A, and a message for a factor B, is contiguous then, and lanes do not meet in a
//! bank. Products of such factors are made of one product a panel. Subgroups share what fills their lanes, in panels or columns; all
//! other copies are loops over the elements.

use super::super::context::Context;
use super::super::emit::Emit as _;
use super::super::error::{Error, internal};
use super::entry::{self, in_memory};
use super::swizzle;
use crate::analysis::{Divisors, Interval, integer_of};
use crate::device::CoreInfo;
use crate::ir::{
    AddressSpace, Alloca, AllocaAttributes, BinaryOp, Boundaries, Boundary, Builder, Checked, Constant,
    CoopmatrixLoad, Extent, Func, Inst, Ir, LifetimeStop, Load, MatrixUse, Memref, Op, Scalar, Slice, Store,
    Tile, TileCopy, TileLoad, Transpose, Value, canonical_stride,
};
use crate::schedule::{CopyForm, Schedule};
use std::collections::HashMap;

/// Bytes that panels are aligned to: a line of the cache, of which local memory has no smaller part that matters.
const ALIGNMENT: i64 = CoreInfo::CACHE_LINE_BYTES;

pub(in super::super) fn run(ir: &mut Ir, func: Func, context: &Context<'_>) -> Result<(), Error> {
    let info = context.device("tile-copy")?;
    swizzle::forget(ir, func, context);
    let copies = copies(ir, func);
    if copies.is_empty() {
        return Ok(());
    }
    let schedule = Schedule::of(ir, func)?;
    let mut buffers: Vec<Value> = copies.iter().map(|(_, copy)| copy.to).collect();
    buffers.sort_unstable();
    buffers.dedup();
    let divisors = Divisors::new(ir, func, info.default_alignment().into());
    let panels = buffers.into_iter().filter_map(|buffer| Panels::of(ir, buffer, &divisors, &schedule, info));
    let panels: Vec<Panels> = panels.collect();
    for Panels { buffer, .. } in &panels {
        if let Some(swizzle) = ir.ty(*buffer).memref().and_then(|memref| memref.swizzle) {
            context.decide(ir, func, ir.defining_inst(*buffer), || {
                format!("{swizzle}: panels for the matrix engine in its place")
            });
        }
    }
    arrange(ir, &panels)?;
    let has_products = schedule.has_products_of_panels(ir, func, info);
    for (inst, copy) in self::copies(ir, func) {
        let is_shared = match schedule.copy_form(ir, &copy, info) {
            Some(CopyForm::Panels(_)) => has_products,
            Some(CopyForm::Columns(_)) => true,
            None => false,
        };
        if !is_shared {
            by_elements(ir, inst, &copy)?;
        }
    }
    Ok(())
}

fn copies(ir: &Ir, func: Func) -> Vec<(Inst, TileCopy)> {
    let mut copies = Vec::new();
    ir.walk(ir[func].body, &mut |inst| {
        if let Op::TileCopy(copy) = &ir[inst].op {
            copies.push((inst, copy.clone()));
        }
    });
    copies
}

/// A matrix in local memory that is to lie in panels.
struct Panels {
    buffer: Value,
    element: Scalar,
    /// The mode that lies along K.
    mode: usize,
    /// Rows of a panel.
    depth: i64,
    /// The other mode's size, and the number of panels.
    cols: i64,
    count: i64,
    /// The loads of factors of tiles.
    tiles: Vec<Inst>,
    /// The loads of cooperative matrices of a panel each.
    fragments: Vec<Inst>,
}

impl Panels {
    /// The panels of a matrix that is only copied to, and read as factors of products for an engine, as tiles or by each subgroup.
    fn of(
        ir: &Ir,
        buffer: Value,
        divisors: &Divisors,
        schedule: &Schedule,
        info: &CoreInfo,
    ) -> Option<Panels> {
        let Some(Op::Alloca(alloca)) = ir.defining_op(buffer) else { return None };
        let memref = ir.ty(buffer).memref()?;
        let shape: Vec<i64> = memref.shape.iter().map(|extent| extent.value()).collect::<Option<_>>()?;
        let &[rows, cols] = shape.as_slice() else { return None };
        let is_packed = memref.stride == canonical_stride(&memref.shape);
        let (mut found, mut tiles, mut fragments) = (None, Vec::new(), Vec::new());
        for place in ir.uses(buffer) {
            let op = &ir[place.user].op;
            let is_filled = matches!(op, Op::TileCopy(copy) if !copy.boundary.0.contains(&Boundary::Wrap));
            if is_filled || matches!(op, Op::LifetimeStop(_)) {
                continue;
            }
            let &result = ir[place.user].results.first()?;
            if let Op::CoopmatrixLoad(load) = op {
                let panel = panel_of_matrix(ir, result, load, divisors, (schedule, info))?;
                if *found.get_or_insert(panel) != panel {
                    return None;
                }
                fragments.push(place.user);
                continue;
            }
            let Op::TileLoad(load) = op else { return None };
            let tile = ir.ty(result).tile()?;
            let (mode, at) = along_k(tile.usage, load.transpose, [load.x, load.y])?;
            // A panel has no end of its own beyond which there would be 0.
            let is_inside = [load.x, load.y].into_iter().zip(in_memory_extent(load, tile)).zip(&shape).all(
                |((first, extent), size)| {
                    let Interval { min, max } = Interval::of(ir, first);
                    min >= 0 && max.checked_add(extent).is_some_and(|end| end <= *size)
                },
            );
            if !is_inside {
                return None;
            }
            let products = ir.uses(result);
            if products.is_empty() {
                return None;
            }
            for product in products {
                let Op::TileDot(dot) = &ir[product.user].op else { return None };
                let depth = schedule.panel_depth(ir, dot, info)?;
                let divides = |number: i64| number % depth == 0;
                let are_split = [dot.a, dot.b].into_iter().all(|factor| is_split(ir, factor));
                let is_whole = are_split && divides(integer_of(ir, at)?) && divides(depth_of(tile));
                if !is_whole || *found.get_or_insert((mode, depth)) != (mode, depth) {
                    return None;
                }
            }
            tiles.push(place.user);
        }
        let (mode, depth) = found.filter(|_| is_packed)?;
        let (along, cols) = if mode == 0 { (rows, cols) } else { (cols, rows) };
        let lanes = i64::from(schedule.subgroup_size);
        let is_even = along % depth == 0
            && cols % lanes == 0
            && alloca.attributes.alignment.is_none_or(|own| own <= ALIGNMENT);
        let count = along / depth;
        let element = memref.element;
        is_even.then_some(Panels { buffer, element, mode, depth, cols, count, tiles, fragments })
    }
}

/// The mode of the memref that a load of a factor has along K, and its position there.
fn along_k(usage: MatrixUse, transpose: Transpose, [x, y]: [Value; 2]) -> Option<(usize, Value)> {
    let mode = transpose.mode_along_k(usage)?;
    Some((mode, if mode == 0 { x } else { y }))
}

/// The mode along K and the depth of the panels, of which a subgroup loads a factor from one at a time.
fn panel_of_matrix(
    ir: &Ir,
    result: Value,
    load: &CoopmatrixLoad,
    divisors: &Divisors,
    (schedule, info): (&Schedule, &CoreInfo),
) -> Option<(usize, i64)> {
    let matrix = ir.ty(result).coopmatrix()?;
    let (mode, at) = along_k(matrix.usage, load.transpose, [load.x, load.y])?;
    let extent = if matrix.usage == MatrixUse::A { matrix.cols } else { matrix.rows };
    let is_panel = divisors.number(at) % extent.max(1) == 0 && load.checked == Checked::new(false, false);
    let products = ir.uses(result);
    let fits = products.iter().all(|place| {
        let Op::CoopmatrixMulAdd(product) = &ir[place.user].op else { return false };
        schedule.panel_depth_of_matrices(ir, product, info) == Some(extent)
    });
    (is_panel && fits && !products.is_empty()).then_some((mode, extent))
}

/// Rows and columns of the memref that a load reads.
fn in_memory_extent(load: &TileLoad, tile: Tile) -> [i64; 2] {
    if load.transpose == Transpose::N { [tile.rows, tile.cols] } else { [tile.cols, tile.rows] }
}

/// Columns of a factor A, rows of a factor B.
fn depth_of(tile: Tile) -> i64 {
    if tile.usage == MatrixUse::A { tile.cols } else { tile.rows }
}

/// Returns whether parts of a factor are loaded as the whole is: it comes from memory, with nothing in the place of what is not there.
fn is_split(ir: &Ir, factor: Value) -> bool {
    let Some(inst) = ir.defining_inst(factor) else { return false };
    let Op::TileLoad(load) = &ir[inst].op else { return false };
    ir.loads_as_it_is(inst) && load.other.is_none()
}

/// Gives matrices their panels, and their products the parts that lie in one.
fn arrange(ir: &mut Ir, all: &[Panels]) -> Result<(), Error> {
    let mut replaced = HashMap::new();
    for panels in all {
        let inst = ir.defining_inst(panels.buffer);
        let inst = inst.ok_or_else(|| internal(ir[panels.buffer].location, "no allocation"))?;
        let shape = [panels.depth, panels.cols, panels.count].map(Extent::Static).to_vec();
        let memref = Memref::packed(panels.element, shape, AddressSpace::Local);
        let attributes = AllocaAttributes { alignment: Some(ALIGNMENT), ..AllocaAttributes::default() };
        let alloca = Alloca { attributes, stack_ptr: None };
        let new = Builder::before(ir, inst)?.value(alloca, memref)?;
        replaced.insert(panels.buffer, (new, panels));
    }
    for panels in all {
        let buffer = panels.buffer;
        let Some(&(new, _)) = replaced.get(&buffer) else { continue };
        for &load in &panels.tiles {
            load_tile(ir, load, new, panels.mode);
        }
        for &load in &panels.fragments {
            load_fragment(ir, load, new, panels)?;
        }
        for place in ir.uses(buffer).to_vec() {
            ir.update(place.user, |op| {
                if let Op::LifetimeStop(LifetimeStop { of }) = op {
                    *of = new;
                } else if let Op::TileCopy(copy) = op {
                    copy.to = new;
                    if panels.mode == 1 {
                        copy.transpose = copy.transpose.other();
                    }
                }
            });
        }
        ir.defining_inst(buffer).into_iter().for_each(|inst| ir.erase(inst));
    }
    Ok(())
}

/// Has a cooperative matrix loaded from its panel.
fn load_fragment(ir: &mut Ir, inst: Inst, memref: Value, panels: &Panels) -> Result<(), Error> {
    let matrix = ir[inst].results.first().and_then(|&result| ir.ty(result).coopmatrix());
    let (Op::CoopmatrixLoad(load), Some(matrix)) = (ir[inst].op.clone(), matrix) else {
        return Err(internal(ir[inst].location, "no load of a cooperative matrix"));
    };
    let (at, col) = if panels.mode == 0 { (load.x, load.y) } else { (load.y, load.x) };
    let builder = &mut Builder::before(ir, inst)?;
    let depth = builder.index(panels.depth)?;
    let number = builder.binary(BinaryOp::Div, at, depth)?;
    let whole = [Slice::range(0, panels.depth), Slice::range(0, panels.cols), Slice::at(number)];
    let (from, x) = (builder.subview(memref, &whole)?, builder.index(0)?);
    let transpose = if matrix.usage == MatrixUse::A { Transpose::T } else { Transpose::N };
    ir.update(inst, |op| {
        if let Op::CoopmatrixLoad(load) = op {
            *load = CoopmatrixLoad { transpose, from, x, y: col, ..load.clone() };
        }
    });
    Ok(())
}

/// Has a factor loaded from its panels, as a matrix whose first mode is along K.
fn load_tile(ir: &mut Ir, inst: Inst, panels: Value, mode: usize) {
    let tile = ir[inst].results.first().and_then(|&result| ir.ty(result).tile());
    let is_a = tile.is_some_and(|tile| tile.usage == MatrixUse::A);
    ir.update(inst, |op| {
        if let Op::TileLoad(load) = op {
            load.from = panels;
            load.transpose = if is_a { Transpose::T } else { Transpose::N };
            load.boundary = Boundaries([Boundary::Unchecked; 2]);
            if mode == 1 {
                std::mem::swap(&mut load.x, &mut load.y);
            }
        }
    });
}

/// Copies element by element, each work-item some of them.
fn by_elements(ir: &mut Ir, inst: Inst, copy: &TileCopy) -> Result<(), Error> {
    let builder = &mut Builder::before(ir, inst)?;
    let memref = builder.ir.ty(copy.to).memref().cloned();
    let memref = memref.ok_or_else(|| internal(builder.location, "a copy to what is no memref"))?;
    let element = builder.ir.ty(copy.from).memref().map_or(memref.element, |from| from.element);
    let (mut from, mut to) = (Vec::new(), Vec::new());
    for extent in &memref.shape {
        from.push(builder.index(0)?);
        to.push(builder.index(extent.value().unwrap_or(0))?);
    }
    let sizes = [builder.size(copy.from, 0)?, builder.size(copy.from, 1)?];
    builder.foreach::<Error>(from, to, |builder, point| {
        let place = match *point {
            [row, col] => [row, col],
            [row, col, panel] => {
                let depth = memref.shape.first().and_then(|extent| extent.value()).unwrap_or(1);
                let depth = builder.index(depth)?;
                let first = builder.binary(BinaryOp::Mul, panel, depth)?;
                [builder.binary(BinaryOp::Add, first, row)?, col]
            }
            _ => return Err(internal(builder.location, "a copy with other modes")),
        };
        let at = in_memory(builder, copy.transpose, [copy.x, copy.y], place)?;
        let (indices, allowed) = entry::inside(builder, at, sizes, copy.boundary)?;
        let zero = builder.constant(Constant::zero(element), element)?;
        let read = |builder: &mut Builder<'_>| {
            Ok(builder.value(Load { from: copy.from, indices: indices.to_vec() }, element)?)
        };
        let value = entry::guarded(builder, allowed, &element.into(), read, zero)?;
        let value = if element == memref.element { value } else { builder.cast(value, memref.element)? };
        builder.emit(Store { value, to: copy.to, indices: point.to_vec() }, &[])?;
        Ok(())
    })?;
    ir.erase(inst);
    Ok(())
}
