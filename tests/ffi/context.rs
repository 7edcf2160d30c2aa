//! Compiler contexts and the error reporter.

use super::*;
use std::ptr::null;

#[test]
fn references_are_counted() {
    let context = new_context();
    ok(unsafe { tiletc_compiler_context_retain(context) });
    ok(unsafe { tiletc_compiler_context_release(context) });
    ok(unsafe { tiletc_compiler_context_release(context) });
    refused(unsafe { tiletc_compiler_context_retain(null_mut()) });
    refused(unsafe { tiletc_compiler_context_release(null_mut()) });
    refused(unsafe { tiletc_compiler_context_create(null_mut()) });
}

#[test]
fn a_handle_of_another_kind_is_refused() {
    let info = device("pvc");
    let wrong: tiletc_compiler_context_t = info.cast();
    refused(unsafe { tiletc_compiler_context_retain(wrong) });
    refused(unsafe { tiletc_compiler_context_release(wrong) });
    refused(unsafe { tiletc_compiler_context_set_optimization_level(wrong, 1) });
    ok(unsafe { tiletc_core_info_release(info) });
}

#[test]
fn an_unaligned_pointer_is_refused() {
    let context = new_context();
    refused(unsafe { tiletc_compiler_context_retain(context.byte_add(1)) });
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn a_reported_error_shows_its_source() {
    let heard = Heard::default();
    let context = context_with(&heard);
    let mut id = -1;
    let (name, text) = (c("made.ir"), c("first\n  second\n"));
    let add =
        |context, name, text, id| unsafe { tiletc_compiler_context_add_source(context, name, text, id) };
    ok(add(context, name.as_ptr(), text.as_ptr(), &raw mut id));
    assert_eq!(id, 1);
    ok(add(context, name.as_ptr(), text.as_ptr(), &raw mut id));
    assert_eq!(id, 2);
    refused(add(null_mut(), name.as_ptr(), text.as_ptr(), &raw mut id));
    refused(add(context, null(), text.as_ptr(), &raw mut id));
    refused(add(context, name.as_ptr(), null(), &raw mut id));
    refused(add(context, name.as_ptr(), text.as_ptr(), null_mut()));
    assert_eq!(id, 2);

    let position = |line, column| tiletc_position { source_id: 1, line, column };
    let location = tiletc_location { begin: position(2, 3), end: position(2, 9) };
    let what = c("this is wrong");
    let report =
        |context, location, what| unsafe { tiletc_compiler_context_report_error(context, location, what) };
    ok(report(context, &raw const location, what.as_ptr()));
    ok(report(context, null(), what.as_ptr()));
    let unknown = tiletc_location {
        begin: tiletc_position { source_id: -7, line: -1, column: i32::MIN },
        end: tiletc_position { source_id: 99, line: i32::MAX, column: 0 },
    };
    ok(report(context, &raw const unknown, what.as_ptr()));
    refused(report(null_mut(), &raw const location, what.as_ptr()));
    refused(report(context, &raw const location, null()));

    let messages = heard.0.lock().unwrap();
    assert_eq!(messages.len(), 3);
    assert!(messages[0].0.starts_with("made.ir:2.3-8: this is wrong\n"), "{}", messages[0].0);
    assert!(messages[0].0.ends_with("  second\n  ~~~~~~\n"), "{}", messages[0].0);
    assert_eq!(messages[0].1, location);
    assert_eq!(messages[1].0, "this is wrong\n");
    assert_eq!(messages[1].1, tiletc_location::default());
    assert!(messages[2].0.starts_with("<unknown source>:0.0"), "{}", messages[2].0);
    drop(messages);
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn a_null_reporter_is_silent() {
    let heard = Heard::default();
    let context = context_with(&heard);
    ok(unsafe { tiletc_compiler_context_set_error_reporter(context, None, null_mut()) });
    let what = c("unheard");
    ok(unsafe { tiletc_compiler_context_report_error(context, null(), what.as_ptr()) });
    assert_eq!(heard.text(), "");
    refused(unsafe { tiletc_compiler_context_set_error_reporter(null_mut(), None, null_mut()) });
    ok(unsafe { tiletc_compiler_context_release(context) });
}

/// Uses the context it is called from, and gives up a reference to it.
unsafe extern "C" fn call_back(_: *const c_char, _: *const tiletc_location_t, context: *mut c_void) {
    let context: tiletc_compiler_context_t = context.cast();
    ok(unsafe { tiletc_compiler_context_set_optimization_level(context, 1) });
    ok(unsafe { tiletc_compiler_context_set_error_reporter(context, None, null_mut()) });
    let what = c("nobody listens any more");
    ok(unsafe { tiletc_compiler_context_report_error(context, null(), what.as_ptr()) });
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn the_reporter_may_use_and_even_release_the_context() {
    let context = new_context();
    ok(unsafe { tiletc_compiler_context_set_error_reporter(context, Some(call_back), context.cast()) });
    let what = c("heard once");
    ok(unsafe { tiletc_compiler_context_report_error(context, null(), what.as_ptr()) });
}

#[test]
fn optimisation_settings_take_every_number() {
    let context = new_context();
    for number in [i32::MIN, -1, 0, 1, 2, i32::MAX] {
        ok(unsafe { tiletc_compiler_context_set_optimization_level(context, number) });
        ok(unsafe { tiletc_compiler_context_set_optimization_flag(context, 0, number) });
        ok(unsafe { tiletc_compiler_context_set_optimization_flag(context, 8192, number) });
        ok(unsafe { tiletc_compiler_context_set_keep_names(context, number) });
        ok(unsafe { tiletc_compiler_context_set_keep_lines(context, number) });
    }
    refused(unsafe { tiletc_compiler_context_set_optimization_flag(context, 1, 1) });
    refused(unsafe { tiletc_compiler_context_set_optimization_flag(context, -1, 1) });
    refused(unsafe { tiletc_compiler_context_set_optimization_flag(null_mut(), 0, 1) });
    refused(unsafe { tiletc_compiler_context_set_optimization_level(null_mut(), 1) });
    refused(unsafe { tiletc_compiler_context_set_keep_names(null_mut(), 1) });
    refused(unsafe { tiletc_compiler_context_set_keep_lines(null_mut(), 1) });
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn threads_may_share_a_context() {
    /// A handle that crosses threads as it may in C.
    #[derive(Clone, Copy)]
    struct Shared(tiletc_compiler_context_t);
    unsafe impl Send for Shared {}

    let context = Shared(new_context());
    let threads: Vec<_> = (0..8)
        .map(|_| {
            ok(unsafe { tiletc_compiler_context_retain(context.0) });
            std::thread::spawn(move || {
                let Shared(context) = { context };
                for _ in 0..20 {
                    let program = parse(KERNEL, context);
                    let mut text = null_mut();
                    ok(unsafe { tiletc_prog_print_to_string(program, &raw mut text) });
                    assert!(take_string(text).contains("@k"));
                    ok(unsafe { tiletc_prog_release(program) });
                }
                ok(unsafe { tiletc_compiler_context_release(context) });
            })
        })
        .collect();
    ok(unsafe { tiletc_compiler_context_release(context.0) });
    for thread in threads {
        thread.join().unwrap();
    }
}
