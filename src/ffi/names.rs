//! Names of enumerators (API reference 3.2).

use super::enums;
use super::types::*;
use std::ffi::c_char;

/// The phrase of a status; static.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_status_to_string(val: tiletc_status_t) -> *const c_char {
    enums::STATUS.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_comp3_to_string(val: tiletc_comp3_t) -> *const c_char {
    enums::COMP3.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_reduce_mode_to_string(val: tiletc_reduce_mode_t) -> *const c_char {
    enums::REDUCE_MODE.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_transpose_to_string(val: tiletc_transpose_t) -> *const c_char {
    enums::TRANSPOSE.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_address_space_to_string(val: tiletc_address_space_t) -> *const c_char {
    enums::ADDRESS_SPACE.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_checked_flag_to_string(val: tiletc_checked_flag_t) -> *const c_char {
    enums::CHECKED_FLAG.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_memory_scope_to_string(val: tiletc_memory_scope_t) -> *const c_char {
    enums::MEMORY_SCOPE.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_memory_semantics_to_string(val: tiletc_memory_semantics_t) -> *const c_char {
    enums::MEMORY_SEMANTICS.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_matrix_use_to_string(val: tiletc_matrix_use_t) -> *const c_char {
    enums::MATRIX_USE.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_boundary_to_string(val: tiletc_boundary_t) -> *const c_char {
    enums::BOUNDARY.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_tile_order_to_string(val: tiletc_tile_order_t) -> *const c_char {
    enums::TILE_ORDER.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_spirv_feature_to_string(val: tiletc_spirv_feature_t) -> *const c_char {
    enums::SPIRV_FEATURE.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_core_feature_flag_to_string(val: tiletc_core_feature_flag_t) -> *const c_char {
    enums::CORE_FEATURE_FLAG.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_intel_gpu_architecture_to_string(
    val: tiletc_intel_gpu_architecture_t,
) -> *const c_char {
    enums::INTEL_GPU_ARCHITECTURE.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_bundle_format_to_string(val: tiletc_bundle_format_t) -> *const c_char {
    enums::BUNDLE_FORMAT.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_optflag_to_string(val: tiletc_optflag_t) -> *const c_char {
    enums::OPTFLAG.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_mem_type_to_string(val: tiletc_mem_type_t) -> *const c_char {
    enums::MEM_TYPE.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_arg_kind_to_string(val: tiletc_arg_kind_t) -> *const c_char {
    enums::ARG_KIND.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_launch_op_to_string(val: tiletc_launch_op_t) -> *const c_char {
    enums::LAUNCH_OP.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_cl_object_to_string(val: tiletc_cl_object_t) -> *const c_char {
    enums::CL_OBJECT.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_log_level_to_string(val: tiletc_log_level_t) -> *const c_char {
    enums::LOG_LEVEL.c_text(val)
}

/// The name of an enumerator; static, "unknown" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn tiletc_support_level_to_string(val: tiletc_support_level_t) -> *const c_char {
    enums::SUPPORT_LEVEL.c_text(val)
}
