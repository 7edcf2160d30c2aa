//! OpenCL (`spec/api.md` 5.1). Declared in `tiletc_cl.h`, which is written by hand.

use super::arg::{Out, foreign};
use super::binary::Binary;
use super::bundle;
use super::call::call;
use super::core_info::CoreInfo;
use super::handle::Handle;
use super::program::Program;
use super::types::*;
use crate::runtime::{self, Error, opencl};
use crate::target::CoreFeatures;
use opencl_sys::{cl_context, cl_device_id, cl_kernel, cl_program};

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
        let level = unsafe { opencl::get_support_level(device) }.map_err(|error| error.status())?;
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
        let info = unsafe { opencl::core_info_create(device) }.map_err(|error| error.status())?;
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
        // SAFETY: the caller passes a device of the OpenCL that is installed.
        let info = unsafe { opencl::core_info_create(device) };
        let mut info = info.map_err(|error| program.context.fail(error.status(), error.to_string()))?;
        info.set_core_features(CoreFeatures::from_bits(core_features));
        // SAFETY: the caller passes a context and a device of the OpenCL that is installed.
        let device = unsafe { Device::new(context, device) };
        out.set(bundle::with_program(&device, &program, &info)?);
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
        let device = unsafe { Device::new(context, device) };
        out.set(bundle::with_binary(&device, &binary)?);
        Ok(())
    })
}

/// Where a kernel bundle is built: objects of the OpenCL that is installed, for as long as this lives.
struct Device {
    context: cl_context,
    device: cl_device_id,
}

impl Device {
    /// # Safety
    /// `context` and `device` are objects of the OpenCL that is installed and outlive the result.
    unsafe fn new(context: cl_context, device: cl_device_id) -> Device {
        Device { context, device }
    }
}

impl bundle::Device for Device {
    type Bundle = cl_program;

    fn build(&self, binary: &runtime::Binary) -> Result<cl_program, Error> {
        // SAFETY: both are valid since this was made.
        unsafe { opencl::kernel_bundle_create_with_binary(self.context, self.device, binary) }
    }

    fn native_binary(&self, bundle: &cl_program) -> Result<Vec<u8>, Error> {
        // SAFETY: the bundle has been built for the device.
        unsafe { opencl::get_native_binary(*bundle, self.device) }
    }

    fn identity(&self) -> Result<String, Error> {
        // SAFETY: the device is valid since this was made.
        unsafe { opencl::get_identity(self.device) }
    }
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
        out.set(unsafe { opencl::get_group_size(kernel) }.map_err(|error| error.status())?);
        Ok(())
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
