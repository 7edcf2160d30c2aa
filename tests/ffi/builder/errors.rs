//! Bad arguments, names, lists, and programs that a text cannot say.

use super::*;
use tiletc::ffi::attributes::*;
use tiletc::ffi::last_error::tiletc_get_error_message;

#[test]
fn constants_fit_their_type() {
    let context = new_context();
    let get = |get: GetType| ty(context, get);
    let (boolean, index, f32, c32) = (
        get(tiletc_boolean_type_get),
        get(tiletc_index_type_get),
        get(tiletc_f32_type_get),
        get(tiletc_c32_type_get),
    );
    let matrix = made(|out| unsafe { tiletc_coopmatrix_type_get(out, c32, 8, 8, 2) }).unwrap();
    let memref = made(|out| unsafe { tiletc_memref_type_get(out, f32, 0, null(), 0, null(), 1) }).unwrap();
    let int = |ty| made(|out| unsafe { tiletc_constant_inst_create_int(out, 1, ty, null()) });
    let float = |ty| made(|out| unsafe { tiletc_constant_inst_create_float(out, 1.0, ty, null()) });
    let complex = |ty| made(|out| unsafe { tiletc_constant_inst_create_complex(out, 1.0, 2.0, ty, null()) });
    let truth = |ty| made(|out| unsafe { tiletc_constant_inst_create_boolean(out, 2, ty, null()) });
    let one = |ty| made(|out| unsafe { tiletc_constant_inst_create_one(out, ty, null()) });
    let zero = |ty| made(|out| unsafe { tiletc_constant_inst_create_zero(out, ty, null()) });
    let kind = |inst: Result<tiletc_inst_t, Status>| {
        inst.map(|inst| unsafe { tiletc_inst_destroy(inst) }).err().unwrap_or(Status::Success)
    };
    let (fits, mismatch, number) = (Status::Success, Status::IrConstantMismatch, Status::IrExpectedNumber);
    let other = Status::IrExpectedCoopmatrixNumberOrBoolean;
    for (ty, expected) in [
        (index, [fits, mismatch, mismatch, mismatch, fits, fits]),
        (f32, [mismatch, fits, mismatch, mismatch, fits, fits]),
        (c32, [mismatch, mismatch, fits, mismatch, fits, fits]),
        (matrix, [mismatch, mismatch, fits, mismatch, fits, fits]),
        (boolean, [mismatch, mismatch, mismatch, fits, fits, fits]),
        (memref, [other, other, other, other, number, number]),
        (get(tiletc_void_type_get), [other, other, other, other, number, number]),
        (null_mut(), [Status::InvalidArguments; 6]),
    ] {
        let found = [int(ty), float(ty), complex(ty), truth(ty), one(ty), zero(ty)].map(kind);
        assert_eq!(found, expected);
    }
    release(context);
}

#[test]
fn void_is_refused_as_any_wrong_type_is() {
    let context = new_context();
    let get = |get: GetType| ty(context, get);
    let (void, f32, index) =
        (get(tiletc_void_type_get), get(tiletc_f32_type_get), get(tiletc_index_type_get));
    let func = function(context, "f", &[f32, index]).unwrap();
    let [x, i] = parameters(body(func)).try_into().unwrap();
    let outcomes = [
        made(|out| unsafe { tiletc_memref_type_get(out, void, 0, null(), 0, null(), 1) }).err(),
        made(|out| unsafe { tiletc_coopmatrix_type_get(out, void, 8, 8, 2) }).err(),
        made(|out| unsafe { tiletc_group_type_get(out, void, 4, 0) }).err(),
        made(|out| unsafe { tiletc_alloca_inst_create(out, void, null()) }).err(),
        made(|out| unsafe { tiletc_group_id_inst_create(out, 0, void, null()) }).err(),
        made(|out| unsafe { tiletc_add_inst_create(out, x, x, void, null()) }).err(),
        made(|out| unsafe { tiletc_cast_inst_create(out, x, void, null()) }).err(),
        made(|out| unsafe {
            tiletc_for_inst_create(out, i, i, null_mut(), 1, &raw const x, 1, &raw const void, null())
        })
        .err(),
    ];
    let expected = [
        Status::IrExpectedNumber,
        Status::IrExpectedNumber,
        Status::IrExpectedMemref,
        Status::IrExpectedMemref,
        Status::IrExpectedIndex,
        Status::IrOperandTypeMustMatchReturnType,
        Status::IrExpectedNumber,
        Status::IrInitReturnTypeMismatch,
    ];
    assert_eq!(outcomes, expected.map(Some));
    unsafe { tiletc_func_destroy(func) };
    release(context);
}

