//! Tables of the types and attributes that a context has handed out.

use super::live;
use super::types::tiletc_compiler_context_t;
use crate::ir::Type;
use std::collections::HashMap;
use std::sync::Arc;

/// Entry behind a type handle.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum TypeEntry {
    /// Result type of functions; no value has this type.
    Void,
    /// A type of the language.
    Value(Type),
}

/// Target of a handle.
pub(super) struct Managed<T> {
    pub(super) owner: Owner,
    pub(super) content: T,
}

impl<T> Drop for Managed<T> {
    fn drop(&mut self) {
        live::leave(self);
    }
}

/// The context that owns a thing. It is no reference, or no context would ever be freed.
#[derive(Clone, Copy)]
pub(super) struct Owner(pub(super) tiletc_compiler_context_t);

// SAFETY: the pointer is never changed, and what it points to may be shared between threads.
unsafe impl Send for Owner {}
// SAFETY: as above.
unsafe impl Sync for Owner {}

/// The things of one kind that a context has handed out; each stays where it is until the context goes.
pub(super) struct Table<T>(pub(super) HashMap<T, Arc<Managed<T>>>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table(HashMap::new())
    }
}
