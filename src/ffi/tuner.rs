//! Programs that look for the best config of a kernel themselves. tinytc has no counterpart.

use super::arg::{Out, array, c_string, path, text};
use super::call::{Outcome, call};
use super::context::Context;
use super::core_info::CoreInfo;
use super::handle::{Handle, Object, release, retain};
use super::kernel_arguments::Given;
use super::last_error::{driver_failed, refuse};
use super::program::parse;
use super::types::*;
use crate::driver::{self, Missing, Options, SearchError, Setting, Space, Trial};
use crate::runtime::arguments;
use crate::status::Status;
use crate::tuning::Figure;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A tuner, behind a lock.
pub(super) struct Tuner {
    name: CString,
    tuner: Mutex<driver::Tuner>,
}

impl Object for Tuner {
    type Opaque = tiletc_tuner;
    const TAG: u64 = u64::from_be_bytes(*b"tiletc:u");
}

impl Tuner {
    fn lock(&self) -> MutexGuard<'_, driver::Tuner> {
        self.tuner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The program of a config, which compiles to what it says whatever tables know.
fn program(trial: &Trial) -> Outcome<tiletc_prog_t> {
    let context = Context::new();
    context.lock().options.is_tuned = false;
    parse(Handle::new(context), &format!("a config of {}", trial.entry.function), &trial.text)
}

fn missing(what: &Missing) -> Status {
    refuse(Status::OutOfRange, what.to_string())
}

fn refused(error: &SearchError) -> Status {
    let status = match error {
        SearchError::Program { status, .. } => *status,
        SearchError::Request(_) => Status::InvalidArguments,
        SearchError::Missing(_) => Status::InternalCompilerError,
    };
    refuse(status, error.to_string())
}

/// The place of an argument.
fn place(arg: u32) -> Outcome<usize> {
    usize::try_from(arg).map_err(|_| Status::OutOfRange)
}

/// Texts in an array.
///
/// # Safety
/// `texts` is NULL or points to `size` texts that end with NUL.
unsafe fn strings(texts: *const *const c_char, size: usize) -> Outcome<Vec<String>> {
    // SAFETY: the contract of this function.
    let texts = unsafe { array(texts, size)? };
    // SAFETY: as above.
    let owned = texts.iter().map(|&it| unsafe { text(it) }.map(|it| it.to_string_lossy().into_owned()));
    owned.collect()
}

/// Makes a tuner for a kernel of a program in text form, the only one if `kernel` is NULL, on a device. The configs that may be tried are
/// those that the compiler takes into consideration, unless tiletc_tuner_add_config names others.
///
/// A tuner knows what to try and what came of it; the program builds configs, runs and times them. In C++ with SYCL,
/// `tiletc::autotune` does all that.
///
/// Errors: as for tiletc_parse_string; invalid_arguments if the program has no such kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_create(
    tuner: *mut tiletc_tuner_t,
    source_size: usize,
    source: *const c_char,
    kernel: *const c_char,
    info: const_tiletc_core_info_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place, `source_size` bytes and a live handle.
        let (out, source, info) = unsafe {
            (Out::new(tuner)?, array(source.cast::<u8>(), source_size)?, Handle::<CoreInfo>::share(info)?)
        };
        // SAFETY: the caller passes NULL or a NUL-terminated text.
        let kernel = if kernel.is_null() { None } else { Some(unsafe { text(kernel)? }.to_string_lossy()) };
        let space = Space::new(source, kernel.as_deref()).map_err(|error| refused(&error))?;
        let name = c_string(&space.signature().name);
        // Tables are looked up by the tuner itself; `program` does without them.
        let options = Options { keep_lines: true, ..Options::default() };
        let tuner = Mutex::new(driver::Tuner::new(space, info.snapshot(), options));
        out.set(Handle::new(Tuner { name, tuner }).into_raw());
        Ok(())
    })
}

/// Adds a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_retain(tuner: tiletc_tuner_t) -> tiletc_status_t {
    retain::<Tuner>(tuner)
}

/// Drops a reference; with the last one the tuner ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_release(tuner: tiletc_tuner_t) -> tiletc_status_t {
    release::<Tuner>(tuner)
}

/// Gets the name of the kernel, which belongs to the tuner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_get_kernel_name(
    name: *mut *const c_char,
    tuner: tiletc_tuner_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let (out, tuner) = unsafe { (Out::new(name)?, Handle::<Tuner>::share(tuner)?) };
        out.set(tuner.name.as_ptr());
        Ok(())
    })
}

