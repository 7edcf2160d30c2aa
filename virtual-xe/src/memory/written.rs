//! Record of the bytes of an allocation that somebody has written.

use super::raw::Region;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A byte for each byte of the allocation, one if it has been written.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// All of them have been, whatever the bytes say.
    all: AtomicBool,
    /// Absent until some have been.
    bytes: OnceLock<Option<Region>>,
}

impl Written {
    /// Returns whether so many bytes, eight at most, have been written.
    #[inline(always)]
    pub fn holds(&self, offset: u64, size: u64) -> bool {
        self.all.load(Relaxed)
            || match self.bytes.get() {
                None => false,
                // Nothing is known where there was no memory to note it.
                Some(None) => true,
                Some(Some(bytes)) => match size {
                    1 => bytes.load::<u8>(offset) == Some(1),
                    2 => bytes.load::<u16>(offset) == Some(0x0101),
                    4 => bytes.load::<u32>(offset) == Some(0x0101_0101),
                    8 => bytes.load::<u64>(offset) == Some(0x0101_0101_0101_0101),
                    _ => (offset..offset.saturating_add(size)).all(|at| bytes.load::<u8>(at) == Some(1)),
                },
            }
    }

    /// Notes that so many bytes have been written.
    #[inline(always)]
    pub fn add(&self, offset: u64, size: u64, whole: u64) {
        if self.all.load(Relaxed) {
            return;
        }
        if size == whole {
            self.all.store(true, Relaxed);
        } else if let Some(bytes) = self.bytes(whole) {
            match size {
                1 => drop(bytes.store(offset, 1u8)),
                2 => drop(bytes.store(offset, 0x0101u16)),
                4 => drop(bytes.store(offset, 0x0101_0101u32)),
                8 => drop(bytes.store(offset, 0x0101_0101_0101_0101u64)),
                _ => fill(bytes, offset, size, 1),
            }
        }
    }

    /// Notes that all bytes have been written.
    pub fn add_all(&self) {
        self.all.store(true, Relaxed);
    }

    /// Forgets that so many bytes of the whole have been written.
    pub fn remove(&self, offset: u64, size: u64, whole: u64) {
        if let Some(bytes) = self.bytes(whole) {
            if self.all.load(Relaxed) {
                fill(bytes, 0, whole, 1);
                self.all.store(false, Relaxed);
            }
            fill(bytes, offset, size, 0);
        }
    }

    fn bytes(&self, whole: u64) -> Option<&Region> {
        let make = || usize::try_from(whole).ok().and_then(|whole| Region::new(whole, size_of::<u64>()));
        self.bytes.get_or_init(make).as_ref()
    }
}

fn fill(bytes: &Region, offset: u64, size: u64, value: u8) {
    for at in offset..offset.saturating_add(size) {
        let _ = bytes.store(at, value);
    }
}