#[test]
fn a_swizzle_needs_local_memory_that_it_fits() {
    let context = new_context();
    let f16 = ty(context, tiletc_f16_type_get);
    let (global, local, shape) = (1, 2, [64_i64, 8]);
    let memref = |space| {
        made(|out| unsafe { tiletc_memref_type_get(out, f16, 2, shape.as_ptr(), 0, null(), space) }).unwrap()
    };
    let swizzled = |of, [vec, per_phase, max_phase]: [i64; 3]| {
        made(|out| unsafe { tiletc_swizzled_type_get(out, of, vec, per_phase, max_phase) })
    };
    let (packed, misfit) = (memref(local), Err(Status::IrTileSwizzleShape));
    assert_eq!(swizzled(packed, [8, 1, 4]), swizzled(packed, [8, 1, 4]));
    assert!(swizzled(packed, [8, 1, 4]).is_ok_and(|ty| ty != packed));
    assert_eq!(swizzled(memref(global), [8, 1, 4]), misfit);
    assert_eq!(swizzled(f16, [8, 1, 4]), Err(Status::IrExpectedMemref));
    for numbers in [[0, 1, 4], [8, 0, 4], [8, 1, 0], [8, 1, 3], [8, 1, 16], [-8, 1, 4], [i64::MAX, 1, 2]] {
        assert_eq!(swizzled(packed, numbers), misfit, "{numbers:?}");
    }
    assert_eq!(swizzled(null_mut(), [8, 1, 4]), Err(Status::InvalidArguments));
    release(context);
}

#[test]
fn what_is_no_enumerator_is_refused() {
    let context = new_context();
    let get = |get: GetType| ty(context, get);
    let (index, f32) = (get(tiletc_index_type_get), get(tiletc_f32_type_get));
    let (shape, none) = ([8_i64, 8], Status::InvalidArguments);
    let memref =
        made(|out| unsafe { tiletc_memref_type_get(out, f32, 2, shape.as_ptr(), 0, null(), 1) }).unwrap();
    let tile = made(|out| unsafe { tiletc_coopmatrix_type_get(out, f32, 8, 8, 2) }).unwrap();
    let func = function(context, "f", &[f32, memref, index]).unwrap();
    let [x, m, i] = parameters(body(func)).try_into().unwrap();
    let at = [i, i];
    let place = at.as_ptr();
    for bad in [-1, 17, i32::MAX, i32::MIN] {
        let outcomes = [
            made(|out| unsafe { tiletc_group_id_inst_create(out, bad, index, null()) }),
            made(|out| unsafe { tiletc_axpby_inst_create(out, 0, bad, x, m, x, m, null()) }),
            made(|out| unsafe { tiletc_gemm_inst_create(out, 0, 0, bad, x, m, m, x, m, null()) }),
            made(|out| unsafe { tiletc_barrier_inst_create(out, bad.cast_unsigned(), null()) }),
            made(|out| unsafe { tiletc_atomic_load_inst_create(out, bad, 0, m, 2, place, f32, null()) }),
            made(|out| unsafe { tiletc_atomic_load_inst_create(out, 0, bad, m, 2, place, f32, null()) }),
            made(|out| unsafe {
                tiletc_cooperative_matrix_load_inst_create(out, 0, bad, m, i, i, tile, null())
            }),
            made(|out| unsafe {
                tiletc_cooperative_matrix_reduce_add_inst_create(out, bad, x, tile, null())
            }),
        ];
        assert_eq!(outcomes, [Err(none); 8]);
    }
    // 1 and 3 are between the orderings, 4 beyond the barrier's bits.
    for between in [1, 3, 5] {
        let outcome =
            made(|out| unsafe { tiletc_atomic_load_inst_create(out, 0, between, m, 2, place, f32, null()) });
        assert_eq!(outcome, Err(none));
    }
    assert_eq!(made(|out| unsafe { tiletc_barrier_inst_create(out, 4, null()) }), Err(none));
    unsafe { tiletc_func_destroy(func) };
    release(context);
}