/// Adds a config of `size` names with their values, in place of the compiler's own. Names that begin with `$` are the program's, and
/// their values take the place of its definitions; the others are attributes of the function, such as `subgroup_size` with `16` or
/// `work_group_size` with `[64,2]`. Cases of arguments that have come up before do not know the config.
///
/// Errors: as for tiletc_parse_string, for the program with the config; invalid_arguments if the kernel then takes other arguments, or
/// there is no such attribute.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_add_config(
    tuner: tiletc_tuner_t,
    size: usize,
    names: *const *const c_char,
    values: *const *const c_char,
) -> tiletc_status_t {
    call(|| {
        let tuner = Handle::<Tuner>::share(tuner)?;
        // SAFETY: the caller passes as many texts.
        let (names, values) = unsafe { (strings(names, size)?, strings(values, size)?) };
        let setting: Setting = names.into_iter().zip(values).collect();
        tuner.lock().space.add(setting).map_err(|error| refused(&error))
    })
}

/// Names the parameters whose numbers tell cases apart: an integer, or a memref whose type leaves sizes or strides open. Types, layouts
/// and the device always do. Cases that have come up before stay as they are.
///
/// Errors: invalid_arguments if the kernel has no parameter of a name, or one that no integers come with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_set_key(
    tuner: tiletc_tuner_t,
    size: usize,
    names: *const *const c_char,
) -> tiletc_status_t {
    call(|| {
        let tuner = Handle::<Tuner>::share(tuner)?;
        // SAFETY: the caller passes as many texts.
        let names = unsafe { strings(names, size)? };
        tuner.lock().space.set_key(names).map_err(|error| refused(&error))
    })
}

/// Gets the number of the case that arguments are, which counts from 0 in the order in which cases come up, the number of its configs,
/// and how many of them wait to be tried: none unless `TILETC_TUNE=on` stands in the environment, and none if the kernel writes memory of
/// which nobody knows how much it is.
///
/// Errors: invalid_kernel_arguments as at a launch; as for tiletc_prog_compile_to_spirv if the device cannot run the kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_find_case(
    number: *mut usize,
    configs: *mut usize,
    waiting: *mut usize,
    tuner: tiletc_tuner_t,
    num_args: u32,
    args: *const tiletc_kernel_arg_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or writable places.
        let (number, configs, waiting) =
            unsafe { (Out::new(number)?, Out::new(configs)?, Out::new(waiting)?) };
        let tuner = Handle::<Tuner>::share(tuner)?;
        // SAFETY: the caller passes as many arguments.
        let given = unsafe { Given::new(num_args, args)? }.described();
        let mut tuner = tuner.lock();
        arguments::check(tuner.space.signature(), &given).map_err(|error| driver_failed(&error))?;
        let layouts = arguments::layouts(tuner.space.signature(), &given, tuner.info());
        let values: Vec<_> = given.iter().map(|it| it.value.map(u64::cast_signed)).collect();
        let found = tuner.find(&layouts, &values).map_err(|error| refused(&error))?;
        number.set(found.number);
        configs.set(found.configs);
        waiting.set(found.waiting);
        Ok(())
    })
}

/// Gets the bytes of the memory behind an argument, if the kernel writes it, otherwise 0: whoever tries configs gives each a copy. The
/// arguments are the last ones of the case that tiletc_tuner_find_case was asked about.
///
/// Errors: out_of_range if there is no such case or argument, or none of its configs waits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_get_written_size(
    bytes: *mut usize,
    tuner: tiletc_tuner_t,
    case_number: usize,
    arg: u32,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let (out, tuner) = unsafe { (Out::new(bytes)?, Handle::<Tuner>::share(tuner)?) };
        let bytes = tuner.lock().written_bytes(case_number, place(arg)?).map_err(|what| missing(&what))?;
        out.set(usize::try_from(bytes).map_err(|_| Status::OutOfRange)?);
        Ok(())
    })
}

/// Gets the program of a config, or NULL if the config has been tried. It is compiled like any other, without regard to what
/// tables say.
///
/// Errors: out_of_range if there is no such case or config.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_get_config(
    prg: *mut tiletc_prog_t,
    tuner: tiletc_tuner_t,
    case_number: usize,
    config: usize,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let (out, tuner) = unsafe { (Out::new(prg)?, Handle::<Tuner>::share(tuner)?) };
        let trial = tuner.lock().trial(case_number, config).map_err(|what| missing(&what))?.clone();
        out.set(if trial.is_known() { std::ptr::null_mut() } else { program(&trial)? });
        Ok(())
    })
}

