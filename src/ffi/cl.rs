//! OpenCL (API reference 5.1). Declared in `tiletc_cl.h`, which is written by hand.

use super::arg::{Out, array, foreign, text};
use super::binary::Binary;
use super::bundle::{self, Built};
use super::call::{Outcome, call};
use super::core_info::CoreInfo;
use super::handle::Handle;
use super::kernel_arguments::{Given, launch_plan};
use super::last_error::driver_failed;
use super::program::Program;
use super::recipe::Recipe;
use super::recipe_handler::RecipeHandler;
use super::recipe_runtime::{Runtime, Shared};
use super::types::*;
use crate::device::CoreFeatures;
use crate::runtime::arguments::{self, NativeHandle};
use crate::runtime::opencl::{self, BuildTarget, Object};
use crate::status::Status;
use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::Arc;

use opencl_sys::{cl_command_queue, cl_context, cl_device_id, cl_event, cl_kernel, cl_program, cl_uint};

/// The program of a bundle, whose kernels' arguments are known from now on.
fn into_raw(built: Built<BuildTarget>) -> cl_program {
    let program = built.bundle.into_raw();
    arguments::remember(
        NativeHandle::ClProgram(program.addr()),
        built.signatures.iter().cloned().map(Arc::new),
    );
    if let Some((target, source)) = built.variants {
        // SAFETY: the program was built for the target.
        let kept = unsafe { opencl::keep_variants(target, program, source) };
        // Kernels without variants are slower and do the same.
        kept.unwrap_or_else(|error| log::warn!("no variants of kernels: {error}"));
    }
    program
}

/// Tells how well a device is supported.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_get_support_level(
    device: cl_device_id,
    level: *mut tiletc_support_level_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let out = unsafe { Out::new(level)? };
        let device = foreign(device)?;
        // SAFETY: the caller passes a device of the OpenCL that is installed.
        let level = unsafe { opencl::get_support_level(device) }.map_err(|error| driver_failed(&error))?;
        out.set(level as tiletc_support_level_t);
        Ok(())
    })
}

/// Describes a device to the compiler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_core_info_create(
    info: *mut tiletc_core_info_t,
    device: cl_device_id,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let out = unsafe { Out::new(info)? };
        let device = foreign(device)?;
        // SAFETY: the caller passes a device of the OpenCL that is installed.
        let info = unsafe { opencl::core_info_create(device) }.map_err(|error| driver_failed(&error))?;
        out.set(Handle::new(CoreInfo::new(info)).into_raw());
        Ok(())
    })
}

/// Compiles a program for a device and builds it with the device's driver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_kernel_bundle_create_with_program(
    bundle: *mut cl_program,
    context: cl_context,
    device: cl_device_id,
    prg: tiletc_prog_t,
    core_features: tiletc_core_feature_flags_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, program) = unsafe { (Out::new(bundle)?, Handle::<Program>::share(prg)?) };
        let (context, device) = (foreign(context)?, foreign(device)?);
        // SAFETY: the caller passes a context and a device of the OpenCL that is installed.
        let device = unsafe { BuildTarget::new(context, device) };
        let built = bundle::with_program(device, &program, CoreFeatures::from_bits(core_features))?;
        out.set(into_raw(built));
        Ok(())
    })
}

/// Builds a binary with the device's driver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_kernel_bundle_create_with_binary(
    bundle: *mut cl_program,
    context: cl_context,
    device: cl_device_id,
    bin: const_tiletc_binary_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, binary) = unsafe { (Out::new(bundle)?, Handle::<Binary>::share(bin)?) };
        let (context, device) = (foreign(context)?, foreign(device)?);
        // SAFETY: the caller passes a context and a device of the OpenCL that is installed.
        let device = unsafe { BuildTarget::new(context, device) };
        out.set(into_raw(bundle::with_binary(device, &binary)?));
        Ok(())
    })
}

/// Gets the work-group size that is fixed in a kernel, three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_get_group_size(
    kernel: cl_kernel,
    local_size: *mut usize,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place for three numbers.
        let out = unsafe { Out::new(local_size.cast::<[usize; 3]>())? };
        let kernel = foreign(kernel)?;
        // SAFETY: the caller passes a kernel of the OpenCL that is installed.
        out.set(unsafe { opencl::get_group_size(kernel) }.map_err(|error| driver_failed(&error))?);
        Ok(())
    })
}

/// Creates the kernel of a name; if there is none, the message names those there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_kernel_create(
    krnl: *mut cl_kernel,
    r#mod: cl_program,
    name: *const c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a NUL-terminated text.
        let (out, name) = unsafe { (Out::new(krnl)?, text(name)?) };
        let program = foreign(r#mod)?;
        let name = name.to_str().map_err(|_| Status::InvalidArguments)?;
        // SAFETY: the caller passes a program of the OpenCL that is installed.
        out.set(unsafe { opencl::kernel_create(program, name) }.map_err(|error| driver_failed(&error))?);
        Ok(())
    })
}

