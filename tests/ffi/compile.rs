//! Passes, compilation, modules and binaries.

use super::*;
use std::ptr::{dangling_mut, null};
use tiletc::ffi::binary::*;
use tiletc::ffi::compile::*;
use tiletc::ffi::spv_mod::*;

/// First word of every SPIR-V module.
const MAGIC: u32 = 0x0723_0203;

fn bytes(binary: tiletc_binary_t) -> (tiletc_bundle_format_t, Vec<u8>) {
    let (mut format, mut size, mut data) = (-1, 0, null());
    ok(unsafe { tiletc_binary_get_raw(binary, &raw mut format, &raw mut size, &raw mut data) });
    (format, unsafe { std::slice::from_raw_parts(data, size) }.to_vec())
}

fn run_pass(name: &str, program: tiletc_prog_t, info: tiletc_core_info_t) -> tiletc_status_t {
    let name = c(name);
    unsafe { tiletc_run_function_pass(name.as_ptr(), program, info) }
}

#[test]
fn passes_are_listed_and_run() {
    let (mut size, mut names) = (0, null());
    ok(unsafe { tiletc_list_function_passes(&raw mut size, &raw mut names) });
    refused(unsafe { tiletc_list_function_passes(null_mut(), &raw mut names) });
    refused(unsafe { tiletc_list_function_passes(&raw mut size, null_mut()) });
    let names = unsafe { std::slice::from_raw_parts(names, size) };
    let names: Vec<&str> =
        names.iter().map(|name| unsafe { CStr::from_ptr(*name) }.to_str().unwrap()).collect();
    assert_eq!(names, tiletc::passes::Pass::names().collect::<Vec<_>>());

    if let Some((output, errors)) = in_own_process("compile::passes_are_listed_and_run", "") {
        // `dump-ir` was among them.
        assert!(output.contains("func @k"), "{output}");
        assert_eq!(errors, "");
        return;
    }
    let info = device("pvc");
    for name in names {
        let program = parse(KERNEL, null_mut());
        ok(run_pass(name, program, info));
        ok(unsafe { tiletc_prog_release(program) });
    }
    ok(unsafe { tiletc_core_info_release(info) });
}

#[test]
fn bad_passes_are_refused() {
    let program = parse(KERNEL, null_mut());
    expect(run_pass("no-such-pass", program, null_mut()), Status::UnknownPassName);
    expect(run_pass("", program, null_mut()), Status::UnknownPassName);
    for name in ["dump-gcd", "lower-foreach", "lower-linalg", "work-group-size"] {
        refused(run_pass(name, program, null_mut()));
    }
    // It needs the subgroup size alone, and this kernel not even that.
    ok(run_pass("lower-coopmatrix", program, null_mut()));
    refused(run_pass("check-ir", null_mut(), null_mut()));
    refused(run_pass("check-ir", program, program.cast()));
    refused(unsafe { tiletc_run_function_pass(null(), program, null()) });
    ok(run_pass("check-ir", program, null_mut()));
    ok(unsafe { tiletc_prog_release(program) });
}

