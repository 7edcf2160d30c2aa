//! The memory that kernels may access.
// Modules say the numbers here: no arithmetic on them is unchecked.
#![deny(clippy::arithmetic_side_effects)]

mod raw;
mod written;

pub(crate) use raw::{Atom, Region};

use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use written::Written;

/// Bytes around every allocation that belong to nobody, so that going a little too far is noticed.
const MARGIN: u64 = 1024;
/// Freed memory is kept until there is more of it than this, so that using it is noticed.
const MAX_FREED: u64 = 64 << 20;

/// Memory that kernels may access, in allocations. Addresses are those of the host.
#[derive(Debug, Default)]
pub struct Memory {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// By address, freed ones included.
    allocations: BTreeMap<u64, Arc<Allocation>>,
    /// The freed ones, oldest first, and their size in all.
    freed: std::collections::VecDeque<u64>,
    freed_bytes: u64,
}

/// Why memory is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// There is not as much.
    #[error("there are no {0} bytes of memory")]
    Exhausted(u64),
    /// Alignments are powers of two.
    #[error("{0} is no alignment")]
    Alignment(u64),
    /// No allocation holds all of the bytes.
    #[error("{size} bytes at {address:#x} are not within an allocation")]
    Outside {
        /// Where they start.
        address: u64,
        /// How many they are.
        size: u64,
    },
}

/// An allocation.
#[derive(Debug)]
pub(crate) struct Allocation {
    region: Region,
    /// Where the allocation starts in the region.
    start: u64,
    pub size: u64,
    /// Whether kernels may not write it.
    pub is_read_only: bool,
    freed: AtomicBool,
    written: Written,
}

impl Allocation {
    /// So many zero bytes at a multiple of the alignment, a power of two; `None` if there is not as much memory.
    pub fn new(size: u64, alignment: u64) -> Option<Allocation> {
        let start = MARGIN.checked_next_multiple_of(alignment)?;
        let whole = usize::try_from(size.checked_add(start)?.checked_add(MARGIN)?).ok()?;
        let region = Region::new(whole, usize::try_from(alignment).ok()?)?;
        let (freed, written) = (AtomicBool::new(false), Written::default());
        Some(Allocation { region, start, size, is_read_only: false, freed, written })
    }

    pub fn address(&self) -> u64 {
        self.region.address().wrapping_add(self.start)
    }

    pub fn is_freed(&self) -> bool {
        self.freed.load(Ordering::Relaxed)
    }

    /// The offset of so many bytes at an address, if all of them lie in the allocation.
    #[inline(always)]
    pub fn offset(&self, address: u64, size: u64) -> Option<u64> {
        let offset = address.wrapping_sub(self.address());
        (offset <= self.size && size <= self.size.wrapping_sub(offset)).then_some(offset)
    }

    /// The number at an offset.
    #[inline(always)]
    pub fn load<T: Atom>(&self, offset: u64) -> Option<T> {
        self.region.load(self.start.wrapping_add(offset))
    }

    /// The numbers that follow each other from an offset.
    #[inline(always)]
    pub fn load_row<T: Atom, const N: usize>(&self, offset: u64) -> Option<[T; N]> {
        self.region.load_row(self.start.wrapping_add(offset))
    }

    #[inline(always)]
    pub fn store<T: Atom>(&self, offset: u64, value: T) -> Option<()> {
        self.region.store(self.start.wrapping_add(offset), value)
    }

    pub fn update<T: Atom>(&self, offset: u64, f: impl Fn(T) -> T) -> Option<T> {
        self.region.update(self.start.wrapping_add(offset), f)
    }

    /// Whether so many bytes have been written.
    #[inline(always)]
    pub fn is_written(&self, offset: u64, size: u64) -> bool {
        self.written.holds(offset, size)
    }

    #[inline(always)]
    pub fn note_written(&self, offset: u64, size: u64) {
        self.written.add(offset, size, self.size);
    }

    /// Notes that nobody knows any more what has been written.
    pub fn note_all_written(&self) {
        self.written.add_all();
    }
}

