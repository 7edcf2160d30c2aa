//! OpenCL: describe devices, build binaries into programs, launch kernels.
//!
//! The functions and [`BuildTarget`] work on handles of the user's program; [`Session`] owns its own.

mod amx;
mod api;
mod bundle;
mod device;
mod foreign;
mod kernel;
mod list;
mod memory;
mod names;
mod native;
mod recording;
mod references;
mod session;
mod spills;
#[cfg(test)]
mod tests;
mod variants;

use std::ffi::{CStr, c_void};
use std::ptr;

use opencl_sys::{
    CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_BINARY, CL_INVALID_BUILD_OPTIONS,
    CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_PROGRAM, CL_LINK_PROGRAM_FAILURE, CL_PROGRAM_BUILD_LOG,
    CL_PROGRAM_DEVICES, CL_PROGRAM_NUM_DEVICES, cl_context, cl_device_id, cl_int, cl_kernel, cl_program,
    cl_uint,
};

use self::api::{Api, call, create};
use self::device::DeviceInfo;
use super::{Binary, BundleFormat, Error, SupportLevel, answer};
use crate::device::CoreInfo;

pub use self::bundle::{BuildTarget, Bundle};
pub use self::foreign::{borrow_kernel, check_arguments, kernel_create, signature};
pub use self::kernel::Kernel;
pub use self::list::devices;
pub use self::native::get_native_binary;
pub use self::references::{Object, release, retain};
pub use self::session::{DeviceKind, Event, Session};
pub use self::variants::{Variant, create_variant, keep_variants, select_variant};

/// Tells how well the device is supported.
///
/// # Errors
/// If there is no driver or it does not answer.
///
/// # Safety
/// `device` is null or a device of the installed OpenCL loader.
pub unsafe fn get_support_level(device: cl_device_id) -> Result<SupportLevel, Error> {
    // SAFETY: the caller vouches for the handle.
    unsafe { DeviceInfo::new(Api::get()?, device) }?.support_level()
}

/// Describes the device to the compiler.
///
/// # Errors
/// [`Error::UnsupportedDevice`] unless it is a GPU or CPU of Intel or a device of AMD; if there is no driver
/// or it does not answer.
///
/// # Safety
/// `device` is null or a device of the installed OpenCL loader.
pub unsafe fn core_info_create(device: cl_device_id) -> Result<CoreInfo, Error> {
    // SAFETY: the caller vouches for the handle.
    unsafe { DeviceInfo::new(Api::get()?, device) }?.core_info()
}

/// Builds the binary for one device.
///
/// # Safety
/// `context` and `device` are a context of the loader and one of its devices.
unsafe fn build(
    api: &Api,
    context: cl_context,
    device: cl_device_id,
    binary: &Binary,
    is_gpu: bool,
) -> Result<cl_program, Error> {
    // Only GPUs have register files to choose from; the CPU's compiler refuses the option.
    let options = if is_gpu { binary.core_features().build_options() } else { None };
    // SAFETY: the handles are valid; the binary's bytes outlive the call, and the driver copies them.
    let program = unsafe { create_program(api, context, device, binary) }?;
    let options = options.map_or(ptr::null(), CStr::as_ptr);
    // SAFETY: program and device are valid, the options end in NUL; no callback, so the call waits.
    let built = unsafe { call!(api, clBuildProgram(program, 1, &device, options, None, ptr::null_mut())) };
    if let Err(error) = built {
        // SAFETY: program and device are valid; the program is not used after its release.
        let log = unsafe {
            let log = build_log(api, program, device);
            // The error that matters is that of the build.
            let _ = call!(api, clReleaseProgram(program));
            log
        };
        return Err(match (log, &error) {
            (Some(log), Error::Call { function, code, .. }) if is_compilers(*code) => {
                Error::Build { function, log }
            }
            _ => error,
        });
    }
    Ok(program)
}

/// The work-group size that is fixed in the kernel.
///
/// # Errors
/// If there is no driver or it does not answer.
///
/// # Safety
/// `kernel` is null or a kernel of the installed OpenCL loader.
pub unsafe fn get_group_size(kernel: cl_kernel) -> Result<[usize; 3], Error> {
    Error::unless_null(kernel, "null kernel")?;
    let api = Api::get()?;
    // A kernel of one device need not be told which. Asking like this comes first, because Intel's CPU
    // runtime forgets the devices of a program that only its kernels hold on to.
    // SAFETY: the kernel is valid by contract.
    if let Ok(size) = unsafe { fixed_group_size(api, kernel, ptr::null_mut()) } {
        return Ok(size);
    }
    let mut program: cl_program = ptr::null_mut();
    // SAFETY: the kernel is valid, hence its program and the devices of that; the program is stored into
    // memory of its size.
    unsafe {
        let handle = (&raw mut program).cast::<c_void>();
        let no_size = ptr::null_mut();
        call!(api, clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, size_of::<cl_program>(), handle, no_size))?;
        let program = answer::object("clGetKernelInfo", program)?;
        fixed_group_size(api, kernel, first_device(api, program)?)
    }
}

