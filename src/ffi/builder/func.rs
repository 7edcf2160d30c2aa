//! Functions, and programs that are put together from them (API reference 3.6, 4.10).

use super::super::arg::{Out, array};
use super::super::attributes::{optional_dictionary, refused};
use super::super::call::{Outcome, call};
use super::super::context::Context;
use super::super::handle::Handle;
use super::super::managed::{resolve, value_type};
use super::super::program::Program;
use super::super::tables::TypeEntry;
use super::super::types::*;
use super::nodes::{Found, handle, own};
use super::site::location;
use crate::ir::{self, AttributeSet as _, Func, FunctionAttributes, ParameterAttributes};
use crate::status::Status;
use std::ffi::c_char;

/// Makes a function, which belongs to the caller, with an empty body and a parameter for each type. A NUL byte
/// ends the name early; what is left must be an identifier of the language. `ty` is the void type.
///
/// Errors: invalid_arguments for another `ty`, another name, or types of different contexts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_func_create(
    fun: *mut tiletc_func_t,
    name_length: usize,
    name: *const c_char,
    num_params: usize,
    param_type_list: *const tiletc_type_t,
    ty: tiletc_type_t,
    loc: *const tiletc_location_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place, `name_length` bytes, `num_params` live
        // handles, a live handle and a readable location.
        let (out, name, types, (context, result), location) = unsafe {
            (
                Out::new(fun)?,
                array(name.cast::<u8>(), name_length)?,
                array(param_type_list, num_params)?,
                resolve::<TypeEntry>(ty)?,
                location(loc),
            )
        };
        if result != TypeEntry::Void {
            return Err(Status::InvalidArguments);
        }
        let name = identifier(name)?;
        let mut parameters = Vec::new();
        for &ty in types {
            let (owner, ty) = value_type(ty, Status::InvalidArguments)?;
            if !owner.is(&context) {
                return Err(Status::InvalidArguments);
            }
            parameters.push(ty);
        }
        let mut state = context.lock();
        let func = state.ir.create_function(name, &parameters, location);
        out.set(own(&mut state, &context, func)?);
        Ok(())
    })
}

/// The name of a function, which a text must be able to say (language reference 1.2).
fn identifier(name: &[u8]) -> Outcome<&str> {
    let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
    let fits = match name.first() {
        Some(byte) if byte.is_ascii_digit() => name.iter().all(u8::is_ascii_digit),
        Some(byte) if byte.is_ascii_alphabetic() => {
            name.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
        }
        _ => false,
    };
    str::from_utf8(name).ok().filter(|_| fits).ok_or(Status::InvalidArguments)
}

/// Frees a function that no program has taken; NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_func_destroy(fun: tiletc_func_t) {
    call(|| {
        let found = Found::<Func>::new(fun)?;
        let Some(owning_ref) = found.disown() else { return Ok(()) };
        let mut state = owning_ref.lock();
        let func = found.live(&state)?;
        state.ir.remove(&ir::Program { functions: vec![func] });
        Ok(())
    });
}

/// Sets the attributes of a function to a dictionary, or with NULL to none.
///
/// Errors: invalid_arguments for an attribute that functions do not have; for one of another kind, or out of range,
/// the status of a text with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_func_set_attr(fun: tiletc_func_t, a: tiletc_attr_t) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or live handles.
        let (found, dictionary) = unsafe { (Found::<Func>::new(fun)?, optional_dictionary(a)?) };
        let mut state = found.context.lock();
        let func = found.live(&state)?;
        state.ir[func].attributes = FunctionAttributes::of(dictionary.as_ref()).map_err(refused)?;
        Ok(())
    })
}

/// Sets the attributes of a parameter, counted from 0, to a dictionary, or with NULL to none.
///
/// Errors: as tiletc_func_set_attr, and invalid_arguments if there is no such parameter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_func_set_parameter_attr(
    fun: tiletc_func_t,
    param_no: usize,
    a: tiletc_attr_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or live handles.
        let (found, dictionary) = unsafe { (Found::<Func>::new(fun)?, optional_dictionary(a)?) };
        let mut state = found.context.lock();
        let func = found.live(&state)?;
        let parameter = state.ir[func].parameter_attributes.get_mut(param_no);
        let parameter = parameter.ok_or(Status::InvalidArguments)?;
        *parameter = ParameterAttributes::of(dictionary.as_ref()).map_err(refused)?;
        Ok(())
    })
}

/// Gets the body of a function, a collective region; its parameters are those of the function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_func_get_body(
    fun: tiletc_func_t,
    body: *mut tiletc_region_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a live handle and a writable place.
        let (found, out) = unsafe { (Found::<Func>::new(fun)?, Out::new(body)?) };
        let mut state = found.context.lock();
        let region = state.ir[found.live(&state)?].body;
        out.set(handle(&mut state, &found.context, region)?);
        Ok(())
    })
}

/// Creates a program without functions. `loc` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prog_create(
    prg: *mut tiletc_prog_t,
    ctx: tiletc_compiler_context_t,
    loc: *const tiletc_location_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place, a live handle and a readable location.
        let (out, context, _) = unsafe { (Out::new(prg)?, Handle::<Context>::share(ctx)?, location(loc)) };
        out.set(Handle::new(Program::new(context, ir::Program::default())).into_raw());
        Ok(())
    })
}

/// Appends a function, which the program owns from then on, to a program of the same context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_prog_add_function(prg: tiletc_prog_t, fun: tiletc_func_t) -> tiletc_status_t {
    call(|| {
        let (program, found) = (Handle::<Program>::share(prg)?, Found::<Func>::new(fun)?);
        if !program.context.is(&found.context) || !found.is_owned() {
            return Err(Status::InvalidArguments);
        }
        let func = found.live(&program.context.lock())?;
        program.add(func);
        drop(found.disown());
        Ok(())
    })
}
