//! Types and attributes.

use super::*;
use std::ptr::null;

type GetType = unsafe extern "C" fn(*mut tiletc_type_t, tiletc_compiler_context_t) -> tiletc_status_t;

const SIMPLE: [GetType; 16] = [
    tiletc_void_type_get,
    tiletc_boolean_type_get,
    tiletc_i8_type_get,
    tiletc_i16_type_get,
    tiletc_i32_type_get,
    tiletc_i64_type_get,
    tiletc_index_type_get,
    tiletc_f8e4m3_type_get,
    tiletc_f8e5m2_type_get,
    tiletc_i4_type_get,
    tiletc_bf16_type_get,
    tiletc_f16_type_get,
    tiletc_f32_type_get,
    tiletc_f64_type_get,
    tiletc_c32_type_get,
    tiletc_c64_type_get,
];
const DYNAMIC: i64 = i64::MIN;

fn simple(get: GetType, context: tiletc_compiler_context_t) -> tiletc_type_t {
    let mut ty = null_mut();
    ok(unsafe { get(&raw mut ty, context) });
    ty
}

/// A memref in global memory, or why there is none.
fn memref(element: tiletc_type_t, shape: &[i64], stride: &[i64]) -> Result<tiletc_type_t, Status> {
    let mut ty = null_mut();
    let (sizes, strides) = (shape.as_ptr(), stride.as_ptr());
    let status =
        unsafe { tiletc_memref_type_get(&raw mut ty, element, shape.len(), sizes, stride.len(), strides, 1) };
    result(status, ty)
}

fn group(element: tiletc_type_t, size: i64, offset: i64) -> Result<tiletc_type_t, Status> {
    let mut ty = null_mut();
    result(unsafe { tiletc_group_type_get(&raw mut ty, element, size, offset) }, ty)
}

fn coopmatrix(component: tiletc_type_t, rows: i64, cols: i64, usage: i32) -> Result<tiletc_type_t, Status> {
    let mut ty = null_mut();
    result(unsafe { tiletc_coopmatrix_type_get(&raw mut ty, component, rows, cols, usage) }, ty)
}

fn result<T>(status: tiletc_status_t, handle: *mut T) -> Result<*mut T, Status> {
    match Status::from_code(status).unwrap() {
        Status::Success => Ok(handle),
        status => {
            assert!(handle.is_null(), "a failed call wrote a handle");
            Err(status)
        }
    }
}

#[test]
fn equal_types_have_one_handle_and_know_their_context() {
    let (context, other) = (new_context(), new_context());
    for (i, &get) in SIMPLE.iter().enumerate() {
        let ty = simple(get, context);
        assert_eq!(simple(get, context), ty);
        assert_ne!(simple(get, other), ty);
        for &different in &SIMPLE[i + 1..] {
            assert_ne!(simple(different, context), ty);
        }
        let mut owner = null_mut();
        ok(unsafe { tiletc_type_get_compiler_context(ty, &raw mut owner) });
        assert_eq!(owner, context);
        refused(unsafe { tiletc_type_get_compiler_context(ty, null_mut()) });
        refused(unsafe { get(null_mut(), context) });
        let mut none = null_mut();
        refused(unsafe { get(&raw mut none, null_mut()) });
        // A handle of another kind.
        refused(unsafe { get(&raw mut none, ty.cast()) });
    }
    let mut owner = null_mut();
    refused(unsafe { tiletc_type_get_compiler_context(null(), &raw mut owner) });
    refused(unsafe { tiletc_type_get_compiler_context(context.cast(), &raw mut owner) });
    ok(unsafe { tiletc_compiler_context_release(context) });
    ok(unsafe { tiletc_compiler_context_release(other) });
}

