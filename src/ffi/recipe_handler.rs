//! Recipe handlers (API reference 9): a recipe, kernels of a runtime, and the arguments last set.
#![allow(non_snake_case, reason = "the parameters are named as in the formulas")]

use super::arg::{Out, array, foreign, text};
use super::call::{Outcome, call};
use super::handle::{Handle, Object, release, retain};
use super::last_error::{driver_failed, refuse};
use super::recipe::Recipe;
use super::recipe_runtime::{Kernels, Memory, OfCallbacks, Runtime};
use super::types::*;
use crate::recipe::{self, Argument, Launch, Shape};
use crate::runtime::MemoryKind;
use crate::runtime::arguments::{self, ArgumentKind, GivenArgument};
use crate::status::Status;
use std::ffi::{c_char, c_void};

/// A recipe on a runtime.
pub(super) struct RecipeHandler {
    recipe: Handle<Recipe>,
    pub(super) runtime: Runtime,
}

impl Object for RecipeHandler {
    type Opaque = tiletc_recipe_handler;
    const TAG: u64 = u64::from_be_bytes(*b"tiletc:h");
}

impl RecipeHandler {
    /// A handler as C gets it.
    pub(super) fn create(recipe: Handle<Recipe>, runtime: Runtime) -> tiletc_recipe_handler_t {
        Handle::new(RecipeHandler { recipe, runtime }).into_raw()
    }

    /// Hands a launch over to the runtime, or says why there is none.
    ///
    /// # Safety
    /// The memory is what its kind says.
    unsafe fn set(&self, launch: Result<Launch<'_, Memory>, recipe::Error>) -> Outcome {
        let launch = launch.map_err(|error| refuse(error.status(), error.to_string()))?;
        self.check(&launch)?;
        // SAFETY: the same contract.
        self.runtime.with(|kernels| unsafe { set(kernels, &launch) })
    }

    /// Compares the arguments of a launch with what its kernel was compiled for.
    fn check(&self, launch: &Launch<'_, Memory>) -> Outcome {
        let name = recipe::Recipe::KERNELS.get(launch.kernel).copied();
        let mut signatures = self.recipe.binary.binary.signatures().iter();
        let signature = signatures.find(|known| Some(known.name.as_str()) == name);
        let signature = signature.ok_or(Status::InternalCompilerError)?;
        let given: Vec<GivenArgument> = launch.arguments.iter().map(described).collect();
        arguments::check(signature, &given).map_err(|error| driver_failed(&error))
    }
}

/// An argument as it is compared with what a kernel takes.
fn described(argument: &Argument<'_, Memory>) -> GivenArgument {
    let (kind, size, value) = match *argument {
        Argument::Number(bytes) => (ArgumentKind::Bytes, bytes.len(), None),
        Argument::Size(size) => (ArgumentKind::Integer, size_of_val(&size), Some(size.cast_unsigned())),
        Argument::Memory(Memory { kind, value }) => {
            let address = u64::try_from(value.addr()).ok();
            let (kind, address) = match kind {
                MemoryKind::Buffer => (ArgumentKind::Buffer, None),
                MemoryKind::Usm => (ArgumentKind::Usm, address),
                MemoryKind::Svm => (ArgumentKind::Svm, address),
            };
            (kind, size_of_val(&value), address)
        }
    };
    GivenArgument { kind, size, value, pointee: None }
}

/// Selects the kernel and sets its arguments in order.
///
/// # Safety
/// The memory is what its kind says.
unsafe fn set(kernels: &mut dyn Kernels, launch: &Launch<'_, Memory>) -> Outcome {
    kernels.select(launch.kernel)?;
    for (index, argument) in (0..).zip(&launch.arguments) {
        match argument {
            Argument::Number(bytes) => kernels.set_value(index, bytes)?,
            Argument::Size(size) => kernels.set_value(index, &size.to_ne_bytes())?,
            // SAFETY: this function's contract.
            Argument::Memory(memory) => unsafe { kernels.set_memory(index, *memory)? },
        }
    }
    kernels.set_groups(launch.groups)
}

/// A number that is passed by address.
///
/// # Safety
/// `value` is NULL or points to `size` bytes that stay unchanged for `'a`.
unsafe fn number<'a>(value: *const c_void, size: usize) -> Outcome<&'a [u8]> {
    if value.is_null() {
        return Err(Status::InvalidArguments);
    }
    // SAFETY: the same contract.
    unsafe { array(value.cast(), size) }
}

fn memory(kind: tiletc_mem_type_t, value: *const c_void) -> Outcome<Memory> {
    Ok(Memory { kind: MemoryKind::from_code(kind).ok_or(Status::InvalidArguments)?, value })
}

