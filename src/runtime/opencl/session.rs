//! A launcher of tiletc's own: one device, its context and queue, memory that host and device share.
//!
//! Made for tests and tools. A launch waits for its end, so that memory needs no bookkeeping.
//!
//! ```no_run
//! # use tiletc::runtime::{Binary, Error, opencl::{DeviceKind, Session}};
//! # fn run(binary: &Binary) -> Result<(), Error> {
//! let session = Session::open(DeviceKind::Any)?;
//! let mut kernel = session.build(binary)?.kernel("scale")?;
//! let x = session.memory(&[1.0f32; 64])?;
//! // SAFETY: four work-groups of 16 scale 64 numbers.
//! unsafe { kernel.run([4, 1, 1], &[2.0f32.into(), (&x).into()])? };
//! assert_eq!(x[0], 2.0);
//! # Ok(())
//! # }
//! ```

use std::ffi::CString;
use std::ptr;
use std::sync::Arc;

use opencl_sys::*;

use super::api::{Api, call, create};
use super::device::Device;
use super::list::{all_devices, devices_of, platforms};
use super::memory::{Argument, MemoryApi};
use crate::runtime::{Binary, Error, SupportLevel};
use crate::target::CoreInfo;

/// Which device a [`Session`] opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// The first CPU.
    Cpu,
    /// The first GPU.
    Gpu,
    /// The first GPU, or where there is none the first CPU.
    Any,
}

/// A device with everything that running kernels on it takes; clones share it.
#[derive(Clone)]
pub struct Session {
    pub(super) shared: Arc<Shared>,
}

pub(super) struct Shared {
    api: &'static Api,
    device: cl_device_id,
    context: cl_context,
    queue: cl_command_queue,
    pub(super) memory: MemoryApi,
}

// SAFETY: OpenCL's functions may be called from any thread on all objects that are kept here.
unsafe impl Send for Shared {}
// SAFETY: likewise.
unsafe impl Sync for Shared {}

/// A built binary.
pub struct Program {
    session: Session,
    program: cl_program,
}

// SAFETY: OpenCL's functions may be called from any thread on a program.
unsafe impl Send for Program {}

/// A kernel of a [`Program`].
pub struct Kernel {
    session: Session,
    kernel: cl_kernel,
    group_size: [usize; 3],
}

// SAFETY: a kernel may move between threads; only setting its arguments must not overlap, and takes `&mut`.
unsafe impl Send for Kernel {}

impl Session {
    /// Opens the first device of the kind that has subgroups and unified shared memory.
    ///
    /// # Errors
    /// [`Error::DriverMissing`] or [`Error::NoDevice`] if there is nothing to run kernels on; whatever a driver
    /// fails with.
    pub fn open(kind: DeviceKind) -> Result<Session, Error> {
        let api = Api::get()?;
        let (types, wanted): (&[cl_device_type], _) = match kind {
            DeviceKind::Cpu => (&[CL_DEVICE_TYPE_CPU], "CPU"),
            DeviceKind::Gpu => (&[CL_DEVICE_TYPE_GPU], "GPU"),
            DeviceKind::Any => (&[CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU], "GPU or CPU"),
        };
        let platforms = platforms(api)?;
        for &ty in types {
            for &platform in &platforms {
                for id in devices_of(api, platform, ty)? {
                    // SAFETY: the driver has just listed the device.
                    let device = unsafe { Device::new(api, id) }?;
                    if device.support_level()? != SupportLevel::None
                        && device.has_extension("cl_intel_unified_shared_memory")?
                    {
                        return Session::on(api, device);
                    }
                }
            }
        }
        Err(Error::NoDevice { wanted })
    }

    /// Opens the device of a number in the list of [`devices`](super::devices).
    ///
    /// # Errors
    /// [`Error::DriverMissing`] if there is no loader, [`Error::InvalidArguments`] if there is no device of the number,
    /// [`Error::UnsupportedDevice`] if it has no subgroups or no unified shared memory; whatever a driver fails with.
    pub fn open_listed(number: usize) -> Result<Session, Error> {
        let api = Api::get()?;
        let listed = all_devices(api)?.get(number).copied();
        let id =
            listed.ok_or(Error::InvalidArguments { what: "there is no OpenCL device of this number" })?;
        // SAFETY: the driver has just listed the device.
        let device = unsafe { Device::new(api, id) }?;
        if device.support_level()? == SupportLevel::None
            || !device.has_extension("cl_intel_unified_shared_memory")?
        {
            let reason = format!("{} has no subgroups or no unified shared memory", device.name()?);
            return Err(Error::UnsupportedDevice { reason });
        }
        Session::on(api, device)
    }

    fn on(api: &'static Api, device: Device<'_>) -> Result<Session, Error> {
        let memory = MemoryApi::load(api, device)?;
        let id = device.id();
        // SAFETY: the device is valid; no properties, no callback.
        let context = unsafe { create!(api, clCreateContext(ptr::null(), 1, &id, None, ptr::null_mut())) }?;
        // SAFETY: the context has just been made for the device.
        let queue = unsafe { create!(api, clCreateCommandQueueWithProperties(context, id, ptr::null())) };
        let queue = queue.inspect_err(|_| {
            // SAFETY: nobody else has the context. The error that matters is that of the queue.
            let _ = unsafe { call!(api, clReleaseContext(context)) };
        })?;
        Ok(Session { shared: Arc::new(Shared { api, device: id, context, queue, memory }) })
    }

