//! Level Zero: describe devices, build binaries into modules, create kernels.
//!
//! The functions and [`BuildTarget`] work on handles of the user's program, which has initialised Level Zero;
//! [`Session`] owns its own.

mod bundle;
mod context;
mod driver;
mod event;
mod kernel;
mod list;
mod memory;
mod native;
mod recording;
mod session;
#[cfg(test)]
mod tests;
mod variants;

use std::mem::ManuallyDrop;
use std::sync::Arc;

use level_zero_sys::{ze_device_handle_t, ze_kernel_handle_t, ze_kernel_properties_t, ze_module_handle_t};

pub use self::bundle::{BuildTarget, Bundle};
use self::driver::Driver;
pub use self::event::Event;
pub use self::kernel::Kernel;
pub use self::list::devices;
pub use self::session::Session;
pub use self::variants::{Variant, create_variant, forget_variants, keep_variants, select_variant};
use super::arguments::{self, GivenArgument, NativeHandle};
use super::{Error, SupportLevel};
use crate::device::CoreInfo;
use crate::ir::Signature;

/// Tells how well the device is supported.
///
/// # Errors
/// If there is no driver or it does not answer.
///
/// # Safety
/// `device` is null or a device of the installed Level Zero loader.
pub unsafe fn get_support_level(device: ze_device_handle_t) -> Result<SupportLevel, Error> {
    Error::unless_null(device, "null device")?;
    // SAFETY: the caller vouches for the handle.
    unsafe { Driver::get()?.support_level(device) }
}

/// Describes the device to the compiler.
///
/// # Errors
/// If there is no driver or it does not answer.
///
/// # Safety
/// `device` is null or a device of the installed Level Zero loader.
pub unsafe fn core_info_create(device: ze_device_handle_t) -> Result<CoreInfo, Error> {
    Error::unless_null(device, "null device")?;
    // SAFETY: the caller vouches for the handle.
    unsafe { Driver::get()?.core_info(device) }
}

/// Destroys a module, for callers that do not link the loader.
///
/// # Errors
/// If there is no driver or it fails.
///
/// # Safety
/// `module` is null or a module of the installed Level Zero loader that nobody uses any more.
pub unsafe fn kernel_bundle_destroy(module: ze_module_handle_t) -> Result<(), Error> {
    Error::unless_null(module, "null module")?;
    variants::destroy_variants(module);
    // SAFETY: the caller vouches for the handle.
    unsafe { Driver::get()?.destroy_module(module) }?;
    arguments::forget(NativeHandle::ZeModule(module.addr()));
    Ok(())
}

/// Destroys a kernel, for callers that do not link the loader.
///
/// # Errors
/// If there is no driver or it fails.
///
/// # Safety
/// `kernel` is null or a kernel of the installed Level Zero loader that nobody uses any more.
pub unsafe fn kernel_destroy(kernel: ze_kernel_handle_t) -> Result<(), Error> {
    Error::unless_null(kernel, "null kernel")?;
    // SAFETY: the caller vouches for the handle.
    unsafe { Driver::get()?.destroy_kernel(kernel) }?;
    arguments::forget(NativeHandle::ZeKernel(kernel.addr()));
    Ok(())
}

/// Creates the kernel of the name and sets its group size to the one that is fixed in it; the caller destroys
/// it with `zeKernelDestroy`.
///
/// # Errors
/// If there is no such kernel, no driver, or the driver fails.
///
/// # Safety
/// `module` is null or a module of the installed Level Zero loader.
pub unsafe fn kernel_create(module: ze_module_handle_t, name: &str) -> Result<ze_kernel_handle_t, Error> {
    Error::unless_null(module, "null module")?;
    let driver = Driver::get()?;
    // SAFETY: the caller vouches for the handle.
    let (kernel, _) = unsafe { driver.create_kernel(module, name) }?;
    // SAFETY: the kernel has just been made, and nobody else has it if it is destroyed.
    let properties =
        unsafe { driver.kernel_properties(kernel).inspect_err(|_| drop(driver.destroy_kernel(kernel))) }?;
    let number = number_of_arguments(&properties);
    let handle = NativeHandle::ZeKernel(kernel.addr());
    match arguments::signature(NativeHandle::ZeModule(module.addr()), Some(name), number) {
        Some(signature) => arguments::remember(handle, [signature]),
        None => arguments::forget(handle),
    }
    variants::inherit_variants(module, kernel);
    Ok(kernel)
}