#[test]
fn compound_types() {
    let context = new_context();
    let f32_type = simple(tiletc_f32_type_get, context);
    let packed = memref(f32_type, &[4, DYNAMIC], &[]).unwrap();
    assert_eq!(memref(f32_type, &[4, DYNAMIC], &[1, 4]), Ok(packed));
    assert_ne!(memref(f32_type, &[4, DYNAMIC], &[1, DYNAMIC]), Ok(packed));
    assert!(memref(f32_type, &[], &[]).is_ok());
    assert!(memref(f32_type, &[0], &[]).is_ok());
    assert!(memref(f32_type, &[1; 64], &[]).is_ok());
    assert_eq!(memref(f32_type, &[1; 65], &[]), Err(Status::OutOfRange));
    assert_eq!(memref(packed, &[4], &[]), Err(Status::IrExpectedNumber));
    assert_eq!(memref(f32_type, &[4, 4], &[1]), Err(Status::IrShapeStrideMismatch));
    assert_eq!(memref(f32_type, &[], &[1]), Err(Status::IrShapeStrideMismatch));
    assert_eq!(memref(f32_type, &[-1], &[]), Err(Status::IrInvalidShape));
    assert_eq!(memref(f32_type, &[4], &[-2]), Err(Status::IrInvalidShape));
    assert_eq!(memref(null_mut(), &[4], &[]), Err(Status::InvalidArguments));
    assert_eq!(memref(simple(tiletc_void_type_get, context), &[4], &[]), Err(Status::IrExpectedNumber));

    let mut ty = null_mut();
    for space in [0, 3, -1, i32::MAX] {
        refused(unsafe { tiletc_memref_type_get(&raw mut ty, f32_type, 0, null(), 0, null(), space) });
    }
    refused(unsafe { tiletc_memref_type_get(null_mut(), f32_type, 0, null(), 0, null(), 1) });
    refused(unsafe { tiletc_memref_type_get(&raw mut ty, f32_type, 1, null(), 0, null(), 1) });
    let size = usize::MAX;
    refused(unsafe { tiletc_memref_type_get(&raw mut ty, f32_type, size, null(), 0, null(), 1) });
    ok(unsafe { tiletc_memref_type_get(&raw mut ty, f32_type, 0, null(), 0, null(), 2) });
    assert_ne!(memref(f32_type, &[], &[]), Ok(ty));

    let members = group(packed, DYNAMIC, 6).unwrap();
    assert_eq!(group(packed, DYNAMIC, 6), Ok(members));
    assert_ne!(group(packed, DYNAMIC, 0), Ok(members));
    assert_eq!(group(f32_type, 1, 0), Err(Status::IrExpectedMemref));
    assert_eq!(group(packed, -1, 0), Err(Status::IrInvalidShape));
    assert_eq!(group(packed, 1, -1), Err(Status::IrInvalidOffset));
    assert_eq!(group(null_mut(), 1, 0), Err(Status::InvalidArguments));

    let matrix = coopmatrix(f32_type, 16, 9, 2).unwrap();
    assert_eq!(coopmatrix(f32_type, 16, 9, 2), Ok(matrix));
    assert_ne!(coopmatrix(f32_type, 16, 9, 0), Ok(matrix));
    assert!(coopmatrix(f32_type, 1, 0, 1).is_ok());
    assert_eq!(coopmatrix(packed, 16, 9, 2), Err(Status::IrExpectedNumber));
    assert_eq!(coopmatrix(f32_type, -16, 9, 2), Err(Status::IrInvalidShape));
    assert_eq!(coopmatrix(f32_type, DYNAMIC, 9, 2), Err(Status::IrInvalidShape));
    assert_eq!(coopmatrix(f32_type, 16, DYNAMIC, 2), Err(Status::IrInvalidShape));
    assert_eq!(coopmatrix(f32_type, 3, 9, 2), Err(Status::IrUnsupportedCoopmatrixShape));
    assert_eq!(coopmatrix(f32_type, 16, 9, 3), Err(Status::InvalidArguments));
    assert_eq!(coopmatrix(null_mut(), 16, 9, 2), Err(Status::InvalidArguments));
    ok(unsafe { tiletc_compiler_context_release(context) });
}

fn string(context: tiletc_compiler_context_t, text: &[u8]) -> tiletc_attr_t {
    let mut attr = null_mut();
    ok(unsafe { tiletc_string_attr_get(&raw mut attr, context, text.len(), text.as_ptr().cast()) });
    attr
}

fn integer(context: tiletc_compiler_context_t, value: i64) -> tiletc_attr_t {
    let mut attr = null_mut();
    ok(unsafe { tiletc_integer_attr_get(&raw mut attr, context, value) });
    attr
}

fn array(context: tiletc_compiler_context_t, items: &[tiletc_attr_t]) -> Result<tiletc_attr_t, Status> {
    let mut attr = null_mut();
    result(unsafe { tiletc_array_attr_get(&raw mut attr, context, items.len(), items.as_ptr()) }, attr)
}

