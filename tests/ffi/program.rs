//! Parser and programs.

use super::*;
use std::path::PathBuf;
use std::ptr::{dangling_mut, null};

/// A path in the test's own folder.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn path(path: &std::path::Path) -> CString {
    c(path.to_str().unwrap())
}

fn print(program: tiletc_prog_t) -> String {
    let mut text = null_mut();
    ok(unsafe { tiletc_prog_print_to_string(program, &raw mut text) });
    take_string(text)
}

#[test]
fn a_program_can_be_printed_and_read_again() {
    let program = parse(KERNEL, null_mut());
    let text = print(program);
    assert!(text.contains("func @k"), "{text}");
    let again = parse(&text, null_mut());
    assert_eq!(print(again), text);

    let file = scratch("printed.ir");
    let name = path(&file);
    std::fs::write(&file, "something longer than the program".repeat(100)).unwrap();
    ok(unsafe { tiletc_prog_print_to_file(program, name.as_ptr()) });
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);

    let mut read = null_mut();
    ok(unsafe { tiletc_parse_file(&raw mut read, name.as_ptr(), null_mut()) });
    assert_eq!(print(read), text);
    for program in [program, again, read] {
        ok(unsafe { tiletc_prog_release(program) });
    }
}

#[test]
fn standard_input_is_read_and_a_dump_goes_to_standard_error() {
    let test = "program::standard_input_is_read_and_a_dump_goes_to_standard_error";
    if let Some((output, errors)) = in_own_process(test, KERNEL) {
        assert!(!output.contains("func @k"), "{output}");
        assert!(errors.contains("func @k"), "{errors}");
        return;
    }
    let mut program = null_mut();
    ok(unsafe { tiletc_parse_stdin(&raw mut program, null_mut()) });
    ok(unsafe { tiletc_prog_dump(program) });
    ok(unsafe { tiletc_prog_release(program) });
}

#[test]
fn a_program_keeps_its_context() {
    let context = new_context();
    let (first, second) = (parse(KERNEL, context), parse(KERNEL, context));
    ok(unsafe { tiletc_compiler_context_release(context) });
    let mut got = null_mut();
    ok(unsafe { tiletc_prog_get_compiler_context(first, &raw mut got) });
    assert_eq!(got, context);
    ok(unsafe { tiletc_prog_release(first) });
    ok(unsafe { tiletc_prog_retain(second) });
    ok(unsafe { tiletc_prog_release(second) });
    assert!(print(second).contains("@k"));
    ok(unsafe { tiletc_prog_release(second) });
}

#[test]
fn a_private_context_can_be_used() {
    let program = parse(KERNEL, null_mut());
    let mut context = null_mut();
    ok(unsafe { tiletc_prog_get_compiler_context(program, &raw mut context) });
    ok(unsafe { tiletc_compiler_context_retain(context) });
    ok(unsafe { tiletc_prog_release(program) });
    let again = parse(KERNEL, context);
    ok(unsafe { tiletc_compiler_context_release(context) });
    ok(unsafe { tiletc_prog_release(again) });
}

