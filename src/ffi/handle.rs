//! Handles of reference-counted objects.
//!
//! A handle points to a [`Shared`] in an [`Arc`]; each reference that C holds is one strong count. Mixing handles
//! up in C, where a cast or a `void *` hides it, releasing one too often, or releasing one that another thread uses is
//! an error code or does no harm, and never a crash ([`live`]).

use super::call::Outcome;
use super::{live, types};
use crate::status::Status;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A kind of reference-counted object. Handles travel between threads, so must the objects.
pub(super) trait Object: Send + Sync + 'static {
    /// The C struct that the handle seems to point to.
    type Opaque;
    /// Number of the kind; different for every kind.
    const TAG: u64;
}

/// Target of a handle; live as long as there are references.
struct Shared<T> {
    object: T,
    /// The references that C holds.
    given: AtomicUsize,
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        live::leave(self);
    }
}

/// One reference to an object.
pub(super) struct Handle<T: Object>(Arc<Shared<T>>);

impl<T: Object> Handle<T> {
    /// A new object with one reference.
    pub(super) fn new(object: T) -> Self {
        let shared = Arc::new(Shared { object, given: AtomicUsize::new(0) });
        live::enter(&shared, T::TAG);
        Handle(shared)
    }

    /// A reference of our own to the object of a handle, so that it outlives the call even if another
    /// thread or the error reporter releases the handle meanwhile. Refuses what is no live handle of this kind.
    pub(super) fn share(handle: *const T::Opaque) -> Outcome<Self> {
        // SAFETY: `new` is where objects of this tag enter, and every kind has its own.
        let found = unsafe { live::find::<Shared<T>>(handle.cast(), T::TAG) };
        found.map(Handle).ok_or(Status::InvalidArguments)
    }

    /// Takes over a reference that C gives back. Refused if C has none, even if others have.
    pub(super) fn take(handle: *const T::Opaque) -> Outcome<Self> {
        let shared = Self::share(handle)?;
        let less = |count: usize| count.checked_sub(1);
        let given = shared.0.given.fetch_update(Ordering::AcqRel, Ordering::Acquire, less);
        given.map_err(|_| Status::InvalidArguments)?;
        // SAFETY: C had this reference, so `into_raw` has left a count behind for it, which nobody else takes back; ours
        // keeps the object meanwhile.
        unsafe { Arc::decrement_strong_count(Arc::as_ptr(&shared.0)) };
        Ok(shared)
    }

    /// Gives this reference to C, which releases it later.
    pub(super) fn into_raw(self) -> *mut T::Opaque {
        self.0.given.fetch_add(1, Ordering::AcqRel);
        Arc::into_raw(self.0).cast_mut().cast()
    }

    /// Returns whether both are references to one object.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The handle without a reference, as the getters return it; valid while the object lives.
    pub(super) fn as_raw(&self) -> *mut T::Opaque {
        Arc::as_ptr(&self.0).cast_mut().cast()
    }
}

impl<T: Object> Clone for Handle<T> {
    fn clone(&self) -> Self {
        Handle(Arc::clone(&self.0))
    }
}

impl<T: Object> Deref for Handle<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.object
    }
}

/// Adds a reference; the body of every `…_retain`.
pub(super) fn retain<T: Object>(handle: *const T::Opaque) -> types::tiletc_status_t {
    super::call::call(|| {
        let _now_of_c = Handle::<T>::share(handle)?.into_raw();
        Ok(())
    })
}

/// Drops a reference and with the last one the object; the body of every `…_release`.
pub(super) fn release<T: Object>(handle: *const T::Opaque) -> types::tiletc_status_t {
    super::call::call(|| {
        drop(Handle::<T>::take(handle)?);
        Ok(())
    })
}