#[test]
fn views_have_the_modes_of_their_type() {
    let context = new_context();
    let f32 = ty(context, tiletc_f32_type_get);
    let memref = |shape: &[i64], stride: &[i64]| {
        made(|out| unsafe {
            tiletc_memref_type_get(out, f32, shape.len(), shape.as_ptr(), stride.len(), stride.as_ptr(), 1)
        })
        .unwrap()
    };
    let func = function(context, "f", &[memref(&[40, 40], &[])]).unwrap();
    let [m] = parameters(body(func)).try_into().unwrap();
    let outcome = |inst: Result<tiletc_inst_t, Status>| {
        inst.map(|inst| unsafe { tiletc_inst_destroy(inst) }).err().unwrap_or(Status::Success)
    };
    let (offsets, sizes, split) = ([0_i64, 9], [40_i64, 0], [5_i64, 8]);
    let (zero, none, place) = (0, null(), null());
    let subview = |ty| {
        made(|out| unsafe {
            let (offsets, sizes) = (offsets.as_ptr(), sizes.as_ptr());
            tiletc_subview_inst_create(out, 2, offsets, 2, sizes, m, zero, none, zero, none, ty, place)
        })
    };
    let expand = |ty| {
        made(|out| unsafe { tiletc_expand_inst_create(out, 0, 2, split.as_ptr(), m, zero, none, ty, place) })
    };
    let fuse = |ty| made(|out| unsafe { tiletc_fuse_inst_create(out, 0, 1, m, ty, place) });
    let (right, wrong) = (Status::Success, Status::IrInvalidShape);
    assert_eq!(outcome(subview(memref(&[40], &[]))), right);
    assert_eq!(outcome(subview(memref(&[40, 40], &[1, 40]))), wrong);
    assert_eq!(outcome(expand(memref(&[5, 8, 40], &[]))), right);
    assert_eq!(outcome(expand(memref(&[5, 8, 40, 1], &[]))), wrong);
    assert_eq!(outcome(fuse(memref(&[1600], &[]))), right);
    assert_eq!(outcome(fuse(memref(&[1600, 1], &[]))), wrong);
    unsafe { tiletc_func_destroy(func) };
    release(context);
}

#[test]
fn lists_are_neither_null_nor_too_long() {
    let context = new_context();
    let get = |get: GetType| ty(context, get);
    let (index, f32) = (get(tiletc_index_type_get), get(tiletc_f32_type_get));
    let memref = made(|out| unsafe { tiletc_memref_type_get(out, f32, 0, null(), 0, null(), 1) }).unwrap();
    let func = function(context, "f", &[memref, index]).unwrap();
    let [m, i] = parameters(body(func)).try_into().unwrap();
    let load = |count, list| made(|out| unsafe { tiletc_load_inst_create(out, m, count, list, f32, null()) });
    let inst = load(0, null()).unwrap();
    unsafe { tiletc_inst_destroy(inst) };
    assert_eq!(load(1, null()), Err(Status::InvalidArguments));
    assert_eq!(load(1, [null_mut()].as_ptr()), Err(Status::InvalidArguments));
    assert_eq!(load(1, [i].as_ptr()), Err(Status::IrInvalidNumberOfIndices));
    for long in [1 << 31, usize::MAX] {
        assert_eq!(load(long, [i].as_ptr()), Err(Status::OutOfRange));
    }

    // Sizes in and out.
    let inst = load(0, null()).unwrap();
    let mut list = [null_mut(); 3];
    let mut size = 3;
    ok(unsafe { tiletc_inst_get_values(inst, &raw mut size, list.as_mut_ptr()) });
    assert_eq!(size, 1);
    assert!(!list[0].is_null() && list[1].is_null());
    let mut size = 0;
    ok(unsafe { tiletc_inst_get_regions(inst, &raw mut size, null_mut()) });
    assert_eq!(size, 0);
    let mut size = 1;
    refused(unsafe { tiletc_region_get_parameters(body(func), &raw mut size, null_mut()) });
    assert_eq!(size, 1);
    ok(unsafe { tiletc_region_get_parameters(body(func), &raw mut size, list.as_mut_ptr()) });
    assert_eq!((size, list[0]), (1, m));
    refused(unsafe { tiletc_region_get_parameters(body(func), null_mut(), list.as_mut_ptr()) });
    unsafe { tiletc_inst_destroy(inst) };
    unsafe { tiletc_func_destroy(func) };
    release(context);
}