/// Compares arguments with what a kernel takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_check_args(
    kernel: cl_kernel,
    num_args: u32,
    args: *const tiletc_kernel_arg_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or `num_args` arguments.
        let given = unsafe { Given::new(num_args, args)? };
        let kernel = foreign(kernel)?;
        // SAFETY: the caller passes a kernel of the OpenCL that is installed.
        unsafe { opencl::check_arguments(kernel, &given.described()) }
            .map_err(|error| driver_failed(&error))
            .map(drop)
    })
}

/// Compares arguments with what a kernel takes, makes the kernel that suits them best, and gets the numbers of work-groups of
/// a launch; `selected` becomes NULL if that is the kernel itself. `num_groups`, those that are asked for, and `grid` may be
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_prepare_launch(
    selected: *mut cl_kernel,
    grid: *mut usize,
    kernel: cl_kernel,
    num_groups: *const usize,
    num_args: u32,
    args: *const tiletc_kernel_arg_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, writable places, three numbers and `num_args` arguments.
        let (out, asked, given) = unsafe {
            let asked = num_groups.cast::<[usize; 3]>().as_ref();
            (Out::new(selected)?, asked, Given::new(num_args, args)?)
        };
        let (kernel, described) = (foreign(kernel)?, given.described());
        // SAFETY: the caller passes a kernel of the OpenCL that is installed.
        let selected = unsafe { opencl::select_variant(kernel, &described) };
        let (variant, signature) = selected.map_err(|error| driver_failed(&error))?;
        if !grid.is_null() {
            let asked = asked.map(|groups| groups.map(|number| number as u64));
            let groups = arguments::grid(signature.as_deref(), &described, asked);
            let groups = groups.map_err(|error| driver_failed(&error))?;
            let [x, y, z] = groups.map(|number| usize::try_from(number).map_err(|_| Status::OutOfRange));
            // SAFETY: the caller passes a writable place for three numbers.
            unsafe { Out::new(grid.cast())? }.set([x?, y?, z?]);
        }
        let created = variant.map(|variant| opencl::create_variant(&variant)).transpose();
        out.set(created.map_err(|error| driver_failed(&error))?.unwrap_or(ptr::null_mut()));
        Ok(())
    })
}

/// Gets the plan by which a program compares the arguments of further launches by itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_get_launch_plan(
    plan: *mut tiletc_launch_plan_t,
    kernel: cl_kernel,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let out = unsafe { Out::new(plan)? };
        let kernel = foreign(kernel)?;
        // SAFETY: the caller passes a kernel of the OpenCL that is installed.
        let signature = unsafe { opencl::signature(kernel) }.map_err(|error| driver_failed(&error))?;
        out.set(launch_plan(signature.as_deref()));
        Ok(())
    })
}

/// Sets all arguments of a kernel after comparing them with what it takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_set_args(
    kernel: cl_kernel,
    num_args: u32,
    args: *const tiletc_kernel_arg_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or `num_args` arguments.
        let given = unsafe { Given::new(num_args, args)? };
        let kernel = foreign(kernel)?;
        // SAFETY: the caller passes a kernel of the OpenCL that is installed, which no other thread uses.
        unsafe {
            let signature = opencl::check_arguments(kernel, &given.described());
            let signature = signature.map_err(|error| driver_failed(&error))?;
            let mut kernel = opencl::borrow_kernel(kernel).map_err(|error| driver_failed(&error))?;
            if given.is_followed(signature.as_deref()) {
                kernel.allow_indirect_access().map_err(|error| driver_failed(&error))?;
            }
            given.set(&mut *kernel)
        }
    })
}

/// Sets all arguments of a kernel as tiletc_cl_set_args does and puts its launch into a queue. `wait_events` and `event`
/// may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_submit(
    kernel: cl_kernel,
    queue: cl_command_queue,
    num_groups: *const usize,
    num_args: u32,
    args: *const tiletc_kernel_arg_t,
    num_wait_events: cl_uint,
    wait_events: *const cl_event,
    event: *mut cl_event,
) -> tiletc_status_t {
    call(|| {
        let length = usize::try_from(num_wait_events).map_err(|_| Status::OutOfRange)?;
        // SAFETY: the caller passes NULL or, in order, three numbers, `num_args` arguments and `num_wait_events` events.
        let (groups, given, wait_for) = unsafe {
            let groups = num_groups.cast::<[usize; 3]>().as_ref();
            (groups, Given::new(num_args, args)?, array(wait_events, length)?)
        };
        let (kernel, queue) = (foreign(kernel)?, foreign(queue)?);
        let wants_event = !event.is_null();
        // SAFETY: the caller passes a kernel, a queue and events of one context of the OpenCL that is installed, keeps
        // the memory, and uses the kernel on no other thread.
        let launched = unsafe {
            let asked = groups.map(|groups| groups.map(|number| number as u64));
            let described = given.described();
            let selected = opencl::select_variant(kernel, &described);
            let (variant, signature) = selected.map_err(|error| driver_failed(&error))?;
            let groups = arguments::grid(signature.as_deref(), &described, asked);
            let groups = groups.map_err(|error| driver_failed(&error))?;
            let launch = |kernel: &mut opencl::Kernel| {
                if given.is_followed(signature.as_deref()) {
                    kernel.allow_indirect_access().map_err(|error| driver_failed(&error))?;
                }
                given.set(kernel)?;
                let launched = kernel.enqueue(queue, groups, wait_for, wants_event);
                launched.map_err(|error| driver_failed(&error))
            };
            match variant {
                Some(variant) => launch(&mut variant.lock())?,
                None => {
                    let kernel = opencl::borrow_kernel(kernel);
                    launch(&mut *kernel.map_err(|error| driver_failed(&error))?)?
                }
            }
        };
        if let Some(launched) = launched {
            // SAFETY: there is an event because the caller passes a writable place for one.
            unsafe { Out::new(event)? }.set(launched);
        }
        Ok(())
    })
}