    /// The device, valid as long as the session.
    pub fn device(&self) -> cl_device_id {
        self.shared.device
    }

    /// The context, valid as long as the session.
    pub fn context(&self) -> cl_context {
        self.shared.context
    }

    /// The device's name.
    ///
    /// # Errors
    /// If the driver does not answer.
    pub fn device_name(&self) -> Result<String, Error> {
        self.with_device(|device| device.name())
    }

    /// What the compiler needs to know of the device.
    ///
    /// # Errors
    /// As for [`core_info_create`](super::core_info_create).
    pub fn core_info(&self) -> Result<CoreInfo, Error> {
        self.with_device(|device| device.core_info())
    }

    fn with_device<T>(&self, ask: impl FnOnce(Device<'_>) -> Result<T, Error>) -> Result<T, Error> {
        // SAFETY: the session's device is valid.
        ask(unsafe { Device::new(self.shared.api, self.shared.device) }?)
    }

    /// Builds the binary for the device.
    ///
    /// # Errors
    /// As for [`kernel_bundle_create_with_binary`](super::kernel_bundle_create_with_binary).
    pub fn build(&self, binary: &Binary) -> Result<Program, Error> {
        // SAFETY: the session's handles are valid.
        let program =
            unsafe { super::kernel_bundle_create_with_binary(self.context(), self.device(), binary) }?;
        Ok(Program { session: self.clone(), program })
    }
}

impl Program {
    /// The kernel of the name.
    ///
    /// # Errors
    /// If there is none.
    pub fn kernel(&self, name: &str) -> Result<Kernel, Error> {
        let api = self.session.shared.api;
        let Ok(name) = CString::new(name) else {
            return Err(Error::InvalidArguments { what: "kernel name with a NUL" });
        };
        // SAFETY: the program is valid, the name ends in NUL.
        let kernel = unsafe { create!(api, clCreateKernel(self.program, name.as_ptr())) }?;
        let mut kernel = Kernel { session: self.session.clone(), kernel, group_size: [0; 3] };
        // SAFETY: the kernel is valid.
        kernel.group_size = unsafe { super::get_group_size(kernel.kernel) }?;
        kernel.allow_indirect_access()?;
        Ok(kernel)
    }

    /// What the driver has made of the binary; [`Session::build`] takes it as a native one.
    ///
    /// # Errors
    /// If the driver does not give it away.
    pub fn native_binary(&self) -> Result<Vec<u8>, Error> {
        // SAFETY: the program is valid, and the device is that of its session.
        unsafe { super::get_native_binary(self.program, self.session.device()) }
    }
}

impl Kernel {
    /// The work-group size that is fixed in the kernel.
    pub fn group_size(&self) -> [usize; 3] {
        self.group_size
    }

    /// Runs the kernel on that many work-groups and waits for the end. No work-groups, nothing to do.
    ///
    /// # Errors
    /// If the arguments do not fit the kernel, or the driver fails.
    ///
    /// # Safety
    /// With these arguments the kernel only accesses [`Memory`] that exists, within its bounds, and no
    /// reference to what it writes is alive.
    pub unsafe fn run(&mut self, groups: [usize; 3], arguments: &[Argument<'_>]) -> Result<(), Error> {
        let Shared { api, queue, memory, .. } = &*self.session.shared;
        for (index, argument) in (0..).zip(arguments) {
            // SAFETY: the kernel is valid and borrowed for writing.
            unsafe { argument.set(api, memory, self.kernel, index) }?;
        }
        if groups.contains(&0) {
            return Ok(());
        }
        let global = super::get_global_size(groups, self.group_size);
        let (offset, global, local) = (ptr::null(), global.as_ptr(), self.group_size.as_ptr());
        let (no_list, no_event) = (ptr::null(), ptr::null_mut());
        // SAFETY: queue and kernel are valid, the sizes have three entries; the caller vouches for the rest.
        unsafe {
            call!(
                api,
                clEnqueueNDRangeKernel(*queue, self.kernel, 3, offset, global, local, 0, no_list, no_event)
            )?;
            call!(api, clFinish(*queue))
        }
    }

    /// Tells the driver that the kernel may follow pointers it finds in memory, as those of a group.
    fn allow_indirect_access(&mut self) -> Result<(), Error> {
        let allowed: cl_bool = CL_TRUE;
        for kind in [
            CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
            CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
            CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
        ] {
            let (size, value) = (size_of::<cl_bool>(), (&raw const allowed).cast());
            // SAFETY: the kernel is valid and borrowed for writing; the value has the size given.
            unsafe { call!(self.session.shared.api, clSetKernelExecInfo(self.kernel, kind, size, value)) }?;
        }
        Ok(())
    }
}

// What is released has no other user; that a driver refuses to release it is nothing to act upon.

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: programs, kernels and memory hold the session, so they are gone by now.
        unsafe {
            let _ = call!(self.api, clReleaseCommandQueue(self.queue));
            let _ = call!(self.api, clReleaseContext(self.context));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: a kernel keeps its program alive by itself.
        let _ = unsafe { call!(self.session.shared.api, clReleaseProgram(self.program)) };
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: launches wait, so the kernel is not running.
        let _ = unsafe { call!(self.session.shared.api, clReleaseKernel(self.kernel)) };
    }
}
