//! A launcher of tiletc's own: one device, its context and queue, memory that host and device share.
//!
//! Made for tests and tools. A launch waits for its end, so that memory needs no bookkeeping.

use std::ffi::{CStr, CString, c_void};
use std::marker::PhantomData;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::Arc;

use half::{bf16, f16};
use num_complex::Complex;
use opencl_sys::*;

use super::api::{Api, call, create};
use super::device::Device;
use crate::runtime::{Binary, Error, SupportLevel};
use crate::target::CoreInfo;

/// Alignment of all memory, the default that kernels rely on.
const ALIGNMENT: cl_uint = 128;

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
    shared: Arc<Shared>,
}

struct Shared {
    api: &'static Api,
    device: cl_device_id,
    context: cl_context,
    queue: cl_command_queue,
    memory: MemoryApi,
}

// SAFETY: OpenCL's functions may be called from any thread on all objects that are kept here.
unsafe impl Send for Shared {}
// SAFETY: likewise.
unsafe impl Sync for Shared {}

/// Functions of `cl_intel_unified_shared_memory`.
#[allow(non_snake_case)]
struct MemoryApi {
    clSharedMemAllocINTEL: clSharedMemAllocINTEL_t,
    clHostMemAllocINTEL: clHostMemAllocINTEL_t,
    clMemBlockingFreeINTEL: clMemBlockingFreeINTEL_t,
    clSetKernelArgMemPointerINTEL: clSetKernelArgMemPointerINTEL_t,
    /// Whether the device takes shared memory; if not, it reads and writes the host's.
    has_shared: bool,
}

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

/// Numbers in memory that host and device share; to the host it is a slice.
pub struct Memory<T: Plain> {
    session: Session,
    start: NonNull<T>,
    length: usize,
    owned: PhantomData<T>,
}

// SAFETY: the memory is owned like that of a `Vec`.
unsafe impl<T: Plain> Send for Memory<T> {}

/// Types whose values host and device represent alike.
///
/// # Safety
/// All bits zero, and whatever bits a kernel writes, are a value of the type.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($ty:ty)*) => {
        $(
            // SAFETY: a number of any bits, or some of these in a row.
            unsafe impl Plain for $ty {}

            impl From<$ty> for Argument<'_> {
                fn from(value: $ty) -> Self {
                    const { assert!(size_of::<$ty>() <= MAX_VALUE_SIZE) };
                    let mut bytes = [0u8; MAX_VALUE_SIZE];
                    let size = size_of::<$ty>();
                    // SAFETY: the value fits the array and has no padding.
                    unsafe { ptr::copy_nonoverlapping((&raw const value).cast(), bytes.as_mut_ptr(), size) };
                    Argument(Kind::Value { bytes, size })
                }
            }
        )*
    };
}

plain! { i8 i16 i32 i64 u8 u16 u32 u64 bf16 f16 f32 f64 Complex<f32> Complex<f64> }

const MAX_VALUE_SIZE: usize = 16;

/// An argument of a kernel: a number, or the address of a [`Memory`].
#[derive(Clone, Copy)]
pub struct Argument<'a>(Kind<'a>);

#[derive(Clone, Copy)]
enum Kind<'a> {
    Value { bytes: [u8; MAX_VALUE_SIZE], size: usize },
    Address { address: *const c_void, memory: PhantomData<&'a ()> },
}

impl<'a, T: Plain> From<&'a Memory<T>> for Argument<'a> {
    fn from(memory: &'a Memory<T>) -> Self {
        Argument(Kind::Address { address: memory.start.as_ptr().cast(), memory: PhantomData })
    }
}

impl Argument<'_> {
    /// The null pointer.
    pub fn null() -> Self {
        Argument(Kind::Address { address: ptr::null(), memory: PhantomData })
    }
}