#[test]
fn functions_have_a_printable_name_and_return_nothing() {
    let context = new_context();
    for name in ["f", "F_9", "01", "copy\0\x01\x02"] {
        let func = function(context, name, &[]).unwrap();
        unsafe { tiletc_func_destroy(func) };
    }
    for name in ["", "9f", "_f", "f-g", "\0f", "é", "f "] {
        assert_eq!(function(context, name, &[]), Err(Status::InvalidArguments), "{name:?}");
    }
    let index = ty(context, tiletc_index_type_get);
    let f = c"f".as_ptr();
    let create = |length, name, ty| {
        made(|out| unsafe { tiletc_func_create(out, length, name, 0, null(), ty, null()) })
    };
    assert_eq!(create(1, f, index), Err(Status::InvalidArguments));
    assert_eq!(create(1, f, null_mut()), Err(Status::InvalidArguments));
    assert_eq!(create(1, null(), ty(context, tiletc_void_type_get)), Err(Status::InvalidArguments));
    let void = ty(context, tiletc_void_type_get);
    assert_eq!(function(context, "f", &[void]), Err(Status::InvalidArguments));
    assert_eq!(function(context, "f", &[null_mut()]), Err(Status::InvalidArguments));
    unsafe { tiletc_func_destroy(null_mut()) };
    unsafe { tiletc_inst_destroy(null_mut()) };
    release(context);
}

#[test]
fn attributes_are_dictionaries() {
    let context = new_context();
    let f32 = ty(context, tiletc_f32_type_get);
    let func = function(context, "f", &[f32]).unwrap();
    let number = made(|out| unsafe { tiletc_integer_attr_get(out, context, 1) }).unwrap();
    let empty = made(|out| unsafe { tiletc_dictionary_attr_get(out, context, 0, null_mut()) }).unwrap();
    let inst = integer(context, 1);
    expect(unsafe { tiletc_func_set_attr(func, number) }, Status::IrExpectedDictionaryAttribute);
    expect(unsafe { tiletc_func_set_parameter_attr(func, 0, number) }, Status::IrExpectedDictionaryAttribute);
    expect(unsafe { tiletc_inst_set_attr(inst, number) }, Status::IrExpectedDictionaryAttribute);
    for attribute in [empty, null_mut()] {
        ok(unsafe { tiletc_func_set_attr(func, attribute) });
        ok(unsafe { tiletc_func_set_parameter_attr(func, 0, attribute) });
        ok(unsafe { tiletc_inst_set_attr(inst, attribute) });
        refused(unsafe { tiletc_func_set_parameter_attr(func, 1, attribute) });
    }
    unsafe { tiletc_inst_destroy(inst) };
    unsafe { tiletc_func_destroy(func) };
    release(context);
}

/// A dictionary with one entry.
fn entry(context: tiletc_compiler_context_t, name: &str, attr: tiletc_attr_t) -> tiletc_attr_t {
    let name = name.as_bytes();
    let name = made(|out| unsafe { tiletc_string_attr_get(out, context, name.len(), name.as_ptr().cast()) })
        .unwrap();
    let mut items = [tiletc_named_attr_t { name, attr }];
    made(|out| unsafe { tiletc_dictionary_attr_get(out, context, 1, items.as_mut_ptr()) }).unwrap()
}

