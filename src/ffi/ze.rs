//! Level Zero (API reference 5.2). Declared in `tiletc_ze.h`, which is written by hand.

use super::arg::{Out, array_mut, foreign, text};
use super::binary::Binary;
use super::bundle::{self, Built};
use super::call::call;
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
use crate::runtime::level_zero::{self, BuildTarget};
use crate::status::Status;
use level_zero_sys::{
    ze_command_list_handle_t, ze_context_handle_t, ze_device_handle_t, ze_event_handle_t, ze_kernel_handle_t,
    ze_module_handle_t,
};
use std::ffi::c_char;
use std::ptr;
use std::sync::Arc;

/// The module of a bundle, whose kernels' arguments are known from now on.
fn into_raw(built: Built<BuildTarget>) -> ze_module_handle_t {
    let module = built.bundle.into_raw();
    arguments::remember(
        NativeHandle::ZeModule(module.addr()),
        built.signatures.iter().cloned().map(Arc::new),
    );
    match built.variants {
        Some((target, source)) => level_zero::keep_variants(target, module, source),
        None => level_zero::forget_variants(module),
    }
    module
}

/// Tells how well a device is supported.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_get_support_level(
    device: ze_device_handle_t,
    level: *mut tiletc_support_level_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let out = unsafe { Out::new(level)? };
        let device = foreign(device)?;
        // SAFETY: the caller passes a device of the Level Zero that is installed.
        let level =
            unsafe { level_zero::get_support_level(device) }.map_err(|error| driver_failed(&error))?;
        out.set(level as tiletc_support_level_t);
        Ok(())
    })
}

/// Describes a device to the compiler.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_core_info_create(
    info: *mut tiletc_core_info_t,
    device: ze_device_handle_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let out = unsafe { Out::new(info)? };
        let device = foreign(device)?;
        // SAFETY: the caller passes a device of the Level Zero that is installed.
        let info = unsafe { level_zero::core_info_create(device) }.map_err(|error| driver_failed(&error))?;
        out.set(Handle::new(CoreInfo::new(info)).into_raw());
        Ok(())
    })
}

/// Compiles a program for a device and builds it with the device's driver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_kernel_bundle_create_with_program(
    bundle: *mut ze_module_handle_t,
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    prg: tiletc_prog_t,
    core_features: tiletc_core_feature_flags_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, program) = unsafe { (Out::new(bundle)?, Handle::<Program>::share(prg)?) };
        let (context, device) = (foreign(context)?, foreign(device)?);
        // SAFETY: the caller passes a context and a device of the Level Zero that is installed.
        let device = unsafe { BuildTarget::new(context, device) };
        let built = bundle::with_program(device, &program, CoreFeatures::from_bits(core_features))?;
        out.set(into_raw(built));
        Ok(())
    })
}

/// Builds a binary with the device's driver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_kernel_bundle_create_with_binary(
    bundle: *mut ze_module_handle_t,
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    bin: const_tiletc_binary_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, binary) = unsafe { (Out::new(bundle)?, Handle::<Binary>::share(bin)?) };
        let (context, device) = (foreign(context)?, foreign(device)?);
        // SAFETY: the caller passes a context and a device of the Level Zero that is installed.
        let device = unsafe { BuildTarget::new(context, device) };
        out.set(into_raw(bundle::with_binary(device, &binary)?));
        Ok(())
    })
}

/// Destroys a module, as zeModuleDestroy does, for programs that do not link Level Zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_kernel_bundle_destroy(bundle: ze_module_handle_t) -> tiletc_status_t {
    call(|| {
        let module = foreign(bundle)?;
        // SAFETY: the caller passes a module of the Level Zero that is installed, and gives it up.
        unsafe { level_zero::kernel_bundle_destroy(module) }.map_err(|error| driver_failed(&error))
    })
}

/// Destroys a kernel, as zeKernelDestroy does, for programs that do not link Level Zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_kernel_destroy(krnl: ze_kernel_handle_t) -> tiletc_status_t {
    call(|| {
        let kernel = foreign(krnl)?;
        // SAFETY: the caller passes a kernel of the Level Zero that is installed, and gives it up.
        unsafe { level_zero::kernel_destroy(kernel) }.map_err(|error| driver_failed(&error))
    })
}

/// Creates a kernel and sets its work-group size to the one that is fixed in its code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_kernel_create(
    krnl: *mut ze_kernel_handle_t,
    r#mod: ze_module_handle_t,
    name: *const c_char,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a NUL-terminated text.
        let (out, name) = unsafe { (Out::new(krnl)?, text(name)?) };
        let module = foreign(r#mod)?;
        let name = name.to_str().map_err(|_| Status::InvalidArguments)?;
        // SAFETY: the caller passes a module of the Level Zero that is installed.
        out.set(unsafe { level_zero::kernel_create(module, name) }.map_err(|error| driver_failed(&error))?);
        Ok(())
    })
}