impl Session {
    /// Opens the first device of the kind that has subgroups.
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
                for id in devices(api, platform, ty)? {
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

    /// Memory that holds a copy of `values`.
    ///
    /// # Errors
    /// If the driver has none left.
    pub fn memory<T: Plain>(&self, values: &[T]) -> Result<Memory<T>, Error> {
        let start = self.allocate::<T>(values.len())?;
        // SAFETY: the memory is new and has room for the values.
        unsafe { ptr::copy_nonoverlapping(values.as_ptr(), start.as_ptr(), values.len()) };
        Ok(Memory { session: self.clone(), start, length: values.len(), owned: PhantomData })
    }

    /// Memory for `length` numbers, all zero.
    ///
    /// # Errors
    /// If the driver has none left.
    pub fn zeroed<T: Plain>(&self, length: usize) -> Result<Memory<T>, Error> {
        let start = self.allocate::<T>(length)?;
        // SAFETY: the memory is new and has room for the numbers.
        unsafe { ptr::write_bytes(start.as_ptr(), 0, length) };
        Ok(Memory { session: self.clone(), start, length, owned: PhantomData })
    }

    fn allocate<T: Plain>(&self, length: usize) -> Result<NonNull<T>, Error> {
        let Shared { device, context, memory, .. } = &*self.shared;
        // Drivers refuse to allocate nothing.
        let Some(size) = length.max(1).checked_mul(size_of::<T>()) else {
            return Err(Error::InvalidArguments { what: "more memory than addresses" });
        };
        // SAFETY: context and device are valid; no properties.
        let start = unsafe {
            if memory.has_shared {
                create!(memory, clSharedMemAllocINTEL(*context, *device, ptr::null(), size, ALIGNMENT))
            } else {
                create!(memory, clHostMemAllocINTEL(*context, ptr::null(), size, ALIGNMENT))
            }
        }?;
        NonNull::new(start.cast()).ok_or(Error::InvalidArguments { what: "the driver returned null memory" })
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
        for (index, argument) in (0..).zip(arguments) {
            self.set_argument(index, argument)?;
        }
        if groups.contains(&0) {
            return Ok(());
        }
        let Shared { api, queue, .. } = &*self.session.shared;
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

    fn set_argument(&mut self, index: cl_uint, argument: &Argument<'_>) -> Result<(), Error> {
        let Shared { api, memory, .. } = &*self.session.shared;
        // SAFETY: the kernel is valid and borrowed for writing; a value is copied from an array of its size,
        // an address is not looked at.
        unsafe {
            match &argument.0 {
                Kind::Value { bytes, size } => {
                    call!(api, clSetKernelArg(self.kernel, index, *size, bytes.as_ptr().cast()))
                }
                Kind::Address { address, .. } => {
                    call!(memory, clSetKernelArgMemPointerINTEL(self.kernel, index, *address))
                }
            }
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

impl<T: Plain> Memory<T> {
    /// The address of the first number, the same for host and device.
    pub fn address(&self) -> u64 {
        self.start.as_ptr().expose_provenance() as u64
    }
}

impl<T: Plain> Deref for Memory<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the memory was initialised when it was made and lives as long as `self`.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T: Plain> DerefMut for Memory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`; the borrow is exclusive.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl MemoryApi {
    fn load(api: &Api, device: Device<'_>) -> Result<MemoryApi, Error> {
        let platform = device.platform()?;
        let address = |name: &CStr| -> Result<*mut c_void, Error> {
            let function = "clGetExtensionFunctionAddressForPlatform";
            let get = api.clGetExtensionFunctionAddressForPlatform;
            let get = get.ok_or(Error::FunctionMissing { function })?;
            // SAFETY: the platform is valid, the name ends in NUL.
            Ok(unsafe { get(platform, name.as_ptr()) })
        };
        macro_rules! function {
            ($name:literal, $ty:ty) => {
                // SAFETY: the address is null or that of the function of the name, which has this type.
                unsafe { mem::transmute::<*mut c_void, $ty>(address($name)?) }
            };
        }
        Ok(MemoryApi {
            clSharedMemAllocINTEL: function!(c"clSharedMemAllocINTEL", clSharedMemAllocINTEL_t),
            clHostMemAllocINTEL: function!(c"clHostMemAllocINTEL", clHostMemAllocINTEL_t),
            clMemBlockingFreeINTEL: function!(c"clMemBlockingFreeINTEL", clMemBlockingFreeINTEL_t),
            clSetKernelArgMemPointerINTEL: function!(
                c"clSetKernelArgMemPointerINTEL",
                clSetKernelArgMemPointerINTEL_t
            ),
            has_shared: device.has_shared_memory(),
        })
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

impl<T: Plain> Drop for Memory<T> {
    fn drop(&mut self) {
        let Shared { context, memory, .. } = &*self.session.shared;
        // SAFETY: launches wait, so no kernel uses the memory; it came from the same functions.
        let _ = unsafe { call!(memory, clMemBlockingFreeINTEL(*context, self.start.as_ptr().cast())) };
    }
}

fn platforms(api: &Api) -> Result<Vec<cl_platform_id>, Error> {
    let mut number = 0;
    // SAFETY: only the number is stored.
    match unsafe { call!(api, clGetPlatformIDs(0, ptr::null_mut(), &mut number)) } {
        Err(Error::Call { code: CL_PLATFORM_NOT_FOUND_KHR, .. }) => return Ok(Vec::new()),
        other => other?,
    }
    let mut platforms = vec![ptr::null_mut(); usize::try_from(number).unwrap_or(0)];
    // SAFETY: the list has room for that many.
    unsafe { call!(api, clGetPlatformIDs(number, platforms.as_mut_ptr(), ptr::null_mut())) }?;
    Ok(platforms)
}

fn devices(api: &Api, platform: cl_platform_id, ty: cl_device_type) -> Result<Vec<cl_device_id>, Error> {
    let mut number = 0;
    // SAFETY: the platform is valid; only the number is stored.
    match unsafe { call!(api, clGetDeviceIDs(platform, ty, 0, ptr::null_mut(), &mut number)) } {
        Err(Error::Call { code: CL_DEVICE_NOT_FOUND, .. }) => return Ok(Vec::new()),
        other => other?,
    }
    let mut devices = vec![ptr::null_mut(); usize::try_from(number).unwrap_or(0)];
    // SAFETY: the list has room for that many.
    unsafe { call!(api, clGetDeviceIDs(platform, ty, number, devices.as_mut_ptr(), ptr::null_mut())) }?;
    Ok(devices)
}