#[test]
fn a_program_becomes_a_module_and_a_binary() {
    let (program, info) = (parse(KERNEL, null_mut()), device("pvc"));
    ok(unsafe { tiletc_core_info_set_core_features(info, 1) });
    let (mut module, mut two_steps, mut one_step) = (null_mut(), null_mut(), null_mut());
    ok(unsafe { tiletc_prog_compile_to_spirv(&raw mut module, program, info) });
    ok(unsafe { tiletc_spirv_assemble(&raw mut two_steps, module) });
    ok(unsafe { tiletc_prog_compile_to_spirv_and_assemble(&raw mut one_step, program, info) });
    ok(unsafe { tiletc_core_info_release(info) });

    // A module keeps the context, and a second compilation gives the same bytes.
    let mut context = null_mut();
    ok(unsafe { tiletc_prog_get_compiler_context(program, &raw mut context) });
    ok(unsafe { tiletc_prog_release(program) });
    let mut of_binary = null_mut();
    ok(unsafe { tiletc_binary_get_compiler_context(one_step, &raw mut of_binary) });
    assert_eq!(of_binary, context);
    assert_eq!(bytes(one_step), bytes(two_steps));

    let (format, words) = bytes(one_step);
    assert_eq!(format, 0);
    assert_eq!(words.len() % 4, 0);
    assert_eq!(words.get(..4), Some(&MAGIC.to_ne_bytes()[..]));
    let mut features = 0;
    ok(unsafe { tiletc_binary_get_core_features(one_step, &raw mut features) });
    assert_eq!(features, 1);

    let mut text = null_mut();
    ok(unsafe { tiletc_spv_mod_print_to_string(module, &raw mut text) });
    let text = take_string(text);
    assert!(text.contains("OpEntryPoint Kernel"), "{text}");
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("module.spvasm");
    let name = c(file.to_str().unwrap());
    ok(unsafe { tiletc_spv_mod_print_to_file(module, name.as_ptr()) });
    assert_eq!(std::fs::read_to_string(file).unwrap(), text);
    ok(unsafe { tiletc_spv_mod_retain(module) });
    ok(unsafe { tiletc_spv_mod_release(module) });
    ok(unsafe { tiletc_spv_mod_release(module) });
    for binary in [one_step, two_steps] {
        ok(unsafe { tiletc_binary_retain(binary) });
        ok(unsafe { tiletc_binary_release(binary) });
        ok(unsafe { tiletc_binary_release(binary) });
    }
}

#[test]
fn the_dump_of_a_module_goes_to_standard_error() {
    if let Some((_, errors)) = in_own_process("compile::the_dump_of_a_module_goes_to_standard_error", "") {
        assert!(errors.contains("OpEntryPoint Kernel"), "{errors}");
        return;
    }
    let (program, info) = (parse(KERNEL, null_mut()), device("pvc"));
    let mut module = null_mut();
    ok(unsafe { tiletc_prog_compile_to_spirv(&raw mut module, program, info) });
    ok(unsafe { tiletc_spv_mod_dump(module) });
    ok(unsafe { tiletc_spv_mod_release(module) });
    ok(unsafe { tiletc_core_info_release(info) });
    ok(unsafe { tiletc_prog_release(program) });
}