/// Compares arguments with what a kernel takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_check_args(
    kernel: ze_kernel_handle_t,
    num_args: u32,
    args: *const tiletc_kernel_arg_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or `num_args` arguments.
        let given = unsafe { Given::new(num_args, args)? };
        let kernel = foreign(kernel)?;
        // SAFETY: the caller passes a kernel of the Level Zero that is installed.
        unsafe { level_zero::check_arguments(kernel, &given.described()) }
            .map_err(|error| driver_failed(&error))
            .map(drop)
    })
}

/// Compares arguments with what a kernel takes, makes the kernel that suits them best, and gets the numbers of work-groups of
/// a launch; `selected` becomes NULL if that is the kernel itself. `num_groups`, those that are asked for, and `grid` may be
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_prepare_launch(
    selected: *mut ze_kernel_handle_t,
    r#mod: *mut ze_module_handle_t,
    grid: *mut u32,
    kernel: ze_kernel_handle_t,
    num_groups: *const u32,
    num_args: u32,
    args: *const tiletc_kernel_arg_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, writable places, three numbers and `num_args` arguments.
        let (out, module, asked, given) = unsafe {
            let asked = num_groups.cast::<[u32; 3]>().as_ref();
            (Out::new(selected)?, Out::new(r#mod)?, asked, Given::new(num_args, args)?)
        };
        let (kernel, described) = (foreign(kernel)?, given.described());
        // SAFETY: the caller passes a kernel of the Level Zero that is installed.
        let selected = unsafe { level_zero::select_variant(kernel, &described) };
        let (variant, signature) = selected.map_err(|error| driver_failed(&error))?;
        if !grid.is_null() {
            let asked = asked.map(|groups| groups.map(u64::from));
            let groups = arguments::grid(signature.as_deref(), &described, asked);
            let groups = groups.map_err(|error| driver_failed(&error))?;
            let [x, y, z] = groups.map(|number| u32::try_from(number).map_err(|_| Status::OutOfRange));
            // SAFETY: the caller passes a writable place for three numbers.
            unsafe { Out::new(grid.cast())? }.set([x?, y?, z?]);
        }
        let created = variant.map(|variant| level_zero::create_variant(&variant)).transpose();
        let none = (ptr::null_mut(), ptr::null_mut());
        let (of, created) = created.map_err(|error| driver_failed(&error))?.unwrap_or(none);
        module.set(of);
        out.set(created);
        Ok(())
    })
}

/// Gets the plan by which a program compares the arguments of further launches by itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_get_launch_plan(
    plan: *mut tiletc_launch_plan_t,
    kernel: ze_kernel_handle_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or a writable place.
        let out = unsafe { Out::new(plan)? };
        let kernel = foreign(kernel)?;
        // SAFETY: the caller passes a kernel of the Level Zero that is installed.
        let signature = unsafe { level_zero::signature(kernel) }.map_err(|error| driver_failed(&error))?;
        out.set(launch_plan(signature.as_deref()));
        Ok(())
    })
}

/// Sets all arguments of a kernel after comparing them with what it takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_set_args(
    kernel: ze_kernel_handle_t,
    num_args: u32,
    args: *const tiletc_kernel_arg_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or `num_args` arguments.
        let given = unsafe { Given::new(num_args, args)? };
        let kernel = foreign(kernel)?;
        // SAFETY: the caller passes a kernel of the Level Zero that is installed, which no other thread uses.
        unsafe {
            let signature = level_zero::check_arguments(kernel, &given.described());
            let signature = signature.map_err(|error| driver_failed(&error))?;
            let mut kernel = level_zero::borrow_kernel(kernel).map_err(|error| driver_failed(&error))?;
            if given.is_followed(signature.as_deref()) {
                kernel.allow_indirect_access().map_err(|error| driver_failed(&error))?;
            }
            given.set(&mut *kernel)
        }
    })
}

