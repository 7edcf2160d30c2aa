//! Handles that were freed, and memory that is not there. Each test has a process of its own: in a shared one, another
//! test's object might take the place of a freed one at once.

use super::*;
use rustix::process::{Resource, Rlimit, setrlimit};
use std::ptr::null;
use tiletc::ffi::binary::*;
use tiletc::ffi::builder::{func::*, region::*};
use tiletc::ffi::compile::*;
use tiletc::ffi::recipe::*;
use tiletc::ffi::spv_mod::*;

/// Returns whether this is the process of the test.
fn alone(test: &str) -> bool {
    in_own_process(&format!("handles::{test}"), "").is_none()
}

/// Gives the only reference to an object back, after which nothing takes its handle.
fn is_freed<T>(
    object: *mut T,
    retain: unsafe extern "C" fn(*mut T) -> tiletc_status_t,
    release: unsafe extern "C" fn(*mut T) -> tiletc_status_t,
) {
    unsafe {
        ok(retain(object));
        ok(release(object));
        ok(release(object));
        refused(release(object));
        refused(retain(object));
    }
}

#[test]
fn what_was_released_is_refused() {
    if !alone("what_was_released_is_refused") {
        return;
    }
    let (context, info) = (new_context(), device("pvc"));
    let program = parse(KERNEL, context);
    let (mut binary, mut module, mut recipe, mut f32) = (null_mut(), null_mut(), null_mut(), null_mut());
    unsafe {
        ok(tiletc_prog_compile_to_spirv_and_assemble(&raw mut binary, program, info));
        ok(tiletc_prog_compile_to_spirv(&raw mut module, program, info));
        ok(tiletc_f32_type_get(&raw mut f32, context));
        ok(tiletc_recipe_tall_and_skinny_create(&raw mut recipe, info, f32, 4, 4, 0));
    }
    is_freed(recipe, tiletc_recipe_retain, tiletc_recipe_release);
    is_freed(module, tiletc_spv_mod_retain, tiletc_spv_mod_release);
    is_freed(binary, tiletc_binary_retain, tiletc_binary_release);
    is_freed(program, tiletc_prog_retain, tiletc_prog_release);
    is_freed(info, tiletc_core_info_retain, tiletc_core_info_release);

    let mut size = 0;
    unsafe {
        refused(tiletc_prog_dump(program));
        refused(tiletc_spv_mod_dump(module));
        refused(tiletc_core_info_get_register_space(info, &raw mut size));
        refused(tiletc_prog_compile_to_spirv(&raw mut module, program, info));
    }

    // What the context owned goes with it.
    let mut void = null_mut();
    let mut func = null_mut();
    unsafe {
        ok(tiletc_void_type_get(&raw mut void, context));
        ok(tiletc_func_create(&raw mut func, 1, c"f".as_ptr(), 1, &raw const f32, void, null()));
    }
    let mut body = null_mut();
    ok(unsafe { tiletc_func_get_body(func, &raw mut body) });
    unsafe { tiletc_func_destroy(func) };
    is_freed(context, tiletc_compiler_context_retain, tiletc_compiler_context_release);
    let (mut ty, mut begin) = (null_mut(), null_mut());
    unsafe {
        refused(tiletc_compiler_context_set_optimization_level(context, 1));
        refused(tiletc_memref_type_get(&raw mut ty, f32, 0, null(), 0, null(), 1));
        refused(tiletc_region_begin(body, &raw mut begin));
        refused(tiletc_func_create(&raw mut func, 1, c"f".as_ptr(), 0, null(), void, null()));
        // Freeing it again is none of the user's business, but does no harm.
        tiletc_func_destroy(func);
    }
}

#[test]
fn memory_of_a_freed_object_may_serve_another_kind() {
    if !alone("memory_of_a_freed_object_may_serve_another_kind") {
        return;
    }
    // Sooner or later an object comes to lie where one of another kind was.
    for _ in 0..1000 {
        let context = new_context();
        let freed = parse(KERNEL, context);
        ok(unsafe { tiletc_prog_release(freed) });
        let infos = [device("pvc"), device("bmg")];
        refused(unsafe { tiletc_prog_release(freed) });
        for info in infos {
            refused(unsafe { tiletc_prog_release(info.cast()) });
            ok(unsafe { tiletc_core_info_release(info) });
        }
        ok(unsafe { tiletc_compiler_context_release(context) });
    }
}

/// Leaves the process what it has, and enough for some small things.
fn limit_memory() {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = statm.split(' ').next().unwrap().parse().unwrap();
    let most = Some((pages << 12) + (100 << 20));
    setrlimit(Resource::As, Rlimit { current: most, maximum: most }).unwrap();
}

#[test]
fn reports_are_short_wherever_the_location_points() {
    if !alone("reports_are_short_wherever_the_location_points") {
        return;
    }
    let heard = Heard::default();
    let context = context_with(&heard);
    let mut id = 0;
    let (name, text) = (c("f.ir"), c("one\ntwo\n"));
    ok(unsafe { tiletc_compiler_context_add_source(context, name.as_ptr(), text.as_ptr(), &raw mut id) });
    limit_memory();
    let at = |line, column| tiletc_position { source_id: id, line, column };
    let what = c("wrong");
    for begin in [at(1, i32::MAX), at(i32::MAX, 1), at(1, 1), at(i32::MAX, i32::MAX)] {
        for end in [at(1, i32::MAX), at(i32::MAX, 1), at(i32::MAX, i32::MAX), at(i32::MIN, i32::MIN)] {
            let location = tiletc_location { begin, end };
            ok(unsafe { tiletc_compiler_context_report_error(context, &raw const location, what.as_ptr()) });
        }
    }
    assert!(heard.text().len() < 16 * 200, "{}", heard.text());
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn what_is_too_large_to_copy_is_refused() {
    const SIZE: usize = 600 << 20;
    if !alone("what_is_too_large_to_copy_is_refused") {
        return;
    }
    let context = new_context();
    let mut text = vec![b'a'; SIZE];
    text.push(0);
    limit_memory();

    let (mut program, mut binary, mut id) = (null_mut(), null_mut(), 0);
    let start = text.as_ptr();
    unsafe {
        let parsed = tiletc_parse_string(&raw mut program, SIZE, start.cast(), context);
        expect(parsed, Status::BadAlloc);
        expect(tiletc_binary_create(&raw mut binary, context, 0, SIZE, start, 0), Status::BadAlloc);
        let added = tiletc_compiler_context_add_source(context, c"a".as_ptr(), start.cast(), &raw mut id);
        expect(added, Status::BadAlloc);
    }
    ok(unsafe { tiletc_prog_release(parse(KERNEL, context)) });
    ok(unsafe { tiletc_compiler_context_release(context) });
}
