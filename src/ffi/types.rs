//! The C types: opaque handles, structs and aliases, named as in C.
//!
//! cbindgen reads this file as text, so nothing here may come from a macro. The enumerations are plain
//! integers on this side, because a C caller can pass any number; [`super::enums`] knows which numbers
//! are enumerators and writes the C `enum`s.
#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_int, c_void};

/// A position in a source; lines and columns start at 1, 0 means unknown.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct tiletc_position {
    /// Source id, see tiletc_compiler_context_add_source; 0 means unknown.
    pub source_id: i32,
    /// Line, from 1.
    pub line: i32,
    /// Byte column, from 1.
    pub column: i32,
}
/// A position in a source.
pub type tiletc_position_t = tiletc_position;

/// A range of a source.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct tiletc_location {
    /// First byte.
    pub begin: tiletc_position_t,
    /// One column past the last byte.
    pub end: tiletc_position_t,
}
/// A range of a source.
pub type tiletc_location_t = tiletc_location;

/// An entry of a dictionary attribute.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tiletc_named_attr {
    /// The name, a string attribute.
    pub name: tiletc_attr_t,
    /// The attribute itself.
    pub attr: tiletc_attr_t,
}
/// An entry of a dictionary attribute.
pub type tiletc_named_attr_t = tiletc_named_attr;

/// Outcomes for the native binaries that the programs of a context needed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct tiletc_cache_counters {
    /// Kernel bundles that were made of a cached binary.
    pub hits: u64,
    /// Kernel bundles that had to be built.
    pub misses: u64,
    /// Binaries that were added to the cache.
    pub stored: u64,
    /// Entries that were removed to keep the bound on the size.
    pub evicted: u64,
    /// Entries that were removed because they were damaged or the driver refused them.
    pub rejected: u64,
}
/// Outcomes for the native binaries that the programs of a context needed.
pub type tiletc_cache_counters_t = tiletc_cache_counters;

/// Times of a kernel in a few numbers, in seconds.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct tiletc_bench_summary {
    /// Median.
    pub median: f64,
    /// Lower end of the 95 % interval of the median; 0 below six times.
    pub lower: f64,
    /// Upper end of the 95 % interval of the median; infinite below six times.
    pub upper: f64,
    /// The least.
    pub minimum: f64,
    /// Median of the distances from the median.
    pub deviation: f64,
    /// The range of the middle half of the times as a share of the median.
    pub spread: f64,
    /// 1 if there are 20 times or more, and the ends of the interval are within 1 % of the median.
    pub precise: tiletc_bool_t,
}
/// Times of a kernel in a few numbers, in seconds.
pub type tiletc_bench_summary_t = tiletc_bench_summary;

/// Launches a kernel `launches` times, one after the other, waits, and stores the seconds that one of them took. `is_sample` is 0 for launches
/// that only prepare a measurement: they warm the device up, or tell how long a launch takes. A program that wants the times with cold
/// caches overwrites these in front of each launch of a sample. An error ends the measurement. The function is called on the thread that made the
/// call, and may call this library; it must return.
pub type tiletc_bench_launch_t = Option<
    unsafe extern "C" fn(
        seconds: *mut f64,
        launches: usize,
        is_sample: tiletc_bool_t,
        user_data: *mut c_void,
    ) -> tiletc_status_t,
>;

/// A truth value; 0 is false, anything else is true.
pub type tiletc_bool_t = u8;
/// A bit set of tiletc_address_space_t values.
pub type tiletc_address_spaces_t = u32;
/// A bit set of tiletc_core_feature_flag_t values.
pub type tiletc_core_feature_flags_t = u32;

/// Receives one complete message: an error, or a warning of a call that succeeds all the same, behind whose place
/// (`NAME:LINE.COLUMN: `) the text begins with `warning: `. `what` and `location` are valid during the call only. The
/// function is called on the thread that made the call, and may call this library. It must not throw, longjmp or leave
/// in any other way than by returning: there is no way through this library for an exception, and the process would be
/// aborted. In C++, tiletc::set_error_reporter takes a function that may throw.
pub type tiletc_error_reporter_t = Option<
    unsafe extern "C" fn(what: *const c_char, location: *const tiletc_location_t, user_data: *mut c_void),
