//! Registers that the kernels of a program spill, as the extension cl_intel_required_subgroup_size tells.

use std::ffi::c_void;
use std::ptr;

use opencl_sys::{
    CL_KERNEL_SPILL_MEM_SIZE_INTEL, CL_KERNEL_WORK_GROUP_SIZE, cl_device_id, cl_kernel,
    cl_kernel_work_group_info, cl_program, cl_ulong,
};

use super::api::{Api, call};
use super::fixed_group_size;
use crate::runtime::{Error, answer};

/// Bytes that all kernels of a program spill.
///
/// # Errors
/// If the driver does not tell, or a kernel's work-group has more work-items than fit with its registers.
///
/// # Safety
/// `program` is a program of the loader that has been built for `device`.
pub(super) unsafe fn bytes(api: &Api, program: cl_program, device: cl_device_id) -> Result<u64, Error> {
    let mut count = 0;
    // SAFETY: the program is valid by contract; only the number is stored.
    unsafe { call!(api, clCreateKernelsInProgram(program, 0, ptr::null_mut(), &mut count)) }?;
    let length = usize::try_from(count).unwrap_or(usize::MAX);
    let mut kernels: Vec<cl_kernel> = answer::buffer("clCreateKernelsInProgram", length, ptr::null_mut())?;
    // SAFETY: as before; the list has room for that many.
    unsafe { call!(api, clCreateKernelsInProgram(program, count, kernels.as_mut_ptr(), ptr::null_mut())) }?;
    let mut spilled = Ok(0u64);
    for kernel in kernels.into_iter().filter(|kernel| !kernel.is_null()) {
        // SAFETY: the kernel has just been made and is not used after its release.
        let bytes = unsafe {
            let bytes = bytes_of_kernel(api, kernel, device);
            call!(api, clReleaseKernel(kernel)).and(bytes)
        };
        spilled = spilled.and_then(|sum| Ok(sum.saturating_add(bytes?)));
    }
    spilled
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
