//! Copies between the driver's memory and any memory of the host.

use crate::command::Stop;
use crate::launch::complain;
use crate::runtime::runtime;
use virtual_xe::Memory;

/// Bytes that are moved in one piece.
const PIECE: usize = 1 << 20;

/// Rows of bytes at places of a memory of pitched rows and slices.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub address: usize,
    pub origin: [usize; 3],
    /// Bytes of a row, rows of a slice, slices.
    pub size: [usize; 3],
    /// Bytes from row to row, and from slice to slice.
    pub pitches: [usize; 2],
}

impl Region {
    /// Starts of the rows.
    fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        let [x, y, z] = self.origin;
        let [row, slice] = self.pitches;
        let [_, height, depth] = self.size;
        let slices = (z..z.saturating_add(depth)).map(move |z| z.wrapping_mul(slice));
        slices.flat_map(move |offset| {
            (y..y.saturating_add(height)).map(move |y| {
                self.address.wrapping_add(offset).wrapping_add(y.wrapping_mul(row)).wrapping_add(x)
            })
        })
    }
}

/// Access path to the bytes at an address.
enum Place<'m> {
    /// All of them lie in an allocation.
    Driver(&'m Memory),
    /// None of them does: the program's own.
    Host,
}

fn place(address: usize, size: usize) -> Result<Place<'static>, Stop> {
    let memory = runtime().map_err(|_| Stop)?.memory_of_driver();
    match memory.allocation(address as u64) {
        None => Ok(Place::Host),
        Some((base, whole))
            if address as u64 - base <= whole && size as u64 <= whole - (address as u64 - base) =>
        {
            Ok(Place::Driver(memory))
        }
        Some((base, whole)) => {
            complain(&format!(
                "a copy accesses {size} bytes at {address:#x}, beyond the allocation of {whole} bytes at {base:#x}"
            ));
            Err(Stop)
        }
    }
}

fn load(address: usize, bytes: &mut [u8]) -> Result<(), Stop> {
    match place(address, bytes.len())? {
        Place::Driver(memory) => memory.read(address as u64, bytes).map_err(|_| Stop),
        Place::Host => {
            let from = std::ptr::with_exposed_provenance::<u8>(address);
            // SAFETY: the program that appends a command vouches for the memory it names, until it is done.
            unsafe { from.copy_to(bytes.as_mut_ptr(), bytes.len()) };
            Ok(())
        }
    }
}

/// Stores bytes at an address.
pub(crate) fn store(address: usize, bytes: &[u8]) -> Result<(), Stop> {
    match place(address, bytes.len())? {
        Place::Driver(memory) => memory.write(address as u64, bytes).map_err(|_| Stop),
        Place::Host => {
            let to = std::ptr::with_exposed_provenance_mut::<u8>(address);
            // SAFETY: the program that appends a command vouches for the memory it names, until it is done.
            unsafe { to.copy_from(bytes.as_ptr(), bytes.len()) };
            Ok(())
        }
    }
}

/// The number of 32 bits at an address.
pub(crate) fn load_number(address: usize) -> Result<u32, Stop> {
    let mut bytes = [0; 4];
    load(address, &mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// Copies bytes that do not overlap.
pub(crate) fn copy(to: usize, from: usize, size: usize) -> Result<(), Stop> {
    place(to, size)?;
    place(from, size)?;
    let mut piece = vec![0; size.min(PIECE)];
    for start in (0..size).step_by(PIECE) {
        piece.truncate(size - start);
        load(from + start, &mut piece)?;
        store(to + start, &piece)?;
    }
    Ok(())
}

/// Copies row by row.
pub(crate) fn copy_region(to: &Region, from: &Region) -> Result<(), Stop> {
    let [width, ..] = to.size;
    to.rows().zip(from.rows()).try_for_each(|(to, from)| copy(to, from, width))
}

/// Repeats a pattern; the last time as much of it as there is room for.
pub(crate) fn fill(to: usize, size: usize, pattern: &[u8]) -> Result<(), Stop> {
    place(to, size)?;
    // Whole patterns, so that each piece starts with one.
    let length = pattern.len() * (PIECE / pattern.len().max(1)).max(1);
    let piece: Vec<u8> = pattern.iter().copied().cycle().take(length.min(size)).collect();
    for start in (0..size).step_by(length.max(1)) {
        let bytes = piece.get(..piece.len().min(size - start)).unwrap_or_default();
        store(to + start, bytes)?;
    }
    Ok(())
}
