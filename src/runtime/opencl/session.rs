//! A launcher of tiletc's own: one device, its context and queue, memory that host and device share.

use std::ffi::c_void;
use std::ptr;
use std::ptr::NonNull;
use std::sync::Arc;

use opencl_sys::*;

use super::api::{Api, call, create};
use super::bundle::{BuildTarget, Bundle};
use super::device::DeviceInfo;
use super::kernel::Kernel;
use super::list::{all_devices, devices_of, platforms};
use super::memory::MemoryApi;
use super::recording;
use crate::device::CoreInfo;
use crate::runtime::{
    self, Allocator, Argument, Binary, DeviceSummary, Error, Kernel as _, Recording, SupportLevel, Timestamps,
};

/// The extension for memory that host and device share.
const SHARED_MEMORY: &str = "cl_intel_unified_shared_memory";

/// Device that a [`Session`] opens.
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
    shared: Arc<Shared>,
}

pub(super) struct Shared {
    pub(super) target: BuildTarget,
    queue: cl_command_queue,
    pub(super) memory: MemoryApi,
}

// SAFETY: OpenCL's functions may be called from any thread on all objects that are kept here.
unsafe impl Send for Shared {}
// SAFETY: likewise.
unsafe impl Sync for Shared {}

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
                    let device = unsafe { DeviceInfo::new(api, id) }?;
                    if device.support_level()? != SupportLevel::None && device.has_extension(SHARED_MEMORY)? {
                        return Session::on(api, device);
                    }
                }
            }
        }
        Err(Error::NoDevice { wanted })
    }

    fn on(api: &'static Api, device: DeviceInfo<'_>) -> Result<Session, Error> {
        let memory = MemoryApi::load(device)?;
        let id = device.id();
        // SAFETY: the device is valid; no properties, no callback.
        let context = unsafe { create!(api, clCreateContext(ptr::null(), 1, &id, None, ptr::null_mut())) }?;
        let properties = [cl_queue_properties::from(CL_QUEUE_PROPERTIES), CL_QUEUE_PROFILING_ENABLE, 0];
        // SAFETY: the context has just been made for the device; the properties end in 0.
        let queue =
            unsafe { create!(api, clCreateCommandQueueWithProperties(context, id, properties.as_ptr())) };
        let release = |_: &Error| {
            // SAFETY: nobody else has the context. The error that matters is that of the queue.
            let _ = unsafe { call!(api, clReleaseContext(context)) };
        };
        let queue = queue.inspect_err(release)?;
        // SAFETY: the session keeps both.
        let target = unsafe { BuildTarget::new(context, id) }?;
        Ok(Session { shared: Arc::new(Shared { target, queue, memory }) })
    }

    /// The device, valid as long as the session.
    pub fn device(&self) -> cl_device_id {
        self.shared.target.device()
    }

    /// The context, valid as long as the session.
    pub fn context(&self) -> cl_context {
        self.shared.target.context()
    }
}

impl runtime::Device for Session {
    type Bundle = Bundle;

    fn core_info(&self) -> Result<CoreInfo, Error> {
        self.shared.target.core_info()
    }

    fn identity(&self) -> Result<String, Error> {
        self.shared.target.identity()
    }

    fn build(&self, binary: &Binary) -> Result<Bundle, Error> {
        self.shared.target.build(binary)
    }
}

impl runtime::Session for Session {
    type Event = Event;

    fn devices() -> Result<Vec<DeviceSummary>, Error> {
        super::devices()
    }

    fn open_listed(number: usize) -> Result<Session, Error> {
        let api = Api::get()?;
        let listed = all_devices(api)?.get(number).copied();
        let id =
            listed.ok_or(Error::InvalidArguments { what: "there is no OpenCL device of this number" })?;
        // SAFETY: the driver has just listed the device.
        let device = unsafe { DeviceInfo::new(api, id) }?;
        if device.support_level()? == SupportLevel::None || !device.has_extension(SHARED_MEMORY)? {
            let reason = format!("{} has no subgroups or no unified shared memory", device.name()?);
            return Err(Error::UnsupportedDevice { reason });
        }
        Session::on(api, device)
    }

