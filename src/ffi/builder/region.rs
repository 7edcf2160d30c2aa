//! Regions and the iterators over their instructions (API reference 4.9).
//!
//! An iterator is the handle of an instruction, or that of the end of a region. No region may lie deeper in
//! others than in a text, since whoever walks over a program would run out of stack.

use super::super::arg::Out;
use super::super::call::{Outcome, call};
use super::super::context::{Context, State};
use super::super::handle::Handle;
use super::super::types::*;
use super::inst::{list, position};
use super::nodes::{End, Found, handle, merge_contexts};
use crate::ir::{Inst, MAX_LEVELS, Region};
use crate::status::Status;

/// Puts an instruction, which the region owns from then on, at the end of a region.
///
/// Errors: out_of_range if regions lie too deep in each other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_region_append(reg: tiletc_region_t, instr: tiletc_inst_t) -> tiletc_status_t {
    call(|| {
        let (region, inst) = (Found::<Region>::new(reg)?, Found::<Inst>::new(instr)?);
        put(region, inst, |state, _, region| Ok(state.ir[region].insts.len()))
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
            let before = unsafe { Cursor::new(before)? };
            if !before.context().is(context) {
                return Err(Status::InvalidArguments);
            }
            let (place, index, _) = before.place(state)?;
            if place == region { Ok(index) } else { Err(Status::InvalidArguments) }
        })?;
        out.set(instr);
        Ok(())
    })
}

/// Puts an instruction of the user's into a region.
fn put(
    mut region: Found<Region>,
    mut inst: Found<Inst>,
    index: impl FnOnce(&mut State, &Handle<Context>, Region) -> Outcome<usize>,
) -> Outcome {
    if !inst.is_owned() {
        return Err(Status::InvalidArguments);
    }
    merge_contexts(&mut region, &mut inst)?;
    let mut state = inst.context.lock();
    let (to, what) = (region.live(&state)?, inst.live(&state)?);
    let levels = levels(&mut state, to, what)?;
    if levels + state.ir.height(what) > MAX_LEVELS {
        return Err(Status::OutOfRange);
    }
    let index = index(&mut state, &inst.context, to)?;
    state.ir[to].insts.insert(index, what);
    state.nodes.positions.insert(what, (to, index));
    let owning_ref = inst.disown();
    drop(state);
    drop(owning_ref);
    Ok(())
}

/// Counts the levels of regions around a region, itself included; it may not lie in an instruction that is put into it.
fn levels(state: &mut State, mut region: Region, what: Inst) -> Outcome<usize> {
    for level in 1..=MAX_LEVELS {
        let Some(&owner) = state.nodes.owners.get(&region) else { return Ok(level) };
        if owner == what {
            return Err(Status::InvalidArguments);
        }
        match position(state, owner) {
            Ok((outer, _)) => region = outer,
            // The user owns it.
            Err(_) => return Ok(level),
        }
    }
    Err(Status::OutOfRange)
}

/// Position of an iterator.
enum Cursor {
    At(Found<Inst>),
    End(Found<End>),
}

impl Cursor {
    /// # Safety
    /// `iterator` is NULL or live.
    unsafe fn new(iterator: tiletc_inst_iterator_t) -> Outcome<Cursor> {
        Found::new(iterator).map(Cursor::At).or_else(|_| Found::new(iterator).map(Cursor::End))
    }

    /// Region, place, and the number of instructions in the region.
    fn place(&self, state: &mut State) -> Outcome<(Region, usize, usize)> {
        let (region, index) = match self {
            Cursor::At(inst) if inst.is_owned() => return Err(Status::InvalidArguments),
            Cursor::At(inst) => {
                let inst = inst.live(state)?;
                position(state, inst)?
            }
            Cursor::End(end) => {
                let End(region) = end.live(state)?;
                (region, state.ir[region].insts.len())
            }
        };
        Ok((region, index, state.ir[region].insts.len()))
    }

    fn context(&self) -> &Handle<Context> {
        match self {
            Cursor::At(inst) => &inst.context,
            Cursor::End(end) => &end.context,
        }
    }
}

/// The iterator at a place of a region.
fn iterator_at(
    state: &mut State,
    context: &Handle<Context>,
    region: Region,
    index: usize,
) -> Outcome<tiletc_inst_iterator_t> {
    match state.ir[region].insts.get(index).copied() {
        Some(inst) => {
            state.nodes.positions.insert(inst, (region, index));
            handle(state, context, inst)
        }
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
    unsafe { iterator_of(reg, iterator, |_| 0) }
}

/// Gets the iterator behind the last instruction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_region_end(
    reg: tiletc_region_t,
    iterator: *mut tiletc_inst_iterator_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
    unsafe { iterator_of(reg, iterator, |count| count) }
}

/// # Safety
/// `reg` is NULL or a live handle, `iterator` is NULL or writable.
unsafe fn iterator_of(
    reg: tiletc_region_t,
    iterator: *mut tiletc_inst_iterator_t,
    index: impl FnOnce(usize) -> usize,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: this function's contract.
        let (found, out) = unsafe { (Found::<Region>::new(reg)?, Out::new(iterator)?) };
        let mut state = found.context.lock();
        let region = found.live(&state)?;
        let index = index(state.ir[region].insts.len());
        out.set(iterator_at(&mut state, &found.context, region, index)?);
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
        let Cursor::At(found) = (unsafe { Cursor::new(what)? }) else { return Err(Status::InvalidArguments) };
        let mut state = region.context.lock();
        if !found.context.is(&region.context) {
            return Err(Status::InvalidArguments);
        }
        let (from, inst) = (region.live(&state)?, found.live(&state)?);
        let (place, index) = position(&mut state, inst)?;
        if place != from {
            return Err(Status::InvalidArguments);
        }
        if state.ir.is_used_outside(inst) {
            return Err(Status::IrValueStillHasUses);
        }
        state.ir[from].insts.remove(index);
        state.ir.remove_inst(inst);
        out.set(iterator_at(&mut state, &region.context, from, index)?);
        Ok(())
    })
}

/// Moves an iterator to the next instruction or to the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_next_inst(iterator: *mut tiletc_inst_iterator_t) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or a live iterator.
    unsafe { step(iterator, |index, count| (index < count).then_some(index + 1)) }
}

/// Moves an iterator to the instruction before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prev_inst(iterator: *mut tiletc_inst_iterator_t) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or a live iterator.
    unsafe { step(iterator, |index, _| index.checked_sub(1)) }
}

/// # Safety
/// `iterator` is NULL or points to an iterator that is NULL or live.
unsafe fn step(
    iterator: *mut tiletc_inst_iterator_t,
    to: impl FnOnce(usize, usize) -> Option<usize>,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: this function's contract.
        let (out, cursor) = unsafe { (Out::new(iterator)?, Cursor::new(*iterator)?) };
        let mut state = cursor.context().lock();
        let (region, index, count) = cursor.place(&mut state)?;
        let index = to(index, count).ok_or(Status::InvalidArguments)?;
        out.set(iterator_at(&mut state, cursor.context(), region, index)?);
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