#[test]
fn attributes_are_checked_when_they_are_set() {
    let context = new_context();
    let f32 = ty(context, tiletc_f32_type_get);
    let func = function(context, "f", &[f32]).unwrap();
    let inst = integer(context, 1);
    let number = |number| made(|out| unsafe { tiletc_integer_attr_get(out, context, number) }).unwrap();
    let truth = made(|out| unsafe { tiletc_boolean_attr_get(out, context, 1) }).unwrap();
    let of_function = |name, attr| unsafe { tiletc_func_set_attr(func, entry(context, name, attr)) };
    let of_parameter =
        |name, attr| unsafe { tiletc_func_set_parameter_attr(func, 0, entry(context, name, attr)) };
    let message = || {
        unsafe { CStr::from_ptr(tiletc_get_error_message(Status::InvalidArguments.code())) }.to_str().unwrap()
    };
    ok(of_function("k_step", number(16)));
    ok(of_parameter("alignment", number(64)));
    refused(of_function("k_stepp", number(16)));
    assert_eq!(message(), "unknown attribute `k_stepp` of a function; did you mean `k_step`?");
    refused(of_parameter("k_step", number(16)));
    let names = "alignment, shape_gcd, stride_gcd, unit_stride, surface";
    assert_eq!(message(), format!("unknown attribute `k_step` of a parameter; it has {names}"));
    refused(unsafe { tiletc_inst_set_attr(inst, entry(context, "unroll", truth)) });
    assert_eq!(message(), "unknown attribute `unroll` of `constant`; it has none");
    expect(of_function("k_step", number(0)), Status::OutOfRange);
    expect(of_function("k_step", truth), Status::IrExpectedIntegerAttribute);
    expect(of_function("work_group_size", number(16)), Status::IrExpectedArrayAttribute);
    expect(of_parameter("surface", number(1)), Status::IrExpectedBooleanAttribute);
    expect(of_parameter("alignment", truth), Status::IrExpectedIntegerAttribute);
    unsafe { tiletc_inst_destroy(inst) };
    unsafe { tiletc_func_destroy(func) };
    release(context);
}

#[test]
fn values_have_names_and_types() {
    let context = new_context();
    let f32 = ty(context, tiletc_f32_type_get);
    let func = function(context, "f", &[f32, f32, f32]).unwrap();
    let [x, y, z] = parameters(body(func)).try_into().unwrap();
    let name = |value| {
        let mut name = null();
        ok(unsafe { tiletc_value_get_name(value, &raw mut name) });
        unsafe { CStr::from_ptr(name) }
    };
    assert_eq!(name(x), c"");
    ok(unsafe { tiletc_value_set_name(x, c"first".as_ptr()) });
    let first = name(x);
    ok(unsafe { tiletc_value_set_name_n(y, 3, c"secondly".as_ptr()) });
    ok(unsafe { tiletc_value_set_name_n(z, 4, b"a\0bc".as_ptr().cast()) });
    assert_eq!([name(x), name(y), name(z)], [c"first", c"sec", c"a"]);
    ok(unsafe { tiletc_value_set_name(x, c"".as_ptr()) });
    // The text of before is still there.
    assert_eq!((name(x), first), (c"", c"first"));
    ok(unsafe { tiletc_value_set_name(y, c"a".as_ptr()) });
    refused(unsafe { tiletc_value_set_name(x, null()) });
    refused(unsafe { tiletc_value_set_name_n(x, 1, null()) });
    assert_eq!(made(|out| unsafe { tiletc_value_get_type(x, out) }), Ok(f32));
    let program = new_program(context);
    ok(unsafe { tiletc_prog_add_function(program, func) });
    assert_eq!(print(program), "func @f(%0: f32,\n        %a: f32,\n        %a_1: f32) {\n}\n");
    ok(unsafe { tiletc_prog_release(program) });
    release(context);
}

/// Adds the function to a program and compiles it.
fn compile(context: tiletc_compiler_context_t, funcs: &[tiletc_func_t]) -> Status {
    let program = new_program(context);
    for &func in funcs {
        ok(unsafe { tiletc_prog_add_function(program, func) });
    }
    let info = device("pvc");
    let mut module = null_mut();
    let status = unsafe { tiletc_prog_compile_to_spirv(&raw mut module, program, info) };
    if status == 0 {
        ok(unsafe { tiletc::ffi::spv_mod::tiletc_spv_mod_release(module) });
    }
    ok(unsafe { tiletc_prog_release(program) });
    ok(unsafe { tiletc_core_info_release(info) });
    Status::from_code(status).unwrap()
}