/// Sets what the next launch computes: `howmany` products, in at most as many work-groups.
///
/// `alpha_value` and `beta_value` point to numbers of the recipe's type, which are copied. With a beta of 0
/// (or -0) C is only written. `A_value`, `B_value` and `C_value` are addresses or buffer objects, as the type
/// says; they are not retained. With `howmany` 0 there is nothing to launch, and submitting succeeds.
///
/// Errors: invalid_arguments for a handler of another kind of recipe, invalid_kernel_arguments for a number
/// of another size, a negative `howmany` or results that overlap, launch_argument_contract for an address that
/// is less aligned than the recipe was compiled for, unavailable_extension where the platform has no unified
/// shared memory. After an error there is nothing to submit until arguments are set again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_small_gemm_batched_set_args(
    handler: tiletc_recipe_handler_t,
    howmany: i64,
    alpha_size: usize,
    alpha_value: *const c_void,
    A_type: tiletc_mem_type_t,
    A_value: *const c_void,
    B_type: tiletc_mem_type_t,
    B_value: *const c_void,
    beta_size: usize,
    beta_value: *const c_void,
    C_type: tiletc_mem_type_t,
    C_value: *const c_void,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and two numbers of these sizes.
        let (handler, alpha, beta) = unsafe {
            let handler = Handle::<RecipeHandler>::share(handler)?;
            (handler, number(alpha_value, alpha_size)?, number(beta_value, beta_size)?)
        };
        let Shape::SmallGemmBatched(shape) = handler.recipe.shape else {
            return Err(Status::InvalidArguments);
        };
        let matrices = [memory(A_type, A_value)?, memory(B_type, B_value)?, memory(C_type, C_value)?];
        // SAFETY: the caller passes memory of these types.
        unsafe { handler.set(shape.launch(howmany, alpha, beta, matrices)) }
    })
}

/// Sets what the next launch computes: a product of `M` rows.
///
/// `M`, `ldA`, `ldB` and `ldC` are always given; where the recipe was made for a known leading dimension, that
/// one counts. Otherwise like tiletc_recipe_small_gemm_batched_set_args.
///
/// Errors: those, and invalid_kernel_arguments for an `M` that is negative or not the one that the recipe was
/// made for, or a leading dimension less than the rows of its matrix.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_tall_and_skinny_set_args(
    handler: tiletc_recipe_handler_t,
    M: i64,
    alpha_size: usize,
    alpha_value: *const c_void,
    A_type: tiletc_mem_type_t,
    A_value: *const c_void,
    ldA: i64,
    B_type: tiletc_mem_type_t,
    B_value: *const c_void,
    ldB: i64,
    beta_size: usize,
    beta_value: *const c_void,
    C_type: tiletc_mem_type_t,
    C_value: *const c_void,
    ldC: i64,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and two numbers of these sizes.
        let (handler, alpha, beta) = unsafe {
            let handler = Handle::<RecipeHandler>::share(handler)?;
            (handler, number(alpha_value, alpha_size)?, number(beta_value, beta_size)?)
        };
        let Shape::TallAndSkinny(shape) = handler.recipe.shape else {
            return Err(Status::InvalidArguments);
        };
        let matrices = [
            (memory(A_type, A_value)?, ldA),
            (memory(B_type, B_value)?, ldB),
            (memory(C_type, C_value)?, ldC),
        ];
        // SAFETY: the caller passes memory of these types.
        unsafe { handler.set(shape.launch(M, alpha, beta, matrices)) }
    })
}

/// Adds a reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_handler_retain(obj: tiletc_recipe_handler_t) -> tiletc_status_t {
    retain::<RecipeHandler>(obj)
}

/// Drops a reference and frees the handler with its kernels with the last one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_handler_release(obj: tiletc_recipe_handler_t) -> tiletc_status_t {
    release::<RecipeHandler>(obj)
}

/// Gets the recipe without a new reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_handler_get_recipe(
    handler: const_tiletc_recipe_handler_t,
    recipe: *mut tiletc_recipe_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (handler, out) = unsafe { (Handle::<RecipeHandler>::share(handler)?, Out::new(recipe)?) };
        out.set(handler.recipe.as_raw());
        Ok(())
    })
}

/// Makes a handler for a runtime that this library does not know: the set_args functions call back.
///
/// `callbacks` is copied, with the name of the runtime. `user_data` is handed to every callback; `destroy`
/// gets it when the last reference to the handler is gone. If this function fails it stays the caller's.
/// `handler` gets one reference and keeps the recipe alive.
///
/// Errors: invalid_arguments if a callback or the name is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_handler_create_with_callbacks(
    handler: *mut tiletc_recipe_handler_t,
    recipe: tiletc_recipe_t,
    callbacks: *const tiletc_recipe_handler_callbacks_t,
    user_data: *mut c_void,
) -> tiletc_status_t {
    call(|| {
        let callbacks = foreign(callbacks.cast_mut())?;
        // SAFETY: the caller passes NULL or, in order, a writable place, a live handle, and callbacks with a
        // NUL-terminated name.
        let (out, recipe, callbacks, name) = unsafe {
            let name = text((*callbacks).runtime)?;
            (Out::new(handler)?, Handle::<Recipe>::share(recipe)?, *callbacks, name)
        };
        let kernels = OfCallbacks::new(&callbacks, name, user_data)?;
        out.set(RecipeHandler::create(recipe, Runtime::Callbacks(kernels)));
        Ok(())
    })
}

/// Gets the user data of a handler that was made with callbacks for a runtime of this name.
///
/// Errors: invalid_arguments for any other handler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_recipe_handler_get_user_data(
    handler: const_tiletc_recipe_handler_t,
    runtime: *const c_char,
    user_data: *mut *mut c_void,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle, a NUL-terminated text and a writable
        // place.
        let (handler, name, out) =
            unsafe { (Handle::<RecipeHandler>::share(handler)?, text(runtime)?, Out::new(user_data)?) };
        match &handler.runtime {
            Runtime::Callbacks(kernels) if kernels.is_for(name) => out.set(kernels.user_data()),
            _ => return Err(Status::InvalidArguments),
        }
        Ok(())
    })
}
