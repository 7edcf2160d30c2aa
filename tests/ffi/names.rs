//! Enumerations and struct layouts (API reference 2, 3.2).

use std::ffi::{CStr, c_char, c_int};
use std::mem::offset_of;
use tiletc::ffi::enums;
use tiletc::ffi::names::*;
use tiletc::ffi::types::*;
use tiletc::status::Status;

fn text(pointer: *const c_char) -> &'static str {
    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap()
}

#[test]
fn every_enumerator_has_its_number_and_text() {
    type ToString = extern "C" fn(c_int) -> *const c_char;
    type Row = (&'static str, ToString, &'static [(c_int, &'static str)]);
    let table: &[Row] = &[
        ("comp3", tiletc_comp3_to_string, &[(0, "x"), (1, "y"), (2, "z")]),
        ("reduce_mode", tiletc_reduce_mode_to_string, &[(0, "row"), (1, "column")]),
        ("transpose", tiletc_transpose_to_string, &[(0, "n"), (1, "t")]),
        ("address_space", tiletc_address_space_to_string, &[(1, "global"), (2, "local")]),
        (
            "checked_flag",
            tiletc_checked_flag_to_string,
            &[(0, "none"), (1, "rows"), (2, "cols"), (3, "both")],
        ),
        (
            "memory_scope",
            tiletc_memory_scope_to_string,
            &[(0, "cross_device"), (1, "device"), (2, "work_group"), (3, "subgroup")],
        ),
        (
            "memory_semantics",
            tiletc_memory_semantics_to_string,
            &[
                (0, "relaxed"),
                (2, "acquire"),
                (4, "release"),
                (8, "acquire_release"),
                (16, "sequentially_consistent"),
            ],
        ),
        ("matrix_use", tiletc_matrix_use_to_string, &[(0, "matrix_a"), (1, "matrix_b"), (2, "matrix_acc")]),
        (
            "boundary",
            tiletc_boundary_to_string,
            &[(0, "zero"), (1, "wrap"), (2, "unchecked"), (3, "undefined")],
        ),
        (
            "tile_order",
            tiletc_tile_order_to_string,
            &[
                (0, "linear_n"),
                (1, "linear_m"),
                (2, "grouped"),
                (3, "panel_m"),
                (4, "panel_n"),
                (5, "morton"),
                (6, "hilbert"),
                (7, "diagonal"),
                (8, "any"),
            ],
        ),
        (
            "spirv_feature",
            tiletc_spirv_feature_to_string,
            &[
                (0, "float16"),
                (1, "float64"),
                (2, "int64_atomics"),
                (3, "groups"),
                (4, "subgroup_dispatch"),
                (5, "atomic_float16_add_local"),
                (6, "atomic_float16_add_global"),
                (7, "atomic_float32_add_local"),
                (8, "atomic_float32_add_global"),
                (9, "atomic_float64_add_local"),
                (10, "atomic_float64_add_global"),
                (11, "atomic_float16_min_max_local"),
                (12, "atomic_float16_min_max_global"),
                (13, "atomic_float32_min_max_local"),
                (14, "atomic_float32_min_max_global"),
                (15, "atomic_float64_min_max_local"),
                (16, "atomic_float64_min_max_global"),
                (17, "bfloat16_conversion"),
                (18, "subgroup_buffer_block_io"),
            ],
        ),
        ("core_feature_flag", tiletc_core_feature_flag_to_string, &[(1, "large_register_file")]),
        (
            "intel_gpu_architecture",
            tiletc_intel_gpu_architecture_to_string,
            &[(0x0300_0000, "tgl"), (0x030f_0000, "pvc"), (0x0500_4000, "bmg")],
        ),
        ("bundle_format", tiletc_bundle_format_to_string, &[(0, "spirv"), (1, "native")]),
        ("optflag", tiletc_optflag_to_string, &[(0, "unsafe_fp_math"), (8192, "tf32")]),
        ("mem_type", tiletc_mem_type_to_string, &[(0, "buffer"), (1, "usm_pointer"), (2, "svm_pointer")]),
        (
            "arg_kind",
            tiletc_arg_kind_to_string,
            &[
                (0, "bytes"),
                (1, "integer"),
                (2, "floating"),
                (3, "complex"),
                (4, "buffer"),
                (5, "usm_pointer"),
                (6, "svm_pointer"),
                (7, "typed_usm_pointer"),
                (8, "foreign_pointer"),
            ],
        ),
        (
            "launch_op",
            tiletc_launch_op_to_string,
            &[
                (0, "number"),
                (1, "argument"),
                (2, "add"),
                (3, "sub"),
                (4, "mul"),
                (5, "div"),
                (6, "cdiv"),
                (7, "min"),
                (8, "max"),
                (9, "multiple_of"),
                (10, "is"),
                (11, "groups"),
                (12, "ask"),
            ],
        ),
        (
            "cl_object",
            tiletc_cl_object_to_string,
            &[(0, "context"), (1, "device"), (2, "program"), (3, "kernel"), (4, "event")],
        ),
        (
            "log_level",
            tiletc_log_level_to_string,
            &[(0, "off"), (1, "error"), (2, "warn"), (3, "info"), (4, "debug")],
        ),
        ("support_level", tiletc_support_level_to_string, &[(0, "none"), (1, "basic"), (2, "tuned")]),
    ];
    assert_eq!(table.len() + 1, enums::all().len());
    for (name, to_string, cases) in table {
        let enumeration = enums::all().into_iter().find(|enumeration| enumeration.name == *name).unwrap();
        assert_eq!(enumeration.cases.len(), cases.len(), "{name}");
        for (value, expected) in *cases {
            assert_eq!(text(to_string(*value)), *expected, "{name}");
        }
        for value in [-1, 12345, c_int::MIN, c_int::MAX] {
            assert_eq!(text(to_string(value)), "unknown", "{name}");
        }
    }
}

#[test]
fn every_status_has_a_phrase() {
    assert_eq!(Status::ALL.len(), 114);
    for status in Status::ALL {
        let phrase = text(tiletc_status_to_string(status.code()));
        assert_eq!(phrase, status.phrase());
        assert!(!phrase.is_empty() && phrase != "unknown");
    }
    assert_eq!(text(tiletc_status_to_string(19)), "unknown");
}

#[test]
fn structs_have_the_layout_of_the_abi() {
    assert_eq!(size_of::<tiletc_position>(), 12);
    assert_eq!(offset_of!(tiletc_position, source_id), 0);
    assert_eq!(offset_of!(tiletc_position, line), 4);
    assert_eq!(offset_of!(tiletc_position, column), 8);
    assert_eq!(size_of::<tiletc_location>(), 24);
    assert_eq!(offset_of!(tiletc_location, begin), 0);
    assert_eq!(offset_of!(tiletc_location, end), 12);
    assert_eq!(size_of::<tiletc_named_attr>(), 16);
    assert_eq!(offset_of!(tiletc_named_attr, name), 0);
    assert_eq!(offset_of!(tiletc_named_attr, attr), 8);
    assert_eq!(size_of::<tiletc_bool_t>(), 1);
    assert_eq!(size_of::<tiletc_error_reporter_t>(), size_of::<*const ()>());
}
