//! Binaries that an OpenCL driver has built.

use opencl_sys::{cl_context, cl_device_id, cl_program};

use super::api::{Api, call};
use super::device::DeviceInfo;
use super::spills;
use crate::device::CoreInfo;
use crate::runtime::{self, Binary, Error, KernelReport};

/// A context and a device of it, which bundles are built for.
#[derive(Clone, Copy)]
pub struct BuildTarget {
    api: &'static Api,
    context: cl_context,
    device: cl_device_id,
}

// SAFETY: OpenCL's functions may be called from any thread on contexts and devices.
unsafe impl Send for BuildTarget {}
// SAFETY: likewise.
unsafe impl Sync for BuildTarget {}

impl BuildTarget {
    /// A device of the user's program.
    ///
    /// # Errors
    /// [`Error::InvalidArguments`] if a handle is null; if there is no driver.
    ///
    /// # Safety
    /// `context` and `device` are null or a context of the installed OpenCL loader and one of its devices, which
    /// outlive the result and the kernels of all that is built for it.
    pub unsafe fn new(context: cl_context, device: cl_device_id) -> Result<BuildTarget, Error> {
        Error::unless_null(context, "null context")?;
        Error::unless_null(device, "null device")?;
        Ok(BuildTarget { api: Api::get()?, context, device })
    }

    /// The context.
    pub(super) fn context(&self) -> cl_context {
        self.context
    }

    /// The device.
    pub(super) fn device(&self) -> cl_device_id {
        self.device
    }

    pub(super) fn api(&self) -> &'static Api {
        self.api
    }

    pub(super) fn info(&self) -> Result<DeviceInfo<'static>, Error> {
        // SAFETY: the device is valid since this was made.
        unsafe { DeviceInfo::new(self.api, self.device) }
    }
}

impl runtime::Device for BuildTarget {
    type Bundle = Bundle;

    fn core_info(&self) -> Result<CoreInfo, Error> {
        self.info()?.core_info()
    }

    fn identity(&self) -> Result<String, Error> {
        self.info()?.identity()
    }

    fn build(&self, binary: &Binary) -> Result<Bundle, Error> {
        binary.check()?;
        let is_gpu = self.info()?.is_gpu()?;
        // SAFETY: context and device are valid since this was made.
        let program = unsafe { super::build(self.api, self.context, self.device, binary, is_gpu) }?;
        Ok(Bundle { target: *self, program, is_gpu })
    }
}

/// A program that is built for one device.
pub struct Bundle {
    target: BuildTarget,
    program: cl_program,
    is_gpu: bool,
}

// SAFETY: OpenCL's functions may be called from any thread on a program.
unsafe impl Send for Bundle {}
// SAFETY: likewise.
unsafe impl Sync for Bundle {}

impl Bundle {
    /// A program that is built for a device, and a reference to which is the bundle's.
    pub(super) fn of(target: BuildTarget, program: cl_program, is_gpu: bool) -> Bundle {
        Bundle { target, program, is_gpu }
    }

    /// The program, which the caller releases with `clReleaseProgram`.
    pub fn into_raw(self) -> cl_program {
        std::mem::ManuallyDrop::new(self).program
    }

    pub(super) fn native_binary(&self) -> Result<Vec<u8>, Error> {
        // SAFETY: the program has been built for the device.
        unsafe { super::get_native_binary(self.program, self.target.device) }
    }

    /// Only GPUs have register files to choose from.
    pub(super) fn spilled_bytes(&self) -> Result<u64, Error> {
        let BuildTarget { api, device, .. } = self.target;
        // SAFETY: the program has been built for the device.
        if self.is_gpu { unsafe { spills::bytes(api, self.program, device) } } else { Ok(0) }
    }

    pub(super) fn reports(&self) -> Result<Vec<KernelReport>, Error> {
        let BuildTarget { api, device, .. } = self.target;
        // SAFETY: the program has been built for the device.
        unsafe { spills::reports(api, self.program, device) }
    }

    pub(super) fn program(&self) -> cl_program {
        self.program
    }

    pub(super) fn target(&self) -> BuildTarget {
        self.target
    }
}

impl Drop for Bundle {
    fn drop(&mut self) {
        // That the driver refuses to release it is nothing to act upon.
        // SAFETY: the program was made for this object, whose kernels hold it, and is not used again.
        let _ = unsafe { call!(self.target.api, clReleaseProgram(self.program)) };
    }
}
