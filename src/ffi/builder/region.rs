//! Regions and the iterators over their instructions (API reference 4.9).
//!
//! An iterator is the handle of an instruction, or that of the end of a region. No region may lie deeper in
//! others than in a text, since whoever walks over a program would run out of stack.

use super::super::arg::Out;
use super::super::call::{Outcome, call};
use super::super::context::{Context, State};
use super::super::handle::Handle;
use super::super::types::*;
use super::inst::list;
use super::nodes::{End, Found, handle, merge_contexts};
use crate::ir::{Cursor, Inst, Ir, MAX_LEVELS, Region};
use crate::status::Status;

/// Puts an instruction, which the region owns from then on, at the end of a region.
///
/// Errors: out_of_range if regions lie too deep in each other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_region_append(reg: tiletc_region_t, instr: tiletc_inst_t) -> tiletc_status_t {
    call(|| {
        let (region, inst) = (Found::<Region>::new(reg)?, Found::<Inst>::new(instr)?);
        put(region, inst, |_, _, region| Ok(Cursor::at_end(region)))
    })
}

/// Puts an instruction, which the region owns from then on, before the iterator's, and moves the iterator to it.
///
/// Errors: out_of_range if regions lie too deep in each other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_region_insert(
    reg: tiletc_region_t,
    iterator: *mut tiletc_inst_iterator_t,
    instr: tiletc_inst_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle, a live iterator and a live handle.
        let (region, out, before, inst) = unsafe {
            (Found::<Region>::new(reg)?, Out::new(iterator)?, *iterator, Found::<Inst>::new(instr)?)
        };
        put(region, inst, |state, context, region| {
            // SAFETY: the same.
            let before = unsafe { Position::new(before)? };
            if !before.context().is(context) {
                return Err(Status::InvalidArguments);
            }
            let (place, next) = before.place(state)?;
            if place != region {
                return Err(Status::InvalidArguments);
            }
            Ok(next.and_then(|next| Cursor::before(&state.ir, next)).unwrap_or(Cursor::at_end(region)))
        })?;
        out.set(instr);
        Ok(())
    })
}

/// Puts an instruction of the user's into a region.
fn put(
    mut region: Found<Region>,
    mut inst: Found<Inst>,
    place: impl FnOnce(&State, &Handle<Context>, Region) -> Outcome<Cursor>,
) -> Outcome {
    if !inst.is_owned() {
        return Err(Status::InvalidArguments);
    }
    merge_contexts(&mut region, &mut inst)?;
    let mut state = inst.context.lock();
    let (to, what) = (region.live(&state)?, inst.live(&state)?);
    if levels(&state.ir, to, what)? + state.ir.height(what) > MAX_LEVELS {
        return Err(Status::OutOfRange);
    }
    let place = place(&state, &inst.context, to)?;
    state.ir.insert(what, place);
    let owning_ref = inst.disown();
    drop(state);
    drop(owning_ref);
    Ok(())
}

/// Counts the levels of regions around a region, itself included; it may not lie in an instruction that is put into it.
fn levels(ir: &Ir, mut region: Region, what: Inst) -> Outcome<usize> {
    for level in 1..=MAX_LEVELS {
        let Some(owner) = ir.owner(region) else { return Ok(level) };
        if owner == what {
            return Err(Status::InvalidArguments);
        }
        match ir.parent(owner) {
            Some(outer) => region = outer,
            // The user owns it.
            None => return Ok(level),
        }
    }
    Err(Status::OutOfRange)
}

/// Position of an iterator.
enum Position {
    At(Found<Inst>),
    End(Found<End>),
}

impl Position {
    /// # Safety
    /// `iterator` is NULL or live.
    unsafe fn new(iterator: tiletc_inst_iterator_t) -> Outcome<Position> {
        Found::new(iterator).map(Position::At).or_else(|_| Found::new(iterator).map(Position::End))
    }

    /// Region and instruction; no instruction at the end of the region.
    fn place(&self, state: &State) -> Outcome<(Region, Option<Inst>)> {
        match self {
            Position::At(inst) => {
                let inst = inst.live(state)?;
                Ok((state.ir.parent(inst).ok_or(Status::InvalidArguments)?, Some(inst)))
            }
            Position::End(end) => end.live(state).map(|End(region)| (region, None)),
        }
    }

    fn context(&self) -> &Handle<Context> {
        match self {
            Position::At(inst) => &inst.context,
            Position::End(end) => &end.context,
        }
    }
}

