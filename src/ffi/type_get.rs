//! Getters of types (API reference 4.2).

use super::arg::{Out, array, enumerator};
use super::builder::extent;
use super::call::{Outcome, call};
use super::context::Context;
use super::enums;
use super::handle::Handle;
use super::last_error::refuse;
use super::managed::{intern, resolve, value_type};
use super::tables::TypeEntry;
use super::types::*;
use crate::diagnostics::Location;
use crate::ir::{
    AddressSpace, Coopmatrix, Extent, Group, MatrixUse, Memref, Scalar, Swizzle, Tile, Type,
    canonical_stride, check_type,
};
use crate::status::Status;
use std::sync::Arc;

/// Looks up a type of which a context is all there is to say.
///
/// # Safety
/// `out` is NULL or writable, `ctx` is NULL or a live handle.
unsafe fn simple(
    out: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
    entry: TypeEntry,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: this function's contract.
        let (out, context) = unsafe { (Out::new(out)?, Handle::<Context>::share(ctx)?) };
        out.set(intern(&context, entry));
        Ok(())
    })
}

/// Looks up a type that was put together from others.
fn checked(context: &Handle<Context>, ty: Type) -> Outcome<tiletc_type_t> {
    check_type(&ty, Location::default()).map_err(|error| refuse(error.status, error.to_string()))?;
    Ok(intern(context, TypeEntry::Value(ty)))
}

/// The number type that elements need.
fn number(ty: &Type) -> Outcome<Scalar> {
    ty.scalar().ok_or(Status::IrExpectedNumber)
}

/// Gets the void type, which only the result of a function may have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_void_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Void) }
}

/// Gets the type `bool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_boolean_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Type::Bool)) }
}

/// Gets the type `i8`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_i8_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::I8.into())) }
}

/// Gets the type `i16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_i16_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::I16.into())) }
}

/// Gets the type `i32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_i32_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::I32.into())) }
}

/// Gets the type `i64`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_i64_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::I64.into())) }
}

/// Gets the type `index`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_index_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::Index.into())) }
}

/// Gets the type `i4`, whose numbers are two a byte in memory, and only loaded and cast.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_i4_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::I4.into())) }
}

/// Gets the type `f8e4m3`, whose numbers are only loaded, stored and cast.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_f8e4m3_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::F8e4m3.into())) }
}

/// Gets the type `f8e5m2`, whose numbers are only loaded, stored and cast.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_f8e5m2_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::F8e5m2.into())) }
}

/// Gets the type `bf16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_bf16_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::Bf16.into())) }
}

/// Gets the type `f16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_f16_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::F16.into())) }
}

/// Gets the type `f32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_f32_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::F32.into())) }
}

/// Gets the type `f64`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_f64_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::F64.into())) }
}

/// Gets the type `c32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_c32_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::C32.into())) }
}

/// Gets the type `c64`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_c64_type_get(
    ty_: *mut tiletc_type_t,
    ctx: tiletc_compiler_context_t,
) -> tiletc_status_t {
    // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
    unsafe { simple(ty_, ctx, TypeEntry::Value(Scalar::C64.into())) }
}

/// Gets the type of a view of memory. `shape` and `stride` have an entry for each mode, in elements, which
/// may be TILETC_DYNAMIC; with `stride_size` 0 the elements are packed, first mode first.
///
/// Errors: ir_expected_number for the element type, ir_shape_stride_mismatch if the lengths differ,
/// ir_invalid_shape for a negative entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_memref_type_get(
    ty_: *mut tiletc_type_t,
    element_ty: tiletc_type_t,
    shape_size: usize,
    shape: *const i64,
    stride_size: usize,
    stride: *const i64,
    addrspace: tiletc_address_space_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place, a live handle and arrays of the
        // lengths given.
        let (out, (context, element), shape, stride) = unsafe {
            (
                Out::new(ty_)?,
                value_type(element_ty, Status::IrExpectedNumber)?,
                array(shape, shape_size)?,
                array(stride, stride_size)?,
            )
        };
        let space = match enumerator(&enums::ADDRESS_SPACE, addrspace)? {
            1 => AddressSpace::Global,
            _ => AddressSpace::Local,
        };
        let element = number(&element)?;
        let shape: Vec<Extent> = shape.iter().copied().map(extent).collect();
        let stride = match stride {
            [] => canonical_stride(&shape),
            given => given.iter().copied().map(extent).collect(),
        };
        out.set(checked(&context, Memref { element, shape, stride, swizzle: None, space }.into())?);
        Ok(())
    })
}

