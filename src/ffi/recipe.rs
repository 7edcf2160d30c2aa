//! Recipes (API reference 9).
#![allow(non_snake_case, reason = "the parameters are named as in the formulas")]

use super::arg::{Out, enumerator};
use super::binary::Binary;
use super::builder::extent;
use super::call::{Outcome, call};
use super::context::Context;
use super::core_info::CoreInfo;
use super::enums;
use super::handle::{Handle, Object, release, retain};
use super::last_error::refuse;
use super::managed::resolve;
use super::program::Program;
use super::spv_mod::SpvMod;
use super::tables::TypeEntry;
use super::types::*;
use crate::device;
use crate::diagnostics::{Location, Position};
use crate::ir::{Scalar, Transpose};
use crate::recipe::{self, Batched, Operand, Shape, SmallGemmBatched, TallAndSkinny, suggest_block_size};
use crate::status::Status;

/// A ready-made program and its binary.
pub(super) struct Recipe {
    program: Handle<Program>,
    pub(super) binary: Handle<Binary>,
    pub(super) shape: Shape,
}

impl Object for Recipe {
    type Opaque = tiletc_recipe;
    const TAG: u64 = u64::from_be_bytes(*b"tiletc:r");
}

/// The number type that a recipe is made of, and its context.
///
/// # Safety
/// `handle` is NULL or a live handle.
unsafe fn number_type(handle: tiletc_type_t) -> Outcome<(Handle<Context>, Scalar)> {
    let (context, entry) = resolve::<TypeEntry>(handle)?;
    let number = match &entry {
        TypeEntry::Void => Err("void".to_owned()),
        TypeEntry::Value(ty) => ty.scalar().ok_or_else(|| ty.to_string()),
    };
    match number {
        Ok(number) => Ok((context, number)),
        Err(ty) => Err(context.fail(Status::IrExpectedNumber, format!("a recipe of {ty}"))),
    }
}

/// Makes a recipe. Its parameters become a source of the context, so that messages show them.
fn create(
    context: Handle<Context>,
    info: &device::CoreInfo,
    shape: impl FnOnce() -> Result<Shape, recipe::Error>,
) -> Outcome<tiletc_recipe_t> {
    let recipe = context.attempt(
        |state| {
            let shape = shape()?;
            let text = shape.to_string();
            let place = |column| Position { line: 1, column };
            let end = u32::try_from(text.len()).unwrap_or(u32::MAX).saturating_add(1);
            let source = state.sources.add("<recipe>", text.as_bytes());
            state.ir.name_source(source, "<recipe>");
            let location = Location { source, begin: place(1), end: place(end) };
            shape.compile(&mut state.ir, location, info, &state.options)
        },
        |error| (error.status(), error.diagnostics()),
    )?;
    let recipe::Recipe { shape, program, module } = recipe;
    let program = Handle::new(Program::new(context.clone(), program));
    let binary = Handle::new(Binary::assemble(&SpvMod { context, module }));
    Ok(Handle::new(Recipe { program, binary, shape }).into_raw())
}

/// Makes the recipe of a batch of small matrix products: for each i below `howmany`,
/// C_i := alpha * opA(A_i) * opB(B_i) + beta * C_i. All matrices are column-major; entry (m, n) of X_i lies
/// `m + n * ldX + i * strideX` elements behind the start.
///
/// `number_ty` is the type of all numbers; its context gets the messages. `tA` and `tB` say whether A_i is
/// stored K x M instead of M x K, and B_i N x K instead of K x N. The leading dimensions are those of the
/// stored matrices. A stride of 0 shares one matrix over the batch. `recipe` gets one reference.
///
/// Errors: ir_expected_number for the type, invalid_arguments for a dynamic size, ir_invalid_shape for one
/// that is not positive, and whatever compiling for the device gives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_small_gemm_batched_create(
    recipe: *mut tiletc_recipe_t,
    info: const_tiletc_core_info_t,
    number_ty: tiletc_type_t,
    tA: tiletc_transpose_t,
    tB: tiletc_transpose_t,
    M: i64,
    N: i64,
    K: i64,
    ldA: i64,
    strideA: i64,
    ldB: i64,
    strideB: i64,
    ldC: i64,
    strideC: i64,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and two live handles.
        let (out, info, (context, number)) =
            unsafe { (Out::new(recipe)?, Handle::<CoreInfo>::share(info)?, number_type(number_ty)?) };
        let transpose = |value| match enumerator(&enums::TRANSPOSE, value)? {
            0 => Ok(Transpose::N),
            _ => Ok(Transpose::T),
        };
        let shape = SmallGemmBatched {
            number,
            transpose_a: transpose(tA)?,
            transpose_b: transpose(tB)?,
            m: M,
            n: N,
            k: K,
            a: Batched { leading: ldA, stride: strideA },
            b: Batched { leading: ldB, stride: strideB },
            c: Batched { leading: ldC, stride: strideC },
            per_group: 1,
            side_by_side: 1,
        };
        let info = info.snapshot();
        out.set(create(context, &info, || Ok(shape.sharing(&info).into()))?);
        Ok(())
    })
}

