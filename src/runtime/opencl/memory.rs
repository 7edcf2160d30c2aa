//! Memory that host and device share, and what kernels are given.

use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};
use std::slice;

use half::{bf16, f16};
use num_complex::Complex;
use opencl_sys::*;

use super::api::{Api, call, create};
use super::device::Device;
use super::session::Session;
use crate::runtime::Error;

/// Alignment of all memory, the default that kernels rely on.
const ALIGNMENT: cl_uint = 128;

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

    /// # Safety
    /// `kernel` is a kernel of the loader that nobody else uses meanwhile.
    pub(super) unsafe fn set(
        &self,
        api: &Api,
        memory: &MemoryApi,
        kernel: cl_kernel,
        index: cl_uint,
    ) -> Result<(), Error> {
        // SAFETY: the kernel is valid by contract; a value is copied from an array of its size, an address is
        // not looked at.
        unsafe {
            match &self.0 {
                Kind::Value { bytes, size } => {
                    call!(api, clSetKernelArg(kernel, index, *size, bytes.as_ptr().cast()))
                }
                Kind::Address { address, .. } => {
                    call!(memory, clSetKernelArgMemPointerINTEL(kernel, index, *address))
                }
            }
        }
    }
}

/// Functions of `cl_intel_unified_shared_memory`.
#[allow(non_snake_case)]
pub(super) struct MemoryApi {
    clSharedMemAllocINTEL: clSharedMemAllocINTEL_t,
    clHostMemAllocINTEL: clHostMemAllocINTEL_t,
    clMemBlockingFreeINTEL: clMemBlockingFreeINTEL_t,
    clSetKernelArgMemPointerINTEL: clSetKernelArgMemPointerINTEL_t,
    /// Whether the device takes shared memory; if not, it reads and writes the host's.
    has_shared: bool,
}

impl Session {
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
        // Drivers refuse to allocate nothing.
        let Some(size) = length.max(1).checked_mul(size_of::<T>()) else {
            return Err(Error::InvalidArguments { what: "more memory than addresses" });
        };
        // SAFETY: the session's handles are valid.
        let start = unsafe { self.shared.memory.allocate(self.context(), self.device(), size) }?;
        NonNull::new(start.cast()).ok_or(Error::InvalidArguments { what: "the driver returned null memory" })
    }
}

impl<T: Plain> Memory<T> {
    /// The address of the first number, the same for host and device.
    pub fn address(&self) -> u64 {
        self.start.as_ptr().expose_provenance() as u64
    }

    /// The address of the number at a place, as an argument; `None` beyond the last.
    pub fn at(&self, place: usize) -> Option<Argument<'_>> {
        let number: &T = self.get(place)?;
        Some(Argument(Kind::Address { address: ptr::from_ref(number).cast(), memory: PhantomData }))
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
    /// # Safety
    /// `context` is a context of the loader and `device` its device.
    unsafe fn allocate(
        &self,
        context: cl_context,
        device: cl_device_id,
        size: usize,
    ) -> Result<*mut c_void, Error> {
        // SAFETY: context and device are valid by contract; no properties.
        unsafe {
            if self.has_shared {
                create!(self, clSharedMemAllocINTEL(context, device, ptr::null(), size, ALIGNMENT))
            } else {
                create!(self, clHostMemAllocINTEL(context, ptr::null(), size, ALIGNMENT))
            }
        }
    }

    pub(super) fn load(api: &Api, device: Device<'_>) -> Result<MemoryApi, Error> {
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
            has_shared: device.has_shared_memory()?,
        })
    }
}

impl<T: Plain> Drop for Memory<T> {
    fn drop(&mut self) {
        let (api, start) = (&self.session.shared.memory, self.start.as_ptr().cast());
        // SAFETY: launches wait, so no kernel uses the memory; it came from the same functions. That a driver
        // refuses to free it is nothing to act upon.
        let _ = unsafe { call!(api, clMemBlockingFreeINTEL(self.session.context(), start)) };
    }
}
