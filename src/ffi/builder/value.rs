//! Values (API reference 4.3).

use super::super::arg::{Out, array, c_string, text};
use super::super::call::{Outcome, call};
use super::super::managed::intern;
use super::super::tables::TypeEntry;
use super::super::types::*;
use super::nodes::Found;
use crate::ir::Value;
use std::ffi::c_char;

/// Names a value in the printed text; the empty name makes it a number again. Names that are no identifiers,
/// or are taken, are printed with changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_value_set_name(vl: tiletc_value_t, name: *const c_char) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a live handle and a NUL-terminated text.
    call(|| unsafe { set_name(vl, text(name)?.to_bytes()) })
}

/// The same for a name of `name_length` bytes, which a NUL byte ends early.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_value_set_name_n(
    vl: tiletc_value_t,
    name_length: usize,
    name: *const c_char,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a live handle and `name_length` bytes.
    call(|| unsafe { set_name(vl, array(name.cast::<u8>(), name_length)?) })
}

/// # Safety
/// `vl` is NULL or a live handle.
unsafe fn set_name(vl: tiletc_value_t, name: &[u8]) -> Outcome {
    let found = Found::<Value>::new(vl)?;
    let name = c_string(name);
    let mut state = found.context.lock();
    let value = found.live(&state)?;
    state.ir.set_name(value, &name.to_string_lossy());
    Ok(())
}

/// Gets the name of a value, the empty text if it has none. The text lives as long as the context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_value_get_name(
    vl: const_tiletc_value_t,
    name: *mut *const c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (found, out) = unsafe { (Found::<Value>::new(vl)?, Out::new(name)?) };
        let mut state = found.context.lock();
        let value = found.live(&state)?;
        let name = c_string(state.ir[value].name.as_deref().unwrap_or_default());
        out.set(state.nodes.keep_name(name));
        Ok(())
    })
}

/// Gets the type of a value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_value_get_type(
    vl: const_tiletc_value_t,
    ty: *mut tiletc_type_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (found, out) = unsafe { (Found::<Value>::new(vl)?, Out::new(ty)?) };
        let found_type = type_of(&found)?;
        out.set(intern(&found.context, TypeEntry::Value(found_type)));
        Ok(())
    })
}

fn type_of(found: &Found<Value>) -> Outcome<crate::ir::Type> {
    let state = found.context.lock();
    let value = found.live(&state)?;
    Ok(state.ir.ty(value).clone())
}