#[test]
fn programs_that_a_text_cannot_say_do_not_compile() {
    let heard = Heard::default();
    let context = context_with(&heard);
    let get = |get: GetType| ty(context, get);
    let (index, boolean) = (get(tiletc_index_type_get), get(tiletc_boolean_type_get));

    let (f, g) = (function(context, "f", &[]).unwrap(), function(context, "f", &[]).unwrap());
    assert_eq!(compile(context, &[f, g]), Status::InvalidArguments);
    assert!(heard.text().contains("two functions `f`"), "{}", heard.text());

    // A value before its definition.
    let f = function(context, "f", &[index]).unwrap();
    let a = parameters(body(f))[0];
    let first = sum(context, a, a);
    append(body(f), sum(context, results(first)[0], a));
    append(body(f), first);
    assert_eq!(compile(context, &[f]), Status::SpirvUndefinedValue);

    // A value of another function.
    let (f, g) = (function(context, "f", &[index]).unwrap(), function(context, "g", &[]).unwrap());
    let a = parameters(body(f))[0];
    append(body(g), sum(context, a, a));
    assert_eq!(compile(context, &[f, g]), Status::SpirvUndefinedValue);
    assert!(
        heard.text().contains("an unnamed parameter of type index is not visible here"),
        "{}",
        heard.text()
    );

    // A value of a region that is over.
    let f = function(context, "f", &[]).unwrap();
    let region = parallel();
    let inside = integer(context, 1);
    append(regions(region)[0], inside);
    append(body(f), region);
    append(body(f), sum(context, results(inside)[0], results(inside)[0]));
    assert_eq!(compile(context, &[f]), Status::SpirvUndefinedValue);

    // A branch without the results that it promises, and results that nobody takes.
    let f = function(context, "f", &[boolean]).unwrap();
    assert_eq!(compile(context, &[f]), Status::IrBooleanUnsupported);
    let f = function(context, "f", &[index]).unwrap();
    let a = parameters(body(f))[0];
    let condition = made(|out| unsafe { tiletc_equal_inst_create(out, a, a, boolean, null()) }).unwrap();
    append(body(f), condition);
    let branch =
        made(|out| unsafe { tiletc_if_inst_create(out, results(condition)[0], 1, [index].as_ptr(), null()) });
    append(body(f), branch.unwrap());
    assert_eq!(compile(context, &[f]), Status::IrMustHaveYield);
    let f = function(context, "f", &[]).unwrap();
    append(body(f), made(|out| unsafe { tiletc_yield_inst_create(out, 0, null(), null()) }).unwrap());
    assert_eq!(compile(context, &[f]), Status::IrUnexpectedYield);
    release(context);
}

#[test]
fn errors_are_at_the_place_that_was_given() {
    let heard = Heard::default();
    let context = context_with(&heard);
    let (mut source, index) = (0, ty(context, tiletc_index_type_get));
    let text = c"one\nline two\n";
    ok(unsafe {
        tiletc_compiler_context_add_source(context, c"made.txt".as_ptr(), text.as_ptr(), &raw mut source)
    });
    let at = |column| tiletc_position { source_id: source, line: 2, column };
    let place = tiletc_location { begin: at(1), end: at(5) };
    let f = function(context, "f", &[index]).unwrap();
    let a = parameters(body(f))[0];
    let early = sum(context, a, a);
    let value = results(early)[0];
    let late = made(|out| unsafe { tiletc_add_inst_create(out, value, a, index, &raw const place) }).unwrap();
    append(body(f), late);
    append(body(f), early);
    assert_eq!(compile(context, &[f]), Status::SpirvUndefinedValue);
    let heard = heard.0.lock().unwrap();
    assert!(heard[0].0.starts_with("made.txt:2.1-4: "), "{}", heard[0].0);
    assert_eq!(heard[0].1, place);
    release(context);
}
