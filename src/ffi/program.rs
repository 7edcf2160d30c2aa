//! Parser and programs (API reference 3.5, 3.6).

use super::arg::{Out, array, c_string, copy, path, text};
use super::call::{Outcome, call};
use super::context::{Context, State};
use super::handle::{Handle, Object, release, retain};
use super::types::*;
use crate::status::Status;
use crate::{driver, ir};
use std::ffi::{CString, c_char};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A program, which keeps its context alive and owns its functions there.
pub(super) struct Program {
    pub(super) context: Handle<Context>,
    program: Mutex<ir::Program>,
}

impl Object for Program {
    type Opaque = tiletc_prog;
    const TAG: u64 = u64::from_be_bytes(*b"tiletc:p");
}

impl Drop for Program {
    fn drop(&mut self) {
        let program = self.functions();
        let mut state = self.context.lock();
        let State { ir, nodes, .. } = &mut *state;
        ir.remove(&program);
        nodes.sweep(ir);
    }
}

impl Program {
    pub(super) fn new(context: Handle<Context>, program: ir::Program) -> Program {
        Program { context, program: Mutex::new(program) }
    }

    fn lock(&self) -> MutexGuard<'_, ir::Program> {
        self.program.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The functions that the program has now.
    pub(super) fn functions(&self) -> ir::Program {
        self.lock().clone()
    }

    /// Appends a function of the program's context.
    pub(super) fn add(&self, func: ir::Func) {
        self.lock().functions.push(func);
    }

    fn print(&self) -> Outcome<ir::Text> {
        self.context.work(|state| Ok(driver::print(&state.ir, &self.functions())))
    }
}

/// The context of a handle, or a new one for NULL.
///
/// # Safety
/// `ctx` is NULL or a live handle.
unsafe fn context_or_new(ctx: tiletc_compiler_context_t) -> Outcome<Handle<Context>> {
    if ctx.is_null() {
        return Ok(Handle::new(Context::new()));
    }
    Handle::share(ctx)
}

/// Parses a text that reports know under a name.
pub(super) fn parse(context: Handle<Context>, name: &str, text: &[u8]) -> Outcome<tiletc_prog_t> {
    let kept = copy(text)?;
    let program = context.work(|state| {
        let source = state.sources.add(name, kept);
        state.ir.name_source(source, name);
        driver::parse(&mut state.ir, source, text)
    })?;
    Ok(Handle::new(Program::new(context, program)).into_raw())
}

/// Status for a text that could not be read.
fn reading_status(error: &std::io::Error) -> Status {
    match error.kind() {
        ErrorKind::OutOfMemory => Status::BadAlloc,
        _ => Status::FileIoError,
    }
}

/// Parses a file. `ctx` may be NULL; the program then has a context of its own.
///
/// Errors: file_io_error if the file cannot be read; ir_duplicate_key_in_dictionary if a dictionary has a key
/// twice; parse_error for any other mistake in the text, whichever rule or limit it breaks. The reporter gets a
/// message for the first mistake, with its place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_parse_file(
    prg: *mut tiletc_prog_t,
    filename: *const c_char,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place, a NUL-terminated text and a live
        // handle.
        let (out, name, context) = unsafe { (Out::new(prg)?, text(filename)?, context_or_new(ctx)?) };
        let path = path(name);
        let text = std::fs::read(path).map_err(|error| {
            context.fail(reading_status(&error), format!("cannot read `{}`: {error}", path.display()))
        })?;
        out.set(parse(context, &path.to_string_lossy(), &text)?);
        Ok(())
    })
}

/// Parses standard input. `ctx` may be NULL; the program then has a context of its own.
///
/// Errors: as tiletc_parse_file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_parse_stdin(
    prg: *mut tiletc_prog_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, context) = unsafe { (Out::new(prg)?, context_or_new(ctx)?) };
        let mut text = Vec::new();
        std::io::stdin().lock().read_to_end(&mut text).map_err(|error| {
            context.fail(reading_status(&error), format!("cannot read standard input: {error}"))
        })?;
        out.set(parse(context, "<stdin>", &text)?);
        Ok(())
    })
}

/// Parses a text of `source_size` bytes; a NUL byte ends it early. `ctx` may be NULL; the program then
/// has a context of its own.
///
/// Errors: as tiletc_parse_file, but instead of file_io_error invalid_arguments for a size of 0 and
/// out_of_range for one that no memory has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_parse_string(
    prg: *mut tiletc_prog_t,
    source_size: usize,
    source: *const c_char,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place, `source_size` bytes and a live
        // handle.
        let (out, text, context) =
            unsafe { (Out::new(prg)?, array(source.cast::<u8>(), source_size)?, context_or_new(ctx)?) };
        if text.is_empty() {
            return Err(Status::InvalidArguments);
        }
        out.set(parse(context, "<memory>", text)?);
        Ok(())
    })
}

/// Adds a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prog_retain(prg: tiletc_prog_t) -> tiletc_status_t {
    retain::<Program>(prg)
}

/// Drops a reference and frees the program with the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prog_release(prg: tiletc_prog_t) -> tiletc_status_t {
    release::<Program>(prg)
}

/// Gets the context, without a new reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prog_get_compiler_context(
    prg: const_tiletc_prog_t,
    ctx: *mut tiletc_compiler_context_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (program, out) = unsafe { (Handle::<Program>::share(prg)?, Out::new(ctx)?) };
        out.set(program.context.as_raw());
        Ok(())
    })
}

/// Prints the program to standard error.
///
/// Errors: file_io_error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prog_dump(prg: tiletc_prog_t) -> tiletc_status_t {
    call(|| {
        let program = Handle::<Program>::share(prg)?;
        dump(program.print()?)
    })
}

/// Prints the program to a file, which is replaced if it exists.
///
/// Errors: file_io_error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prog_print_to_file(
    prg: tiletc_prog_t,
    filename: *const c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a NUL-terminated text.
        let (program, name) = unsafe { (Handle::<Program>::share(prg)?, text(filename)?) };
        write_file(&program.context, path(name), program.print()?)
    })
}

/// Prints the program to a new string, to be freed with tiletc_string_destroy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prog_print_to_string(
    prg: tiletc_prog_t,
    str: *mut *mut c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (program, out) = unsafe { (Handle::<Program>::share(prg)?, Out::new(str)?) };
        out.set(c_string(program.print()?).into_raw());
        Ok(())
    })
}

/// Frees a string that this library returned; NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_string_destroy(str: *mut c_char) {
    if !str.is_null() {
        // SAFETY: not NULL, hence a string that `into_raw` gave out and that is destroyed once, as the
        // caller promises; C may have changed its characters but not its length.
        drop(unsafe { CString::from_raw(str) });
    }
}

/// Writes to standard error; the tail of every `…_dump`.
pub(super) fn dump(text: impl AsRef<[u8]>) -> Outcome {
    std::io::stderr().lock().write_all(text.as_ref()).map_err(|_| Status::FileIoError)
}

/// Writes a file; the tail of every `…_print_to_file`.
pub(super) fn write_file(context: &Context, path: &Path, text: impl AsRef<[u8]>) -> Outcome {
    std::fs::write(path, text).map_err(|error| {
        context.fail(Status::FileIoError, format!("cannot write `{}`: {error}", path.display()))
    })
}
