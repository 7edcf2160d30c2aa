//! Interface between recipes and a runtime, and the runtimes that have it.

use super::call::{Outcome, outcome};
use super::last_error::driver_failed;
use super::types::*;
use crate::runtime::{self, MemoryKind, level_zero, opencl};
use crate::status::Status;
use std::ffi::{CStr, CString, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A memory argument.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    pub(super) kind: MemoryKind,
    pub(super) value: *const c_void,
}

/// The kernels of a recipe on a runtime.
pub(super) trait Kernels {
    /// Selects the kernel that the other functions are about; what was set before is forgotten.
    fn select(&mut self, kernel: usize) -> Outcome;
    /// Sets an argument to a copy of the bytes.
    fn set_value(&mut self, index: u32, value: &[u8]) -> Outcome;
    /// Sets an argument to memory.
    ///
    /// # Safety
    /// The memory is what its kind says.
    unsafe fn set_memory(&mut self, index: u32, memory: Memory) -> Outcome;
    /// Sets the number of work-groups along x, after which the kernel can be launched.
    fn set_groups(&mut self, groups: u64) -> Outcome;
}

/// A runtime with the kernels of a recipe.
pub(super) enum Runtime {
    Cl(Shared<opencl::Kernel>),
    Ze(Shared<level_zero::Kernel>),
    Callbacks(OfCallbacks),
}

impl Runtime {
    /// Lets nobody else set arguments meanwhile, but for callbacks, which may use the handler themselves.
    pub(super) fn with<T>(&self, body: impl FnOnce(&mut dyn Kernels) -> T) -> T {
        match self {
            Runtime::Cl(kernels) => body(&mut *kernels.lock()),
            Runtime::Ze(kernels) => body(&mut *kernels.lock()),
            Runtime::Callbacks(kernels) => body(&mut &*kernels),
        }
    }
}

/// Kernels that only one thread uses at a time.
pub(super) struct Shared<K>(Mutex<Prepared<K>>);

/// Kernels and what to launch of them.
pub(super) struct Prepared<K> {
    kernels: Vec<K>,
    selected: usize,
    groups: Option<u64>,
}

impl<K> Shared<K> {
    pub(super) fn new(kernels: Vec<K>) -> Self {
        Shared(Mutex::new(Prepared { kernels, selected: 0, groups: None }))
    }

    /// The kernels; a panic of an earlier call does not lock the user out.
    pub(super) fn lock(&self) -> MutexGuard<'_, Prepared<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K> Prepared<K> {
    /// The kernel and its work-groups; refused before all arguments are set.
    pub(super) fn launch(&mut self) -> Outcome<(&mut K, [u64; 3])> {
        let groups = self.groups.ok_or(Status::InvalidArguments)?;
        Ok((self.selected()?, [groups, 1, 1]))
    }

    fn selected(&mut self) -> Outcome<&mut K> {
        self.kernels.get_mut(self.selected).ok_or(Status::InvalidArguments)
    }
}

impl<K: runtime::Kernel> Kernels for Prepared<K> {
    fn select(&mut self, kernel: usize) -> Outcome {
        (self.selected, self.groups) = (kernel, None);
        Ok(())
    }

    fn set_value(&mut self, index: u32, value: &[u8]) -> Outcome {
        self.selected()?.set_value(index, value).map_err(|error| driver_failed(&error))
    }

    unsafe fn set_memory(&mut self, index: u32, Memory { kind, value }: Memory) -> Outcome {
        // SAFETY: the same contract.
        unsafe { self.selected()?.set_memory(index, kind, value) }.map_err(|error| driver_failed(&error))
    }

    fn set_groups(&mut self, groups: u64) -> Outcome {
        self.groups = Some(groups);
        Ok(())
    }
}

/// The kernels of a runtime that the user brings.
pub(super) struct OfCallbacks {
    name: CString,
    select_kernel: unsafe extern "C" fn(*mut c_void, usize) -> tiletc_status_t,
    set_value: unsafe extern "C" fn(*mut c_void, u32, usize, *const c_void) -> tiletc_status_t,
    set_memory: unsafe extern "C" fn(*mut c_void, u32, tiletc_mem_type_t, *const c_void) -> tiletc_status_t,
    set_groups: unsafe extern "C" fn(*mut c_void, i64) -> tiletc_status_t,
    destroy: unsafe extern "C" fn(*mut c_void),
    user_data: *mut c_void,
}

// SAFETY: the pointer is the user's. We never look behind it; whoever hands a handler to another thread hands
// over what it was made of.
unsafe impl Send for OfCallbacks {}
// SAFETY: as above; the user must not set arguments of one handler from two threads at once.
unsafe impl Sync for OfCallbacks {}

impl OfCallbacks {
    pub(super) fn new(
        callbacks: &tiletc_recipe_handler_callbacks_t,
        name: &CStr,
        user_data: *mut c_void,
    ) -> Outcome<Self> {
        let missing = Status::InvalidArguments;
        Ok(OfCallbacks {
            name: name.to_owned(),
            select_kernel: callbacks.select_kernel.ok_or(missing)?,
            set_value: callbacks.set_value.ok_or(missing)?,
            set_memory: callbacks.set_memory.ok_or(missing)?,
            set_groups: callbacks.set_groups.ok_or(missing)?,
            destroy: callbacks.destroy.ok_or(missing)?,
            user_data,
        })
    }

    /// Returns whether the handler was made for the runtime of this name.
    pub(super) fn is_for(&self, name: &CStr) -> bool {
        *self.name == *name
    }

    pub(super) fn user_data(&self) -> *mut c_void {
        self.user_data
    }
}

impl Kernels for &OfCallbacks {
    fn select(&mut self, kernel: usize) -> Outcome {
        // SAFETY: the user gave us a function of this signature and its first argument.
        outcome(unsafe { (self.select_kernel)(self.user_data, kernel) })
    }

    fn set_value(&mut self, index: u32, value: &[u8]) -> Outcome {
        // SAFETY: as above; the bytes live until the function returns.
        outcome(unsafe { (self.set_value)(self.user_data, index, value.len(), value.as_ptr().cast()) })
    }

    unsafe fn set_memory(&mut self, index: u32, Memory { kind, value }: Memory) -> Outcome {
        // SAFETY: as above; the memory is only handed on.
        outcome(unsafe { (self.set_memory)(self.user_data, index, kind as tiletc_mem_type_t, value) })
    }

    fn set_groups(&mut self, groups: u64) -> Outcome {
        let groups = i64::try_from(groups).map_err(|_| Status::OutOfRange)?;
        // SAFETY: as above.
        outcome(unsafe { (self.set_groups)(self.user_data, groups) })
    }
}

impl Drop for OfCallbacks {
    fn drop(&mut self) {
        // SAFETY: as above; the handler is gone, so no callback follows.
        unsafe { (self.destroy)(self.user_data) }
    }
}
