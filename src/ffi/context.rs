//! Compiler contexts (API reference 3.4).

use super::arg::{Out, c_string, copy, enumerator, text};
use super::builder::node_table::Nodes;
use super::call::{Outcome, call, guarded};
use super::enums;
use super::handle::{Handle, Object, release, retain};
use super::last_error::note;
use super::tables::{Table, TypeEntry};
use super::types::*;
use crate::diagnostics::{Diagnostic, Location, Position, SourceId, Sources};
use crate::driver::{self, Instrumentation, Options};
use crate::ir::{Attribute, Ir};
use crate::logging;
use crate::runtime::cache::Cache;
use crate::status::Status;
use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A compiler context: everything its programs share, behind one lock.
pub(super) struct Context {
    state: Mutex<State>,
    /// True if it is the private context of an instruction that was made of nothing that has one.
    pub(super) detached: bool,
}

/// State that the lock of a [`Context`] guards.
pub(super) struct State {
    /// Types, functions, instructions of all programs.
    pub(super) ir: Ir,
    /// Texts for diagnostics.
    pub(super) sources: Sources,
    /// Optimisation settings.
    pub(super) options: Options,
    /// Types that were handed out.
    pub(super) types: Table<TypeEntry>,
    /// Attributes that were handed out.
    pub(super) attributes: Table<Attribute>,
    /// Cache of native binaries, if there is one.
    pub(super) cache: Option<Arc<Cache>>,
    /// Values, instructions, regions and functions that were handed out.
    pub(super) nodes: Nodes<Handle<Context>>,
    reporter: Reporter,
}

impl Object for Context {
    type Opaque = tiletc_compiler_context;
    const TAG: u64 = u64::from_be_bytes(*b"tiletc:x");
}

/// Receiver of messages: nobody, or a function of the user.
#[derive(Clone, Copy)]
struct Reporter {
    function: tiletc_error_reporter_t,
    user_data: *mut c_void,
}

// SAFETY: the pointer is the user's. We never look behind it; we only hand it back on the thread that
// makes the failing call, which is what the user asked for.
unsafe impl Send for Reporter {}

impl Reporter {
    const SILENT: Reporter = Reporter { function: None, user_data: std::ptr::null_mut() };

    fn send(self, messages: &[(String, Location)]) {
        let Some(function) = self.function else { return };
        for (message, location) in messages {
            let message = c_string(message);
            let location = to_c(location);
            // SAFETY: the user gave us a function of this signature; both pointers live until it returns.
            unsafe { function(message.as_ptr(), &raw const location, self.user_data) }
        }
    }
}

impl Context {
    /// A context with the default settings, a silent reporter and the cache that the environment names.
    pub(super) fn new() -> Self {
        logging::install();
        Context {
            detached: false,
            state: Mutex::new(State {
                ir: Ir::default(),
                sources: Sources::new(),
                options: Options { keep_lines: true, ..Options::default() },
                types: Table::default(),
                attributes: Table::default(),
                cache: Cache::from_environment().map(Arc::new),
                nodes: Nodes::default(),
                reporter: Reporter::SILENT,
            }),
        }
    }

    /// A context for an instruction that was made of nothing that has one.
    pub(super) fn detached() -> Self {
        Context { detached: true, ..Context::new() }
    }

    /// The state; a panic of an earlier call does not lock the user out.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the compiler work on the state. Its errors and panics are reported, after the lock is
    /// released, since the reporter may use the context.
    pub(super) fn work<T>(&self, body: impl FnOnce(&mut State) -> Result<T, driver::Error>) -> Outcome<T> {
        self.attempt(body, |error| (error.status(), error.diagnostics()))
    }

