//! The C ABI, called as C does: every function with good and with bad arguments. Calls are unsafe by their nature, and all
//! for one reason: the test made the handles that it passes, or passes wrong ones on purpose.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::undocumented_unsafe_blocks
)]

mod abi;
mod bench;
mod boundary;
mod builder;
mod cache;
mod compile;
mod context;
mod core_info;
mod declarations;
#[path = "../common/examples.rs"]
mod examples;
mod fakes;
mod faults;
mod handles;
mod log;
mod managed;
mod names;
mod program;
mod recipe_handlers;
mod recipes;
mod recognition;
mod register_files;
mod runtimes;
#[path = "../skip/mod.rs"]
mod skip;
mod symbols;
mod threads;
mod tuner;
mod tuning;

use skip::skip;
use std::ffi::{CStr, CString, c_char, c_void};
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::ptr::null_mut;
use std::sync::Mutex;
use tiletc::ffi::attributes::*;
use tiletc::ffi::context::*;
use tiletc::ffi::core_info::*;
use tiletc::ffi::program::*;
use tiletc::ffi::type_get::*;
use tiletc::ffi::types::*;
use tiletc::status::Status;

/// A small program that every device takes.
const KERNEL: &str = "func @k(%A: memref<f32x4x4>) {\n    %0 = constant 1.0 : f32\n}\n";

/// A program that gets a warning: the memory is packed whatever the type leaves open.
const OPEN_STRIDES: &str = "func @k(%A: memref<f32x4x3>, %x: f32) {
    %t = alloca : memref<f32x4x3,strided<1,?>,local>
    axpby %x, %A, %x, %t
    axpby %x, %t, %x, %A
}";

/// Fails unless the call had the outcome.
#[track_caller]
fn expect(status: tiletc_status_t, expected: Status) {
    assert_eq!(Status::from_code(status), Some(expected));
}

/// Fails unless the call succeeded.
#[track_caller]
fn ok(status: tiletc_status_t) {
    expect(status, Status::Success);
}

/// Fails unless the call refused its arguments.
#[track_caller]
fn refused(status: tiletc_status_t) {
    expect(status, Status::InvalidArguments);
}

/// Messages that a reporter heard.
#[derive(Default)]
struct Heard(Mutex<Vec<(String, tiletc_location_t)>>);

impl Heard {
    /// All messages in one text.
    fn text(&self) -> String {
        self.0.lock().unwrap().iter().map(|(message, _)| message.as_str()).collect()
    }
}

unsafe extern "C" fn listen(what: *const c_char, location: *const tiletc_location_t, user_data: *mut c_void) {
    let (what, location, heard) =
        unsafe { (CStr::from_ptr(what), *location, &*user_data.cast_const().cast::<Heard>()) };
    heard.0.lock().unwrap().push((what.to_str().unwrap().to_owned(), location));
}

/// A new context whose messages go to `heard`, which has to outlive it.
fn context_with(heard: &Heard) -> tiletc_compiler_context_t {
    let context = new_context();
    let user_data = std::ptr::from_ref(heard).cast_mut().cast();
    ok(unsafe { tiletc_compiler_context_set_error_reporter(context, Some(listen), user_data) });
    context
}

/// A new silent context.
fn new_context() -> tiletc_compiler_context_t {
    let mut context = null_mut();
    ok(unsafe { tiletc_compiler_context_create(&raw mut context) });
    assert!(!context.is_null());
    context
}

/// The program of a text.
fn parse(text: &str, context: tiletc_compiler_context_t) -> tiletc_prog_t {
    let mut program = null_mut();
    ok(unsafe { tiletc_parse_string(&raw mut program, text.len(), text.as_ptr().cast(), context) });
    assert!(!program.is_null());
    program
}

/// A device.
fn device(name: &str) -> tiletc_core_info_t {
    let mut info = null_mut();
    let name = c(name);
    ok(unsafe { tiletc_core_info_intel_create_from_name(&raw mut info, name.as_ptr()) });
    info
}

/// Runs one test again in a process of its own, with `input` as standard input, and returns what it wrote
/// to standard output and error; inside that process returns nothing.
fn in_own_process(test: &str, input: &str) -> Option<(String, String)> {
    in_own_process_with(test, input, &[])
}

/// The same, with some more environment variables.
fn in_own_process_with(test: &str, input: &str, variables: &[(&str, &str)]) -> Option<(String, String)> {
    const MARK: &str = "TILETC_TEST_IN_OWN_PROCESS";
    if std::env::var_os(MARK).is_some() {
        return None;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture"]).env(MARK, "1").envs(variables.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    assert!(output.status.success(), "{}{}", text(output.stdout), text(output.stderr));
    Some((text(output.stdout), text(output.stderr)))
}

/// A text for C.
fn c(text: &str) -> CString {
    CString::new(text).unwrap()
}

/// Takes and frees a string of the library.
fn take_string(string: *mut c_char) -> String {
    assert!(!string.is_null());
    let text = unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned();
    unsafe { tiletc_string_destroy(string) };
    text
}
