//! Passes and compilation (API reference 3.7).

use super::arg::{Out, c_string, text};
use super::binary::Binary;
use super::call::{Outcome, call};
use super::core_info::CoreInfo;
use super::handle::Handle;
use super::program::Program;
use super::spv_mod::SpvMod;
use super::types::*;
use crate::status::Status;
use crate::{device, driver};
use std::ffi::{CString, c_char};
use std::io::Write as _;
use std::sync::LazyLock;

/// Runs one pass on every function of the program. `info` may be NULL for passes that need no device. What
/// the pass prints goes to standard output.
///
/// Errors: unknown_pass_name; file_io_error; what the pass finds, as tiletc_prog_compile_to_spirv.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_run_function_pass(
    pass_name: *const c_char,
    prg: tiletc_prog_t,
    info: const_tiletc_core_info_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a NUL-terminated text and two live handles.
        let (name, program, info) =
            unsafe { (text(pass_name)?, Handle::<Program>::share(prg)?, optional_info(info)?) };
        let name = name.to_string_lossy();
        let info = info.map(|info| info.snapshot());
        let output = program.context.work(|state| {
            driver::run_pass(&name, &mut state.ir, &program.functions(), info.as_ref(), &state.options)
        })?;
        let mut stdout = std::io::stdout().lock();
        let written = stdout.write_all(output.as_bytes()).and_then(|()| stdout.flush());
        written.map_err(|error| {
            program.context.fail(Status::FileIoError, format!("cannot write standard output: {error}"))
        })
    })
}

/// The device description of a handle that may be NULL.
///
/// # Safety
/// `info` is NULL or a live handle.
unsafe fn optional_info(info: const_tiletc_core_info_t) -> Outcome<Option<Handle<CoreInfo>>> {
    if info.is_null() {
        return Ok(None);
    }
    Handle::share(info).map(Some)
}

/// The pass names as C sees them; the pointers point into the texts.
struct PassNames {
    _texts: Vec<CString>,
    pointers: Vec<*const c_char>,
}

// SAFETY: the pointers point to the texts next to them, which nothing changes after construction.
unsafe impl Send for PassNames {}
// SAFETY: as above; there is nothing but reading.
unsafe impl Sync for PassNames {}

static PASS_NAMES: LazyLock<PassNames> = LazyLock::new(|| {
    let texts: Vec<CString> = driver::pass_names().map(c_string).collect();
    let pointers = texts.iter().map(|text| text.as_ptr()).collect();
    PassNames { _texts: texts, pointers }
});

/// Gets number and names of all passes; the array and the names are static.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_list_function_passes(
    names_size: *mut usize,
    names: *mut *const *const c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or writable places.
        let (size, list) = unsafe { (Out::new(names_size)?, Out::new(names)?) };
        size.set(PASS_NAMES.pointers.len());
        list.set(PASS_NAMES.pointers.as_ptr());
        Ok(())
    })
}

/// Compiles the program, which thereby changes, to SPIR-V for the device.
///
/// Errors: an `ir_` status for a broken rule of the language; invalid_arguments for two functions of one name;
/// invalid_core_info, unsupported_subgroup_size or unsupported_work_group_size if the device cannot run a
/// kernel; a `spirv_` status or not_implemented for what cannot be said in SPIR-V; out_of_range for a program
/// that becomes too large, has too many parameters, or needs more local memory than there is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prog_compile_to_spirv(
    r#mod: *mut tiletc_spv_mod_t,
    prg: tiletc_prog_t,
    info: const_tiletc_core_info_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and two live handles.
        let (out, program, info) =
            unsafe { (Out::new(r#mod)?, Handle::<Program>::share(prg)?, Handle::<CoreInfo>::share(info)?) };
        out.set(Handle::new(compile(&program, &info.snapshot())?).into_raw());
        Ok(())
    })
}

