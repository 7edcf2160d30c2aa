//! Contexts of tiletc's own.

use std::ptr;

use level_zero_sys::*;

use super::driver::{Driver, call, zeroed};
use crate::runtime::{Error, answer};

/// A context of tiletc's own.
pub(super) struct Context {
    driver: &'static Driver,
    handle: ze_context_handle_t,
}

// SAFETY: Level Zero's functions may be called from any thread on a context.
unsafe impl Send for Context {}
// SAFETY: likewise.
unsafe impl Sync for Context {}

impl Context {
    pub(super) fn create(driver: &'static Driver, handle: ze_driver_handle_t) -> Result<Context, Error> {
        let mut description: ze_context_desc_t = zeroed();
        description.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
        let mut context = ptr::null_mut();
        // SAFETY: the driver is valid; the description carries its type and outlives the call.
        unsafe { call!(driver, zeContextCreate(handle, &description, &mut context)) }?;
        Ok(Context { driver, handle: answer::object("zeContextCreate", context)? })
    }

    pub(super) fn handle(&self) -> ze_context_handle_t {
        self.handle
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // That a driver refuses to destroy it is nothing to act upon.
        // SAFETY: whatever is of the context holds it, so that all of it is gone by now.
        let _ = unsafe { call!(self.driver, zeContextDestroy(self.handle)) };
    }
}
