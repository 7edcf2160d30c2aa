//! Kernels by name.

use std::ffi::CString;
use std::ptr;

use opencl_sys::{
    CL_INVALID_KERNEL_NAME, CL_KERNEL_FUNCTION_NAME, CL_PROGRAM_KERNEL_NAMES, cl_kernel, cl_program,
};

use super::api::{Api, call, create};
use crate::runtime::{Error, answer};

/// Creates the kernel of the name.
///
/// # Safety
/// `program` is a built program of the loader.
pub(super) unsafe fn create_kernel(api: &Api, program: cl_program, name: &str) -> Result<cl_kernel, Error> {
    let Ok(c_name) = CString::new(name) else {
        return Err(Error::InvalidArguments { what: "kernel name with a NUL" });
    };
    // SAFETY: the program is valid by contract, the name ends in NUL.
    match unsafe { create!(api, clCreateKernel(program, c_name.as_ptr())) } {
        Err(Error::Call { code: CL_INVALID_KERNEL_NAME, .. }) => {
            // SAFETY: as before.
            let kernels = unsafe { kernel_names(api, program) };
            Err(Error::NoKernel { name: name.to_owned(), kernels })
        }
        other => other,
    }
}

/// The names of a program's kernels; none if the driver does not tell.
///
/// # Safety
/// `program` is a built program of the loader.
unsafe fn kernel_names(api: &Api, program: cl_program) -> Vec<String> {
    let mut size = 0;
    let (query, no_size) = (CL_PROGRAM_KERNEL_NAMES, ptr::null_mut());
    // SAFETY: the program is valid by contract; the answer is stored into memory of the size asked for.
    let bytes = unsafe {
        call!(api, clGetProgramInfo(program, query, 0, ptr::null_mut(), &mut size)).and_then(|()| {
            let mut bytes = answer::buffer("clGetProgramInfo", size, 0u8)?;
            call!(api, clGetProgramInfo(program, query, size, bytes.as_mut_ptr().cast(), no_size))?;
            Ok(bytes)
        })
    };
    let text = String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
    text.trim_matches('\0').split(';').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The name of a kernel.
///
/// # Safety
/// `kernel` is a kernel of the loader.
pub(super) unsafe fn kernel_name(api: &Api, kernel: cl_kernel) -> Result<String, Error> {
    let (mut size, query) = (0, CL_KERNEL_FUNCTION_NAME);
    let text = |name: &[u8]| {
        let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(name).into_owned()
    };
    // A launch asks, and nearly all names fit.
    let mut short = [0_u8; 128];
    let place = short.as_mut_ptr().cast();
    // SAFETY: the kernel is valid by contract; the name is stored into memory of the size asked for.
    unsafe {
        if call!(api, clGetKernelInfo(kernel, query, short.len(), place, ptr::null_mut())).is_ok() {
            return Ok(text(&short));
        }
        call!(api, clGetKernelInfo(kernel, query, 0, ptr::null_mut(), &mut size))?;
        let mut name = answer::buffer("clGetKernelInfo", size, 0_u8)?;
        call!(api, clGetKernelInfo(kernel, query, size, name.as_mut_ptr().cast(), ptr::null_mut()))?;
        Ok(text(&name))
    }
}
