//! Handles of reference-counted objects.
//!
//! A handle points to a [`Shared`] in an [`Arc`]; each reference that C holds is one strong count. Mixing handles
//! up in C, where a cast or a `void *` hides it, or releasing one too often is an error code and not a crash
//! ([`live`]).

use super::call::Outcome;
use super::{live, types};
use crate::status::Status;
use std::ops::Deref;
use std::sync::Arc;

/// A kind of reference-counted object. Handles travel between threads, so must the objects.
pub(super) trait Object: Send + Sync + 'static {
    /// The C struct that the handle seems to point to.
    type Opaque;
    /// Number of the kind; different for every kind.
    const TAG: u64;
}

/// What a handle points to; live as long as there are references.
struct Shared<T>(T);

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
        let shared = Arc::new(Shared(object));
        live::enter(&shared, T::TAG);
        Handle(shared)
    }

    /// A reference of our own to the object of a handle, so that it outlives the call even if another
    /// thread or the error reporter releases the handle meanwhile.
    ///
    /// # Safety
    /// No other thread releases the last reference meanwhile.
    pub(super) unsafe fn share(handle: *const T::Opaque) -> Outcome<Self> {
        let shared = check::<T>(handle)?;
        // SAFETY: `check` found a live object of `T`, so the pointer came from `Arc::into_raw` in `into_raw`, and
        // by contract the count stays above 0; the new count belongs to the new `Arc`.
        unsafe {
            Arc::increment_strong_count(shared);
            Ok(Handle(Arc::from_raw(shared)))
        }
    }

    /// Takes over the reference that C gives back.
    ///
    /// # Safety
    /// The caller has a reference if the object is live, and does not use it any more if the call succeeds.
    pub(super) unsafe fn take(handle: *const T::Opaque) -> Outcome<Self> {
        let shared = check::<T>(handle)?;
        // SAFETY: `check` found a live object of `T`, so the pointer came from `Arc::into_raw` in `into_raw`;
        // the count it stands for is the one the caller gives up.
        Ok(Handle(unsafe { Arc::from_raw(shared) }))
    }

    /// Gives this reference to C, which releases it later.
    pub(super) fn into_raw(self) -> *mut T::Opaque {
        Arc::into_raw(self.0).cast_mut().cast()
    }

    /// Whether both are references to one object.
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
        &self.0.0
    }
}

/// Refuses what is no live handle of this kind.
fn check<T: Object>(handle: *const T::Opaque) -> Outcome<*const Shared<T>> {
    let shared = handle.cast::<Shared<T>>();
    if live::is_live(shared, T::TAG) { Ok(shared) } else { Err(Status::InvalidArguments) }
}

/// Adds a reference; the body of every `…_retain`.
///
/// # Safety
/// As [`Handle::share`].
pub(super) unsafe fn retain<T: Object>(handle: *const T::Opaque) -> types::tiletc_status_t {
    super::call::call(|| {
        // SAFETY: the same contract.
        let reference = unsafe { Handle::<T>::share(handle)? };
        let _now_of_c = reference.into_raw();
        Ok(())
    })
}

/// Drops a reference and with the last one the object; the body of every `…_release`.
///
/// # Safety
/// As [`Handle::take`].
pub(super) unsafe fn release<T: Object>(handle: *const T::Opaque) -> types::tiletc_status_t {
    super::call::call(|| {
        // SAFETY: the same contract.
        drop(unsafe { Handle::<T>::take(handle)? });
        Ok(())
    })
}
