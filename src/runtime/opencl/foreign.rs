//! Kernels of the user's program: created by name, checked against their signature, set and launched.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;

use opencl_sys::{CL_KERNEL_NUM_ARGS, CL_KERNEL_PROGRAM, cl_kernel, cl_kernel_info, cl_program, cl_uint};

use super::api::{Api, call};
use super::device::DeviceInfo;
use super::kernel::Kernel;
use super::names::{create_kernel, kernel_name};
use crate::ir::Signature;
use crate::runtime::arguments::{self, GivenArgument, NativeHandle};
use crate::runtime::{Error, answer};

/// Creates the kernel of the name; the caller releases it with `clReleaseKernel`.
///
/// # Errors
/// [`Error::NoKernel`], which names those there are; if there is no driver, or it fails.
///
/// # Safety
/// `program` is null or a built program of the installed OpenCL loader.
pub unsafe fn kernel_create(program: cl_program, name: &str) -> Result<cl_kernel, Error> {
    Error::unless_null(program, "null program")?;
    // SAFETY: the caller vouches for the handle.
    unsafe { create_kernel(Api::get()?, program, name) }
}

/// Facts by which a kernel is known again.
pub(super) struct Identity {
    pub(super) program: cl_program,
    name: String,
    number: usize,
}

/// # Safety
/// `kernel` is null or a kernel of the installed OpenCL loader.
pub(super) unsafe fn identify(kernel: cl_kernel) -> Result<Identity, Error> {
    Error::unless_null(kernel, "null kernel")?;
    let api = Api::get()?;
    // SAFETY: the kernel is valid by contract; the queries answer with values of these types.
    unsafe {
        let program: cl_program = value(api, kernel, CL_KERNEL_PROGRAM, ptr::null_mut())?;
        let number: cl_uint = value(api, kernel, CL_KERNEL_NUM_ARGS, 0)?;
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        Ok(Identity { program, number, name: kernel_name(api, kernel)? })
    }
}

/// Compares arguments with what a kernel takes; returns its signature if it is known.
///
/// # Errors
/// [`Error::KernelArguments`]
pub(super) fn check_known(
    kernel: &Identity,
    given: &[GivenArgument],
) -> Result<Option<Arc<Signature>>, Error> {
    let signature = known_signature(kernel);
    match &signature {
        Some(signature) => arguments::check(signature, given)?,
        None => arguments::check_number(&kernel.name, kernel.number, given.len())?,
    }
    Ok(signature)
}

/// Signature of a kernel, if it is known.
///
/// # Errors
/// If there is no driver or it does not answer.
///
/// # Safety
/// `kernel` is null or a kernel of the installed OpenCL loader.
pub unsafe fn signature(kernel: cl_kernel) -> Result<Option<Arc<Signature>>, Error> {
    // SAFETY: the same contract.
    Ok(known_signature(&unsafe { identify(kernel) }?))
}

fn known_signature(Identity { program, name, number }: &Identity) -> Option<Arc<Signature>> {
    arguments::signature(NativeHandle::ClProgram(program.addr()), Some(name), *number)
}

/// Refuses arguments that the kernel does not take; returns its signature, if it is known.
///
/// # Errors
/// [`Error::KernelArguments`]; if there is no driver or it does not answer.
///
/// # Safety
/// `kernel` is null or a kernel of the installed OpenCL loader.
pub unsafe fn check_arguments(
    kernel: cl_kernel,
    given: &[GivenArgument],
) -> Result<Option<Arc<Signature>>, Error> {
    // SAFETY: the same contract.
    check_known(&unsafe { identify(kernel) }?, given)
}

/// # Safety
/// `kernel` is a kernel of the loader, and `query` answers with a `T`.
unsafe fn value<T: Copy>(api: &Api, kernel: cl_kernel, query: cl_kernel_info, empty: T) -> Result<T, Error> {
    let mut value = empty;
    let (place, no_size) = ((&raw mut value).cast::<c_void>(), ptr::null_mut());
    // SAFETY: the kernel is valid by contract; the answer is stored into memory of its size.
    unsafe { call!(api, clGetKernelInfo(kernel, query, size_of::<T>(), place, no_size)) }?;
    Ok(value)
}

/// Lends a kernel of the user's program, whose arguments and launches are then what they are for one of ours. It is
/// not released.
///
/// # Errors
/// If there is no driver or it does not answer.
///
/// # Safety
/// `kernel` is null or a kernel of the installed OpenCL loader that outlives the result and that nobody else sets or
/// launches meanwhile.
pub unsafe fn borrow_kernel(kernel: cl_kernel) -> Result<ManuallyDrop<Kernel>, Error> {
    Error::unless_null(kernel, "null kernel")?;
    let api = Api::get()?;
    // SAFETY: the kernel is valid by contract, hence its program and the devices of that.
    unsafe {
        let program: cl_program = value(api, kernel, CL_KERNEL_PROGRAM, ptr::null_mut())?;
        let program = answer::object("clGetKernelInfo", program)?;
        let device = DeviceInfo::new(api, super::first_device(api, program)?)?;
        Kernel::borrowed(api, kernel, device)
    }
}