/// Sets all arguments of a kernel as tiletc_ze_set_args does and appends its launch to a command list. `signal_event` and
/// `wait_events` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_submit(
    kernel: ze_kernel_handle_t,
    list: ze_command_list_handle_t,
    num_groups: *const u32,
    num_args: u32,
    args: *const tiletc_kernel_arg_t,
    signal_event: ze_event_handle_t,
    num_wait_events: u32,
    wait_events: *mut ze_event_handle_t,
) -> tiletc_status_t {
    call(|| {
        let length = usize::try_from(num_wait_events).map_err(|_| Status::OutOfRange)?;
        // SAFETY: the caller passes NULL or, in order, three numbers, `num_args` arguments and `num_wait_events` events.
        let (groups, given, wait_for) = unsafe {
            let groups = num_groups.cast::<[u32; 3]>().as_ref();
            (groups, Given::new(num_args, args)?, array_mut(wait_events, length)?)
        };
        let (kernel, list) = (foreign(kernel)?, foreign(list)?);
        // SAFETY: the caller passes a kernel, a command list and events of one context of the Level Zero that is
        // installed, keeps the memory, and uses the kernel on no other thread.
        unsafe {
            let asked = groups.map(|groups| groups.map(u64::from));
            let described = given.described();
            let selected = level_zero::select_variant(kernel, &described);
            let (variant, signature) = selected.map_err(|error| driver_failed(&error))?;
            let groups = arguments::grid(signature.as_deref(), &described, asked);
            let groups = groups.map_err(|error| driver_failed(&error))?;
            let mut launch = |kernel: &mut level_zero::Kernel| {
                if given.is_followed(signature.as_deref()) {
                    kernel.allow_indirect_access().map_err(|error| driver_failed(&error))?;
                }
                given.set(kernel)?;
                let launched = kernel.append(list, groups, signal_event, wait_for);
                launched.map_err(|error| driver_failed(&error))
            };
            match variant {
                Some(variant) => launch(&mut variant.lock()),
                None => {
                    let kernel = level_zero::borrow_kernel(kernel);
                    launch(&mut *kernel.map_err(|error| driver_failed(&error))?)
                }
            }
        }
    })
}

/// Gets the work-group size that is fixed in a kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_get_group_size(
    kernel: ze_kernel_handle_t,
    x: *mut u32,
    y: *mut u32,
    z: *mut u32,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or writable places.
        let (out_x, out_y, out_z) = unsafe { (Out::new(x)?, Out::new(y)?, Out::new(z)?) };
        let kernel = foreign(kernel)?;
        // SAFETY: the caller passes a kernel of the Level Zero that is installed.
        let [x, y, z] =
            unsafe { level_zero::get_group_size(kernel) }.map_err(|error| driver_failed(&error))?;
        out_x.set(x);
        out_y.set(y);
        out_z.set(z);
        Ok(())
    })
}

/// Makes a handler of a recipe, with kernels of its own for a device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_recipe_handler_create(
    handler: *mut tiletc_recipe_handler_t,
    context: ze_context_handle_t,
    device: ze_device_handle_t,
    recipe: tiletc_recipe_t,
) -> tiletc_status_t {
    call(|| {
        // SAFETY: the caller passes NULL or, in order, a writable place and a live handle.
        let (out, recipe) = unsafe { (Out::new(handler)?, Handle::<Recipe>::share(recipe)?) };
        let (context, device) = (foreign(context)?, foreign(device)?);
        // SAFETY: the caller passes a context and a device of the Level Zero that is installed.
        let device = unsafe { BuildTarget::new(context, device) };
        let kernels = bundle::recipe_kernels(device, &recipe.binary)?;
        out.set(RecipeHandler::create(recipe, Runtime::Ze(Shared::new(kernels))));
        Ok(())
    })
}

/// Appends the launch that was set last to a command list. `signal_event` and `wait_events` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tiletc_ze_recipe_handler_submit(
    handler: tiletc_recipe_handler_t,
    list: ze_command_list_handle_t,
    signal_event: ze_event_handle_t,
    num_wait_events: u32,
    wait_events: *mut ze_event_handle_t,
) -> tiletc_status_t {
    call(|| {
        let length = usize::try_from(num_wait_events).map_err(|_| Status::OutOfRange)?;
        // SAFETY: the caller passes NULL or, in order, a live handle and `num_wait_events` events.
        let (handler, wait_for) =
            unsafe { (Handle::<RecipeHandler>::share(handler)?, array_mut(wait_events, length)?) };
        let list = foreign(list)?;
        let Runtime::Ze(kernels) = &handler.runtime else { return Err(Status::InvalidArguments) };
        let mut prepared = kernels.lock();
        let (kernel, groups) = prepared.launch()?;
        // SAFETY: the caller passes a command list and events of the handler's context, and keeps the memory.
        let launched = unsafe { kernel.append(list, groups, signal_event, wait_for) };
        launched.map_err(|error| driver_failed(&error))
    })
}