>;

/// Attribute, owned by its context.
pub struct tiletc_attr(());
/// Attribute, owned by its context.
pub type tiletc_attr_t = *mut tiletc_attr;
/// Read-only attribute.
pub type const_tiletc_attr_t = *const tiletc_attr;

/// Type, owned by its context.
pub struct tiletc_type(());
/// Type, owned by its context.
pub type tiletc_type_t = *mut tiletc_type;
/// Read-only type.
pub type const_tiletc_type_t = *const tiletc_type;

/// Value, owned by the instruction or region that defines it.
pub struct tiletc_value(());
/// Value, owned by the instruction or region that defines it.
pub type tiletc_value_t = *mut tiletc_value;
/// Read-only value.
pub type const_tiletc_value_t = *const tiletc_value;

/// Instruction, owned by one owner.
pub struct tiletc_inst(());
/// Instruction, owned by one owner.
pub type tiletc_inst_t = *mut tiletc_inst;
/// Read-only instruction.
pub type const_tiletc_inst_t = *const tiletc_inst;
/// Cursor in the instructions of a region.
pub type tiletc_inst_iterator_t = *mut tiletc_inst;

/// Region, owned by its function or instruction.
pub struct tiletc_region(());
/// Region, owned by its function or instruction.
pub type tiletc_region_t = *mut tiletc_region;
/// Read-only region.
pub type const_tiletc_region_t = *const tiletc_region;

/// Function, owned by one owner.
pub struct tiletc_func(());
/// Function, owned by one owner.
pub type tiletc_func_t = *mut tiletc_func;
/// Read-only function.
pub type const_tiletc_func_t = *const tiletc_func;

/// Program, reference-counted.
pub struct tiletc_prog(());
/// Program, reference-counted.
pub type tiletc_prog_t = *mut tiletc_prog;
/// Read-only program.
pub type const_tiletc_prog_t = *const tiletc_prog;

/// SPIR-V module, reference-counted.
pub struct tiletc_spv_mod(());
/// SPIR-V module, reference-counted.
pub type tiletc_spv_mod_t = *mut tiletc_spv_mod;
/// Read-only SPIR-V module.
pub type const_tiletc_spv_mod_t = *const tiletc_spv_mod;

/// Device description, reference-counted.
pub struct tiletc_core_info(());
/// Device description, reference-counted.
pub type tiletc_core_info_t = *mut tiletc_core_info;
/// Read-only device description.
pub type const_tiletc_core_info_t = *const tiletc_core_info;

/// Compiler context, reference-counted.
pub struct tiletc_compiler_context(());
/// Compiler context, reference-counted.
pub type tiletc_compiler_context_t = *mut tiletc_compiler_context;
/// Read-only compiler context.
pub type const_tiletc_compiler_context_t = *const tiletc_compiler_context;

/// Compiled binary, reference-counted.
pub struct tiletc_binary(());
/// Compiled binary, reference-counted.
pub type tiletc_binary_t = *mut tiletc_binary;
/// Read-only binary.
pub type const_tiletc_binary_t = *const tiletc_binary;

/// Recipe, reference-counted.
pub struct tiletc_recipe(());
/// Recipe, reference-counted.
pub type tiletc_recipe_t = *mut tiletc_recipe;
/// Read-only recipe.
pub type const_tiletc_recipe_t = *const tiletc_recipe;

/// Recipe on a device, reference-counted.
pub struct tiletc_recipe_handler(());
/// Recipe on a device, reference-counted.
pub type tiletc_recipe_handler_t = *mut tiletc_recipe_handler;
/// Read-only recipe handler.
pub type const_tiletc_recipe_handler_t = *const tiletc_recipe_handler;