/// The iterator at an instruction of a region, or at its end.
fn iterator_at(
    state: &mut State,
    context: &Handle<Context>,
    region: Region,
    inst: Option<Inst>,
) -> Outcome<tiletc_inst_iterator_t> {
    match inst {
        Some(inst) => handle(state, context, inst),
        None => handle(state, context, End(region)),
    }
}

/// Gets the iterator at the first instruction, that of the end if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_region_begin(
    reg: tiletc_region_t,
    iterator: *mut tiletc_inst_iterator_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
    unsafe { iterator_of(reg, iterator, |ir, region| ir.insts(region).next()) }
}

/// Gets the iterator behind the last instruction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_region_end(
    reg: tiletc_region_t,
    iterator: *mut tiletc_inst_iterator_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
    unsafe { iterator_of(reg, iterator, |_, _| None) }
}

/// # Safety
/// `reg` is NULL or a live handle, `iterator` is NULL or writable.
unsafe fn iterator_of(
    reg: tiletc_region_t,
    iterator: *mut tiletc_inst_iterator_t,
    inst: impl FnOnce(&Ir, Region) -> Option<Inst>,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: this function's contract.
        let (found, out) = unsafe { (Found::<Region>::new(reg)?, Out::new(iterator)?) };
        let mut state = found.context.lock();
        let region = found.live(&state)?;
        let inst = inst(&state.ir, region);
        out.set(iterator_at(&mut state, &found.context, region, inst)?);
        Ok(())
    })
}

/// Frees the iterator's instruction, whose results nobody may use, and moves the iterator to the next one.
///
/// Errors: ir_value_still_has_uses, which leaves everything as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_region_erase(
    reg: tiletc_region_t,
    iterator: *mut tiletc_inst_iterator_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a live iterator.
        let (region, out, what) = unsafe { (Found::<Region>::new(reg)?, Out::new(iterator)?, *iterator) };
        // SAFETY: the same.
        let Position::At(found) = (unsafe { Position::new(what)? }) else {
            return Err(Status::InvalidArguments);
        };
        let mut state = region.context.lock();
        if !found.context.is(&region.context) {
            return Err(Status::InvalidArguments);
        }
        let (from, inst) = (region.live(&state)?, found.live(&state)?);
        if state.ir.parent(inst) != Some(from) {
            return Err(Status::InvalidArguments);
        }
        if state.ir.is_used_outside(inst) {
            return Err(Status::IrValueStillHasUses);
        }
        let next = state.ir.next_inst(inst);
        state.ir.erase(inst);
        out.set(iterator_at(&mut state, &region.context, from, next)?);
        Ok(())
    })
}

/// Moves an iterator to the next instruction or to the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_next_inst(iterator: *mut tiletc_inst_iterator_t) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or a live iterator.
    unsafe { step(iterator, |ir, _, inst| inst.map(|inst| ir.next_inst(inst))) }
}

/// Moves an iterator to the instruction before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prev_inst(iterator: *mut tiletc_inst_iterator_t) -> tiletc_status_t {
    let before = |ir: &Ir, region, inst: Option<Inst>| match inst {
        Some(inst) => ir.previous_inst(inst).map(Some),
        None => ir.last_inst(region).map(Some),
    };
    // SAFETY: the caller passes NULL or a live iterator.
    unsafe { step(iterator, before) }
}

/// Moves an iterator to what `to` finds, if it does.
///
/// # Safety
/// `iterator` is NULL or points to an iterator that is NULL or live.
unsafe fn step(
    iterator: *mut tiletc_inst_iterator_t,
    to: impl FnOnce(&Ir, Region, Option<Inst>) -> Option<Option<Inst>>,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: this function's contract.
        let (out, position) = unsafe { (Out::new(iterator)?, Position::new(*iterator)?) };
        let mut state = position.context().lock();
        let (region, inst) = position.place(&state)?;
        let inst = to(&state.ir, region, inst).ok_or(Status::InvalidArguments)?;
        out.set(iterator_at(&mut state, position.context(), region, inst)?);
        Ok(())
    })
}

/// Gets the parameters of a region: if `*result_list_size` is 0, their number; else at most so many of them,
/// and `*result_list_size` becomes the number that was written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_region_get_parameters(
    reg: tiletc_region_t,
    result_list_size: *mut usize,
    result_list: *mut tiletc_value_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle, a size and a list of that size.
        unsafe {
            let found = Found::<Region>::new(reg)?;
            list(&found, result_list_size, result_list, |state, region| state.ir[region].parameters.clone())
        }
    })
}