#[test]
fn a_device_without_subgroup_sizes_is_an_error_not_a_crash() {
    let heard = Heard::default();
    let context = context_with(&heard);
    let program = parse(KERNEL, context);
    let (mut info, mut module) = (null_mut(), dangling_mut());
    ok(unsafe { tiletc_core_info_generic_create(&raw mut info, 2048, 512, 0, null()) });
    let status = unsafe { tiletc_prog_compile_to_spirv(&raw mut module, program, info) };
    expect(status, Status::OutOfRange);
    assert_eq!(module, dangling_mut());
    assert!(!heard.text().is_empty());
    ok(unsafe { tiletc_core_info_release(info) });
    ok(unsafe { tiletc_prog_release(program) });
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn a_binary_keeps_a_copy_of_its_bytes() {
    let context = new_context();
    let mut data = [1, 2, 3];
    let mut binary = null_mut();
    let create = |binary, context, format, size, data| unsafe {
        tiletc_binary_create(binary, context, format, size, data, 5)
    };
    ok(create(&raw mut binary, context, 1, 3, data.as_ptr()));
    data.fill(0);
    assert_eq!(bytes(binary), (1, vec![1, 2, 3]));
    let mut features = 0;
    ok(unsafe { tiletc_binary_get_core_features(binary, &raw mut features) });
    assert_eq!(features, 5);
    ok(unsafe { tiletc_binary_release(binary) });

    ok(create(&raw mut binary, context, 0, 0, data.as_ptr()));
    assert_eq!(bytes(binary), (0, vec![]));
    ok(unsafe { tiletc_binary_release(binary) });

    let mut untouched = dangling_mut();
    refused(create(&raw mut untouched, context, 0, 0, null()));
    refused(create(&raw mut untouched, context, 2, 3, data.as_ptr()));
    refused(create(&raw mut untouched, context, -1, 3, data.as_ptr()));
    refused(create(&raw mut untouched, null_mut(), 0, 3, data.as_ptr()));
    refused(create(null_mut(), context, 0, 3, data.as_ptr()));
    expect(create(&raw mut untouched, context, 0, usize::MAX, data.as_ptr()), Status::OutOfRange);
    assert_eq!(untouched, dangling_mut());
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn null_is_refused() {
    let (context, info) = (new_context(), device("bmg"));
    let program = parse(KERNEL, context);
    let (mut module, mut binary, mut text) = (null_mut(), null_mut(), null_mut());
    let (mut format, mut size, mut data, mut features) = (0, 0, null(), 0);
    let mut got = null_mut();
    let name = c("file");
    unsafe {
        refused(tiletc_prog_compile_to_spirv(null_mut(), program, info));
        refused(tiletc_prog_compile_to_spirv(&raw mut module, null_mut(), info));
        refused(tiletc_prog_compile_to_spirv(&raw mut module, program, null()));
        refused(tiletc_prog_compile_to_spirv_and_assemble(null_mut(), program, info));
        refused(tiletc_prog_compile_to_spirv_and_assemble(&raw mut binary, null_mut(), info));
        refused(tiletc_prog_compile_to_spirv_and_assemble(&raw mut binary, program, null()));
        refused(tiletc_spirv_assemble(&raw mut binary, null()));
        ok(tiletc_prog_compile_to_spirv(&raw mut module, program, info));
        refused(tiletc_spirv_assemble(null_mut(), module));
        refused(tiletc_spv_mod_retain(null_mut()));
        refused(tiletc_spv_mod_release(null_mut()));
        refused(tiletc_spv_mod_dump(null()));
        refused(tiletc_spv_mod_print_to_file(null(), name.as_ptr()));
        refused(tiletc_spv_mod_print_to_file(module, null()));
        refused(tiletc_spv_mod_print_to_string(null(), &raw mut text));
        refused(tiletc_spv_mod_print_to_string(module, null_mut()));
        ok(tiletc_spirv_assemble(&raw mut binary, module));
        refused(tiletc_binary_retain(null_mut()));
        refused(tiletc_binary_release(null_mut()));
        refused(tiletc_binary_get_compiler_context(null(), &raw mut got));
        refused(tiletc_binary_get_compiler_context(binary, null_mut()));
        refused(tiletc_binary_get_raw(null(), &raw mut format, &raw mut size, &raw mut data));
        refused(tiletc_binary_get_raw(binary, null_mut(), &raw mut size, &raw mut data));
        refused(tiletc_binary_get_raw(binary, &raw mut format, null_mut(), &raw mut data));
        refused(tiletc_binary_get_raw(binary, &raw mut format, &raw mut size, null_mut()));
        refused(tiletc_binary_get_core_features(null(), &raw mut features));
        refused(tiletc_binary_get_core_features(binary, null_mut()));
        ok(tiletc_binary_release(binary));
        ok(tiletc_spv_mod_release(module));
        ok(tiletc_prog_release(program));
        ok(tiletc_core_info_release(info));
        ok(tiletc_compiler_context_release(context));
    }
}

#[test]
fn a_warning_is_reported_whenever_a_program_is_compiled() {
    let heard = Heard::default();
    let context = context_with(&heard);
    let (program, info) = (parse(OPEN_STRIDES, context), device("pvc"));
    assert!(heard.0.lock().unwrap().is_empty());
    let mut binary = null_mut();
    ok(unsafe { tiletc_prog_compile_to_spirv_and_assemble(&raw mut binary, program, info) });
    let messages = heard.0.lock().unwrap();
    assert_eq!(messages.len(), 1);
    assert!(
        messages[0].0.contains(":2.10-52: warning: local memory is allocated packed, "),
        "{}",
        messages[0].0
    );
    drop(messages);
    ok(unsafe { tiletc_binary_release(binary) });
    ok(unsafe { tiletc_prog_release(program) });
    ok(unsafe { tiletc_core_info_release(info) });
    ok(unsafe { tiletc_compiler_context_release(context) });
}