    fn device_name(&self) -> Result<String, Error> {
        self.shared.target.info()?.name()
    }

    fn driver_version(&self) -> Result<String, Error> {
        self.shared.target.info()?.driver_version()
    }

    fn allocator(&self) -> Arc<dyn Allocator> {
        self.shared.clone()
    }

    unsafe fn launch(
        &self,
        kernel: &mut Kernel,
        groups: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<Event, Error> {
        kernel.allow_indirect_access()?;
        kernel.set_arguments(arguments)?;
        let mut event = Event { session: self.clone(), event: None };
        if !groups.contains(&0) {
            // SAFETY: the queue is of the context that the kernel was built for; the caller vouches for the rest.
            event.event = unsafe { kernel.enqueue(self.shared.queue, groups.map(u64::from), &[], true) }?;
            // Without this a driver may keep the launch until somebody waits for it.
            // SAFETY: the queue is valid.
            unsafe { call!(self.shared.target.api(), clFlush(self.shared.queue)) }?;
        }
        Ok(event)
    }

    fn can_record(&self) -> Result<bool, Error> {
        self.shared.target.info()?.has_extension(recording::COMMAND_BUFFERS)
    }

    unsafe fn replay(
        &self,
        kernel: &mut Kernel,
        groups: [u32; 3],
        arguments: &[Argument<'_>],
        recording: Recording,
    ) -> Result<Option<Timestamps>, Error> {
        kernel.allow_indirect_access()?;
        kernel.set_arguments(arguments)?;
        let Shared { target, queue, .. } = &*self.shared;
        let groups = groups.map(u64::from);
        // SAFETY: the session's queue is in order; the rest is this function's contract.
        unsafe { recording::replay(target.api(), target.info()?, *queue, kernel, groups, recording) }?;
        Ok(None)
    }
}

/// A launch in the queue of a [`Session`].
pub struct Event {
    session: Session,
    /// None of a launch of no work-groups.
    event: Option<cl_event>,
}

// SAFETY: OpenCL's functions may be called from any thread on an event.
unsafe impl Send for Event {}

impl runtime::Event for Event {
    /// The start and the end by the profiling of the queue.
    type Profile = Option<Timestamps>;

    fn wait(self) -> Result<Option<Timestamps>, Error> {
        let Some(event) = self.event else { return Ok(None) };
        let api = self.session.shared.target.api();
        // SAFETY: the event is valid.
        unsafe { call!(api, clWaitForEvents(1, &event)) }?;
        let time = |query| {
            let mut time: cl_ulong = 0;
            let (size, result) = (size_of::<cl_ulong>(), (&raw mut time).cast::<c_void>());
            // SAFETY: the event is valid; the time is stored into memory of its size.
            unsafe { call!(api, clGetEventProfilingInfo(event, query, size, result, ptr::null_mut())) }?;
            Ok::<_, Error>(time)
        };
        let (start, end) = (time(CL_PROFILING_COMMAND_START)?, time(CL_PROFILING_COMMAND_END)?);
        Ok(Some(Timestamps { start, end }))
    }
}

// What is released has no other user; that a driver refuses to release it is nothing to act upon.

impl Drop for Event {
    fn drop(&mut self) {
        if let Some(event) = self.event {
            // SAFETY: the event was made for this object and is not used again.
            let _ = unsafe { call!(self.session.shared.target.api(), clReleaseEvent(event)) };
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let api = self.target.api();
        // SAFETY: events and memory hold the session, so they are gone by now; programs and kernels hold the context by
        // themselves.
        unsafe {
            let _ = call!(api, clReleaseCommandQueue(self.queue));
            let _ = call!(api, clReleaseContext(self.target.context()));
        }
    }
}

impl Allocator for Shared {
    fn allocate(&self, bytes: &[u8], alignment: usize) -> Result<NonNull<u8>, Error> {
        // SAFETY: the session's handles are valid.
        unsafe { self.memory.allocate_with(self.target.context(), self.target.device(), bytes, alignment) }
    }

    unsafe fn free(&self, start: NonNull<u8>) {
        // SAFETY: this function's contract; the memory is of this session.
        unsafe { self.memory.free(self.target.context(), start) }
    }
}