#[test]
fn a_refused_text_is_reported_and_the_next_one_is_read() {
    let heard = Heard::default();
    let context = context_with(&heard);
    for text in ["func @k(", "; nothing", " ", "\0func @k() {}", "func @k() { %a = constant %b : f32 }"] {
        let mut program = dangling_mut();
        let status =
            unsafe { tiletc_parse_string(&raw mut program, text.len(), text.as_ptr().cast(), context) };
        expect(status, Status::ParseError);
        assert_eq!(program, dangling_mut());
    }
    let messages = heard.0.lock().unwrap().len();
    assert!(messages >= 5, "{messages} messages");
    assert!(heard.text().starts_with("<memory>:1."), "{}", heard.text());
    let program = parse(KERNEL, context);
    ok(unsafe { tiletc_prog_release(program) });
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn a_text_is_refused_with_parse_error_whichever_rule_or_limit_it_breaks() {
    let heard = Heard::default();
    let context = context_with(&heard);
    let modes = "x2".repeat(65);
    let bounds = format!("({})", vec!["%a"; 33].join(","));
    let points: Vec<String> = (0..33).map(|mode| format!("%p{mode}")).collect();
    let names: String = (0..30).map(|i| format!("${}=[${i},${i}]\n", i + 1)).collect();
    for (text, message) in [
        ("func @k(%a: i32, %b: f32) { %c = add %a, %b : i8 }".to_owned(), "add"),
        (format!("func @k(%a: memref<f32{modes}>) {{}}"), "65 modes"),
        (format!("func @k(%a: i32) {{ foreach ({})={bounds},{bounds} {{}} }}", points.join(",")), "33 modes"),
        (format!("func @k() {{{}{}}}", "parallel {".repeat(65), "}".repeat(65)), "64 levels"),
        (format!("$0=[1]\n{names}func @k() attributes{{\"a\"=$30}} {{}}"), "attributes of size"),
    ] {
        let mut program = null_mut();
        let status =
            unsafe { tiletc_parse_string(&raw mut program, text.len(), text.as_ptr().cast(), context) };
        expect(status, Status::ParseError);
        let heard = std::mem::take(&mut *heard.0.lock().unwrap());
        assert!(heard.iter().any(|(said, _)| said.contains(message)), "{message}: {heard:?}");
    }
    let text = "func @k() attributes{\"a\"=1, \"a\"=2} {}";
    let mut program = null_mut();
    let status = unsafe { tiletc_parse_string(&raw mut program, text.len(), text.as_ptr().cast(), context) };
    expect(status, Status::IrDuplicateKeyInDictionary);
    assert!(heard.text().starts_with("<memory>:1.21-34: duplicate key"), "{}", heard.text());
    assert!(program.is_null());
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn the_text_may_end_in_a_nul() {
    for tail in ["\0", "\0 this is no program"] {
        let program = parse(&format!("{KERNEL}{tail}"), null_mut());
        assert!(print(program).contains("@k"));
        ok(unsafe { tiletc_prog_release(program) });
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let heard = Heard::default();
    let context = context_with(&heard);
    let folder = env!("CARGO_TARGET_TMPDIR");
    for name in ["no/such/file.ir", "", folder] {
        let mut program = dangling_mut();
        let name = c(name);
        let status = unsafe { tiletc_parse_file(&raw mut program, name.as_ptr(), context) };
        expect(status, Status::FileIoError);
        assert_eq!(program, dangling_mut());
    }
    assert!(heard.text().contains("cannot read `no/such/file.ir`: "), "{}", heard.text());
    assert_eq!(heard.0.lock().unwrap().len(), 3);
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let heard = Heard::default();
    let context = context_with(&heard);
    let program = parse(KERNEL, context);
    let name = c("no/such/folder/file.ir");
    expect(unsafe { tiletc_prog_print_to_file(program, name.as_ptr()) }, Status::FileIoError);
    assert!(heard.text().contains("cannot write `no/such/folder/file.ir`: "), "{}", heard.text());
    ok(unsafe { tiletc_prog_release(program) });
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn null_is_refused() {
    let context = new_context();
    let program = parse(KERNEL, context);
    let (mut out, mut text, mut got) = (null_mut(), null_mut(), null_mut());
    let source: *const c_char = KERNEL.as_ptr().cast();
    let name = c("file.ir");
    unsafe {
        refused(tiletc_parse_string(null_mut(), KERNEL.len(), source, context));
        refused(tiletc_parse_string(&raw mut out, KERNEL.len(), null(), context));
        refused(tiletc_parse_string(&raw mut out, 0, source, context));
        expect(tiletc_parse_string(&raw mut out, usize::MAX, source, context), Status::OutOfRange);
        refused(tiletc_parse_string(&raw mut out, KERNEL.len(), source, program.cast()));
        refused(tiletc_parse_file(null_mut(), name.as_ptr(), context));
        refused(tiletc_parse_file(&raw mut out, null(), context));
        refused(tiletc_parse_stdin(null_mut(), context));
        refused(tiletc_parse_stdin(&raw mut out, program.cast()));
        assert!(out.is_null());
        refused(tiletc_prog_retain(null_mut()));
        refused(tiletc_prog_release(null_mut()));
        refused(tiletc_prog_get_compiler_context(null(), &raw mut got));
        refused(tiletc_prog_get_compiler_context(program, null_mut()));
        refused(tiletc_prog_dump(null_mut()));
        refused(tiletc_prog_print_to_file(null_mut(), name.as_ptr()));
        refused(tiletc_prog_print_to_file(program, null()));
        refused(tiletc_prog_print_to_string(null_mut(), &raw mut text));
        refused(tiletc_prog_print_to_string(program, null_mut()));
        assert!(text.is_null());
        tiletc_string_destroy(null_mut());
        ok(tiletc_compiler_context_release(context));
        ok(tiletc_prog_release(program));
    }
}
