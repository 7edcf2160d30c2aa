//! Getters of attributes (API reference 4.1).

use super::arg::{Out, array, array_mut};
use super::call::{Outcome, call};
use super::context::Context;
use super::handle::Handle;
use super::last_error::refuse;
use super::managed::{intern, resolve};
use super::types::*;
use crate::ir::{Attribute, AttributeError, Dictionary, MAX_LEVELS, Text};
use crate::status::Status;
use std::ffi::c_char;

/// The largest attribute, counted as [`Attribute::size`] does. A list that holds another one twice, and so on,
/// would double it with every call.
const MAX_SIZE: usize = 1 << 20;

/// The size that an attribute may still grow by.
struct Budget(usize);

impl Budget {
    /// Puts a part into the attribute.
    fn take(&mut self, part: &Attribute) -> Outcome {
        let left = self.0.checked_sub(part.size()).filter(|_| part.depth() < MAX_LEVELS);
        self.0 = left.ok_or(Status::OutOfRange)?;
        Ok(())
    }
}

/// Looks up an attribute.
///
/// # Safety
/// `out` is NULL or writable, `ctx` is NULL or a live handle.
unsafe fn get(
    out: *mut tiletc_attr_t,
    ctx: tiletc_compiler_context_t,
    make: impl FnOnce() -> Outcome<Attribute>,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: this function's contract.
        let (out, context) = unsafe { (Out::new(out)?, Handle::<Context>::share(ctx)?) };
        out.set(intern(&context, make()?));
        Ok(())
    })
}

/// The attribute of a handle.
///
/// # Safety
/// `handle` is NULL or a live handle.
unsafe fn attribute(handle: const_tiletc_attr_t) -> Outcome<Attribute> {
    resolve(handle).map(|(_, attribute)| attribute)
}

/// The dictionary of a handle, `None` for NULL.
///
/// # Safety
/// `handle` is NULL or a live handle.
pub(super) unsafe fn optional_dictionary(handle: const_tiletc_attr_t) -> Outcome<Option<Dictionary>> {
    if handle.is_null() {
        return Ok(None);
    }
    // SAFETY: this function's contract.
    match unsafe { attribute(handle)? } {
        Attribute::Dictionary(dictionary) => Ok(Some(dictionary)),
        _ => Err(Status::IrExpectedDictionaryAttribute),
    }
}

/// The status of attributes that are refused, and a note of the reason.
#[allow(clippy::needless_pass_by_value)]
pub(super) fn refused(error: AttributeError) -> Status {
    refuse(error.status(), error.to_string())
}

/// The name of an entry.
///
/// # Safety
/// The name is NULL or a live handle.
unsafe fn name(entry: &tiletc_named_attr_t) -> Outcome<Text> {
    // SAFETY: the same contract.
    match unsafe { attribute(entry.name)? } {
        Attribute::String(name) => Ok(name),
        _ => Err(Status::IrExpectedStringAttribute),
    }
}

/// Puts entries in the order of their names, and changes nothing if one has no name.
///
/// # Safety
/// The names are NULL or live handles.
unsafe fn sort(items: &mut [tiletc_named_attr_t]) -> Outcome {
    let mut named = Vec::with_capacity(items.len());
    for item in items.iter() {
        // SAFETY: the same contract.
        named.push((unsafe { name(item)? }, *item));
    }
    named.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (item, (_, sorted)) in items.iter_mut().zip(named) {
        *item = sorted;
    }
    Ok(())
}

/// The dictionary of entries in any order.
///
/// # Safety
/// Names and attributes are NULL or live handles.
unsafe fn dictionary(items: &[tiletc_named_attr_t]) -> Outcome<Attribute> {
    let (mut entries, mut budget) = (Vec::new(), Budget(MAX_SIZE));
    for item in items {
        // SAFETY: the same contract.
        let (name, attribute) = unsafe { (name(item)?, attribute(item.attr)?) };
        budget.take(&attribute)?;
        entries.push((name, attribute));
    }
    match Dictionary::of_distinct(entries) {
        Ok(dictionary) => Ok(Attribute::Dictionary(dictionary)),
        Err(_) => Err(Status::IrDuplicateKeyInDictionary),
    }
}

/// Gets the attribute of a truth value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_boolean_attr_get(
    attr: *mut tiletc_attr_t,
    ctx: tiletc_compiler_context_t,
    value: tiletc_bool_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { get(attr, ctx, || Ok(Attribute::Boolean(value != 0))) }
}

/// Gets the attribute of an integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_integer_attr_get(
    attr: *mut tiletc_attr_t,
    ctx: tiletc_compiler_context_t,
    value: i64,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { get(attr, ctx, || Ok(Attribute::Integer(value))) }
}

/// Gets the attribute of `str_length` bytes of text, which need no terminator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_string_attr_get(
    attr: *mut tiletc_attr_t,
    ctx: tiletc_compiler_context_t,
    str_length: usize,
    str: *const c_char,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place, a live handle and so many bytes.
    unsafe { get(attr, ctx, || Ok(Attribute::String(array(str.cast::<u8>(), str_length)?.into()))) }
}

/// Gets the attribute of a list.
///
/// Errors: out_of_range if lists and dictionaries lie more than 64 deep in each other, or hold more than 2^20
/// attributes and bytes of text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_array_attr_get(
    attr: *mut tiletc_attr_t,
    ctx: tiletc_compiler_context_t,
    array_size: usize,
    array: *const tiletc_attr_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place, a live handle and so many live handles.
    unsafe {
        get(attr, ctx, || {
            let (mut items, mut budget) = (Vec::new(), Budget(MAX_SIZE));
            for &item in super::arg::array(array, array_size)? {
                let item = attribute(item)?;
                budget.take(&item)?;
                items.push(item);
            }
            Ok(Attribute::Array(items))
        })
    }
}

/// Gets the attribute of named attributes and sorts `items` by the bytes of the names.
///
/// Errors: ir_expected_string_attribute if a name is no string, ir_duplicate_key_in_dictionary if two are
/// equal, out_of_range as tiletc_array_attr_get.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_dictionary_attr_get(
    attr: *mut tiletc_attr_t,
    ctx: tiletc_compiler_context_t,
    items_size: usize,
    items: *mut tiletc_named_attr_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place, a live handle and so many entries, which
    // nobody else uses meanwhile, of live handles.
    unsafe {
        get(attr, ctx, || {
            let items = array_mut(items, items_size)?;
            sort(items)?;
            dictionary(items)
        })
    }
}

/// Gets the attribute of named attributes that are sorted by the bytes of the names; for others use
/// tiletc_dictionary_attr_get.
///
/// Errors: as tiletc_dictionary_attr_get.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_dictionary_attr_get_with_sorted(
    attr: *mut tiletc_attr_t,
    ctx: tiletc_compiler_context_t,
    items_size: usize,
    items: *const tiletc_named_attr_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place, a live handle and so many entries of live
    // handles.
    unsafe { get(attr, ctx, || dictionary(array(items, items_size)?)) }
}

/// Sorts named attributes by the bytes of the names.
///
/// Errors: ir_expected_string_attribute if a name is no string; nothing is moved then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_dictionary_attr_sort(
    items_size: usize,
    items: *mut tiletc_named_attr_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or so many entries, which nobody else uses meanwhile, of live handles.
    call(|| unsafe { sort(array_mut(items, items_size)?) })
}