/// An object of a kind that crosses the ABI.
fn object(kind: tiletc_cl_object_t, object: *mut c_void) -> Outcome<Object> {
    let object = foreign(object)?;
    match kind {
        0 => Ok(Object::Context(object)),
        1 => Ok(Object::Device(object)),
        2 => Ok(Object::Program(object)),
        3 => Ok(Object::Kernel(object)),
        4 => Ok(Object::Event(object)),
        _ => Err(Status::InvalidArguments),
    }
}

/// Adds a reference to an object, as clRetainContext and its like do, for programs that do not link OpenCL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_retain(kind: tiletc_cl_object_t, obj: *mut c_void) -> tiletc_status_t {
    call(|| {
        let object = object(kind, obj)?;
        // SAFETY: the caller passes an object of this kind of the OpenCL that is installed.
        unsafe { opencl::retain(object) }.map_err(|error| driver_failed(&error))
    })
}

/// Drops a reference to an object, as clReleaseContext and its like do, for programs that do not link OpenCL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_release(kind: tiletc_cl_object_t, obj: *mut c_void) -> tiletc_status_t {
    call(|| {
        let object = object(kind, obj)?;
        // SAFETY: the caller passes an object of this kind of the OpenCL that is installed, and gives a reference up.
        unsafe { opencl::release(object) }.map_err(|error| driver_failed(&error))
    })
}

/// Multiplies three numbers of work-groups with the work-items of each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_get_global_size(
    num_groups: *const usize,
    local_size: *const usize,
    global_size: *mut usize,
) {
    // There is no status to return: without an argument there is nothing to do.
    call(|| {
        // SAFETY: the caller passes NULL or arrays of three numbers, the last one writable.
        let (groups, size, out) = unsafe {
            let groups = num_groups.cast::<[usize; 3]>().as_ref();
            (groups, local_size.cast::<[usize; 3]>().as_ref(), Out::new(global_size.cast())?)
        };
        if let (Some(groups), Some(size)) = (groups, size) {
            out.set(opencl::get_global_size(*groups, *size));
        }
        Ok(())
    });
}

/// Makes a handler of a recipe, with kernels of its own for a device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_recipe_handler_create(
    handler: *mut tiletc_recipe_handler_t,
    context: cl_context,
    device: cl_device_id,
    recipe: tiletc_recipe_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, recipe) = unsafe { (Out::new(handler)?, Handle::<Recipe>::share(recipe)?) };
        let (context, device) = (foreign(context)?, foreign(device)?);
        // SAFETY: the caller passes a context and a device of the OpenCL that is installed.
        let device = unsafe { BuildTarget::new(context, device) };
        let kernels = bundle::recipe_kernels(device, &recipe.binary)?;
        out.set(RecipeHandler::create(recipe, Runtime::Cl(Shared::new(kernels))));
        Ok(())
    })
}

/// Puts the launch that was set last into a queue. `wait_events` and `event` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_cl_recipe_handler_submit(
    handler: tiletc_recipe_handler_t,
    queue: cl_command_queue,
    num_wait_events: cl_uint,
    wait_events: *const cl_event,
    event: *mut cl_event,
) -> tiletc_status_t {
    call(|| {
        let length = usize::try_from(num_wait_events).map_err(|_| Status::OutOfRange)?;
        // SAFETY: the caller passes NULL or, in order, a live handle and `num_wait_events` events.
        let (handler, wait_for) =
            unsafe { (Handle::<RecipeHandler>::share(handler)?, array(wait_events, length)?) };
        let queue = foreign(queue)?;
        let Runtime::Cl(kernels) = &handler.runtime else { return Err(Status::InvalidArguments) };
        let mut prepared = kernels.lock();
        let (kernel, groups) = prepared.launch()?;
        let wants_event = !event.is_null();
        // SAFETY: the caller passes a queue and events of the handler's context, and keeps the memory.
        let launched = unsafe { kernel.enqueue(queue, groups, wait_for, wants_event) };
        if let Some(launched) = launched.map_err(|error| driver_failed(&error))? {
            // SAFETY: there is an event because the caller passes a writable place for one.
            unsafe { Out::new(event)? }.set(launched);
        }
        Ok(())
    })
}