    /// Compiles, and reports the warnings before an error.
    pub(super) fn compile<T>(
        &self,
        body: impl FnOnce(&mut State, &mut Instrumentation<'_>) -> Result<T, driver::Error>,
    ) -> Outcome<(T, Vec<Diagnostic>)> {
        let mut instrumentation = Instrumentation::none();
        let result = self.work(|state| Ok(body(state, &mut instrumentation)))?;
        let warnings = instrumentation.warnings;
        self.report(&warnings);
        Ok((self.work(|_| result)?, warnings))
    }

    /// The same for any failure that `explain` finds status and messages of.
    pub(super) fn attempt<T, E>(
        &self,
        body: impl FnOnce(&mut State) -> Result<T, E>,
        explain: impl FnOnce(&E) -> (Status, Vec<Diagnostic>),
    ) -> Outcome<T> {
        let mut state = self.lock();
        let (status, diagnostics) = match guarded(|| body(&mut state)) {
            Ok(Ok(result)) => return Ok(result),
            Ok(Err(error)) => explain(&error),
            Err(what) => {
                let message = format!("{}: {what}", Status::InternalCompilerError.phrase());
                (Status::InternalCompilerError, vec![Diagnostic::new(message, Location::default())])
            }
        };
        drop(state);
        self.report(&diagnostics);
        Err(status)
    }

    /// Reports a failure that has no place in a source.
    pub(super) fn fail(&self, status: Status, message: String) -> Status {
        self.report(&[Diagnostic::new(message, Location::default())]);
        status
    }

    /// Reports messages in order.
    pub(super) fn report(&self, diagnostics: &[Diagnostic]) {
        let state = self.lock();
        let reporter = state.reporter;
        let messages: Vec<_> = (diagnostics.iter())
            .map(|diagnostic| (state.sources.report(diagnostic), diagnostic.location))
            .collect();
        drop(state);
        messages.iter().for_each(|(message, _)| note(message));
        reporter.send(&messages);
    }
}

/// The place in C's form.
fn to_c(location: &Location) -> tiletc_location_t {
    let number = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
    let position = |position: Position| tiletc_position_t {
        source_id: number(location.source.0),
        line: number(position.line),
        column: number(position.column),
    };
    tiletc_location_t { begin: position(location.begin), end: position(location.end) }
}

/// The place in ours; negative numbers mean unknown.
pub(super) fn from_c(location: &tiletc_location_t) -> Location {
    let number = |value: i32| u32::try_from(value).unwrap_or(0);
    let position = |position: tiletc_position_t| Position {
        line: number(position.line),
        column: number(position.column),
    };
    Location {
        source: SourceId(number(location.begin.source_id)),
        begin: position(location.begin),
        end: position(location.end),
    }
}

/// Creates a compiler context: silent, optimisation level 2, with the kernel cache that the environment
/// names (see tiletc_compiler_context_set_cache).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_create(
    ctx: *mut tiletc_compiler_context_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let out = unsafe { Out::new(ctx)? };
        out.set(Handle::new(Context::new()).into_raw());
        Ok(())
    })
}

/// Adds a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_retain(obj: tiletc_compiler_context_t) -> tiletc_status_t {
    retain::<Context>(obj)
}

/// Drops a reference and frees the context with the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_release(obj: tiletc_compiler_context_t) -> tiletc_status_t {
    release::<Context>(obj)
}

/// Copies a source text, to which locations can then refer by `source_id`; both texts end with a NUL byte.
///
/// Errors: bad_alloc if the text is too large to copy, out_of_range if there are too many sources.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_add_source(
    ctx: tiletc_compiler_context_t,
    name: *const c_char,
    text: *const c_char,
    source_id: *mut i32,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle, two NUL-terminated texts and a
        // writable place.
        let (context, name, text, out) = unsafe {
            (Handle::<Context>::share(ctx)?, self::text(name)?, self::text(text)?, Out::new(source_id)?)
        };
        let text = copy(text.to_bytes())?;
        let name = name.to_string_lossy();
        let mut state = context.lock();
        let id = state.sources.add(name.clone(), text);
        state.ir.name_source(id, name);
        drop(state);
        out.set(i32::try_from(id.0).map_err(|_| Status::OutOfRange)?);
        Ok(())
    })
}

/// Sets the function that receives messages; NULL for none. These are errors, and the warnings of the calls that compile a
/// program, whose text begins with `warning: `. `user_data` is passed through and may be NULL. The function must return: if
/// it throws, the process is aborted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_set_error_reporter(
    ctx: tiletc_compiler_context_t,
    reporter: tiletc_error_reporter_t,
    user_data: *mut c_void,
) -> tiletc_status_t {
    call(|| {
        let context = Handle::<Context>::share(ctx)?;
        context.lock().reporter = Reporter { function: reporter, user_data };
        Ok(())
    })
}

