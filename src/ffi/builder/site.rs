//! Common part of all constructors of instructions: look operands and types up, check, make.

use super::super::arg::{Out, array};
use super::super::call::{Outcome, call};
use super::super::context::{Context, from_c};
use super::super::handle::Handle;
use super::super::last_error::refuse;
use super::super::managed::resolve;
use super::super::tables::TypeEntry;
use super::super::types::*;
use super::nodes::{Found, own};
use crate::diagnostics::Location;
use crate::ir::{AddressSpace, Extent, Group, Memref, Op, Scalar, Type, Value};
use crate::status::Status;
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
        let inst = state
            .ir
            .create(op, &site.results, location)
            .map_err(|error| refuse(error.status, error.to_string()))?;
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

/// Makes instructions. Who makes a site promises that its pointers are what the caller of the entry point passed;
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
    pub(super) fn numbers(&self, size: usize, values: *const i64) -> Outcome<&[i64]> {
        self.list(size, values)
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

/// Type that takes the place of void, so that each instruction refuses it with the status for a type that it does not
/// return: no instruction returns a group.
fn no_result() -> Type {
    let space = AddressSpace::Global;
    let member = Memref { element: Scalar::I8, shape: Vec::new(), stride: Vec::new(), swizzle: None, space };
    Group { member: Arc::new(member), size: Extent::Dynamic, offset: Extent::Dynamic }.into()
}

/// A size as C says it.
pub(in super::super) fn extent(number: i64) -> Extent {
    if number == i64::MIN { Extent::Dynamic } else { Extent::Static(number) }
}
