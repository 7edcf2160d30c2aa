//! Handles of types and attributes: looked up in a context, which owns them; the user never frees them
//! (API reference 1.1).
//!
//! Asking twice for the same gives the same handle. As with counted objects, handles that are freed, with their
//! context, or of the wrong kind are refused.

use super::call::Outcome;
use super::context::{Context, State};
use super::handle::Handle;
use super::live;
use super::tables::{Managed, Owner, Table, TypeEntry};
use super::types::*;
use crate::ir::{Attribute, Type};
use crate::status::Status;
use std::hash::Hash;
use std::sync::Arc;

/// A kind of thing that contexts own.
pub(super) trait Content: Clone + Eq + Hash + Sized {
    /// The C struct that the handle seems to point to.
    type Opaque;
    /// Number of the kind; different for every kind.
    const TAG: u64;
    /// Table of this kind in a context.
    fn table(state: &mut State) -> &mut Table<Self>;
}

impl Content for TypeEntry {
    type Opaque = tiletc_type;
    const TAG: u64 = u64::from_be_bytes(*b"tiletc:t");
    fn table(state: &mut State) -> &mut Table<Self> {
        &mut state.types
    }
}

impl Content for Attribute {
    type Opaque = tiletc_attr;
    const TAG: u64 = u64::from_be_bytes(*b"tiletc:a");
    fn table(state: &mut State) -> &mut Table<Self> {
        &mut state.attributes
    }
}

/// The handle of a thing in a context; the same for equal things.
pub(super) fn intern<T: Content>(context: &Handle<Context>, content: T) -> *mut T::Opaque {
    let mut state = context.lock();
    let table = T::table(&mut state);
    let managed = table.0.entry(content.clone()).or_insert_with(|| {
        let managed = Arc::new(Managed { owner: Owner(context.as_raw()), content });
        live::enter(&managed, T::TAG);
        managed
    });
    Arc::as_ptr(managed).cast_mut().cast()
}

/// Finds the entity that a handle stands for, and its context.
pub(super) fn resolve<T: Content>(handle: *const T::Opaque) -> Outcome<(Handle<Context>, T)> {
    // SAFETY: `intern` is where things of this tag enter, and every kind has its own.
    let found = unsafe { live::find::<Managed<T>>(handle.cast(), T::TAG) };
    let managed = found.ok_or(Status::InvalidArguments)?;
    let context = Handle::share(managed.owner.0.cast_const())?;
    Ok((context, managed.content.clone()))
}

/// The type behind a handle, where a value's type is needed; `void` is the status if it is the void type.
pub(super) fn value_type(handle: const_tiletc_type_t, void: Status) -> Outcome<(Handle<Context>, Type)> {
    match resolve::<TypeEntry>(handle)? {
        (context, TypeEntry::Value(ty)) => Ok((context, ty)),
        (_, TypeEntry::Void) => Err(void),
    }
}
