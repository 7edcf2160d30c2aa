//! Rules that parser and verifier leave to lowering (language reference 5, marked `[L]`) and that need no
//! device. They are checked before anything is removed, so that every level decides alike.

use super::error::Error;
use crate::ir::{
    Boundary, Extent, Family, Func, Inst, Ir, MatrixUse, Op, Region, SideEffect, TileDot, Type, Value,
    VerifierError, Yield, check_type,
};
use crate::schedule::Fragments;
use crate::status::Status;

/// Checks every instruction of a function.
pub(super) fn check(ir: &Ir, func: Func) -> Result<(), Error> {
    check_region(ir, ir[func].body, Yields::Never)?;
    Ok(Fragments::of(ir, func).check_shapes(ir)?)
}

/// Yields that a region may have.
#[derive(Clone, Copy, PartialEq)]
enum Yields {
    /// There must be no `yield`, not even an empty one.
    Never,
    /// `yield ()` does nothing.
    Nothing,
    /// The last instruction yields what was checked elsewhere.
    AtTheEnd,
}

fn check_region(ir: &Ir, region: Region, yields: Yields) -> Result<(), Error> {
    for inst in ir.insts(region) {
        let data = &ir[inst];
        if let Op::Yield(end) = &data.op {
            check_yield(ir, inst, end, yields, ir.last_inst(region) == Some(inst))?;
        }
        if let Some((region, expected)) = entry_region(ir, inst) {
            yielded(ir, inst, region, &expected)?;
            if data.op.info().family == Family::Tile {
                check_effects(ir, region, data.op.mnemonic())?;
            }
        }
        // Only lowering makes tiles that span their matrices.
        data.results.iter().try_for_each(|&result| check_type(ir.ty(result), data.location))?;
        if let Op::TileDot(dot) = &data.op {
            check_remainder(ir, inst, dot)?;
        }
        ir.check_lowering(inst)?;
        let inner = if !data.results.is_empty() || matches!(data.op, Op::TileStore(_)) {
            Yields::AtTheEnd
        } else if matches!(data.op, Op::Parallel(_)) {
            Yields::Never
        } else {
            Yields::Nothing
        };
        for &nested in &data.regions {
            check_region(ir, nested, inner)?;
        }
    }
    Ok(())
}

fn check_yield(ir: &Ir, inst: Inst, end: &Yield, yields: Yields, is_last: bool) -> Result<(), Error> {
    let (status, detail) = match yields {
        Yields::Nothing if end.values.is_empty() => return Ok(()),
        Yields::AtTheEnd if is_last => return Ok(()),
        Yields::Never => (Status::IrUnexpectedYield, "nothing takes what this region yields".to_owned()),
        Yields::AtTheEnd => (Status::IrUnexpectedYield, "it must be the last of its region".to_owned()),
        Yields::Nothing => {
            let values: Vec<String> = end.values.iter().map(|&value| ir.describe(value)).collect();
            (Status::IrYieldMismatch, format!("{}, but there are no results", values.join(", ")))
        }
    };
    Err(VerifierError::new(status, ir[inst].location, detail).about(ir, &end.values).into())
}

/// The region of an instruction that computes entries, or that masks them, and the type of what it yields.
fn entry_region(ir: &Ir, inst: Inst) -> Option<(Region, Type)> {
    let data = &ir[inst];
    let region = data.regions.first().copied()?;
    match &data.op {
        Op::CoopmatrixApply(_) | Op::CoopmatrixMap(_) | Op::TileApply(_) => {
            let component = data.results.first().and_then(|&result| ir.ty(result).component());
            Some((region, component.map_or(Type::Bool, Type::Scalar)))
        }
        // Without a mask the region is empty.
        Op::TileLoad(_) | Op::TileStore(_) => ir.last_inst(region).map(|_| (region, Type::Bool)),
        _ => None,
    }
}