/// Switches an optimisation: 0 is off, above 0 on, below 0 as the optimisation level says. Of tf32 all levels say off.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_set_optimization_flag(
    ctx: tiletc_compiler_context_t,
    flag: tiletc_optflag_t,
    state: i32,
) -> tiletc_status_t {
    call(|| {
        let context = Handle::<Context>::share(ctx)?;
        let flag = enums::OPTFLAG.text(enumerator(&enums::OPTFLAG, flag)?);
        let options = &mut context.lock().options;
        if flag == c"tf32" {
            options.tf32 = state > 0;
        } else {
            options.unsafe_fp_math = (state >= 0).then_some(state > 0);
        }
        Ok(())
    })
}

/// Sets the optimisation level: 0 (or less), 1, 2 (or more).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_set_optimization_level(
    ctx: tiletc_compiler_context_t,
    level: i32,
) -> tiletc_status_t {
    call(|| {
        let context = Handle::<Context>::share(ctx)?;
        context.lock().options.level = level;
        Ok(())
    })
}

/// Sets whether modules keep the names of functions and values (`OpName`), for whoever reads them: 0 (the
/// default) for no, anything else for yes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_set_keep_names(
    ctx: tiletc_compiler_context_t,
    state: i32,
) -> tiletc_status_t {
    call(|| {
        let context = Handle::<Context>::share(ctx)?;
        context.lock().options.keep_names = state != 0;
        Ok(())
    })
}

/// Sets whether modules tell the lines of the text that instructions come from (`OpLine`), for profilers and for the
/// checks of virtual devices: 0 for no, anything else (the default) for yes. The code is the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_set_keep_lines(
    ctx: tiletc_compiler_context_t,
    state: i32,
) -> tiletc_status_t {
    call(|| {
        let context = Handle::<Context>::share(ctx)?;
        context.lock().options.keep_lines = state != 0;
        Ok(())
    })
}

/// Reports `what` with the source around `location` (NULL if unknown) through the error reporter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_compiler_context_report_error(
    ctx: tiletc_compiler_context_t,
    location: *const tiletc_location_t,
    what: *const c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle, a readable location and a
        // NUL-terminated text.
        let (context, location, what) =
            unsafe { (Handle::<Context>::share(ctx)?, location.as_ref(), text(what)?) };
        let location = location.map(from_c).unwrap_or_default();
        context.report(&[Diagnostic::new(what.to_string_lossy(), location)]);
        Ok(())
    })
}

#[cfg(test)]
#[allow(clippy::panic, clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    unsafe extern "C" fn keep(what: *const c_char, _: *const tiletc_location_t, heard: *mut c_void) {
        // SAFETY: the test passes a text that outlives the context, and the reporter gets a text.
        let (heard, what) = unsafe { (&mut *heard.cast::<String>(), CStr::from_ptr(what)) };
        heard.push_str(&what.to_string_lossy());
    }

    #[test]
    fn a_panic_at_work_is_reported_and_work_goes_on() {
        let mut heard = String::new();
        let context = Context::new();
        context.lock().reporter = Reporter { function: Some(keep), user_data: (&raw mut heard).cast() };
        let status = context.work::<()>(|_| panic!("no {}", "way"));
        assert_eq!(status, Err(Status::InternalCompilerError));
        assert!(heard.contains("internal compiler error"), "{heard}");
        assert!(heard.contains("no way (src/ffi/context.rs:"), "{heard}");
        assert_eq!(context.work(|state| Ok(state.options.level)), Ok(2));
    }

    #[test]
    fn the_lock_survives_a_panic_that_holds_it() {
        let context = Context::new();
        let panicked = guarded(|| {
            let _state = context.lock();
            panic!("while locked");
        });
        assert!(panicked.is_err());
        assert_eq!(context.work(|state| Ok(state.options.level)), Ok(2));
    }
}
