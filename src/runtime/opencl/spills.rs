//! Registers that the kernels of a program spill, as the extension cl_intel_required_subgroup_size tells.

use std::ffi::c_void;
use std::ptr;

use opencl_sys::{
    CL_KERNEL_LOCAL_MEM_SIZE, CL_KERNEL_PRIVATE_MEM_SIZE, CL_KERNEL_SPILL_MEM_SIZE_INTEL,
    CL_KERNEL_WORK_GROUP_SIZE, cl_device_id, cl_kernel, cl_kernel_work_group_info, cl_program, cl_ulong,
};

use super::api::{Api, call};
use super::fixed_group_size;
use super::names::kernel_name;
use crate::runtime::{Error, KernelReport, answer};

/// Bytes that all kernels of a program spill.
///
/// # Errors
/// If the driver does not tell, or a kernel's work-group has more work-items than fit with its registers.
///
/// # Safety
/// `program` is a program of the loader that has been built for `device`.
pub(super) unsafe fn bytes(api: &Api, program: cl_program, device: cl_device_id) -> Result<u64, Error> {
    let mut sum = 0u64;
    // SAFETY: the same contract, and that of what is called with each kernel.
    unsafe {
        for_each_kernel(api, program, |kernel| {
            sum = sum.saturating_add(bytes_of_kernel(api, kernel, device)?);
            Ok(())
        })
    }?;
    Ok(sum)
}

/// Reports on all kernels of a program, but for their registers.
///
/// # Errors
/// If the driver does not tell.
///
/// # Safety
/// As for [`bytes`].
pub(super) unsafe fn reports(
    api: &Api,
    program: cl_program,
    device: cl_device_id,
) -> Result<Vec<KernelReport>, Error> {
    let mut reports = Vec::new();
    // SAFETY: the same contract, and that of what is called with each kernel; the queries answer with numbers of these
    // types.
    unsafe {
        for_each_kernel(api, program, |kernel| {
            let size = fixed_group_size(api, kernel, device)?;
            reports.push(KernelReport {
                name: kernel_name(api, kernel)?,
                group_size: size.map(|items| u64::try_from(items).unwrap_or(u64::MAX)),
                local_bytes: value::<cl_ulong>(api, kernel, device, CL_KERNEL_LOCAL_MEM_SIZE)?,
                private_bytes: value::<cl_ulong>(api, kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE)?,
                // Only Intel's GPUs know of it.
                spilled_bytes: value::<cl_ulong>(api, kernel, device, CL_KERNEL_SPILL_MEM_SIZE_INTEL).ok(),
                registers: None,
            });
            Ok(())
        })
    }?;
    Ok(reports)
}

/// Calls a function with each kernel of a program, which is released then.
///
/// # Safety
/// `program` is a program of the loader that has been built.
unsafe fn for_each_kernel(
    api: &Api,
    program: cl_program,
    mut visit: impl FnMut(cl_kernel) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut count = 0;
    // SAFETY: the program is valid by contract; only the number is stored.
    unsafe { call!(api, clCreateKernelsInProgram(program, 0, ptr::null_mut(), &mut count)) }?;
    let length = usize::try_from(count).unwrap_or(usize::MAX);
    let mut kernels: Vec<cl_kernel> = answer::buffer("clCreateKernelsInProgram", length, ptr::null_mut())?;
    // SAFETY: as before; the list has room for that many.
    unsafe { call!(api, clCreateKernelsInProgram(program, count, kernels.as_mut_ptr(), ptr::null_mut())) }?;
    let mut visited = Ok(());
    for kernel in kernels.into_iter().filter(|kernel| !kernel.is_null()) {
        if visited.is_ok() {
            visited = visit(kernel);
        }
        // SAFETY: the kernel has just been made and is not used after its release.
        let released = unsafe { call!(api, clReleaseKernel(kernel)) };
        visited = visited.and(released);
    }
    visited
}

/// # Safety
/// `kernel` is a kernel of the loader and `device` a device that it has been built for.
unsafe fn bytes_of_kernel(api: &Api, kernel: cl_kernel, device: cl_device_id) -> Result<u64, Error> {
    // SAFETY: the same contract; the queries answer with numbers of these types.
    unsafe {
        let largest: usize = value(api, kernel, device, CL_KERNEL_WORK_GROUP_SIZE)?;
        if fixed_group_size(api, kernel, device)?.iter().product::<usize>() > largest {
            return Err(Error::InvalidArguments { what: "a work-group too large for its registers" });
        }
        value::<cl_ulong>(api, kernel, device, CL_KERNEL_SPILL_MEM_SIZE_INTEL)
    }
}

/// # Safety
/// As for [`bytes_of_kernel`]; the answer to `query` is a `T`.
unsafe fn value<T: Copy + Default>(
    api: &Api,
    kernel: cl_kernel,
    device: cl_device_id,
    query: cl_kernel_work_group_info,
) -> Result<T, Error> {
    let mut value = T::default();
    let place = (&raw mut value).cast::<c_void>();
    // SAFETY: the handles are valid by contract; the answer is stored into memory of its size.
    unsafe {
        call!(api, clGetKernelWorkGroupInfo(kernel, device, query, size_of::<T>(), place, ptr::null_mut()))?;
    }
    Ok(value)
}