/// Tuner of a kernel, reference-counted.
pub struct tiletc_tuner(());
/// Tuner of a kernel, reference-counted.
pub type tiletc_tuner_t = *mut tiletc_tuner;

/// Functions of a runtime for a recipe handler, see tiletc_recipe_handler_create_with_callbacks. The set_args
/// functions call the first four in this order, on the thread of their caller, with the handler's user data
/// in front; a status other than success ends the call with that status. No callback may throw. All must be
/// given.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tiletc_recipe_handler_callbacks {
    /// Name of the runtime, which says what the user data are.
    pub runtime: *const c_char,
    /// Selects the kernel that the other calls are about: 0 is `gemm`, 1 is `gemm_beta0`.
    pub select_kernel: Option<unsafe extern "C" fn(user_data: *mut c_void, kernel: usize) -> tiletc_status_t>,
    /// Sets argument `index` of the kernel to a number of `size` bytes at `value`, valid during the call.
    pub set_value: Option<
        unsafe extern "C" fn(
            user_data: *mut c_void,
            index: u32,
            size: usize,
            value: *const c_void,
        ) -> tiletc_status_t,
    >,
    /// Sets argument `index` of the kernel to the memory `value`, which is passed on as the user gave it.
    pub set_memory: Option<
        unsafe extern "C" fn(
            user_data: *mut c_void,
            index: u32,
            type_: tiletc_mem_type_t,
            value: *const c_void,
        ) -> tiletc_status_t,
    >,
    /// Sets the number of work-groups along x; with 0 there is nothing to launch.
    pub set_groups: Option<unsafe extern "C" fn(user_data: *mut c_void, groups: i64) -> tiletc_status_t>,
    /// Frees the user data.
    pub destroy: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
}
/// Functions of a runtime for a recipe handler.
pub type tiletc_recipe_handler_callbacks_t = tiletc_recipe_handler_callbacks;

/// An argument of a kernel, with its kind.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tiletc_kernel_arg {
    /// Its kind.
    pub kind: tiletc_arg_kind_t,
    /// Bytes of a number. For `typed_usm_pointer` bytes of a number there, its kind times 2⁸, and times 2¹⁶ the pointers
    /// that lead to it beside this one: 0x10208 for `double **`. Not looked at for other memory.
    pub size: usize,
    /// Address of a number; for memory its address or buffer object itself.
    pub value: *const c_void,
}
/// An argument of a kernel, with its kind.
pub type tiletc_kernel_arg_t = tiletc_kernel_arg;

/// A step of the plan of a launch.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct tiletc_launch_step {
    /// Operation.
    pub op: tiletc_launch_op_t,
    /// Its number; 0 if it takes none.
    pub value: i64,
}
/// A step of the plan of a launch.
pub type tiletc_launch_step_t = tiletc_launch_step;

/// Steps by which a program compares the arguments of a launch by itself, with a stack of at most 40 integers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct tiletc_launch_plan {
    /// Number of steps.
    pub num_steps: u32,
    /// The steps in their order.
    pub steps: [tiletc_launch_step; 64],
}
/// Steps by which a program compares the arguments of a launch by itself.
pub type tiletc_launch_plan_t = tiletc_launch_plan;

/// Receives one message of the log, whose text is valid during the call only.
pub type tiletc_log_callback_t =
    Option<unsafe extern "C" fn(level: tiletc_log_level_t, message: *const c_char, user_data: *mut c_void)>;

/// C enumeration, see [`super::enums`].
pub type tiletc_log_level_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_arg_kind_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_launch_op_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_cl_object_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_status_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_comp3_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_reduce_mode_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_transpose_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_address_space_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_checked_flag_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_memory_scope_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_memory_semantics_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_matrix_use_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_boundary_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_tile_order_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_spirv_feature_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_core_feature_flag_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_intel_gpu_architecture_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_bundle_format_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_optflag_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_mem_type_t = c_int;
/// C enumeration, see [`super::enums`].
pub type tiletc_support_level_t = c_int;