/// Makes the recipe of C := alpha * A * B + beta * C where A is M x K and C is M x N with many rows, and B is
/// K x N; all are column-major. M and the leading dimensions are said at launch.
///
/// A work-group computes `M_block_size` rows; 0 stands for what
/// tiletc_recipe_tall_and_skinny_suggest_block_size says. Otherwise like
/// tiletc_recipe_tall_and_skinny_create_specialized.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_tall_and_skinny_create(
    recipe: *mut tiletc_recipe_t,
    info: const_tiletc_core_info_t,
    number_ty: tiletc_type_t,
    N: i64,
    K: i64,
    M_block_size: i32,
) -> tiletc_status_t {
    let any = i64::MIN;
    // SAFETY: the same contract.
    unsafe {
        tiletc_recipe_tall_and_skinny_create_specialized(
            recipe,
            info,
            number_ty,
            any,
            N,
            K,
            any,
            any,
            any,
            0,
            0,
            0,
            M_block_size,
        )
    }
}

/// The same with more known: each of `M`, `ldA`, `ldB` and `ldC` is a number or TILETC_DYNAMIC, and the
/// matrices lie at multiples of `alignA`, `alignB` and `alignC` bytes, where 0 stands for the device's default
/// alignment. `recipe` gets one reference.
///
/// Errors: ir_expected_number for the type, invalid_arguments for a dynamic N or K, ir_invalid_shape for a
/// size that is not positive, ir_insufficient_alignment for an alignment that no number has, and whatever
/// compiling for the device gives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_tall_and_skinny_create_specialized(
    recipe: *mut tiletc_recipe_t,
    info: const_tiletc_core_info_t,
    number_ty: tiletc_type_t,
    M: i64,
    N: i64,
    K: i64,
    ldA: i64,
    ldB: i64,
    ldC: i64,
    alignA: i32,
    alignB: i32,
    alignC: i32,
    M_block_size: i32,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and two live handles.
        let (out, info, (context, number)) =
            unsafe { (Out::new(recipe)?, Handle::<CoreInfo>::share(info)?, number_type(number_ty)?) };
        let info = info.snapshot();
        let operand = |leading, alignment: i32| Operand {
            leading: extent(leading),
            alignment: (alignment > 0).then_some(alignment),
        };
        let shape = || {
            let block = if M_block_size == 0 { suggest_block_size(&info)? } else { M_block_size };
            let (a, b, c) = (operand(ldA, alignA), operand(ldB, alignB), operand(ldC, alignC));
            Ok(TallAndSkinny { number, m: extent(M), n: N, k: K, a, b, c, block }.into())
        };
        out.set(create(context, &info, shape)?);
        Ok(())
    })
}

/// Gets the number of rows per work-group that suits a device: 128, or the largest work-group that every
/// subgroup size admits, if that is less.
///
/// Errors: invalid_core_info if the device admits no work-group.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_tall_and_skinny_suggest_block_size(
    info: const_tiletc_core_info_t,
    M_block_size: *mut i32,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (info, out) = unsafe { (Handle::<CoreInfo>::share(info)?, Out::new(M_block_size)?) };
        out.set(
            suggest_block_size(&info.snapshot())
                .map_err(|error| refuse(error.status(), error.to_string()))?,
        );
        Ok(())
    })
}

/// Adds a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_retain(obj: tiletc_recipe_t) -> tiletc_status_t {
    retain::<Recipe>(obj)
}

/// Drops a reference and frees the recipe with the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_release(obj: tiletc_recipe_t) -> tiletc_status_t {
    release::<Recipe>(obj)
}

/// Gets the compiled, hence lowered, program without a new reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_get_prog(
    recipe: const_tiletc_recipe_t,
    prg: *mut tiletc_prog_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (recipe, out) = unsafe { (Handle::<Recipe>::share(recipe)?, Out::new(prg)?) };
        out.set(recipe.program.as_raw());
        Ok(())
    })
}

/// Gets the binary without a new reference. Its kernels are `gemm`, and `gemm_beta0` for a beta of 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_get_binary(
    recipe: const_tiletc_recipe_t,
    bin: *mut tiletc_binary_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (recipe, out) = unsafe { (Handle::<Recipe>::share(recipe)?, Out::new(bin)?) };
        out.set(recipe.binary.as_raw());
        Ok(())
    })
}