impl Memory {
    /// No memory at first.
    pub fn new() -> Memory {
        Memory::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves memory for so many bytes at a multiple of the alignment; returns its address. Its bytes are
    /// zero, but reading them before they are written counts as a fault.
    ///
    /// # Errors
    /// If there is not as much memory, or the alignment is no power of two.
    pub fn allocate(&self, size: u64, alignment: u64) -> Result<u64, MemoryError> {
        if !alignment.is_power_of_two() {
            return Err(MemoryError::Alignment(alignment));
        }
        let allocation = Allocation::new(size, alignment).ok_or(MemoryError::Exhausted(size))?;
        let address = allocation.address();
        self.state().allocations.insert(address, Arc::new(allocation));
        Ok(address)
    }

    /// Gives an allocation back.
    ///
    /// # Errors
    /// If there is none at the address.
    pub fn free(&self, address: u64) -> Result<(), MemoryError> {
        let mut state = self.state();
        let allocation = state.allocations.get(&address).filter(|allocation| !allocation.is_freed());
        let Some(allocation) = allocation else { return Err(MemoryError::Outside { address, size: 0 }) };
        allocation.freed.store(true, Ordering::Relaxed);
        let size = allocation.size;
        state.freed.push_back(address);
        state.freed_bytes = state.freed_bytes.saturating_add(size);
        while state.freed_bytes > MAX_FREED
            && let Some(oldest) = state.freed.pop_front()
        {
            let size = state.allocations.remove(&oldest).map_or(0, |allocation| allocation.size);
            state.freed_bytes = state.freed_bytes.saturating_sub(size);
        }
        Ok(())
    }

    /// The allocation that an address lies in: its address and size. None if it has been freed.
    pub fn allocation(&self, address: u64) -> Option<(u64, u64)> {
        let found = self.find(address, 0).ok()?;
        Some((found.address(), found.size))
    }

    /// A pointer for the host to the bytes of an allocation. It is good until the allocation is freed; what is
    /// accessed through it must not be accessed by a kernel at the same time. As nobody sees what the host does with
    /// it, the bytes count as written from now on; [`Memory::forget`] says otherwise.
    ///
    /// # Errors
    /// If not all of the bytes are in one allocation.
    pub fn pointer(&self, address: u64, size: u64) -> Result<NonNull<u8>, MemoryError> {
        let found = self.find(address, size)?;
        found.note_written(address.wrapping_sub(found.address()), size);
        let offset = address.wrapping_sub(found.region.address());
        let pointer = found.region.pointer().as_ptr().wrapping_add(usize::try_from(offset).unwrap_or(0));
        NonNull::new(pointer).ok_or(MemoryError::Outside { address, size })
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// If not all of them are in one allocation.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let outside = MemoryError::Outside { address, size: bytes.len() as u64 };
        let found = self.find(address, bytes.len() as u64)?;
        let offset = address.wrapping_sub(found.address());
        found.note_written(offset, bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        for (place, word) in (offset..).step_by(8).zip(words) {
            found.store(place, u64::from_le_bytes(*word)).ok_or_else(|| outside.clone())?;
        }
        let done = bytes.len().wrapping_sub(rest.len()) as u64;
        for (place, byte) in (offset.wrapping_add(done)..).zip(rest) {
            found.store(place, *byte).ok_or_else(|| outside.clone())?;
        }
        Ok(())
    }

    /// Lets bytes count as never written, so that a kernel that reads them before anybody writes them again is
    /// reported. What they hold does not change.
    ///
    /// # Errors
    /// If not all of them are in one allocation.
    pub fn forget(&self, address: u64, size: u64) -> Result<(), MemoryError> {
        let found = self.find(address, size)?;
        found.written.remove(address.wrapping_sub(found.address()), size, found.size);
        Ok(())
    }

    /// Reads bytes.
    ///
    /// # Errors
    /// If not all of them are in one allocation.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), MemoryError> {
        let outside = MemoryError::Outside { address, size: bytes.len() as u64 };
        let found = self.find(address, bytes.len() as u64)?;
        let offset = address.wrapping_sub(found.address());
        let size = bytes.len();
        let (words, rest) = bytes.as_chunks_mut::<8>();
        let done = size.wrapping_sub(rest.len()) as u64;
        for (place, word) in (offset..).step_by(8).zip(words) {
            *word = found.load::<u64>(place).ok_or_else(|| outside.clone())?.to_le_bytes();
        }
        for (place, byte) in (offset.wrapping_add(done)..).zip(rest) {
            *byte = found.load(place).ok_or_else(|| outside.clone())?;
        }
        Ok(())
    }

    fn find(&self, address: u64, size: u64) -> Result<Arc<Allocation>, MemoryError> {
        let state = self.state();
        let found = state.allocations.range(..=address).next_back().map(|(_, allocation)| allocation);
        let found = found.filter(|found| !found.is_freed() && found.offset(address, size).is_some());
        found.cloned().ok_or(MemoryError::Outside { address, size })
    }

    /// All allocations and those of a program by address, freed ones included.
    pub(crate) fn snapshot(&self, of_program: &[Arc<Allocation>]) -> Vec<Arc<Allocation>> {
        let mut all: Vec<Arc<Allocation>> = self.state().allocations.values().cloned().collect();
        if !of_program.is_empty() {
            all.extend_from_slice(of_program);
            all.sort_by_key(|allocation| allocation.address());
        }
        all
    }
}
