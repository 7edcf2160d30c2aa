//! Objects that handles stand for.
//!
//! A handle is a number that is used once. The object behind it is shared by everybody who needs it: a command
//! keeps the module of its kernel alive, as Level Zero's own drivers do.

use crate::abi::Handle;
use crate::status::{Failure, Outcome};
use level_zero_sys::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// The objects of a kind by number.
pub(crate) struct Objects<T>(RwLock<BTreeMap<usize, Arc<T>>>);

/// Something that has handles.
pub(crate) trait Object: Sized + Send + Sync + 'static {
    /// All objects of the kind.
    fn all() -> &'static Objects<Self>;
}

/// Gives types a place for their objects.
macro_rules! objects {
    ($($ty:ty),* $(,)?) => { $(
        impl $crate::objects::Object for $ty {
            fn all() -> &'static $crate::objects::Objects<Self> {
                static ALL: $crate::objects::Objects<$ty> = $crate::objects::Objects::new();
                &ALL
            }
        }
    )* };
}

/// Numbers are aligned like pointers, for who looks at them.
const STEP: usize = 16;
static NEXT: AtomicUsize = AtomicUsize::new(0x1000);

impl<T> Objects<T> {
    pub const fn new() -> Objects<T> {
        Objects(RwLock::new(BTreeMap::new()))
    }
}

/// Makes a handle for an object.
pub(crate) fn add<T: Object>(object: Arc<T>) -> Handle<T> {
    let number = NEXT.fetch_add(STEP, Ordering::Relaxed);
    T::all().0.write().unwrap_or_else(PoisonError::into_inner).insert(number, object);
    Handle::new(number)
}

/// The object of a handle.
pub(crate) fn get<T: Object>(handle: Handle<T>) -> Outcome<Arc<T>> {
    if handle.is_null() {
        return Err(ZE_RESULT_ERROR_INVALID_NULL_HANDLE.into());
    }
    let objects = T::all().0.read().unwrap_or_else(PoisonError::into_inner);
    objects.get(&handle.number()).cloned().ok_or_else(unknown)
}

/// Ends a handle; the object lives on while it is in use.
pub(crate) fn remove<T: Object>(handle: Handle<T>) -> Outcome<Arc<T>> {
    if handle.is_null() {
        return Err(ZE_RESULT_ERROR_INVALID_NULL_HANDLE.into());
    }
    let mut objects = T::all().0.write().unwrap_or_else(PoisonError::into_inner);
    objects.remove(&handle.number()).ok_or_else(unknown)
}

fn unknown() -> Failure {
    Failure::new(
        ZE_RESULT_ERROR_INVALID_ARGUMENT,
        "the handle stands for nothing, or something of another kind",
    )
}
