//! The C ABI (API reference): handles, checks, and calls into the modules; no logic of its own.
//!
//! `include/tiletc/tiletc.h` is written from this folder by `cargo xtask headers`, which copies the next
//! section.
//!
//! # Promises and demands of every function
//!
//! - A function returns `tiletc_status_success` or why it failed. Its comment lists the errors of its own
//!   without their prefix; any function may also give `invalid_arguments` (the next two points) and
//!   `internal_compiler_error` (our mistake).
//! - A NULL handle, text or output pointer is refused unless the comment says that it may be NULL. An array
//!   may be NULL if its size is 0.
//! - A handle of the wrong kind, or one that was freed, is refused (unless its memory serves a new object of
//!   its kind), and so is a number that is no enumerator.
//! - If a call fails its output parameters keep their values, and the next call works.
//! - What a `..._create` or `..._parse_...` function stores has one reference, which the caller gives up
//!   with the `..._release` function of its kind. Instructions and functions have one owner instead: the
//!   caller, who may free them with `..._destroy`, until a region or a program takes them. What a `..._get...`
//!   function stores is no new reference unless the comment says so. Types and attributes live as long as
//!   their context.
//! - A constructor of an instruction (`..._inst_create...`) takes what is fixed in the instruction, its
//!   operands, the types of its results, and its place in a source, which may be NULL. Its error is the `ir_`
//!   status of the first rule of the language that the instruction breaks; nothing is reported.
//! - In linear algebra (axpby, cumsum, sum, gemm, gemv, ger, hadamard) A, B and C are memrefs, and alpha and
//!   beta numbers that promote to the elements. Matrices are given as rows x columns; op(A) and op(B) are A and
//!   B or, if tA and tB say so, their transposes. With `atomic` each element of the output is updated
//!   atomically, and beta is a constant 0 or 1.
//! - A `char *` that is stored belongs to the caller, who frees it with tiletc_string_destroy; a
//!   `const char *` belongs to the library.
//! - Shapes, strides and offsets count elements, sizes of memory count bytes.
//! - Any thread may call any function. Calls that work on one context wait for each other; different
//!   contexts have nothing to do with each other.
//! - A call holds what it works on. If another thread gives the last reference up meanwhile, or destroys what the call
//!   is about, the call goes on to its end as if it had come first, or is refused as with any handle that was freed. The
//!   last line of each comment says what else there is to heed: what a function stores a `const` pointer to is part of
//!   an object, and whoever reads it has a reference to that.
//! - Texts, arrays and places that are passed are the caller's: no other thread may change or free them during the call.
//! - Messages go to the error reporter of the context, which is called without any lock held. Nothing else
//!   is printed unless asked for.
//! - The floating-point environment of the caller (traps, rounding, flags) neither matters nor changes; the
//!   error reporter is called in the default one.
//!
//! # Safety
//! No panic leaves a call.
//!
//! The caller of any function here passes pointers that are NULL or what the parameter is meant to be:
//! a live handle, a NUL-terminated text, an array of the length given, a writable place. A reference
//! that was given up by `…_release` is not used again.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, reason = "said once above, and C readers get the doc comments too")]

mod arg;
mod bundle;
mod call;
mod float_environment;
mod handle;
mod kernel_arguments;
mod live;
mod managed;
mod recipe_runtime;

pub mod enums;
pub mod types;

pub mod attributes;
pub mod bench;
pub mod binary;
pub mod builder;
pub mod cache;
pub mod cl;
pub mod compile;
pub mod context;
pub mod core_info;
pub mod half_precision;
pub mod last_error;
pub mod log;
pub mod names;
pub mod program;
pub mod recipe;
pub mod recipe_handler;
pub mod spv_mod;
mod tables;
pub mod tuner;
pub mod tuning;
pub mod type_get;
pub mod ze;
