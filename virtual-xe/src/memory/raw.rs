//! The one place that touches memory by address.
//!
//! Kernels use the addresses of the host's memory, as with unified shared memory, so that programs may follow
//! the pointers that they hand to kernels. What a [`Region`] owns is only accessed through it, within its
//! bounds, and by relaxed atomic operations: a kernel that races, or a host that looks at memory while a
//! kernel runs, gets some value, as on a device.
// Modules say the numbers here: no arithmetic on them is unchecked.
#![deny(clippy::arithmetic_side_effects)]
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Memory of the host that kernels may access.
#[derive(Debug)]
pub(crate) struct Region {
    base: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the region owns its memory, and all accesses are atomic.
unsafe impl Send for Region {}
// SAFETY: likewise.
unsafe impl Sync for Region {}

/// Numbers that are accessed as one.
pub(crate) trait Atom: bytemuck::Pod {
    type Atomic;
    /// # Safety
    /// `at` is aligned and valid for reads and writes of `Self` while the reference lives; everybody else
    /// accesses it atomically.
    unsafe fn atomic<'a>(at: *mut u8) -> &'a Self::Atomic;
    fn load(atomic: &Self::Atomic) -> Self;
    fn store(atomic: &Self::Atomic, value: Self);
    fn exchange(atomic: &Self::Atomic, old: Self, new: Self) -> Result<Self, Self>;
}

macro_rules! atoms {
    ($($ty:ty, $atomic:ident;)*) => { $(
        impl Atom for $ty {
            type Atomic = $atomic;
            #[inline(always)]
            unsafe fn atomic<'a>(at: *mut u8) -> &'a $atomic {
                // SAFETY: the caller's promise is the one that is asked for here.
                unsafe { $atomic::from_ptr(at.cast()) }
            }
            #[inline(always)]
            fn load(atomic: &$atomic) -> $ty {
                atomic.load(Relaxed)
            }
            #[inline(always)]
            fn store(atomic: &$atomic, value: $ty) {
                atomic.store(value, Relaxed);
            }
            #[inline(always)]
            fn exchange(atomic: &$atomic, old: $ty, new: $ty) -> Result<$ty, $ty> {
                use std::sync::atomic::Ordering::SeqCst;
                atomic.compare_exchange_weak(old, new, SeqCst, SeqCst)
            }
        }
    )* };
}
atoms! { u8, AtomicU8; u16, AtomicU16; u32, AtomicU32; u64, AtomicU64; }

impl Region {
    /// Memory full of zeros; `None` if there is not as much, or the alignment is no power of two.
    pub fn new(size: usize, alignment: usize) -> Option<Region> {
        let layout = Layout::from_size_align(size.max(1), alignment.max(1)).ok()?;
        // SAFETY: the size is not zero.
        let base = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Region { base, layout })
    }

    pub fn address(&self) -> u64 {
        self.base.as_ptr().addr() as u64
    }

    /// For the host to use while no kernel runs.
    pub fn pointer(&self) -> NonNull<u8> {
        self.base
    }

    pub fn size(&self) -> u64 {
        self.layout.size() as u64
    }

    #[inline(always)]
    fn atomic<T: Atom>(&self, offset: u64) -> Option<&T::Atomic> {
        let size = size_of::<T>() as u64;
        let is_within = offset <= self.size() && size <= self.size().wrapping_sub(offset);
        if !is_within || !self.address().wrapping_add(offset).is_multiple_of(size) {
            return None;
        }
        // SAFETY: the offset lies within the region, the address is aligned, and all accesses are atomic.
        Some(unsafe { T::atomic(self.base.as_ptr().add(offset as usize)) })
    }

    /// The number at an offset; `None` if it is not all within the region.
    #[inline(always)]
    pub fn load<T: Atom>(&self, offset: u64) -> Option<T> {
        match self.atomic::<T>(offset) {
            Some(atomic) => Some(T::load(atomic)),
            None => self.load_bytes(offset),
        }
    }

    /// The numbers that follow each other from an offset; `None` if they are not all within the region, or
    /// misaligned.
    #[inline(always)]
    pub fn load_row<T: Atom, const N: usize>(&self, offset: u64) -> Option<[T; N]> {
        let size = size_of::<T>() as u64;
        let is_within =
            offset <= self.size() && (N as u64).saturating_mul(size) <= self.size().wrapping_sub(offset);
        if !is_within || !self.address().wrapping_add(offset).is_multiple_of(size) {
            return None;
        }
        let number = |place: usize| {
            // SAFETY: the offsets of all numbers lie within the region, the addresses are aligned, and all accesses are
            // atomic.
            T::load(unsafe {
                T::atomic(self.base.as_ptr().add(offset as usize).cast::<T>().add(place).cast())
            })
        };
        Some(std::array::from_fn(number))
    }

    /// Stores a number; `None` if it is not all within the region.
    #[inline(always)]
    pub fn store<T: Atom>(&self, offset: u64, value: T) -> Option<()> {
        match self.atomic::<T>(offset) {
            Some(atomic) => {
                T::store(atomic, value);
                Some(())
            }
            None => self.store_bytes(offset, value),
        }
    }

    /// A misaligned number, byte by byte.
    #[cold]
    fn load_bytes<T: Atom>(&self, offset: u64) -> Option<T> {
        let mut value = T::zeroed();
        for (at, byte) in (offset..).zip(bytemuck::bytes_of_mut(&mut value)) {
            *byte = u8::load(self.atomic::<u8>(at)?);
        }
        Some(value)
    }

    #[cold]
    fn store_bytes<T: Atom>(&self, offset: u64, value: T) -> Option<()> {
        self.atomic::<u8>(offset.checked_add((size_of::<T>() as u64).saturating_sub(1))?)?;
        for (at, &byte) in (offset..).zip(bytemuck::bytes_of(&value)) {
            u8::store(self.atomic::<u8>(at)?, byte);
        }
        Some(())
    }

    /// Replaces a number as one step; returns the old one. `None` if it is not all within the region, or
    /// misaligned.
    pub fn update<T: Atom>(&self, offset: u64, f: impl Fn(T) -> T) -> Option<T> {
        let atomic = self.atomic::<T>(offset)?;
        let mut old = T::load(atomic);
        loop {
            match T::exchange(atomic, old, f(old)) {
                Ok(old) => return Some(old),
                Err(changed) => old = changed,
            }
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the memory has been allocated with this layout, and nobody has it any more.
        unsafe { dealloc(self.base.as_ptr(), self.layout) };
    }
}
