//! Rules that only a whole function shows: execution kinds and yields (lowering reference 1.3).

use super::super::declare::{Results, SideEffect};
use super::super::entities::{Entity as _, Func, Inst, Ir, Program, Region, Value};
use super::super::execution::{Execution, RegionKind};
use super::super::instructions::Op;
use super::super::typed_attributes::AttributeSet as _;
use super::super::types::write_list;
use super::VerifierError;
use crate::status::Status;
use std::collections::HashSet;

/// Checks the structure of a function.
///
/// # Errors
/// The first broken rule in text order.
pub fn check_function(ir: &Ir, func: Func) -> Result<(), VerifierError> {
    let data = &ir[func];
    let own = data.attributes.check();
    let all = data.parameter_attributes.iter().fold(own, |checked, one| checked.and_then(|()| one.check()));
    let all = all.and_then(|()| ir.check_grid(func));
    all.map_err(|error| VerifierError::of_attribute(error, data.location))?;
    check_region(ir, data.body, false)
}

/// Checks everything that can be checked of a program: its structure, and the rule of every instruction, which is
/// otherwise checked only when the instruction is made.
///
/// # Errors
/// The first rule that is broken.
pub fn verify(ir: &Ir, program: &Program) -> Result<(), VerifierError> {
    check_program(ir, program)?;
    for &func in &program.functions {
        check_function(ir, func)?;
        let mut result = Ok(());
        ir.walk(ir[func].body, &mut |inst| {
            if result.is_ok() {
                result = ir.check_uses(inst).and_then(|()| ir.check_instruction(inst));
            }
        });
        result?;
    }
    Ok(())
}

/// Checks what holds for every text, but not for everything that is put together piece by piece: no two
/// functions have the same name, and values are used only where they are visible.
///
/// # Errors
/// [`Status::InvalidArguments`] and [`Status::SpirvUndefinedValue`].
pub fn check_program(ir: &Ir, program: &Program) -> Result<(), VerifierError> {
    let mut names = HashSet::new();
    for &func in &program.functions {
        let data = &ir[func];
        if !names.insert(&data.name) {
            let detail = format!("the program has two functions `{}`", data.name);
            return Err(VerifierError::new(Status::InvalidArguments, data.location, detail));
        }
        check_operands(ir, data.body, &mut HashSet::new())?;
    }
    Ok(())
}

fn check_operands(ir: &Ir, region: Region, visible: &mut HashSet<Value>) -> Result<(), VerifierError> {
    let data = &ir[region];
    visible.extend(&data.parameters);
    for inst in ir.insts(region) {
        let data = &ir[inst];
        let mut stranger = None;
        data.op.visit_operands(&mut |value| {
            if !visible.contains(&value) {
                stranger.get_or_insert(value);
            }
        });
        if let Some(value) = stranger {
            let what = if value.generation(ir).is_some() {
                format!("{} of type {} is not visible here", ir.display_name(value), ir.ty(value))
            } else {
                "an operand was freed".to_owned()
            };
            let detail = format!("`{}`: {what}", data.op.mnemonic());
            return Err(VerifierError::new(Status::SpirvUndefinedValue, data.location, detail));
        }
        data.regions.iter().try_for_each(|&inner| check_operands(ir, inner, visible))?;
        visible.extend(&data.results);
    }
    for value in data.parameters.iter().chain(ir.insts(region).flat_map(|inst| &ir[inst].results)) {
        visible.remove(value);
    }
    Ok(())
}

fn check_region(ir: &Ir, region: Region, in_spmd: bool) -> Result<(), VerifierError> {
    for inst in ir.insts(region) {
        let data = &ir[inst];
        let info = data.op.info();
        let wrong = match info.execution {
            Execution::Collective if in_spmd => Some(Status::IrCollectiveCalledFromSpmd),
            Execution::Spmd if !in_spmd => Some(Status::IrSpmdCalledFromCollective),
            Execution::Collective | Execution::Spmd | Execution::Mixed => None,
        };
        if let Some(status) = wrong {
            let detail = match info.execution {
                Execution::Collective => format!("`{}` needs the whole work-group", data.op.mnemonic()),
                _ => format!("`{}` belongs into `parallel`, `foreach` or `foreach_tile`", data.op.mnemonic()),
            };
            return Err(VerifierError::new(status, data.location, detail));
        }
        if in_spmd {
            check_no_tile(ir, inst)?;
        }
        check_yields(ir, inst)?;
        let is_in_loop = ir.owner(region).is_some_and(|owner| matches!(ir[owner].op, Op::For(_)));
        if info.side_effect == SideEffect::Exit && !is_in_loop {
            let detail = "it stands in the body of no `for` itself".to_owned();
            return Err(VerifierError::new(Status::IrUnexpectedBreak, data.location, detail));
        }
        let in_spmd = in_spmd || info.regions.first() == Some(&RegionKind::Spmd);
        for &inner in &data.regions {
            check_region(ir, inner, in_spmd)?;
        }
    }
    Ok(())
}

/// A tile belongs to the work-group as a whole (tile reference 2.3); a subgroup has nothing but its fragments of it, and yields
/// its share to the `parallel` around it (2.4.4).
fn check_no_tile(ir: &Ir, inst: Inst) -> Result<(), VerifierError> {
    let data = &ir[inst];
    if matches!(data.op, Op::TileFragment(_) | Op::TileWithFragment(_) | Op::Yield(_)) {
        return Ok(());
    }
    let mut tile = data.results.iter().copied().find(|&value| ir.ty(value).tile().is_some());
    data.op.visit_operands(&mut |value| {
        if ir.ty(value).tile().is_some() {
            tile.get_or_insert(value);
        }
    });
    let Some(tile) = tile else { return Ok(()) };
    let detail = format!("{}, which belongs to the whole work-group", ir.describe(tile));
    Err(VerifierError::new(Status::IrCollectiveCalledFromSpmd, data.location, detail).about(ir, &[tile]))
}

/// Instructions that may have any number of results yield them at the end of each region.
fn check_yields(ir: &Ir, inst: Inst) -> Result<(), VerifierError> {
    let data = &ir[inst];
    if data.results.is_empty() || data.op.info().results != Results::Many {
        return Ok(());
    }
    for (i, &region) in data.regions.iter().enumerate() {
        let Some((last, Op::Yield(end))) = ir.last_inst(region).map(|last| (last, &ir[last].op)) else {
            let status = if i == 0 { Status::IrMustHaveYield } else { Status::IrYieldInElseBranchMissing };
            let mut results = String::new();
            // Writing to a string cannot fail.
            let _ = write_list(&mut results, data.results.iter().map(|&result| ir.ty(result)), ", ");
            return Err(VerifierError::new(
                status,
                data.location,
                format!("`{}` returns {results}", data.op.mnemonic()),
            ));
        };
        let mismatch =
            |detail: String| VerifierError::new(Status::IrYieldMismatch, ir[last].location, detail);
        if end.values.len() != data.results.len() {
            return Err(mismatch(format!("{} values for {} results", end.values.len(), data.results.len())));
        }
        for (&value, &result) in end.values.iter().zip(&data.results) {
            if ir.ty(value) != ir.ty(result) {
                let detail = format!("{}, the result {}", ir.describe(value), ir.ty(result));
                return Err(mismatch(detail).about(ir, &[value]));
            }
        }
    }
    Ok(())
}