/// Compares what a config has left in the memory of an argument with what the first one did that was asked about. A config that differs
/// is out of the question. `tolerance` is the largest difference, relative to the largest number; with 0 results must be the same bit
/// for bit. `data` are as many bytes as tiletc_tuner_get_written_size says.
///
/// Errors: out_of_range if there is no such case, config or argument, or the size is another one; invalid_arguments if the tolerance is
/// negative, infinite or no number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_compare(
    agrees: *mut tiletc_bool_t,
    tuner: tiletc_tuner_t,
    case_number: usize,
    config: usize,
    arg: u32,
    size: usize,
    data: *const c_void,
    tolerance: f64,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place, a live handle and `size` bytes.
        let (out, tuner, found) =
            unsafe { (Out::new(agrees)?, Handle::<Tuner>::share(tuner)?, array(data.cast::<u8>(), size)?) };
        if !tolerance.is_finite() || tolerance < 0.0 {
            return Err(refuse(
                Status::InvalidArguments,
                format!("the tolerance {tolerance} is no number from 0 on"),
            ));
        }
        let agrees = tuner.lock().compare(case_number, config, place(arg)?, found, tolerance);
        out.set(agrees.map_err(|what| missing(&what))?.into());
        Ok(())
    })
}

/// Tells the median of the times of a config in seconds, the bounds of its 95 % interval, and the device with its driver.
///
/// Errors: out_of_range if there is no such case or config; invalid_arguments if a time is no positive number, or the lower bound is
/// above the upper one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_record(
    tuner: tiletc_tuner_t,
    case_number: usize,
    config: usize,
    median: f64,
    lower: f64,
    upper: f64,
    on: *const c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a NUL-terminated text.
        let (tuner, on) = unsafe { (Handle::<Tuner>::share(tuner)?, text(on)?) };
        let is_time = |time: f64| time.is_finite() && time > 0.0;
        if ![median, lower, upper].into_iter().all(is_time) || lower > upper {
            return Err(refuse(
                Status::InvalidArguments,
                format!("{median} s, from {lower} s to {upper} s, is no time"),
            ));
        }
        let figure = Figure::measured_now(median, [lower, upper], &on.to_string_lossy());
        tuner.lock().note(case_number, config, figure).map_err(|what| missing(&what))
    })
}

/// Tells why a config is out of the question.
///
/// Errors: out_of_range if there is no such case or config.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_fail(
    tuner: tiletc_tuner_t,
    case_number: usize,
    config: usize,
    reason: *const c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a NUL-terminated text.
        let (tuner, reason) = unsafe { (Handle::<Tuner>::share(tuner)?, text(reason)?) };
        let figure = Figure::Failed(reason.to_string_lossy().into_owned());
        tuner.lock().note(case_number, config, figure).map_err(|what| missing(&what))
    })
}

/// Gets the program of the best config: by what was measured, else by what a table estimates, else the first one. What has been
/// recorded goes to the table that the compiler consults, and to the file `table`, with NULL to the one that the environment variable
/// `TILETC_TUNING_TABLE` names. A file that cannot be written is told to the log and is no error.
///
/// Errors: out_of_range if there is no such case.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_finish(
    prg: *mut tiletc_prog_t,
    tuner: tiletc_tuner_t,
    case_number: usize,
    table: *const c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let (out, tuner) = unsafe { (Out::new(prg)?, Handle::<Tuner>::share(tuner)?) };
        // SAFETY: the caller passes NULL or a NUL-terminated text.
        let named: Option<&CStr> = if table.is_null() { None } else { Some(unsafe { text(table)? }) };
        let best = tuner.lock().finish(case_number, named.map(path)).map_err(|what| missing(&what))?;
        out.set(program(&best.ok_or(Status::InternalCompilerError)?)?);
        Ok(())
    })
}

/// Gets a text with a line for each config of a case, the best first: what is known of it and its names with their values. The caller
/// frees it with tiletc_string_destroy.
///
/// Errors: out_of_range if there is no such case.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tuner_report(
    report: *mut *mut c_char,
    tuner: tiletc_tuner_t,
    case_number: usize,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let (out, tuner) = unsafe { (Out::new(report)?, Handle::<Tuner>::share(tuner)?) };
        let text = tuner.lock().report(case_number).map_err(|what| missing(&what))?;
        out.set(c_string(text).into_raw());
        Ok(())
    })
}
