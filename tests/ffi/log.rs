//! The log, and the message of the last failure.

use super::*;
use tiletc::ffi::compile::*;
use tiletc::ffi::last_error::*;
use tiletc::ffi::log::*;

type Messages = Mutex<Vec<(tiletc_log_level_t, String)>>;

unsafe extern "C" fn keep(level: tiletc_log_level_t, message: *const c_char, user_data: *mut c_void) {
    let (messages, message) = unsafe { (&*user_data.cast::<Messages>(), CStr::from_ptr(message)) };
    messages.lock().unwrap().push((level, message.to_str().unwrap().to_owned()));
}

#[test]
fn a_callback_gets_the_log_of_the_process() {
    let test = "log::a_callback_gets_the_log_of_the_process";
    if let Some((_, errors)) = in_own_process_with(test, "", &[("TILETC_LOG", "info")]) {
        // What comes before and behind goes to standard error.
        let lines: Vec<&str> = errors.lines().collect();
        assert!(lines.iter().all(|line| line.starts_with("tiletc info: parsed <memory> in ")), "{errors}");
        assert_eq!(lines.len(), 2, "{errors}");
        return;
    }
    let messages = Messages::default();
    let user_data = std::ptr::from_ref(&messages).cast_mut().cast();
    unsafe {
        ok(tiletc_prog_release(parse(KERNEL, null_mut())));
        ok(tiletc_set_log_callback(4, Some(keep), user_data));
        let (program, info) = (parse(KERNEL, null_mut()), device("pvc"));
        let mut binary = null_mut();
        ok(tiletc_prog_compile_to_spirv_and_assemble(&raw mut binary, program, info));
        ok(tiletc_set_log_callback(4, None, null_mut()));
        ok(tiletc_prog_release(parse(KERNEL, null_mut())));
        refused(tiletc_set_log_callback(5, Some(keep), user_data));
        refused(tiletc_set_log_callback(-1, None, null_mut()));
    }
    let messages = messages.lock().unwrap();
    let has = |level, start: &str| messages.iter().any(|(of, text)| *of == level && text.starts_with(start));
    assert!(
        has(3, "parsed <memory> in ") && has(3, "compiled k in ") && has(4, "check-ir took "),
        "{messages:?}"
    );
}

/// Dumps are no reason to print; a callback hears once of a folder that cannot be written.
#[test]
fn a_folder_for_dumps_that_cannot_be_written_is_a_warning() {
    let test = "log::a_folder_for_dumps_that_cannot_be_written_is_a_warning";
    if let Some((_, errors)) = in_own_process_with(test, "", &[("TILETC_DUMP", "/dev/null")]) {
        assert_eq!(errors, "");
        return;
    }
    let messages = Messages::default();
    let user_data = std::ptr::from_ref(&messages).cast_mut().cast();
    unsafe {
        ok(tiletc_set_log_callback(2, Some(keep), user_data));
        ok(tiletc_prog_release(parse(KERNEL, null_mut())));
        ok(tiletc_prog_release(parse(KERNEL, null_mut())));
        ok(tiletc_set_log_callback(2, None, null_mut()));
    }
    let messages = messages.lock().unwrap();
    let [(2, message)] = messages.as_slice() else { panic!("{messages:?}") };
    assert!(message.starts_with("cannot write ") && message.contains("TILETC_DUMP=/dev/null: "), "{message}");
}

fn message(status: Status) -> String {
    unsafe { CStr::from_ptr(tiletc_get_error_message(status.code())) }.to_str().unwrap().to_owned()
}

#[test]
fn the_last_failure_is_told_without_a_reporter() {
    let text = "func @f(%a: f32, %b: f64) {\n    %c = add %a, %b : f32\n}\n";
    let mut program = null_mut();
    let mut parse =
        || unsafe { tiletc_parse_string(&raw mut program, text.len(), text.as_ptr().cast(), null_mut()) };
    expect(parse(), Status::ParseError);
    let report = message(Status::ParseError);
    assert!(report.starts_with("<memory>:2.10-25: operand type must match the result type ("), "{report}");
    assert!(report.contains("%b is f64") && report.contains("~~~~"), "{report}");
    // Calls that succeed leave it, and one of another status has no part in it.
    ok(unsafe { tiletc_compiler_context_release(new_context()) });
    assert_eq!(message(Status::ParseError), report);
    assert_eq!(message(Status::OutOfRange), Status::OutOfRange.phrase());
    assert_eq!(message(Status::Success), Status::Success.phrase());
    refused(unsafe { tiletc_prog_release(null_mut()) });
    assert_eq!(message(Status::InvalidArguments), Status::InvalidArguments.phrase());
    assert_eq!(message(Status::ParseError), Status::ParseError.phrase());
    // Threads have failures of their own.
    std::thread::spawn(|| assert_eq!(message(Status::InvalidArguments), "invalid arguments")).join().unwrap();
}
