//! What every constructor of an instruction does: look operands and types up, check, make.

use super::super::arg::{Out, array};
use super::super::call::{Outcome, call};
use super::super::context::{Context, from_c};
use super::super::enums::{self, Enumeration};
use super::super::handle::Handle;
use super::super::managed::{TypeEntry, resolve};
use super::super::types::*;
use super::nodes::{Found, own};
use crate::diagnostics::Location;
use crate::ir::{
    AddressSpace, Checked, Component, Extent, FenceGlobal, FenceLocal, Group, MemoryScope, MemorySemantics,
    Memref, Op, Scalar, Transpose, Type, Value,
};
use crate::status::Status;
use std::ffi::c_int;
use std::sync::Arc;

/// The arguments of a constructor on their way into an instruction.
pub(super) struct Site {
    /// The context of all operands and types.
    context: Option<Handle<Context>>,
    operands: Vec<Found<Value>>,
    results: Vec<Type>,
}

/// Makes an instruction from what `describe` reads through a [`Site`].
///
/// # Safety
/// `instr` and `loc` are NULL or valid, and so is whatever `describe` hands to the site: handles are NULL or
/// live, arrays have the length that is given with them.
pub(super) unsafe fn create(
    instr: *mut tiletc_inst_t,
    loc: *const tiletc_location_t,
    describe: impl FnOnce(&mut Site) -> Outcome<Op>,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: this function's contract.
        let (out, location) = unsafe { (Out::new(instr)?, location(loc)) };
        let mut site = Site { context: None, operands: Vec::new(), results: Vec::new() };
        let op = describe(&mut site)?;
        let context = site.context.unwrap_or_else(|| Handle::new(Context::detached()));
        let mut state = context.lock();
        for operand in &site.operands {
            operand.live(&state)?;
        }
        let inst = state.ir.create(op, &site.results, location).map_err(|error| error.status)?;
        out.set(own(&mut state, &context, inst)?);
        Ok(())
    })
}

/// The place that a location, which may be NULL, names.
///
/// # Safety
/// `loc` is NULL or readable.
pub(super) unsafe fn location(loc: *const tiletc_location_t) -> Location {
    // SAFETY: this function's contract.
    unsafe { loc.as_ref() }.map(from_c).unwrap_or_default()
}

/// Whoever makes a site promises that the pointers which it gets are what the caller of the entry point passed;
/// see [`create`].
impl Site {
    fn is_in(&mut self, context: Handle<Context>) -> Outcome {
        match &self.context {
            Some(known) if !known.is(&context) => Err(Status::InvalidArguments),
            Some(_) => Ok(()),
            None => {
                self.context = Some(context);
                Ok(())
            }
        }
    }

    /// An operand.
    pub(super) fn value(&mut self, handle: tiletc_value_t) -> Outcome<Value> {
        let found = Found::<Value>::new(handle)?;
        self.is_in(found.context.clone())?;
        let value = found.entity;
        self.operands.push(found);
        Ok(value)
    }

    /// An operand that may be NULL.
    pub(super) fn optional(&mut self, handle: tiletc_value_t) -> Outcome<Option<Value>> {
        if handle.is_null() { Ok(None) } else { self.value(handle).map(Some) }
    }

    /// A list of operands.
    pub(super) fn values(&mut self, size: usize, handles: *const tiletc_value_t) -> Outcome<Vec<Value>> {
        self.list(size, handles)?.iter().map(|&handle| self.value(handle)).collect()
    }

    /// Adds the type of a result.
    pub(super) fn result(&mut self, handle: tiletc_type_t) -> Outcome {
        let (context, entry) = resolve::<TypeEntry>(handle)?;
        self.is_in(context)?;
        self.results.push(match entry {
            TypeEntry::Value(ty) => ty,
            TypeEntry::Void => no_result(),
        });
        Ok(())
    }

    /// Adds the types of results.
    pub(super) fn results(&mut self, size: usize, handles: *const tiletc_type_t) -> Outcome {
        self.list(size, handles)?.iter().try_for_each(|&handle| self.result(handle))
    }

    /// A list of numbers.
    pub(super) fn numbers(&self, size: usize, values: *const i64) -> Outcome<Vec<i64>> {
        self.list(size, values).map(<[i64]>::to_vec)
    }

    /// A list of sizes or offsets, of which some may be known at run time only.
    pub(super) fn extents(&self, size: usize, values: *const i64) -> Outcome<Vec<Extent>> {
        Ok(self.list(size, values)?.iter().map(|&number| extent(number)).collect())
    }

    /// An array, which may not be longer than the number of operands that an instruction can have.
    fn list<'a, T>(&self, size: usize, values: *const T) -> Outcome<&'a [T]> {
        i32::try_from(size).map_err(|_| Status::OutOfRange)?;
        // SAFETY: the promise of whoever made the site.
        unsafe { array(values, size) }
    }

    /// The type of the last result.
    pub(super) fn last_result(&self) -> Outcome<&Type> {
        self.results.last().ok_or(Status::InvalidArguments)
    }
}

/// What takes the place of void, so that each instruction refuses it with the status for a type that it does not
/// return: no instruction returns a group.
fn no_result() -> Type {
    let space = AddressSpace::Global;
    let member = Memref { element: Scalar::I8, shape: Vec::new(), stride: Vec::new(), space };
    Group { member: Arc::new(member), size: Extent::Dynamic, offset: Extent::Dynamic }.into()
}

/// A size as C says it.
pub(in super::super) fn extent(number: i64) -> Extent {
    if number == i64::MIN { Extent::Dynamic } else { Extent::Static(number) }
}

/// The case of one of our enumerations that has the place of a C enumerator in its enumeration.
pub(super) fn word<T: Copy>(enumeration: &Enumeration, all: &[T], value: c_int) -> Outcome<T> {
    let index = enumeration.cases.iter().position(|case| case.value == value);
    index.and_then(|index| all.get(index)).copied().ok_or(Status::InvalidArguments)
}

/// Who takes part in an atomic operation, and what it orders.
pub(super) fn order(
    scope: tiletc_memory_scope_t,
    semantics: tiletc_memory_semantics_t,
) -> Outcome<(MemoryScope, MemorySemantics)> {
    let scope = word(&enums::MEMORY_SCOPE, MemoryScope::ALL, scope)?;
    Ok((scope, word(&enums::MEMORY_SEMANTICS, MemorySemantics::ALL, semantics)?))
}

/// Whether a matrix is transposed.
pub(super) fn transpose(value: tiletc_transpose_t) -> Outcome<Transpose> {
    word(&enums::TRANSPOSE, Transpose::ALL, value)
}

/// What a cooperative matrix access checks.
pub(super) fn check(value: tiletc_checked_flag_t) -> Outcome<Checked> {
    word(&enums::CHECKED_FLAG, Checked::ALL, value)
}

/// A direction of the grid or the work-group.
pub(super) fn component(value: tiletc_comp3_t) -> Outcome<Component> {
    word(&enums::COMP3, Component::ALL, value)
}

/// The address spaces that a barrier orders.
pub(super) fn fences(bits: tiletc_address_spaces_t) -> Outcome<(FenceGlobal, FenceLocal)> {
    const GLOBAL: u32 = 1;
    const LOCAL: u32 = 2;
    if bits & !(GLOBAL | LOCAL) != 0 {
        return Err(Status::InvalidArguments);
    }
    let global = if bits & GLOBAL != 0 { FenceGlobal::Yes } else { FenceGlobal::No };
    let local = if bits & LOCAL != 0 { FenceLocal::Yes } else { FenceLocal::No };
    Ok((global, local))
}