/// Elements beyond the end of one factor are multiplied by the zeros beyond the end of the other, which gives NaN for NaN
/// and infinity: both are checked along K, or neither, unless there is nothing beyond (tile reference 2.5.2).
fn check_remainder(ir: &Ir, inst: Inst, dot: &TileDot) -> Result<(), Error> {
    let Some(([a, b], depth)) = factors(ir, dot) else { return Ok(()) };
    let (unchecked, checked) = match (a.boundary, b.boundary) {
        (Boundary::Unchecked, Boundary::Zero | Boundary::Wrap | Boundary::Undefined) => (a, b),
        (Boundary::Zero | Boundary::Wrap | Boundary::Undefined, Boundary::Unchecked) => (b, a),
        _ => return Ok(()),
    };
    if checked.size.value().is_some_and(|size| size % depth == 0) {
        return Ok(());
    }
    let detail = format!(
        "{} is loaded unchecked, but K ({}) need not be a multiple of {depth}: the last step would multiply what lies \
         outside by zero, which is NaN for NaN and infinity",
        ir.display_name(unchecked.tile),
        checked.size
    );
    let error = VerifierError::new(Status::IrTileUncheckedRemainder, ir[inst].location, detail);
    Err(error.about(ir, &[unchecked.tile, checked.tile]).into())
}

/// A factor along K.
struct Factor {
    tile: Value,
    boundary: Boundary,
    /// Size of the memref.
    size: Extent,
}

/// The factors of a product, if both are loaded, and the columns of A.
fn factors(ir: &Ir, dot: &TileDot) -> Option<([Factor; 2], i64)> {
    let factor = |tile: Value, usage: MatrixUse| {
        let Some(Op::TileLoad(load)) = ir.defining_op(tile) else { return None };
        let mode = load.transpose.mode_along_k(usage)?;
        let size = *ir.ty(load.from).memref()?.shape.get(mode)?;
        Some(Factor { tile, boundary: *load.boundary.0.get(mode)?, size })
    };
    Some(([factor(dot.a, MatrixUse::A)?, factor(dot.b, MatrixUse::B)?], ir.ty(dot.a).tile()?.cols))
}

/// Regions of tile instructions compute (tile reference 2.4.3): nobody knows how often, in which order and by whom they
/// are run, so that they ask no other work-item and not who they are.
fn check_effects(ir: &Ir, region: Region, of: &str) -> Result<(), Error> {
    let mut wrong = None;
    ir.walk(region, &mut |inst| {
        let op = &ir[inst].op;
        let mut writes = false;
        op.visit_accesses(&mut |_, access| writes |= access.writes());
        let is_harmless = match op.info().side_effect {
            SideEffect::Pure | SideEffect::Regions | SideEffect::Terminator => true,
            SideEffect::Memory => !writes,
            SideEffect::AtomicMemory
            | SideEffect::Allocation
            | SideEffect::Deallocation
            | SideEffect::Synchronization
            | SideEffect::Exit
            | SideEffect::Loop
            | SideEffect::Hint => false,
        };
        let is_anyones = match op.info().family {
            Family::Arithmetic | Family::Memory | Family::ControlFlow => true,
            Family::Builtin => !matches!(op, Op::SubgroupId(_) | Op::LocalSubgroup(_)),
            Family::Subgroup | Family::CooperativeMatrix | Family::LinearAlgebra | Family::Tile => false,
        };
        if !is_harmless || !is_anyones {
            wrong.get_or_insert(inst);
        }
    });
    let Some(wrong) = wrong else { return Ok(()) };
    let detail = format!("`{}`, where `{of}` takes arithmetic, `if` and `load`", ir[wrong].op.mnemonic());
    Err(VerifierError::new(Status::IrTileSideEffect, ir[wrong].location, detail).into())
}

/// The value that a region yields for an entry.
pub(super) fn yielded(ir: &Ir, inst: Inst, region: Region, expected: &Type) -> Result<Value, Error> {
    let data = &ir[inst];
    let last = ir.last_inst(region);
    let Some((last, Op::Yield(end))) = last.map(|last| (last, &ir[last].op)) else {
        let detail = format!("the body must end in `yield` of one {expected}");
        return Err(VerifierError::new(Status::IrMustHaveYield, data.location, detail).into());
    };
    let &[result] = end.values.as_slice() else {
        let detail = format!("{} values instead of one {expected}", end.values.len());
        return Err(VerifierError::new(Status::IrYieldMismatch, ir[last].location, detail).into());
    };
    if ir.ty(result) != expected {
        let detail = format!("{}, but the entries are {expected}", ir.describe(result));
        let error = VerifierError::new(Status::IrNumberMismatch, ir[last].location, detail);
        return Err(error.about(ir, &[result]).into());
    }
    Ok(result)
}