fn number_of_arguments(properties: &ze_kernel_properties_t) -> usize {
    usize::try_from(properties.numKernelArgs).unwrap_or(usize::MAX)
}

/// Signature of a kernel, if it is known, which that of a kernel that [`kernel_create`] has not made is not.
///
/// # Errors
/// If there is no driver or it does not answer.
///
/// # Safety
/// `kernel` is null or a kernel of the installed Level Zero loader.
pub unsafe fn signature(kernel: ze_kernel_handle_t) -> Result<Option<Arc<Signature>>, Error> {
    // SAFETY: the same contract.
    unsafe { number_and_signature(kernel) }.map(|(_, signature)| signature)
}

/// # Safety
/// `kernel` is null or a kernel of the installed Level Zero loader.
unsafe fn number_and_signature(kernel: ze_kernel_handle_t) -> Result<(usize, Option<Arc<Signature>>), Error> {
    Error::unless_null(kernel, "null kernel")?;
    let driver = Driver::get()?;
    // SAFETY: the caller vouches for the handle.
    let number = number_of_arguments(&unsafe { driver.kernel_properties(kernel) }?);
    Ok((number, arguments::signature(NativeHandle::ZeKernel(kernel.addr()), None, number)))
}

/// Compares arguments with what a kernel takes; returns its [`signature`] if it is known.
///
/// # Errors
/// [`Error::KernelArguments`]; if there is no driver or it does not answer.
///
/// # Safety
/// `kernel` is null or a kernel of the installed Level Zero loader.
unsafe fn check_known(
    kernel: ze_kernel_handle_t,
    given: &[GivenArgument],
) -> Result<Option<Arc<Signature>>, Error> {
    // SAFETY: the same contract.
    let (number, signature) = unsafe { number_and_signature(kernel) }?;
    match &signature {
        Some(signature) => arguments::check(signature, given)?,
        None => arguments::check_number("of unknown name", number, given.len())?,
    }
    Ok(signature)
}

/// Refuses arguments that the kernel does not take; returns its signature. A kernel that [`kernel_create`] has not made is
/// only known by the number of its arguments.
///
/// # Errors
/// [`Error::KernelArguments`]; if there is no driver or it does not answer.
///
/// # Safety
/// `kernel` is null or a kernel of the installed Level Zero loader.
pub unsafe fn check_arguments(
    kernel: ze_kernel_handle_t,
    given: &[GivenArgument],
) -> Result<Option<Arc<Signature>>, Error> {
    // SAFETY: the same contract.
    unsafe { check_known(kernel, given) }
}

/// Lends a kernel of the user's program, whose arguments and launches are then what they are for one of ours. It is
/// not destroyed.
///
/// # Errors
/// If there is no driver or it does not answer.
///
/// # Safety
/// `kernel` is null or a kernel of the installed Level Zero loader that outlives the result and that nobody else sets
/// or launches meanwhile.
pub unsafe fn borrow_kernel(kernel: ze_kernel_handle_t) -> Result<ManuallyDrop<Kernel>, Error> {
    Error::unless_null(kernel, "null kernel")?;
    // SAFETY: the caller vouches for the handle.
    unsafe { Kernel::borrowed(Driver::get()?, kernel) }
}

/// The work-group size that is fixed in the kernel.
///
/// # Errors
/// If there is no driver or it does not answer.
///
/// # Safety
/// `kernel` is null or a kernel of the installed Level Zero loader.
pub unsafe fn get_group_size(kernel: ze_kernel_handle_t) -> Result<[u32; 3], Error> {
    Error::unless_null(kernel, "null kernel")?;
    // SAFETY: the caller vouches for the handle.
    unsafe { Driver::get()?.group_size(kernel) }
}
