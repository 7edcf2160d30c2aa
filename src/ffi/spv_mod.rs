//! SPIR-V modules (API reference 3.8).

use super::arg::{Out, c_string, path, text};
use super::call::call;
use super::context::Context;
use super::handle::{Handle, Object, release, retain};
use super::program::{dump, write_file};
use super::types::*;
use crate::spirv;
use std::ffi::c_char;

/// A module, which keeps its context alive.
pub(super) struct SpvMod {
    pub(super) context: Handle<Context>,
    pub(super) module: spirv::Module,
}

impl Object for SpvMod {
    type Opaque = tiletc_spv_mod;
    const TAG: u64 = u64::from_be_bytes(*b"tiletc:s");
}

/// Adds a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_spv_mod_retain(r#mod: tiletc_spv_mod_t) -> tiletc_status_t {
    retain::<SpvMod>(r#mod)
}

/// Drops a reference and frees the module with the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_spv_mod_release(r#mod: tiletc_spv_mod_t) -> tiletc_status_t {
    release::<SpvMod>(r#mod)
}

/// Prints the disassembly to standard error.
///
/// Errors: file_io_error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_spv_mod_dump(r#mod: const_tiletc_spv_mod_t) -> tiletc_status_t {
    call(|| {
        let module = Handle::<SpvMod>::share(r#mod)?;
        dump(module.module.disassemble())
    })
}

/// Prints the disassembly to a file, which is replaced if it exists.
///
/// Errors: file_io_error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_spv_mod_print_to_file(
    r#mod: const_tiletc_spv_mod_t,
    filename: *const c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a NUL-terminated text.
        let (module, name) = unsafe { (Handle::<SpvMod>::share(r#mod)?, text(filename)?) };
        write_file(&module.context, path(name), module.module.disassemble())
    })
}

/// Prints the disassembly to a new string, to be freed with tiletc_string_destroy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_spv_mod_print_to_string(
    r#mod: const_tiletc_spv_mod_t,
    str: *mut *mut c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (module, out) = unsafe { (Handle::<SpvMod>::share(r#mod)?, Out::new(str)?) };
        out.set(c_string(module.module.disassemble()).into_raw());
        Ok(())
    })
}
