//! Memory that host and device share, and what kernels are given.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::Arc;

use half::{bf16, f16};
use num_complex::Complex;

use super::Error;

/// Types whose values host and device represent alike.
///
/// # Safety
/// The values have no padding, and whatever bits a kernel writes are a value of the type.
pub unsafe trait Plain: Copy + 'static {}

/// Source of the memory of a [`Session`](super::Session).
pub trait Allocator: Send + Sync {
    /// Memory that holds a copy of the bytes, at a multiple of `alignment`, which is a power of two. Host and device
    /// know it by the same address.
    ///
    /// # Errors
    /// If there is none left, or not at such an address.
    fn allocate(&self, bytes: &[u8], alignment: usize) -> Result<NonNull<u8>, Error>;

    /// Gives memory back.
    ///
    /// # Safety
    /// [`allocate`](Self::allocate) has returned the address, and neither host nor device use it any more.
    unsafe fn free(&self, start: NonNull<u8>);
}

/// Numbers in memory that host and device share; to the host it is a slice.
pub struct Memory<T: Plain> {
    allocator: Arc<dyn Allocator>,
    start: NonNull<T>,
    length: usize,
    owned: PhantomData<T>,
}

// SAFETY: the memory is owned like that of a `Vec`, and allocators may be used from any thread.
unsafe impl<T: Plain + Send> Send for Memory<T> {}
// SAFETY: as before; a shared reference only gives out shared references.
unsafe impl<T: Plain + Sync> Sync for Memory<T> {}

impl<T: Plain> Memory<T> {
    /// Memory that holds a copy of `values`, at a multiple of `alignment` bytes.
    ///
    /// # Errors
    /// If there is none left, or not at such an address.
    pub fn new(allocator: Arc<dyn Allocator>, values: &[T], alignment: usize) -> Result<Memory<T>, Error> {
        if !alignment.is_power_of_two() || alignment < align_of::<T>() {
            return Err(Error::InvalidArguments {
                what: "an alignment that is no power of two or too small",
            });
        }
        let start = allocator.allocate(bytes_of(values), alignment)?.cast();
        Ok(Memory { allocator, start, length: values.len(), owned: PhantomData })
    }

    /// The address of the first number, the same for host and device.
    pub fn address(&self) -> u64 {
        self.start.as_ptr().expose_provenance() as u64
    }

    /// The address of the number at a place, as an argument; `None` beyond the last.
    pub fn at(&self, place: usize) -> Option<Argument<'_>> {
        // SAFETY: the place is within the memory.
        let address = (place < self.length).then(|| unsafe { self.start.as_ptr().add(place) })?;
        Some(Argument::address(address.cast()))
    }
}

impl<T: Plain> Deref for Memory<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the memory was initialised when it was made and lives as long as `self`; whoever launches a kernel
        // vouches that it writes nothing that is borrowed.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T: Plain> DerefMut for Memory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `deref`; the borrow is exclusive.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl<T: Plain> Drop for Memory<T> {
    fn drop(&mut self) {
        // SAFETY: the allocator has made the memory; whoever launched a kernel has kept it until the end.
        unsafe { self.allocator.free(self.start.cast()) };
    }
}

/// The values as they lie in memory.
fn bytes_of<T: Plain>(values: &[T]) -> &[u8] {
    // SAFETY: the values have no padding.
    unsafe { slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The size of the largest number, a complex one.
const MAX_VALUE_SIZE: usize = 16;

/// An argument of a kernel: a number, or the address of a [`Memory`].
#[derive(Clone, Copy)]
pub struct Argument<'a>(Kind<'a>);

#[derive(Clone, Copy)]
enum Kind<'a> {
    Value { bytes: [u8; MAX_VALUE_SIZE], size: usize },
    Address { address: *const c_void, memory: PhantomData<&'a ()> },
}

impl<'a> Argument<'a> {
    /// A number as it lies in memory; `None` if no number has so many bytes.
    pub fn from_bytes(value: &[u8]) -> Option<Self> {
        let mut bytes = [0; MAX_VALUE_SIZE];
        bytes.get_mut(..value.len())?.copy_from_slice(value);
        Some(Argument(Kind::Value { bytes, size: value.len() }))
    }

    /// The null pointer.
    pub fn null() -> Self {
        Argument::address(ptr::null())
    }

    fn address(address: *const c_void) -> Self {
        Argument(Kind::Address { address, memory: PhantomData })
    }

    /// The bytes of a number, or the address.
    pub(super) fn value(&self) -> Result<&[u8], *const c_void> {
        match &self.0 {
            Kind::Value { bytes, size } => Ok(bytes.get(..*size).unwrap_or(bytes)),
            Kind::Address { address, .. } => Err(*address),
        }
    }
}

impl<'a, T: Plain> From<&'a Memory<T>> for Argument<'a> {
    fn from(memory: &'a Memory<T>) -> Self {
        Argument::address(memory.start.as_ptr().cast_const().cast())
    }
}

macro_rules! plain {
    ($($ty:ty)*) => {
        $(
            // SAFETY: a number of any bits, or two of these in a row.
            unsafe impl Plain for $ty {}

            impl From<$ty> for Argument<'_> {
                fn from(value: $ty) -> Self {
                    const { assert!(size_of::<$ty>() <= MAX_VALUE_SIZE) };
                    let mut bytes = [0; MAX_VALUE_SIZE];
                    let values = bytes_of(slice::from_ref(&value));
                    bytes.iter_mut().zip(values).for_each(|(to, from)| *to = *from);
                    Argument(Kind::Value { bytes, size: values.len() })
                }
            }
        )*
    };
}

plain! { i8 i16 i32 i64 u8 u16 u32 u64 bf16 f16 f32 f64 Complex<f32> Complex<f64> }