/// Gets the type of a memref in packed local memory whose elements a swizzle exchanges within columns: element (i, j) of the first two
/// modes is where (((i / vec) xor ((j / per_phase) mod max_phase)) * vec + i mod vec, j) would be in `memref_ty`.
///
/// Errors: ir_expected_memref for the type, ir_tile_swizzle_shape if the memref is not in local memory, not packed or has fewer than two
/// modes, if a number is not positive or max_phase no power of two, or if the first size is no multiple of vec * max_phase.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_swizzled_type_get(
    ty_: *mut tiletc_type_t,
    memref_ty: tiletc_type_t,
    vec: i64,
    per_phase: i64,
    max_phase: i64,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, (context, memref)) =
            unsafe { (Out::new(ty_)?, value_type(memref_ty, Status::IrExpectedMemref)?) };
        let memref = memref.memref().ok_or(Status::IrExpectedMemref)?.clone();
        let swizzle = Some(Swizzle { vec, per_phase, max_phase });
        out.set(checked(&context, Memref { swizzle, ..memref }.into())?);
        Ok(())
    })
}

/// Gets the type of `size` pointers, each seen as a memref of type `element_ty` and moved by `offset`
/// elements; both numbers may be TILETC_DYNAMIC.
///
/// Errors: ir_expected_memref for the element type, ir_invalid_shape for a negative size, ir_invalid_offset
/// for a negative offset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_group_type_get(
    ty_: *mut tiletc_type_t,
    element_ty: tiletc_type_t,
    size: i64,
    offset: i64,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, (context, element)) =
            unsafe { (Out::new(ty_)?, value_type(element_ty, Status::IrExpectedMemref)?) };
        let Type::Memref(member) = element else { return Err(Status::IrExpectedMemref) };
        let group = Group { member: Arc::clone(&member), size: extent(size), offset: extent(offset) };
        out.set(checked(&context, group.into())?);
        Ok(())
    })
}

/// Gets the type of a matrix that a subgroup holds; `rows` is a power of two.
///
/// Errors: ir_expected_number for the component type, ir_invalid_shape for a negative size,
/// ir_unsupported_coopmatrix_shape if `rows` is no power of two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_coopmatrix_type_get(
    ty_: *mut tiletc_type_t,
    component_ty: tiletc_type_t,
    rows: i64,
    cols: i64,
    use_: tiletc_matrix_use_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, (context, component)) =
            unsafe { (Out::new(ty_)?, value_type(component_ty, Status::IrExpectedNumber)?) };
        let (component, usage) = (number(&component)?, matrix_use(use_)?);
        out.set(checked(&context, Coopmatrix { component, rows, cols, usage }.into())?);
        Ok(())
    })
}

/// Gets the type of a matrix that a work-group holds.
///
/// Errors: ir_expected_number for the component type, ir_invalid_shape for a size that is not positive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_tile_type_get(
    ty_: *mut tiletc_type_t,
    component_ty: tiletc_type_t,
    rows: i64,
    cols: i64,
    use_: tiletc_matrix_use_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, (context, component)) =
            unsafe { (Out::new(ty_)?, value_type(component_ty, Status::IrExpectedNumber)?) };
        let (component, usage) = (number(&component)?, matrix_use(use_)?);
        out.set(checked(&context, Tile { component, rows, cols, usage }.into())?);
        Ok(())
    })
}

fn matrix_use(number: tiletc_matrix_use_t) -> Outcome<MatrixUse> {
    Ok(match enumerator(&enums::MATRIX_USE, number)? {
        0 => MatrixUse::A,
        1 => MatrixUse::B,
        _ => MatrixUse::Acc,
    })
}

/// Gets the context of a type, without a new reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_type_get_compiler_context(
    ty: const_tiletc_type_t,
    ctx: *mut tiletc_compiler_context_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let ((context, _), out) = unsafe { (resolve::<TypeEntry>(ty)?, Out::new(ctx)?) };
        out.set(context.as_raw());
        Ok(())
    })
}