#[test]
fn equal_attributes_have_one_handle() {
    let context = new_context();
    let [mut yes, mut no, mut again] = [null_mut(); 3];
    ok(unsafe { tiletc_boolean_attr_get(&raw mut yes, context, 1) });
    ok(unsafe { tiletc_boolean_attr_get(&raw mut again, context, 255) });
    ok(unsafe { tiletc_boolean_attr_get(&raw mut no, context, 0) });
    assert_eq!(yes, again);
    assert_ne!(yes, no);
    assert_eq!(integer(context, 7), integer(context, 7));
    assert_ne!(integer(context, 1), yes);
    assert_ne!(integer(context, i64::MIN), integer(context, i64::MAX));
    assert_eq!(string(context, b"a\0\xff"), string(context, b"a\0\xff"));
    assert_ne!(string(context, b""), string(context, b"a"));
    let items = [integer(context, 1), string(context, b"1")];
    assert_eq!(array(context, &items), array(context, &items));
    assert_ne!(array(context, &items), array(context, &[items[1], items[0]]));
    assert!(array(context, &[]).is_ok());
    assert_eq!(array(context, &[items[0], null_mut()]), Err(Status::InvalidArguments));
    assert_eq!(array(context, &[context.cast()]), Err(Status::InvalidArguments));

    refused(unsafe { tiletc_boolean_attr_get(null_mut(), context, 1) });
    refused(unsafe { tiletc_integer_attr_get(&raw mut yes, null_mut(), 1) });
    refused(unsafe { tiletc_string_attr_get(&raw mut yes, context, 1, null()) });
    ok(unsafe { tiletc_string_attr_get(&raw mut yes, context, 0, null()) });
    assert_eq!(yes, string(context, b""));
    refused(unsafe { tiletc_array_attr_get(&raw mut yes, context, 1, null()) });
    refused(unsafe { tiletc_array_attr_get(&raw mut yes, context, usize::MAX, null()) });
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn attributes_neither_nest_nor_double_without_end() {
    let context = new_context();
    let name = string(context, b"name");
    let mut deep = array(context, &[]).unwrap();
    for _ in 1..64 {
        deep = array(context, &[deep]).unwrap();
    }
    assert_eq!(array(context, &[deep]), Err(Status::OutOfRange));
    let mut dictionary = null_mut();
    let entry = tiletc_named_attr { name, attr: deep };
    let status =
        unsafe { tiletc_dictionary_attr_get_with_sorted(&raw mut dictionary, context, 1, &raw const entry) };
    expect(status, Status::OutOfRange);

    let mut wide = integer(context, 1);
    let mut doublings = 0;
    let status = loop {
        match array(context, &[wide, wide]) {
            Ok(twice) => (wide, doublings) = (twice, doublings + 1),
            Err(status) => break status,
        }
    };
    assert_eq!((status, doublings), (Status::OutOfRange, 19));
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn dictionaries_are_sorted_and_have_no_name_twice() {
    let context = new_context();
    let entry =
        |name: &[u8], value| tiletc_named_attr { name: string(context, name), attr: integer(context, value) };
    let mut items = [entry(b"b", 1), entry(b"a", 2), entry(b"", 3)];
    let mut dictionary = null_mut();
    ok(unsafe { tiletc_dictionary_attr_get(&raw mut dictionary, context, 3, items.as_mut_ptr()) });
    let names = items.map(|item| item.name);
    assert_eq!(names, [string(context, b""), string(context, b"a"), string(context, b"b")]);
    assert_eq!(items[0].attr, integer(context, 3));
    let mut again = null_mut();
    ok(unsafe { tiletc_dictionary_attr_get_with_sorted(&raw mut again, context, 3, items.as_ptr()) });
    assert_eq!(again, dictionary);

    items.swap(0, 2);
    ok(unsafe { tiletc_dictionary_attr_sort(3, items.as_mut_ptr()) });
    assert_eq!(items.map(|item| item.name), names);
    ok(unsafe { tiletc_dictionary_attr_sort(0, null_mut()) });
    refused(unsafe { tiletc_dictionary_attr_sort(1, null_mut()) });

    let mut twice = [entry(b"a", 1), entry(b"a", 2)];
    let mut failed = null_mut();
    let mut get = |items: &mut [tiletc_named_attr_t]| unsafe {
        tiletc_dictionary_attr_get(&raw mut failed, context, items.len(), items.as_mut_ptr())
    };
    expect(get(&mut twice), Status::IrDuplicateKeyInDictionary);
    let number = integer(context, 1);
    expect(get(&mut [tiletc_named_attr { name: number, attr: number }]), Status::IrExpectedStringAttribute);
    refused(get(&mut [tiletc_named_attr { name: null_mut(), attr: number }]));
    refused(get(&mut [tiletc_named_attr { name: names[0], attr: null_mut() }]));
    ok(get(&mut []));
    refused(unsafe { tiletc_dictionary_attr_get(&raw mut failed, context, 1, null_mut()) });
    refused(unsafe { tiletc_dictionary_attr_get_with_sorted(&raw mut failed, context, 1, null()) });
    ok(unsafe { tiletc_compiler_context_release(context) });
}

#[test]
fn types_and_attributes_of_one_context_come_from_many_threads() {
    struct Shared(tiletc_compiler_context_t);
    unsafe impl Sync for Shared {}
    let context = Shared(new_context());
    let found: Vec<Vec<usize>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let context = &context;
                    let element = simple(tiletc_f32_type_get, context.0);
                    (0..200)
                        .flat_map(|n| {
                            [memref(element, &[n], &[]).unwrap().addr(), integer(context.0, n).addr()]
                        })
                        .collect()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(found.iter().all(|handles| *handles == found[0]));
    ok(unsafe { tiletc_compiler_context_release(context.0) });
}
