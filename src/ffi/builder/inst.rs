//! Queries of instructions, and their end (API reference 1.9, 4.8).

use super::super::arg::{Out, array_mut};
use super::super::attributes::{optional_dictionary, refused};
use super::super::call::{Outcome, call};
use super::super::context::State;
use super::super::types::*;
use super::nodes::{Found, Kind, handle};
use crate::ir::Inst;
use crate::status::Status;

/// Frees an instruction that no region has taken; NULL is fine. An instruction whose results others use goes
/// with its context instead.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_inst_destroy(instr: tiletc_inst_t) {
    call(|| {
        let found = Found::<Inst>::new(instr)?;
        let Some(owning_ref) = found.disown() else { return Ok(()) };
        let mut state = owning_ref.lock();
        let inst = found.live(&state)?;
        if !state.ir.is_used_outside(inst) {
            state.ir.erase(inst);
        }
        Ok(())
    });
}

/// Gets the region that the instruction is in, NULL if it is in none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_inst_get_parent_region(
    instr: tiletc_inst_t,
    parent: *mut tiletc_region_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (found, out) = unsafe { (Found::<Inst>::new(instr)?, Out::new(parent)?) };
        let mut state = found.context.lock();
        let inst = found.live(&state)?;
        let parent = state.ir.parent(inst).map(|region| handle(&mut state, &found.context, region));
        out.set(parent.transpose()?.unwrap_or(std::ptr::null_mut()));
        Ok(())
    })
}

/// Gets the regions of an instruction: if `*result_list_size` is 0, their number; else at most so many of
/// them, and `*result_list_size` becomes the number that was written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_inst_get_regions(
    instr: tiletc_inst_t,
    result_list_size: *mut usize,
    result_list: *mut tiletc_region_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle, a size and a list of that size.
        unsafe {
            let found = Found::<Inst>::new(instr)?;
            list(&found, result_list_size, result_list, |state, inst| state.ir[inst].regions.to_vec())
        }
    })
}

/// Gets the results of an instruction: if `*result_list_size` is 0, their number; else at most so many of
/// them, and `*result_list_size` becomes the number that was written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_inst_get_values(
    instr: tiletc_inst_t,
    result_list_size: *mut usize,
    result_list: *mut tiletc_value_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle, a size and a list of that size.
        unsafe {
            let found = Found::<Inst>::new(instr)?;
            list(&found, result_list_size, result_list, |state, inst| state.ir[inst].results.to_vec())
        }
    })
}

/// Writes handles to a list whose size goes in and out.
///
/// # Safety
/// `size` is NULL or points to the length of `items`, which is NULL or writable.
pub(super) unsafe fn list<E: Kind, T: Kind>(
    found: &Found<E>,
    size: *mut usize,
    items: *mut *mut T::Opaque,
    available: impl FnOnce(&mut State, E) -> Vec<T>,
) -> Outcome {
    // SAFETY: this function's contract.
    let (out, capacity) = unsafe { (Out::new(size)?, *size) };
    let mut state = found.context.lock();
    let entity = found.live(&state)?;
    let available = available(&mut state, entity);
    if capacity == 0 {
        out.set(available.len());
        return Ok(());
    }
    let written = capacity.min(available.len());
    if items.is_null() {
        return Err(Status::InvalidArguments);
    }
    // SAFETY: this function's contract; no more than the length of the list is written.
    let items = unsafe { array_mut(items, written)? };
    for (item, entity) in items.iter_mut().zip(available) {
        *item = handle(&mut state, &found.context, entity)?;
    }
    out.set(written);
    Ok(())
}

/// Sets the attributes of an instruction to a dictionary, or with NULL to none. The attribute `boundary` of a `tile_load`
/// takes the place of the boundary that the load was made with, which stays without it.
///
/// Errors: as tiletc_func_set_attr.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_inst_set_attr(instr: tiletc_inst_t, a: tiletc_attr_t) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or live handles.
        let (found, dictionary) = unsafe { (Found::<Inst>::new(instr)?, optional_dictionary(a)?) };
        let mut state = found.context.lock();
        let inst = found.live(&state)?;
        state.ir.update(inst, |op| op.set_attributes(dictionary.as_ref())).map_err(refused)
    })
}