/// # Safety
/// `kernel` is a kernel of the loader and `device` one of its devices, or null.
unsafe fn fixed_group_size(api: &Api, kernel: cl_kernel, device: cl_device_id) -> Result<[usize; 3], Error> {
    let mut size = [0usize; 3];
    let query = CL_KERNEL_COMPILE_WORK_GROUP_SIZE;
    let (result, no_size) = (size.as_mut_ptr().cast::<c_void>(), ptr::null_mut());
    // SAFETY: both are valid by contract; the size is stored into memory of its size.
    unsafe {
        call!(api, clGetKernelWorkGroupInfo(kernel, device, query, size_of_val(&size), result, no_size))?;
    }
    Ok(size)
}

/// The number of work-items that make up `num_groups` work-groups of `local_size`.
pub fn get_global_size(num_groups: [usize; 3], local_size: [usize; 3]) -> [usize; 3] {
    let [gx, gy, gz] = num_groups;
    let [lx, ly, lz] = local_size;
    [gx.wrapping_mul(lx), gy.wrapping_mul(ly), gz.wrapping_mul(lz)]
}

/// # Safety
/// `context` is a context of the loader and `device` one of its devices.
unsafe fn create_program(
    api: &Api,
    context: cl_context,
    device: cl_device_id,
    binary: &Binary,
) -> Result<cl_program, Error> {
    let (mut data, length) = (binary.data().as_ptr(), binary.data().len());
    // SAFETY: the handles are valid by contract; pointer and length belong to the binary.
    unsafe {
        match binary.format() {
            BundleFormat::Spirv => create!(api, clCreateProgramWithIL(context, data.cast(), length)),
            BundleFormat::Native => {
                let mut accepted = 0;
                let created = create!(
                    api,
                    clCreateProgramWithBinary(context, 1, &device, &length, &mut data, &mut accepted)
                )?;
                api::check("clCreateProgramWithBinary", accepted).map(|()| created).inspect_err(|_| {
                    // SAFETY: nobody else has the program.
                    let _ = call!(api, clReleaseProgram(created));
                })
            }
        }
    }
}

/// Returns whether an error of a build is the compiler's, which then says more.
fn is_compilers(code: cl_int) -> bool {
    [
        CL_BUILD_PROGRAM_FAILURE,
        CL_COMPILE_PROGRAM_FAILURE,
        CL_LINK_PROGRAM_FAILURE,
        CL_INVALID_BINARY,
        CL_INVALID_BUILD_OPTIONS,
    ]
    .contains(&code)
}

/// # Safety
/// `program` is a program of the loader and `device` one of its devices.
unsafe fn build_log(api: &Api, program: cl_program, device: cl_device_id) -> Option<String> {
    let mut length = 0;
    let query = CL_PROGRAM_BUILD_LOG;
    // SAFETY: the handles are valid by contract; the log is stored into memory of the length asked for.
    let log = unsafe {
        call!(api, clGetProgramBuildInfo(program, device, query, 0, ptr::null_mut(), &mut length)).ok()?;
        let mut log = answer::buffer("clGetProgramBuildInfo", length, 0u8).ok()?;
        let text = log.as_mut_ptr().cast();
        call!(api, clGetProgramBuildInfo(program, device, query, length, text, ptr::null_mut())).ok()?;
        log
    };
    answer::log(&log)
}

/// # Safety
/// `program` is a program of the loader.
unsafe fn first_device(api: &Api, program: cl_program) -> Result<cl_device_id, Error> {
    // SAFETY: the same contract.
    let devices = unsafe { program_devices(api, program) }?;
    answer::object("clGetProgramInfo", devices.first().copied().unwrap_or(ptr::null_mut()))
}

/// # Safety
/// `program` is a program of the loader.
unsafe fn program_devices(api: &Api, program: cl_program) -> Result<Vec<cl_device_id>, Error> {
    let mut count: cl_uint = 0;
    let (result, no_size) = ((&raw mut count).cast(), ptr::null_mut());
    // SAFETY: the program is valid by contract; the count is stored into memory of its size.
    unsafe {
        call!(api, clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, size_of::<cl_uint>(), result, no_size))?;
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut devices = answer::buffer::<cl_device_id>("clGetProgramInfo", count, ptr::null_mut())?;
    let (size, result) = (size_of_val(devices.as_slice()), devices.as_mut_ptr().cast());
    // SAFETY: as before; the list has room for all devices.
    unsafe { call!(api, clGetProgramInfo(program, CL_PROGRAM_DEVICES, size, result, no_size)) }?;
    Ok(devices)
}
