//! The builder.

mod errors;
mod ownership;
mod rebuild;

use super::*;
use std::ptr::{null, null_mut};
use tiletc::ffi::builder::constant::*;
use tiletc::ffi::builder::constructors::*;
use tiletc::ffi::builder::func::*;
use tiletc::ffi::builder::inst::*;
use tiletc::ffi::builder::region::*;
use tiletc::ffi::builder::value::*;
use tiletc::ffi::compile::tiletc_prog_compile_to_spirv;

/// A handle that a call gives, or why it gives none.
fn made<T>(call: impl FnOnce(*mut *mut T) -> tiletc_status_t) -> Result<*mut T, Status> {
    let mut handle = null_mut();
    match Status::from_code(call(&raw mut handle)).unwrap() {
        Status::Success => {
            assert!(!handle.is_null());
            Ok(handle)
        }
        status => {
            assert!(handle.is_null(), "a failed call wrote a handle");
            Err(status)
        }
    }
}

/// Content of a list with a size that goes in and out.
fn all<T>(mut call: impl FnMut(*mut usize, *mut *mut T) -> tiletc_status_t) -> Vec<*mut T> {
    let mut size = 0;
    ok(call(&raw mut size, null_mut()));
    let mut items = vec![null_mut(); size];
    if size > 0 {
        ok(call(&raw mut size, items.as_mut_ptr()));
        assert_eq!(size, items.len());
    }
    items
}

fn results(inst: tiletc_inst_t) -> Vec<tiletc_value_t> {
    all(|size, list| unsafe { tiletc_inst_get_values(inst, size, list) })
}

fn regions(inst: tiletc_inst_t) -> Vec<tiletc_region_t> {
    all(|size, list| unsafe { tiletc_inst_get_regions(inst, size, list) })
}

fn parameters(region: tiletc_region_t) -> Vec<tiletc_value_t> {
    all(|size, list| unsafe { tiletc_region_get_parameters(region, size, list) })
}

fn ty(context: tiletc_compiler_context_t, get: GetType) -> tiletc_type_t {
    made(|out| unsafe { get(out, context) }).unwrap()
}

type GetType = unsafe extern "C" fn(*mut tiletc_type_t, tiletc_compiler_context_t) -> tiletc_status_t;

/// A function of a name with parameters of the types.
fn function(
    context: tiletc_compiler_context_t,
    name: &str,
    types: &[tiletc_type_t],
) -> Result<tiletc_func_t, Status> {
    let void = ty(context, tiletc_void_type_get);
    made(|out| unsafe {
        tiletc_func_create(out, name.len(), name.as_ptr().cast(), types.len(), types.as_ptr(), void, null())
    })
}

fn body(func: tiletc_func_t) -> tiletc_region_t {
    made(|out| unsafe { tiletc_func_get_body(func, out) }).unwrap()
}

fn new_program(context: tiletc_compiler_context_t) -> tiletc_prog_t {
    made(|out| unsafe { tiletc_prog_create(out, context, null()) }).unwrap()
}

fn print(program: tiletc_prog_t) -> String {
    take_string(made(|out| unsafe { tiletc_prog_print_to_string(program, out) }).unwrap())
}

/// The constant `number`.
fn integer(context: tiletc_compiler_context_t, number: i64) -> tiletc_inst_t {
    let index = ty(context, tiletc_index_type_get);
    made(|out| unsafe { tiletc_constant_inst_create_int(out, number, index, null()) }).unwrap()
}

/// The sum of two indices.
fn sum(context: tiletc_compiler_context_t, a: tiletc_value_t, b: tiletc_value_t) -> tiletc_inst_t {
    let index = ty(context, tiletc_index_type_get);
    made(|out| unsafe { tiletc_add_inst_create(out, a, b, index, null()) }).unwrap()
}

fn parallel() -> tiletc_inst_t {
    made(|out| unsafe { tiletc_parallel_inst_create(out, null()) }).unwrap()
}

fn append(region: tiletc_region_t, inst: tiletc_inst_t) {
    ok(unsafe { tiletc_region_append(region, inst) });
}

fn release(context: tiletc_compiler_context_t) {
    ok(unsafe { tiletc_compiler_context_release(context) });
}