/// Compiles the program, which thereby changes, to a SPIR-V binary for the device.
///
/// Errors: as tiletc_prog_compile_to_spirv.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prog_compile_to_spirv_and_assemble(
    bin: *mut tiletc_binary_t,
    prg: tiletc_prog_t,
    info: const_tiletc_core_info_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and two live handles.
        let (out, program, info) =
            unsafe { (Out::new(bin)?, Handle::<Program>::share(prg)?, Handle::<CoreInfo>::share(info)?) };
        out.set(Handle::new(Binary::assemble(&compile(&program, &info.snapshot())?)).into_raw());
        Ok(())
    })
}

/// Encodes a module as a binary.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_spirv_assemble(
    bin: *mut tiletc_binary_t,
    r#mod: const_tiletc_spv_mod_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, module) = unsafe { (Out::new(bin)?, Handle::<SpvMod>::share(r#mod)?) };
        out.set(Handle::new(Binary::assemble(&module)).into_raw());
        Ok(())
    })
}

/// Compiles for the device.
pub(super) fn compile(program: &Program, info: &device::CoreInfo) -> Outcome<SpvMod> {
    let functions = program.functions();
    let (module, _) = program.context.compile(|state, instrumentation| {
        driver::compile_instrumented(&mut state.ir, &functions, info, &state.options, instrumentation)
    })?;
    Ok(SpvMod { context: program.context.clone(), module })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::context::{Context, tiletc_compiler_context_set_error_reporter};
    use super::*;
    use crate::diagnostics::SourceId;
    use crate::ir::{Builder, LifetimeStop};
    use std::ffi::{CStr, c_void};

    unsafe extern "C" fn keep(what: *const c_char, _: *const tiletc_location_t, heard: *mut c_void) {
        // SAFETY: the test passes a text that outlives the context, and the reporter gets a text.
        let (heard, what) = unsafe { (&mut *heard.cast::<String>(), CStr::from_ptr(what)) };
        heard.push_str(&what.to_string_lossy());
    }

    #[test]
    fn a_broken_invariant_is_a_status_and_is_reported_with_a_reproducer() {
        let mut heard = String::new();
        let context = Handle::new(Context::new());
        let program = {
            let mut state = context.lock();
            let text = b"func @f(%A: memref<f32x8>) { barrier.local }";
            let program = driver::parse(&mut state.ir, SourceId::UNKNOWN, text).unwrap();
            let body = state.ir[*program.functions.first().unwrap()].body;
            let (of, last) = (*state.ir[body].parameters.first().unwrap(), state.ir.last_inst(body).unwrap());
            // No call of the C API makes this: the lifetime of memory ends that is no allocation.
            Builder::after(&mut state.ir, last).unwrap().emit(LifetimeStop { of }, &[]).unwrap();
            program
        };
        let program = Handle::new(Program::new(context.clone(), program)).into_raw();
        let info = Handle::new(CoreInfo::new(device::CoreInfo::from_name("pvc").unwrap())).into_raw();
        let context = context.into_raw();
        let mut module = std::ptr::null_mut();
        // SAFETY: the handles are live, the text outlives the context, and the place is writable.
        let statuses = unsafe {
            let user_data = (&raw mut heard).cast();
            tiletc_compiler_context_set_error_reporter(context, Some(keep), user_data);
            let pass = tiletc_run_function_pass(c"set-stack-ptr".as_ptr(), program, std::ptr::null());
            [pass, tiletc_prog_compile_to_spirv(&raw mut module, program, info)]
        };
        let expected = Status::InternalCompilerError as tiletc_status_t;
        assert_eq!(statuses, [expected; 2]);
        assert!(module.is_null());
        let message =
            "internal compiler error in set-stack-ptr at `lifetime_stop`: it is of no live allocation";
        assert_eq!(heard.matches(message).count(), 2, "{heard}");
        assert_eq!(heard.matches("    lifetime_stop %A\n").count(), 2, "{heard}");
        // SAFETY: each handle is released once.
        unsafe {
            super::super::program::tiletc_prog_release(program);
            super::super::core_info::tiletc_core_info_release(info);
            super::super::context::tiletc_compiler_context_release(context);
        }
    }
}
